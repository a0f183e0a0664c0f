"""`python -m benchmarks.ladder [RESULTS] [--play SEED ...]`: what each rung of knowledge is worth to an ego.

Its partners are from nothing. Games of RESULTS, folders of results of the sweep `propensities` or of some of its
agents, take their places in `docs/results/data/propensities_rewards.csv`. So do those of two more egos that `--play`
plays: one that is told the partner's propensities (`benchmarks.propensities`), and the best response with which each
partner was trained. Then `ladder.svg` is drawn of that file: the lead of each rung over an ego that knows nothing, in
games of the same kitchen, partner and seed, with its 95 % interval over seeds; and it is printed what share of an
oracle's lead propensities have. The ladder beside locked partners that began as clones is drawn by
`benchmarks.knowledge`.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import product

import numpy as np
from loky import ProcessPoolExecutor
from scipy.stats import bootstrap

from bba.agents import SCRATCH_PARTNERS, SeatSpec
from bba.agents.base import Agent
from bba.agents.learned.families import RESPONSE
from bba.agents.learned.weights import planning_networks
from bba.agents.planning_agent import PlanningAgent
from bba.bench.presets import load_sweep
from bba.bench.results_reader import Results, load_results
from bba.bench.statistics import GameValue
from bba.files import write_whole
from bba.kitchen import Float64Array, Layout
from bba.palette import LIGHT
from bba.play import Game
from bba.play.trace import EGO
from bba.report.drawing import Axes, draw, page_colours, standalone
from benchmarks.knowledge import LAYOUTS, PLACE, draw_point, game_value
from benchmarks.propensities import choices_of, fitted_propensities
from benchmarks.summaries import Row, as_csv, read_rows, results_parser

EGOS = tuple(ego.name for ego in load_sweep("propensities").agents)
NOTHING = "nothing"
BELIEF, ORACLE = "propensities", "true policy"
TOLD, RESPONDS = "true propensities", "best response"
RUNGS = ("prior", "role and rule", "true role", BELIEF, TOLD, ORACLE)
FIT_SEED = 620  # of the game in which a partner's propensities are read
TOLD_SEAT = SeatSpec("bayes-value", planner="rollout", knows="rule", belief_changes={"belief": "propensities"})
KEY = (*PLACE, "ego")
RESAMPLES = 2000


def main() -> None:
    """Adds the games to the table and draws the figure."""
    parser = results_parser("ladder", __doc__)
    parser.add_argument("--play", type=int, nargs="*", default=[], metavar="SEED", help="play the egos named above")
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    path = arguments.out / "data" / "propensities_rewards.csv"
    rows = {tuple(row[column] for column in KEY): row for row in read_rows(path)}
    for row in rows_of(load_results(folder) for folder in arguments.results):
        rows[tuple(row[column] for column in KEY)] = row
    for row in games(arguments.play, arguments.workers):
        rows[tuple(row[column] for column in KEY)] = row
    write_whole(path, as_csv(list(rows.values())))
    write_whole(arguments.out / "ladder.svg", figure(list(rows.values())))
    for layout in LAYOUTS:
        part, low, high = share_of_oracle(leads(rows.values(), layout))
        sys.stdout.write(f"{layout}: {BELIEF} have {part:.0%} [{low:.0%}, {high:.0%}] of what the {ORACLE} gains\n")


def rows_of(stored: Iterable[Results]) -> Iterator[Row]:
    """Yields the row of each game that was played to its end."""
    for results in stored:
        for sweep in results.sweeps:
            for entry in sweep.entries:
                found = sweep.results.get(entry.key)
                if entry.agent in EGOS and found is not None and found.measures:
                    place = {"layout": entry.layout, "partner": entry.partner, "seed": str(entry.seed)}
                    yield place | {"ego": entry.agent, "reward": f"{found.measures['reward']:g}"}


def games(seeds: Sequence[int], workers: int) -> Iterator[Row]:
    """Plays the egos that are no agents of the sweep, beside every partner, and yields the row of each game."""
    if not seeds:
        return
    places = product((TOLD, RESPONDS), LAYOUTS, SCRATCH_PARTNERS)
    with ProcessPoolExecutor(max_workers=workers) as processes:
        for played in processes.map(partial(play, seeds=seeds), *zip(*places, strict=True)):
            yield from played


def play(ego: str, layout: str, partner: str, seeds: Sequence[int], horizon: int = 2400) -> list[Row]:
    """Returns the rows of the games of an ego that is told a partner's propensities, or of its best response."""
    propensities = true_propensities(layout, partner, horizon) if ego == TOLD else None
    rows = []
    for seed in seeds:
        seat = SeatSpec(f"{partner}{RESPONSE}") if propensities is None else TOLD_SEAT
        game = Game(layout, seat, partner, seed, horizon=horizon, fast=True)
        if propensities is not None:
            tell(game.agents[EGO], propensities)
        place = {"layout": layout, "partner": partner, "seed": str(seed)}
        rows.append(place | {"ego": ego, "reward": f"{game.run().score:g}"})
    return rows


