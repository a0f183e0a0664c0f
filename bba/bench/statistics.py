"""Summaries of the measures of several episodes.

Standard deviations are those of the values themselves (NumPy's default), not estimates for a population.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from statistics import NormalDist, fmean
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
    """A mean over `n` values (seeds, people or questions), with its standard deviation `sd` or its 95 % interval."""

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


class GameValue(NamedTuple):
    """A measure of one game, or the difference of two that share all of this.

    Attributes:
        layout: the kitchen's name.
        partner: who plays seat 1.
        seed: of everything random.
        value: the number.
    """

    layout: str
    partner: str
    seed: int
    value: float


def mean_with_interval(games: Iterable[GameValue]) -> Summary | None:
    """Returns the mean with its 95 % interval, clustered by seed and stratified by kitchen; None without games.

    Games with one seed share chance (guests, roles, moves that fail), in several kitchens too: what was drawn are the
    seeds, not the games. Each kitchen counts the same, in it each partner, and with that each seed, so that neither
    what sets kitchens and partners apart nor a game that is missing widens the interval. It is Student's, with one
    degree of freedom less than there are seeds; where no game is missing it is that of the means of the seeds. (A
    bootstrap of five seeds covers the truth five times in six.) It tells of other seeds with the same partners and
    kitchens. A single seed has no interval.
    """
    layouts = {
        layout: grouped((partner, (seed, value)) for partner, seed, value in of_layout)
        for layout, of_layout in grouped((game.layout, game[1:]) for game in games).items()
    }
    if not layouts:
        return None
    mean = 0.0
    moved_by_seed: dict[int, list[float]] = {}  # how far the games of a seed move the mean
    for partners in layouts.values():
        for games_of_pair in partners.values():
            mean_by_seed = {seed: fmean(values) for seed, values in grouped(games_of_pair).items()}
            mean_of_pair = fmean(mean_by_seed.values())
            weight = 1 / (len(layouts) * len(partners))
            mean += weight * mean_of_pair
            for seed, mean_of_seed in mean_by_seed.items():
                moved = weight * (mean_of_seed - mean_of_pair) / len(mean_by_seed)
                moved_by_seed.setdefault(seed, []).append(moved)
    return _summary_of_seeds(mean, moved_by_seed)


class GameRatio(NamedTuple):
    """What one game adds to a ratio of sums; 1 below for a mean over games.

    Attributes:
        layout, partner, seed: as in `GameValue`.
        above, below: what is counted, and of how much.
    """

    layout: str
    partner: str
    seed: int
    above: float
    below: float = 1.0


def ratio_with_interval(games: Iterable[GameRatio]) -> Summary | None:
    """Returns a ratio of sums over games with its 95 % interval; None where the sum below is zero.

    The interval is that of `mean_with_interval`, for the ratio's linear part (the delta method): clustered by seed and
    stratified by kitchen and partner. Each game counts as much as it has below. A single seed has no interval.
    """
    counted = list(games)
    below = math.fsum(game.below for game in counted)
    if below == 0:
        return None
    ratio = math.fsum(game.above for game in counted) / below
    moved_by_stratum = grouped(
        ((game.layout, game.partner), (game.seed, (game.above - ratio * game.below) / below)) for game in counted
    )
    moved_by_seed: dict[int, list[float]] = {}
    for moved_in_stratum in moved_by_stratum.values():
        mean = fmean(moved for _, moved in moved_in_stratum)
        for seed, moved in moved_in_stratum:
            moved_by_seed.setdefault(seed, []).append(moved - mean)
    return _summary_of_seeds(ratio, moved_by_seed)


def _summary_of_seeds(mean: float, moved_by_seed: Mapping[int, Sequence[float]]) -> Summary:
    """Returns the summary of an estimate, given how far the games of each seed move it from its mean over seeds."""
    seeds = len(moved_by_seed)
    if seeds == 1:
        return Summary(mean, seeds)
    squares = math.fsum(math.fsum(moved) ** 2 for moved in moved_by_seed.values())
    half = student_quantile(0.5 + CONFIDENCE / 2, seeds - 1) * math.sqrt(squares * seeds / (seeds - 1))
    return Summary(mean, seeds, low=mean - half, high=mean + half)


@cache
def student_quantile(share: float, freedom: int) -> float:
    """Returns the quantile of Student's distribution below which this share lies, 0 to 1."""
    from scipy.special import stdtrit  # only here: it takes half a second, and most tables have no interval

    return float(stdtrit(freedom, share))


def two_sided_p(summary: Summary) -> float:
    """Returns Student's two-sided p, 0 to 1, of a mean of zero, from a mean over seeds with its interval.

    Without an interval, and where nothing differs at all, it is 1.
    """
    from scipy.special import stdtr  # only here, as above

    if summary.low is None or summary.high is None or summary.mean == 0:
        return 1.0
    freedom = summary.n - 1
    error = (summary.high - summary.low) / 2 / student_quantile(0.5 + CONFIDENCE / 2, freedom)
    if error == 0:
        return 0.0
    return 2 * float(stdtr(freedom, -abs(summary.mean) / error))


def mean_over_people(values: Sequence[float]) -> Summary | None:
    """Returns the mean of values that are independent, one a person, with Student's 95 % interval; None without any.

    A bootstrap of six people would cover the truth six times in seven. A single value has no interval.
    """
    if not values:
        return None
    people = len(values)
    mean = fmean(values)
    if people == 1:
        return Summary(mean, people)
    squares = math.fsum((value - mean) ** 2 for value in values)
    error = math.sqrt(squares / (people - 1) / people)
    half = student_quantile(0.5 + CONFIDENCE / 2, people - 1) * error
    return Summary(mean, people, low=mean - half, high=mean + half)


def mean_difference(differences: Sequence[float]) -> Summary | None:
    """Returns the mean of differences that are independent and many, as those of an exam's questions are.

    Its 95 % interval is a bootstrap (percentile, `RESAMPLES` fixed resamples); that of games is `mean_with_interval`,
    that of people `mean_over_people`. A single difference has no interval; the interval of several equal ones is their
    mean.
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
