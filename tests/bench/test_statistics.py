"""Statistics, worked out by hand, and what must hold for any numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.analysis.coordination import SwitchResponse
from bba.bench.statistics import interquartile_mean, mean_difference, over_seeds, share_within

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


def test_the_interquartile_mean_leaves_out_a_quarter_at_either_end():
    assert interquartile_mean([0, 1, 2, 100]).mean == pytest.approx(1.5)
    assert interquartile_mean([5, 1, 9, 3, 4, 8, 2, 100]).mean == pytest.approx((3 + 4 + 5 + 8) / 4)
    assert interquartile_mean([]) is None


@given(st.lists(st.floats(-1000, 1000), min_size=1, max_size=50))
def test_it_is_scipys_to_the_last_bit(values):
    from scipy import stats  # which takes half a second

    assert interquartile_mean(values).mean == stats.trim_mean(values, 0.25)


def test_a_recovery_curve_counts_the_switches_that_were_complemented_so_far():
    met = [SwitchResponse(0, 50, 1, 2, 0), SwitchResponse(50, 90, 2, None, 2), SwitchResponse(90, 99, 0, 4, None)]
    assert share_within([response.complemented for response in met], 3) == pytest.approx([1 / 3, 1 / 3, 2 / 3, 2 / 3])
    assert share_within([], 3) == []
