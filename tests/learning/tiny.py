"""Trainings that take a second."""

from collections import deque
from concurrent.futures import Future
from dataclasses import replace

import numpy as np

from bba.kitchen import Layout
from bba.kitchen.features import N_FEATURES
from bba.learning.evaluation import assess
from bba.learning.games import BOTH, Games
from bba.learning.kinds import Kind, Prepared
from bba.learning.starts import Starts
from bba.learning.training import Settings, Training

OPEN = Layout.load("open")
SMALL = Settings(
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
    worth, starts = liking() if weights is None else weights, Starts(OPEN)
    learners = np.tile(BOTH, (SMALL.games, 1))

    def games(round_seed):
        return Games(OPEN, learners, None, worth, starts, SMALL.length, round_seed)

    def scores(policy):
        return {"self-play": assess(policy, OPEN, None, worth, 4, 1)}

    settings = replace(SMALL, steps=steps, critic_first=critic_first)
    return Training({"plan": plan}, games, scores, None, settings, seed, checkpoint)


def tiny_kind(names=("bp:G1-1", "bp:G1-2"), **facts):
    """A kind of policies whose trainings are tiny."""

    def prepare(name, layout, folder, settings, seed):
        path = folder / f"{name.replace(':', '-')}-{layout.name}.checkpoint"
        plan = {"policy": name, "steps": settings.steps}
        return Prepared(tiny_training(seed=seed, checkpoint=path, steps=settings.steps, plan=plan))

    return Kind(names, prepare, **facts)


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
