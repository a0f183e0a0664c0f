"""How often 95 % intervals hold the truth, in experiments that are made up, so that the truth is known.

python -m benchmarks.intervals

In an experiment egos differ by a known number of points. A seed has an effect of its own in all kitchens and one in
each, kitchens and partners have theirs, a game has noise, and rewards come in portions. Beside our interval stand the
bootstrap of single games, which tables had before, and that of seeds; the last column is how far an end is from that of
SciPy's t interval of the means of seeds, in points. The table is written to docs/results/data/intervals.csv.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from bba.bench.statistics import GameValue, mean_with_interval
from bba.files import write_whole
from benchmarks.summaries import OUT, Row, as_csv

TRUTH = 60.0  # points
PORTION = 20  # points that are earned at once
EXPERIMENTS = 1000
RESAMPLES = 1999
Games = NDArray[np.float64]  # (experiments, kitchens, partners, seeds), or without the first; ends (experiments, 2)


class Design(NamedTuple):
    """An experiment.

    Attributes:
        kitchens, partners, seeds: how many.
        shared: the standard deviation of a seed's effect in all kitchens.
        own: the same of its effect in one kitchen.
        noise: the same of a game.
        skewed: whether the effects of seeds are skewed to the right.
    """

    kitchens: int
    partners: int
    seeds: int
    shared: float = 20.0
    own: float = 20.0
    noise: float = 40.0
    skewed: bool = False


DESIGNS = [Design(*sizes) for sizes in ((1, 1, 5), (2, 4, 3), (2, 4, 5), (3, 4, 10), (3, 4, 20), (2, 8, 40))]
DESIGNS += [Design(2, 4, 20, shared=0.0), Design(2, 4, 10, skewed=True)]


def experiment(design: Design, random: np.random.Generator) -> Games:
    """Returns the differences of two egos in all games of an experiment."""
    kitchens, partners, seeds = design[:3]
    effects = _effects(random, (1, 1, seeds), design) * design.shared
    effects = effects + _effects(random, (kitchens, 1, seeds), design) * design.own
    places = 200.0 * (np.arange(kitchens) - (kitchens - 1) / 2)[:, None, None]
    cooks = 50.0 * (np.arange(partners) - (partners - 1) / 2)[:, None]
    games = TRUTH + places + cooks + effects + random.normal(0, design.noise, (kitchens, partners, seeds))
    return PORTION * np.floor(games / PORTION + random.random(games.shape))  # rounded so that the mean stays


def _effects(random: np.random.Generator, shape: tuple[int, ...], design: Design) -> Games:
    if not design.skewed:
        return random.normal(0, 1, shape)
    return (random.gamma(2.0, 1.0, shape) - 2.0) / np.sqrt(2.0)


def over_seeds(drawn: Games) -> Games:
    """Returns the ends of our intervals."""
    ends = []
    for games in drawn:
        values = (GameValue(str(place[0]), str(place[1]), place[2], value) for place, value in np.ndenumerate(games))
        summary = mean_with_interval(values)
        assert summary is not None
        ends.append((summary.low, summary.high))
    return np.array(ends, np.float64)


def over_games(drawn: Games) -> Games:
    """Returns the ends of percentile bootstraps of single games, as if each had chance of its own."""
    return _bootstrap(drawn.reshape(len(drawn), -1))


def of_seeds(drawn: Games) -> Games:
    """Returns the ends of percentile bootstraps of the means of seeds."""
    return _bootstrap(drawn.mean(axis=(1, 2)))


def _bootstrap(values: Games) -> Games:
    """Returns the ends for rows of values, (experiments, values), all resampled in the same way."""
    count = values.shape[1]
    weights = np.random.default_rng(1).multinomial(count, np.full(count, 1 / count), RESAMPLES) / count
    return np.quantile(values @ weights.T, (0.025, 0.975), axis=1).T


METHODS: dict[str, Callable[[Games], Games]] = {
    "over seeds (ours)": over_seeds,
    "bootstrap of games": over_games,
    "bootstrap of seeds": of_seeds,
}


def rows(experiments: int) -> Iterator[Row]:
    """Yields how often each kind of interval held the truth, by design, and how wide it was."""
    for design in DESIGNS:
        random = np.random.default_rng(0)
        drawn = np.array([experiment(design, random) for _ in range(experiments)])
        scipys = stats.ttest_1samp(drawn.mean(axis=(1, 2)), 0, axis=1).confidence_interval()
        for name, method in METHODS.items():
            ends = method(drawn)
            covered = np.mean((ends[:, 0] <= TRUTH) & (ends[:, 1] >= TRUTH))
            yield {
                **{field: str(value) for field, value in design._asdict().items()},
                "interval": name,
                "covered": f"{covered:.3f}",
                "width": f"{np.mean(ends[:, 1] - ends[:, 0]):.1f}",
                "furthest_from_scipys_t": f"{np.abs(ends - np.array([*scipys]).T).max():.3f}",
            }


def main() -> None:
    """Writes the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.intervals", description=__doc__)
    parser.add_argument("--experiments", type=int, default=EXPERIMENTS)
    parser.add_argument("--out", type=Path, default=OUT / "data" / "intervals.csv")
    arguments = parser.parse_args()
    table = list(rows(arguments.experiments))
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    write_whole(arguments.out, as_csv(table))
    for row in table:
        print(*row.values(), sep="  ")


if __name__ == "__main__":
    main()
