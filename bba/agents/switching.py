"""The switching partner: a scripted agent that plays one role at a time and switches at known steps (ground truth).

It works for the orders as the scripted planner does, but only on tasks of its role. If the role has none, it takes a
task of a complementary role, then of any other, and notes that in its decision. If it holds an item that the role has
no use for, it puts the item down if the role has other work, and otherwise finishes it first; charcoal, which no skill
takes off a counter, it always finishes. It knows only what the scene shows.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Observation, Profile, Schedule
from bba.agents.perception import planner_input_from
from bba.belief import COMPLEMENTS, NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.state import HEADER, HELD, STEP
from bba.planner import Prompts
from bba.planner.scripted.carrying import full_hand_skill
from bba.planner.scripted.planning_view import PlanningView, Task, walking_cost
from bba.planner.scripted.prompt_parser import SceneFacts, parse_prompt
from bba.planner.scripted.tasks import free_hand_tasks

SHORTEST, LONGEST = 80, 160  # steps for which a drawn role lasts


def random_schedule(seed: int, roles: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Yields an endless schedule of ``(from step, role)`` drawn from a seed, never the same role twice in a row."""
    rng = np.random.default_rng([seed, 1])
    step, role = 0, -1
    while True:
        role = int(rng.choice([other for other in roles if other != role]))
        yield step, role
        step += int(rng.integers(SHORTEST, LONGEST + 1))


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


class SwitchingPartner:
    """A scripted partner with a schedule of roles.

    Args:
        schedule: ``(from step, role)`` in order, starting at step 0; None draws one from the game's seed.
    """

    name = "switching"

    def __init__(self, schedule: Schedule | None = None) -> None:
        self.profile = Profile(self.name, schedule=schedule)
        self._prompts = Prompts.load()

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with the given schedule, or one drawn from the seed."""
        roles = tuple(range(len(ROLE_NAMES) if context.layout.pass_counters else len(ROLE_NAMES) - 1))
        given = self.profile.schedule
        self._schedule = iter(given) if given else random_schedule(context.seed, roles)
        self._role = next(self._schedule)[1]
        self._next = next(self._schedule, None)
        self._switched = False

    def observe(self, observation: Observation) -> None:
        """Takes up the next role if its step has come."""
        self._switched = self._next is not None and int(observation.state[STEP]) >= self._next[0]
        if self._next is not None and self._switched:
            self._role = self._next[1]
            self._next = next(self._schedule, None)

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill unless the role has just changed; otherwise chooses one by the role."""
        mid_skill = observation.running != constants.NO_SKILL
        if mid_skill and not (self._switched and ROLE_OF_SKILL[observation.running] != self._role):
            return Decision(observation.running, scheduled_role=self._role)
        skill, note = self._choose(observation)
        return Decision(skill, chosen=True, scheduled_role=self._role, note=note)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Its decisions do not depend on earlier ones."""

    def _choose(self, observation: Observation) -> tuple[int, str]:
        """Returns a skill for the role, or for another role if this one has no work, and a note that says so."""
        facts = self._read(observation)
        held, role = facts.me.held, self._role
        if held == constants.NOTHING:
            return best_task_for(startable_tasks(facts), role)
        finishing = full_hand_skill(PlanningView(facts))
        if ROLE_OF_SKILL[finishing] == role:
            return finishing, ""
        if held != constants.CHARCOAL and self._has_other_work(observation, held):
            return constants.PUT_DOWN_OBJECT, f"puts down what {ROLE_NAMES[role]} has no use for"
        return finishing, f"finishes what it holds before {ROLE_NAMES[role]}"

    def _has_other_work(self, observation: Observation, held: int) -> bool:
        """Whether the role has work for free hands other than picking up again what was put down for it."""
        later = after_putting_down(observation)
        tasks = [] if later is None else startable_tasks(self._read(later))
        work = next((task for task in tasks if ROLE_OF_SKILL[task.skill] == self._role), None)
        return work is not None and work.held_after != held

    def _read(self, observation: Observation) -> SceneFacts:
        return parse_prompt(self._prompts.user(planner_input_from(observation)))


def after_putting_down(observation: Observation) -> Observation | None:
    """Returns the observation with the held item on the nearest free counter; None if no such counter is reachable."""
    tile = observation.targets(observation.player)[constants.PUT_DOWN_OBJECT]
    if tile < 0:
        return None
    state = observation.state.copy()
    state[HEADER + tile], state[HELD + observation.player] = state[HELD + observation.player], constants.NOTHING
    return observation._replace(state=state)


def startable_tasks(facts: SceneFacts) -> list[Task]:
    """Returns the tasks that a cook with free hands can start, the highest value minus walking cost first."""
    view = PlanningView(facts)
    tasks = [task for task in free_hand_tasks(view) if task.skill in facts.feasible]
    return sorted(tasks, key=lambda task: walking_cost(view, task) - task.value)


def best_task_for(tasks: list[Task], role: int) -> tuple[int, str]:
    """Returns the skill of the first task of the role, else of its complements in order, else of any; or STAY.

    The second value is a note that says why it is not of the role; "" if it is.
    """
    others = [other for other in range(len(ROLE_NAMES)) if other not in COMPLEMENTS[role]]
    for pursued in (role, *COMPLEMENTS[role], *others, NO_ROLE):
        task = next((task for task in tasks if ROLE_OF_SKILL[task.skill] == pursued), None)
        if task is not None:
            instead = "handles the fire" if pursued == NO_ROLE else f"does {ROLE_NAMES[pursued]}"
            return task.skill, "" if pursued == role else f"nothing for {ROLE_NAMES[role]}: {instead}"
    return constants.SKILL_STAY, f"nothing useful for {ROLE_NAMES[role]} or any other role"
