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


def make(plugin: Plugin[Any], options: Mapping[str, Any]) -> Plugin[Any]:
    """Makes a plug-in with these options, each checked against the type of its parameter; text is converted.

    Raises:
        BBAError: it is no class or function, an option is unknown, lacking or of another type, or it raises an error.
    """
    arguments, used = checked(plugin, options)
    return Plugin(called(used.name, plugin.target, **arguments), used)


def checked(plugin: Plugin[Any], options: Mapping[str, Any], *, skip: int = 0) -> tuple[dict[str, Any], UsedPlugin]:
    """Returns the arguments that options stand for, and the plug-in with these options, as recorded.

    Args:
        plugin: the plug-in.
        options: by name, as typed or as text.
        skip: how many parameters at the start are not options.

    Raises:
        BBAError: it is no class or function, or an option is unknown, lacking, or of another type.
    """
    if not callable(plugin.target):
        kind = plugin.used.kind
        target_type = type(plugin.target).__name__
        raise BBAError(f"{plugin.used.name}: {kind}: takes a class or a function, not {target_type}")
    model, model_parameter = _model(plugin, skip)
    unknown = [name for name in options if name not in model.model_fields]
    if unknown and model.model_config.get("extra") != "allow":
        choices = f"there is {_described(model)}" if model.model_fields else "it takes none"
        raise BBAError(f"{plugin.used.name}: no option {unknown[0]!r}; {choices}")
    try:
        values = model.model_validate(dict(options))
    except ValidationError as error:
        problem = _problem(error)
        if plugin.used.kind == "agent" and not isinstance(plugin.target, type):
            problem += " (of a function, which makes an agent: it is not asked for skills)"
        raise BBAError(f"{plugin.used.name}: {problem}; there is {_described(model)}") from None
    recorded = option_values(plugin.used.name, values.model_dump(mode="json", include=set(options)))
    arguments = {model_parameter: values} if model_parameter else dict(values)
    return arguments, replace(plugin.used, options=recorded)


def _described(model: type[BaseModel]) -> str:
    """Returns the options of a model in words: their names, types and defaults."""
    descriptions = []
    for name, field in model.model_fields.items():
        type_name = _type_name(field.annotation)
        if field.is_required():
            descriptions.append(f"{name} ({type_name})")
        else:
            descriptions.append(f"{name} ({type_name}, {field.default!r})")
    return ", ".join(descriptions)


def _type_name(annotation: Any) -> str:
    if isinstance(annotation, type):
        return annotation.__name__
    return str(annotation).removeprefix("typing.")


def _problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in problem["loc"])
    if problem["type"] == "missing":
        return f"option {name} is missing"
    requirement = problem["msg"].removeprefix("Input ").split(", unable")[0]
    return f"option {name}: got {problem['input']!r}; it {requirement}"


def _model(plugin: Plugin[Any], skip: int) -> tuple[type[BaseModel], str]:
    """Returns the model of the options, and the parameter that takes the model itself; "" if each takes one option."""
    parameters = called(plugin.used.name, _parameters, plugin.target)[skip:]
    if len(parameters) == 1:
        parameter, annotation = parameters[0]
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            return annotation, parameter.name
    fields: dict[str, Any] = {}
    takes_any = False
    for parameter, annotation in parameters:
        if parameter.kind == parameter.VAR_KEYWORD:
            takes_any = True
        elif parameter.kind != parameter.VAR_POSITIONAL:
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[parameter.name] = (annotation, default)
    config = ConfigDict(extra="allow" if takes_any else "forbid", arbitrary_types_allowed=True, protected_namespaces=())
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
    return [(parameter, hints.get(parameter.name, Any)) for parameter in parameters]


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


def number_options(plugin: Plugin[Any], options: Mapping[str, Any], *, skip: int = 0) -> tuple[NumberOption, ...]:
    """Returns the options of a plug-in that are numbers.

    Args:
        plugin: the plug-in.
        options: those that are not as by default, by name.
        skip: how many parameters at the start are not options.

    Raises:
        BBAError: the types of its options are not usable.
    """
    model, _ = _model(plugin, skip)
    numbers = []
    for name, field in model.model_fields.items():
        default = options.get(name) if field.is_required() else field.default
        value = options.get(name, default)
        if field.annotation not in (int, float, Any) or not _is_number(default) or not _is_number(value):
            continue
        whole = field.annotation is int or (field.annotation is Any and isinstance(default, int))
        values = _slider_values(field, default, whole=whole)
        if len(values) > 1:
            numbers.append(NumberOption(name, value, default, values))
    return tuple(numbers)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _slider_values(field: FieldInfo, default: float, *, whole: bool) -> tuple[float, ...]:
    """Returns the values between a field's limits, which its metadata hold: `ge` or `gt`, and `le` or `lt`."""
    limits = {}
    for constraint in field.metadata:
        for name in _LIMITS:
            limit = getattr(constraint, name, None)
            if limit is not None:
                limits[name] = limit
    if whole:
        usual_high: float = _MOST_COUNT
    elif 0 <= default <= 1:
        usual_high = 1.0
    else:
        usual_high = 0.0
    low = limits.get("ge", limits.get("gt", min(0, 2 * default)))
    high = limits.get("le", limits.get("lt", max(usual_high, 2 * default)))
    if whole:
        first = int(low) + 1 if "gt" in limits else int(low)
        last = int(high) - 1 if "lt" in limits else int(high)
        rounded_up = -(-(last - first) // _STEPS)
        return tuple(range(first, last + 1, max(1, rounded_up)))
    if low >= high:
        return ()
    values = [round(low + (high - low) * place / _STEPS, 10) for place in range(_STEPS + 1)]
    if "gt" in limits:
        del values[0]
    if "lt" in limits:
        del values[-1]
    return tuple(values)
