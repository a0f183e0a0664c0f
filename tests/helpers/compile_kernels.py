"""Compiles the kernels that tests use, so that of the processes which run tests none compiles what another compiles.

Run as a module: `make test` does so beside the type checker.
"""

import tempfile
from pathlib import Path

import numpy as np

from bba.agents import AgentOptions, load_agent
from bba.config import RolloutOptions
from bba.kitchen.batch import NO_CHOICE, KitchenBatch, SpanTotals
from bba.play import Game
from benchmarks.kitchens import random_skills
from tests.helpers import tiny_policies

SMALL = RolloutOptions(futures=2, future_steps=4, candidates=2)
STEPS = 40


def play_games() -> None:
    """Plays with a belief, step by step, with questions, with the rollout planner and with a learned partner."""
    with tempfile.TemporaryDirectory() as folder:
        weights = tiny_policies.write(Path(folder), "planner", "gamma", "bp:G1-1")
        rollout = AgentOptions(planner="rollout", weights=weights, rollout=SMALL)
        scripted = AgentOptions()
        pairs = [
            ("bayes", scripted),
            ("llm-judge", scripted),
            ("hypothetical-minds", scripted),
            ("bayes", rollout),
            ("gamma", rollout),
            ("bp:G1-1+locked", rollout),
        ]
        for name, options in pairs:
            Game("open", load_agent(name, options), "switching", 0, horizon=STEPS, fast=True).run()


def play_batches() -> None:
    """Plays games side by side, by skills, by single actions, and on until somebody must choose."""
    rng, batch = np.random.default_rng(0), KitchenBatch("open", 2, mobility=(0.35, 1.0))
    batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
    batch.step(rng.integers(0, 6, (2, 2)))
    batch.observe()
    chosen = np.full((2, 2), NO_CHOICE, np.int32)
    batch.play_until_choice(chosen, np.full(2, STEPS, np.int32), SpanTotals.zeros(2))


if __name__ == "__main__":
    play_games()
    play_batches()
