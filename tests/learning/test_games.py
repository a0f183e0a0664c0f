"""The games that are learned from are the kitchen's: the same decisions give the same states and rewards."""

import numpy as np
import pytest

from bba.agents.learned.policy import Layers
from bba.kitchen import Layout
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.features import N_FEATURES, NO_FEATURE, feature_of
from bba.kitchen.grid import grid_of
from bba.kitchen.observation import observation_size
from bba.kitchen.state import STEP
from bba.learning.rl.fixed_partners import PolicyPartner, sample_actions
from bba.learning.rl.initial_states import InitialStates
from bba.learning.rl.vec_env import BOTH, EITHER, REWARD_SCALE, KitchenVecEnv

N, LENGTH = 4, 160
WEIGHTS = np.arange(1.0, N_FEATURES + 1)


def games_of(
    layout: Layout, learners: np.ndarray, companion: PolicyPartner | None = None, seed: int = 5
) -> KitchenVecEnv:
    return KitchenVecEnv(
        layout, np.tile(learners, (N // len(learners), 1)), companion, WEIGHTS, InitialStates(layout), LENGTH, seed
    )


def indifferent(layout: Layout) -> Layers:
    """A policy that chooses evenly."""
    return ((np.zeros((N_SKILLS, observation_size(grid_of(layout))), np.float32), np.zeros(N_SKILLS, np.float32)),)


@pytest.mark.parametrize("name", ["open", "forced_coordination"])
def test_rewards_are_those_of_the_kitchen_step_by_step(name):
    layout = Layout.load(name)
    games, rng = games_of(layout, BOTH), np.random.default_rng(0)
    games.reset()
    twins = [KitchenBatch(layout, 1) for _ in range(N)]
    for twin, row, runs in zip(twins, games.batch.states, games.batch.runs, strict=True):
        twin.states[0], twin.runs[0] = row, runs
    over = np.zeros(N, np.bool_)
    pending = np.full((N, 2), -1)
    while not over.any():
        chosen = sample_actions(np.zeros((N, N_SKILLS)), games.action_masks(), rng)
        pending[np.arange(N), games.decider] = chosen
        games.step_async(chosen)
        _, rewards, over, _ = games.step_wait()
        for i, twin in enumerate(twins):
            paid, steps = played(twin, pending[i])
            assert rewards[i] == pytest.approx(paid * REWARD_SCALE, rel=1e-5)
            assert games.durations[i] == steps
            if not over[i]:
                assert (twin.states[0] == games.batch.states[i]).all()


def played(twin: KitchenBatch, pending: np.ndarray) -> tuple[float, int]:
    """Play on, one step at a time, until somebody who has no choice pending has to choose; what that was worth."""
    worth, steps = 0.0, 0
    while not (twin.waiting[0] & (pending < 0)).any() and twin.states[0, STEP] < LENGTH:
        before = twin.states[0].copy()
        started = twin.waiting[0].copy()
        twin.step_skills([np.maximum(pending, 0)])
        pending[started] = -1
        worth, steps = worth + twin.rewards[0], steps + 1
        for player in range(2):
            did = feature_of(twin.grid, before, twin.states[0], player)
            worth += WEIGHTS[did] if did != NO_FEATURE else 0
    return worth, steps


def test_a_learner_in_one_seat_is_paid_for_what_it_does_itself():
    layout = Layout.load("open")
    games, rng = games_of(layout, EITHER, PolicyPartner(indifferent(layout))), np.random.default_rng(0)
    games.reset()
    paid = np.zeros(N)
    for _ in range(200):
        games.step_async(sample_actions(np.zeros((N, N_SKILLS)), games.action_masks(), rng))
        paid += games.step_wait()[1]
        assert games.learners[np.arange(N), games.decider].all()
    own = (games.counts * games.learners[:, :, None]).sum(axis=1) @ WEIGHTS
    assert paid == pytest.approx((games.earned + own) * REWARD_SCALE, rel=1e-4)
    assert (games.counts * ~games.learners[:, :, None]).any()


def test_a_game_that_is_over_begins_afresh_and_says_what_was_seen_last():
    layout = Layout.load("open")
    games, rng = games_of(layout, BOTH), np.random.default_rng(0)
    games.reset()
    over, infos = np.zeros(N, np.bool_), []
    while not over.any():
        games.step_async(sample_actions(np.zeros((N, N_SKILLS)), games.action_masks(), rng))
        seen, _, over, infos = games.step_wait()
    ended = int(np.flatnonzero(over)[0])
    assert infos[ended]["TimeLimit.truncated"]
    assert infos[ended]["terminal_observation"].shape == seen[ended].shape
    assert games.batch.states[ended, STEP] == 0


def test_the_same_seed_gives_the_same_games():
    layout = Layout.load("ring")
    first, again, other = (games_of(layout, BOTH, seed=seed).reset() for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
