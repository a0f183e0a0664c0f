"""The partners that GAMMA and TALENTS learn from: a population of its own, never one of the twelve of the evaluation.

Its members are specialists: each likes some of the nine features and dislikes all others, more strongly than the
evaluation's partners do, and is trained beside the clone of the scripted planner, who does what it leaves. Where the
map keeps one of the cooks from a feature, no member dislikes it: what is left there nobody would do, and the team with
such a member would deliver nothing.

Each plays at three levels of skill. GAMMA learns from members as they were early in their training, at their best, and
at their best with some choices replaced by random ones. For TALENTS those with many random choices take the place of
the early ones: early policies are still much like the clone, all of them, and clusters would tell beginners from the
rest, not one taste from another.
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
from bba.learning.recipes.bp import biased_training
from bba.learning.rl.fixed_partners import Indices, Masks, PolicyPartner, sample_actions
from bba.learning.rl.trainer import PPOConfig, Training

SPECIALTIES = (
    (PLATING, WASHING, DELIVERING),
    (TAKING_RICE, POTTING_RICE),
    (TAKING_MEAT, CHOPPING, GRILLING_MEAT),
    (TAKING_MUSHROOM, CHOPPING),
)
LIKED, DISLIKED = 40.0, -80.0  # points an event
MEMBERS, SEED = 2 * len(SPECIALTIES), 500
SOME, MANY = 0.15, 0.3  # share of random choices


@dataclass(frozen=True, slots=True)
class PopulationMember:
    """A member at one level.

    Attributes:
        name: of the member, such as ``member-3``.
        policy: its layers.
        errors: the share of its choices that are random.
    """

    name: str
    policy: Layers
    errors: float = 0.0


class EpsilonPolicy(PolicyPartner):
    """A policy of whose choices some are random.

    Args:
        layers: from an observation to one logit a skill.
        errors: the share of random choices, 0 to 1.
    """

    def __init__(self, layers: Layers, errors: float) -> None:
        super().__init__(layers)
        self._errors = errors

    def choose(self, games: Indices, seen: Float32Array, masks: Masks, rng: np.random.Generator) -> NDArray[np.int32]:  # noqa: ARG002
        """Skills drawn from the policy, or evenly among what is feasible."""
        logits = forward(self.layers, seen)
        logits[rng.random(len(seen)) < self._errors] = 0
        return sample_actions(logits, masks, rng)


def member_weights(number: int, layout: Layout) -> NDArray[np.float64]:
    """What a member likes and dislikes on a layout: the worth of each feature in points, (9,)."""
    worths = np.where(reachable_features(layout, 0) & reachable_features(layout, 1), DISLIKED, 0.0)
    worths[list(SPECIALTIES[number % len(SPECIALTIES)])] = LIKED
    return worths


def member_training(number: int, layout: Layout, folder: Path, settings: PPOConfig) -> Training:
    """The training of a member, half as long as that of what plays."""
    shorter = replace(settings, steps=settings.steps // 2)
    name, weights = f"member-{number}", member_weights(number, layout)
    return biased_training(name, weights, layout, folder, shorter, SEED + number, alone=False)


def population_of(
    layout: Layout, folder: Path, settings: PPOConfig, *, early: bool, members: int = MEMBERS
) -> list[PopulationMember]:
    """Train the population of a layout (or read it, where its checkpoints lie complete in `folder`).

    `early`: with policies from early in the trainings; else with those of many random choices.
    """
    found = []
    for number in range(members):
        name, trained = f"member-{number}", member_training(number, layout, folder, settings).run()
        best = PopulationMember(name, trained.policy)
        erring = replace(best, errors=SOME)
        found += (
            [PopulationMember(name, trained.early), best, erring]
            if early
            else [best, erring, replace(best, errors=MANY)]
        )
    return found
