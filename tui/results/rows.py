"""Stored results as the app browses them: sweeps as tables, a cell's episodes, and an episode to be watched.

Two cells are compared by the pairs of
their games, with the statistics of the benchmark's own paired tables.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from bba.agents.planner_names import pays
from bba.agents.seat import SeatSpec
from bba.analysis import BR_PROX, MeasureValue
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
    table_blocks,
)
from bba.bench.formatting import (
    LISTED_MEASURES,
    axis_text,
    cell_text,
    column_text,
    measure_label,
    measure_under,
    summary_text,
    value_text,
)
from bba.bench.results_reader import (
    CellKey,
    Results,
    StoredSweep,
    cell_key,
    read_recording,
)
from bba.bench.statistics import GameValue, Summary, mean_with_interval
from bba.bench.table_spec import AgentPair
from bba.bench.tables import COMPARED_AXES, OVER_COLUMNS, OVER_ROWS
from bba.errors import BBAError
from bba.play import Replay, unpack
from bba.report.appendix import command_of
from bba.tables import Best
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.results.browser import cells_of
from tui.screens.dialogs import newest_first
from tui.widgets.sorted_table import SortableCell

MARGINS = (OVER_COLUMNS, OVER_ROWS)

CellPlace = frozenset[tuple[str, str]]  # the values of all axes of a cell


class Rank(NamedTuple):
    """A cell among those that it competes with.

    Attributes:
        share: its mean as a share of the largest, 0 to 1; None where a mean is negative or all are 0.
        best: whether its mean is the best of all or of its kind, as `TableCell.best`.
    """

    share: float | None = None
    best: Best = ""


def place(*headings: Heading) -> CellPlace:
    """Returns the place of the cell under these headings."""
    return frozenset((axis, value) for heading in headings for axis, value in heading.items())


def ranks(blocks: Sequence[TableBlock], spec: TableSpec) -> dict[CellPlace, Rank]:
    """Returns the rank of every cell with a mean; of none in tables of differences."""
    groups: dict[tuple[str, CellPlace], dict[CellPlace, tuple[float, Best]]] = {}
    for headings, mean, best in _means(blocks):
        cell_place = place(*headings)
        setting = frozenset((axis, value) for axis, value in cell_place if axis not in COMPARED_AXES)
        group = groups.setdefault((measure_under(spec, *headings), setting), {})
        group[cell_place] = (mean, best)
    ranked: dict[CellPlace, Rank] = {}
    for cells in groups.values():
        least = min(mean for mean, _ in cells.values())
        most = max(mean for mean, _ in cells.values())
        for cell_place, (mean, best) in cells.items():
            share = mean / most if least >= 0 < most else None
            ranked[cell_place] = Rank(share, best)
    return ranked


def _means(blocks: Sequence[TableBlock]) -> Iterator[tuple[tuple[Heading, Heading, Heading], float, Best]]:
    for block in blocks:
        if block.differences:
            continue
        for row, cells in zip(block.rows, block.cells, strict=True):
            for column, cell in zip(block.columns, cells, strict=True):
                if cell.ours is not None and OVER_ROWS not in row.values():
                    yield (block.title, row, column), cell.ours.mean, cell.best


def result_folders(folder: Path) -> list[str]:
    """Returns the folders with results in a folder, newest first, and the folder itself; none if it cannot be read."""
    return [str(file.parent) for file in newest_first(folder, f"*/{RESULTS_FILE}", RESULTS_FILE)]


class ResultsCell(NamedTuple):
    """A cell of a table, and what stands behind it.

    Attributes:
        shown: what the table shows.
        keys: the cells of the sweep whose episodes it is made of; behind a heading those of its whole row.
        measure: its measure.
        pair: the labels of the two agents whose difference it is; None for a mean.
    """

    shown: SortableCell
    keys: frozenset[CellKey]
    measure: str
    pair: AgentPair | None = None


class ResultsTable(NamedTuple):
    """The tables of a sweep one below the other, as one; `has_paper` says whether it holds values of the preprint."""

    headings: list[str]
    rows: list[list[ResultsCell]]
    has_paper: bool

    @property
    def shown_rows(self) -> list[list[SortableCell]]:
        """What the table shows, by row."""
        return [[cell.shown for cell in row] for row in self.rows]


def results_table(run: StoredSweep) -> ResultsTable:
    """Returns the tables of a sweep, with the same rows as in the report."""
    blocks = table_blocks(run.sweep, run.entries, run.results)
    spec = run.sweep.table
    columns = list({str(column): column for block in blocks for column in block.columns}.values())  # each once
    ranked = ranks(blocks, spec)
    rows = []
    has_paper = False
    cells_of_games = list(run.entries_by_cell)
    for block in blocks:
        for row, cells in zip(block.rows, block.cells, strict=True):
            by_column = {str(column): cell for column, cell in zip(block.columns, cells, strict=True)}
            row_cells = [(column, by_column.get(str(column))) for column in columns]
            rows.append(_row(run, block.title | row, row_cells, ranked, cells_of_games))
            has_paper = has_paper or any(cell.paper is not None for cell in cells)
    names = [column_text(column, spec) for column in columns]
    return ResultsTable([*spec.blocks, *spec.rows, *names], rows, has_paper)


def _row(
    run: StoredSweep,
    heads: Heading,
    cells: list[tuple[Heading, TableCell | None]],
    ranked: dict[CellPlace, Rank],
    cells_of_games: Sequence[CellKey],
) -> list[ResultsCell]:
    values: list[ResultsCell] = []
    for column, cell in cells:
        measure = measure_under(run.sweep.table, heads, column)
        rank = ranked.get(place(heads, column), Rank())
        pair = cell.pair if cell else None
        keys = frozenset[CellKey]()
        for player in _players_of(heads | column, pair) if cell else ():
            keys |= _keys_behind(cell_key(run.sweep, heads, column, player), cells_of_games)
        values.append(ResultsCell(_value(cell, measure, rank), keys, measure, pair))
    all_keys = frozenset[CellKey]().union(*(value.keys for value in values))
    measure = measure_under(run.sweep.table, heads)
    names: list[ResultsCell] = []
    for axis, name in heads.items():
        names.append(ResultsCell(SortableCell(axis_text(axis, name), name), all_keys, measure))
    return [*names, *values]


def _players_of(heading: Heading, pair: AgentPair | None) -> list[Heading]:
    """Returns the headings of a cell's agents where they are not those of the cell: a difference has the two's."""
    if pair is None or "agent" not in heading:
        return [{}]
    return [{"agent": agent} for agent in pair]


def _keys_behind(key: CellKey, cells_of_games: Sequence[CellKey]) -> frozenset[CellKey]:
    """Returns the keys of a cell's episodes: its own; of a margin those of its row, its column or the whole table."""
    if not any(value in MARGINS for _, value in key):
        return frozenset({key})
    given = [pair for pair in key if pair[1] not in MARGINS]
    return frozenset(other for other in cells_of_games if all(pair in other for pair in given))


