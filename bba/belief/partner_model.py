"""A player's model of its partner: the filter over Ψ and the two gates on replanning."""

from collections.abc import Callable
from copy import copy, deepcopy
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from bba.belief.filter import (
    MAP,
    BeliefUpdate,
    FilterState,
    belief_update,
    first_belief,
    new_filter,
    read_filter,
    with_config,
)
from bba.belief.gate import (
    CommitmentGate,
    CommitmentGateResult,
    Gate,
    GateResult,
    commitment_gate_result,
    evaluate_commitment_gate,
    evaluate_gate,
    gate_result,
    remember_belief,
)
from bba.belief.likelihood import StayModel
from bba.belief.partner_types import TypeBelief
from bba.belief.reading import (
    COMMITMENT_GATE,
    CONFIDENCE_NOW,
    CONTRADICTED,
    CONTRADICTION,
    GATE,
    LISTS,
    MAP_NOW,
    NEW_SEGMENT,
    PRIOR_CONFIDENCE,
    PRIOR_STABLE_UPDATES,
    reading_size,
)
from bba.belief.roles import hypothesis_space
from bba.belief.tendencies import BehaviourPrior, Tendencies
from bba.config import BeliefConfig
from bba.kernels import kernel, maybe_compiled, specialised
from bba.kitchen import Float64Array, Grid, Layout, StateVector, grid_of, is_state

HAS_HABITS = 0.5  # the probability of a partner that chooses by propensities, above which its habits are told

# bits: which gates open
GATE_OPENS = 1
COMMITMENT_GATE_OPENS = 2


class PartnerUpdate(NamedTuple):
    """What a model of the partner says in one step.

    Attributes:
        belief: the belief after the partner's last action.
        gate: the result of the preprint's gate; None at the first step.
        commitment_gate: the result of the commitment gate; None at the first step.
    """

    belief: BeliefUpdate
    gate: GateResult | None = None
    commitment_gate: CommitmentGateResult | None = None


class ModelState(NamedTuple):
    """The arrays of a model."""

    filter: FilterState
    gate: Gate
    commitment_gate: CommitmentGate


@kernel
def observe_action(
    grid: Grid,
    before: StateVector,
    after: StateVector,
    p: int,
    expected: Float64Array,
    mid_skill: bool,
    state: ModelState,
    reading: Float64Array,
) -> int:
    """Takes in player p's action between two states: writes `reading`, returns which gates open.

    `expected` is as in `update_filter`; `mid_skill` is whether the ego runs a skill.
    """
    read_filter(grid, before, after, p, expected, state.filter, reading)
    size = len(state.filter.posterior)
    best = int(reading[MAP_NOW])
    confidence = reading[CONFIDENCE_NOW]
    opened = 0
    if evaluate_gate(
        state.gate,
        reading[CONTRADICTION],
        int(reading[PRIOR_STABLE_UPDATES]),
        reading[PRIOR_CONFIDENCE],
        mid_skill,
        reading[GATE:COMMITMENT_GATE],
    ):
        opened |= GATE_OPENS
    relative = reading[LISTS + size : LISTS + 2 * size]
    if evaluate_commitment_gate(
        state.commitment_gate,
        best,
        confidence,
        reading[NEW_SEGMENT] != 0.0,
        relative,
        mid_skill,
        reading[COMMITMENT_GATE:LISTS],
    ):
        opened |= COMMITMENT_GATE_OPENS
    return opened


def partner_update(reading: Float64Array, hypotheses: int) -> PartnerUpdate:
    """Returns a reading as the objects that agents and traces hold."""
    numbers = reading.tolist()
    return PartnerUpdate(
        belief_update(numbers, hypotheses),
        gate_result(numbers[GATE:COMMITMENT_GATE], numbers[CONTRADICTION]),
        commitment_gate_result(numbers[COMMITMENT_GATE:LISTS]),
    )


class ObservedColumns(NamedTuple):
    """What the measures read of N readings."""

    believed: Float64Array  # (N,) the MAP
    confidence: Float64Array  # (N,) its probability
    contradicted: Float64Array  # (N,) 1 where the partner's last actions contradict the MAP before them, else 0


def observed_columns(readings: Float64Array) -> ObservedColumns:
    """Returns the columns of readings (N, W) that the measures read."""
    return ObservedColumns(readings[:, MAP_NOW], readings[:, CONFIDENCE_NOW], readings[:, CONTRADICTED])


def posteriors_of(readings: Float64Array, hypotheses: int) -> Float64Array:
    """Returns the beliefs over so many hypotheses in readings (N, W): (N, H)."""
    return readings[:, LISTS : LISTS + hypotheses]


def write_observed(reading: Float64Array, update: PartnerUpdate) -> None:
    """Writes to a reading what the measures read of it."""
    reading[MAP_NOW] = update.belief.map_index
    reading[CONFIDENCE_NOW] = update.belief.confidence
    reading[CONTRADICTED] = update.gate is not None and update.gate.contradiction


