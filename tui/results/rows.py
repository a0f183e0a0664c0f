"""Stored results as the app browses them: sweeps as tables, a cell's episodes, and an episode to be watched.

Of the cells that differ in the agent or the variant alone, the best is marked. Two cells are compared by the pairs of
their games, with the statistics of the benchmark's own paired tables.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from bba.agents.registry import AgentOptions, pays
from bba.analysis import BR_PROX, MeasureValue
from bba.analysis.plugin_measures import find_measure
from bba.bench import (
    RESULTS_FILE,
    Heading,
    StoredEpisode,
    TableBlock,
    TableCell,
    TableEntry,
    TableSpec,
    code_digest,
    matched,
    mean_difference,
    table_blocks,
)
from bba.bench.results_reader import (
    CellKey,
    Results,
    StoredSweep,
    cell_key,
    read_recording,
)
from bba.errors import BBAError
from bba.play import Replay, unpack
from bba.report.appendix import command_of
from bba.report.formatting import (
    LISTED_MEASURES,
    axis_text,
    cell_text,
    column_text,
    measure_label,
    measure_under,
    summary_text,
    value_text,
)
from tui.playback.source import PlaybackSource, TracePlayback
from tui.results.browser import cells_of
from tui.screens.dialogs import newest_first
from tui.widgets.sorted_table import SortableCell

COMPARED_COLUMNS = ("agent", "variant")  # the axes on which cells compete

CellPlace = frozenset[tuple[str, str]]  # the values of all axes of a cell


class Rank(NamedTuple):
    """A cell among those that it competes with.

    Attributes:
        share: its mean as a share of the largest, 0 to 1; None where a mean is negative or all are 0.
        best: whether its mean is the best; never where all are equal, or where neither more nor less is better.
    """

    share: float | None = None
    best: bool = False


def place(*headings: Heading) -> CellPlace:
    """Returns the place of the cell under these headings."""
    return frozenset((axis, value) for heading in headings for axis, value in heading.items())


def ranks(blocks: Sequence[TableBlock], spec: TableSpec) -> dict[CellPlace, Rank]:
    """Returns the rank of every cell with a mean; of none in tables of differences."""
    groups: dict[tuple[str, CellPlace], dict[CellPlace, float]] = {}
    for headings, mean in () if spec.paired else _means(blocks):
        where = place(*headings)
        others = frozenset((axis, value) for axis, value in where if axis not in COMPARED_COLUMNS)
        groups.setdefault((measure_under(spec, *headings), others), {})[where] = mean
    ranked = (_ranked(means, find_measure(measure).better) for (measure, _), means in groups.items())
    return dict(chain.from_iterable(ranked))


def _means(blocks: Sequence[TableBlock]) -> Iterator[tuple[tuple[Heading, Heading, Heading], float]]:
    for block in blocks:
        for row, cells in zip(block.rows, block.cells, strict=True):
            for column, cell in zip(block.columns, cells, strict=True):
                if cell.ours is not None:
                    yield (block.title, row, column), cell.ours.mean


def _ranked(means: dict[CellPlace, float], better: int) -> Iterator[tuple[CellPlace, Rank]]:
    least = min(means.values())
    most = max(means.values())
    best = most if better > 0 else least
    for where, mean in means.items():
        share = mean / most if least >= 0 < most else None
        yield where, Rank(share, better != 0 and least < most and mean == best)


def result_folders(folder: Path) -> list[str]:
    """Returns the folders with results in a folder, newest first, and the folder itself; none if it cannot be read."""
    return [str(file.parent) for file in newest_first(folder, f"*/{RESULTS_FILE}", RESULTS_FILE)]


class ResultsRow(NamedTuple):
    """A row of a table, and behind each of its entries the episodes that it is made of, and its measure."""

    entries: list[SortableCell]
    corners: list[frozenset[CellKey]]
    measures: list[str]


class ResultsTable(NamedTuple):
    """The tables of a sweep one below the other, as one; `beside` says whether it holds values of the preprint."""

    headings: list[str]
    lines: list[ResultsRow]
    beside: bool


def results_table(run: StoredSweep) -> ResultsTable:
    """Returns the tables of a sweep, with the same rows as in the report."""
    found = table_blocks(run.sweep, run.entries, run.results)
    spec = run.sweep.table
    columns = list({str(column): column for block in found for column in block.columns}.values())  # each once
    ranked = ranks(found, spec)
    lines = []
    for block in found:
        for row, cells in zip(block.rows, block.cells, strict=True):
            by_column = dict(zip(map(str, block.columns), cells, strict=True))
            lines.append(_line(run, block.title | row, [(one, by_column.get(str(one))) for one in columns], ranked))
    names = [column_text(column, spec) for column in columns]
    beside = any(cell.paper is not None for block in found for cells in block.cells for cell in cells)
    return ResultsTable([*spec.blocks, *spec.rows, *names], lines, beside)


def _line(
    run: StoredSweep,
    heads: Heading,
    cells: list[tuple[Heading, TableCell | None]],
    ranked: dict[CellPlace, Rank],
) -> ResultsRow:
    names = [SortableCell(axis_text(axis, value), value) for axis, value in heads.items()]
    corners = [frozenset({cell_key(run.sweep, heads, column)} if cell else ()) for column, cell in cells]
    measures = [measure_under(run.sweep.table, heads, column) for column, _ in cells]
    values = [
        _entry(cell, measure, ranked.get(place(heads, column), Rank()))
        for (column, cell), measure in zip(cells, measures, strict=True)
    ]
    whole = [frozenset().union(*corners)] * len(names), [measure_under(run.sweep.table, heads)] * len(names)
    return ResultsRow([*names, *values], whole[0] + corners, whole[1] + measures)


def _entry(cell: TableCell | None, measure: str, rank: Rank) -> SortableCell:
    """Returns our value and the preprint's, sorted by ours, with a bar and the mark of the best."""
    if cell is None:
        return SortableCell("", None)
    text = cell_text(cell, measure)
    missing = f" [{text.missing}]" if text.missing else ""
    paper = f"  ({text.paper})" if text.paper else ""
    return SortableCell(text.ours + missing + paper, None if cell.ours is None else cell.ours.mean, *rank)