def _value(cell: TableCell | None, measure: str, rank: Rank) -> SortableCell:
    """Returns our value and the preprint's, sorted by ours, with a bar and the mark of the best."""
    if cell is None:
        return SortableCell("", None)
    texts = cell_text(cell, measure)
    missing = f" [{texts.missing}]" if texts.missing else ""
    paper = f"  ({texts.paper})" if texts.paper else ""
    return SortableCell(texts.text + missing + paper, None if cell.ours is None else cell.ours.mean, *rank)


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
        episode = self.episode
        if episode is None or episode.result.measures is None:
            return None
        return episode.result.measures.get(measure)


class CellGames(NamedTuple):
    """The games behind a cell of a table, or behind a row.

    Attributes:
        names: the folder, the benchmark, and the value of each axis that they have in common.
        games: the games.
        measure: a measure of single games; for BR-Prox, which is none, the reward.
        pair: the labels of two agents whose difference it is; None for a mean.
    """

    names: dict[str, str]
    games: list[StoredGame]
    measure: str
    pair: AgentPair | None = None

    def name(self, other_names: Mapping[str, str]) -> str:
        """Returns its names without those that `other_names` has, too; all of them where none is left."""
        distinct = [value for axis, value in self.names.items() if other_names.get(axis) != value]
        return ", ".join(distinct or self.names.values())

    def of(self, agent: str) -> "CellGames":
        """Returns the games of one of its agents, by the agent's label in the tables."""
        games = [game for game in self.games if game.entry.label == agent]
        return CellGames({**self.names, "agent": agent}, games, self.measure)


