"""The training of the rollout planner's networks: a policy by reinforcement learning, then two small networks.

The policy starts from the clone of the scripted planner and learns from the team's reward alone, half of the time with
itself and half with the clone. In half of the games it sees which skill the other cook runs, so that it knows what to
do with such knowledge, and without. Then its games teach the two networks (`distillation`). None of the twelve partners
of the evaluation takes part, and no game of the evaluation's seeds is played.
"""

from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np

from bba.agents.learned.policy import Activation, Layers, relu
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.layout import Layout, layout_digest
from bba.learning.bc import pretrained_base
from bba.learning.recipes.bp import HALF_SELF_PLAY
from bba.learning.recipes.distillation import SKILL_KNOWN, DistillationConfig, distil_networks
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    NO_WEIGHTS,
    SELF_PLAY,
    WITH_CLONE,
    PreparedRun,
    policy_file,
)
from bba.learning.rl.evaluation import EvaluationScore, evaluate_policy
from bba.learning.rl.fixed_partners import PolicyPartner
from bba.learning.rl.ppo import with_context_inputs
from bba.learning.rl.ppo_config import PPOConfig
from bba.learning.rl.trainer import Trainer
from bba.learning.rl.vec_env import InitialStates, KitchenVecEnv, repeat_seats


def prepare_planner(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Prepares the training of the rollout planner's networks; its checkpoint and its base are in `folder`."""
    trainer = planner_trainer(name, layout, folder, config, seed)
    networks = partial(distil_networks, layout=layout, config=DistillationConfig(), seed=seed)
    return PreparedRun(trainer, networks=networks, evaluate=partial(behaviour_scores, layout=layout))


def planner_trainer(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> Trainer:
    """Returns the trainer of the policy from which the networks learn."""
    base = pretrained_base(layout, folder, hidden=config.hidden)
    initial_states, clone = InitialStates(layout, recorded=base.states), PolicyPartner(base.clone)
    learner_seats = repeat_seats(HALF_SELF_PLAY, config.games)

    def make_env(round_seed: int) -> KitchenVecEnv:
        return KitchenVecEnv(
            layout, learner_seats, clone, NO_WEIGHTS, initial_states, config.length, round_seed, SKILL_KNOWN
        )

    evaluate = partial(policy_scores, layout=layout, clone=clone, games=CURVE_GAMES, seed=CURVE_SEED)
    plan = {"policy": name, "layout": layout.name, "map": layout_digest(layout), "skill_known": SKILL_KNOWN}
    network = with_context_inputs(base.network, N_SKILLS)
    checkpoint = policy_file(folder, name, layout, ".checkpoint")
    return Trainer(plan | {"seed": seed} | asdict(config), make_env, evaluate, network, config, seed, checkpoint)


def policy_scores(
    policy: Layers,
    layout: Layout,
    clone: PolicyPartner | None,
    games: int,
    seed: int,
    activation: Activation = np.tanh,
) -> dict[str, EvaluationScore]:
    """Evaluates a policy that sees the other cook's skill, and one that does not, with itself and with the clone."""
    partners: dict[str, PolicyPartner | None] = {SELF_PLAY: None} | ({WITH_CLONE: clone} if clone else {})
    return {
        kind if known else f"{kind}, skill unknown": evaluate_policy(
            policy, layout, partner, NO_WEIGHTS, games, seed, activation, float(known)
        )
        for kind, partner in partners.items()
        for known in (True, False)
    }


def behaviour_scores(behaviour: Layers, layout: Layout) -> dict[str, EvaluationScore]:
    """Evaluates the behaviour network in games with itself."""
    return policy_scores(behaviour, layout, None, FINAL_GAMES, FINAL_SEED, relu)