class StoredGame(NamedTuple):
    """A game of a benchmark: the results that it belongs to, and its place in their tables."""

    results: Results
    entry: TableEntry

    @property
    def episode(self) -> StoredEpisode | None:
        """What is stored of it; None if it was not played."""
        return self.results.episodes.get(self.entry.key)

    def value(self, measure: str) -> MeasureValue:
        """Returns a measure of it; None where there is none."""
        return ((self.episode and self.episode.result.measures) or {}).get(measure)


class CellGames(NamedTuple):
    """The games behind a cell of a table, or behind a row.

    Attributes:
        names: the folder, the benchmark, and the value of each axis that they have in common.
        games: the games.
        measure: a measure of single games; for BR-Prox, which is none, the reward.
    """

    names: dict[str, str]
    games: list[StoredGame]
    measure: str

    def name(self, other: Mapping[str, str]) -> str:
        """Returns its names without those that `other` has, too; all of them where none is left."""
        own = [value for axis, value in self.names.items() if other.get(axis) != value]
        return ", ".join(own or self.names.values())

    def of(self, agent: str) -> "CellGames":
        """Returns the games of one of its agents, by the agent's name in the sweep."""
        games = [game for game in self.games if game.entry.agent == agent]
        return CellGames({**self.names, "agent": agent}, games, self.measure)


def games_behind(results: Results, run: StoredSweep, row: ResultsRow, column: int) -> CellGames | None:
    """Returns the games behind a cell of a row, or behind the row under a heading; None where there are none."""
    keys = row.corners[column]
    measure = row.measures[column]
    axes = {axis: value for key in keys for axis, value in key if all((axis, value) in other for other in keys)}
    names = {"folder": str(results.folder), "benchmark": run.sweep.name} | axes
    entries = (entry for key, found in run.entries_by_cell.items() if key in keys for entry in found)
    games = [StoredGame(results, entry) for entry in entries]
    return CellGames(names, games, "reward" if measure == BR_PROX else measure) if games else None


class Pair(NamedTuple):
    """Two games with the same kitchen, partner, seed and settings, and their values, None where there is none."""

    games: tuple[StoredGame, StoredGame]
    values: tuple[MeasureValue, MeasureValue]

    @property
    def difference(self) -> float | None:
        """The first value minus the second one; None where one of them is missing."""
        first, second = self.values
        return None if first is None or second is None else first - second


def pairs_of(first: CellGames, second: CellGames) -> list[Pair]:
    """Returns the pairs of two cells' games with their values of the second cell's measure.

    Those that differ most come first, those without a difference last.

    Raises:
        BBAError: a cell has several agents or settings, or the two share no pair.
    """
    if any(len({(game.entry.label, game.entry.variant) for game in cell.games}) > 1 for cell in (first, second)):
        raise BBAError("these are games of several agents or settings: compare the cells of one each")
    found = [
        Pair((one, two), (one.value(second.measure), two.value(second.measure)))
        for one, two in matched(first.games, second.games, _around)
    ]
    if not found:
        raise BBAError("no game of the one has the kitchen, partner, seed and settings of a game of the other")
    return sorted(found, key=lambda pair: (pair.difference is None, -abs(pair.difference or 0)))


