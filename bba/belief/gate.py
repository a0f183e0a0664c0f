"""The two gates on replanning: whether the partner's actions contradict the belief clearly enough.

The gate of the preprint looks at the last actions (ℓ_t is that of `bba.belief.filter`); u and ψ̂ are those before the
partner's last action:

    contradiction   ℓ_t < θ_obs
    stable          u ≥ K
    confident       b_{t−1}(ψ̂_{t−1}) ≥ Γ_conf
    mid-skill       the ego is running a skill
    cooled down     the gate did not open in the last `cooldown` steps

The commitment gate remembers a hypothesis m, the MAP of the belief at the ego's last decision, if its probability was
at least Γc. Every action of the partner since then is evidence for another hypothesis ψ as far as it fits ψ better:

    W_ψ ← max(0, W_ψ + log r(a | ψ) − log r(a | m))       0 at first; r: relative likelihood (bba.belief.likelihood)
    Λ   = W_ψ̂                                             ψ̂: the MAP now; 0 if nothing is remembered

W_ψ is the largest log-likelihood ratio of ψ against m over all spans of actions that end now (CUSUM), so an hour of
agreement does not have to be outweighed first. Λ is 0 while the MAP is m. Passing and putting down belong to the work
around them: where the MAP is of that role, Λ is 0.

    told apart      Λ ≥ λ
    confident       b_t(ψ̂_t) ≥ Γc
    mid-skill       the ego is running a skill
    cooled down     the gate did not open in the last `commitment_cooldown` steps

A gate opens when all of its conditions hold; an opening renews what the commitment gate remembers. With `renewal`
"completion" a visible completion of the partner does so too, before the completing action is counted, so that what was
just completed is the first evidence of what comes next. Whether an opening interrupts the ego is up to its trigger
(`bba.agents.triggers`).
"""

from math import log
from typing import NamedTuple

import numpy as np

from bba.belief.filter import BeliefUpdate
from bba.belief.roles import STAGE_PASS, HypothesisSpace
from bba.config import CommitmentConfig, GateConfig
from bba.kernels import kernel
from bba.kitchen.constants import BoolArray, Float64Array, Int64Array

CONDITIONS = ("contradiction", "stable", "confident", "mid_skill", "cooled_down")
COMMITMENT_GATE_CONDITIONS = ("told_apart", "confident", "mid_skill", "cooled_down")
NOTHING_REMEMBERED = -1  # remembered: no hypothesis

THETA, STABILITY, CONFIDENCE, COOLDOWN = range(4)  # positions in `Gate.params`
RATIO, COMMITMENT_CONFIDENCE, COMMITMENT_COOLDOWN, RENEWED = range(4)  # positions in `CommitmentGate.params`
LEFT, REMEMBERED, ACTIONS = range(3)  # positions in `CommitmentGate.counters`


class GateResult(NamedTuple):
    """The five conditions of one step, in the order of `CONDITIONS`, and ℓ_t."""

    contradiction: bool
    stable: bool
    confident: bool
    mid_skill: bool
    cooled_down: bool
    contradiction_likelihood: float

    @property
    def opens(self) -> bool:
        """Whether all five conditions hold."""
        return all(self[: len(CONDITIONS)])

    @property
    def blocked_by(self) -> str | None:
        """The name of the first condition that does not hold; None if the gate opens."""
        return next((name for name in CONDITIONS if not getattr(self, name)), None)