def true_propensities(layout: str, partner: str, horizon: int) -> Float64Array:
    """Returns a partner's log-propensities, (27,), by its own policy in a game of another seed."""
    trace = Game(layout, "bayes", partner, FIT_SEED, horizon=horizon, fast=True).run()
    population = planning_networks(Layout.load(layout)).population
    assert population is not None
    return fitted_propensities(list(choices_of(layout, trace)), population.variance.astype(np.float64))


def tell(agent: Agent, propensities: Float64Array) -> None:
    """Tells an agent its partner's log-propensities, (27,)."""
    assert isinstance(agent, PlanningAgent)
    assert agent.types is not None
    assert agent.types.propensities is not None
    agent.types.propensities.know(propensities)


def leads(rows: Iterable[Row], layout: str) -> dict[str, list[GameValue]]:
    """Returns the leads of each rung that was played over an ego that knows nothing, beside partners from nothing.

    Each has one for every pair of games.
    """
    rewards: dict[str, dict[tuple[str, ...], float]] = {}
    for row in rows:
        if row["layout"] == layout and row["partner"] in SCRATCH_PARTNERS:
            rewards.setdefault(row["ego"], {})[tuple(row[column] for column in PLACE)] = float(row["reward"])
    without = rewards[NOTHING]
    return {
        rung: [
            game_value(place, reward - without[place]) for place, reward in rewards[rung].items() if place in without
        ]
        for rung in RUNGS
        if rung in rewards
    }


def share_of_oracle(found: dict[str, list[GameValue]]) -> tuple[float, float, float]:
    """Returns the share of the oracle's lead that the belief has in the same games, with its 95 % interval.

    The interval is a percentile bootstrap over seeds.
    """
    both = {(lead.partner, lead.seed) for lead in found[BELIEF]} & {(lead.partner, lead.seed) for lead in found[ORACLE]}
    sums: dict[str, Counter[int]] = {}
    for rung in (BELIEF, ORACLE):
        sums[rung] = Counter()
        for lead in found[rung]:
            if (lead.partner, lead.seed) in both:
                sums[rung][lead.seed] += lead.value
    gains = [np.array([sums[rung][seed] for seed in sorted(sums[rung])]) for rung in (BELIEF, ORACLE)]

    def part(belief: Float64Array, oracle: Float64Array) -> float:
        return float(belief.sum() / oracle.sum())

    ends = bootstrap(
        gains, part, n_resamples=RESAMPLES, vectorized=False, paired=True, method="percentile", random_state=0
    ).confidence_interval
    return part(*gains), float(ends.low), float(ends.high)


def figure(rows: Sequence[Row]) -> str:
    """Returns the figure: a panel for each kitchen."""

    def paint(_: object, axes: list[list[Axes]]) -> None:
        for panel, layout in zip(axes[0], LAYOUTS, strict=True):
            panel.set_title(f"{layout}, partners from nothing")
            panel.axhline(0, linewidth=1)
            found = leads(rows, layout)
            for place, (name, values) in enumerate(found.items()):
                draw_point(panel, place, values, number=int(name.startswith("true")))
            panel.set_xticks(range(len(found)), [name.replace(" ", "\n") for name in found], fontsize=8)
        axes[0][0].set_ylabel("points a game over knowing nothing")

    return standalone(draw("ladder", (1, len(LAYOUTS)), 3.2, paint), page_colours(LIGHT))


if __name__ == "__main__":
    main()
