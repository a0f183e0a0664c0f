"""The population from which GAMMA and TALENTS learn: eight policies of its own, none of the twelve of the evaluation.

Its members are specialists. Each likes some of the nine features and dislikes all others, with larger weights than the
partners of the evaluation have, and is trained with the clone of the scripted planner, which does the rest of the work.
If the map keeps one of the cooks from a feature, no member dislikes that feature: nobody else could do it, and the
member's team would deliver nothing.

Each member plays at three levels of skill. GAMMA learns from members early in their training, at their best, and at
their best with some random choices. For TALENTS, members with many random choices replace the early ones: all early
policies still resemble the clone, and clusters would separate beginners from the rest instead of preferences.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bba.agents.learned.policy import Layers, forward
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
from bba.kitchen.observation import Float32Array
from bba.learning.recipes.bp import shaped_trainer
from bba.learning.recipes.recipe import PreparedRun
from bba.learning.rl.ppo_config import PPOConfig
from bba.learning.rl.trainer import Trainer
from bba.learning.rl.vec_env import Indices, Masks, PolicyPartner, sample_actions

SPECIALTIES = (
    (PLATING, WASHING, DELIVERING),
    (TAKING_RICE, POTTING_RICE),
    (TAKING_MEAT, CHOPPING, GRILLING_MEAT),
    (TAKING_MUSHROOM, CHOPPING),
)
LIKED, DISLIKED = 40.0, -80.0  # points per event
MEMBERS, SEED = 2 * len(SPECIALTIES), 500
SOME, MANY = 0.15, 0.3  # share of random choices


@dataclass(frozen=True, slots=True)
class PopulationMember:
    """A member at one level of skill.

    Attributes:
        name: the member's name, such as ``member-3``.
        policy: its layers.
        epsilon: the share of its choices that are random.
    """

    name: str
    policy: Layers
    epsilon: float = 0.0


class EpsilonPolicy(PolicyPartner):
    """A fixed policy with some of its choices replaced by random ones.

    Args:
        layers: from an observation to one logit per skill.
        epsilon: the share of random choices, 0 to 1.
    """

    def __init__(self, layers: Layers, epsilon: float) -> None:
        super().__init__(layers)
        self._epsilon = epsilon

    def choose(
        self,
        games: Indices,  # noqa: ARG002
        observations: Float32Array,
        masks: Masks,
        rng: np.random.Generator,
    ) -> NDArray[np.int32]:
        """Samples skills from the policy, or uniformly among the feasible ones."""
        logits = forward(self.layers, observations)
        logits[rng.random(len(observations)) < self._epsilon] = 0
        return sample_actions(logits, masks, rng)


def member_weights(number: int, layout: Layout) -> NDArray[np.float64]:
    """Returns the value of each feature to a member on a layout, (9,) in points per event."""
    weights = np.where(reachable_features(layout, 0) & reachable_features(layout, 1), DISLIKED, 0.0)
    weights[list(SPECIALTIES[number % len(SPECIALTIES)])] = LIKED
    return weights


def member_trainer(number: int, layout: Layout, folder: Path, config: PPOConfig) -> Trainer:
    """Returns the trainer of a member: half as many steps as a playable policy."""
    shorter = replace(config, steps=config.steps // 2)
    name, weights = f"member-{number}", member_weights(number, layout)
    return shaped_trainer(name, weights, layout, folder, shorter, SEED + number, self_play=False)


def prepare_member(name: str, layout: Layout, folder: Path, config: PPOConfig, seed: int) -> PreparedRun:  # noqa: ARG001
    """Prepares the training of a member such as ``member-3``; it has its own seed, whatever `seed` is."""
    number = int(name.rpartition("-")[2])
    return PreparedRun(member_trainer(number, layout, folder, config), member_weights(number, layout))


def trained_population(
    layout: Layout, folder: Path, config: PPOConfig, *, early: bool, members: int = MEMBERS
) -> list[PopulationMember]:
    """Trains the population of a layout, or reads it from complete checkpoints in `folder`.

    Args:
        layout: the kitchen.
        folder: where the checkpoints and the base are.
        config: the parameters of a playable policy; members train for half as many steps.
        early: whether the third level is the policy early in the training; else it is the one with many random choices.
        members: number of members.
    """
    population = []
    for number in range(members):
        trained = member_trainer(number, layout, folder, config).run()
        best = PopulationMember(f"member-{number}", trained.policy)
        levels = [best, replace(best, epsilon=SOME)]
        population += (
            [replace(best, policy=trained.early), *levels] if early else [*levels, replace(best, epsilon=MANY)]
        )
    return population
