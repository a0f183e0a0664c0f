"""The training of behaviour-preferring partners (BP): masked PPO that starts from the clone of the scripted planner.

Half of the games are self-play, the other half are with the clone, in either seat. In self-play alone a policy that
dislikes washing would still have to wash. With the clone it learns to leave washing to its partner, as a partner with
preferences does. (The preprint trains in self-play only.)
"""

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.agent import feature_weights
from bba.kitchen.layout import Layout
from bba.learning.bc import pretrained_base
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    SELF_PLAY,
    WITH_CLONE,
    PreparedRun,
    policy_trainer,
)
from bba.learning.rl.trainer import PPOConfig, evaluate_beside
from bba.learning.rl.vec_env import ALTERNATING_SEATS, BOTH_SEATS, PolicyPartner

HALF_SELF_PLAY = np.concatenate([BOTH_SEATS, ALTERNATING_SEATS[:1], BOTH_SEATS, ALTERNATING_SEATS[1:]])


def prepare_bp(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Prepares the training of a partner such as ``bp:G1-1``; its checkpoint and its base are in `folder`."""
    return prepare_shaped(name, feature_weights(name), layout, folder, config, seed)


def prepare_shaped(
    name: str,
    weights: NDArray[np.float64],
    layout: Layout,
    folder: Path,
    config: PPOConfig,
    seed: int,
    *,
    self_play: bool = True,
) -> PreparedRun:
    """Prepares the training of a policy with a shaped reward: the team's reward plus weighted features.

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
    clone = PolicyPartner(base.clone)
    partners = {SELF_PLAY: None, WITH_CLONE: clone} if self_play else {WITH_CLONE: clone}
    evaluate = partial(evaluate_beside, layout=layout, partners=partners, weights=weights)
    seats = HALF_SELF_PLAY if self_play else ALTERNATING_SEATS
    along_curve = partial(evaluate, games=CURVE_GAMES, seed=CURVE_SEED)
    more = {"weights": weights.tolist()}
    trainer = policy_trainer(
        *(name, layout, folder, config, seed, base, seats, clone, along_curve), weights=weights, more=more
    )
    return PreparedRun(trainer, weights, partial(evaluate, games=FINAL_GAMES, seed=FINAL_SEED))
