"""A command as the table has it, and the options that its model offers."""

from collections.abc import Iterable, Mapping
from functools import cache
from pkgutil import resolve_name
from types import MappingProxyType
from typing import NamedTuple, get_type_hints

from bba.config import Options
from tui.arguments.options import GROUPS, CommandOptions

Group = type[Options] | str  # options that belong together, or one by its name
# Option: field, where a field cannot have the option's name.
SHORT = {"json": "as_json", "list": "list_all", "from": "from_study"}
OPTION_OF = {field.replace("_", "-"): option for option, field in SHORT.items()}


class Command(NamedTuple):
    """A command: a word before its options.

    Attributes:
        about: its purpose, in a few words.
        run: the function that runs the command, as "module:function"; it takes its own model of options.
        field: the field that has what follows the command; "" for nothing.
        value: what may follow the command, in a word; "" for nothing.
        verb: the word that must stand before what follows; "" for none.
        examples: two lines as people type them, without "bba-tui".
        writes: what it leaves behind; "" for nothing.
        second_word_hint: which options name what people write as a second word; "" for none.
        unoffered: what a file or a variable may set for it, and its line does not take.
    """

    about: str
    run: str
    field: str = ""
    value: str = ""
    verb: str = ""
    examples: tuple[str, ...] = ()
    writes: str = ""
    second_word_hint: str = ""
    unoffered: tuple[Group, ...] = ()

    @property
    def model(self) -> type[CommandOptions]:
        """The model of its options; its module is imported for it."""
        return model_of(self.run)

    @property
    def settable(self) -> tuple[str, ...]:
        """The options that a file or a variable may set for it; a kitchen that follows it is an option, too."""
        return tuple(name for name in self.model.model_fields if name != self.field or name in KNOWN_OPTIONS["game"])

    @property
    def options(self) -> tuple[str, ...]:
        """The options that its line takes."""
        unoffered = set(field_names(self.unoffered))
        return tuple(name for name in self.settable if name not in unoffered)

    @property
    def needs_value(self) -> bool:
        """Whether something must follow it."""
        return bool(self.field) and self.model.model_fields[self.field].is_required()


@cache
def model_of(run: str) -> type[CommandOptions]:
    """Returns the model that a command's function takes."""
    model: type[CommandOptions] = get_type_hints(resolve_name(run))["options"]
    return model


def field_names(groups: Iterable[Group]) -> list[str]:
    """Returns the names of the options of groups, in their order."""
    names: list[str] = []
    for group in groups:
        if isinstance(group, str):
            names.append(group)
        else:
            names += group.model_fields
    return list(dict.fromkeys(names))


# title of the help: its options
KNOWN_OPTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {title: tuple(field_names(models)) for title, models in GROUPS.items()}
)


def option(field: str) -> str:
    """Returns the option of a field, as "--export-steps"."""
    dashed = field.replace("_", "-")
    return f"--{OPTION_OF.get(dashed, dashed)}"
