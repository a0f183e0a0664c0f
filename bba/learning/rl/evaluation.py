"""How good a policy is: whole games, by itself and beside a companion."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Layers, forward
from bba.kitchen.features import FEATURE_NAMES
from bba.kitchen.layout import Layout
from bba.learning.rl.fixed_partners import BatchPartner, sample_actions
from bba.learning.rl.initial_states import InitialStates
from bba.learning.rl.vec_env import BOTH, EITHER, KitchenVecEnv, in_turn

HORIZON = 2400


@dataclass(frozen=True, slots=True)
class EvaluationScore:
    """Means over games of 2400 steps.

    Attributes:
        reward: the team's.
        objective: the team's reward and the weights of what the policy did, in points.
        rates: how often the policy did each feature in a game, by name; of both seats where it has both.
    """

    reward: float
    objective: float
    rates: dict[str, float]


def evaluate_policy(
    layers: Layers, layout: Layout, companion: BatchPartner | None, weights: NDArray[np.floating], games: int, seed: int
) -> EvaluationScore:
    """Play so many games to the end: in both seats, or, with a companion, in either seat in turn.

    The same seed gives the same starts, so that policies are compared in the same games.
    """
    learners = in_turn(EITHER if companion else BOTH, games)
    table = KitchenVecEnv(layout, learners, companion, weights, InitialStates(layout), HORIZON, seed)
    rng = np.random.default_rng([seed, 1])
    seen = table.reset()
    rewards, counts = np.zeros(games), np.zeros((games, len(weights)))
    open_games = np.ones(games, np.bool_)
    while open_games.any():
        table.step_async(sample_actions(forward(layers, seen), table.action_masks(), rng))
        seen, _, over, _ = table.step_wait()
        ended = over & open_games
        rewards[ended] = table.earned[ended]
        counts[ended] = (table.counts * learners[:, :, None]).sum(axis=1)[ended]
        open_games &= ~over
    objective = rewards + counts @ np.asarray(weights)
    rates = dict(zip(FEATURE_NAMES, counts.mean(axis=0).round(3).tolist(), strict=True))
    return EvaluationScore(float(rewards.mean()), float(objective.mean()), rates)
