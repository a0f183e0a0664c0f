"""The help: a page with examples, the page of one command, all options by group, and the manual page."""

import argparse
import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from bba.fault_address import fault_address
from tui.arguments.command import KNOWN_OPTIONS, option
from tui.arguments.commands import COMMANDS
from tui.arguments.options import OPTION_FIELDS
from tui.arguments.ordering import HELP_WORDS
from tui.arguments.wording import spelling

ABOUT = "Watch an agent cook with a partner that changes its mind, or be that partner."


def _wrapped(words: Iterable[str], indent: int) -> str:
    """Returns names as a list in lines of 80 columns; the first and the others begin after so many columns.

    A name of two words stays in one line.
    """
    text = ", ".join(word.replace(" ", "\N{NO-BREAK SPACE}") for word in words)
    filled = textwrap.fill(text, 80 - indent, break_on_hyphens=False)
    indented = filled.replace("\n", "\n" + " " * indent)
    return indented.replace("\N{NO-BREAK SPACE}", " ")


EVERYDAY = (
    "watch",
    "play",
    "learn",
    "duel",
    "design",
    "replay",
    "recordings",
    "results",
    "bench",
    "headless",
    "export",
    "list",
)
RESEARCH = tuple(name for name in COMMANDS if name not in EVERYDAY)

HELP_PAGE = f"""\
{ABOUT}

  bba-tui                          asks what to do
  bba-tui watch open               two agents cook; or ring, burrito, FILE.toml
  bba-tui replay game.bba          a recorded game; export game.gif films one
  bba-tui learn                    make a burrito; see an agent read you
  bba-tui play ring                be the partner; --mind: what it believes
  bba-tui design mine.toml         draw a kitchen; --layout mine.toml then
  bba-tui bench quick              a benchmark of a minute, with its tables
  bba-tui results results/quick    its games on the screen; report for a page
  bba-tui headless --seeds 5       games without a screen; --json for machines

most used
  --layout, --agent, --partner     the kitchen and the two cooks, by name
  --planner NAME                   scripted, rollout, or openai with --model
  --seed N, --horizon N            random seed; length of a game in steps

--help-all: all options, where to report a fault; help COMMAND: those of one
  {_wrapped(map(spelling, EVERYDAY), 2)}
for research
  {_wrapped([*map(spelling, RESEARCH), *HELP_WORDS], 2)}
"""


# status: when a command ends with it
EXIT_STATUSES: Mapping[int, str] = MappingProxyType(
    {
        0: "all was done, or left by a key",
        1: "an error in the program, of which a report is written; or too little memory",
        2: "a mistake in what was given, in one line; or failed episodes",
        129: "the terminal was closed (SIGHUP)",
        130: "Ctrl+C",
        143: "SIGTERM",
    }
)


def exit_statuses() -> str:
    """Returns the exit statuses, as the list of all options ends with them."""
    lines = [f"    {status:<5} {when}\n" for status, when in EXIT_STATUSES.items()]
    return "\n  exit status\n" + "".join(lines)


def reporting() -> str:
    """Returns where faults are reported, as the list of all options says it."""
    return f"\n  faults\n    are reported to {fault_address()}\n"


def metavar(annotation: Any) -> str:
    """Returns the placeholder in the help of an option's value of this type, such as NAME, N or dark|light."""
    kinds = {bool: "", Path: "PATH", int: "N", float: "X", str: "NAME"}
    origin = get_origin(annotation)
    arguments = get_args(annotation)
    if origin is Literal:
        return "|".join(map(str, arguments))
    if origin is dict:
        return "NAME=VALUE"
    if origin in (Union, UnionType):
        metavars = [metavar(argument) for argument in arguments if argument is not type(None)]
        return "|".join(dict.fromkeys(metavars))
    if annotation in kinds:
        return kinds[annotation]
    return metavar(arguments[0]) if arguments else "NAME"


class HelpFormatter(argparse.HelpFormatter):
    """Lists options without the defaults None, False and True, and with the short names of those that have two."""

    def _expand_help(self, action: argparse.Action) -> str:
        return without_default(super()._expand_help(action))

    def _format_action_invocation(self, action: argparse.Action) -> str:
        options = ", ".join(options_of(action))
        if action.nargs == 0:
            return options
        value = metavar(OPTION_FIELDS[action.dest].annotation)
        return f"{options} {value}"


def without_default(text: str) -> str:
    """Returns the help of an option without its default, where that is None, False, True or nothing."""
    return re.sub(r" \(default: (None|False|True|\{\})\)", "", text)


def options_of(action: argparse.Action) -> list[str]:
    """Returns the ways to write an option: of one that is on at first, also the one that turns it off."""
    if isinstance(action, argparse.BooleanOptionalAction):
        return list(action.option_strings)
    return [option(action.dest)]


