"""The switching partner: scripted, pursues one role at a time and switches at known steps. Ground truth to the step.

What is useful it judges as the scripted planner does: what the next orders still lack. Within a role it does that
role's share of it; where the role has none it falls back to the roles that complement it, then to any other, and says
so in the decision's note. With something in its hands that the role has no use for, it puts that down if the role has
other work, and else finishes it first; charcoal, which no skill takes off a counter, it always finishes. It knows what
the scene shows and nothing of its fellow's plans.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Observation, Profile, Schedule, planner_input_from
from bba.belief import COMPLEMENTS, NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL, BeliefConfig
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.state import HEADER, HELD, STEP
from bba.planner import Prompts
from bba.planner.scripted.carrying import full_hand_skill
from bba.planner.scripted.order_needs import order_needs
from bba.planner.scripted.planning_view import PlanningView, Task, walking_cost
from bba.planner.scripted.prompt_parser import SceneFacts, parse_prompt
from bba.planner.scripted.tasks import free_hand_tasks

SHORTEST, LONGEST = 80, 160  # steps for which a drawn role lasts


def random_schedule(seed: int, roles: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """An endless schedule of ``(from step, role)`` drawn from a seed: never the same role twice in a row."""
    rng = np.random.default_rng([seed, 1])
    step, role = 0, -1
    while True:
        role = int(rng.choice([other for other in roles if other != role]))
        yield step, role
        step += int(rng.integers(SHORTEST, LONGEST + 1))


def parse_schedule(text: str) -> Schedule:
    """A schedule written as ``0:prep_rice,120:serve``.

    Raises:
        BBAError: not in this form, an unknown role, or steps that do not start at 0 and ascend.
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
    """A partner with a schedule of roles.

    Args:
        schedule: ``(from step, role)`` in order, starting at step 0; None draws one from the game's seed.
    """

    name = "switching"

    def __init__(self, schedule: Schedule | None = None) -> None:
        self.profile = Profile(self.name, schedule=schedule)
        self._prompts = Prompts.load()

    def reset(self, seat: EpisodeContext) -> None:
        """Begin a game with the given schedule, or one drawn from its seed."""
        roles = tuple(range(len(ROLE_NAMES) if seat.layout.pass_counters else len(ROLE_NAMES) - 1))
        given = self.profile.schedule
        self._schedule = iter(given) if given else random_schedule(seat.seed, roles)
        self._role = next(self._schedule)[1]
        self._next = next(self._schedule, None)

    def decide(self, observation: Observation) -> Decision:
        """Go on with the running skill unless the role has just changed; choose by role where there is none."""
        switched = self._follow_schedule(int(observation.state[STEP]))
        mid_skill = observation.running != constants.NO_SKILL
        if mid_skill and not (switched and ROLE_OF_SKILL[observation.running] != self._role):
            return Decision(observation.running, pursuing=self._role)
        skill, note = self._choose(observation)
        return Decision(skill, chosen=True, pursuing=self._role, note=note)

    def commit(self, observation: Observation, decision: Decision) -> None:  # noqa: ARG002 - only the step counts
        """Take up the role that was due."""
        self._follow_schedule(int(observation.state[STEP]))

    def reconfigure(self, belief_config: BeliefConfig) -> None:  # noqa: ARG002 - there is nothing to tune
        """It believes nothing.

        Raises:
            BBAError: always.
        """
        raise BBAError(f"{self.name}: has no belief and no gate to tune")

    def _choose(self, observation: Observation) -> tuple[int, str]:
        """The skill that does the role's useful work; where there is none another role's, and a note that says so."""
        facts = self._read(observation)
        held, role = facts.me.held, self._role
        if held == constants.NOTHING:
            return best_task_for(startable_tasks(facts), role)
        finishing = full_hand_skill(PlanningView(facts, order_needs(facts), facts.me, facts.teammate))
        if ROLE_OF_SKILL[finishing] == role:
            return finishing, ""
        if held != constants.CHARCOAL and self._has_other_work(observation, held):
            return constants.PUT_DOWN_OBJECT, f"puts down what {ROLE_NAMES[role]} has no use for"
        return finishing, f"finishes what it holds before {ROLE_NAMES[role]}"

    def _has_other_work(self, observation: Observation, held: int) -> bool:
        """Whether the role has work for free hands, other than to take up again what was put down for it."""
        laid = after_putting_down(observation)
        tasks = [] if laid is None else startable_tasks(self._read(laid))
        work = next((task for task in tasks if ROLE_OF_SKILL[task.skill] == self._role), None)
        return work is not None and work.held_after != held

    def _read(self, observation: Observation) -> SceneFacts:
        return parse_prompt(self._prompts.user(planner_input_from(observation)))

    def _follow_schedule(self, step: int) -> bool:
        """Take up the role that is due; True if it has changed."""
        if self._next is None or step < self._next[0]:
            return False
        self._role = self._next[1]
        self._next = next(self._schedule, None)
        return True


def after_putting_down(observation: Observation) -> Observation | None:
    """What the player would know with what it holds on the nearest free counter; None where none can be reached."""
    tile = observation.targets(observation.seat)[constants.PUT_DOWN_OBJECT]
    if tile < 0:
        return None
    state = observation.state.copy()
    state[HEADER + tile], state[HELD + observation.seat] = state[HELD + observation.seat], constants.NOTHING
    return observation._replace(state=state)


def startable_tasks(facts: SceneFacts) -> list[Task]:
    """The jobs that a cook with free hands can start, those worth most for their way first."""
    view = PlanningView(facts, order_needs(facts), facts.me, facts.teammate)
    tasks = [task for task in free_hand_tasks(view) if task.skill in facts.feasible]
    return sorted(tasks, key=lambda task: walking_cost(view, task) - task.value)


def best_task_for(tasks: list[Task], role: int) -> tuple[int, str]:
    """The first job of the role, else of its complements in their order, else of any kind; STAY if there is none."""
    others = [other for other in range(len(ROLE_NAMES)) if other not in COMPLEMENTS[role]]
    for pursued in (role, *COMPLEMENTS[role], *others, NO_ROLE):
        task = next((task for task in tasks if ROLE_OF_SKILL[task.skill] == pursued), None)
        if task is not None:
            instead = "handles the fire" if pursued == NO_ROLE else f"does {ROLE_NAMES[pursued]}"
            return task.skill, "" if pursued == role else f"nothing for {ROLE_NAMES[role]}: {instead}"
    return constants.SKILL_STAY, f"nothing useful for {ROLE_NAMES[role]} or any other role"
