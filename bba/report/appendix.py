"""The appendix of a report: the episodes behind each cell, and the command that shows each of them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bba.agents import KEYLESS, LOCKED_PARTNERS, Profile, SeatSpec, SwitchingPartner
from bba.belief import ROLE_NAMES
from bba.bench import StoredEpisode
from bba.bench.episode import Episode, PlannerSettings, SpecText, TableEntry
from bba.bench.formatting import LISTED_MEASURES, value_text
from bba.bench.results_reader import Results
from bba.config import BeliefConfig, ChatOptions, EpisodeOptions, SkillOptions, select
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.settings import GameOptions
from bba.terminal_text import shell_words

RECORDINGS = "recordings"  # the folder beside the report
SCHEDULED = (SwitchingPartner.name, *LOCKED_PARTNERS)  # the agents that follow a schedule
SHARED = ("planner", "effective_ask", "rollout", "belief_config")  # fields of a seat that a command gives to both
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
Commands = dict[SpecText, tuple[str, str] | None]


def group_of(stored: Results, anchor: str, entries: Sequence[TableEntry], commands: Commands) -> EpisodeGroup:
    """Returns the episodes of these entries as a group with this id on the page; adds to the known commands."""
    names = [_names(entry) for entry in entries]
    heads = []
    common = []
    for head, first in names[0].items():
        if all(of_entry[head] == first for of_entry in names):
            common.append(first)
        else:
            heads.append(head)
    title = ", ".join(dict.fromkeys(common))
    episodes = [_episode(stored, entry, heads, commands) for entry in entries]
    return EpisodeGroup(anchor, title, heads, episodes)


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
    if stored.spec_text not in commands:
        commands[stored.spec_text] = _around_the_seed(stored.kind)
    around = commands[stored.spec_text]
    if around is None:
        return ""
    start, end = around
    return f"{start}{stored.seed}{end}"


def _around_the_seed(episode: Episode | None) -> tuple[str, str] | None:
    """Returns the command of an episode in two parts, between which its seed stands; None if there is no command."""
    command = None if episode is None else command_of(episode)
    if episode is None or command is None:
        return None
    start, seed, end = command.partition(f"--seed {episode.seed}")
    return (f"{start}--seed ", end) if seed else None


def command_of(episode: Episode) -> str | None:
    """Returns the command with all options that differ from their defaults; None if no command gives the same episode.

    There is none for a user's own kitchen, prompts or weights, for two seats with different parameters or planners, and
    for a language model, whose answers vary.
    """
    settings = _settings(episode)
    if settings is None:
        return None
    defaults = {name: field.default for name, field in GameOptions.model_fields.items()}
    defaults |= BeliefConfig.for_planner(settings["planner"], {}).values
    usual = SeatSpec(planner=settings["planner"])
    defaults |= {"prompt_layout": usual.effective_prompt_layout, "ask": usual.effective_ask}
    arguments = ["bba-tui"]
    for name, value in settings.items():
        if name in ALWAYS or value != defaults[name]:
            option = name.replace("_", "-")
            arguments += [f"--{option}", str(value)]
    return shell_words(arguments)


def _settings(episode: Episode) -> dict[str, Any] | None:
    """Returns the settings of an episode by name; None if settings cannot describe it."""
    ego, partner = episode.seats
    of_seats = {name: {getattr(seat, name) for seat in episode.seats} - {None} for name in SHARED}
    schedules = {_schedule(seat) for seat in episode.seats if seat.agent in SCHEDULED}
    differs = any(len(values) > 1 for values in (*of_seats.values(), schedules))
    if differs or not _is_repeatable(episode):
        return None
    planner = GameOptions.model_fields["planner"].default
    for seat_planner in of_seats["planner"]:
        planner = seat_planner
    settings: dict[str, Any] = {
        "layout": episode.layout.name,
        "agent": ego.agent,
        "trigger": ego.trigger,
        "partner": partner.agent,
        "planner": planner,
        "seed": episode.seed,
    }
    for name in (*EpisodeOptions.model_fields, *SkillOptions.model_fields):
        settings[name] = getattr(episode, name)
    settings["schedule"] = next(iter(schedules), None)
    settings |= dict(select(ChatOptions, dict(episode.planning)))
    for ask in of_seats["effective_ask"]:
        settings["ask"] = ask
    for rollout in of_seats["rollout"]:
        settings |= dict(rollout)
    for belief_config in of_seats["belief_config"]:
        settings |= belief_config.values
    return settings


def _is_repeatable(episode: Episode) -> bool:
    """Returns whether the same command gives the same episode anywhere: without a language model or a plug-in."""
    planning = episode.planning
    without_model = select(PlannerSettings, dict(select(ChatOptions, dict(planning))))
    if planning != without_model:
        return False
    for seat in episode.seats:
        if seat.planner is not None and seat.planner not in KEYLESS:
            return False
        if seat.plugins or not seat.repeatable:
            return False
    return _shipped(episode)


def _schedule(seat: Profile) -> str | None:
    if not seat.schedule:
        return None
    return ",".join(f"{step}:{ROLE_NAMES[role]}" for step, role in seat.schedule)


def _shipped(episode: Episode) -> bool:
    """Returns whether the kitchen, by its name, and the weights of learned policies ship with the project."""
    layout = episode.layout
    try:
        is_shipped = layout.name in Layout.names() and Layout.load(layout.name) == layout
        return is_shipped and episode.finds_its_weights(SeatSpec())
    except BBAError:
        return False
