"""The figures of belief and gate that can be changed while a game runs."""

from dataclasses import replace
from typing import Any, NamedTuple

from bba.belief import BeliefConfig, GateConfig

_DIGITS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # of a power of ten: steps that look alike on a log scale
_SHARES = tuple(percent / 100 for percent in range(101))


def _decades(first: int, last: int) -> tuple[float, ...]:
    """Steps from 10^first to 10^last on a log scale."""
    digits = (float(f"{digit}e{power}") for power in range(first, last) for digit in _DIGITS)
    return (*digits, 10.0**last)


class TunableParameter(NamedTuple):
    """One of them.

    Attributes:
        name: its field in `GateConfig` or `FilterConfig`, and its setting.
        sign: how it is written in a line, such as "Γ".
        label: what a slider says it is.
        rungs: the values that a slider steps through, ascending; whole numbers (int) where the field takes them.
    """

    name: str
    sign: str
    label: str
    rungs: tuple[float, ...]

    def of(self, belief_config: BeliefConfig) -> float:
        """Its value."""
        value: float = getattr(belief_config.gate if self._in_gate else belief_config.filter, self.name)
        return value

    def put(self, belief_config: BeliefConfig, value: float) -> BeliefConfig:
        """The same parameters with another value of this one."""
        changed: dict[str, Any] = {self.name: value}
        if self._in_gate:
            return replace(belief_config, gate=replace(belief_config.gate, **changed))
        return replace(belief_config, filter=replace(belief_config.filter, **changed))

    @property
    def _in_gate(self) -> bool:
        return self.name in GateConfig.__dataclass_fields__


TUNABLE_PARAMETERS = (
    TunableParameter("theta_obs", "θ", "θ evidence", _decades(-3, 0)),
    TunableParameter("gamma_conf", "Γ", "Γ confidence", _SHARES),
    TunableParameter("stability", "K", "K stability", tuple(range(31))),
    TunableParameter("cooldown", "cooldown", "cooldown", tuple(range(101))),
    TunableParameter("window", "k", "k window", tuple(range(1, 51))),
    TunableParameter("likelihood_scale", "scale", "scale", _decades(-1, 1)),
    TunableParameter("alpha", "α", "α prior", _decades(-2, 2)),
    TunableParameter("epsilon", "ε", "ε slips", _SHARES[1:-1]),
    TunableParameter("support_weight", "support", "put-downs", _SHARES[1:]),
    TunableParameter("floor", "floor", "floor", _SHARES[:-1]),
)


def differences(before: BeliefConfig, after: BeliefConfig) -> str:
    """What was changed, as "Γ 0.65 → 0.5, K 3 → 5"; "" for nothing."""
    return ", ".join(
        f"{figure.sign} {figure.of(before):g} → {figure.of(after):g}"
        for figure in TUNABLE_PARAMETERS
        if figure.of(before) != figure.of(after)
    )
