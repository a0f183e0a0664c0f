"""The trainings of partners from nothing: ``scratch:G1-1`` to ``scratch:G3-4``, by the preprint's recipe.

A random network learns in self-play, one policy in both seats, by the team's reward plus the weights of its
preferences. There is no clone, no recorded state and no other partner: what it knows of cooking, it found out. So it
plays worse than `bp`, and often leaves work undone that it dislikes.

A random network hardly ever finishes a burrito. Therefore steps towards one are rewarded at first, as in the kitchen's
source (`SHAPING`), and ever less until `FADED`. Of the policies after that, the one with the most team reward is kept.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from bba.agents import feature_weights
from bba.kitchen import (
    CHOPPING,
    DELIVERING,
    GRILLING_MEAT,
    N_FEATURES,
    NO_WEIGHTS,
    PLATING,
    POTTING_RICE,
    WASHING,
    Float64Array,
    Layout,
)
from bba.learning.recipes.recipe import (
    CURVE_GAMES,
    CURVE_SEED,
    FINAL_GAMES,
    FINAL_SEED,
    SELF_PLAY,
    PreparedRun,
    policy_file,
    training_plan,
)
from bba.learning.rl.trainer import PPOConfig, Trainer, evaluate_beside
from bba.learning.rl.vec_env import BOTH_SEATS, InitialStates, KitchenVecEnv, PolicyPartner, repeat_seats

FADED = 0.5  # share of the training after which steps towards a burrito are not rewarded any more
SCALE = 6.0  # of the source's points, with which no step is worth less than nothing to who dislikes it
SHAPING_POINTS = {
    CHOPPING: 2.0,  # two chops of 1
    WASHING: 3.0,  # three rinses of 1
    POTTING_RICE: 1.5,
    GRILLING_MEAT: 1.5,
    PLATING: 5.0,  # 3, and 5 more onto a plate with something on it
    DELIVERING: 10.0,
}


def shaping() -> Float64Array:
    """Returns what each feature is worth to everybody at the start of a training, (9,) in points per event."""
    points = np.zeros(N_FEATURES)
    for feature, value in SHAPING_POINTS.items():
        points[feature] = SCALE * value
    return points


def scratch_settings(_: Layout, config: PPOConfig) -> PPOConfig:
    """Returns the parameters, of which only the number of steps can be chosen."""
    return replace(
        config,
        games=128,
        length=1200,
        rollout=64,
        minibatch=768,
        epochs=4,
        rate=3e-4,
        gamma=0.999,
        lam=0.95,
        entropy=0.02,
        updates=3,
        critic_first=0,
    )


def prepare_scratch(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:
    """Prepares the training of a partner such as ``scratch:G1-1``; its checkpoint is in `folder`."""
    weights = feature_weights(name)
    at_first = shaping()
    partners: dict[str, PolicyPartner | None] = {SELF_PLAY: None}
    learner_seats = repeat_seats(BOTH_SEATS, config.games)
    states = InitialStates(layout)

    def make_env(round_seed: int, share_over: float) -> KitchenVecEnv:
        fading = max(0.0, 1 - share_over / FADED)
        shaped = weights + fading * at_first
        return KitchenVecEnv(layout, learner_seats, None, shaped, states, config.length, round_seed)

    along_curve = partial(
        evaluate_beside, layout=layout, partners=partners, weights=NO_WEIGHTS, games=CURVE_GAMES, seed=CURVE_SEED
    )
    finally_scored = partial(
        evaluate_beside, layout=layout, partners=partners, weights=weights, games=FINAL_GAMES, seed=FINAL_SEED
    )
    more = {"weights": weights.tolist(), "shaping": at_first.tolist(), "faded": FADED}
    trainer = Trainer(
        training_plan(name, layout, config, seed, more),
        make_env,
        along_curve,
        None,
        config,
        seed,
        policy_file(folder, name, layout, ".checkpoint"),
    )
    return PreparedRun(trainer, weights, finally_scored, shaping=at_first)
