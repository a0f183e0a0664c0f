"""Statistics, worked out by hand, and what must hold for any numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from bba.analysis.coordination import SwitchResponse
from bba.bench.statistics import (
    GameRatio,
    GameValue,
    interquartile_mean,
    mean_difference,
    mean_over_people,
    mean_with_interval,
    over_seeds,
    ratio_with_interval,
    share_within,
    two_sided_p,
)

VALUES = st.lists(st.tuples(st.integers(0, 4), st.floats(-1000, 1000)), min_size=1, max_size=20)
DIFFERENCES = st.lists(st.integers(-50, 50).map(float), min_size=2, max_size=8)


def test_each_seed_is_the_mean_over_its_partners():
    found = over_seeds([(0, 10), (0, 20), (1, 30), (1, 30), (2, 0)])  # seeds: 15, 30, 0
    assert found.mean == pytest.approx(15)
    assert found.sd == pytest.approx(((0 + 225 + 225) / 3) ** 0.5)
    assert found.n == 3
    assert over_seeds([]) is None
    assert over_seeds([(3, 7)])[:3] == (7, 1, 0)


@given(VALUES, st.permutations(range(5)))
def test_seeds_can_be_relabelled_and_reordered(values, names):
    found = over_seeds(values)
    renamed = over_seeds([(names[seed], value) for seed, value in reversed(values)])
    assert renamed == pytest.approx(found)
    seeds = {seed for seed, _ in values}
    assert found.n == len(seeds)
    assert min(value for _, value in values) - 1e-9 <= found.mean <= max(value for _, value in values) + 1e-9


def test_a_difference_has_an_interval_around_its_mean():
    found = mean_difference([10.0, 20.0, 30.0, 40.0])
    assert (found.mean, found.n) == (25.0, 4)
    assert 10 <= found.low < 25 < found.high <= 40
    assert mean_difference([4.0, 4.0, 4.0])[:1] == (4.0,)
    assert mean_difference([4.0, 4.0, 4.0])[3:] == (4.0, 4.0)
    assert mean_difference([4.0]) == (4.0, 1, None, None, None)
    assert mean_difference([]) is None


@given(DIFFERENCES)
def test_an_interval_is_the_same_for_the_same_pairs_in_any_order_and_lies_within_them(differences):
    found = mean_difference(differences)
    assert mean_difference(differences[::-1]) == found
    assert min(differences) - 1e-9 <= found.low <= found.mean + 1e-9
    assert found.mean - 1e-9 <= found.high <= max(differences) + 1e-9


# --- intervals over questions ------------------------------------------------------------------------------------
def points_lost(rng, questions=200):
    """Made-up points that an exam's answers lose: many lose none, a few lose many."""
    return (rng.exponential(8, questions) * (rng.random(questions) < 0.4)).tolist()


def test_an_interval_over_questions_is_scipys_bootstrap_as_nearly_as_so_many_resamples_tell():
    lost = points_lost(np.random.default_rng(9))
    found = mean_difference(lost)
    bootstrap = stats.bootstrap((lost,), np.mean, method="percentile", n_resamples=49_999, rng=0).confidence_interval
    assert (found.low, found.high) == pytest.approx(bootstrap, abs=(bootstrap.high - bootstrap.low) / 50)


@pytest.mark.long
def test_intervals_over_questions_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(10)
    intervals = [mean_difference(points_lost(rng)) for _ in range(1000)]
    covered = sum(found.low <= 0.4 * 8 <= found.high for found in intervals)
    assert 930 <= covered <= 970


# --- intervals over people ---------------------------------------------------------------------------------------
@given(DIFFERENCES)
def test_an_interval_over_people_is_scipys_in_any_order(values):
    found = mean_over_people(values)
    assert mean_over_people(values[::-1]) == found
    assert (found.mean, found.n) == (pytest.approx(np.mean(values)), len(values))
    if np.ptp(values):
        expected = stats.ttest_1samp(values, 0).confidence_interval()
        assert (found.low, found.high) == pytest.approx(expected)
    else:
        assert (found.low, found.high) == (values[0], values[0])


def test_one_person_has_no_interval():
    assert mean_over_people([]) is None
    assert mean_over_people([4.0]) == (4.0, 1, None, None, None)


@pytest.mark.parametrize("people", [6, 12, 40])
def test_intervals_over_people_cover_the_truth_as_often_as_they_say(people):
    rng = np.random.default_rng(100 + people)
    experiments = rng.integers(1, 8, (1000, people)) + rng.normal(0, 1, (1000, people))  # answers on a scale, and noise
    intervals = [mean_over_people(values) for values in experiments.tolist()]
    covered = sum(found.low <= 4 <= found.high for found in intervals)
    assert 930 <= covered <= 970


