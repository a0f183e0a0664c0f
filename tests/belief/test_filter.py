import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.belief import ROLE_NAMES, PartnerModel
from bba.kernels import compiled
from bba.kitchen import Kitchen, constants
from tests.helpers.belief_filter import act, kitchen, uniform, updated, watch, watcher

RICE = ROLE_NAMES.index("prep_rice")
HYGIENE = ROLE_NAMES.index("plate_hygiene")


def test_the_belief_starts_as_the_uniform_prior():
    reading = watcher(kitchen(ego=(1, 5), partner=(7, 2))).observe(None, None, mid_skill=False).belief
    assert reading.posterior == pytest.approx(uniform())
    assert reading.map_index == 0  # ties go to the lowest index
    assert reading.stable_updates == 1


def test_walking_towards_the_sink_with_a_dirty_plate_makes_hygiene_the_map():
    made = kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE)
    last = watch(watcher(made), act(made, constants.EAST))[-1]
    assert last.map_index == HYGIENE
    assert last.confidence > 0.65


def test_the_correction_is_bayes_rule_on_the_six_roles():
    made = kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE)
    reading = watch(watcher(made, floor=0.0), act(made, constants.EAST))[0]
    assert sum(reading.posterior) == pytest.approx(1.0)
    # hygiene: one skill, one acceptable action; rice: no feasible skill; both from the same prior
    assert reading.posterior[HYGIENE] / reading.posterior[RICE] == pytest.approx((0.7 + 0.05) / 0.05)


def test_no_role_falls_below_the_floor_so_that_a_partner_may_change_its_mind():
    made = kitchen(ego=(1, 5), partner=(1, 2), held=constants.DIRTY_PLATE)
    rows = act(made, *[constants.EAST] * 7)
    floored, free = (watch(watcher(made, floor=floor), rows)[-1].posterior for floor in (0.3, 0.0))
    assert min(floored) == pytest.approx(0.05 / (1 + 0.05 * 5), rel=0.1)
    assert max(floored) == pytest.approx(0.8, rel=0.05)
    assert max(free) > 0.99


def test_a_completion_counts_for_its_role_resets_the_belief_and_begins_a_segment():
    made = kitchen(ego=(1, 5), partner=(5, 1))
    belief = watcher(made)
    first, second = watch(belief, act(made, constants.INTERACT, constants.ACTION_STAY))
    assert first.new_segment
    assert not second.new_segment
    assert first.stable_updates == 1
    # Only hygiene (wash) and stage_pass (put down) can be pursued with a dirty plate in hand; hygiene has one count.
    prior = np.array([1, 1, 2, 1, 1, 1]) * np.array([0.05, 0.05, 1, 0.05, 0.05, 0.35])
    assert first.posterior == pytest.approx(prior / prior.sum())


def test_alpha_is_the_weight_of_the_uniform_prior():
    made = kitchen(ego=(1, 5), partner=(5, 1))
    heavy = watch(watcher(made, alpha=100.0), act(made, constants.INTERACT))[0]
    prior = np.array([100, 100, 101, 100, 100, 100]) * np.array([0.05, 0.05, 1, 0.05, 0.05, 0.35])
    assert heavy.posterior == pytest.approx(prior / prior.sum())


def test_the_product_of_the_window_is_that_of_the_last_k_relative_likelihoods_of_the_former_map():
    made = kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE)
    # a heavy prior keeps hygiene the MAP while the partner walks towards the sink, and then away from it
    belief = watcher(made, window=2)
    readings = watch(belief, act(made, constants.EAST, constants.WEST))
    readings += watch(belief, act(made, constants.WEST))
    miss = 0.05 / 0.75
    assert [reading.prior_map for reading in readings] == [0, HYGIENE, HYGIENE]
    assert [reading.likelihood_ratios[-1] for reading in readings[1:]] == pytest.approx([miss, miss])
    assert [reading.contradiction_likelihood for reading in readings[1:]] == pytest.approx([1.0 * miss, miss * miss])


def test_the_window_does_not_reach_back_beyond_the_segment():
    made = kitchen(ego=(1, 5), partner=(5, 1))
    readings = watch(watcher(made), act(made, constants.INTERACT, constants.ACTION_STAY))
    assert (readings[1].contradiction_likelihood,) == readings[1].likelihood_ratios


def test_stable_updates_count_the_beliefs_in_a_row_with_the_same_map():
    made = kitchen(ego=(1, 5), partner=(5, 2), held=constants.DIRTY_PLATE)
    readings = watch(watcher(made), act(made, constants.EAST, constants.EAST, constants.EAST))
    assert [reading.stable_updates for reading in readings] == [1, 2, 3]
    assert [reading.prior_stable_updates for reading in readings] == [1, 1, 2]


@pytest.mark.thorough
@given(st.integers(0, 10**6), st.sampled_from(["open", "ring", "forced_coordination", "burrito"]))
def test_the_posterior_is_a_distribution_whatever_the_partner_does(seed, layout):
    made, rng = Kitchen(layout, seed), np.random.default_rng(seed)
    for psi, size in (("roles", 6), ("skills", 22)):
        belief, before = watcher(made, psi=psi), made.state.copy()
        for _ in range(30):
            made.step(rng.integers(0, 6, 2))
            reading = updated(belief, before, made.state)
            before = made.state.copy()
            assert len(reading.posterior) == size
            assert sum(reading.posterior) == pytest.approx(1.0)
            assert min(reading.posterior) >= 0.0
            assert 0.0 <= reading.contradiction_likelihood <= 1.0 + 1e-9
            assert reading.posterior[reading.map_index] == max(reading.posterior)


@pytest.mark.thorough
@given(st.integers(0, 10**6))
def test_plain_and_compiled_filters_read_the_same(seed):
    made, rng = Kitchen("open", seed, mobility=(0.35, 0.35)), np.random.default_rng(seed)
    filters = [PartnerModel(made.grid, 1, fast=fast) for fast in (False, True)]
    before = made.state.copy()
    for _ in range(40):
        made.step(rng.integers(0, 6, 2))
        plain, fast = (updated(belief, before, made.state) for belief in filters)
        before = made.state.copy()
        assert plain.posterior == pytest.approx(fast.posterior, rel=1e-12)
        assert plain.contradiction_likelihood == pytest.approx(fast.contradiction_likelihood, rel=1e-12)
        assert (plain.map_index, plain.stable_updates) == (fast.map_index, fast.stable_updates)


def test_the_kernels_of_the_filter_compile_once():
    from bba.belief.filter import update_filter

    assert compiled(update_filter) is compiled(update_filter)
