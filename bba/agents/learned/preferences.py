"""What the behaviour-preferring partners (BP) like and dislike: three groups of four, by the preprint's reward weights.

A group varies two features, each liked or disliked, and always likes a third; its variants are 1: both liked, 2: the
first only, 3: the second only, 4: neither.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bba.kitchen import features
from bba.kitchen.features import N_FEATURES


@dataclass(frozen=True, slots=True)
class PreferenceGroup:
    """Four partners.

    Attributes:
        about: what the group is about, in a word.
        varied: the two features whose weights differ between the variants.
        liked, disliked: those weights, in points an event.
        always: the third feature and its weight.
    """

    about: str
    varied: tuple[int, int]
    liked: float
    disliked: float
    always: tuple[int, float]


PREFERENCE_GROUPS = {
    "G1": PreferenceGroup("logistics", (features.PLATING, features.WASHING), 20, -30, (features.DELIVERING, 20)),
    "G2": PreferenceGroup("cooking", (features.CHOPPING, features.POTTING_RICE), 20, -30, (features.GRILLING_MEAT, 20)),
    "G3": PreferenceGroup(
        "sourcing", (features.TAKING_MUSHROOM, features.TAKING_RICE), 10, -15, (features.TAKING_MEAT, 10)
    ),
}
LIKES = {1: (True, True), 2: (True, False), 3: (False, True), 4: (False, False)}  # the varied features, by variant
PARTNERS = tuple(f"bp:{group}-{variant}" for group in PREFERENCE_GROUPS for variant in LIKES)


def feature_weights(partner: str) -> NDArray[np.float64]:
    """The weights (9,) of a partner of `PARTNERS`, in points an event."""
    group, _, variant = partner.removeprefix("bp:").partition("-")
    table, chosen = np.zeros(N_FEATURES), PREFERENCE_GROUPS[group]
    for feature, liked in zip(chosen.varied, LIKES[int(variant)], strict=True):
        table[feature] = chosen.liked if liked else chosen.disliked
    table[chosen.always[0]] = chosen.always[1]
    return table
