"""The help: a page with examples, all options by group, and the options of one command.

The options by group, as the help lists them.
"""

import argparse
import re
import textwrap
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from bba.config import (
    CommitmentConfig,
    EpisodeOptions,
    FilterConfig,
    GateConfig,
    LanguageModelOptions,
    NamedOptions,
    Options,
    PlannerOptions,
    RolloutOptions,
    SkillOptions,
)
from bba.settings import (
    BenchmarkOptions,
    GeneralOptions,
    PlayerOptions,
    PlayOptions,
    PluginOptions,
    PromptOptions,
    ServingOptions,
    TrainingOptions,
    WatchOptions,
)
from tui.arguments.commands import COMMANDS
from tui.arguments.values import OPTION_OF

# title: the classes whose fields are the options of the group
_CLASSES: Mapping[str, tuple[type[Options], ...]] = {
    "watch": (PlayerOptions, EpisodeOptions, SkillOptions, WatchOptions),
    "play": (PlayOptions,),
    "benchmark": (BenchmarkOptions,),
    "belief and gate": (NamedOptions, GateConfig, CommitmentConfig, FilterConfig),
    "planner": (PlannerOptions, RolloutOptions),
    "language model": (LanguageModelOptions, PromptOptions),
    "studies and serving": (ServingOptions,),
    "training": (TrainingOptions,),
    "plug-ins": (PluginOptions,),
    "general": (GeneralOptions,),
}

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {title: tuple(name for one in classes for name in one.model_fields) for title, classes in _CLASSES.items()}
)

ABOUT = "Watch an agent cook with a partner that changes its mind, or be that partner."
METAVARS = {"str": "NAME", "Path": "PATH", "int": "N", "float": "X"}  # instead of the names of types


def _wrapped(words: Iterable[str], indent: int) -> str:
    """Returns words as a list in lines of 80 columns; the first and the others begin after so many columns."""
    return textwrap.fill(", ".join(words), 80 - indent).replace("\n", "\n" + " " * indent)


HELP_PAGE = f"""\
{ABOUT}

  bba-tui                          asks what to do
  bba-tui watch open               two agents cook; or ring, burrito, FILE.toml
  bba-tui replay game.bba          a recorded game; --export game.gif films it
  bba-tui learn                    make a first burrito, then be believed
  bba-tui play ring                be the partner; --mind: what it believes
  bba-tui design mine.toml         draw a kitchen; --layout mine.toml then
  bba-tui bench quick              a benchmark of a minute, with its tables
  bba-tui exam --planner openai    200 questions to a model before a game
  bba-tui results results/quick    its games on the screen; report for a page
  bba-tui --headless --seeds 5     games without a screen; --json for machines

most used
  --layout, --agent, --partner     the kitchen and the two cooks, by name
  --planner NAME                   scripted, rollout, or openai with --model
  --seed N, --horizon N            of everything random; steps of a game
  --list                           names of kitchens, cooks, benchmarks, keys

bba-tui COMMAND --help    {_wrapped(COMMANDS, 26)}
bba-tui --help-all        all options, from the kitchen to studies
"""


class HelpFormatter(argparse.HelpFormatter):
    """Lists options without the defaults None, False and True, and with the short names of those that have two."""

    def _expand_help(self, action: argparse.Action) -> str:
        return without_default(super()._expand_help(action))

    def _format_action_invocation(self, action: argparse.Action) -> str:
        options = ", ".join(options_of(action))
        return options if action.nargs == 0 else f"{options} {METAVARS.get(str(action.metavar), action.metavar)}"


def without_default(text: str) -> str:
    """Returns the help of an option without its default, where that is None, False or True."""
    return re.sub(r" \(default: (None|False|True)\)", "", text)


def option_of(action: argparse.Action) -> str:
    """Returns the option of an action as people write it."""
    dashed = action.dest.replace("_", "-")
    return f"--{OPTION_OF.get(dashed, dashed)}"


def options_of(action: argparse.Action) -> list[str]:
    """Returns the ways to write an option: of one that is on at first, also the one that turns it off."""
    switch = isinstance(action, argparse.BooleanOptionalAction)
    return list(action.option_strings) if switch else [option_of(action)]


def all_options(actions: Iterable[argparse.Action], titles: Iterable[str] = GROUPS) -> str:
    """Returns the options of these groups, each group under its title."""
    found = {action.dest: action for action in actions}
    formatter = HelpFormatter("bba-tui", max_help_position=30)
    for title in titles:
        formatter.start_section(title)
        formatter.add_arguments([found[name] for name in GROUPS[title]])
        formatter.end_section()
    return formatter.format_help()


def command_page(name: str, actions: Iterable[argparse.Action]) -> str:
    """Returns the help of one command: how it is written, and the options that go with it."""
    command = COMMANDS[name]
    value = f"[{command.value}] " if command.alone and command.value else f"{command.value} ".lstrip()
    same = " ".join(filter(None, (command.always, command.takes, command.value)))
    lines = (
        f"bba-tui {name} {value}[OPTIONS]",
        f"  {command.about}; short for {same}",
        "",
        all_options(actions, command.groups).rstrip(),
        "",
        "all options: bba-tui --help-all",
    )
    return "\n".join(lines) + "\n"
