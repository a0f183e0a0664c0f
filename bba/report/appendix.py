"""The appendix of a report: the episodes behind each cell, and the command that shows each of them."""

from collections.abc import Sequence
from typing import NamedTuple

from bba.bench.episode import Episode
from bba.bench.plan import TableEntry
from bba.bench.results_reader import Results, StoredEpisode
from bba.errors import BBAError
from bba.report.formatting import SHOWN, value_text
from bba.report.replay_command import command_of

RECORDINGS = "recordings"  # the folder beside the report


class EpisodeView(NamedTuple):
    """An episode of a cell.

    Attributes:
        names: its values of the group's `heads`.
        seed, key: its seed and key.
        values: its measures, as `SHOWN`; empty if it was not played.
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
    episodes: list[EpisodeView]


def group_of(stored: Results, anchor: str, entries: Sequence[TableEntry]) -> EpisodeGroup:
    """Returns the episodes of these entries as a group with this id on the page."""
    columns = {head: [names[head] for names in map(_names, entries)] for head in _names(entries[0])}
    heads = [head for head, values in columns.items() if len(set(values)) > 1]
    common = dict.fromkeys(values[0] for head, values in columns.items() if head not in heads)
    return EpisodeGroup(anchor, ", ".join(common), heads, [_episode(stored, entry, heads) for entry in entries])


def _names(entry: TableEntry) -> dict[str, str]:
    """Returns the place of an entry, by column heading."""
    partners = entry.partner if entry.group == entry.partner else f"{entry.group}: {entry.partner}"
    return {"agent": entry.label, "kitchen": entry.layout, "partner": partners, "settings": entry.variant}


def _episode(stored: Results, entry: TableEntry, heads: Sequence[str]) -> EpisodeView:
    episode, names = stored.episodes.get(entry.key), [_names(entry)[head] for head in heads]
    if episode is None:
        return EpisodeView(names, entry.seed, entry.key, [], "not played", "", "")
    recording = f"{RECORDINGS}/{entry.key}.bba" if episode.result.recorded else ""
    measures = episode.result.measures or {}
    values = [value_text(measures.get(name), name) for name in SHOWN]
    command = f"bba-tui --replay {recording}" if recording else _command(episode)
    return EpisodeView(names, entry.seed, entry.key, values, episode.result.failure or "", recording, command)


def _command(episode: StoredEpisode) -> str:
    """Returns the command that plays the same game again; "" if there is none."""
    known = known_episode(episode)
    return (known and command_of(known)) or ""


def known_episode(episode: StoredEpisode) -> Episode | None:
    """Returns the episode itself; None if another version stored it with another specification."""
    try:
        return episode.episode
    except BBAError:
        return None
