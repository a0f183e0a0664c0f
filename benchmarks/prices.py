"""`python -m benchmarks.prices`: what knowing the partner's role is worth to the scripted planner, at several prices.

The price is `OVERLAP_PENALTY` (`bba.planner.scripted.skill_choice`): tiles that a task in the partner's probable role
loses. For each price and kitchen, games whose ego has the true role in its prompt (`bba.analysis.oracle`) or the
filter's belief are compared with the same games without a belief.
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product

from rich.console import Console

from bba.agents import LEARNED, EpisodeContext, SeatSpec, planners, weights_file
from bba.agents.learned.weights import NoWeights
from bba.agents.scripted_planner import ScriptedPlanner
from bba.bench.statistics import GameValue, mean_with_interval
from bba.kitchen import Layout
from bba.planner.scripted import skill_choice
from bba.play import Game
from bba.tables import TableRow, table_of
from bba.tables.terminal import in_a_box
from benchmarks.oracle import oracle_game

EGO, WITHOUT = "bayes-no-replan", "bayes-no-belief"
PARTNERS = ("switching", "bp:G1-2")
Play = Callable[..., Game]


class PlainPlanner(ScriptedPlanner):
    """The scripted planner with plain rules: compiled ones contain the price as it was when they were compiled."""

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with an empty history."""
        super().reset(replace(context, fast=False))


def main() -> None:
    """Plays all games and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.prices", description=__doc__)
    parser.add_argument("--prices", type=float, nargs="+", default=[0.0, 6.0, 12.0, 24.0], help="tiles")
    parser.add_argument("--layouts", nargs="+", default=Layout.names())
    parser.add_argument("--first-seed", type=int, default=20)
    parser.add_argument("--seeds", type=int, default=40)
    arguments = parser.parse_args()
    planners.ScriptedPlanner = PlainPlanner
    seeds = range(arguments.first_seed, arguments.first_seed + arguments.seeds)
    rows: list[TableRow] = []
    for layout in arguments.layouts:
        rows += _rows(layout, seeds, arguments.prices)
    title = "Reward with a belief − without, 95 % interval"
    words = ("kitchen", "price", "without", "n")
    Console().print(in_a_box(table_of(words, ("true role", "filter"), rows=rows, title=title)))


def _rows(layout: str, seeds: range, prices: list[float]) -> Iterator[tuple[str, ...]]:
    cases = list(product(_partners(layout), seeds))
    without = _rewards(Game, WITHOUT, layout, cases)
    mean = sum(without) / len(without)
    for price in prices:
        skill_choice.OVERLAP_PENALTY = price
        told, believed = (_rewards(play, EGO, layout, cases) for play in (oracle_game, Game))
        texts = (_difference(layout, cases, rewards, without) for rewards in (told, believed))
        yield layout, f"{price:g}", f"{mean:.0f}", str(len(cases)), *texts


def _partners(layout: str) -> list[str]:
    """Returns the partners that can play in a kitchen."""
    return [name for name in PARTNERS if name not in LEARNED or _has_weights(name, Layout.load(layout))]


def _has_weights(name: str, layout: Layout) -> bool:
    try:
        return weights_file(SeatSpec(name), layout) is not None
    except NoWeights:
        return False


def _rewards(play: Play, ego: str, layout: str, cases: list[tuple[str, int]]) -> list[float]:
    return [float(play(layout, ego, partner, seed, fast=True).run().score) for partner, seed in cases]


def _difference(layout: str, cases: list[tuple[str, int]], rewards: list[float], without: list[float]) -> str:
    """Returns the mean difference with its interval over seeds, in points and in percent of the reward without."""
    games = []
    for (partner, seed), reward, other_reward in zip(cases, rewards, without, strict=True):
        games.append(GameValue(layout, partner, seed, reward - other_reward))
    summary = mean_with_interval(games)
    mean = sum(without) / len(without)
    if summary is None or summary.low is None or summary.high is None:
        return "–"
    points = f"{summary.mean:+.0f} [{summary.low:.0f}, {summary.high:.0f}]"
    return f"{points}, {summary.mean / mean:+.1%} [{summary.low / mean:.1%}, {summary.high / mean:.1%}]"


if __name__ == "__main__":
    main()