class Gate(NamedTuple):
    """The gate of one ego, as the arrays that its kernel takes. `Gate.of` makes it."""

    params: Float64Array  # (4,) in the order of the constants
    left: Int64Array  # (1,) the steps that its cooldown still lasts; the kernel updates it

    @classmethod
    def of(cls, config: GateConfig) -> "Gate":
        """Returns a gate with these parameters at the start of an episode."""
        params = [config.theta_obs, config.stability, config.gamma_conf, config.cooldown]
        return cls(np.array(params, np.float64), np.zeros(1, np.int64))

    def with_config(self, config: GateConfig) -> "Gate":
        """Returns it with other parameters from the next step on; the cooldown goes on."""
        return self._replace(params=Gate.of(config).params)

    def evaluate(self, belief: BeliefUpdate, *, mid_skill: bool) -> GateResult:
        """Evaluates the five conditions for one step, and advances the cooldown."""
        likelihood = belief.contradiction_likelihood
        conditions = np.empty(5)
        evaluate_gate(self, likelihood, belief.prior_stable_updates, belief.prior_confidence, mid_skill, conditions)
        return gate_result(conditions.tolist(), likelihood)


@kernel
def evaluate_gate(
    state: Gate, likelihood: float, stable_updates: int, confidence: float, mid_skill: bool, conditions: Float64Array
) -> bool:
    """Writes the five conditions of one step to `conditions` (5,) and advances the cooldown; returns if it opens.

    Likelihood is ℓ_t; stable updates (u) and confidence are those before the partner's last action.
    """
    params = state.params
    conditions[0] = likelihood < params[THETA]
    conditions[1] = stable_updates >= params[STABILITY]
    conditions[2] = confidence >= params[CONFIDENCE]
    conditions[3] = mid_skill
    conditions[4] = state.left[0] == 0
    opens = conditions[:5].sum() == len(CONDITIONS)
    if opens:
        state.left[0] = int(params[COOLDOWN])
    elif state.left[0] > 0:
        state.left[0] -= 1
    return bool(opens)


def gate_result(conditions: list[float], likelihood: float) -> GateResult:
    """Returns the gate's result from its five conditions, as the kernel writes them, and ℓ_t."""
    contradiction, stable, confident, mid_skill, cooled_down = [value != 0.0 for value in conditions]
    return GateResult(contradiction, stable, confident, mid_skill, cooled_down, likelihood)


class CommitmentGateResult(NamedTuple):
    """The four conditions of one step, in the order of `COMMITMENT_GATE_CONDITIONS`, and what they are about.

    Attributes:
        told_apart, confident, mid_skill, cooled_down: the conditions.
        ratio: Λ, 0 or more.
        remembered: the remembered hypothesis m by number; NOTHING_REMEMBERED if the belief was not confident.
        age: the number of the partner's actions since it was remembered.
    """

    told_apart: bool
    confident: bool
    mid_skill: bool
    cooled_down: bool
    ratio: float
    remembered: int
    age: int

    @property
    def opens(self) -> bool:
        """Whether all four conditions hold."""
        return all(self[: len(COMMITMENT_GATE_CONDITIONS)])

    @property
    def blocked_by(self) -> str | None:
        """The name of the first condition that does not hold; None if the gate opens."""
        return next((name for name in COMMITMENT_GATE_CONDITIONS if not getattr(self, name)), None)


class CommitmentGate(NamedTuple):
    """The commitment gate of one ego over H hypotheses: arrays, of which its kernels update the last two.

    `CommitmentGate.of` makes it.
    """

    params: Float64Array  # (4,) in the order of the constants
    passes: BoolArray  # (H,) whether a hypothesis is of the role that passes and puts down
    counters: Int64Array  # (3,) steps that the cooldown lasts, m or -1, actions since it was remembered
    sums: Float64Array  # (H,) W

    @classmethod
    def of(cls, config: CommitmentConfig, hypotheses: HypothesisSpace) -> "CommitmentGate":
        """Returns a gate with these parameters over Ψ at the start of an episode; it remembers nothing."""
        return cls(
            params=commitment_gate_params(config),
            passes=np.array(hypotheses.roles) == STAGE_PASS,
            counters=np.array([0, NOTHING_REMEMBERED, 0], np.int64),
            sums=np.zeros(len(hypotheses.roles)),
        )

    def with_config(self, config: CommitmentConfig) -> "CommitmentGate":
        """Returns it with other parameters from the next step on; what is remembered, evidence and cooldown stay."""
        return self._replace(params=commitment_gate_params(config))

    def remember(self, belief: BeliefUpdate) -> None:
        """Remembers the MAP of a belief, if it is confident enough, and begins to count anew."""
        remember_belief(self, belief.map_index, belief.confidence)

    def evaluate(self, belief: BeliefUpdate, *, mid_skill: bool) -> CommitmentGateResult:
        """Counts the partner's last action, evaluates the four conditions, and advances the cooldown."""
        result = np.empty(7)
        relative = np.array(belief.relative_likelihoods)
        best = belief.map_index
        confidence = belief.confidence
        new_segment = belief.new_segment
        evaluate_commitment_gate(self, best, confidence, new_segment, relative, mid_skill, result)
        return commitment_gate_result(result.tolist())


