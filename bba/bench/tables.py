"""The tables of a sweep as data: blocks of rows and columns, each cell with our figure and the preprint's."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

from bba.agents import OWN_POLICY
from bba.analysis.measures import SwitchResponse
from bba.bench.paper import PaperPlace, PaperValue, paper_value
from bba.bench.plan import TableEntry
from bba.bench.presets import BR_PROX, Axis, Sweep, TableSpec
from bba.bench.results_store import StoredResult
from bba.bench.statistics import Summary, interquartile_mean, mean_difference, over_seeds, recovery_curve

Heading = dict[Axis, str]
POOLED = "all"  # the group that stands for all groups of a layout
CURVE = 60  # steps after a switch that a recovery curve covers


class DataPoint(NamedTuple):
    """One number of one episode (or of two, where a difference is shown) and where it belongs.

    `value` is None where there was nothing to count, and where `missing`: an episode that failed or was not played.
    """

    place: PaperPlace
    heading: Heading
    seed: int
    value: float | None
    missing: bool


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell: what was measured (None: nothing), how many episodes are missing in it, and the preprint's figure."""

    ours: Summary | None
    missing: int
    paper: PaperValue | None


@dataclass(frozen=True, slots=True)
class TableBlock:
    """One table. Headings say for each axis which value a row or column stands for; `title` is that of the block."""

    title: Heading
    rows: list[Heading]
    columns: list[Heading]
    cells: list[list[TableCell]]


def table_blocks(sweep: Sweep, cases: Sequence[TableEntry], results: Mapping[str, StoredResult]) -> list[TableBlock]:
    """The tables of a sweep, as its `TableSpec` lays them out; rows and columns in the order of its cases."""
    spec = sweep.table
    points = _paired(sweep, cases, results) if spec.paired else _single(sweep, cases, results)
    order = _headings(points, spec)
    return [_block(title, [p for p in points if _pick(p, spec.blocks) == title], spec, order) for title in order[0]]


def _headings(points: Iterable[DataPoint], spec: TableSpec) -> tuple[list[Heading], list[Heading], list[Heading]]:
    """Those of blocks, rows and columns."""
    found: tuple[dict[tuple[str, ...], Heading], ...] = ({}, {}, {})
    for point in points:
        for axes, headings in zip((spec.blocks, spec.rows, spec.columns), found, strict=True):
            picked = _pick(point, axes)
            headings.setdefault(tuple(picked.values()), picked)
    first, second, third = (list(headings.values()) for headings in found)
    return _by_measure(first, spec), _by_measure(second, spec), _by_measure(third, spec)


def _by_measure(headings: list[Heading], spec: TableSpec) -> list[Heading]:
    """Blocks, rows or columns of the same measure side by side where the measure comes first."""
    if not headings or next(iter(headings[0]), None) != "measure":
        return headings
    return sorted(headings, key=lambda heading: spec.measures.index(heading["measure"]))


def _pick(point: DataPoint, axes: Iterable[Axis]) -> Heading:
    return {axis: point.heading[axis] for axis in axes}


def _block(
    title: Heading, points: list[DataPoint], spec: TableSpec, order: tuple[list[Heading], list[Heading], list[Heading]]
) -> TableBlock:
    cells: dict[tuple[tuple[str, ...], tuple[str, ...]], list[DataPoint]] = {}
    for point in points:
        row, column = _pick(point, spec.rows), _pick(point, spec.columns)
        cells.setdefault((tuple(row.values()), tuple(column.values())), []).append(point)
    rows = [row for row in order[1] if any(tuple(row.values()) == place for place, _ in cells)]
    columns = [column for column in order[2] if any(tuple(column.values()) == place for _, place in cells)]
    table = [[_cell(cells.get((tuple(r.values()), tuple(c.values())), []), spec) for c in columns] for r in rows]
    return TableBlock(title, rows, columns, table)


def _cell(points: list[DataPoint], spec: TableSpec) -> TableCell:
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


