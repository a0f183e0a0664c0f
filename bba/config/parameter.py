"""How a parameter of belief or gate is written and shown, beyond its type, range, default and help."""

from dataclasses import dataclass

_DIGITS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # of a power of ten: steps that look alike on a log scale

PERCENT = tuple(percent / 100 for percent in range(101))  # 0, 0.01, …, 1


@dataclass(frozen=True, slots=True)
class ParameterInfo:
    """Stands in the annotation of a field, beside pydantic's `Field`.

    Attributes:
        symbol: how it is written in a line, such as "Γ".
        label: what a slider and a number field call it; the symbol if empty.
        slider_values: the values that a slider steps through, ascending; whole numbers (int) where the field takes
            them. Empty for a parameter that cannot be changed while a game runs.
        step: what the buttons of a number field take away and add.
    """

    symbol: str
    label: str = ""
    slider_values: tuple[float, ...] = ()
    step: float = 1


def decades(first: int, last: int) -> tuple[float, ...]:
    """Slider values from 10^first to 10^last on a log scale, ten a decade."""
    digits = (float(f"{digit}e{power}") for power in range(first, last) for digit in _DIGITS)
    return (*digits, 10.0**last)