def commitment_gate_params(config: CommitmentConfig) -> Float64Array:
    """The parameters as the kernels take them: (4,), in the order of the constants."""
    renewed = config.renewal == "completion"
    params = [config.commitment_ratio, config.commitment_conf, config.commitment_cooldown, renewed]
    return np.array(params, np.float64)


@kernel
def remember_belief(state: CommitmentGate, best: int, confidence: float) -> None:
    """Remembers a MAP, if it is confident enough, and begins to count anew."""
    state.counters[REMEMBERED] = best if confidence >= state.params[COMMITMENT_CONFIDENCE] else NOTHING_REMEMBERED
    state.counters[ACTIONS] = 0
    state.sums[:] = 0.0


@kernel
def count_action(state: CommitmentGate, relative_likelihood: Float64Array) -> None:
    """Adds one action to W, given its relative likelihoods (H,)."""
    state.counters[ACTIONS] += 1
    remembered = state.counters[REMEMBERED]
    if remembered == NOTHING_REMEMBERED:
        return
    base = log(relative_likelihood[remembered])
    for hypothesis in range(len(state.sums)):
        total = state.sums[hypothesis] + log(relative_likelihood[hypothesis]) - base
        state.sums[hypothesis] = total if total > 0.0 else 0.0


@kernel
def evaluate_commitment_gate(
    state: CommitmentGate,
    best: int,
    confidence: float,
    new_segment: bool,
    relative_likelihood: Float64Array,
    mid_skill: bool,
    result: Float64Array,
) -> bool:
    """Counts an action, writes the fields of `CommitmentGateResult` to `result` (7,), advances the cooldown.

    `best` and `confidence` are of the belief after the action. Returns if the gate opens.
    """
    if new_segment and state.params[RENEWED] != 0.0:
        remember_belief(state, best, confidence)
    count_action(state, relative_likelihood)
    remembered = state.counters[REMEMBERED]
    ratio = 0.0 if state.passes[best] else state.sums[best]
    result[0] = remembered != NOTHING_REMEMBERED and remembered != best and ratio >= state.params[RATIO]
    result[1] = confidence >= state.params[COMMITMENT_CONFIDENCE]
    result[2] = mid_skill
    result[3] = state.counters[LEFT] == 0
    result[4], result[5], result[6] = ratio, remembered, state.counters[ACTIONS]
    opens = result[:4].sum() == len(COMMITMENT_GATE_CONDITIONS)
    if opens:
        state.counters[LEFT] = int(state.params[COMMITMENT_COOLDOWN])
        remember_belief(state, best, confidence)
    elif state.counters[LEFT] > 0:
        state.counters[LEFT] -= 1
    return bool(opens)


def commitment_gate_result(fields: list[float]) -> CommitmentGateResult:
    """Returns the commitment gate's result from its seven numbers, as kernels write them."""
    told_apart, confident, mid_skill, cooled_down = [value != 0.0 for value in fields[:4]]
    ratio, remembered, age = fields[4:]
    return CommitmentGateResult(told_apart, confident, mid_skill, cooled_down, ratio, int(remembered), int(age))
