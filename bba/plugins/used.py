"""What a profile, a recording and a stored result say of the plug-ins that were used."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter, ValidationError

from bba.errors import BBAError
from bba.limits import PlainText, PluginText
from bba.plugins.names import Kind

_Text = Annotated[PlainText, Field(max_length=1000)]
_Scalar = bool | int | float | _Text | None
OptionValue = _Scalar | tuple[_Scalar, ...]
OptionValues = tuple[
    tuple[Annotated[str, Field(max_length=80, pattern=r"^[^\W\d]\w*$")], OptionValue], ...
]  # (name, value)
OptionTable = Annotated[OptionValues, BeforeValidator(lambda given: _pairs(given))]  # a table in a TOML file
_VALUES: TypeAdapter[OptionValues] = TypeAdapter(OptionValues, config=ConfigDict(defer_build=True))


def _pairs(given: object) -> object:
    """Returns a table of options as (name, value), in alphabetical order."""
    return tuple(sorted(given.items())) if isinstance(given, Mapping) else given


@dataclass(frozen=True, slots=True)
class UsedPlugin:
    """One plug-in that was used. The annotations are the limits that files are validated against.

    Attributes:
        kind: what it was used as.
        name: its name, as it was given.
        digest: 16 hex digits: of its own source files.
        options: its options, as they were given.
    """

    kind: Kind
    name: PluginText
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    options: OptionValues = ()

    @property
    def label(self) -> str:
        """Its name and its options, as "mine:Greedy temperature=0.3"."""
        return with_options(self.name, self.options)


def with_options(name: str, options: OptionValues) -> str:
    """Returns a name with options, as "mine:Greedy temperature=0.3"."""
    return " ".join((name, *(f"{option}={value}" for option, value in options)))


def option_changes(before: UsedPlugin, after: UsedPlugin) -> str:
    """Returns what of the options was changed, as "step 9 → 12"; "" for nothing."""
    old, new = dict(before.options), dict(after.options)
    changed = (name for name in {**old, **new} if old.get(name) != new.get(name))
    return ", ".join(f"{name} {old.get(name, 'default')} → {new.get(name, 'default')}" for name in changed)


def find_used(used: Iterable[UsedPlugin], kind: Kind) -> UsedPlugin | None:
    """Returns the plug-in of a kind; None if none was used."""
    return next((one for one in used if one.kind == kind), None)


def option_values(name: str, values: Mapping[str, Any]) -> OptionValues:
    """Returns the options of the plug-in `name` as they are recorded.

    Raises:
        BBAError: a value is neither text, number, truth value nor a list of these.
    """
    try:
        return _VALUES.validate_python(tuple(sorted(values.items())))
    except ValidationError:
        raise BBAError(f"{name}: options are text, numbers, true or false, or lists of these: {values!r}") from None
