"""A learned partner that is locked in its role: its policy chooses only among the skills of a scheduled role.

With free hands the policy chooses among the tasks of the role (`bba.agents.role_work`); if there are none, it handles a
fire or waits. With full hands it uses what it holds for the role if it can; otherwise the policy chooses how to use it,
put it down or pass it on. In stage_pass, too, the policy chooses whether to pass it.
"""

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from bba.agents.base import Decision, EpisodeContext, Observation, Profile, Schedule
from bba.agents.continuing import Continuation
from bba.agents.learned.agent import LearnedAgent
from bba.agents.learned.policy import Mask
from bba.agents.locked import LOCKED
from bba.agents.role_schedule import RoleSchedule
from bba.agents.role_work import RoleWork
from bba.belief import ROLE_SKILLS
from bba.belief.roles import STAGE_PASS
from bba.kitchen import constants
from bba.kitchen.observation import Float32Array
from bba.kitchen.state import HELD


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
        self._work = RoleWork(context.layout, fast=context.fast)

    def observe(self, observation: Observation) -> None:
        """Takes up the next role if its step has come."""
        super().observe(observation)
        self._schedule.advance(observation)

    def continuation(self, played: int) -> Continuation:
        """Returns what it does until its role changes."""
        found = super().continuation(played)
        decision = found.decision._replace(scheduled_role=self._schedule.role)
        return found._replace(decision=decision, until=self._schedule.until)

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill unless the role has just changed; otherwise draws one within the role."""
        decision = self._continue(observation) if self._schedule.keeps(observation) else self._draw(observation)
        return decision._replace(scheduled_role=self._schedule.role)

    def _mask(self, observation: Observation, encoded: Float32Array) -> Mask:
        """Returns the feasible skills that its role allows, (27,); STAY if there is none."""
        feasible = np.flatnonzero(super()._mask(observation, encoded))
        choices = skills_within(observation, self._schedule.role, feasible, self._work)
        mask = np.zeros(constants.N_SKILLS, np.bool_)
        mask[list(choices or (constants.SKILL_STAY,))] = True
        return mask


def skills_within(observation: Observation, role: int, feasible: Iterable[int], work: RoleWork) -> set[int]:
    """Returns the feasible skills within a role; none if it has no work for free hands and the item no use."""
    if observation.state[HELD + observation.player] == constants.NOTHING:
        return work.skills(observation, role)
    uses = {int(skill) for skill in feasible} - {constants.SKILL_STAY}
    return (uses & {*ROLE_SKILLS[role]} if role != STAGE_PASS else set()) or uses
