"""A belief of somebody's own in the place of filter and gates: it says how likely each role is, and nothing else.

The gates judge it by its probabilities alone. How much better an action fits one role than another is how much more the
role's probability grew by it:

    relative likelihood   r(ψ) = g(ψ) / max g,   g(ψ) = b_t(ψ) / b_{t−1}(ψ)

With this, ℓ and W are those of `bba.belief.filter` and `bba.belief.gate`: ℓ is the product of the last k factors of the
MAP before the action, fewer since the partner's last completed skill.
"""

from collections import deque
from collections.abc import Sequence
from copy import copy, deepcopy
from math import isfinite, prod
from typing import Any, Protocol, Self

import numpy as np

from bba.agents.base import Belief, EpisodeContext
from bba.belief import (
    ROLE_NAMES,
    BeliefUpdate,
    CommitmentGate,
    Gate,
    PartnerUpdate,
    hypothesis_space,
    likeliest,
)
from bba.config import BeliefConfig
from bba.errors import BBAError, shortened
from bba.kitchen import COMPLETED, STEP, Float64Array, StateVector

SUM_TOLERANCE = 1e-6  # to 1, for the sum of a belief
LEAST = 1e-6  # of a probability that another is divided by, and of a relative likelihood


class RoleBelief(Protocol):
    """Protocol of a partner model of your own: a class whose parameters, if any, are its options.

    `--partner-model`, `SeatSpec(partner_model=…)` and `bba.evaluate_belief` take it. It should compute the same in the
    same game: random numbers come from the seed of the context.
    """

    def reset(self, context: EpisodeContext) -> None:
        """Begins a game with nothing known of earlier ones."""

    def observe(self, before: StateVector | None, state: StateVector) -> Sequence[float]:
        """Takes in the partner's last action: called once a step, in order.

        Args:
            before: the state one step ago; None at the first step, when the partner has not acted yet.
            state: the state now. `context.scene(state)` decodes it, `context.role_likelihoods(before, state)` says how
                likely the action was under each role.

        Returns:
            The probability of each role in the order of `bba.ROLE_NAMES`, (6,); their sum is 1.
        """


class JudgedBelief:
    """A belief over roles with both gates, as an agent needs it (`bba.agents.base.ModelOfPartner`).

    Args:
        belief: the belief, which has begun the game.
        context: of the agent.
        belief_config: the parameters of the gates.
        name: the belief's, in messages.
    """

    tendencies = None
    types = None

    def __init__(self, belief: RoleBelief, context: EpisodeContext, belief_config: BeliefConfig, name: str) -> None:
        self.name = name
        self.belief_config = belief_config
        self.hypotheses = hypothesis_space("roles")
        self._belief = belief
        self._context = context
        self._partner = 1 - context.player
        self._gate = Gate.of(belief_config.gate)
        self._commitment_gate = CommitmentGate.of(belief_config.commitment, self.hypotheses)
        self._relative = deque[tuple[float, ...]](maxlen=belief_config.filter.window)  # of the segment's last actions
        self._update: BeliefUpdate | None = None
        self._remembered: tuple[float, ...] | None = None

    @property
    def moved(self) -> float:
        """How far the belief is from the one with which the ego has chosen its skill: total variation, 0 to 1."""
        if self._update is None or self._remembered is None:
            return 0.0
        return sum(abs(now - then) for now, then in zip(self._update.posterior, self._remembered, strict=True)) / 2

    def observe(self, before: StateVector | None, state: StateVector, *, mid_skill: bool) -> Belief:
        """Returns what is believed after the partner's last action, judged by the gates.

        Raises:
            BBAError: it is no probability for each role.
        """
        where = f"{self.name}: observe in step {int(state[STEP]) + 1}"
        posterior = _probabilities(self._belief.observe(before, state), where)
        if before is None or self._update is None:
            best = likeliest(posterior)
            self._update = BeliefUpdate(best, posterior[best], 1, 1.0, (), posterior, best, 1, new_segment=True)
            return PartnerUpdate(self._update)
        completed = bool(state[COMPLETED + self._partner])
        update = self._next(self._update, posterior, completed=completed)
        self._update = update
        gate = self._gate.evaluate(update, mid_skill=mid_skill)
        return PartnerUpdate(update, gate, self._commitment_gate.evaluate(update, mid_skill=mid_skill))

    def _next(self, last: BeliefUpdate, posterior: tuple[float, ...], *, completed: bool) -> BeliefUpdate:
        """Returns the belief after an action: what it was, what it is, and by how much the action contradicts it."""
        grown = [now / max(then, LEAST) for now, then in zip(posterior, last.posterior, strict=True)]
        most = max(grown)
        relative = tuple([max(growth / most, LEAST) for growth in grown])
        self._relative.append(relative)
        factors = tuple([action[last.map_index] for action in self._relative])
        best = likeliest(posterior)
        stable_updates = last.stable_updates + 1 if best == last.map_index else 1
        if completed:  # what the partner does from now on is judged anew
            self._relative.clear()
            stable_updates = 1
        return BeliefUpdate(
            prior_map=last.map_index,
            prior_confidence=last.confidence,
            prior_stable_updates=last.stable_updates,
            contradiction_likelihood=prod(factors),
            likelihood_ratios=factors,
            posterior=posterior,
            map_index=best,
            stable_updates=stable_updates,
            new_segment=completed,
            relative_likelihoods=relative,
        )

    def remember(self) -> None:
        """Tells the commitment gate that the ego has chosen a skill, given the belief as it is now."""
        if self._update is not None:
            self._commitment_gate.remember(self._update)
            self._remembered = self._update.posterior

    def copy(self) -> Self:
        """Returns an independent copy in the same state."""
        clone = copy(self)
        clone._belief = deepcopy(self._belief, {id(self._context): self._context})
        clone._gate = deepcopy(self._gate)
        clone._commitment_gate = deepcopy(self._commitment_gate)
        clone._relative = self._relative.copy()
        return clone

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Uses other parameters of the gates from the next step on."""
        self._gate = self._gate.with_config(belief_config.gate)
        self._commitment_gate = self._commitment_gate.with_config(belief_config.commitment)
        self._relative = deque(self._relative, maxlen=belief_config.filter.window)
        self.belief_config = belief_config


def _probabilities(answer: Any, where: str) -> tuple[float, ...]:
    """Returns an answer as the probabilities of the roles.

    Raises:
        BBAError: it is something else.
    """
    try:
        numbers: Float64Array = np.asarray(answer, np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    probabilities = tuple(numbers.ravel().tolist())
    size = len(ROLE_NAMES)
    are_shares = numbers.shape == (size,) and all(isfinite(share) and share >= 0 for share in probabilities)
    if are_shares and abs(sum(probabilities) - 1) <= SUM_TOLERANCE:
        return probabilities
    raise BBAError(f"{where}: returned {shortened(answer)}; a probability for each of the {size} roles, with the sum 1")
