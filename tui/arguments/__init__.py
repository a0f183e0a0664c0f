"""The command line: its parser, its commands, its help and its completion."""

from tui.arguments.parser import parse
from tui.arguments.values import check_companions, check_options, first_mistake, wanted_layouts

__all__ = ["check_companions", "check_options", "first_mistake", "parse", "wanted_layouts"]