class PartnerModel:
    """Filter and gates of one player about the other. Both gates are evaluated, whichever of them decides.

    Args:
        grid: the kitchen: its layout, the name or the file of that, or its grid.
        partner: the observed seat, 0 or 1.
        belief_config: the parameters of all three; None for the defaults.
        stay_model: how to read that the partner stays where it is.
        prior: what is expected of the partner, or the belief over who it is; None counts its completed skills.
        fast: compiled kernels instead of plain ones.

    Attributes:
        hypotheses: Ψ.
        state: its arrays; what a kernel writes there, the model knows.
        learns: whether what it expects of the partner comes from a network, which no kernel asks.
    """

    def __init__(
        self,
        grid: str | Path | Layout | Grid,
        partner: int,
        belief_config: BeliefConfig | None = None,
        *,
        stay_model: StayModel = StayModel.NOISY,
        prior: BehaviourPrior | TypeBelief | None = None,
        fast: bool = False,
    ) -> None:
        belief_config = belief_config or BeliefConfig()
        self.belief_config = belief_config
        self.partner = partner
        self.learns = prior is not None
        self.hypotheses = hypothesis_space(belief_config.filter.psi)
        self._grid = grid if isinstance(grid, Grid) else grid_of(Layout.load(grid))
        self._stay_model = stay_model
        self._prior = prior
        self._fast = fast
        self._observe = maybe_compiled(observe_action, fast=fast)
        self.state = ModelState(
            new_filter(self.hypotheses, belief_config.filter, stay_model),
            Gate.of(belief_config.gate),
            CommitmentGate.of(belief_config.commitment, self.hypotheses),
        )
        self._started = False
        self._remembered: Float64Array | None = None  # the belief with which the ego has chosen a skill
        self._kernel: Callable[..., int] | None = None  # for the arrays of this model

    @property
    def reading_size(self) -> int:
        """The length of its readings."""
        return reading_size(len(self.hypotheses.names), self.belief_config.filter.window)

    @property
    def tendencies(self) -> Tendencies | None:
        """How the partner differs from the behaviour model; None if that is not learned."""
        return None if self._prior is None else self._prior.tendencies

    @property
    def types(self) -> TypeBelief | None:
        """The belief over who the partner is; None if it is over the hypotheses only."""
        return self._prior if isinstance(self._prior, TypeBelief) else None

    @property
    def moved(self) -> float:
        """How far the belief is from the one with which the ego has chosen its skill: total variation, 0 to 1."""
        if self.types is not None:
            return self.types.moved
        return (
            0.0 if self._remembered is None else float(np.abs(self.state.filter.posterior - self._remembered).sum()) / 2
        )

    def observe(self, before: StateVector | None, state: StateVector, *, mid_skill: bool) -> PartnerUpdate:
        """Updates the belief with the partner's last action and evaluates the gates.

        At the first step (`before` is None) there is no action yet: the belief is the prior, the gates have no results.
        """
        self._started = True
        expected = np.empty(0) if self._prior is None else self._prior.expected(before, state)
        if before is None:
            return self._with_rule(PartnerUpdate(first_belief(self.state.filter, expected)))
        reading = np.empty(self.reading_size)
        arguments = self._grid, before, state, self.partner, expected, mid_skill, self.state, reading
        if self._fast and is_state(before) and is_state(state) and not self.learns:
            self._kernel = self._kernel or specialised(self._observe, *arguments)
            self._kernel(*arguments)
        else:
            self._observe(*arguments)
        return self._with_rule(partner_update(reading, len(self.hypotheses.names)))

    def _with_rule(self, update: PartnerUpdate) -> PartnerUpdate:
        """Adds how the partner probably chooses, if it has a belief over that."""
        if self.types is None:
            return update
        by_propensity = self.types.by_propensity
        belief = update.belief._replace(locked=self.types.locked, by_propensity=by_propensity)
        propensities = self.types.propensities
        if propensities is not None and by_propensity is not None and by_propensity > HAS_HABITS:
            belief = belief._replace(seldom=propensities.seldom, often=propensities.often)
        return update._replace(belief=belief)

    def remember(self) -> None:
        """Tells the commitment gate that the ego has chosen a skill, given the belief as it is now."""
        if self._started:
            best = int(self.state.filter.counters[MAP])
            remember_belief(self.state.commitment_gate, best, float(self.state.filter.posterior[best]))
            self._remembered = self.state.filter.posterior.copy()
            if self.types is not None:
                self.types.remember()

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: not the specialised kernel, which is found anew."""
        return {**vars(self), "_kernel": None}

    def copy(self) -> Self:
        """An independent copy in the same state."""
        clone = copy(self)
        clone.state = deepcopy(self.state)
        if self._prior is not None:
            clone._prior = self._prior.copy()
        clone._kernel = None
        return clone

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Uses other parameters from the next update on; belief, segment, cooldowns and what is remembered stay.

        Raises:
            BBAError: Ψ would change.
        """
        state = self.state
        self.state = ModelState(
            with_config(state.filter, self.belief_config.filter, belief_config.filter, self._stay_model),
            state.gate.with_config(belief_config.gate),
            state.commitment_gate.with_config(belief_config.commitment),
        )
        self.belief_config = belief_config
        self._kernel = None
