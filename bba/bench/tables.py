"""The tables of a sweep as data: blocks of rows and columns, each cell with our value and the preprint's.

The preprint's values are those of another planner and labelled so.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, pvariance
from typing import Any, NamedTuple

from pydantic import BaseModel

from bba.agents import OWN_POLICY, model_of
from bba.analysis import BR_PROX, MeasureValue, SwitchResponse
from bba.bench.episode import EpisodeResult, TableEntry, label
from bba.bench.presets import Axis, Sweep, TableSpec
from bba.bench.statistics import (
    Summary,
    grouped,
    interquartile_mean,
    matched,
    mean_difference,
    over_seeds,
    share_within,
)
from bba.errors import BBAError
from bba.files import checked, data_dir, read_text

Heading = dict[Axis, str]
POOLED = "all"  # the group that stands for all groups of a layout
CURVE_STEPS = 60  # steps after a switch that a recovery curve covers


PAPER_FILE = "paper.json"
FIRST_MODEL = "gpt-4o"  # the preprint's language model where it names no other


class PaperPlace(BaseModel, frozen=True, extra="forbid"):
    """The place of a value: `agent` is ``first - second`` for a difference, `model` None without a language model."""

    table: str
    agent: str
    model: str | None = None
    layout: str
    group: str
    variant: str = "default"
    measure: str


class PaperValue(PaperPlace, frozen=True):
    """One value of the preprint and its place in the tables.

    Attributes:
        mean: the value.
        sd: its standard deviation; None for a difference.
        low, high: the interval of a difference; None for other values.
    """

    mean: float
    sd: float | None = None
    low: float | None = None
    high: float | None = None


@cache
def paper_values() -> dict[PaperPlace, PaperValue]:
    """Returns all values by place.

    Raises:
        BBAError: the file is damaged.
    """
    path = data_dir("configs/benchmarks") / PAPER_FILE
    try:
        figures = json.loads(read_text(path))["figures"]
    except (ValueError, KeyError, TypeError):
        raise BBAError(f"{path}: not a file of the preprint's values") from None
    found = [checked(PaperValue, entry, path) for entry in figures]
    return {PaperPlace(**value.model_dump(include=set(PaperPlace.model_fields))): value for value in found}


def paper_value(place: PaperPlace) -> PaperValue | None:
    """Returns the value of a place; without one for this planner, that of the first model or of no model."""
    model = model_of(place.model) or place.model
    tried = (place.model_copy(update={"model": name}) for name in (model, FIRST_MODEL, None))
    return next((paper_values()[place] for place in tried if place in paper_values()), None)


class DataPoints(NamedTuple):
    """The values of episodes that differ in their seed alone, or of differences of two, and their place in the tables.

    Attributes:
        place: where the preprint's value for them would be.
        heading: the value of each axis.
        values: seed and value of each; without those in which there was nothing to count.
        missing: how many episodes failed or were not played.
    """

    place: PaperPlace
    heading: Heading
    values: list[tuple[int, float]]
    missing: int


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
    points = _points(sweep, entries, results)
    titles, rows, columns = (_headings(points, axes, spec) for axes in (spec.blocks, spec.rows, spec.columns))
    return [
        _block(title, [point for point in points if _pick(point, spec.blocks) == title], spec, rows, columns)
        for title in titles
    ]


def _headings(points: Iterable[DataPoints], axes: Sequence[Axis], spec: TableSpec) -> list[Heading]:
    """Returns the headings on these axes, each once; sorted by measure if the measure is the first axis."""
    found = list({tuple(heading.values()): heading for heading in (_pick(point, axes) for point in points)}.values())
    if axes[:1] == ("measure",):
        return sorted(found, key=lambda heading: spec.measures.index(heading["measure"]))
    return found


def _pick(point: DataPoints, axes: Iterable[Axis]) -> Heading:
    return {axis: point.heading[axis] for axis in axes}


def _block(
    title: Heading, points: list[DataPoints], spec: TableSpec, all_rows: list[Heading], all_columns: list[Heading]
) -> TableBlock:
    cells = grouped(
        ((tuple(_pick(point, spec.rows).values()), tuple(_pick(point, spec.columns).values())), point)
        for point in points
    )
    rows = [row for row in all_rows if any(tuple(row.values()) == place for place, _ in cells)]
    columns = [column for column in all_columns if any(tuple(column.values()) == place for _, place in cells)]
    table = [[_cell(cells.get((tuple(r.values()), tuple(c.values())), []), spec) for c in columns] for r in rows]
    return TableBlock(title, rows, columns, table)


def _cell(points: list[DataPoints], spec: TableSpec) -> TableCell:
    """Returns the cell of these points; it has a value of the preprint only if all of them have the same place."""
    places = {point.place for point in points}
    paper = paper_value(places.pop()) if len(places) == 1 else None
    return TableCell(_summary(points, spec), sum(point.missing for point in points), paper)


def _summary(points: list[DataPoints], spec: TableSpec) -> Summary | None:
    values = [value for point in points for value in point.values]
    if spec.paired:
        return mean_difference([value for _, value in values])
    if points and points[0].place.measure == BR_PROX:
        return interquartile_mean([value for _, value in values])
    return over_seeds(values)


def _points(sweep: Sweep, entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[DataPoints]:
    """Returns the points of each case and measure; none for BR-Prox if no best response was played."""
    table = sweep.table
    best = dict[tuple[str, ...], float]()
    if BR_PROX in table.measures and not table.paired:
        best = _best_responses(entries, results)
    measures = [measure for measure in table.measures if measure != BR_PROX or best or table.paired]
    points = []
    for shown, named, cases in _cases(sweep, entries):
        axes = heading(sweep, shown) | {"agent": named}
        found = [(seed, [_measured(key, results) for key in keys]) for seed, keys in cases]
        missing = sum(None in games for _, games in found)
        for measure in measures:
            values = []
            for seed, games in found:
                known = [value for game in games if (value := _value(shown, game, measure, best)) is not None]
                if len(known) == len(games):
                    values.append((seed, known[0] - sum(known[1:])))
            place = PaperPlace(
                table=sweep.paper or "",
                agent=shown.agent,
                model=shown.planner,
                layout=shown.layout,
                group=axes["group"],
                variant=shown.variant,
                measure=measure,
            )
            points.append(DataPoints(place, axes | {"measure": measure}, values, missing))
    return points


Case = tuple[int, tuple[str, ...]]  # a seed, and the keys of its episode, or of the two whose difference counts


def _cases(sweep: Sweep, entries: Sequence[TableEntry]) -> Iterator[tuple[TableEntry, str, list[Case]]]:
    """Yields entries that differ in their seed alone as one, its label, and the cases.

    Of a paired sweep these are all pairs of entries that differ in nothing but the agent.
    """
    if sweep.table.paired is None:
        alone: dict[tuple[Any, ...], list[Case]] = grouped((one[:-2], (one.seed, (one.key,))) for one in entries)
        for where, cases in alone.items():
            shown = TableEntry._make((*where, 0, ""))
            yield shown, shown.label, cases
        return
    first, second = sweep.table.paired
    firsts, seconds = ([entry for entry in entries if entry.agent == name] for name in (first, second))
    pairs: dict[tuple[Any, ...], list[Case]] = {}
    for one, two in matched(firsts, seconds, lambda entry: entry[2:-1]):
        pairs.setdefault((one[:-2], two[:2]), []).append((one.seed, (one.key, two.key)))
    for (where, (agent, planner)), cases in pairs.items():
        shown = TableEntry._make((*where, 0, ""))
        yield shown._replace(agent=f"{first} - {second}"), f"{shown.label} − {label(agent, planner)}", cases


def heading(sweep: Sweep, entry: TableEntry) -> Heading:
    """Returns the value of each axis for an entry, but for the measure."""
    group = POOLED if entry.layout in sweep.table.pool and len(sweep.partners) > 1 else entry.group
    return {"agent": entry.label, "layout": entry.layout, "group": group, "variant": entry.variant}


def _measured(key: str, results: Mapping[str, EpisodeResult]) -> Mapping[str, MeasureValue] | None:
    """Returns the measures of an episode; None if it failed or was not played."""
    return results[key].measures if key in results else None


def _value(
    entry: TableEntry,
    measures: Mapping[str, MeasureValue] | None,
    measure: str,
    best: Mapping[tuple[str, ...], float],
) -> float | None:
    """Returns a measure of an entry; `best` holds the rewards of best responses, for BR-Prox."""
    if measures is None:
        return None
    if measure != BR_PROX:
        return measures.get(measure)  # results of older versions lack newer measures
    reward = measures.get("reward")
    response = best.get((entry.layout, entry.partner, entry.variant))
    return reward / response if reward is not None and response else None


def _best_responses(
    entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]
) -> dict[tuple[str, ...], float]:
    """Returns the mean reward of the best response by kitchen, partner and variant: the partner's own policy."""
    found = grouped(
        ((entry.layout, entry.partner, entry.variant), reward)
        for entry in entries
        if entry.agent == OWN_POLICY
        and (reward := _value(entry, _measured(entry.key, results), "reward", {})) is not None
    )
    return {place: fmean(rewards) for place, rewards in found.items()}


def repeat_spreads(entries: Sequence[TableEntry], results: Mapping[str, EpisodeResult]) -> list[dict[str, Any]]:
    """Returns for each agent, kitchen, group and variant with repeated games how far their rewards spread.

    The standard deviation between repeats is that of games with one seed and partner; the one between seeds is that of
    their means.
    """
    if len({entry[:-1] for entry in entries}) == len(entries):
        return []
    games = grouped(
        ((entry.label, entry.layout, entry.group, entry.variant), ((entry.seed, entry.partner), reward))
        for entry in entries
        if (reward := _value(entry, _measured(entry.key, results), "reward", {})) is not None
    )
    spreads = []
    for place, rewards in games.items():
        by_game = grouped(rewards)
        repeats = max(map(len, by_game.values()))
        seeds = over_seeds((seed, of) for (seed, _), of in rewards)
        if repeats > 1 and seeds is not None:
            within = math.sqrt(fmean(pvariance(values) for values in by_game.values()))
            heading = dict(zip(("agent", "layout", "group", "variant"), place, strict=True))
            spreads.append(heading | {"repeats": repeats, "between_repeats": within, "between_seeds": seeds.sd})
    return spreads


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
