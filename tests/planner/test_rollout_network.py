"""The small networks of the rollout planner: they compute what dense layers do, and draw by the probabilities."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.agents.learned.policy import forward, masked_softmax, relu
from bba.kitchen import encode_for, encode_observation, grid_of, observation_size
from bba.kitchen.constants import N_SKILLS
from bba.planner.rollout.networks import Network, NetworkBuffers, choice_parts, draw_choice, evaluate_network
from bba.planner.rollout.skill_comparison import systematic_sample
from bba.play import Game
from tests.helpers.tiny_policies import layers

SIZE = 12


def outputs_of(made, inputs, mark=-1, *, tanh=False):
    network = Network.of(made, tanh=tanh)
    buffers = NetworkBuffers.of(network)
    evaluate_network(network, inputs, mark, buffers)
    return buffers.outputs[: len(made[-1][1])]  # the rest fills a cache line


@given(st.integers(0, 1000), st.booleans())
def test_a_network_computes_what_dense_layers_do_with_rectified_units_or_hyperbolic_tangents(seed, tanh):
    rng = np.random.default_rng(seed)
    made = layers(rng, SIZE, 8, 8, N_SKILLS)
    inputs = (rng.random(SIZE) * (rng.random(SIZE) < 0.5)).astype(np.float32)
    expected = forward(made, inputs, np.tanh if tanh else relu)
    assert outputs_of(made, inputs, tanh=tanh) == pytest.approx(expected, rel=1e-4, abs=1e-5)


@given(st.integers(0, 1000), st.integers(0, 2))
def test_a_mark_is_one_more_input(seed, mark):
    rng = np.random.default_rng(seed)
    made, inputs = layers(rng, SIZE + 3, 8, 8, N_SKILLS), rng.random(SIZE).astype(np.float32)
    marked = np.concatenate([inputs, np.eye(3, dtype=np.float32)[mark]])
    assert outputs_of(made, inputs, mark) == pytest.approx(forward(made, marked, relu), rel=1e-4, abs=1e-5)


@given(st.integers(0, 1000))
def test_choices_have_the_probabilities_of_a_softmax_over_the_feasible_ones(seed):
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, 3, N_SKILLS).astype(np.float32)
    feasible = rng.random(N_SKILLS) < 0.3
    feasible[rng.integers(N_SKILLS)] = True
    parts = np.zeros(N_SKILLS, np.int64)
    total = choice_parts(logits, feasible, parts)
    assert parts / total == pytest.approx(masked_softmax(logits, feasible), abs=1e-6)
    assert parts.sum() == total
    drawn = [draw_choice(parts, total, int(random)) for random in rng.integers(2**32, size=50)]
    assert all(parts[choice] > 0 for choice in drawn)


def test_evenly_spaced_numbers_draw_every_choice_as_often_as_it_is_likely():
    parts = np.array([1, 0, 2, 1], np.int64)
    drawn = [draw_choice(parts, 4, random << 24) for random in range(256)]
    assert np.bincount(drawn, minlength=4).tolist() == [64, 0, 128, 64]


@given(st.integers(0, 1000), st.integers(2, 60), st.floats(0, 0.999))
def test_a_sample_of_skills_has_shares_within_one_of_the_probabilities(seed, count, offset):
    rng = np.random.default_rng(seed)
    probabilities = rng.dirichlet(np.full(N_SKILLS, 0.2))
    sample = systematic_sample(probabilities, count, offset)
    counts = np.bincount(sample, minlength=N_SKILLS)
    assert len(sample) == count
    assert np.abs(counts - count * probabilities).max() < 1.01


def test_without_probabilities_the_network_draws():
    assert systematic_sample(None, 3, 0.5).tolist() == [-1, -1, -1]


def test_what_one_cook_observes_is_its_row_of_what_both_observe():
    trace = Game("ring", "bayes", "switching", 1, horizon=60).run()
    layout = trace.config.layout
    grid, scratch = grid_of(layout), np.zeros((2, N_SKILLS), np.int32)
    both, alone = np.zeros((2, observation_size(grid)), np.float32), np.ones(observation_size(grid), np.float32)
    for tick in trace.ticks:
        encode_observation(grid, tick.state, layout.width, scratch, both)
        for player in range(2):
            encode_for(grid, tick.state, player, layout.width, scratch, alone)
            assert (alone == both[player]).all()
