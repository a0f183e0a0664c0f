"""The table of the parameters of belief and gates, read from the fields of their models."""

from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic.fields import FieldInfo

from bba.config.belief import BeliefConfig, CommitmentConfig, FilterConfig, GateConfig, ParameterInfo
from bba.config.options import NamedOptions

_SIGNS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}


class Parameter(NamedTuple):
    """One parameter as its field declares it.

    Attributes:
        name: its field in `GateConfig`, `CommitmentConfig` or `FilterConfig`, and its setting.
        field: type, range, default and help.
        info: symbol, label and slider values.
    """

    name: str
    field: FieldInfo
    info: ParameterInfo

    @property
    def symbol(self) -> str:
        """How it is written in a line, such as "Γ"."""
        return self.info.symbol

    @property
    def label(self) -> str:
        """What a slider and a number field call it."""
        return self.info.label or self.info.symbol

    @property
    def kind(self) -> Literal["int", "float", "str"]:
        """The type of its values."""
        if self.field.annotation is int:
            return "int"
        return "float" if self.field.annotation is float else "str"

    @property
    def option(self) -> str:
        """Its option on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def range(self) -> str:
        """The values that it takes, in words."""
        if get_origin(self.field.annotation) is Literal:
            return ", ".join(get_args(self.field.annotation))
        bounds = ((sign, getattr(one, name, None)) for one in self.field.metadata for name, sign in _SIGNS.items())
        return ", ".join(f"{sign} {bound:.7g}" for sign, bound in bounds if bound is not None) or "any"

    def of(self, belief_config: BeliefConfig) -> Any:
        """Its value: a number, or the name of a choice."""
        return belief_config.values[self.name]

    def put(self, belief_config: BeliefConfig, value: float) -> BeliefConfig:
        """The same parameters with another value of this one.

        Raises:
            ValidationError: the value is out of range.
        """
        return belief_config.changed({self.name: value})


def _parameter(name: str, field: FieldInfo) -> Parameter:
    declared = (info for info in field.metadata if isinstance(info, ParameterInfo))
    return Parameter(name, field, next(declared, ParameterInfo(name)))


PARAMETERS = tuple(
    _parameter(name, field)
    for model in (GateConfig, CommitmentConfig, FilterConfig)
    for name, field in model.model_fields.items()
)
TUNABLE_PARAMETERS = tuple(parameter for parameter in PARAMETERS if parameter.info.slider_values)
# Options of which only those count that are given: without them each agent has its own values.
BELIEF_OPTIONS = frozenset({parameter.name for parameter in PARAMETERS} | set(NamedOptions.model_fields))


def differences(before: BeliefConfig, after: BeliefConfig) -> str:
    """What was changed, as "Γ 0.65 → 0.5, K 3 → 5"; "" for nothing."""
    return ", ".join(
        f"{parameter.symbol} {parameter.of(before):g} → {parameter.of(after):g}"
        for parameter in TUNABLE_PARAMETERS
        if parameter.of(before) != parameter.of(after)
    )


def markdown_table() -> str:
    """The table for the documents."""
    rows = (
        f"| {parameter.symbol} | `{parameter.option}` | {parameter.field.default} | {parameter.range} "
        f"| {parameter.field.description} |"
        for parameter in PARAMETERS
    )
    return "\n".join(("| symbol | option | default | values | what it is |", "|---|---|---|---|---|", *rows)) + "\n"
