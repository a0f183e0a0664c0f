"""The parameters of belief and gates one by one: their words, their limits, and what differs between two settings."""

from collections import ChainMap
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic.fields import FieldInfo

from bba.config.belief import BeliefConfig, CommitmentConfig, FilterConfig, GateConfig, ParameterInfo
from bba.config.options import NamedOptions

_SIGNS = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<"}
LETTER = 2  # characters of a symbol that is a letter, perhaps with an index


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
    def label(self) -> str:
        """What a slider and a number field call it."""
        return self.info.label or self.info.symbol

    @property
    def title(self) -> str:
        """Its symbol, where that is a letter, and its name: "θ evidence", "cooldown"."""
        symbol = self.info.symbol
        return f"{symbol} {self.label}" if len(symbol) <= LETTER else self.label

    @property
    def explanation(self) -> str:
        """What it does, in a sentence."""
        return self.info.sentence

    @property
    def kind(self) -> Literal["int", "float", "str"]:
        """The type of its values."""
        if self.field.annotation is int:
            return "int"
        if self.field.annotation is float:
            return "float"
        return "str"

    @property
    def option(self) -> str:
        """Its option on the command line."""
        name = self.name.replace("_", "-")
        return f"--{name}"

    @property
    def range(self) -> str:
        """The values that it takes, in words."""
        if get_origin(self.field.annotation) is Literal:
            return ", ".join(get_args(self.field.annotation))
        limits = []
        for constraint in self.field.metadata:
            for name, sign in _SIGNS.items():
                bound = getattr(constraint, name, None)
                if bound is not None:
                    limits.append(f"{sign} {bound:.7g}")
        if not limits:
            return "any"
        return ", ".join(limits)

    def of(self, belief_config: BeliefConfig) -> Any:
        """Its value: a number, or the name of a choice."""
        # Every cell of a game's table asks: `values` would make all of them anew each time.
        values = ChainMap(vars(belief_config.gate), vars(belief_config.commitment), vars(belief_config.filter))
        return values[self.name]

    def put(self, belief_config: BeliefConfig, value: float) -> BeliefConfig:
        """The same parameters with another value of this one.

        Raises:
            BBAError: the value is out of range.
        """
        return belief_config.changed({self.name: value})


def _info_of(name: str, field: FieldInfo) -> ParameterInfo:
    for metadata in field.metadata:
        if isinstance(metadata, ParameterInfo):
            return metadata
    return ParameterInfo(name)


PARAMETERS = tuple(
    Parameter(name, field, _info_of(name, field))
    for model in (GateConfig, CommitmentConfig, FilterConfig)
    for name, field in model.model_fields.items()
)
TUNABLE_PARAMETERS = tuple(parameter for parameter in PARAMETERS if parameter.info.slider_values)
SHOWN_FIRST = 4  # parameters that sliders and fields show before the others


def parameters_for(trigger: str | None) -> tuple[tuple[Parameter, ...], tuple[Parameter, ...]]:
    """Returns the numbers that count beside a trigger: those that are shown first, and the others.

    The parameters of a gate that does not decide are not among them.
    """
    counting = [parameter for parameter in TUNABLE_PARAMETERS if parameter.info.gate in (None, trigger)]
    # Those of the deciding gate come first, then what is often of use.
    ranked = sorted(counting, key=lambda parameter: (not parameter.info.often, parameter.info.gate is None))
    chosen = ranked[:SHOWN_FIRST]
    first = tuple(parameter for parameter in counting if parameter in chosen)
    return first, tuple(parameter for parameter in counting if parameter not in chosen)


# Options of which only those count that are given: without them each agent has its own values.
_PARAMETER_NAMES = {parameter.name for parameter in PARAMETERS}
BELIEF_OPTIONS = frozenset(_PARAMETER_NAMES | set(NamedOptions.model_fields))


def differences(before: BeliefConfig, after: BeliefConfig) -> str:
    """What was changed, as "Γ 0.65 → 0.5, K 3 → 5"; "" for nothing."""
    changes = []
    for parameter in TUNABLE_PARAMETERS:
        old = parameter.of(before)
        new = parameter.of(after)
        if old != new:
            changes.append(f"{parameter.info.symbol} {old:g} → {new:g}")
    return ", ".join(changes)


def markdown_table() -> str:
    """The table for the documents."""
    from bba.tables import TableRow, table_of, to_markdown  # only here: every start of the program imports this module

    rows: list[TableRow] = []
    for parameter in PARAMETERS:
        field = parameter.field
        option = f"`{parameter.option}`"
        row = (parameter.info.symbol, option, str(field.default), str(parameter.range), str(field.description))
        rows.append(row)
    table = table_of(("symbol", "option", "default", "values", "what it is"), rows=rows)
    return to_markdown(table, aligned=False, is_markdown=True) + "\n"
