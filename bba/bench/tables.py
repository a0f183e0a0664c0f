"""The tables of a sweep as data: blocks of rows and columns, each cell with our value and the preprint's."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from bba.agents import OWN_POLICY
from bba.analysis.coordination import SwitchResponse
from bba.analysis.measures import BR_PROX
from bba.bench.episode import EpisodeResult
from bba.bench.paper import PaperPlace, PaperValue, paper_value
from bba.bench.plan import TableEntry
from bba.bench.presets import Axis, Sweep, TableSpec
from bba.bench.statistics import Summary, interquartile_mean, mean_difference, over_seeds, share_within

Heading = dict[Axis, str]
POOLED = "all"  # the group that stands for all groups of a layout
CURVE_STEPS = 60  # steps after a switch that a recovery curve covers


class DataPoint(NamedTuple):
    """One value of one episode, or the difference of two episodes, and its place in the tables.

    Attributes:
        place: where the preprint's value for it would be.
        heading: the value of each axis.
        seed: the episode's seed.
        value: None if there was nothing to count or the episode is missing.
        missing: whether the episode failed or was not played.
    """

    place: PaperPlace
    heading: Heading
    seed: int
    value: float | None
    missing: bool


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell: our summary (None without values), the number of missing episodes, and the preprint's value."""

    ours: Summary | None
    missing: int
    paper: PaperValue | None


@dataclass(frozen=True, slots=True)
class TableBlock:
    """One table. A heading gives the value of each axis for a row or column; `title` is the heading of the block."""

    title: Heading
    rows: list[Heading]
    columns: list[Heading]
    cells: list[list[TableCell]]


