"""The appendix of a report: the episodes behind each cell, and what shows them."""

from collections.abc import Sequence
from typing import NamedTuple

from bba.bench.episode import Episode
from bba.bench.plan import TableEntry
from bba.bench.results_reader import Results, StoredEpisode
from bba.errors import BBAError
from bba.report.formatting import SHOWN, number
from bba.report.replay_command import command_of

RECORDINGS = "recordings"  # the folder beside the report


class EpisodeView(NamedTuple):
    """An episode: what tells it from others of its cell, its figures or failure, its recording and what shows it."""

    names: list[str]
    seed: int
    key: str
    figures: list[str]
    failure: str
    recording: str
    command: str


class EpisodeGroup(NamedTuple):
    """The episodes behind a cell: what they have in common, and what tells them apart beside their seeds."""

    anchor: str
    title: str
    heads: list[str]
    episodes: list[EpisodeView]


def group_of(stored: Results, anchor: str, cases: Sequence[TableEntry]) -> EpisodeGroup:
    """The episodes of these cases, to be found by `anchor`."""
    told = {head: [names[head] for names in map(_names, cases)] for head in _names(cases[0])}
    heads = [head for head, values in told.items() if len(set(values)) > 1]
    common = dict.fromkeys(values[0] for head, values in told.items() if head not in heads)
    return EpisodeGroup(anchor, ", ".join(common), heads, [_episode(stored, case, heads) for case in cases])


def _names(case: TableEntry) -> dict[str, str]:
    """Where a case stands, by what is said in the head of a column."""
    partners = case.partner if case.group == case.partner else f"{case.group}: {case.partner}"
    return {"agent": case.label, "kitchen": case.layout, "partner": partners, "settings": case.variant}


def _episode(stored: Results, case: TableEntry, heads: Sequence[str]) -> EpisodeView:
    episode, names = stored.episodes.get(case.key), [_names(case)[head] for head in heads]
    if episode is None:
        return EpisodeView(names, case.seed, case.key, [], "not played", "", "")
    recording = f"{RECORDINGS}/{case.key}.bba" if episode.result.recorded else ""
    measures = episode.result.measures or {}
    figures = [number(measures.get(name)) for name in SHOWN]
    command = f"bba-tui --replay {recording}" if recording else _command(episode)
    return EpisodeView(names, case.seed, case.key, figures, episode.result.failure or "", recording, command)


def _command(episode: StoredEpisode) -> str:
    """The command that plays it again; "" where there is none."""
    known = known_episode(episode)
    return (known and command_of(known)) or ""


def known_episode(episode: StoredEpisode) -> Episode | None:
    """The episode itself; None where another version described it otherwise."""
    try:
        return episode.episode
    except BBAError:
        return None
