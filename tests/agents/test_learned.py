"""Learned policies in a seat: what they compute, when they choose, and that a seat and a step decide every draw."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from bba.agents import LEARNED, EpisodeContext, Observation, SeatSpec, agent_names, load_agent, reconfigure
from bba.agents.learned.agent import PLAYER_KEYS
from bba.agents.learned.families import in_family
from bba.agents.learned.policy import (
    FLOOR,
    ObservationEncoder,
    feasible_mask,
    fixed_share,
    forward,
    losses,
    masked_softmax,
    predicted_skills,
    sample_index,
)
from bba.agents.learned.weights import save_weights
from bba.agents.registry import weights_files
from bba.belief import StayModel
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.constants import COMPLETED, EVENT
from bba.kitchen.transition import hash_random
from bba.play import Game
from tests.helpers.tiny_policies import CLUSTERS, weights, write

OPEN = Layout.load("open")


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    return SeatSpec(weights=write(tmp_path_factory.mktemp("weights"), "gamma", "talents", "bp:G1-1"))


def played(ego, partner, options, *, seed=0, steps=250, fast=True):
    return Game("open", load_agent(ego, options), load_agent(partner, options), seed, horizon=steps, fast=fast).run()


def acts(trace):
    return [(tick.actions, tick.skills) for tick in trace.ticks]


def start(seat=0, row=None):
    return Observation(seat, OPEN, None, Kitchen("open").state if row is None else row, constants.NO_SKILL, 0, 0, False)


# --- the policy ------------------------------------------------------------------------------------------------
def test_layers_are_dense_with_tanh_between_them():
    layers = weights("gamma").policy
    seen = np.random.default_rng(1).random((5, layers[0][0].shape[1]), np.float32)
    (first, one), (second, two) = layers
    outputs = forward(layers, seen)
    assert outputs == pytest.approx(np.tanh(seen @ first.T + one) @ second.T + two, rel=1e-5)
    assert outputs[3] == pytest.approx(forward(layers, seen[3]), rel=1e-4, abs=1e-5)


def test_what_is_infeasible_is_never_drawn_and_the_rest_by_its_logits():
    mask = np.array([True, False, True, False])
    shares = masked_softmax(np.array([[0.0, 90.0, np.log(3), 0.0]], np.float32), mask)[0]
    assert shares == pytest.approx([0.25, 0, 0.75, 0])
    assert [sample_index(shares, u) for u in (0.0, 0.2499, 0.2501, 1 - 2**-32)] == [0, 0, 2, 2]


@pytest.mark.thorough
def test_an_observation_names_what_is_feasible(options):
    trace = played("bp:G1-1", "switching", options)
    sight = ObservationEncoder(OPEN, fast=False)
    for tick in trace.ticks[::20]:
        for seat in (0, 1):
            assert (
                tuple(np.flatnonzero(feasible_mask(sight.of(tick.state)[seat]))) == start(seat, tick.state).feasible()
            )


# --- the agent -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["bp:G1-1", "gamma", "talents"])
def test_it_chooses_when_no_skill_runs_and_only_what_is_feasible(name, options):
    trace = played(name, "bp:G1-1", options)
    choices = [tick for tick in trace.ticks if tick.decisions[0].chosen]
    assert 10 < len(choices) < len(trace.ticks)
    assert not any(tick.decisions[0].replanned for tick in choices)
    for tick in choices:
        chances = tick.decisions[0].policy.probabilities
        assert sum(chances) == pytest.approx(1, abs=0.002)
        assert chances[tick.skills[0]] >= 0
    for before, tick in pairwise(trace.ticks):
        if not tick.decisions[0].chosen:
            assert tick.decisions[0].policy.probabilities == before.decisions[0].policy.probabilities


@pytest.mark.thorough
def test_it_draws_by_its_probabilities(options):
    agent, sight = load_agent("gamma", options), ObservationEncoder(OPEN, fast=False)
    row = Kitchen("open").state
    chances = masked_softmax(forward(weights("gamma").policy, sight.of(row)[0]), feasible_mask(sight.of(row)[0]))
    counts = np.zeros(constants.N_SKILLS)
    for seed in range(3000):
        agent.reset(EpisodeContext(0, OPEN, seed, StayModel.NOISY, fast=False))
        counts[agent.decide(start(0, row)).skill] += 1
    assert counts / counts.sum() == pytest.approx(chances, abs=0.04)


def test_the_draw_is_a_function_of_seed_seat_and_step(options):
    numbers = set()
    for seed in range(20):
        for seat in (0, 1):
            key = int(np.random.SeedSequence([seed, PLAYER_KEYS + seat]).generate_state(1)[0])
            numbers |= {hash_random(key, step) for step in range(100)}
    assert len(numbers) > 20 * 2 * 100 * 0.999
    one, other = (load_agent("gamma", options) for _ in range(2))
    seat = EpisodeContext(1, OPEN, 7, StayModel.NOISY, fast=False)
    row = Kitchen("open").state
    one.reset(seat)
    other.reset(seat)
    for _ in range(5):
        one.decide(start(1, row))
    row[0] = 60
    assert one.decide(start(1, row)) == other.decide(start(1, row)), "whatever was decided before"


@pytest.mark.parametrize("ego", ["gamma", "talents"])
def test_the_same_game_comes_of_the_same_seed_at_both_speeds(ego, options):
    first = played(ego, "bp:G1-1", options)
    assert acts(first) == acts(played(ego, "bp:G1-1", options))
    assert acts(first) == acts(played(ego, "bp:G1-1", options, fast=False))
    assert acts(first) != acts(played(ego, "bp:G1-1", options, seed=1))


def test_the_same_policy_in_both_seats_draws_for_itself(options):
    trace = played("bp:G1-1", "bp:G1-1", options)
    assert [tick.skills[0] for tick in trace.ticks] != [tick.skills[1] for tick in trace.ticks]


def test_it_has_nothing_to_tune(options):
    with pytest.raises(BBAError, match="gamma: has no belief and no gate to tune"):
        reconfigure(load_agent("gamma", options), BeliefConfig())


# --- talents ---------------------------------------------------------------------------------------------------
def test_each_cluster_loses_the_cross_entropy_of_what_it_expected():
    clusters, sight = weights("talents").clusters, ObservationEncoder(OPEN, fast=False)
    seen = sight.of(Kitchen("open").state)[1]
    mask = feasible_mask(seen)
    chances = predicted_skills(clusters, seen, mask)
    for cluster, latent in enumerate(clusters.mean):
        logits = forward(clusters.decoder, np.concatenate([seen, latent]))
        assert chances[cluster] == pytest.approx(masked_softmax(logits, mask), rel=1e-4, abs=1e-6)
    lost = -np.log(chances[:, constants.GRAB_MEAT]) / np.log(constants.N_SKILLS)
    assert losses(chances, constants.GRAB_MEAT) == pytest.approx(lost, rel=1e-5)
    most = -np.log(FLOOR) / np.log(constants.N_SKILLS)
    assert losses(chances, constants.SERVE) == pytest.approx([most] * CLUSTERS), "nobody could expect it"
    assert losses(np.full((1, constants.N_SKILLS), 1 / constants.N_SKILLS), constants.SERVE) == pytest.approx([1.0])


def test_talents_weighs_its_clusters_by_public_events_of_the_partner_alone(options):
    trace = played("talents", "switching", options)
    shares = [tick.decisions[0].policy.clusters for tick in trace.ticks]
    assert shares[0] == pytest.approx([1 / CLUSTERS] * CLUSTERS, abs=1e-4)
    assert len({len(share) for share in shares} | {CLUSTERS}) == 1
    assert all(sum(share) == pytest.approx(1, abs=1e-3) for share in shares)
    rows = [trace.start, *(tick.state for tick in trace.ticks)]
    changed = {step for step in range(1, len(shares)) if shares[step] != shares[step - 1]}
    completed = {step for step in range(1, len(shares)) if rows[step][COMPLETED + 1]}
    assert changed
    assert changed <= completed
    clusters, regrets, sight = weights("talents").clusters, np.zeros(CLUSTERS), ObservationEncoder(OPEN, fast=False)
    rates = {"eta": clusters.eta, "alpha": clusters.alpha, "decay": clusters.decay}
    seen = sight.of(rows[0])[1]
    for step in sorted(completed):
        lost = losses(predicted_skills(clusters, seen, feasible_mask(seen)), int(rows[step][EVENT + 1]))
        regrets, expected = fixed_share(regrets, lost, **rates)
        seen = sight.of(rows[step])[1]
        assert shares[step] == pytest.approx(expected, abs=1e-3)


def test_talents_gives_its_policy_the_heaviest_cluster(tmp_path, options):
    made = weights("talents")
    size = made.observation
    (weight, bias), *rest = made.policy
    weight = weight.copy()
    weight[:, size:] = 0
    weight[0, size:] = [-9, 0, 9]
    save_weights(tmp_path / "talents-open.safetensors", replace(made, policy=((weight, bias), *rest)))
    trace = played("talents", "switching", SeatSpec(weights=tmp_path))
    sight, rows = ObservationEncoder(OPEN, fast=False), [trace.start, *(tick.state for tick in trace.ticks)]
    for step, tick in enumerate(trace.ticks):
        reading = tick.decisions[0].policy
        if tick.decisions[0].chosen:
            seen = sight.of(rows[step])[0]
            told = np.eye(CLUSTERS, dtype=np.float32)[int(np.argmax(reading.clusters))]
            chances = masked_softmax(
                forward(((weight, bias), *rest), np.concatenate([seen, told])), feasible_mask(seen)
            )
            assert reading.probabilities == pytest.approx(chances, abs=1e-3)


# --- the registry ----------------------------------------------------------------------------------------------
def test_there_are_two_families_of_twelve_partners_with_tastes_and_two_cooperators_each():
    assert set(LEARNED) <= set(agent_names())
    families = {name.partition(":")[0] for name in LEARNED}
    assert families == {"bp", "scratch", "gamma", "talents"}
    assert len(LEARNED) == 12 + 2 + 12 + 12 + 2  # those from nothing have a best response each
    assert LEARNED["bp:G1-2"] == "learned partner: likes plating, dislikes washing"
    assert LEARNED["bp:G2-3"] == "learned partner: dislikes chopping, likes potting rice"
    assert LEARNED["bp:G3-4"] == "learned partner: dislikes taking mushroom and taking rice"
    assert LEARNED["scratch:G1-2"] == "partner learned from nothing: likes plating, dislikes washing"
    assert LEARNED["scratch:G1-2+response"] == "best response to scratch:G1-2"


@pytest.mark.parametrize(
    ("agent", "family", "expected"),
    [
        ("bp:G1-2", "scratch", "scratch:G1-2"),
        ("scratch:G1-2", "bp", "bp:G1-2"),
        ("scratch:G1-2", "scratch", "scratch:G1-2"),
        ("bp:G1-2+locked", "scratch", "scratch:G1-2+locked"),
        ("talents", "scratch", "scratch:talents"),
        ("scratch:gamma", "bp", "gamma"),
        ("gamma", "bp", "gamma"),
        ("switching", "scratch", "switching"),
        ("bp", "scratch", "bp"),
        ("human:example", "scratch", "human:example"),
    ],
)
def test_an_agent_has_its_like_in_the_other_family(agent, family, expected):
    assert in_family(agent, family) == expected


def test_a_name_that_is_none_is_answered_with_the_nearest_that_are():
    with pytest.raises(BBAError, match=r"no agent named 'bp:G4-1'; the nearest are bp:G1-1, bp:G2-1, bp:G3-1; --list"):
        load_agent("bp:G4-1")


def test_a_game_without_weights_for_its_kitchen_does_not_begin(options):
    with pytest.raises(BBAError, match="gamma: has no weights for the layout burrito, only for open"):
        Game("burrito", load_agent("gamma", options), "switching")
    with pytest.raises(BBAError, match="gamma: has no weights for the layout burrito"):
        weights_files(options.of_agent("gamma"), Layout.load("burrito"))
