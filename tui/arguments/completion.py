"""Scripts that complete commands, options and names in a shell, made by shtab."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import get_args

import shtab

from bba.agents import PLANNERS, agent_names
from bba.bench.presets import sweep_names
from bba.kitchen import Layout
from tui.arguments.commands import COMMANDS
from tui.arguments.help import options_of, without_default
from tui.arguments.options import OPTION_FIELDS
from tui.arguments.parser import all_actions

FOLDERS = (
    "prompts",
    "weights",
    "out",
    "report",
    "results",
    "folder",
    "from_study",
)  # paths of folders, not of files


def _agents_without_colon() -> list[str]:
    """Returns the agents that a shell can complete: a colon ends a word in bash and zsh."""
    return [name for name in agent_names() if ":" not in name]


# What gives the names that an option takes.
NAMES: Mapping[str, Callable[[], list[str]]] = {
    "layout": Layout.names,
    "planner": lambda: list(PLANNERS),
    "sweep": sweep_names,
    "benchmark": sweep_names,
    "agent": _agents_without_colon,
    "partner": _agents_without_colon,
}


def print_script(shell: str) -> None:
    """Prints the script for a shell."""
    parser = argparse.ArgumentParser(prog="bba-tui", add_help=False)
    actions = all_actions()
    _add(parser, actions.values())
    parser.add_argument("--help-all", action="store_true", help="all options, in groups")
    commands = parser.add_subparsers()
    for name, command in COMMANDS.items():
        added = commands.add_parser(name, help=command.about, add_help=False)
        _add(added, (actions[field] for field in command.options))
        if command.value:
            action = added.add_argument(command.field, nargs="?", help=command.value)
            _complete(action, command.field, command.model.model_fields[command.field].annotation)
    help_parser = commands.add_parser("help", help="how a command is written", add_help=False)
    help_parser.add_argument("command", nargs="?", choices=list(COMMANDS))
    script = shtab.complete(parser, shell)
    sys.stdout.write(f"{script}\n")


def _add(parser: argparse.ArgumentParser, actions: Iterable[argparse.Action]) -> None:
    parser.add_argument("-h", "--help", action="store_true", help="what there is, with examples")
    for action in actions:
        description = without_default(action.help or "")
        if action.nargs == 0:
            parser.add_argument(*options_of(action), action="store_true", help=description)
        else:
            added = parser.add_argument(*options_of(action), dest=action.dest, help=description)
            _complete(added, action.dest, OPTION_FIELDS[action.dest].annotation)


def _complete(action: argparse.Action, field: str, annotation: object) -> None:
    """Sets which values complete an option, or the word after a command: names, files or folders."""
    names = NAMES[field]() if field in NAMES else _choices(annotation)
    if names:
        action.choices = names
    elif "Path" in str(annotation):
        action.complete = shtab.DIRECTORY if field in FOLDERS else shtab.FILE  # type: ignore[attr-defined]


def _choices(annotation: object) -> list[str]:
    """Returns the texts of a Literal, also of one that may be None."""
    values: list[object] = []
    for argument in get_args(annotation):
        values.append(argument)
        values += get_args(argument)
    return list(dict.fromkeys(value for value in values if isinstance(value, str)))