def test_the_interquartile_mean_leaves_out_a_quarter_at_either_end():
    assert interquartile_mean([0, 1, 2, 100]).mean == pytest.approx(1.5)
    assert interquartile_mean([5, 1, 9, 3, 4, 8, 2, 100]).mean == pytest.approx((3 + 4 + 5 + 8) / 4)
    assert interquartile_mean([]) is None


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=50))
def test_it_is_scipys_to_the_last_bit(values):
    assert interquartile_mean(values).mean == stats.trim_mean(values, 0.25)


def test_a_recovery_curve_counts_the_switches_that_were_complemented_so_far():
    met = [SwitchResponse(0, 50, 1, 2, 0), SwitchResponse(50, 90, 2, None, 2), SwitchResponse(90, 99, 0, 4, None)]
    assert share_within([response.complemented for response in met], 3) == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3])
    assert share_within([], 3) == []


# --- intervals over seeds ----------------------------------------------------------------------------------------
def games_of(rng, *, seeds=5, layouts=("open", "ring"), partners=("a", "b", "c"), lost=0):
    """Made-up games: a kitchen and a partner have effects of their own, and a seed has one in all kitchens."""
    effects = rng.normal(0, 30, seeds)
    games = [
        GameValue(layout, partner, seed, 500.0 * kitchen + 100 * cook + effects[seed] + rng.normal(0, 40))
        for kitchen, layout in enumerate(layouts)
        for cook, partner in enumerate(partners)
        for seed in range(seeds)
    ]
    for _ in range(lost):
        games.pop(rng.integers(len(games)))
    return games


def truth(layouts=2, partners=3):
    return 500 * (layouts - 1) / 2 + 100 * (partners - 1) / 2


def test_an_interval_is_scipys_of_the_means_of_the_seeds():
    games = games_of(np.random.default_rng(0), seeds=7)
    means = [np.mean([game.value for game in games if game.seed == seed]) for seed in range(7)]
    found = mean_with_interval(games)
    assert (found.mean, found.n, found.sd) == (pytest.approx(np.mean(means)), 7, None)
    assert (found.low, found.high) == pytest.approx(stats.ttest_1samp(means, 0).confidence_interval())
    assert mean_with_interval(games[::-1]) == pytest.approx(found)


def test_with_many_seeds_it_is_nearly_scipys_bootstrap_of_seeds_within_kitchens():
    games = games_of(np.random.default_rng(1), seeds=60)
    rows = np.array([game.value for game in games]).reshape(2, 3, 60).mean(axis=1)
    bootstrap = stats.bootstrap(
        tuple(rows), lambda one, other, axis: (one.mean(axis) + other.mean(axis)) / 2, paired=True, rng=0
    )
    found = mean_with_interval(games)
    width = bootstrap.confidence_interval.high - bootstrap.confidence_interval.low
    assert (found.low, found.high) == pytest.approx(bootstrap.confidence_interval, abs=width / 20)


def test_a_lost_game_moves_the_mean_no_further_than_its_seed_does():
    games = games_of(np.random.default_rng(2), seeds=20)
    without = mean_with_interval(games[1:])
    whole = mean_with_interval(games)
    assert without.mean == pytest.approx(whole.mean, abs=5)
    assert without.high - without.low == pytest.approx(whole.high - whole.low, rel=0.1)
    two_kitchens = [
        GameValue("open", "a", 0, 900.0),
        GameValue("open", "a", 1, 902.0),
        GameValue("ring", "a", 0, 2400.0),
    ]
    assert mean_with_interval(two_kitchens).mean == pytest.approx((901 + 2400) / 2)


def test_with_games_missing_it_is_scipys_t_of_pseudovalues_to_one_percent():
    """The jackknife leaves out a seed at a time, and knows nothing of strata, kitchens or partners."""
    games = games_of(np.random.default_rng(7), seeds=120, lost=60)
    whole = mean_with_interval(games)
    values = []
    for left_out in range(120):
        rest = mean_with_interval([game for game in games if game.seed != left_out])
        values.append(120 * whole.mean - 119 * rest.mean)
    ends = stats.ttest_1samp(values, 0).confidence_interval()
    assert (whole.low, whole.high) == pytest.approx(ends, abs=(ends.high - ends.low) / 100)


