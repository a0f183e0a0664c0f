"""From the numbers of episodes to those of a table.

Standard deviations are those of the values themselves (as NumPy computes them), not estimates for a population.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from bba.analysis.measures import SwitchResponse

RESAMPLES = 9_999
CONFIDENCE = 0.95
TRIMMED = 0.25  # the share that an interquartile mean leaves out at either end


class Summary(NamedTuple):
    """A mean over `n` values (seeds, or matched pairs): with its standard deviation `sd`, or its 95 % interval."""

    mean: float
    n: int
    sd: float | None = None
    low: float | None = None
    high: float | None = None


def over_seeds(values: Iterable[tuple[int, float]]) -> Summary | None:
    """Mean ± standard deviation over seeds, each seed the mean of its values (those of the group's partners).

    Args:
        values: (seed, value), in any order.
    """
    seeds: dict[int, list[float]] = {}
    for seed, value in values:
        seeds.setdefault(seed, []).append(value)
    if not seeds:
        return None
    means = np.array([np.mean(sorted(seeds[seed])) for seed in sorted(seeds)])
    return Summary(float(means.mean()), len(means), sd=float(means.std()))


def mean_difference(differences: Sequence[float]) -> Summary | None:
    """The mean of paired differences with its 95 % bootstrap interval (percentile, always the same resamples).

    One pair, or pairs that all differ alike, have no spread to resample: the interval is then the mean itself for
    several, and none for one.
    """
    if not differences:
        return None
    values = np.array(sorted(differences))
    mean = float(values.mean())
    if len(values) == 1:
        return Summary(mean, 1)
    from scipy import stats

    interval = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=RESAMPLES,
        confidence_level=CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    return Summary(mean, len(values), low=float(interval.low), high=float(interval.high))


def interquartile_mean(values: Sequence[float]) -> Summary | None:
    """The mean of the middle half of the values."""
    if not values:
        return None
    from scipy import stats

    return Summary(float(stats.trim_mean(np.array(values), TRIMMED)), len(values))


def recovery_curve(reactions: Sequence[SwitchResponse], steps: int) -> list[float]:
    """The share of true switches after which the ego has run a complement within 0, 1, …, `steps` steps."""
    return share_within([reaction.complemented for reaction in reactions], steps)


def share_within(waits: Sequence[int | None], steps: int) -> list[float]:
    """The share of waits that are over within 0, 1, …, `steps` steps; None is one that never ends."""
    found = np.array([wait for wait in waits if wait is not None], dtype=np.int64)
    return [float((found <= step).sum() / len(waits)) for step in range(steps + 1)] if waits else []
