"""`python -m benchmarks.beliefs`: how good the named beliefs are on the same games; writes a table and a figure.

It plays `bayes` (scripted planner) with partners that adapt and with locked ones, and lets each belief read the games.
Seeds 0 to 19 and 100 to 119 are for reported results and are not to be used here.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.agents.planning_agent import partner_model
from bba.analysis.coordination import BeliefTally, Bins, belief_tally, calibration_error, reliability
from bba.analysis.human_choices import role_changes
from bba.belief import ROLE_NAMES
from bba.bench.statistics import GameRatio, Summary, ratio_with_interval
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.files import write_whole
from bba.palette import LIGHT
from bba.play import Game, Trace
from bba.play.ticks import step_arrays
from bba.play.trace import EGO
from bba.report.drawing import Axes, colour, draw, page_colours, standalone
from bba.tabular import to_csv
from benchmarks.summaries import OUT

LAYOUTS = ("open", "ring")
ADAPTIVE = ("switching", "bp:G1-1", "bp:G1-4", "bp:G2-2", "bp:G3-3")
PARTNERS = {"adaptive": ADAPTIVE, "locked": tuple(f"{name}+locked" for name in ADAPTIVE)}
FEWEST = 200  # steps of a bin that is drawn
LONGEST_DELAY = 30  # steps after which the search for a switch in the belief is given up
BELIEFS: Mapping[str, Mapping[str, Any]] = {
    "the preprint's": {"belief": "preprint"},
    "the preprint's over skills": {"belief": "preprint", "psi": "skills"},
    "skills, prior: the network's": {"belief": "skills", "prior": "network"},
    "skills, prior: preferences": {"belief": "skills"},
}


class Row(NamedTuple):
    """One belief with one kind of partner in one kitchen: of each game partner and seed, the tally and the delays."""

    layout: str
    partners: str
    belief: str
    games: list[tuple[str, int]]
    tallies: list[BeliefTally]
    delays: list[list[int]]

    @property
    def measures(self) -> dict[str, Summary]:
        """The measures over games, by the name of their column, with intervals over seeds."""
        steps = [one.steps for one in self.tallies]
        switches = [len(one) for one in self.delays]
        return {
            "accuracy": over_seeds(self.layout, self.games, [one.right for one in self.tallies], steps),
            "log_loss": over_seeds(self.layout, self.games, [one.log_loss for one in self.tallies], steps),
            "delay": over_seeds(self.layout, self.games, [sum(one) for one in self.delays], switches),
        }


def over_seeds(
    layout: str, games: Sequence[tuple[str, int]], above: Sequence[float], below: Sequence[float]
) -> Summary:
    """Returns a ratio of sums over the games of a kitchen, by partner and seed, with its interval over seeds."""
    counted = []
    for (partner, seed), over, under in zip(games, above, below, strict=True):
        counted.append(GameRatio(layout, partner, seed, over, under))
    ratio = ratio_with_interval(counted)
    if ratio is None:
        raise BBAError("the games are too short: there is nothing to count in any of them")
    return ratio


def main() -> None:
    """Plays, measures, and writes ``data/beliefs.csv`` and ``beliefs.svg``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beliefs", description=__doc__)
    parser.add_argument("--first-seed", type=int, default=60)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--horizon", type=int, default=2400)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    rows = list(measured(seeds, arguments.horizon))
    (arguments.out / "data").mkdir(parents=True, exist_ok=True)
    write_whole(arguments.out / "data" / "beliefs.csv", as_csv(rows))
    write_whole(arguments.out / "beliefs.svg", figure(rows))


def measured(seeds: Sequence[int], horizon: int) -> Iterator[Row]:
    """Yields a row for each kitchen, kind of partner and belief."""
    for layout in LAYOUTS:
        for kind, partners in PARTNERS.items():
            games = list(product(partners, seeds))
            traces = [Game(layout, "bayes", *game, horizon=horizon, fast=True).run() for game in games]
            for name, values in BELIEFS.items():
                believed = [posteriors(trace, BeliefConfig.of(values)) for trace in traces]
                tallies = [belief_tally(*one) for one in zip(traces, believed, strict=True)]
                delays = [list(delays_of(*one)) for one in zip(traces, believed, strict=True)]
                yield Row(layout, kind, name, games, tallies, delays)


def posteriors(trace: Trace, config: BeliefConfig) -> NDArray[np.float64]:
    """Returns what a new model believes at each step of a game, by role, (steps, 6), before the step's actions."""
    model = partner_model(trace.config.context(EGO, fast=True), config)
    by_role = model.hypotheses.by_role
    before = None
    found = []
    for state in (trace.start, *(tick.state for tick in trace.ticks[:-1])):
        found.append(by_role(model.observe(before, state, mid_skill=False).belief.posterior))
        before = state
    return np.array(found).reshape(-1, len(ROLE_NAMES))


def delays_of(trace: Trace, beliefs: NDArray[np.float64]) -> Iterator[int]:
    """Yields for each switch of the partner the steps until the new role is the MAP, at most `LONGEST_DELAY`."""
    best = beliefs.argmax(axis=1)
    for change in role_changes(step_arrays(trace.ticks)):
        followed = np.flatnonzero(best[change.start : change.start + LONGEST_DELAY] == change.role)
        yield int(followed[0]) if len(followed) else LONGEST_DELAY


def as_csv(rows: Sequence[Row]) -> str:
    """Returns the table: three columns for each measure, and the expected calibration error."""
    names = list(rows[0].measures)
    columns = ["layout", "partners", "belief", "games"]
    columns += [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
    columns.append("calibration_error")
    lines = []
    for row in rows:
        numbers: list[float | None] = []
        for name in names:
            summary = row.measures[name]
            numbers += [summary.mean, summary.low, summary.high]
        numbers.append(calibration_error(summed_bins(row.tallies)))
        texts = ["" if number is None else f"{number:.3f}" for number in numbers]
        values = [row.layout, row.partners, row.belief, len(row.tallies), *texts]
        lines.append(dict(zip(columns, values, strict=True)))
    return to_csv(lines, columns)


def summed_bins(tallies: Sequence[BeliefTally]) -> Bins:
    """Returns the bins of all games together."""
    bins: Bins = np.sum([tally.bins for tally in tallies], axis=0)
    return bins


def figure(rows: Sequence[Row]) -> str:
    """Returns the reliability diagram: how often the MAP is right against how sure the belief is of it."""

    def paint(_: object, axes: list[list[Axes]]) -> None:
        for panel, kind in zip(axes[0], PARTNERS, strict=True):
            panel.set_title(f"partners: {kind}")
            panel.set_xlabel("probability of the MAP role")
            panel.plot([0, 1], [0, 1], "--", color=colour(5), linewidth=0.8)
            for number, name in enumerate(BELIEFS):
                found = [one for row in rows if (row.partners, row.belief) == (kind, name) for one in row.tallies]
                points = [point for point in reliability(summed_bins(found)) if point[2] >= FEWEST]
                places = [point[0] for point in points], [point[1] for point in points]
                panel.plot(*places, "o-", color=colour(number), label=name, linewidth=1.2, markersize=3)
        axes[0][0].set_ylabel("share of steps in which it is right")
        axes[0][1].legend(loc="lower right", fontsize=8)

    return standalone(draw("beliefs", (1, len(PARTNERS)), 3.6, paint, sharey="row"), page_colours(LIGHT))


if __name__ == "__main__":
    main()
