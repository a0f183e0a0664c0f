"""The vectorised environment plays the kitchen: the same decisions give the same states and rewards."""

import numpy as np
import pytest

from bba.agents.learned.policy import Layers
from bba.kitchen import Layout
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.constants import N_SKILLS, STEP
from bba.kitchen.layout import grid_of
from bba.kitchen.observation import N_FEATURES, NO_FEATURE, feature_of, observation_size
from bba.learning.rl.vec_env import (
    ALTERNATING_SEATS,
    BOTH_SEATS,
    REWARD_SCALE,
    InitialStates,
    KitchenVecEnv,
    PolicyPartner,
    repeat_seats,
    sample_actions,
)

N, LENGTH = 4, 160
WEIGHTS = np.arange(1.0, N_FEATURES + 1)


def make_env(layout: Layout, pattern: np.ndarray, partner: PolicyPartner | None = None, seed: int = 5) -> KitchenVecEnv:
    return KitchenVecEnv(layout, repeat_seats(pattern, N), partner, WEIGHTS, InitialStates(layout), LENGTH, seed)


def uniform_policy(layout: Layout) -> Layers:
    return ((np.zeros((N_SKILLS, observation_size(grid_of(layout))), np.float32), np.zeros(N_SKILLS, np.float32)),)


def random_actions(env: KitchenVecEnv, rng: np.random.Generator) -> np.ndarray:
    return sample_actions(np.zeros((N, N_SKILLS)), env.action_masks(), rng)


@pytest.mark.parametrize("name", ["open", "forced_coordination"])
def test_rewards_are_those_of_the_kitchen_step_by_step(name):
    layout = Layout.load(name)
    env, rng = make_env(layout, BOTH_SEATS), np.random.default_rng(0)
    env.reset()
    twins = [KitchenBatch(layout, 1) for _ in range(N)]
    for twin, state, runs in zip(twins, env.batch.states, env.batch.runs, strict=True):
        twin.states[0], twin.runs[0] = state, runs
    dones = np.zeros(N, np.bool_)
    pending = np.full((N, 2), -1)
    while not dones.any():
        actions = random_actions(env, rng)
        pending[np.arange(N), env.deciding_seats] = actions
        env.step_async(actions)
        _, rewards, dones, _ = env.step_wait()
        for i, twin in enumerate(twins):
            reward, steps = play_to_next_choice(twin, pending[i])
            assert rewards[i] == pytest.approx(reward * REWARD_SCALE, rel=1e-5)
            assert env.durations[i] == steps
            if not dones[i]:
                assert (twin.states[0] == env.batch.states[i]).all()


def play_to_next_choice(twin: KitchenBatch, pending: np.ndarray) -> tuple[float, int]:
    """Steps the twin until a player without a pending choice has to choose; returns the reward and the steps."""
    reward, steps = 0.0, 0
    while not (twin.waiting[0] & (pending < 0)).any() and twin.states[0, STEP] < LENGTH:
        before = twin.states[0].copy()
        started = twin.waiting[0].copy()
        twin.step_skills([np.maximum(pending, 0)])
        pending[started] = -1
        reward, steps = reward + twin.rewards[0], steps + 1
        for player in range(2):
            feature = feature_of(twin.grid, before, twin.states[0], player)
            reward += WEIGHTS[feature] if feature != NO_FEATURE else 0
    return reward, steps


def test_a_learner_in_one_seat_is_rewarded_for_its_own_features_only():
    layout = Layout.load("open")
    env, rng = make_env(layout, ALTERNATING_SEATS, PolicyPartner(uniform_policy(layout))), np.random.default_rng(0)
    env.reset()
    rewards = np.zeros(N)
    for _ in range(200):
        env.step_async(random_actions(env, rng))
        rewards += env.step_wait()[1]
        assert env.learner_seats[np.arange(N), env.deciding_seats].all()
    own = (env.feature_counts * env.learner_seats[:, :, None]).sum(axis=1) @ WEIGHTS
    assert rewards == pytest.approx((env.team_rewards + own) * REWARD_SCALE, rel=1e-4)
    assert (env.feature_counts * ~env.learner_seats[:, :, None]).any()


def test_a_finished_game_restarts_and_reports_its_last_observation():
    layout = Layout.load("open")
    env, rng = make_env(layout, BOTH_SEATS), np.random.default_rng(0)
    env.reset()
    dones, infos = np.zeros(N, np.bool_), []
    while not dones.any():
        env.step_async(random_actions(env, rng))
        observations, _, dones, infos = env.step_wait()
    ended = int(np.flatnonzero(dones)[0])
    assert infos[ended]["TimeLimit.truncated"]
    assert infos[ended]["terminal_observation"].shape == observations[ended].shape
    assert env.batch.states[ended, STEP] == 0


def test_the_same_seed_gives_the_same_games():
    layout = Layout.load("ring")
    first, again, other = (make_env(layout, BOTH_SEATS, seed=seed).reset() for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
