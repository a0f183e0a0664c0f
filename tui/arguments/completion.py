"""Scripts that complete commands, options and names in a shell, made by shtab."""

import argparse
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import get_args

import shtab

from bba.agents import PLANNERS, agent_names
from bba.bench.presets import sweep_names
from bba.kitchen import Layout
from bba.settings import Settings
from tui.arguments.commands import COMMANDS
from tui.arguments.help import options_of, without_default
from tui.arguments.parser import all_actions

FOLDERS = (
    "prompts",
    "weights",
    "out",
    "report",
    "results",
    "study_tables",
    "from_study",
)  # paths of folders, not of files
# What gives the names that an option takes. A colon ends a word in bash and zsh.
NAMES: Mapping[str, Callable[[], list[str]]] = {
    "layout": Layout.names,
    "planner": lambda: list(PLANNERS),
    "sweep": sweep_names,
    **dict.fromkeys(("agent", "partner"), lambda: [name for name in agent_names() if ":" not in name]),
}


def print_script(settings: Settings) -> None:
    """Prints the script for the shell that the settings name."""
    parser = argparse.ArgumentParser(prog="bba-tui", add_help=False)
    actions = all_actions()
    _add(parser, actions.values())
    parser.add_argument("--help-all", action="store_true", help="all options, in groups")
    commands = parser.add_subparsers()
    for name, command in COMMANDS.items():
        added = commands.add_parser(name, help=command.about, add_help=False)
        _add(added, (actions[field] for field in command.fields))
        if command.value:
            taken = command.word or command.field
            _complete(added.add_argument(taken, nargs="?", help=command.value), taken)
    commands.add_parser("help", help="how a command is written", add_help=False).add_argument(
        "command", nargs="?", choices=list(COMMANDS)
    )
    sys.stdout.write(str(shtab.complete(parser, settings.completion or "")) + "\n")


def _add(parser: argparse.ArgumentParser, actions: Iterable[argparse.Action]) -> None:
    parser.add_argument("-h", "--help", action="store_true", help="what there is, with examples")
    for action in actions:
        about = without_default(action.help or "")
        if action.nargs == 0:
            parser.add_argument(*options_of(action), action="store_true", help=about)
        else:
            _complete(parser.add_argument(*options_of(action), dest=action.dest, help=about), action.dest)


def _complete(action: argparse.Action, field: str) -> None:
    """Says which values an option takes: names, files or folders."""
    annotation = Settings.model_fields[field].annotation
    if names := NAMES[field]() if field in NAMES else _choices(annotation):
        action.choices = names
    elif "Path" in str(annotation):
        action.complete = shtab.DIRECTORY if field in FOLDERS else shtab.FILE  # type: ignore[attr-defined]


def _choices(annotation: object) -> list[str]:
    """Returns the texts of a Literal, also of one that may be None."""
    found = [one for inner in get_args(annotation) for one in (inner, *get_args(inner)) if isinstance(one, str)]
    return list(dict.fromkeys(found))