def test_one_seed_has_no_interval_and_equal_games_one_without_a_width():
    assert mean_with_interval([]) is None
    one_seed = [GameValue("open", "a", 3, 4.0), GameValue("ring", "a", 3, 8.0)]
    assert mean_with_interval(one_seed) == (6.0, 1, None, None, None)
    equal = [GameValue("open", "a", seed, 4.0) for seed in range(3)]
    assert mean_with_interval(equal) == (4.0, 3, None, 4.0, 4.0)


@pytest.mark.parametrize(("seeds", "lost"), [(3, 0), (5, 0), (5, 6), (20, 0)])
def test_intervals_over_seeds_cover_the_truth_as_often_as_they_say(seeds, lost):
    rng = np.random.default_rng(seeds + lost)
    intervals = [mean_with_interval(games_of(rng, seeds=seeds, lost=lost)) for _ in range(1000)]
    covered = sum(found.low <= truth() <= found.high for found in intervals)
    assert 930 <= covered <= 970


# --- ratios over seeds -------------------------------------------------------------------------------------------
def test_a_mean_over_games_is_that_over_seeds_where_no_game_is_missing():
    games = games_of(np.random.default_rng(3), seeds=6)
    assert ratio_with_interval(GameRatio(*game) for game in games) == pytest.approx(mean_with_interval(games))


def test_a_ratio_of_sums_is_nearly_scipys_bootstrap_of_seeds():
    games = ratios_of(np.random.default_rng(4), seeds=80)
    sums = np.zeros((2, 80))
    for game in games:
        sums[:, game.seed] += game.above, game.below
    bootstrap = stats.bootstrap(
        tuple(sums), lambda above, below, axis: above.sum(axis) / below.sum(axis), paired=True, rng=0
    ).confidence_interval
    found = ratio_with_interval(games)
    assert found.mean == pytest.approx(sums[0].sum() / sums[1].sum())
    assert (found.low, found.high) == pytest.approx(bootstrap, abs=(bootstrap.high - bootstrap.low) / 10)


def test_a_ratio_of_sums_is_scipys_t_of_pseudovalues_to_one_percent():
    games = ratios_of(np.random.default_rng(8), seeds=120)
    whole = ratio_with_interval(games)
    values = []
    for left_out in range(120):
        rest = ratio_with_interval(game for game in games if game.seed != left_out)
        values.append(120 * whole.mean - 119 * rest.mean)
    ends = stats.ttest_1samp(values, 0).confidence_interval()
    assert (whole.low, whole.high) == pytest.approx(ends, abs=(ends.high - ends.low) / 100)


def ratios_of(rng, *, seeds):
    """Made-up shares of switches: kitchens have shares of their own, and a seed has an effect in both of them."""
    effects = rng.normal(0, 0.1, seeds)
    games = []
    for kitchen, share in {"open": 0.8, "ring": 0.5}.items():
        for seed in range(seeds):
            switches = int(rng.integers(20, 60))
            games.append(GameRatio(kitchen, "a", seed, (share + effects[seed]) * switches, switches))
    return games


def test_intervals_of_ratios_cover_the_truth_as_often_as_they_say():
    rng = np.random.default_rng(5)
    intervals = [ratio_with_interval(ratios_of(rng, seeds=10)) for _ in range(1000)]
    covered = sum(found.low <= 0.65 <= found.high for found in intervals)
    assert 930 <= covered <= 970


def test_a_ratio_of_nothing_is_none_and_that_of_one_seed_has_no_interval():
    assert ratio_with_interval([]) is None
    assert ratio_with_interval([GameRatio("open", "a", 0, 0.0, 0.0)]) is None
    assert ratio_with_interval([GameRatio("open", "a", 0, 1.0, 2.0)]) == (0.5, 1, None, None, None)


def test_p_is_that_of_scipys_t_test_of_the_means_of_the_seeds():
    games = [game._replace(value=game.value - 330) for game in games_of(np.random.default_rng(6), seeds=9)]
    means = [np.mean([game.value for game in games if game.seed == seed]) for seed in range(9)]
    p = two_sided_p(mean_with_interval(games))
    assert p == pytest.approx(stats.ttest_1samp(means, 0).pvalue)
    assert 0.001 < p < 0.5, "else it tells little"
    assert two_sided_p(mean_with_interval([GameValue("open", "a", seed, 0.0) for seed in range(3)])) == 1
    assert two_sided_p(mean_with_interval([GameValue("open", "a", seed, 1.0) for seed in range(3)])) == 0
    assert two_sided_p(mean_with_interval([GameValue("open", "a", 0, 1.0)])) == 1
