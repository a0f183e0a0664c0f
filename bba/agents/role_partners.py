"""Partners that pursue one role at a time and switch at known steps (ground truth), by a schedule given or drawn.

The switching partner works for the orders as the scripted planner does, but first on tasks of its role
(`bba.planner.scripted.skill_choice`); what it does beside its role it notes in its decision. It knows only what the
scene shows. Locked partners do not adapt to what the team needs: `switching+locked` is the scripted one,
`bp:G1-1+locked` to `bp:G3-4+locked` are the learned ones, whose policy chooses only among the skills of the role.

With free hands a learned one chooses among the tasks of the role; if there are none, it handles a fire or waits. With
full hands it uses what it holds for the role if it can; otherwise the policy chooses how to use it, put it down or pass
it on. In stage_pass, too, the policy chooses whether to pass it.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import cached_property
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any, Self

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Memoryless, Observation, Profile, Schedule
from bba.agents.kernel_policy import FOREVER, Chooser, KernelChoice, KernelPolicy
from bba.agents.learned.agent import NOTHING_DRAWN, LearnedAgent
from bba.agents.learned.families import LEARNED_PARTNERS
from bba.agents.learned.policy import Mask
from bba.agents.skill_policy import DRAWS, KIND, NOTE, ROLE, SkillPolicy, within_role, working_policy
from bba.belief import ROLE_NAMES, ROLE_OF_SKILL, ROLE_SKILLS, STAGE_PASS, roles_in
from bba.errors import BBAError
from bba.kernels import maybe_compiled, specialised
from bba.kitchen import HELD, STEP, Float32Array, Layout, constants, grid_of
from bba.planner.scripted.scene_facts import SceneFacts, facts_of
from bba.planner.scripted.skill_choice import note_text, role_skill, role_skills

# Part of the name, not an option of its own: so each of a sweep's partners, a recording and a table can say it.
LOCKED = "+locked"
LOCKED_PARTNERS = tuple(f"{partner}{LOCKED}" for partner in ("switching", *LEARNED_PARTNERS))


def unlocked(name: str) -> str:
    """Returns the name of the agent that a locked one is otherwise; other names as they are."""
    return name.removesuffix(LOCKED) if name in LOCKED_PARTNERS else name


# steps for which a drawn role lasts
SHORTEST = 80
LONGEST = 160
FORESEEN = 2400  # steps for which a schedule can be told in advance: more than any future has


class DrawnSchedule(Iterator[tuple[int, int]]):
    """An endless schedule of ``(from step, role)`` drawn from a seed, never the same role twice in a row.

    Other than a generator it can be pickled and copied, as the agents of an environment are.

    Args:
        seed: of the game.
        roles: that are drawn from, two or more.
    """

    def __init__(self, seed: int, roles: tuple[int, ...]) -> None:
        self._random = np.random.default_rng([seed, 1])
        self._roles = roles
        self._step = 0
        self._role = -1

    def __next__(self) -> tuple[int, int]:
        if self._role >= 0:
            self._step += int(self._random.integers(SHORTEST, LONGEST + 1))
        self._role = int(self._random.choice([role for role in self._roles if role != self._role]))
        return self._step, self._role


def parse_schedule(text: str) -> Schedule:
    """Parses a schedule such as ``0:prep_rice,120:serve``.

    Raises:
        BBAError: another format, an unknown role, or steps that do not start at 0 and ascend.
    """
    schedule = []
    for part in text.split(","):
        step, _, role = part.strip().partition(":")
        if not re.fullmatch("[0-9]{1,9}", step) or role not in ROLE_NAMES:
            raise BBAError(f"schedule: {part.strip()[:60]!r} is not STEP:ROLE; roles are {', '.join(ROLE_NAMES)}")
        schedule.append((int(step), ROLE_NAMES.index(role)))
    steps = [step for step, _ in schedule]
    if steps[0] != 0 or any(later <= earlier for earlier, later in pairwise(steps)):
        raise BBAError(f"schedule: steps {steps} must start at 0 and ascend")
    return tuple(schedule)


def roles_from(schedule: Schedule | None, context: EpisodeContext, played: int) -> tuple[tuple[int, int], ...]:
    """Returns a schedule from the present on as (steps from now, role): a given one, or that of an episode's seed."""
    roles = tuple(range(roles_in(context.layout)))
    entries = schedule or takewhile(lambda entry: entry[0] < played + FORESEEN, DrawnSchedule(context.seed, roles))
    from_now = [(step - played, role) for step, role in entries]
    current = sum(step <= 0 for step, _ in from_now) - 1
    return tuple(from_now[current:])


