"""The training of behaviour-preferring partners (BP): masked PPO that starts from the clone of the scripted planner.

Half of the games are self-play, the other half are with the clone, in either seat. In self-play alone a policy that
dislikes washing would still have to wash. With the clone it learns to leave washing to its partner, as a partner with
preferences does. (The preprint trains in self-play only.)
"""

from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Layers
from bba.agents.learned.preferences import feature_weights
from bba.kitchen.layout import Layout, layout_digest
from bba.learning.bc import pretrained_base
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    SELF_PLAY,
    WITH_CLONE,
    PreparedRun,
    policy_file,
)
from bba.learning.rl.evaluation import EvaluationScore, evaluate_policy
from bba.learning.rl.ppo_config import PPOConfig
from bba.learning.rl.trainer import Trainer
from bba.learning.rl.vec_env import (
    ALTERNATING_SEATS,
    BOTH_SEATS,
    InitialStates,
    KitchenVecEnv,
    PolicyPartner,
    repeat_seats,
)

HALF_SELF_PLAY = np.concatenate([BOTH_SEATS, ALTERNATING_SEATS[:1], BOTH_SEATS, ALTERNATING_SEATS[1:]])


def prepare_bp(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Prepares the training of a partner such as ``bp:G1-1``; its checkpoint and its base are in `folder`."""
    weights = feature_weights(name)

    def evaluate(policy: Layers) -> dict[str, EvaluationScore]:
        clone = PolicyPartner(pretrained_base(layout, folder, hidden=config.hidden).clone)
        return bp_scores(policy, layout, clone, weights, FINAL_GAMES, FINAL_SEED)

    return PreparedRun(shaped_trainer(name, weights, layout, folder, config, seed), weights, evaluate)


def shaped_trainer(
    name: str,
    weights: NDArray[np.float64],
    layout: Layout,
    folder: Path,
    config: PPOConfig,
    seed: int,
    *,
    self_play: bool = True,
) -> Trainer:
    """Returns the trainer of a policy with a shaped reward: the team's reward plus weighted features.

    Args:
        name: the policy's name.
        weights: value of each of the nine features, (9,) in points per event.
        layout: the kitchen.
        folder: where the checkpoint and the base are.
        config: the parameters.
        seed: seeds everything random in the training; the base has its own seed.
        self_play: whether half of the games are self-play; else all are with the clone.
    """
    base = pretrained_base(layout, folder, hidden=config.hidden)
    initial_states, clone = InitialStates(layout, recorded=base.states), PolicyPartner(base.clone)
    learner_seats = repeat_seats(HALF_SELF_PLAY if self_play else ALTERNATING_SEATS, config.games)

    def make_env(round_seed: int) -> KitchenVecEnv:
        return KitchenVecEnv(layout, learner_seats, clone, weights, initial_states, config.length, round_seed)

    evaluate = partial(
        bp_scores,
        layout=layout,
        clone=clone,
        weights=weights,
        games=CURVE_GAMES,
        seed=CURVE_SEED,
        self_play=self_play,
    )
    plan = {
        "policy": name,
        "layout": layout.name,
        "map": layout_digest(layout),
        "weights": weights.tolist(),
        "seed": seed,
    } | asdict(config)
    checkpoint = policy_file(folder, name, layout, ".checkpoint")
    return Trainer(plan, make_env, evaluate, base.network, config, seed, checkpoint)


def bp_scores(
    policy: Layers,
    layout: Layout,
    clone: PolicyPartner,
    weights: NDArray[np.float64],
    games: int,
    seed: int,
    *,
    self_play: bool = True,
) -> dict[str, EvaluationScore]:
    """Evaluates a policy in games with itself, if `self_play`, and in as many games with the clone."""
    partners: dict[str, PolicyPartner | None] = {SELF_PLAY: None} if self_play else {}
    partners[WITH_CLONE] = clone
    return {kind: evaluate_policy(policy, layout, partner, weights, games, seed) for kind, partner in partners.items()}
