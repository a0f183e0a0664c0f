"""The options of plug-ins: their names, types and defaults are those of the constructor's parameters, or of a model.

The options of a plug-in that are numbers, with the values that a slider steps through.
"""

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeGuard, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model
from pydantic.errors import PydanticUserError
from pydantic.fields import FieldInfo

from bba.errors import BBAError
from bba.plugins.used import Plugin, UsedPlugin, called, option_values


def make(plugin: Plugin[Any], given: Mapping[str, Any]) -> Plugin[Any]:
    """Makes a plug-in with these options, each checked against the type of its parameter; text is converted.

    Raises:
        BBAError: it is no class or function, an option is unknown, lacking or of another type, or it raises an error.
    """
    arguments, used = checked(plugin, given)
    return Plugin(called(used.name, plugin.target, **arguments), used)


def checked(plugin: Plugin[Any], given: Mapping[str, Any], *, skip: int = 0) -> tuple[dict[str, Any], UsedPlugin]:
    """Returns the arguments that options stand for, and the plug-in with the options that were given, as recorded.

    Args:
        plugin: the plug-in.
        given: the options by name, as typed or as text.
        skip: how many parameters at the start are not options.

    Raises:
        BBAError: it is no class or function, or an option is unknown, lacking, or of another type.
    """
    if not callable(plugin.target):
        kind = plugin.used.kind
        found = type(plugin.target).__name__
        raise BBAError(f"{plugin.used.name}: {kind}: takes a class or a function, not {found}")
    model, whole = _model(plugin, skip)
    unknown = [name for name in given if name not in model.model_fields]
    if unknown and model.model_config.get("extra") != "allow":
        known = f"there is {_described(model)}" if model.model_fields else "it takes none"
        raise BBAError(f"{plugin.used.name}: no option {unknown[0]!r}; {known}")
    try:
        values = model.model_validate(dict(given))
    except ValidationError as error:
        raise BBAError(f"{plugin.used.name}: {_problem(error)}; there is {_described(model)}") from None
    recorded = option_values(plugin.used.name, values.model_dump(mode="json", include={*given}))
    return ({whole: values} if whole else dict(values)), replace(plugin.used, options=recorded)


def _described(model: type[BaseModel]) -> str:
    return ", ".join(
        f"{name} ({_type_name(field.annotation)}{'' if field.is_required() else f', {field.default!r}'})"
        for name, field in model.model_fields.items()
    )


def _type_name(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation).removeprefix("typing.")


def _problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "missing":
        return f"option {name} is missing"
    return f"option {name}: got {problem['input']!r}; it {problem['msg'].removeprefix('Input ').split(', unable')[0]}"


def _model(plugin: Plugin[Any], skip: int) -> tuple[type[BaseModel], str]:
    """Returns the model of the options, and the parameter that takes the model itself; "" if each takes one option."""
    found = called(plugin.used.name, _parameters, plugin.target)[skip:]
    kinds = [annotation for _, annotation in found]
    if len(found) == 1 and isinstance(kinds[0], type) and issubclass(kinds[0], BaseModel):
        return kinds[0], found[0][0].name
    named = [(one, kind) for one, kind in found if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    fields: dict[str, Any] = {one.name: (kind, ... if one.default is one.empty else one.default) for one, kind in named}
    rest = any(one.kind == one.VAR_KEYWORD for one, _ in found)
    config = ConfigDict(extra="allow" if rest else "forbid", arbitrary_types_allowed=True, protected_namespaces=())
    try:
        return create_model("Options", __config__=config, **fields), ""
    except (PydanticUserError, NameError, TypeError) as error:
        line = " ".join(str(error).split())
        raise BBAError(f"{plugin.used.name}: the types of its options are not usable: {line[:200]}") from None


def _parameters(target: Any) -> list[tuple[inspect.Parameter, Any]]:
    """Returns the parameters of a class or function, each with its type: anything where none is written."""
    parameters = list(inspect.signature(target).parameters.values())
    maker = target.__init__ if isinstance(target, type) else target  # type: ignore[misc]  # of this very class
    hints = get_type_hints(maker, include_extras=True)
    return [(one, hints.get(one.name, Any)) for one in parameters]


_LIMITS = ("ge", "gt", "le", "lt")
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


def number_options(plugin: Plugin[Any], given: Mapping[str, Any], *, skip: int = 0) -> tuple[NumberOption, ...]:
    """Returns the options of a plug-in that are numbers, given those that are not as by default.

    Args:
        plugin: the plug-in.
        given: the options that were given, by name.
        skip: how many parameters at the start are not options.

    Raises:
        BBAError: the types of its options are not usable.
    """
    found = []
    for name, field in _model(plugin, skip)[0].model_fields.items():
        default = given.get(name) if field.is_required() else field.default
        value = given.get(name, default)
        if field.annotation in (int, float, Any) and _is_number(default) and _is_number(value):
            whole = field.annotation is int or (field.annotation is Any and isinstance(default, int))
            values = _slider_values(field, default, whole=whole)
            found += [NumberOption(name, value, default, values)] if len(values) > 1 else []
    return tuple(found)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _slider_values(field: FieldInfo, default: float, *, whole: bool) -> tuple[float, ...]:
    """Returns the values between a field's limits, which its metadata hold: `ge` or `gt`, and `le` or `lt`."""
    limits = {
        name: getattr(one, name) for one in field.metadata for name in _LIMITS if getattr(one, name, None) is not None
    }
    high = _MOST_COUNT if whole else 1.0 if 0 <= default <= 1 else 0.0
    low = limits.get("ge", limits.get("gt", min(0, 2 * default)))
    high = limits.get("le", limits.get("lt", max(high, 2 * default)))
    above = "gt" in limits
    below = "lt" in limits
    if whole:
        first = int(low) + above
        last = int(high) - below
        return tuple(range(first, last + 1, max(1, -(-(last - first) // _STEPS))))
    values = [round(low + (high - low) * place / _STEPS, 10) for place in range(_STEPS + 1)]
    return tuple(values[above : -1 if below else None]) if low < high else ()
