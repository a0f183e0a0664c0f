"""The population from which GAMMA and TALENTS learn: eight policies of its own, none of the twelve of the evaluation.

Its members are specialists. Each likes some of the nine features and dislikes all others, with larger weights than the
partners of the evaluation have, and is trained with the clone of the scripted planner, which does the rest of the work.
If the map keeps one of the cooks from a feature, no member dislikes that feature: nobody else could do it, and the
member's team would deliver nothing.

Each member plays at three levels of skill. GAMMA learns from members early in their training, at their best, and at
their best with some random choices. For TALENTS, members with many random choices replace the early ones: all early
policies still resemble the clone, and clusters would separate beginners from the rest instead of preferences.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bba.kitchen.features import (
    CHOPPING,
    DELIVERING,
    GRILLING_MEAT,
    PLATING,
    POTTING_RICE,
    TAKING_MEAT,
    TAKING_MUSHROOM,
    TAKING_RICE,
    WASHING,
    reachable_features,
)
from bba.kitchen.layout import Layout
from bba.learning.recipes.bp import prepare_shaped
from bba.learning.recipes.recipe import PreparedRun, no_evaluation
from bba.learning.rl.ppo_config import PPOConfig
from bba.learning.rl.vec_env import PolicyPartner

SPECIALTIES = (
    (PLATING, WASHING, DELIVERING),
    (TAKING_RICE, POTTING_RICE),
    (TAKING_MEAT, CHOPPING, GRILLING_MEAT),
    (TAKING_MUSHROOM, CHOPPING),
)
LIKED, DISLIKED = 40.0, -80.0  # points per event
MEMBERS, SEED = 2 * len(SPECIALTIES), 500
SOME, MANY = 0.15, 0.3  # share of random choices


def member_weights(number: int, layout: Layout) -> NDArray[np.float64]:
    """Returns the value of each feature to a member on a layout, (9,) in points per event."""
    weights = np.where(reachable_features(layout, 0) & reachable_features(layout, 1), DISLIKED, 0.0)
    weights[list(SPECIALTIES[number % len(SPECIALTIES)])] = LIKED
    return weights


def prepare_member(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:  # noqa: ARG001
    """Prepares the training of a member such as ``member-3``: half as many steps as a playable policy.

    It has its own seed, whatever `seed` is, and no final evaluation.
    """
    number, shorter = int(name.rpartition("-")[2]), replace(config, steps=config.steps // 2)
    weights = member_weights(number, layout)
    shaped = prepare_shaped(name, weights, layout, folder, shorter, SEED + number, self_play=False)
    return replace(shaped, evaluate=no_evaluation)


def trained_population(
    layout: Layout, folder: Path, config: PPOConfig, *, early: bool, members: int = MEMBERS
) -> list[tuple[str, PolicyPartner]]:
    """Trains the population of a layout, or reads it from complete checkpoints in `folder`.

    Args:
        layout: the kitchen.
        folder: where the checkpoints and the base are.
        config: the parameters of a playable policy; members train for half as many steps.
        early: whether the third level is the policy early in the training; else it is the one with many random choices.
        members: number of members.

    Returns:
        Each member's name with a policy, once for each of its levels of skill.
    """
    population = []
    for name in (f"member-{number}" for number in range(members)):
        trained = prepare_member(name, layout, folder, config, 0).trainer.run()
        best, noisy = PolicyPartner(trained.policy, 0.0), PolicyPartner(trained.policy, SOME)
        third = PolicyPartner(trained.early, 0.0) if early else PolicyPartner(trained.policy, MANY)
        levels = (third, best, noisy) if early else (best, noisy, third)
        population += [(name, level) for level in levels]
    return population
