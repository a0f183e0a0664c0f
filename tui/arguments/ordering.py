"""Where the command stands among the arguments: its options may come before it, between its words, or after them."""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from bba.errors import BBAError
from tui.arguments.command import option
from tui.arguments.commands import COMMANDS
from tui.arguments.options import OPTION_FIELDS
from tui.arguments.wording import joined, spelling

HELP_WORDS = ("help", "man")  # commands that print what there is
HELP = {"-h", "--help"}
HELP_ALL = "--help-all"
END_OF_OPTIONS = "--"
NEGATIVE_NUMBER = re.compile(r"-\.?\d")  # what begins like an option, and is a value


class ArrangedArguments(NamedTuple):
    """The arguments, sorted.

    Attributes:
        words: the command, one of two words as one, and the words that follow it; without a command, all words.
        options: the options, each with its value.
    """

    words: list[str]
    options: list[str]

    @property
    def command(self) -> str:
        """The command; "" for none."""
        return self.words[0] if self.words and self.words[0] in COMMANDS else ""


def arranged(arguments: Sequence[str]) -> ArrangedArguments:
    """Returns the words of the arguments and their options, wherever they stand; after "--" all are words.

    Raises:
        BBAError: a command stands where the option before it has its value.
    """
    words: list[str] = []
    options: list[str] = []
    taken_commands: list[tuple[str, str]] = []  # options, each with its value that is also a command
    remaining = list(arguments)
    while remaining:
        argument = remaining.pop(0)
        if argument == END_OF_OPTIONS:
            words += remaining
            break
        if not argument.startswith("-") or argument == "-":
            words.append(argument)
            continue
        options.append(argument)
        if remaining and _takes(argument, remaining[0]):
            value = remaining.pop(0)
            options.append(value)
            if value in COMMANDS:
                taken_commands.append((argument, value))
    words = joined(words)
    if words and taken_commands and words[0] not in (*COMMANDS, *HELP_WORDS):
        name, command = taken_commands[0]
        line = f"bba-tui {spelling(command)} … {name} VALUE"
        raise BBAError(f"{name}: {command!r} stands where its value is; the command may come first, as {line}")
    return ArrangedArguments(words, options)


def _takes(argument: str, next_argument: str) -> bool:
    """Whether an option has the next argument as its value; an unknown option has any word but a command."""
    if "=" in argument or argument in switches():
        return False
    if next_argument.startswith("-") and not NEGATIVE_NUMBER.match(next_argument):
        return False
    return argument in valued() or next_argument not in COMMANDS


@cache
def switches() -> frozenset[str]:
    """The options that take no value."""
    fields = [name for name, field in OPTION_FIELDS.items() if field.annotation is bool]
    spellings = {*HELP, HELP_ALL}
    for field in fields:
        dashed = field.replace("_", "-")
        spellings |= {f"--{dashed}", f"--no-{dashed}", option(field)}
    return frozenset(spellings)


@cache
def valued() -> frozenset[str]:
    """The options that take a value."""
    spellings = set[str]()
    for field in OPTION_FIELDS:
        dashed = field.replace("_", "-")
        spellings |= {option(field), f"--{dashed}"}
    return frozenset(spellings - switches())