def _single(sweep: Sweep, cases: Sequence[TableEntry], results: Mapping[str, StoredResult]) -> list[DataPoint]:
    """The numbers of every case."""
    best = _best_responses(cases, results) if BR_PROX in sweep.table.measures else {}
    return [
        _point(sweep, case, case.label, measure, _value(case, measure, results, best), _missing(case, results))
        for case in cases
        for measure in sweep.table.measures
        if measure != BR_PROX or best
    ]


def _paired(sweep: Sweep, cases: Sequence[TableEntry], results: Mapping[str, StoredResult]) -> list[DataPoint]:
    """The differences of two agents in matched cases: those that differ in nothing else."""
    first, second = sweep.table.paired or ("", "")
    others = {case[2:-1]: case for case in cases if case.agent == second}
    points = []
    for case in cases:
        other = others.get(case[2:-1])
        if case.agent == first and other is not None:
            missing = _missing(case, results) or _missing(other, results)
            label = f"{case.label} − {other.label}"
            pair = case._replace(agent=f"{first} - {second}")
            for measure in sweep.table.measures:
                a, b = _value(case, measure, results, {}), _value(other, measure, results, {})
                value = None if a is None or b is None else a - b
                points.append(_point(sweep, pair, label, measure, value, missing))
    return points


def _point(sweep: Sweep, case: TableEntry, label: str, measure: str, value: float | None, missing: bool) -> DataPoint:
    group = _group(sweep, case)
    place = PaperPlace(sweep.paper or "", case.agent, case.planner, case.layout, group, case.variant, measure)
    return DataPoint(place, heading(sweep, case) | {"agent": label, "measure": measure}, case.seed, value, missing)


def heading(sweep: Sweep, case: TableEntry) -> Heading:
    """Where the episode of a case stands in the tables, whatever the measure."""
    return {"agent": case.label, "layout": case.layout, "group": _group(sweep, case), "variant": case.variant}


def _group(sweep: Sweep, case: TableEntry) -> str:
    return POOLED if case.layout in sweep.table.pool and len(sweep.partners) > 1 else case.group


def _missing(case: TableEntry, results: Mapping[str, StoredResult]) -> bool:
    return case.key not in results or results[case.key].measures is None


def _value(
    case: TableEntry, measure: str, results: Mapping[str, StoredResult], best: Mapping[tuple[str, ...], float]
) -> float | None:
    measures = results[case.key].measures if case.key in results else None
    if measures is None:
        return None
    if measure != BR_PROX:
        return measures[measure]
    reward, response = measures["reward"], best.get((case.layout, case.partner, case.variant))
    return reward / response if reward is not None and response else None


def _best_responses(cases: Sequence[TableEntry], results: Mapping[str, StoredResult]) -> dict[tuple[str, ...], float]:
    """For each kitchen, partner and variant the mean reward of its best response: the partner's own policy."""
    found: dict[tuple[str, ...], list[float]] = {}
    for case in cases:
        reward = _value(case, "reward", results, {})
        if case.agent == OWN_POLICY and reward is not None:
            found.setdefault((case.layout, case.partner, case.variant), []).append(reward)
    return {place: fmean(rewards) for place, rewards in found.items()}


def recovery_curves(cases: Sequence[TableEntry], results: Mapping[str, StoredResult]) -> list[dict[str, Any]]:
    """For each agent, kitchen and variant the share of switches that are complemented within 0 to 60 steps."""
    found: dict[tuple[str, str, str], list[SwitchResponse]] = {}
    for case in cases:
        stored = results[case.key].reactions if case.key in results else []
        found.setdefault((case.label, case.layout, case.variant), []).extend(stored)
    return [
        {
            "agent": agent,
            "layout": layout,
            "variant": variant,
            "switches": len(met),
            "share": recovery_curve(met, CURVE),
        }
        for (agent, layout, variant), met in found.items()
    ]
