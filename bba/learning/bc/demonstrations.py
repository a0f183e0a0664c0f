"""Demonstrations: games of the scripted planner with itself, with some of its choices replaced by random ones.

The replacements lead the games through states that the planner alone would never reach. What the planner would have
chosen there is recorded.
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
NOISES = (0.0, 0.1, 0.2, 0.4)  # share of random choices, game by game
HORIZON = 2400
STEPS_BETWEEN_STATES = 20  # of the states that training games may start from


@dataclass(frozen=True, slots=True)
class Demonstrations:
    """Recorded choices and states.

    Attributes:
        observations: at the choices, (M, size).
        skills: what the expert chose, (M,).
        states: states of the games in progress, (R, …).
    """

    observations: Float32Array
    skills: NDArray[np.int64]
    states: StateVector


class _NoisyExpert:
    """The expert with some of its choices replaced by random ones; records what the expert chose each time."""

    def __init__(self, noise: float, rng: np.random.Generator) -> None:
        self._expert = load_agent(EXPERT)
        self._noise, self._rng = noise, rng
        self.profile = self._expert.profile
        self.choices: list[tuple[StateVector, int, int]] = []  # state, seat, skill

    def reset(self, context: EpisodeContext) -> None:
        self._expert.reset(context)

    def observe(self, observation: Observation) -> Belief | None:
        return self._expert.observe(observation)

    def decide(self, observation: Observation) -> Decision:
        decision = self._expert.decide(observation)
        if observation.running != constants.NO_SKILL:
            return decision
        self.choices.append((observation.state, observation.player, decision.skill))
        if self._rng.random() >= self._noise:
            return decision
        return decision._replace(skill=int(self._rng.choice(observation.feasible())))

    def commit(self, observation: Observation, decision: Decision) -> None:
        self._expert.commit(observation, decision)


def record_demonstrations(layout: Layout, games: int, seed: int) -> Demonstrations:
    """Plays games of 2400 steps and records all choices and every 20th state."""
    observations, skills, states = [], [], []
    batch = KitchenBatch(layout, 1)
    for game in range(games):
        rng = np.random.default_rng([seed, game])
        agents = (_NoisyExpert(NOISES[game % len(NOISES)], rng), _NoisyExpert(NOISES[game % len(NOISES)], rng))
        trace = Game(layout, *agents, seed=int(rng.integers(2**31)), horizon=HORIZON, fast=True).run()
        states.append(np.stack([tick.state for tick in trace.ticks[::STEPS_BETWEEN_STATES]]))
        choices = agents[0].choices + agents[1].choices
        batch.states = np.stack([state for state, _, _ in choices])
        every = np.arange(len(choices))
        observations.append(batch.observe(every)[every, [seat for _, seat, _ in choices]])
        skills.append(np.array([skill for _, _, skill in choices]))
    return Demonstrations(np.concatenate(observations), np.concatenate(skills), np.concatenate(states))
