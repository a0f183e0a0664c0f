"""A player's model of its partner: the filter over Ψ and the two gates on replanning."""

from copy import copy
from typing import NamedTuple, Self

from bba.belief.behaviour_prior import BehaviourPrior
from bba.belief.commitment import CommitmentGate, CommitmentResult
from bba.belief.filter import BeliefFilter, BeliefUpdate
from bba.belief.gate import Gate, GateResult
from bba.belief.likelihood import StayModel
from bba.belief.roles import HypothesisSpace
from bba.belief.tendencies import Tendencies
from bba.config import BeliefConfig
from bba.kitchen.grid import Grid
from bba.kitchen.state import StateVector


class PartnerUpdate(NamedTuple):
    """What a model of the partner says in one step.

    Attributes:
        belief: the belief after the partner's last action.
        gate: the result of the preprint's gate; None at the first step.
        commitment: the result of the commitment gate; None at the first step.
    """

    belief: BeliefUpdate
    gate: GateResult | None = None
    commitment: CommitmentResult | None = None


class PartnerModel:
    """Filter and gates of one player about the other. Both gates are evaluated, whichever of them decides.

    Args:
        grid: the kitchen.
        partner: the observed seat, 0 or 1.
        belief_config: the parameters of all three.
        stay_model: how to read that the partner stays where it is.
        prior: what is expected of the partner; None counts its completed skills.
        fast: compiled kernels instead of plain ones.
    """

    def __init__(
        self,
        grid: Grid,
        partner: int,
        belief_config: BeliefConfig,
        *,
        stay_model: StayModel,
        prior: BehaviourPrior | None = None,
        fast: bool = False,
    ) -> None:
        self.belief_config = belief_config
        self._filter = BeliefFilter(grid, partner, belief_config.filter, stay_model=stay_model, prior=prior, fast=fast)
        self._gate = Gate(belief_config.gate)
        self._commitment = CommitmentGate(belief_config.commitment, self._filter.hypotheses)
        self._belief: BeliefUpdate | None = None

    @property
    def hypotheses(self) -> HypothesisSpace:
        """Ψ, the hypotheses of the belief."""
        return self._filter.hypotheses

    @property
    def tendencies(self) -> Tendencies | None:
        """How the partner differs from the behaviour model; None if that is not learned."""
        return self._filter.tendencies

    def observe(self, before: StateVector | None, state: StateVector, *, mid_skill: bool) -> PartnerUpdate:
        """Updates the belief with the partner's last action and evaluates the gates.

        At the first step (`before` is None) there is no action yet: the belief is the prior, the gates have no results.
        """
        if before is None:
            self._belief = self._filter.start(state)
            return PartnerUpdate(self._belief)
        self._belief = belief = self._filter.update(before, state)
        return PartnerUpdate(
            belief,
            self._gate.evaluate(belief, mid_skill=mid_skill),
            self._commitment.evaluate(belief, mid_skill=mid_skill),
        )

    def remember(self) -> None:
        """Tells the commitment gate that the ego has chosen a skill, given the belief as it is now."""
        if self._belief is not None:
            self._commitment.remember(self._belief)

    def copy(self) -> Self:
        """An independent copy in the same state."""
        other = copy(self)
        other._filter, other._gate = self._filter.copy(), copy(self._gate)
        other._commitment = copy(self._commitment)
        return other

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Uses other parameters from the next update on; belief, segment, cooldowns and what is remembered stay.

        Raises:
            BBAError: Ψ would change.
        """
        self._filter.reconfigure(belief_config.filter)
        self._gate.config = belief_config.gate
        self._commitment.config = belief_config.commitment
        self.belief_config = belief_config
