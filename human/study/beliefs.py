"""How well belief and gates follow the recorded people of a study: figures, and what can be concluded from them."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np

from bba.analysis.belief_comparison import BINS, Bins, calibration_error
from bba.bench.statistics import mean_difference
from bba.tabular import Row

ENOUGH = 6  # people; with fewer, an interval over people says nothing about others

EACH_ONCE = "Each person counts once, with the mean over their games; intervals are 95 %, over people"


class PeopleFigure(NamedTuple):
    """A figure over people: its name, mean and interval as text, and the number of people who have one."""

    name: str
    mean: str
    interval: str
    people: int


class BeliefsBesidePeople(NamedTuple):
    """How well belief and gates follow the recorded people: the figures, and what can be concluded from them."""

    figures: list[PeopleFigure]
    caution: str


def beliefs_beside_people(calibrations: Sequence[Row], gates: Sequence[Row]) -> BeliefsBesidePeople:
    """Returns how well belief and gates follow the people in these rows of `calibration` and `gates`."""
    people = sorted({str(row["participant"]) for row in gates})
    found = _values(people, calibrations, gates)
    return BeliefsBesidePeople([_figure(name, values) for name, values in found.items()], _caution(len(people)))


def beliefs_in_words(calibrations: Sequence[Row], gates: Sequence[Row]) -> str:
    """Returns a section in Markdown: calibration and gates beside the recorded people, and what cannot be concluded."""
    figures, caution = beliefs_beside_people(calibrations, gates)
    lines = [f"{EACH_ONCE}.", "", "| measure | mean | interval | people |", "|---|---:|---|---:|"]
    lines += [f"| {one.name} | {one.mean} | {one.interval} | {one.people} |" for one in figures]
    return "\n".join([*lines, "", caution]) + "\n"


def _values(people: Sequence[str], calibrations: Sequence[Row], gates: Sequence[Row]) -> Mapping[str, list[float]]:
    """Returns each figure's values, one a person who has one."""
    bins = [_bins(row for row in calibrations if row["participant"] == person) for person in people]
    figures = {
        "share of steps in which the likeliest role is the pursued one": [
            right / steps for steps, _, right in (mine.sum(axis=0).tolist() for mine in bins) if steps
        ],
        "expected calibration error": [calibration_error(mine) for mine in bins if mine.any()],
    }
    for gate in ("contradiction", "commitment"):
        mine = [[row for row in gates if (row["participant"], row["gate"]) == (one, gate)] for one in people]
        for column, within in (("caught_10", 10), ("caught_30", 30)):
            name = f"{gate} gate: share of switches caught within {within} steps"
            figures[name] = [_sum(rows, column) / _sum(rows, "switches") for rows in mine if _sum(rows, "switches")]
        needless = [1000 * _sum(rows, "needless") / _sum(rows, "steps") for rows in mine if _sum(rows, "steps")]
        figures[f"{gate} gate: needless openings in 1000 steps"] = needless
    return figures


def _bins(rows: Iterator[Row]) -> Bins:
    """Returns the bins of several games from their rows."""
    bins = np.zeros((BINS, 3))
    for row in rows:
        low, steps, belief, right = (float(row[name] or 0) for name in ("low", "steps", "belief", "right"))
        bins[round(low * BINS)] += steps, steps * belief, steps * right
    return bins


def _sum(rows: Sequence[Row], column: str) -> int:
    return sum(int(row[column] or 0) for row in rows)


def _figure(name: str, values: Sequence[float]) -> PeopleFigure:
    if not values:
        return PeopleFigure(name, "–", "–", 0)
    if len(values) < ENOUGH:
        return PeopleFigure(name, f"{fmean(values):.3f}", "too few people", len(values))
    summary = mean_difference(values)
    assert summary is not None
    return PeopleFigure(name, f"{summary.mean:.3f}", f"{summary.low:.3f} to {summary.high:.3f}", summary.n)


def _caution(people: int) -> str:
    if people >= ENOUGH:
        return "The intervals hold for people as these were recruited, in these kitchens, beside these agents."
    if people == 0:
        return "No game of a person who counts has been recorded yet."
    them = "1 person" if people == 1 else f"{people} people"
    return (
        f"With {them} nothing can be concluded about others: these figures describe the recorded games only. "
        f"An interval is given from {ENOUGH} people on."
    )
