"""Learned policies: one decision, observation included. The weights are random; the sizes are those that ship."""

import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np

from bba.agents import EpisodeContext, Observation
from bba.agents.learned.agent import LearnedAgent
from bba.agents.learned.policy import Clusters, Layers
from bba.agents.learned.weights import PolicyWeights, save_weights
from bba.belief import StayModel
from bba.kitchen import Layout, layout_digest
from bba.kitchen.constants import N_SKILLS, NO_SKILL
from bba.kitchen.layout import grid_of
from bba.kitchen.observation import observation_size
from bba.play import Game
from benchmarks.kitchens import LAYOUT
from benchmarks.timing import Subject

HIDDEN, CLUSTERS, LATENT = 128, 6, 8


def subjects() -> list[Subject]:
    """Everything that is timed of learned policies."""
    return [
        Subject("gamma, one decision", "plain", decisions("gamma", fast=False, horizon=300)),
        Subject("gamma, one decision", "compiled", decisions("gamma", fast=True, horizon=2400)),
        Subject("talents, one decision", "compiled", decisions("talents", fast=True, horizon=2400)),
    ]


def decisions(name: str, *, fast: bool, horizon: int) -> Callable[[], int]:
    """An agent that chooses anew in every step of a game of others."""
    layout = Layout.load(LAYOUT)
    trace = Game(LAYOUT, "proagent", "switching", horizon=horizon, fast=True).run()
    rows = [None, trace.start, *(tick.state for tick in trace.ticks)]
    seen = [
        Observation(0, layout, before, row, NO_SKILL, 0, 0, fast) for before, row in pairwise(rows) if row is not None
    ]
    with tempfile.TemporaryDirectory() as folder:
        save_weights(Path(folder) / f"{name}-{layout.name}.safetensors", random_weights(name, layout))
        agent = LearnedAgent(name, Path(folder))
        agent.reset(EpisodeContext(0, layout, 0, StayModel.NOISY, fast))

    def run() -> int:
        for observation in seen:
            agent.observe(observation)
            agent.decide(observation)
        return len(seen)

    return run


def random_weights(name: str, layout: Layout) -> PolicyWeights:
    """A policy of the usual size that knows nothing."""
    rng, size = np.random.default_rng(0), observation_size(grid_of(layout))

    def layers(inputs: int) -> Layers:
        sizes = (inputs, HIDDEN, HIDDEN, N_SKILLS)
        return tuple(
            (rng.normal(0, 0.1, (n, m)).astype(np.float32), np.zeros(n, np.float32)) for m, n in pairwise(sizes)
        )

    if name != "talents":
        return PolicyWeights(name, layout.name, layout_digest(layout), layers(size))
    latents = rng.normal(0, 1, (2, CLUSTERS, LATENT)).astype(np.float32)
    clusters = Clusters(latents[0], abs(latents[1]), layers(size + LATENT), eta=2.0, alpha=0.05, decay=0.9)
    return PolicyWeights(name, layout.name, layout_digest(layout), layers(size + CLUSTERS), clusters)
