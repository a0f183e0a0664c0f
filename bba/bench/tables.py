"""The tables of a sweep as data: blocks of rows and columns, each cell with our value and the preprint's."""

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, pvariance
from typing import Any, TypeVar

from bba.analysis import BR_PROX, SwitchResponse, find_measure
from bba.bench.episode import EpisodeResult, TableEntry
from bba.bench.preprint_values import PaperValue, paper_value
from bba.bench.presets import Sweep
from bba.bench.statistics import (
    GameValue,
    Summary,
    grouped,
    interquartile_mean,
    mean_with_interval,
    over_seeds,
    share_within,
)
from bba.bench.table_points import DataPoints, Heading, Kind, points_of, reward_of
from bba.bench.table_spec import AgentPair, Axis, TableSpec
from bba.tables import Best

Place = TypeVar("Place", bound=Hashable)
COMPARED_AXES = ("agent", "variant")  # on which cells compete to be the best
OVER_COLUMNS = "Mean over P1"  # the column of the means of rows
OVER_ROWS = "Mean over P0"  # the row of the means of columns
CURVE_STEPS = 60  # steps after a switch that a recovery curve covers


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell.

    Attributes:
        ours: our summary; None without values.
        missing: the number of missing episodes.
        paper: the preprint's value; None where it has none.
        kind: of the agent; None for a mean over agents, which competes with none.
        best: whether its mean is the best of those that differ in agent or variant alone. None is where all are equal,
            where neither more nor less is better, and among differences.
        pair: the labels of the two agents whose difference it is; None for a mean.
    """

    ours: Summary | None
    missing: int
    paper: PaperValue | None
    kind: Kind | None = None
    best: Best = ""
    pair: AgentPair | None = None


@dataclass(frozen=True, slots=True)
class TableBlock:
    """One table. A heading gives the value of each axis for a row or column; `title` is the heading of the block.

    With margins the last column has the heading `OVER_COLUMNS`, and the last row of means `OVER_ROWS`. `differences`
    says whether the cells are differences.
    """

    title: Heading
    rows: list[Heading]
    columns: list[Heading]
    cells: list[list[TableCell]]
    differences: bool = False


def table_blocks(sweep: Sweep, entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[TableBlock]:
    """Returns the tables of a sweep as its `TableSpec` lays them out; rows and columns in the order of its entries.

    Those of means come before those of differences.
    """
    spec = sweep.table
    points = points_of(sweep, entries, results)
    means = [point for point in points if point.pair is None]
    differences = [point for point in points if point.pair is not None]
    return _with_marks(_blocks(means, spec), spec) + _blocks(differences, spec)


def _blocks(points: Sequence[DataPoints], spec: TableSpec) -> list[TableBlock]:
    rows = _headings(points, spec.rows, spec)
    columns = _headings(points, spec.columns, spec)
    blocks = []
    for title in _headings(points, spec.blocks, spec):
        points_of_block = [point for point in points if _heading_on(point, spec.blocks) == title]
        blocks.append(_block(title, points_of_block, spec, rows, columns))
    return blocks


CellNumbers = tuple[int, int, int]  # of a block, a row and a column
Setting = tuple[str, frozenset[tuple[str, str]]]  # the measure of cells that compete, and all that they share


def _with_marks(blocks: Sequence[TableBlock], spec: TableSpec) -> list[TableBlock]:
    """Returns the tables with the best cells marked."""
    competing: list[tuple[Setting, tuple[CellNumbers, TableCell]]] = []
    for number, block in enumerate(blocks):
        for row, cells in enumerate(block.cells):
            for column, cell in enumerate(cells):
                axes = block.title | block.rows[row] | block.columns[column]
                shared = frozenset(pair for pair in axes.items() if pair[0] not in COMPARED_AXES)
                setting = (axes.get("measure", spec.measures[0]), shared)
                competing.append((setting, ((number, row, column), cell)))
    marks: dict[CellNumbers, Best] = {}
    for (measure, _), cells_by_numbers in grouped(competing).items():
        marks |= _best_cells(dict(cells_by_numbers), find_measure(measure).better)
    marked = []
    for number, block in enumerate(blocks):
        rows = []
        for row, cells in enumerate(block.cells):
            bests = [marks.get((number, row, column), "") for column in range(len(cells))]
            rows.append([replace(cell, best=best) for cell, best in zip(cells, bests, strict=True)])
        marked.append(replace(block, cells=rows))
    return marked


def _best_cells(cells: Mapping[Place, TableCell], better: int) -> dict[Place, Best]:
    """Returns which of several cells are the best of all, and which the best of their kind.

    Args:
        cells: those that compete, by place.
        better: 1 where more is better, -1 where less is, 0 where neither is.
    """
    means_by_kind: dict[Kind, dict[Place, float]] = {}
    for place, cell in cells.items():
        if cell.kind is not None and cell.ours is not None:
            means_by_kind.setdefault(cell.kind, {})[place] = cell.ours.mean
    marks: dict[Place, Best] = {}
    all_means: dict[Place, float] = {}
    for means in means_by_kind.values():
        marks |= dict.fromkeys(_best_places(means, better), "kind")
        all_means |= means
    return marks | dict.fromkeys(_best_places(all_means, better), "all")


def _best_places(means: Mapping[Place, float], better: int) -> list[Place]:
    """Returns the places of the best mean; none where all are equal or neither more nor less is better."""
    least = min(means.values(), default=0.0)
    most = max(means.values(), default=0.0)
    if better == 0 or least == most:
        return []
    best = most if better > 0 else least
    return [place for place, mean in means.items() if mean == best]


def _headings(points: Iterable[DataPoints], axes: Sequence[Axis], spec: TableSpec) -> list[Heading]:
    """Returns the headings on these axes, each once; sorted by measure if the measure is the first axis."""
    heading_by_values = {_values_on(point, axes): _heading_on(point, axes) for point in points}
    headings = list(heading_by_values.values())
    if axes[:1] == ("measure",):
        headings.sort(key=lambda heading: spec.measures.index(heading["measure"]))
    return headings


def _heading_on(point: DataPoints, axes: Iterable[Axis]) -> Heading:
    return {axis: point.heading[axis] for axis in axes}


def _values_on(point: DataPoints, axes: Iterable[Axis]) -> tuple[str, ...]:
    return tuple(point.heading[axis] for axis in axes)


def _block(
    title: Heading, points: list[DataPoints], spec: TableSpec, all_rows: list[Heading], all_columns: list[Heading]
) -> TableBlock:
    points_by_place: dict[tuple[tuple[str, ...], tuple[str, ...]], list[DataPoints]] = {}
    for point in points:
        place = (_values_on(point, spec.rows), _values_on(point, spec.columns))
        points_by_place.setdefault(place, []).append(point)
    filled_rows = {row_place for row_place, _ in points_by_place}
    filled_columns = {column_place for _, column_place in points_by_place}
    rows = [row for row in all_rows if tuple(row.values()) in filled_rows]
    columns = [column for column in all_columns if tuple(column.values()) in filled_columns]
    cells = []
    for row in rows:
        places = [(tuple(row.values()), tuple(column.values())) for column in columns]
        cells.append([_cell(points_by_place.get(place, []), spec) for place in places])
    block = TableBlock(title, rows, columns, cells, differences=points[0].pair is not None)
    return _with_margins(block, points, spec) if spec.margins else block


def _with_margins(block: TableBlock, points: Sequence[DataPoints], spec: TableSpec) -> TableBlock:
    """Returns a table of agents by groups with the means of its rows as a column, and those of its columns as a row.

    Differences have no such row.
    """
    cells: list[list[TableCell]] = []
    for row, of_row in zip(block.rows, block.cells, strict=True):
        points_of_row = [point for point in points if _heading_on(point, spec.rows) == row]
        cells.append([*of_row, _margin(points_of_row, of_row, spec)])
    columns = [*block.columns, dict.fromkeys(spec.columns, OVER_COLUMNS)]
    if block.differences:
        return replace(block, columns=columns, cells=cells)
    over_agents: list[TableCell] = []
    for number, column in enumerate(block.columns):
        points_of_column = [point for point in points if _heading_on(point, spec.columns) == column]
        over_agents.append(_margin(points_of_column, [of_row[number] for of_row in block.cells], spec))
    over_agents.append(_margin(points, [cell for of_row in block.cells for cell in of_row], spec))
    over_agents = [replace(cell, kind=None) for cell in over_agents]
    rows = [*block.rows, dict.fromkeys(spec.rows, OVER_ROWS)]
    return TableBlock(block.title, rows, columns, [*cells, over_agents])


def _margin(points: Sequence[DataPoints], cells: Sequence[TableCell], spec: TableSpec) -> TableCell:
    """Returns the mean of these cells, whose points these are: each seed counts with the mean of all its games.

    The preprint's value is the mean of its cells, without a standard deviation; None where one of them has none.
    """
    papers = [cell.paper for cell in cells if cell.paper is not None]
    paper = None
    if papers and len(papers) == len(cells):
        changes = {"mean": fmean(value.mean for value in papers), "sd": None, "computed": True}
        paper = papers[0].model_copy(update=changes)
    missing = sum(point.missing for point in points)
    return TableCell(_summary(points, spec), missing, paper, _kind(points), pair=_pair(points))


def _cell(points: list[DataPoints], spec: TableSpec) -> TableCell:
    """Returns the cell of these points; it has a value of the preprint only if all of them have the same place."""
    places = {point.place for point in points}
    paper = paper_value(places.pop()) if len(places) == 1 else None
    missing = sum(point.missing for point in points)
    return TableCell(_summary(points, spec), missing, paper, _kind(points), pair=_pair(points))


def _pair(points: Sequence[DataPoints]) -> AgentPair | None:
    """Returns the pair of agents whose points these are; None without points, and for means."""
    return points[0].pair if points else None


def _kind(points: Sequence[DataPoints]) -> Kind | None:
    """Returns the kind of the agent whose points these are; None without points."""
    return points[0].kind if points else None


def _summary(points: Sequence[DataPoints], spec: TableSpec) -> Summary | None:
    if points and points[0].place.measure == BR_PROX:
        return interquartile_mean([value for point in points for _, value in point.values])
    if spec.paired:
        return mean_with_interval(game for point in points for game in _game_values(point))
    return over_seeds(pair for point in points for pair in point.values)


def _game_values(point: DataPoints) -> Iterator[GameValue]:
    for seed, value in point.values:
        yield GameValue(point.place.layout, point.partner, seed, value)


def repeat_spreads(entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[dict[str, Any]]:
    """Returns for each agent, kitchen, group and variant with repeated games how far their rewards spread.

    The standard deviation between repeats is that of games with one seed and partner; the one between seeds is that of
    their means.
    """
    if len({entry[:-1] for entry in entries}) == len(entries):
        return []
    games_by_place: dict[tuple[str, ...], list[tuple[tuple[int, str], float]]] = {}
    for entry in entries:
        reward = reward_of(entry, results)
        if reward is not None:
            place = (entry.label, entry.layout, entry.group, entry.variant)
            games_by_place.setdefault(place, []).append(((entry.seed, entry.partner), reward))
    spreads = []
    for (agent, layout, group, variant), games in games_by_place.items():
        rewards_by_game = grouped(games)
        repeats = max(len(rewards) for rewards in rewards_by_game.values())
        summary = over_seeds((seed, reward) for (seed, _), reward in games)
        if repeats > 1 and summary is not None:
            mean_variance = fmean(pvariance(rewards) for rewards in rewards_by_game.values())
            spread = {
                "agent": agent,
                "layout": layout,
                "group": group,
                "variant": variant,
                "repeats": repeats,
                "between_repeats": math.sqrt(mean_variance),
                "between_seeds": summary.sd,
            }
            spreads.append(spread)
    return spreads


def recovery_curves(entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[dict[str, Any]]:
    """Returns for each agent, kitchen and variant the share of switches complemented within 0 to `CURVE` steps."""
    responses_by_place: dict[tuple[str, str, str], list[SwitchResponse]] = {}
    for entry in entries:
        responses = results[entry.key].switch_responses if entry.key in results else ()
        responses_by_place.setdefault((entry.label, entry.layout, entry.variant), []).extend(responses)
    curves = []
    for (agent, layout, variant), responses in responses_by_place.items():
        delays = [response.complemented for response in responses]
        curve = {
            "agent": agent,
            "layout": layout,
            "variant": variant,
            "switches": len(responses),
            "share": share_within(delays, CURVE_STEPS),
        }
        curves.append(curve)
    return curves
