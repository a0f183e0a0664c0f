"""The learning curve of a training: one point per round, and the choice of the best one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bba.learning.rl.evaluation import EvaluationScore
from bba.learning.rl.ppo_config import PPOConfig

BEST_AFTER = 0.5  # share of the steps after which the best policy is chosen: earlier ones still resemble the clone


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
