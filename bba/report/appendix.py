"""The appendix of a report: the episodes behind each cell, and the command that shows each of them."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

from bba.agents import KEYLESS, LOCKED_PARTNERS, AgentOptions, Profile, SwitchingPartner
from bba.belief import ROLE_NAMES
from bba.bench import StoredEpisode
from bba.bench.episode import Episode, PlannerSettings, TableEntry
from bba.bench.results_reader import Results
from bba.config import BeliefConfig, ChatOptions, EpisodeOptions, SkillOptions, select
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.report.formatting import LISTED_MEASURES, value_text
from bba.settings import Settings
from bba.terminal_text import shell_words

RECORDINGS = "recordings"  # the folder beside the report
SCHEDULED = (SwitchingPartner.name, *LOCKED_PARTNERS)  # the agents that follow a schedule
SHARED = ("planner", "asked", "rollout", "belief_config")  # what a command gives to both seats
ALWAYS = ("layout", "agent", "partner", "seed")  # what every command names


class EpisodeRow(NamedTuple):
    """An episode of a cell, as a row of the appendix.

    Attributes:
        names: its values of the group's `heads`.
        seed, key: its seed and key.
        values: its measures, as `LISTED_MEASURES`; empty if it was not played.
        failure: why it failed; "" if it did not.
        recording: the path of its recording; "" for none.
        command: the command that shows it; "" for none.
    """

    names: list[str]
    seed: int
    key: str
    values: list[str]
    failure: str
    recording: str
    command: str


class EpisodeGroup(NamedTuple):
    """The episodes behind a cell; `title` is what they have in common, `heads` what differs besides their seeds."""

    anchor: str
    title: str
    heads: list[str]
    episodes: list[EpisodeRow]


# What stands before and after the seed in the command of each kind of episode; None where there is no command.
Commands = dict[tuple[str, str | None], tuple[str, str] | None]


def group_of(stored: Results, anchor: str, entries: Sequence[TableEntry], commands: Commands) -> EpisodeGroup:
    """Returns the episodes of these entries as a group with this id on the page; adds to the known commands."""
    columns = {head: [names[head] for names in map(_names, entries)] for head in _names(entries[0])}
    heads = [head for head, values in columns.items() if len(set(values)) > 1]
    common = dict.fromkeys(values[0] for head, values in columns.items() if head not in heads)
    return EpisodeGroup(
        anchor, ", ".join(common), heads, [_episode(stored, entry, heads, commands) for entry in entries]
    )


def _names(entry: TableEntry) -> dict[str, str]:
    partners = entry.partner if entry.group == entry.partner else f"{entry.group}: {entry.partner}"
    return {"agent": entry.label, "kitchen": entry.layout, "partner": partners, "settings": entry.variant}


def _episode(stored: Results, entry: TableEntry, heads: Sequence[str], commands: Commands) -> EpisodeRow:
    episode = stored.episodes.get(entry.key)
    names = [_names(entry)[head] for head in heads]
    if episode is None:
        return EpisodeRow(names, entry.seed, entry.key, [], "not played", "", "")
    recording = f"{RECORDINGS}/{entry.key}.bba" if episode.result.recorded else ""
    measures = episode.result.measures or {}
    values = [value_text(measures.get(name), name) for name in LISTED_MEASURES]
    command = f"bba-tui replay {recording}" if recording else _command(episode, commands)
    return EpisodeRow(names, entry.seed, entry.key, values, episode.result.failure or "", recording, command)


def _command(stored: StoredEpisode, commands: Commands) -> str:
    """Returns the command that shows an episode; "" if there is none."""
    place = stored.before, stored.after
    if place not in commands:
        kind = stored.kind
        command = kind and command_of(kind)
        before, mark, after = (command or "").partition(f"--seed {kind.seed if kind else ''}")
        commands[place] = (f"{before}--seed ", after) if mark else None
    around = commands[place]
    return f"{around[0]}{stored.seed}{around[1]}" if around else ""


def command_of(episode: Episode) -> str | None:
    """Returns the command with all options that differ from their defaults; None if no command gives the same episode.

    There is none for a user's own kitchen, prompts or weights, for two seats with different parameters or planners, and
    for a language model, whose answers vary.
    """
    settings = _settings(episode)
    if settings is None:
        return None
    defaults = {name: field.default for name, field in Settings.model_fields.items()}
    defaults |= BeliefConfig.for_planner(settings["planner"], {}).values
    usual = AgentOptions(planner=settings["planner"])
    defaults |= {"prompt_layout": usual.places, "ask": usual.asks}
    given = {name: value for name, value in settings.items() if name in ALWAYS or value != defaults[name]}
    words = chain(*((f"--{name.replace('_', '-')}", str(value)) for name, value in given.items()))
    return shell_words(["bba-tui", *words])


def _settings(episode: Episode) -> dict[str, Any] | None:
    """Returns the settings of an episode by name; None if settings cannot describe it."""
    ego, partner = episode.seats
    of_seats = {name: {getattr(seat, name) for seat in episode.seats} - {None} for name in SHARED}
    schedules = {_schedule(seat) for seat in episode.seats if seat.agent in SCHEDULED}
    planning = episode.planning
    plain = select(PlannerSettings, dict(select(ChatOptions, dict(planning))))
    keyless = of_seats["planner"] <= {*KEYLESS} and planning == plain and all(seat.repeatable for seat in episode.seats)
    alike = all(len(values) <= 1 for values in (*of_seats.values(), schedules))
    if not (keyless and alike and _shipped(episode)) or any(seat.plugins for seat in episode.seats):
        return None
    return {
        "layout": episode.layout.name,
        "agent": ego.agent,
        "trigger": ego.trigger,
        "partner": partner.agent,
        "planner": next(iter(of_seats["planner"]), Settings.model_fields["planner"].default),
        "seed": episode.seed,
        **{name: getattr(episode, name) for name in (*EpisodeOptions.model_fields, *SkillOptions.model_fields)},
        "schedule": next(iter(schedules), None),
        **dict(select(ChatOptions, dict(planning))),
        **next(({"ask": ask} for ask in of_seats["asked"]), {}),
        **next((dict(rollout) for rollout in of_seats["rollout"]), {}),
        **next((config.values for config in of_seats["belief_config"]), {}),
    }


def _schedule(seat: Profile) -> str | None:
    return ",".join(f"{step}:{ROLE_NAMES[role]}" for step, role in seat.schedule) if seat.schedule else None


def _shipped(episode: Episode) -> bool:
    """Returns whether the kitchen, by its name, and the weights of learned policies ship with the project."""
    layout = episode.layout
    try:
        known = layout.name in Layout.names() and Layout.load(layout.name) == layout
        return known and episode.finds_its_weights(AgentOptions())
    except BBAError:
        return False
