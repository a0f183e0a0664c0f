"""The switching partner: a scripted agent that plays one role at a time and switches at known steps (ground truth).

It works for the orders as the scripted planner does, but only on tasks of its role. If the role has none, it takes a
task of a complementary role, then of any other, and notes that in its decision; a locked one prepares within its role
(`bba.agents.role_work`) or waits. If it holds an item that the role has no use for, it puts the item down if the role
has other work, and otherwise finishes it first; charcoal, which no skill takes off a counter, it always finishes. It
knows only what the scene shows.
"""

from bba.agents.base import Belief, Decision, EpisodeContext, Observation, Profile, Schedule
from bba.agents.continuing import Continuation
from bba.agents.locked import LOCKED
from bba.agents.role_schedule import RoleSchedule
from bba.agents.role_work import facts_of, startable_tasks, tasks_within
from bba.belief import COMPLEMENTS, NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.kitchen import constants
from bba.kitchen.state import HEADER, HELD
from bba.planner.scripted.carrying import full_hand_skill
from bba.planner.scripted.planning_view import PlanningView, Task
from bba.planner.scripted.scene_facts import SceneFacts


class SwitchingPartner:
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

    def observe(self, observation: Observation) -> None:
        """Takes up the next role if its step has come."""
        self._schedule.advance(observation)

    def continuation(self, played: int) -> Continuation:  # noqa: ARG002 - the schedule says when its role changes
        """Returns what it does until its role changes."""
        decision = Decision(constants.NO_SKILL, scheduled_role=self._schedule.role)
        return Continuation(decision, until=self._schedule.until)

    def take_over(self, belief: Belief) -> None:
        """Does nothing: it has no belief."""

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill unless the role has just changed; otherwise chooses one by the role."""
        role = self._schedule.role
        if self._schedule.keeps(observation):
            return Decision(observation.running, scheduled_role=role)
        skill, note = self._choose(observation, role)
        return Decision(skill, chosen=True, scheduled_role=role, note=note)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Its decisions do not depend on earlier ones."""

    def _choose(self, observation: Observation, role: int) -> tuple[int, str]:
        """Returns a skill for the role, or for another role if this one has no work, and a note that says so."""
        facts = facts_of(observation)
        held = facts.me.held
        if held == constants.NOTHING:
            return best_task_within(facts, role) if self._locked else best_task_for(startable_tasks(facts), role)
        finishing = full_hand_skill(PlanningView(facts))
        if ROLE_OF_SKILL[finishing] == role:
            return finishing, ""
        if held != constants.CHARCOAL and self._has_other_work(observation, held, role):
            return constants.PUT_DOWN_OBJECT, f"puts down what {ROLE_NAMES[role]} has no use for"
        return finishing, f"finishes what it holds before {ROLE_NAMES[role]}"

    def _has_other_work(self, observation: Observation, held: int, role: int) -> bool:
        """Whether the role has work for free hands other than picking up again what was put down for it."""
        later = after_putting_down(observation)
        tasks = [] if later is None else startable_tasks(facts_of(later))
        work = next((task for task in tasks if ROLE_OF_SKILL[task.skill] == role), None)
        return work is not None and work.held_after != held


def after_putting_down(observation: Observation) -> Observation | None:
    """Returns the observation with the held item on the nearest free counter; None if no such counter is reachable."""
    tile = observation.targets(observation.player)[constants.PUT_DOWN_OBJECT]
    if tile < 0:
        return None
    state = observation.state.copy()
    state[HEADER + tile], state[HELD + observation.player] = state[HELD + observation.player], constants.NOTHING
    return observation._replace(state=state)


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


def best_task_within(facts: SceneFacts, role: int) -> tuple[int, str]:
    """Returns the skill of the first task within the role, or STAY; and a note that says why it is not of the role."""
    task = next(iter(tasks_within(facts, role)), None)
    if task is None:
        return constants.SKILL_STAY, f"nothing for {ROLE_NAMES[role]}: waits"
    if ROLE_OF_SKILL[task.skill] == NO_ROLE:
        return task.skill, f"nothing for {ROLE_NAMES[role]}: handles the fire"
    return task.skill, "" if ROLE_OF_SKILL[task.skill] == role else f"prepares for {ROLE_NAMES[role]}"
