"""The switching partner: a scripted agent that plays one role at a time and switches at known steps (ground truth).

It works for the orders as the scripted planner does, but only on tasks of its role (`scripted.skill_choice`);
what it does beside its role it notes in its decision. It knows only what the scene shows.
"""

from collections.abc import Sequence

from bba.agents.base import Belief, Decision, EpisodeContext, Observation, Profile, Schedule
from bba.agents.compiled.policy import NOTE, ROLE, CompiledPolicy, working_policy
from bba.agents.continuing import Continuation, KernelChoice
from bba.agents.locked import LOCKED
from bba.agents.role_schedule import RoleSchedule
from bba.agents.role_work import RoleWork
from bba.kitchen import constants
from bba.planner.scripted.skill_choice import note_text


class RoleChooser:
    """Chooses in a kernel for a cook that works in a role.

    Args:
        policy: how the kernel chooses.
        role: the role.
    """

    def __init__(self, policy: CompiledPolicy, role: int) -> None:
        self.policy, self.role = policy, role
        policy.numbers[ROLE] = role

    is_behind = False

    def take_over(self, choices: Sequence[KernelChoice]) -> None:
        """Does nothing: no choice depends on earlier ones."""

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the cook's decision."""
        note = note_text(choice.fields[NOTE], self.role, choice.skill)
        return Decision(choice.skill, chosen=True, scheduled_role=self.role, note=note)


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
        self._work = RoleWork(context.layout, fast=context.fast)
        policy = working_policy(context.player, context.layout.width, self._work.facts, locked=self._locked)
        self._chooser = RoleChooser(policy, self._schedule.role)

    def observe(self, observation: Observation) -> None:
        """Takes up the next role if its step has come."""
        self._schedule.advance(observation)

    def continuation(self, played: int) -> Continuation:  # noqa: ARG002 - the schedule says when its role changes
        """Returns what it does until its role changes."""
        role = self._schedule.role
        if role != self._chooser.role:
            self._chooser = RoleChooser(self._chooser.policy, role)
        decision = Decision(constants.NO_SKILL, scheduled_role=role)
        return Continuation(decision, until=self._schedule.until, chooser=self._chooser)

    def take_over(self, belief: Belief) -> None:
        """Does nothing: it has no belief."""

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill unless the role has just changed; otherwise chooses one by the role."""
        role = self._schedule.role
        if self._schedule.keeps(observation):
            return Decision(observation.running, scheduled_role=role)
        skill, note = self._work.skill(observation, role, locked=self._locked)
        return Decision(skill, chosen=True, scheduled_role=role, note=note)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Its decisions do not depend on earlier ones."""
