"""The gate on replanning: whether the partner's actions contradict the belief clearly enough (preprint, gate).

    contradiction   ℓ_t < θ_obs
    stable          u ≥ K
    confident       b_{t−1}(ψ̂_{t−1}) ≥ Γ_conf
    mid-skill       the ego is running a skill
    cooled down     the gate did not open in the last `cooldown` steps

The gate opens when all five conditions hold. Whether an opening interrupts the ego is up to its trigger
(`bba.agents.triggers`). u and ψ̂ are those before the partner's last action.
"""

from copy import copy
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bba.belief.filter import BeliefUpdate
from bba.belief.likelihood import Vector
from bba.config import GateConfig
from bba.kernels import kernel


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
        return self.contradiction and self.stable and self.confident and self.mid_skill and self.cooled_down

    @property
    def blocked_by(self) -> str | None:
        """The name of the first condition that does not hold; None if the gate opens."""
        return next((name for name in CONDITIONS if not getattr(self, name)), None)


CONDITIONS = ("contradiction", "stable", "confident", "mid_skill", "cooled_down")


THETA, STABILITY, CONFIDENCE, COOLDOWN = range(4)  # positions in `GateState.params`


class GateState(NamedTuple):
    """The arrays of a gate."""

    params: Vector  # (4,) in the order above
    left: NDArray[np.int64]  # (1,) the steps that its cooldown still lasts; the kernel updates it


@kernel
def evaluate_gate(
    state: GateState, likelihood: float, commitment: int, confidence: float, mid_skill: bool, conditions: Vector
) -> bool:
    """Writes the five conditions of one step to `conditions` (5,) and advances the cooldown; returns if it opens.

    Likelihood is ℓ_t; commitment and confidence are those before the partner's last action.
    """
    params = state.params
    conditions[0] = likelihood < params[THETA]
    conditions[1] = commitment >= params[STABILITY]
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


class Gate:
    """The gate of one ego.

    Args:
        config: its parameters.
    """

    def __init__(self, config: GateConfig) -> None:
        self.state = GateState(np.empty(4), np.zeros(1, np.int64))
        self.reconfigure(config)

    def reconfigure(self, config: GateConfig) -> None:
        """Uses other parameters from the next step on; the cooldown goes on."""
        params = np.array([config.theta_obs, config.stability, config.gamma_conf, config.cooldown], np.float64)
        self.state = self.state._replace(params=params)

    def copy(self) -> Self:
        """Returns an independent gate in the same state."""
        other = copy(self)
        other.state = self.state._replace(left=self.state.left.copy())
        return other

    def evaluate(self, belief: BeliefUpdate, *, mid_skill: bool) -> GateResult:
        """Evaluates the five conditions for one step, and advances the cooldown."""
        likelihood, conditions = belief.contradiction_likelihood, np.empty(5)
        evaluate_gate(self.state, likelihood, belief.prior_commitment, belief.prior_confidence, mid_skill, conditions)
        return gate_result(conditions.tolist(), likelihood)