def all_options(actions: Mapping[str, argparse.Action], fields: Sequence[str] | None = None) -> str:
    """Returns these options, all without a list of `fields`, each group under its title."""
    formatter = HelpFormatter("bba-tui", max_help_position=30)
    for title, names in KNOWN_OPTIONS.items():
        options = [actions[name] for name in names if fields is None or name in fields]
        if options:
            formatter.start_section(title)
            formatter.add_arguments(options)
            formatter.end_section()
    return formatter.format_help()


def usage(name: str) -> str:
    """Returns how a command is written."""
    command = COMMANDS[name]
    value = f"{command.verb} {command.value}".strip()
    words = ["bba-tui", spelling(name)]
    if value:
        words.append(value if command.needs_value else f"[{value}]")
    if len(command.options) > 1:
        words.append("[OPTIONS]")
    return " ".join(words)


# What a command's page only names, a group in a line, unless it is asked for all options: of these groups all of them,
FOLDED_GROUPS = ("belief and gate", "planner", "language model", "plug-ins")
# and of the others these.
FOLDED_OPTIONS = ("prompts", "weights", "skill_timeout", "schedule", "mobility")
NAMED_OF_FOLDED = 3  # options of such a group that are named
TITLES = 18  # cells of such a group's title


def command_page(name: str, actions: Mapping[str, argparse.Action], *, every: bool = False) -> str:
    """Returns the help of one command: how it is written, two examples, what it writes, and its own options.

    Args:
        name: the command.
        actions: the options by field.
        every: whether all its options are described; else what research alone needs is only named.
    """
    command = COMMANDS[name]
    lines = [usage(name), f"  {command.about}", ""]
    lines += [f"  bba-tui {example}" for example in dict.fromkeys(command.examples)]
    if command.writes:
        lines += ["", f"writes: {command.writes}"]
    if every:
        return "\n".join([*lines, "", all_options(actions, command.options)])
    folded = _folded(name)
    text = all_options(actions, [field for field in command.options if field not in folded])
    return "\n".join([*lines, "", text, *_named(name, folded)]).rstrip() + "\n"


def _folded(name: str) -> set[str]:
    """Returns the options of a command that its page only names."""
    fields = {field for title in FOLDED_GROUPS for field in KNOWN_OPTIONS[title]} | {*FOLDED_OPTIONS}
    if "repeats" not in COMMANDS[name].options:  # it plays with one model
        fields.add("models")
    return fields & {*COMMANDS[name].options}


def _named(name: str, folded: Collection[str]) -> list[str]:
    """Returns lines that name these options by group; none where there are none."""
    lines: list[str] = []
    for title, fields in KNOWN_OPTIONS.items():
        options = [option(field) for field in fields if field in folded]
        if options:
            named = ", ".join(options[:NAMED_OF_FOLDED])
            more = len(options) - NAMED_OF_FOLDED
            lines.append(f"  {title:{TITLES}}{named}" + (f" and {more} more" if more > 0 else ""))
    if not lines:
        return []
    return [f"for research, by bba-tui {spelling(name)} --help-all:", *lines]


def manual(actions: Mapping[str, argparse.Action]) -> str:
    """Returns the manual page, as `man` reads it."""
    lines = ['.TH BBA\\-TUI 1 "" "" "User Commands"', ".SH NAME", f"bba\\-tui \\- {_roff(ABOUT)}"]
    lines += [".SH SYNOPSIS", ".B bba\\-tui", "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]", ".SH COMMANDS"]
    for name, command in COMMANDS.items():
        synopsis = usage(name).removeprefix("bba-tui ")
        lines += [".TP", f"\\fB{_roff(synopsis)}\\fR", f"{_roff(command.about)}."]
        if command.writes:
            lines.append(f"Writes {_roff(command.writes)}.")
    lines += [".SH OPTIONS"]
    for title, names in KNOWN_OPTIONS.items():
        lines += [f".SS {_roff(title)}"]
        for name in names:
            action = actions[name]
            field = OPTION_FIELDS[action.dest]
            options = _roff(", ".join(options_of(action)))
            value = "" if action.nargs == 0 else f" \\fI{_roff(metavar(field.annotation))}\\fR"
            lines += [".TP", f"\\fB{options}\\fR{value}", _roff(field.description or "")]
    lines += [".SH EXIT STATUS"]
    for status, when in EXIT_STATUSES.items():
        lines += [".TP", f"\\fB{status}\\fR", _roff(when)]
    lines += [".SH BUGS", f"Faults are reported to {_roff(fault_address())}."]
    return "\n".join(lines) + "\n"


def _roff(text: str) -> str:
    return text.replace("\\", "\\e").replace("-", "\\-")