def _around(game: StoredGame) -> tuple[object, ...]:
    """Returns what the two games of a pair have in common: everything but the ego."""
    entry = game.entry
    kind = game.episode and game.episode.kind
    names = entry.seed, entry.partner, entry.layout
    if kind is None:  # not played, or stored by a version with other specifications
        return names
    return (*names, kind.layout, kind.seats[1], kind.weights[1], kind.horizon, kind.mobility, kind.skill_timeout)


PAIR_HEADINGS = ("partner", "kitchen", "seed", "first", "second", "difference")


def pair_entries(pair: Pair, measure: str) -> list[SortableCell]:
    """Returns a pair as a row: what both games share, both values, and the first minus the second."""
    entry = pair.games[0].entry
    values = (SortableCell(value_text(value, measure), value) for value in pair.values)
    difference = SortableCell(value_text(pair.difference, measure, "+"), pair.difference)
    return [*cells_of(entry.partner, entry.layout, entry.seed), *values, difference]


def difference_text(first: CellGames, second: CellGames, pairs: Sequence[Pair]) -> str:
    """Returns each cell's name and mean over the pairs, and their difference as in a paired table."""
    values = [pair.values for pair in pairs]
    measure = second.measure
    known = [(one, two) for one, two in values if one is not None and two is not None]
    means = [f", mean {value_text(fmean(side), measure)}" for side in zip(*known, strict=True)] or [
        "",
        "",
    ]
    summary = mean_difference([one - two for one, two in known])
    told = f"{value_text(summary and summary.mean, measure, '+')}; an interval needs more than one pair"
    if summary is not None and summary.low is not None and summary.high is not None:
        apart = "not told apart" if summary.low <= 0 <= summary.high else "told apart"
        told = f"{summary_text(summary, measure)}, 95 % interval; {apart}"
    lacking = f" ({len(pairs) - len(known)} without a value)" if len(known) < len(pairs) else ""
    return (
        f"first: {first.name(second.names)}{means[0]}\nsecond: {second.name(first.names)}{means[1]}\n"
        f"difference, first − second: {told}\n"
        f"{len(pairs)} pair{'s' * (len(pairs) != 1)}{lacking} of the same kitchen, partner, seed, settings"
    )


EPISODE_HEADINGS = ("agent", "partner", "kitchen", "settings", "seed", *map(measure_label, LISTED_MEASURES), "kept")


def episode_entries(stored: Results, case: TableEntry) -> list[SortableCell]:
    """Returns a case as a row: its place, its values or why there are none, and whether its recording was kept."""
    place = cells_of(case.label, case.partner, case.layout, case.variant, case.seed)
    episode = stored.episodes.get(case.key)
    if episode is None or episode.result.measures is None:
        why = "not played" if episode is None else f"failed: {episode.result.failure}"
        return [*place, SortableCell(why, None), *([SortableCell("", None)] * len(LISTED_MEASURES))]
    measures = episode.result.measures
    values = [SortableCell(value_text(measures.get(name), name), measures.get(name)) for name in LISTED_MEASURES]
    return [*place, *values, *cells_of("recording" if episode.result.recorded else "")]


def recorded_source(results: Results, episode: StoredEpisode) -> PlaybackSource | None:
    """Returns the recording of an episode, to be watched; None where none was kept.

    Raises:
        BBAError: it cannot be read.
    """
    packed = read_recording(results.folder, episode.key)
    if packed is None:
        return None
    source = f"{results.folder / RESULTS_FILE}, {episode.key[:8]}"
    recording = unpack(packed, source)
    return PlaybackSource(lambda: Replay(recording, source), command=_command(episode))


def replayed_source(stored: StoredEpisode, report: Callable[[int], bool]) -> PlaybackSource:
    """Returns an episode, played again as it went. This takes a while; to be called from another thread.

    Args:
        stored: the episode.
        report: takes the number of steps that are played; returns whether to go on.

    Raises:
        BBAError: it cannot be played again, or nobody waits for it any more.
    """
    episode = stored.episode
    if episode is None:
        raise BBAError(f"episode {stored.key}: stored with a specification that this version does not know")
    planning = episode.planning
    paid = any(seat.planner is not None and pays(seat.planner) for seat in episode.seats)
    if paid:
        raise BBAError("a language model planned it, and no recording was kept: it cannot be played again")
    if episode.code != code_digest():
        raise BBAError("another version of this program played it, and no recording was kept")
    if planning.prompts is not None:
        raise BBAError("it was planned with other prompts than those here, and no recording was kept")
    turns = planning.history_turns
    retries = planning.retries
    places = planning.prompt_layout
    game = episode.game(AgentOptions(history_turns=turns, retries=retries, prompt_layout=places), fast=True)
    while not game.done:
        game.step()
        if not report(len(game.trace.ticks)):
            raise BBAError("given up")
    return PlaybackSource(lambda: TracePlayback(game.trace), command=_command(stored))


def _command(stored: StoredEpisode) -> str:
    return (stored.episode and command_of(stored.episode)) or ""
