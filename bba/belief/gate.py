"""The gate on replanning: whether the partner's actions contradict the belief clearly enough (preprint, gate).

    contradiction   ℓ_t < θ_obs
    stable          u ≥ K
    confident       b_{t−1}(ψ̂_{t−1}) ≥ Γ_conf
    mid-skill       the ego is running a skill
    cooled down     the gate did not open in the last `cooldown` steps

The gate opens when all five conditions hold. Whether an opening interrupts the ego is up to its trigger
(`bba.agents.triggers`). u and ψ̂ are those before the partner's last action.
"""

from typing import NamedTuple

from bba.belief.filter import BeliefUpdate
from bba.config import GateConfig


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


class Gate:
    """The gate of one ego: its parameters, and the steps that its cooldown still lasts."""

    def __init__(self, config: GateConfig) -> None:
        self.config = config
        self._cooldown = 0

    def evaluate(self, belief: BeliefUpdate, *, mid_skill: bool) -> GateResult:
        """Evaluates the five conditions for one step, and advances the cooldown."""
        config = self.config
        result = GateResult(
            contradiction=belief.contradiction_likelihood < config.theta_obs,
            stable=belief.prior_commitment >= config.stability,
            confident=belief.prior_confidence >= config.gamma_conf,
            mid_skill=mid_skill,
            cooled_down=self._cooldown == 0,
            contradiction_likelihood=belief.contradiction_likelihood,
        )
        self._cooldown = config.cooldown if result.opens else max(0, self._cooldown - 1)
        return result
