"""`python -m benchmarks.prices`: what knowing the partner's role is worth to the scripted planner, at several prices.

The price is `OVERLAP_PENALTY` (`bba.planner.scripted.skill_choice`): tiles that a task in the partner's probable role
loses. For each price and kitchen, games whose ego has the true role in its prompt (`benchmarks.oracle`) or the
filter's belief are compared with the same games without a belief. The table is written to
docs/results/data/oracle.csv, with 95 % intervals over seeds.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from bba.agents import LEARNED, EpisodeContext, SeatSpec, planners, weights_files
from bba.agents.learned.weights import NoWeights
from bba.agents.scripted_planner import ScriptedPlanner
from bba.agents.skill_planner import Shown
from bba.agents.waiting import Wait
from bba.analysis import measure
from bba.bench.statistics import GameValue, Summary, mean_with_interval
from bba.files import write_whole
from bba.kitchen import Layout
from bba.planner.scripted import skill_choice
from bba.play import Game
from benchmarks.oracle import oracle_game
from benchmarks.summaries import OUT, Row, as_csv

Play = Callable[..., Game]

EGO, WITHOUT = "bayes-no-replan", "bayes-no-belief"
PARTNERS = ("switching", "bp:G1-2")
TRUE_ROLE, FILTER = "true role", "filter"
KNOWS: dict[str, Play] = {TRUE_ROLE: oracle_game, FILTER: Game}
SHIPPED = skill_choice.OVERLAP_PENALTY  # the price for which rules are compiled


class Case(NamedTuple):
    """Where a game is played, besides the kitchen."""

    partner: str
    seed: int


class Outcome(NamedTuple):
    """What came of a game: points, and the share of steps in which both cooks run the same skill."""

    reward: float
    duplicates: float


class PlainPlanner(ScriptedPlanner):
    """The scripted planner with plain rules: compiled ones contain the price as it was when they were compiled."""

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with an empty history."""
        super().reset(replace(context, fast=False))

    def chooser(self, shown: Shown | None, wait: Wait, *, asks_always: bool) -> None:  # type: ignore[override]
        """Returns None: no kernel may choose in its place."""


@contextmanager
def priced(price: float) -> Iterator[None]:
    """Has scripted planners that are made in the block go by this price, in tiles."""
    skill_choice.OVERLAP_PENALTY = price
    if price != SHIPPED:
        planners.ScriptedPlanner = PlainPlanner
    try:
        yield
    finally:
        skill_choice.OVERLAP_PENALTY = SHIPPED
        planners.ScriptedPlanner = ScriptedPlanner


def main() -> None:
    """Plays all games, prints the table and writes it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prices", description=__doc__)
    parser.add_argument("--prices", type=float, nargs="+", default=[0.0, 12.0, 24.0], help="tiles")
    parser.add_argument("--layouts", nargs="+", default=Layout.names())
    parser.add_argument("--first-seed", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=12)
    parser.add_argument("--horizon", type=int, default=2400)
    parser.add_argument("--out", type=Path, default=OUT / "data" / "oracle.csv")
    arguments = parser.parse_args()
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    table = []
    for layout in arguments.layouts:
        for row in rows(layout, seeds, arguments.prices, arguments.horizon):
            print(*row.values(), sep="  ", flush=True)
            table.append(row)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(arguments.out, as_csv(table))


def rows(layout: str, seeds: Sequence[int], prices: Sequence[float], horizon: int) -> Iterator[Row]:
    """Yields a row for each price and each kind of knowledge in a kitchen."""
    cases = [Case(*case) for case in product(_partners(layout), seeds)]
    without = _outcomes(Game, WITHOUT, layout, cases, horizon)
    mean = fmean(outcome.reward for outcome in without)
    for price in prices:
        for knows, play in KNOWS.items():
            with priced(price):
                found = _outcomes(play, EGO, layout, cases, horizon)
            pairs = list(zip(cases, found, without, strict=True))
            gains = [GameValue(layout, *case, one.reward - other.reward) for case, one, other in pairs]
            duplicates = [GameValue(layout, *case, one.duplicates - other.duplicates) for case, one, other in pairs]
            percent = [gain._replace(value=100 * gain.value / mean) for gain in gains if mean]
            yield {
                "layout": layout,
                "price": f"{price:g}",
                "knows": knows,
                "seeds": str(len(seeds)),
                "pairs": str(len(pairs)),
                "without": f"{mean:.0f}",
                **_ends("difference", mean_with_interval(gains), 1),
                **_ends("percent", mean_with_interval(percent), 1),
                "duplicates_without": f"{fmean(outcome.duplicates for outcome in without):.3f}",
                **_ends("duplicates", mean_with_interval(duplicates), 3),
            }


def _partners(layout: str) -> list[str]:
    """Returns the partners that can play in a kitchen."""
    return [name for name in PARTNERS if name not in LEARNED or _has_weights(name, Layout.load(layout))]


def _has_weights(name: str, layout: Layout) -> bool:
    try:
        return bool(weights_files(SeatSpec(name), layout))
    except NoWeights:
        return False


def _outcomes(play: Play, ego: str, layout: str, cases: Sequence[Case], horizon: int) -> list[Outcome]:
    outcomes = []
    for case in cases:
        trace = play(layout, ego, *case, horizon=horizon, fast=True).run()
        outcomes.append(Outcome(trace.score, measure(trace)["duplicate_rate"] or 0.0))
    return outcomes


def _ends(name: str, found: Summary | None, decimals: int) -> Row:
    """Returns a mean and the ends of its interval; "" for what a single seed does not have."""
    values = (None, None, None) if found is None else (found.mean, found.low, found.high)
    texts = ["" if value is None else f"{value:z.{decimals}f}" for value in values]
    return dict(zip((name, f"{name}_low", f"{name}_high"), texts, strict=True))


if __name__ == "__main__":
    main()
