"""What a planning agent needs of a planner: the protocol, and the belief that it is given."""

from typing import NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from bba.agents.base import Decision, EpisodeContext, Observation
from bba.belief import BeliefUpdate, HypothesisSpace
from bba.belief.roles import ROLE_NAMES, ROLE_OF_SKILL
from bba.belief.tendencies import Tendencies
from bba.config import RolloutOptions
from bba.kitchen.constants import N_SKILLS, SKILL_STAY


class PartnerBelief(NamedTuple):
    """What a planner is told of the partner.

    Attributes:
        hypotheses: Ψ.
        update: the belief after the partner's last action.
        gamma_conf: Γ, the confidence from which the MAP counts.
        tendencies: how the partner differs from the behaviour network; None if that is not learned.
    """

    hypotheses: HypothesisSpace
    update: BeliefUpdate
    gamma_conf: float
    tendencies: Tendencies | None = None

    def by_skill(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        """Returns the probability of each skill, (27,); a role's is shared among its skills by `prior` (27,).

        An idle partner waits.
        """
        idle = 0.0 if self.tendencies is None else self.tendencies.idle
        by_skill = (1 - idle) * self._busy(prior)
        by_skill[SKILL_STAY] += idle
        return by_skill

    def _busy(self, prior: NDArray[np.float64]) -> NDArray[np.float64]:
        posterior = np.array(self.update.posterior)
        if len(posterior) != len(ROLE_NAMES):
            hypothesis = self.hypotheses.hypothesis_of_skill
            return np.where(hypothesis >= 0, posterior[hypothesis], 0.0)
        roles = np.array(ROLE_OF_SKILL)
        shared = np.zeros(N_SKILLS)
        for role, probability in enumerate(posterior):
            mass = np.where(roles == role, prior, 0.0)
            shared += probability * mass / mass.sum() if mass.any() else 0.0
        return shared


class SkillPlanner(Protocol):
    """Protocol of what chooses the skills of a planning agent."""

    @property
    def name(self) -> str:
        """Its name in results and recordings, such as "scripted"."""

    @property
    def rollout(self) -> RolloutOptions | None:
        """The options of the rollout planner; None for any other."""

    @property
    def ready(self) -> bool:
        """Whether it can decide at once, as in `bba.agents.base.Preparable`."""

    def prepare(self) -> None:
        """Compiles or loads what it needs; called during an episode."""

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode.

        Raises:
            BBAError: it cannot plan in this kitchen.
        """

    def copy(self) -> Self:
        """Returns an independent planner in the same state."""

    def plan(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Chooses a skill; nothing changes until the decision is committed.

        Raises:
            BBAError: it cannot decide, now or later.
        """

    def judge(self, observation: Observation, belief: PartnerBelief | None) -> Decision:
        """Says whether another skill should replace the running one: the decision is `replanned` if so.

        Raises:
            BBAError: it cannot decide, now or later.
        """

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Takes over the decision of this step."""
