"""Trainings that take a second."""

from collections import deque
from concurrent.futures import Future
from dataclasses import replace

import numpy as np

from bba.kitchen import Layout
from bba.kitchen.features import N_FEATURES
from bba.learning.recipes.registry import PreparedRun, Recipe
from bba.learning.rl.evaluation import evaluate_policy
from bba.learning.rl.initial_states import InitialStates
from bba.learning.rl.trainer import PPOConfig, Training
from bba.learning.rl.vec_env import BOTH, KitchenVecEnv

OPEN = Layout.load("open")
SMALL = PPOConfig(
    steps=40_000, games=16, length=200, rollout=16, minibatch=64, epochs=2, updates=2, hidden=16, critic_first=0
)


def liking(feature=None, points=100.0):
    """Weights of a policy that likes one feature."""
    weights = np.zeros(N_FEATURES)
    if feature is not None:
        weights[feature] = points
    return weights


def tiny_training(*, weights=None, seed=0, checkpoint=None, steps=SMALL.steps, plan="tiny", critic_first=0):
    """The training of one policy in both seats, from a fresh network."""
    worth, starts = liking() if weights is None else weights, InitialStates(OPEN)
    learners = np.tile(BOTH, (SMALL.games, 1))

    def games(round_seed):
        return KitchenVecEnv(OPEN, learners, None, worth, starts, SMALL.length, round_seed)

    def scores(policy):
        return {"self-play": evaluate_policy(policy, OPEN, None, worth, 4, 1)}

    settings = replace(SMALL, steps=steps, critic_first=critic_first)
    return Training({"plan": plan}, games, scores, None, settings, seed, checkpoint)


def tiny_kind(names=("bp:G1-1", "bp:G1-2"), **facts):
    """A kind of policies whose trainings are tiny."""

    def prepare(name, layout, folder, settings, seed):
        path = folder / f"{name.replace(':', '-')}-{layout.name}.checkpoint"
        plan = {"policy": name, "steps": settings.steps}
        return PreparedRun(tiny_training(seed=seed, checkpoint=path, steps=settings.steps, plan=plan))

    return Recipe(names, prepare, **facts)


class AtOnce:
    """An engine that carries out each task in this process as soon as it is asked to.

    Args:
        troubles: what comes of the first tasks instead, one after the other; None for nothing special.
    """

    workers = 1

    def __init__(self, *troubles):
        self._troubles = deque(troubles)
        self.closed = False

    def submit(self, task, *args):
        future = Future()
        trouble = self._troubles.popleft() if self._troubles else None
        try:
            if trouble is not None:
                raise trouble
            future.set_result(task(*args))
        except Exception as error:  # noqa: BLE001 - it is raised where the future is read
            future.set_exception(error)
        return future

    def close(self):
        self.closed = True
