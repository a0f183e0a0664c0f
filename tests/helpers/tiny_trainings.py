"""Trainings that take a second, and an engine without processes."""

from dataclasses import replace

import numpy as np

from bba.kitchen import Layout
from bba.kitchen.observation import N_FEATURES
from bba.learning.recipes.recipe import PreparedRun, Recipe, policy_file
from bba.learning.rl.trainer import PPOConfig, Trainer, evaluate_policy
from bba.learning.rl.vec_env import BOTH_SEATS, InitialStates, KitchenVecEnv

OPEN = Layout.load("open")
SMALL = PPOConfig(
    steps=40_000, games=16, length=200, rollout=16, minibatch=64, epochs=2, updates=2, hidden=16, critic_first=0
)


def weights_with(feature=None, points=100.0):
    """The weights of a policy that likes one feature, or none."""
    weights = np.zeros(N_FEATURES)
    if feature is not None:
        weights[feature] = points
    return weights


def tiny_trainer(*, weights=None, seed=0, checkpoint=None, steps=SMALL.steps, plan="tiny", critic_first=0):
    """The trainer of one policy in self-play, from a random network."""
    weights, initial_states = weights_with() if weights is None else weights, InitialStates(OPEN)
    learner_seats = np.tile(BOTH_SEATS, (SMALL.games, 1))

    def make_env(round_seed, _):
        return KitchenVecEnv(OPEN, learner_seats, None, weights, initial_states, SMALL.length, round_seed)

    def evaluate(policy):
        return {"self-play": evaluate_policy(policy, OPEN, None, weights, 4, 1)}

    config = replace(SMALL, steps=steps, critic_first=critic_first)
    return Trainer({"plan": plan}, make_env, evaluate, None, config, seed, checkpoint)


def tiny_recipe(names=("bp:G1-1", "bp:G1-2"), **options):
    """A recipe whose trainings are tiny."""

    def prepare(name, layout, folder, config, seed):
        path = policy_file(folder, name, layout, ".checkpoint")
        plan = {"policy": name, "steps": config.steps}
        return PreparedRun(tiny_trainer(seed=seed, checkpoint=path, steps=config.steps, plan=plan))

    return Recipe(names, prepare, **options)
