"""The command line: its parser, its commands, its help and its completion."""

from tui.arguments.command import option
from tui.arguments.parser import Call, first_mistake, help_page, is_version, parse
from tui.arguments.repeating import command_words
from tui.arguments.sources import completed

__all__ = [
    "Call",
    "command_words",
    "completed",
    "first_mistake",
    "help_page",
    "is_version",
    "option",
    "parse",
]