def games_behind(results: Results, run: StoredSweep, cell: ResultsCell) -> CellGames | None:
    """Returns the games behind a cell; None where there are none."""
    names = {"folder": str(results.folder), "benchmark": run.sweep.name}
    for key in cell.keys:
        names |= {axis: value for axis, value in key if all((axis, value) in same for same in cell.keys)}
    games: list[StoredGame] = []
    for key, entries in run.entries_by_cell.items():
        if key in cell.keys:
            games += [StoredGame(results, entry) for entry in entries]
    if not games:
        return None
    return CellGames(names, games, "reward" if cell.measure == BR_PROX else cell.measure, cell.pair)


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
    for cell in (first, second):
        kinds = {(game.entry.label, game.entry.variant) for game in cell.games}
        if len(kinds) > 1:
            raise BBAError("these are games of several agents or settings: compare the cells of one each")
    measure = second.measure
    pairs = [
        Pair(games, (games[0].value(measure), games[1].value(measure)))
        for games in matched(first.games, second.games, _around)
    ]
    if not pairs:
        raise BBAError("no game of the one has the kitchen, partner, seed and settings of a game of the other")
    return sorted(pairs, key=lambda pair: (pair.difference is None, -abs(pair.difference or 0)))


def _around(game: StoredGame) -> tuple[object, ...]:
    """Returns what the two games of a pair have in common: everything but the ego."""
    entry = game.entry
    names = entry.seed, entry.partner, entry.layout
    kind = game.episode.kind if game.episode is not None else None
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
    measure = second.measure
    first_values: list[float] = []
    second_values: list[float] = []
    differences: list[GameValue] = []
    for pair in pairs:
        first_value, second_value = pair.values
        if first_value is not None and second_value is not None:
            first_values.append(first_value)
            second_values.append(second_value)
            entry = pair.games[0].entry
            differences.append(GameValue(entry.layout, entry.partner, entry.seed, first_value - second_value))
    summary = mean_with_interval(differences)
    count = "1 pair" if len(pairs) == 1 else f"{len(pairs)} pairs"
    without_value = len(pairs) - len(first_values)
    if without_value:
        count += f" ({without_value} without a value)"
    return (
        f"first: {first.name(second.names)}{_mean_text(first_values, measure)}\n"
        f"second: {second.name(first.names)}{_mean_text(second_values, measure)}\n"
        f"difference, first − second: {_summary_words(summary, measure)}\n"
        f"{count} of the same kitchen, partner, seed, settings"
    )


def _mean_text(values: Sequence[float], measure: str) -> str:
    return f", mean {value_text(fmean(values), measure)}" if values else ""


def _summary_words(summary: Summary | None, measure: str) -> str:
    """Returns a mean difference with its interval, and whether that tells the two apart."""
    if summary is None or summary.low is None or summary.high is None:
        mean = None if summary is None else summary.mean
        return f"{value_text(mean, measure, '+')}; an interval needs more than one seed"
    apart = "not told apart" if summary.low <= 0 <= summary.high else "told apart"
    return f"{summary_text(summary, measure)}, 95 % interval over {summary.n} seeds; {apart}"


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
    game = episode.game(SeatSpec(history_turns=turns, retries=retries, prompt_layout=places), fast=True)
    while not game.done:
        game.step()
        if not report(len(game.trace.ticks)):
            raise BBAError("given up")
    return PlaybackSource(lambda: TracePlayback(game.trace), command=_command(stored))


def _command(stored: StoredEpisode) -> str:
    return (stored.episode and command_of(stored.episode)) or ""
