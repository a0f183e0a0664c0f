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
    groups: dict[Key, list[Value]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def matched(
    first: Iterable[Value], second: Iterable[Value], place: Callable[[Value], Hashable]
) -> Iterator[tuple[Value, Value]]:
    """Yields the pairs of two groups with the same place, in the order of the first.

    Repeats in the first group are paired with the repeats in the second in order; if there are too few of these, the
    last one is paired again.
    """
    second_by_place = grouped((place(value), value) for value in second)
    for value in first:
        candidates = second_by_place.get(place(value))
        if not candidates:
            continue
        if len(candidates) > 1:
            yield value, candidates.pop(0)
        else:
            yield value, candidates[0]


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
    values_by_seed = grouped(values)
    if not values_by_seed:
        return None
    rows = [sorted(values_by_seed[seed]) for seed in sorted(values_by_seed)]
    means = _means(rows)
    return Summary(float(means.mean()), len(means), sd=float(means.std()))


def _means(rows: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    lengths = {len(row) for row in rows}
    if len(lengths) == 1:
        means: NDArray[np.float64] = np.array(rows).mean(axis=1)  # the same sums as one call for each row
        return means
    return np.array([np.mean(row) for row in rows])


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
    """Returns the share of hits that are true, with its 95 % interval after Wilson; None without any hits."""
    flags = list(hits)
    if not flags:
        return None
    n = len(flags)
    share = sum(flags) / n
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
    numerators = np.array(above, np.float64)
    denominators = np.array(below, np.float64)
    games = len(above)
    picked = np.random.default_rng(0).integers(0, games, (RESAMPLES, games))
    ratios = numerators[picked].sum(axis=1) / np.maximum(denominators[picked].sum(axis=1), 1.0)
    low, high = _interval(ratios)
    ratio = numerators.sum() / max(denominators.sum(), 1.0)
    return Summary(float(ratio), games, low=low, high=high)


def mean_over_games(values: Sequence[float]) -> Summary:
    """Returns the mean of a value of each game with its 95 % bootstrap interval (percentile, fixed resamples).

    A single game has no interval.
    """
    games = np.array(values, np.float64)
    mean = float(games.mean())
    if len(games) == 1:
        return Summary(mean, 1)
    low, high = _interval(_resampling(len(games)) @ games)
    return Summary(mean, len(games), low=low, high=high)


def _interval(resampled: NDArray[np.float64]) -> tuple[float, float]:
    """Returns the ends of the 95 % interval of a resampled statistic."""
    low, high = np.quantile(resampled, (0.5 - CONFIDENCE / 2, 0.5 + CONFIDENCE / 2))
    return float(low), float(high)


@lru_cache(maxsize=8)
def _resampling(count: int) -> NDArray[np.float64]:
    """Returns the weight of each of `count` games in each resample, (`RESAMPLES`, `count`); the same every time."""
    picked = np.random.default_rng(0).integers(0, count, (RESAMPLES, count))
    places = picked + np.arange(RESAMPLES)[:, None] * count
    counts = np.bincount(places.ravel(), minlength=RESAMPLES * count)
    return counts.reshape(RESAMPLES, count) / count


def interquartile_mean(values: Sequence[float]) -> Summary | None:
    """Returns the mean of the middle half of the values, as SciPy's `trim_mean`, which takes a second to import."""
    if not values:
        return None
    first = int(TRIMMED * len(values))
    end = len(values) - first
    partitioned = np.partition(np.array(values), (first, end - 1))
    return Summary(float(partitioned[first:end].mean()), len(values))


def share_within(delays: Sequence[int | None], steps: int) -> list[float]:
    """Returns the share of delays that are at most 0, 1, …, `steps` steps; a delay of None never ends."""
    if not delays:
        return []
    finite = np.array([delay for delay in delays if delay is not None], dtype=np.int64)
    return [float((finite <= step).sum() / len(delays)) for step in range(steps + 1)]
