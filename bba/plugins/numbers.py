"""The options of a plug-in that are numbers, with the values that a slider steps through."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from pydantic.fields import FieldInfo

from bba.plugins.loading import Plugin
from bba.plugins.options import fields_of

_STEPS = 100  # of a slider, at the most
_MOST_COUNT = 10  # where neither limits nor a default say how far whole numbers go


@dataclass(frozen=True, slots=True)
class NumberOption:
    """An option of a plug-in that is a number.

    Attributes:
        name: of the parameter.
        value: what counts now.
        default: what counts where nothing is said.
        slider_values: from the parameter's limits (`Field(ge=…, le=…)`), or else from 0 to twice the default, to 1 if
            the default is a share; ascending, whole numbers (int) where it takes such.
    """

    name: str
    value: float
    default: float
    slider_values: tuple[float, ...]


def number_options(plugin: Plugin, given: Mapping[str, Any], *, skip: int = 0) -> tuple[NumberOption, ...]:
    """Returns the options of a plug-in that are numbers, given those that are not as by default.

    Args:
        plugin: the plug-in.
        given: the options that were given, by name.
        skip: how many parameters at the start are not options.

    Raises:
        BBAError: the types of its options are not usable.
    """
    found = (_number(name, field, given) for name, field in fields_of(plugin, skip=skip).items())
    return tuple(one for one in found if one is not None)


def _number(name: str, field: FieldInfo, given: Mapping[str, Any]) -> NumberOption | None:
    default = given.get(name) if field.is_required() else field.default
    value = given.get(name, default)
    if field.annotation not in (int, float, Any) or not (_is_number(default) and _is_number(value)):
        return None
    whole = field.annotation is int or (field.annotation is Any and isinstance(default, int))
    values = _slider_values(field, default, whole=whole)
    return NumberOption(name, value, default, values) if len(values) > 1 else None


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _slider_values(field: FieldInfo, default: float, *, whole: bool) -> tuple[float, ...]:
    lower, above = _limit(field, "ge"), _limit(field, "gt")
    upper, below = _limit(field, "le"), _limit(field, "lt")
    low = next((one for one in (lower, above) if one is not None), min(0, 2 * default))
    high = next((one for one in (upper, below) if one is not None), max(_least_high(default, whole=whole), 2 * default))
    if whole:
        first, last = int(low) + (above is not None), int(high) - (below is not None)
        return tuple(range(first, last + 1, max(1, -(-(last - first) // _STEPS))))
    values = [round(low + (high - low) * place / _STEPS, 10) for place in range(_STEPS + 1)]
    return tuple(values[above is not None : -1 if below is not None else None]) if low < high else ()


def _least_high(default: float, *, whole: bool) -> float:
    if whole:
        return _MOST_COUNT
    return 1.0 if 0 <= default <= 1 else 0.0


def _limit(field: FieldInfo, name: str) -> float | None:
    """Returns a limit of a field: `ge`, `gt`, `le` or `lt`; None if it has none."""
    return next((getattr(one, name) for one in field.metadata if getattr(one, name, None) is not None), None)
