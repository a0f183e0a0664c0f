"""The command line: its parser, its commands, its help and its completion."""

from tui.arguments.commands import command_of, command_words, option
from tui.arguments.parser import check_companions, check_options, first_mistake, help_page, parse, wanted_layouts

__all__ = [
    "check_companions",
    "check_options",
    "command_of",
    "command_words",
    "first_mistake",
    "help_page",
    "option",
    "parse",
    "wanted_layouts",
]
