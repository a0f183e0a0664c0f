"""Summaries of the measures of several episodes.

Standard deviations are those of the values themselves (NumPy's default), not estimates for a population.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 9_999
CONFIDENCE = 0.95
TRIMMED = 0.25  # share of the values that an interquartile mean leaves out at either end
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Returns the values of each key, both in the order in which they come."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def matched(
    first: Iterable[Value], second: Iterable[Value], place: Callable[[Value], Hashable]
) -> Iterator[tuple[Value, Value]]:
    """Yields the pairs of two groups with the same place, in the order of the first; of repeats, each has its own."""
    others = grouped((place(two), two) for two in second)
    for one in first:
        found = others.get(place(one))
        if found:
            yield one, found.pop(0) if len(found) > 1 else found[0]


class Summary(NamedTuple):
    """A mean over `n` values (seeds or matched pairs), with its standard deviation `sd` or its 95 % interval."""

    mean: float
    n: int
    sd: float | None = None
    low: float | None = None
    high: float | None = None


def over_seeds(values: Iterable[tuple[int, float]]) -> Summary | None:
    """Returns mean and standard deviation over seeds; each seed counts with the mean of its values.

    Args:
        values: (seed, value) for each partner of a group, in any order.
    """
    seeds = grouped(values)
    if not seeds:
        return None
    rows = [sorted(seeds[seed]) for seed in sorted(seeds)]
    alike = len({len(row) for row in rows}) == 1  # then one call, which gives the same sums
    means = np.array(rows).mean(axis=1) if alike else np.array([np.mean(row) for row in rows])
    return Summary(float(means.mean()), len(means), sd=float(means.std()))


def mean_difference(differences: Sequence[float]) -> Summary | None:
    """Returns the mean of paired differences with its 95 % bootstrap interval (percentile, fixed resamples).

    A single pair has no interval; the interval of several equal differences is their mean.
    """
    if not differences:
        return None
    if len(differences) == 1:
        return Summary(float(differences[0]), 1)
    return ratio_over_games(sorted(differences), [1.0] * len(differences))


def share_of(hits: Iterable[bool]) -> Summary | None:
    """Returns the share of what holds with its 95 % interval after Wilson; None without any."""
    found = list(hits)
    if not found:
        return None
    n = len(found)
    share = sum(found) / len(found)
    z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
    middle = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + (z / (2 * n)) ** 2)
    low, high = ((middle + side * half) / (1 + z * z / n) for side in (-1, 1))
    return Summary(share, n, low=max(low, 0.0), high=min(high, 1.0))


def ratio_over_games(above: Sequence[float], below: Sequence[float]) -> Summary:
    """Returns a ratio of sums with its 95 % bootstrap interval (percentile, fixed resamples of whole games).

    Args:
        above, below: a value for each game; all ones below for a mean over games.
    """
    pairs = np.array([above, below], np.float64)
    picked = np.random.default_rng(0).integers(0, len(above), (RESAMPLES, len(above)))
    ratios = pairs[0][picked].sum(axis=1) / np.maximum(pairs[1][picked].sum(axis=1), 1.0)
    low, high = np.quantile(ratios, (0.5 - CONFIDENCE / 2, 0.5 + CONFIDENCE / 2))
    return Summary(float(pairs[0].sum() / max(pairs[1].sum(), 1.0)), len(above), low=float(low), high=float(high))


def mean_over_games(values: Sequence[float]) -> Summary:
    """Returns the mean of a value of each game with its 95 % bootstrap interval (percentile, fixed resamples).

    A single game has no interval.
    """
    found = np.array(values, np.float64)
    mean = float(found.mean())
    if len(found) == 1:
        return Summary(mean, 1)
    low, high = np.quantile(_resampling(len(found)) @ found, (0.5 - CONFIDENCE / 2, 0.5 + CONFIDENCE / 2))
    return Summary(mean, len(found), low=float(low), high=float(high))


@lru_cache(maxsize=8)
def _resampling(count: int) -> NDArray[np.float64]:
    """Returns the weight of each of `count` games in each resample, (`RESAMPLES`, `count`); the same every time."""
    picked = np.random.default_rng(0).integers(0, count, (RESAMPLES, count))
    places = picked + np.arange(RESAMPLES)[:, None] * count
    return np.bincount(places.ravel(), minlength=RESAMPLES * count).reshape(RESAMPLES, count) / count


def interquartile_mean(values: Sequence[float]) -> Summary | None:
    """Returns the mean of the middle half of the values, as SciPy's `trim_mean`, which takes a second to import."""
    if not values:
        return None
    first = int(TRIMMED * len(values))
    last = len(values) - first
    return Summary(float(np.partition(np.array(values), (first, last - 1))[first:last].mean()), len(values))


def share_within(delays: Sequence[int | None], steps: int) -> list[float]:
    """Returns the share of delays that are at most 0, 1, …, `steps` steps; a delay of None never ends."""
    found = np.array([delay for delay in delays if delay is not None], dtype=np.int64)
    return [float((found <= step).sum() / len(delays)) for step in range(steps + 1)] if delays else []
