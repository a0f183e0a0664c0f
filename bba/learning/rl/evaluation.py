"""Evaluation of a policy in whole games, in self-play or with a partner, and the learning curve of a training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Activation, Layers, forward
from bba.kitchen.features import FEATURE_NAMES
from bba.kitchen.layout import Layout
from bba.learning.rl.ppo_config import PPOConfig
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
BEST_AFTER = 0.5  # share of the steps after which the best policy is chosen: earlier ones still resemble the clone


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


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The evaluation after a round.

    Attributes:
        steps: kitchen steps so far.
        decisions: samples so far.
        seconds: time spent training so far, interruptions not counted.
        objective: the value by which the best policy is chosen, in points per game.
        scores: the evaluations, by name, such as "self-play".
        learning: statistics of PPO's last update: entropy_loss, approx_kl, clip_fraction, explained_variance.
    """

    steps: int
    decisions: int
    seconds: float
    objective: float
    scores: dict[str, EvaluationScore]
    learning: dict[str, float]


def best_point(curve: Sequence[CurvePoint], config: PPOConfig) -> CurvePoint | None:
    """Returns the first of the points with the highest objective; None if no point qualifies yet.

    A point qualifies after `BEST_AFTER` of the steps, and only if the policy has been trained, not just the value.
    """
    value_only = config.critic_first * config.updates * config.rollout * config.games
    late = [point for point in curve if point.steps >= BEST_AFTER * config.steps and point.decisions > value_only]
    return max(late, key=lambda point: point.objective, default=None)


def point_from_json(data: dict[str, Any]) -> CurvePoint:
    """Returns a point from its JSON object."""
    scores = {name: EvaluationScore(**score) for name, score in data["scores"].items()}
    return CurvePoint(**{**data, "scores": scores})
