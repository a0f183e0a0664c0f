"""Environments, games, traces and options are pickled and copied, at any time, and then go on the same way."""

import copy
import pickle

import numpy as np
import pytest

from bba import Game, KitchenBatch, Replay, SeatSpec, gym_env, load_agent, measure, parallel_env, play_game, record

STEPS = 60
LEVELS = "skill", "primitive"


def through_pickle(value):
    return pickle.loads(pickle.dumps(value))


def made(kind, level, other):
    """An environment of one seat, for Gymnasium or for PettingZoo."""
    if kind == "gym":
        return gym_env("open", other, level, STEPS)
    return parallel_env("open", level, STEPS, other=other)


def played(env, steps, seed):
    """What comes of so many random actions."""
    rng, results = np.random.default_rng(seed), []
    for _ in range(steps):
        if callable(env.action_space):
            actions = {agent: int(rng.integers(env.action_space(agent).n)) for agent in env.agents}
            observed, reward, *_ = env.step(actions)
            results.append((dict(reward), {agent: vector.tobytes() for agent, vector in observed.items()}))
        else:
            observed, reward, *_ = env.step(int(rng.integers(env.action_space.n)))
            results.append((reward, observed.tobytes()))
    return results


@pytest.mark.parametrize("other", ["bayes", "switching", "bp:G1-1+locked", "hypothetical-minds"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", ["gym", "pettingzoo"])
def test_an_environment_goes_on_the_same_way_whenever_it_is_pickled(kind, level, other):
    env = made(kind, level, other)
    before = through_pickle(env)
    env.reset(seed=3)
    before.reset(seed=3)
    after = through_pickle(env)
    first = played(env, 20, seed=0)
    assert played(before, 20, seed=0) == first
    assert played(after, 20, seed=0) == first
    in_game, copied = through_pickle(env), copy.deepcopy(env)
    rest = played(env, 20, seed=1)
    assert played(in_game, 20, seed=1) == rest
    assert played(copied, 20, seed=1) == rest


def test_a_copied_environment_takes_its_own_actions():
    env = gym_env("open", "proagent", "primitive", STEPS)
    env.reset(seed=3)
    copied = copy.deepcopy(env)
    env.step(5)
    before = copied.trace.start.copy()
    copied.step(0)
    assert copied.trace.ticks[-1].actions[0] == 0
    assert (copied.trace.start == before).all()


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("steps", [0, 20])
@pytest.mark.parametrize(
    ("ego", "partner"),
    [("bayes", "switching"), ("hypothetical-minds", "proagent"), ("talents", "bp:G1-1"), ("bayes-commit", "llm-judge")],
)
@pytest.mark.parametrize("through", [through_pickle, copy.deepcopy])
def test_a_game_goes_on_the_same_way_after_it_was_pickled(through, ego, partner, steps, fast):
    game = Game("open", ego, partner, 3, horizon=STEPS, fast=fast)
    for _ in range(steps):
        game.step()
    assert record(through(game).run()) == record(game.run())


@pytest.mark.parametrize(
    ("ego", "partner"), [("bayes", "switching"), ("hypothetical-minds", "proagent"), ("talents", "bp:G1-1")]
)
@pytest.mark.parametrize("through", [through_pickle, copy.deepcopy])
def test_a_game_that_was_pickled_between_two_runs_goes_on_the_same_way(through, ego, partner):
    game = Game("open", ego, partner, 3, horizon=STEPS)
    while len(game.trace.ticks) < STEPS // 2:
        game.advance()
    whole = through(game).run()
    assert [tick.step for tick in whole.ticks] == list(range(1, STEPS + 1))
    assert record(whole) == record(game.run())


def test_what_is_made_of_games_can_be_pickled():
    trace = play_game("open", "bayes", "switching", horizon=STEPS)
    assert measure(through_pickle(trace)) == measure(trace)
    assert through_pickle(measure(trace)) == measure(trace)
    recording = record(trace)
    assert through_pickle(recording) == recording
    replay = Replay(recording)
    for _ in range(10):
        replay.step()
    assert measure(through_pickle(replay).run()) == measure(trace)


def test_options_agents_and_batches_can_be_pickled():
    options = SeatSpec(planner="rollout", belief_changes={"theta_obs": 0.1})
    assert through_pickle(options) == options
    assert through_pickle(load_agent("switching")).profile == load_agent("switching").profile
    batch = KitchenBatch("open", 4)
    batch.reset(3)
    again = through_pickle(batch)
    actions = np.random.default_rng(0).integers(6, size=(4, 2)).astype(np.int32)
    batch.step(actions)
    again.step(actions)
    assert (again.observe() == batch.observe()).all()
