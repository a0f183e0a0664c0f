"""`python -m benchmarks.readings`: what each difference between our reading and the preprint's changes; writes a table.

`bayes` (scripted planner) plays every game anew under each reading, since replans change what follows. What is judged
is the ego's own belief. Beside our reading stands each difference alone, then all of them, then the preprint's reading
with the other side of what it leaves unclear.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bba.agents import SeatSpec, load_agent
from bba.analysis.coordination import BeliefTally, belief_tally, calibration_error
from bba.analysis.snapshot import role_posterior
from bba.bench.statistics import Summary
from bba.files import write_whole
from bba.play import Game, Trace
from bba.play.trace import EGO
from bba.tabular import to_csv
from benchmarks.beliefs import delays_of, over_seeds, summed_bins
from benchmarks.summaries import OUT

LAYOUTS = ("open", "ring", "forced_coordination")
PARTNERS = ("switching", "bp:G1-1", "bp:G1-4", "bp:G2-2", "bp:G3-3")
OURS = "ours"
LEAD = "reward_minus_ours"
READINGS: Mapping[str, Mapping[str, Any]] = {
    OURS: {},
    "ours, u not counting the present belief": {"stability": 4},
    "ℓ of likelihoods as they are": {"contradiction_factors": "absolute"},
    "put-downs: exponent": {"support_as": "exponent"},
    "impossible roles kept": {"infeasible": "kept"},
    "no floor": {"floor": 0.0},
    "posterior of the last k actions": {"posterior_actions": "window"},
    "preprint": {"reading": "preprint"},
    "preprint, put-downs: factor": {"reading": "preprint", "support_as": "factor"},
    "preprint, posterior of the last k actions": {"reading": "preprint", "posterior_actions": "window"},
}


class ReadingTally(NamedTuple):
    """Counts over one game.

    Attributes:
        contradictions: steps in which the partner's last actions contradict the MAP.
        openings: of the gate.
        reward: of the team.
        belief: how good the ego's own belief is.
        delays: for each switch of the partner the steps until the new role is the MAP.
    """

    contradictions: int
    openings: int
    reward: int
    belief: BeliefTally
    delays: list[int]


class Row(NamedTuple):
    """One reading in one kitchen: of each game partner and seed, and the tally."""

    layout: str
    reading: str
    games: list[tuple[str, int]]
    tallies: list[ReadingTally]

    @property
    def seeds(self) -> int:
        """How many seeds the games have."""
        return len({seed for _, seed in self.games})

    @property
    def measures(self) -> dict[str, Summary]:
        """The measures over games, by the name of their column, with intervals over seeds."""
        ones = [1] * len(self.tallies)
        steps = [one.belief.steps for one in self.tallies]
        counts = {
            "contradictions": ([one.contradictions for one in self.tallies], ones),
            "openings": ([one.openings for one in self.tallies], ones),
            "reward": ([one.reward for one in self.tallies], ones),
            "accuracy": ([one.belief.right for one in self.tallies], steps),
            "log_loss": ([one.belief.log_loss for one in self.tallies], steps),
            "delay": ([sum(one.delays) for one in self.tallies], [len(one.delays) for one in self.tallies]),
        }
        return {name: over_seeds(self.layout, self.games, *sums) for name, sums in counts.items()}

    def lead_over(self, other: "Row") -> Summary:
        """Returns by how much rewards are above those of another reading in the same games, with an interval."""
        leads = [one.reward - theirs.reward for one, theirs in zip(self.tallies, other.tallies, strict=True)]
        return over_seeds(self.layout, self.games, leads, [1] * len(leads))


def main() -> None:
    """Plays, measures, and writes ``data/readings.csv``."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.readings", description=__doc__)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--horizon", type=int, default=2400)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    rows = list(measured(seeds, arguments.horizon))
    (arguments.out / "data").mkdir(parents=True, exist_ok=True)
    write_whole(arguments.out / "data" / "readings.csv", as_csv(rows))


def measured(seeds: Sequence[int], horizon: int) -> Iterator[Row]:
    """Yields a row for each kitchen and reading."""
    for layout in LAYOUTS:
        for name, values in READINGS.items():
            games = list(product(PARTNERS, seeds))
            tallies = [tally(Game(layout, _ego(values), *game, horizon=horizon, fast=True).run()) for game in games]
            yield Row(layout, name, games, tallies)


def _ego(values: Mapping[str, Any]) -> Any:
    return load_agent("bayes", SeatSpec(belief_changes=dict(values)))


def tally(trace: Trace) -> ReadingTally:
    """Returns the counts of a game."""
    decisions = [tick.decisions[EGO] for tick in trace.ticks]
    beliefs = np.array([role_posterior(one.belief) for one in decisions if one.belief is not None])
    gates = [one.gate for one in decisions if one.gate is not None]
    likely = np.maximum(beliefs, np.finfo(np.float64).tiny)  # without a floor a probability may come to 0
    return ReadingTally(
        contradictions=sum(gate.contradiction for gate in gates),
        openings=sum(gate.opens for gate in gates),
        reward=trace.score,
        belief=belief_tally(trace, likely),
        delays=list(delays_of(trace, beliefs)),
    )


def as_csv(rows: Sequence[Row]) -> str:
    """Returns the table: three columns for each measure, and the expected calibration error.

    The reward is also that above `OURS` in the same games.
    """
    names = [*rows[0].measures, LEAD]
    columns = ["layout", "reading", "games", "seeds"]
    columns += [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
    columns.append("calibration_error")
    ours = {row.layout: row for row in rows if row.reading == OURS}
    lines = []
    for row in rows:
        line: dict[str, Any] = {
            "layout": row.layout,
            "reading": row.reading,
            "games": len(row.tallies),
            "seeds": row.seeds,
        }
        leads = {LEAD: row.lead_over(ours[row.layout])}
        for name, summary in (row.measures | leads).items():
            for end, number in (("", summary.mean), ("_low", summary.low), ("_high", summary.high)):
                line[f"{name}{end}"] = "" if number is None else f"{number:.3f}"
        line["calibration_error"] = f"{calibration_error(summed_bins([one.belief for one in row.tallies])):.3f}"
        lines.append(line)
    return to_csv(lines, columns)


if __name__ == "__main__":
    main()