class RoleSchedule:
    """The schedule of one episode.

    Args:
        schedule: ``(from step, role)`` in order, starting at step 0; None draws one from the episode's seed, of all
            roles or, in a kitchen without pass counters, all but stage_pass.
        context: the episode.

    Attributes:
        role: the role now.
        switched: whether it has just changed.
    """

    def __init__(self, schedule: Schedule | None, context: EpisodeContext) -> None:
        roles = tuple(range(roles_in(context.layout)))
        self._entries = iter(schedule) if schedule else DrawnSchedule(context.seed, roles)
        self.role = next(self._entries)[1]
        self.switched = False
        self._next = next(self._entries, None)

    def advance(self, observation: Observation) -> None:
        """Takes up the next role if its step has come."""
        self.switched = self._next is not None and int(observation.state[STEP]) >= self._next[0]
        if self._next is not None and self.switched:
            self.role = self._next[1]
            self._next = next(self._entries, None)

    @property
    def until(self) -> int:
        """The number of played steps at which the next role comes."""
        return FOREVER if self._next is None else self._next[0]

    def keeps(self, observation: Observation) -> bool:
        """Whether a running skill continues: not if the role has just changed to one that it is not of."""
        running = observation.running
        return running != constants.NO_SKILL and not (self.switched and ROLE_OF_SKILL[running] != self.role)


class RoleWork:
    """What a cook does in a role.

    Args:
        layout: the kitchen.
        fast: whether to choose with a compiled kernel.

    Attributes:
        facts: room for the facts of a scene.
    """

    def __init__(self, layout: Layout, *, fast: bool) -> None:
        self.facts = facts_of(layout)
        self._fast = fast
        self._place = grid_of(layout), layout.width

    @cached_property
    def _choose(self) -> Callable[..., tuple[int, int]]:
        kernel = maybe_compiled(role_skill, fast=self._fast)
        state = np.empty(0, np.int32)
        return specialised(kernel, *self._place, state, 0, 0, False, self.facts)

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: not the specialised kernel, which is found anew."""
        return {name: value for name, value in vars(self).items() if name != "_choose"}

    def skill(self, observation: Observation, role: int, *, locked: bool) -> tuple[int, str]:
        """Returns a skill for the role, and a note if it is not of the role or puts something down for it."""
        state = observation.state.copy()  # which is changed for a moment
        skill, note = map(int, self._choose(*self._place, state, observation.player, role, locked, self.facts))
        return skill, note_text(note, role, skill)


class RoleChooser(Chooser):
    """Chooses in a kernel for a cook that works in a role.

    Args:
        policy: how the kernel chooses.
        role: the role.
    """

    def __init__(self, policy: SkillPolicy, role: int) -> None:
        super().__init__(policy)
        self.role = role
        policy.numbers[ROLE] = self.role

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the cook's decision."""
        note = note_text(choice.fields[NOTE], self.role, choice.skill)
        return Decision(choice.skill, chosen=True, scheduled_role=self.role, note=note)


class SwitchingPartner(Memoryless):
    """A scripted partner with a schedule of roles.

    Args:
        schedule: ``(from step, role)`` in order, starting at step 0; None draws one from the game's seed.
        locked: whether it waits, rather than do the work of another role, where its own has none.
    """

    name = "switching"

    def __init__(self, schedule: Schedule | None = None, *, locked: bool = False) -> None:
        self.profile = Profile(self.name + LOCKED if locked else self.name, schedule=schedule)
        self._locked = locked

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with the given schedule, or one drawn from the seed."""
        self._schedule = RoleSchedule(self.profile.schedule, context)
        self._work = RoleWork(context.layout, fast=context.fast)
        policy = working_policy(context.player, context.layout.width, self._work.facts, locked=self._locked)
        self._chooser = RoleChooser(policy, self._schedule.role)

    def observe(self, observation: Observation) -> None:
        """Takes up the next role if its step has come."""
        self._schedule.advance(observation)

    def kernel_policy(self, played: int) -> KernelPolicy:  # noqa: ARG002 - the schedule says when its role changes
        """Returns what it does until its role changes."""
        role = self._schedule.role
        if role != self._chooser.role:
            self._chooser = RoleChooser(self._chooser.policy, role)
        decision = Decision(constants.NO_SKILL, scheduled_role=role)
        return KernelPolicy(decision, until=self._schedule.until, chooser=self._chooser)

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill unless the role has just changed; otherwise chooses one by the role."""
        role = self._schedule.role
        if self._schedule.keeps(observation):
            return Decision(observation.running, scheduled_role=role)
        skill, note = self._work.skill(observation, role, locked=self._locked)
        return Decision(skill, chosen=True, scheduled_role=role, note=note)


