"""Training a behaviour-preferring partner (BP): masked PPO from the clone of the scripted planner.

Half of the games the policy plays with itself, in the other half beside the clone, in either seat. With itself alone, a
policy that dislikes washing would still have to wash; beside somebody who does it, it learns to leave it to them, which
is what a partner with preferences does. (The preprint trains in self-play only.)
"""

from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Layers
from bba.agents.learned.preferences import feature_weights
from bba.kitchen.layout import Layout, layout_digest
from bba.learning.bc.pretrained import pretrained_base
from bba.learning.rl.evaluation import EvaluationScore, evaluate_policy
from bba.learning.rl.fixed_partners import PolicyPartner
from bba.learning.rl.initial_states import InitialStates
from bba.learning.rl.trainer import PPOConfig, Training
from bba.learning.rl.vec_env import BOTH, EITHER, KitchenVecEnv, in_turn

ASSESSED, ASSESS_SEED = 24, 10_000  # games of each kind in an evaluation, and their seed


def partner_training(name: str, layout: Layout, folder: Path, settings: PPOConfig, seed: int) -> Training:
    """The training of a partner such as ``bp:G1-1`` on a layout; its checkpoint and its base are kept in `folder`."""
    return biased_training(name, feature_weights(name), layout, folder, settings, seed)


def biased_training(
    name: str,
    weights: NDArray[np.float64],
    layout: Layout,
    folder: Path,
    settings: PPOConfig,
    seed: int,
    *,
    alone: bool = True,
) -> Training:
    """The training of a policy with these weights, (9,) in points an event, for the nine features.

    `alone`: half of its games it plays with itself; else all beside the clone.
    """
    base = pretrained_base(layout, folder, hidden=settings.hidden)
    starts, clone = InitialStates(layout, played=base.states), PolicyPartner(base.clone)
    kinds = np.concatenate([BOTH, EITHER[:1], BOTH, EITHER[1:]]) if alone else EITHER
    learners = in_turn(kinds, settings.games)

    def games(round_seed: int) -> KitchenVecEnv:
        return KitchenVecEnv(layout, learners, clone, weights, starts, settings.length, round_seed)

    def scores(policy: Layers) -> dict[str, EvaluationScore]:
        beside = {"beside the clone": evaluate_policy(policy, layout, clone, weights, ASSESSED, ASSESS_SEED)}
        itself = {"self-play": evaluate_policy(policy, layout, None, weights, ASSESSED, ASSESS_SEED)} if alone else {}
        return itself | beside

    plan = {
        "policy": name,
        "layout": layout.name,
        "map": layout_digest(layout),
        "weights": weights.tolist(),
        "seed": seed,
    } | asdict(settings)
    checkpoint = folder / f"{name.replace(':', '-')}-{layout.name}.checkpoint"
    return Training(plan, games, scores, base.network, settings, seed, checkpoint)
