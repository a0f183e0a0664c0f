"""The command line that repeats a game or a benchmark."""

import json
from collections.abc import Mapping
from types import MappingProxyType

from bba.config import (
    BELIEF_OPTIONS,
    EpisodeOptions,
    LanguageModelOptions,
    PlannerOptions,
    RolloutOptions,
    SkillOptions,
)
from bba.settings import PlannedOptions, PlayerOptions, PluginOptions, SeatOptions
from tui.arguments.command import Group, field_names, option
from tui.arguments.commands import BELIEF, COMMANDS
from tui.arguments.options import SweepOptions

_PLANNING: tuple[Group, ...] = (*BELIEF, PlannerOptions, RolloutOptions, LanguageModelOptions)
_GAME: tuple[Group, ...] = (
    SeatOptions,
    PlannedOptions,
    "seed",
    EpisodeOptions,
    SkillOptions,
    *_PLANNING,
    PluginOptions,
    "models",
    "real_time",
)
# What comes of a command depends on these options, and not on how it is shown, kept or paid for.
REPEATED: Mapping[str, tuple[Group, ...]] = MappingProxyType(
    {
        "watch": _GAME,
        "duel": ("agents", *_GAME),
        "bench": (
            SweepOptions,
            "models",
            "repeats",
            "layouts",
            "seeds",
            "seed",
            "out",
            "trigger",
            PlannedOptions,
            EpisodeOptions,
            SkillOptions,
            *_PLANNING,
            PluginOptions,
        ),
    }
)
# Options that stand in the line even where they have their default.
ALWAYS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "watch": frozenset({"agent", "partner", "planner", "seed"}),
        "duel": frozenset({"agents", "partner", "planner", "seed"}),
        "bench": frozenset(),
    }
)
SECRET = ("extra_headers",)  # which may hold a key


def command_words(name: str, options: PlayerOptions) -> list[str]:
    """Returns the command line that repeats a game or a benchmark: its subject, and all options that change the result.

    The line of a game names cooks, planner and seed; other options are left out where they have their default. The line
    holds no secret: an address is without what names an account, and headers are left out.

    Args:
        name: the command.
        options: those of a game, or of a benchmark; what they lack is left out.
    """
    from bba.planner.account import shown_address

    subject = COMMANDS[name].field
    fields = type(options).model_fields
    always = ALWAYS[name] | (options.model_fields_set & BELIEF_OPTIONS)  # which a planner's own defaults else replace
    line = ["bba-tui", name, str(getattr(options, subject))]
    for field in field_names(REPEATED[name]):
        if field not in fields or field == subject or field in SECRET:
            continue
        value = getattr(options, field)
        if value is None or (value == fields[field].default and field not in always):
            continue
        line.append(option(field))
        if value is True:
            continue
        text = json.dumps(value) if isinstance(value, dict) else str(value)
        line.append(shown_address(text) if field == "base_url" else text)
    return line
