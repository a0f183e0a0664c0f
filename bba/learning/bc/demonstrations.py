"""Games of the scripted planner with itself, to begin learning from: what it sees and chooses, and where games are.

In part of the choices somebody else chooses instead, evenly among what is feasible: so the games also come through
states that the planner alone would never see, and what it does there is recorded.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bba.agents import Belief, Decision, EpisodeContext, Observation, load_agent
from bba.kitchen import constants
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.layout import Layout
from bba.kitchen.observation import Float32Array
from bba.kitchen.state import StateVector
from bba.play import Game

EXPERT = "proagent"
NOISES = (0.0, 0.1, 0.2, 0.4)  # share of the choices that are random, game by game
HORIZON = 2400
ROWS_EVERY = 20  # steps between states kept to start from


@dataclass(frozen=True, slots=True)
class Demonstrations:
    """What was recorded.

    Attributes:
        seen: observations at the choices, (M, size).
        skills: what the expert chose, (M,).
        states: states of the games under way, (R, …).
    """

    seen: Float32Array
    skills: NDArray[np.int64]
    states: StateVector


class _NoisyExpert:
    """The expert, of whose choices some are replaced; all that it would have chosen is kept."""

    def __init__(self, noise: float, rng: np.random.Generator) -> None:
        self._expert = load_agent(EXPERT)
        self._noise, self._rng = noise, rng
        self.profile = self._expert.profile
        self.kept: list[tuple[StateVector, int, int]] = []

    def reset(self, context: EpisodeContext) -> None:
        self._expert.reset(context)

    def observe(self, observation: Observation) -> Belief | None:
        return self._expert.observe(observation)

    def decide(self, observation: Observation) -> Decision:
        decision = self._expert.decide(observation)
        if observation.running != constants.NO_SKILL:
            return decision
        self.kept.append((observation.state, observation.player, decision.skill))
        if self._rng.random() >= self._noise:
            return decision
        return decision._replace(skill=int(self._rng.choice(observation.feasible())))

    def commit(self, observation: Observation, decision: Decision) -> None:
        self._expert.commit(observation, decision)


def demonstrate(layout: Layout, games: int, seed: int) -> Demonstrations:
    """Play so many games of 2400 steps, and keep the choices and every 20th state."""
    seen, skills, rows = [], [], []
    batch = KitchenBatch(layout, 1)
    for game in range(games):
        rng = np.random.default_rng([seed, game])
        agents = (_NoisyExpert(NOISES[game % len(NOISES)], rng), _NoisyExpert(NOISES[game % len(NOISES)], rng))
        trace = Game(layout, *agents, seed=int(rng.integers(2**31)), horizon=HORIZON, fast=True).run()
        rows.append(np.stack([tick.state for tick in trace.ticks[::ROWS_EVERY]]))
        kept = agents[0].kept + agents[1].kept
        batch.states = np.stack([row for row, _, _ in kept])
        looked = batch.observe(np.arange(len(kept)))
        seen.append(looked[np.arange(len(kept)), [seat for _, seat, _ in kept]])
        skills.append(np.array([skill for _, _, skill in kept]))
    return Demonstrations(np.concatenate(seen), np.concatenate(skills), np.concatenate(rows))