def table_blocks(sweep: Sweep, entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[TableBlock]:
    """Returns the tables of a sweep as its `TableSpec` lays them out; rows and columns in the order of its entries."""
    spec = sweep.table
    points = _paired(sweep, entries, results) if spec.paired else _single(sweep, entries, results)
    titles, rows, columns = (_headings(points, axes, spec) for axes in (spec.blocks, spec.rows, spec.columns))
    return [
        _block(title, [point for point in points if _pick(point, spec.blocks) == title], spec, rows, columns)
        for title in titles
    ]


def _headings(points: Iterable[DataPoint], axes: Sequence[Axis], spec: TableSpec) -> list[Heading]:
    """Returns the headings on these axes, each once; sorted by measure if the measure is the first axis."""
    picked = (_pick(point, axes) for point in points)
    found = list({tuple(heading.values()): heading for heading in picked}.values())
    if axes[:1] == ("measure",):
        return sorted(found, key=lambda heading: spec.measures.index(heading["measure"]))
    return found


def _pick(point: DataPoint, axes: Iterable[Axis]) -> Heading:
    return {axis: point.heading[axis] for axis in axes}


def _block(
    title: Heading, points: list[DataPoint], spec: TableSpec, all_rows: list[Heading], all_columns: list[Heading]
) -> TableBlock:
    """Returns the block of these points, with those rows and columns in which there are any."""
    cells: dict[tuple[tuple[str, ...], tuple[str, ...]], list[DataPoint]] = {}
    for point in points:
        row, column = _pick(point, spec.rows), _pick(point, spec.columns)
        cells.setdefault((tuple(row.values()), tuple(column.values())), []).append(point)
    rows = [row for row in all_rows if any(tuple(row.values()) == place for place, _ in cells)]
    columns = [column for column in all_columns if any(tuple(column.values()) == place for _, place in cells)]
    table = [[_cell(cells.get((tuple(r.values()), tuple(c.values())), []), spec) for c in columns] for r in rows]
    return TableBlock(title, rows, columns, table)


def _cell(points: list[DataPoint], spec: TableSpec) -> TableCell:
    """Returns the cell of these points; it has a value of the preprint only if all of them have the same place."""
    places = {point.place for point in points}
    counted = [point for point in points if point.value is not None]
    paper = paper_value(places.pop()) if len(places) == 1 else None
    return TableCell(_summary(counted, spec), sum(point.missing for point in points), paper)


def _summary(points: list[DataPoint], spec: TableSpec) -> Summary | None:
    values = [(point.seed, point.value) for point in points if point.value is not None]
    if spec.paired:
        return mean_difference([value for _, value in values])
    if points and points[0].place.measure == BR_PROX:
        return interquartile_mean([value for _, value in values])
    return over_seeds(values)


def _single(sweep: Sweep, entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[DataPoint]:
    """Returns a point for each entry and measure; none for BR-Prox if no best response was played."""
    best = _best_responses(entries, results) if BR_PROX in sweep.table.measures else {}
    return [
        _point(sweep, entry, entry.label, measure, _value(entry, measure, results, best), _missing(entry, results))
        for entry in entries
        for measure in sweep.table.measures
        if measure != BR_PROX or best
    ]


def _paired(sweep: Sweep, entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[DataPoint]:
    """Returns the differences of two agents in matched entries: those that differ in nothing else."""
    first, second = sweep.table.paired or ("", "")
    others = {entry[2:-1]: entry for entry in entries if entry.agent == second}
    points = []
    for entry in entries:
        other = others.get(entry[2:-1])
        if entry.agent == first and other is not None:
            missing = _missing(entry, results) or _missing(other, results)
            label = f"{entry.label} − {other.label}"
            pair = entry._replace(agent=f"{first} - {second}")
            for measure in sweep.table.measures:
                a, b = _value(entry, measure, results, {}), _value(other, measure, results, {})
                value = None if a is None or b is None else a - b
                points.append(_point(sweep, pair, label, measure, value, missing))
    return points


def _point(sweep: Sweep, entry: TableEntry, label: str, measure: str, value: float | None, missing: bool) -> DataPoint:
    group = _group(sweep, entry)
    place = PaperPlace(
        table=sweep.paper or "",
        agent=entry.agent,
        model=entry.planner,
        layout=entry.layout,
        group=group,
        variant=entry.variant,
        measure=measure,
    )
    axes = heading(sweep, entry) | {"agent": label, "measure": measure}
    return DataPoint(place, axes, entry.seed, value, missing)


def heading(sweep: Sweep, entry: TableEntry) -> Heading:
    """Returns the value of each axis for an entry, but for the measure."""
    return {"agent": entry.label, "layout": entry.layout, "group": _group(sweep, entry), "variant": entry.variant}


def _group(sweep: Sweep, entry: TableEntry) -> str:
    return POOLED if entry.layout in sweep.table.pool and len(sweep.partners) > 1 else entry.group


def _missing(entry: TableEntry, results: Mapping[str, EpisodeResult]) -> bool:
    return entry.key not in results or results[entry.key].measures is None


def _value(
    entry: TableEntry, measure: str, results: Mapping[str, EpisodeResult], best: Mapping[tuple[str, ...], float]
) -> float | None:
    """Returns a measure of an entry; `best` holds the rewards of best responses, for BR-Prox."""
    measures = results[entry.key].measures if entry.key in results else None
    if measures is None:
        return None
    if measure != BR_PROX:
        return measures.get(measure)  # results of older versions lack newer measures
    reward, response = measures.get("reward"), best.get((entry.layout, entry.partner, entry.variant))
    return reward / response if reward is not None and response else None


def _best_responses(
    entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]
) -> dict[tuple[str, ...], float]:
    """Returns the mean reward of the best response by kitchen, partner and variant: the partner's own policy."""
    found: dict[tuple[str, ...], list[float]] = {}
    for entry in entries:
        reward = _value(entry, "reward", results, {})
        if entry.agent == OWN_POLICY and reward is not None:
            found.setdefault((entry.layout, entry.partner, entry.variant), []).append(reward)
    return {place: fmean(rewards) for place, rewards in found.items()}


def recovery_curves(entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[dict[str, Any]]:
    """Returns for each agent, kitchen and variant the share of switches complemented within 0 to `CURVE` steps."""
    found: dict[tuple[str, str, str], list[SwitchResponse]] = {}
    for entry in entries:
        stored = results[entry.key].switch_responses if entry.key in results else ()
        found.setdefault((entry.label, entry.layout, entry.variant), []).extend(stored)
    return [
        {
            "agent": agent,
            "layout": layout,
            "variant": variant,
            "switches": len(responses),
            "share": share_within([response.complemented for response in responses], CURVE_STEPS),
        }
        for (agent, layout, variant), responses in found.items()
    ]
