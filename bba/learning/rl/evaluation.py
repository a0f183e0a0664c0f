"""Evaluation of a policy in whole games, in self-play or with a partner."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Activation, Layers, forward
from bba.kitchen.features import FEATURE_NAMES
from bba.kitchen.layout import Layout
from bba.learning.rl.vec_env import (
    ALTERNATING_SEATS,
    BOTH_SEATS,
    InitialStates,
    KitchenVecEnv,
    PolicyPartner,
    repeat_seats,
    sample_actions,
)

HORIZON = 2400


@dataclass(frozen=True, slots=True)
class EvaluationScore:
    """Means over games of 2400 steps.

    Attributes:
        reward: the team's reward.
        objective: the team's reward plus the weighted features of what the policy did, in points.
        rates: how often the policy did each feature per game, by name; in self-play of both seats together.
    """

    reward: float
    objective: float
    rates: dict[str, float]


def evaluate_policy(
    layers: Layers,
    layout: Layout,
    partner: PolicyPartner | None,
    weights: NDArray[np.floating],
    games: int,
    seed: int,
    activation: Activation = np.tanh,
    skill_known: float | None = None,
) -> EvaluationScore:
    """Plays whole games and returns the means.

    The same seed gives the same initial states, so that policies are compared in the same games.

    Args:
        layers: the policy.
        layout: the kitchen.
        partner: who plays with the policy, which takes the first and the second seat in turn; None for self-play.
        weights: value of each of the nine features in points, shape (9,).
        games: number of games.
        seed: seeds everything random in them.
        activation: of the policy.
        skill_known: as in `KitchenVecEnv`.
    """
    learner_seats = repeat_seats(ALTERNATING_SEATS if partner else BOTH_SEATS, games)
    env = KitchenVecEnv(layout, learner_seats, partner, weights, InitialStates(layout), HORIZON, seed, skill_known)
    rng = np.random.default_rng([seed, 1])
    observations = env.reset()
    rewards, counts = np.zeros(games), np.zeros((games, len(weights)))
    unfinished = np.ones(games, np.bool_)
    while unfinished.any():
        actions = sample_actions(forward(layers, observations, activation), env.action_masks(), rng)
        observations, _, dones, _ = env.step(actions)
        ended = dones & unfinished
        rewards[ended] = env.team_rewards[ended]
        counts[ended] = (env.feature_counts * learner_seats[:, :, None]).sum(axis=1)[ended]
        unfinished &= ~dones
    objective = rewards + counts @ np.asarray(weights)
    rates = dict(zip(FEATURE_NAMES, counts.mean(axis=0).round(3).tolist(), strict=True))
    return EvaluationScore(float(rewards.mean()), float(objective.mean()), rates)


def evaluate_beside(
    layers: Layers,
    layout: Layout,
    partners: Mapping[str, PolicyPartner | None],
    weights: NDArray[np.floating],
    games: int,
    seed: int,
) -> dict[str, EvaluationScore]:
    """Evaluates a policy beside each of these partners, by name; None for self-play."""
    return {name: evaluate_policy(layers, layout, partners[name], weights, games, seed) for name in partners}
