"""The gate: whether the partner's actions contradict the belief so clearly that the ego should drop its own skill.

    contradiction   ℓ_t < θ_obs
    stable          u ≥ K
    confident       b_{t−1}(ψ̂_{t−1}) ≥ Γ_conf
    mid-skill       the ego is running a skill
    cooled down     no replan in the last `cooldown` steps

It opens (the ego replans) when all five hold. Every condition is a public value of every step.
"""

from dataclasses import dataclass
from typing import NamedTuple

from bba.belief.filter import BeliefUpdate
from bba.limits import Share, StepsOrNone


@dataclass(frozen=True, slots=True)
class GateConfig:
    """The gate's parameters, with the preprint's defaults.

    Attributes:
        theta_obs: θ, the ℓ below which the last actions contradict the MAP, 0 to 1.
        gamma_conf: Γ, the confidence from which the belief counts, 0 to 1.
        stability: K, the updates for which the MAP must have stayed, ≥ 0.
        cooldown: steps after a replan without another, ≥ 0.
    """

    theta_obs: Share = 0.04
    gamma_conf: Share = 0.65
    stability: StepsOrNone = 3
    cooldown: StepsOrNone = 6


class GateResult(NamedTuple):
    """The five conditions of one step, in the order in which they are named, and ℓ_t."""

    contradiction: bool
    stable: bool
    confident: bool
    mid_skill: bool
    cooled_down: bool
    contradiction_likelihood: float

    @property
    def opens(self) -> bool:
        """Whether the ego replans."""
        return self.contradiction and self.stable and self.confident and self.mid_skill and self.cooled_down

    @property
    def blocked_by(self) -> str | None:
        """The first condition that keeps the gate shut, by name; None where it opens."""
        for name in CONDITIONS:
            if not getattr(self, name):
                return name
        return None


CONDITIONS = ("contradiction", "stable", "confident", "mid_skill", "cooled_down")


class Gate:
    """The gate of one ego: its parameters and the cooldown."""

    def __init__(self, settings: GateConfig) -> None:
        self.settings = settings
        self._cooldown = 0

    def read(self, belief: BeliefUpdate, *, mid_skill: bool) -> GateResult:
        """Judge the belief as it was before the partner's last action entered it; runs the cooldown."""
        settings = self.settings
        reading = GateResult(
            contradiction=belief.contradiction_likelihood < settings.theta_obs,
            stable=belief.prior_commitment >= settings.stability,
            confident=belief.prior_confidence >= settings.gamma_conf,
            mid_skill=mid_skill,
            cooled_down=self._cooldown == 0,
            contradiction_likelihood=belief.contradiction_likelihood,
        )
        self._cooldown = settings.cooldown if reading.opens else max(0, self._cooldown - 1)
        return reading