class LockedLearnedAgent(LearnedAgent):
    """Plays a policy from a file within a scheduled role.

    Args:
        name: the learned partner's name, such as ``bp:G1-1``.
        folder: with its weights; None for those that ship with the project.
        schedule: ``(from step, role)`` in order, starting at step 0; None draws one from the game's seed.
    """

    def __init__(self, name: str, folder: Path | None = None, schedule: Schedule | None = None) -> None:
        super().__init__(name, folder)
        self.profile = Profile(name + LOCKED, schedule=schedule)

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with the given schedule, or one drawn from the seed.

        Raises:
            BBAError: there are no weights for the layout, or they cannot be used here.
        """
        super().reset(context)
        self._schedule = RoleSchedule(self.profile.schedule, context)
        self._role = self._schedule.role
        self._facts = facts_of(context.layout)
        self._compiled = within_role(self._compiled, facts_of(context.layout))
        self.episode = copy(self)

    def as_shown(self) -> Self:
        """Returns what computes the choices in the role of the present."""
        shown = copy(self)
        shown.last, shown._kernel_policy = NOTHING_DRAWN, None  # or each would keep the one before
        return shown

    def observe(self, observation: Observation) -> None:
        """Takes up the next role if its step has come."""
        super().observe(observation)
        self._schedule.advance(observation)
        if self._schedule.role != self._role:
            self._role = self._schedule.role
            self._kernel_policy = None

    def kernel_policy(self, played: int) -> KernelPolicy:
        """Returns what it does until its role changes."""
        policy = super().kernel_policy(played)
        if self._compiled.numbers[KIND] == DRAWS:
            self._compiled.numbers[ROLE] = self._role
        decision = policy.decision._replace(scheduled_role=self._role)
        return policy._replace(decision=decision, until=self._schedule.until)

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill unless the role has just changed; otherwise draws one within the role."""
        if self._schedule.keeps(observation):
            return self._continue(observation)._replace(scheduled_role=self._role)
        return self.draw(observation)

    def draw(self, observation: Observation) -> Decision:
        """Chooses a skill by the policy's probabilities within the role."""
        return super().draw(observation)._replace(scheduled_role=self._role)

    def _mask(self, observation: Observation, encoded: Float32Array) -> Mask:
        """Returns the feasible skills that its role allows, (27,); STAY if there is none."""
        feasible = np.flatnonzero(super()._mask(observation, encoded))
        choices = skills_within(observation, self._role, feasible, self._facts)
        mask = np.zeros(constants.N_SKILLS, np.bool_)
        mask[list(choices or (constants.SKILL_STAY,))] = True
        return mask


def skills_within(observation: Observation, role: int, feasible: Iterable[int], facts: SceneFacts) -> set[int]:
    """Returns the feasible skills within a role; with free hands those that start its tasks, or prepare for them.

    There are none if it has no work for free hands and the item no use. `facts` is room for the facts of this kitchen.
    """
    state = observation.state
    player = observation.player
    if state[HELD + player] != constants.NOTHING:
        uses = {int(skill) for skill in feasible} - {constants.SKILL_STAY}
        within_role = uses & set(ROLE_SKILLS[role])
        if role == STAGE_PASS or not within_role:
            return uses
        return within_role
    grid = grid_of(observation.layout)
    width = observation.layout.width
    marks = np.zeros(constants.N_SKILLS, np.int32)
    mark = maybe_compiled(role_skills, fast=observation.fast)
    mark(grid, width, state, player, role, facts, marks)
    return set(np.flatnonzero(marks).tolist())
