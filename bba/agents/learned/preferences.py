"""The learned agents by name, and the preferences of the behaviour-preferring partners (BP): three groups of four.

A group varies two features, each liked or disliked, and always likes a third one. Variant 1 likes both features,
variant 2 the first only, variant 3 the second only, variant 4 neither. The reward weights are those of the preprint.
"""

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bba.kitchen import features
from bba.kitchen.features import FEATURE_NAMES, N_FEATURES

STUDY_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
OWN_POLICY = "bp"  # not an agent; as the ego of a sweep it stands for the partner's own policy
_PREFERENCE_TEXTS = {
    (True, True): "likes {} and {}",
    (True, False): "likes {}, dislikes {}",
    (False, True): "dislikes {}, likes {}",
    (False, False): "dislikes {} and {}",
}


@dataclass(frozen=True, slots=True)
class PreferenceGroup:
    """The preferences of a group of four partners.

    Attributes:
        varied: the two features whose weights differ between the variants.
        liked, disliked: their weights, in points per event.
        always: the third feature and its weight.
    """

    varied: tuple[int, int]
    liked: float
    disliked: float
    always: tuple[int, float]


PREFERENCE_GROUPS = {
    "G1": PreferenceGroup((features.PLATING, features.WASHING), 20, -30, (features.DELIVERING, 20)),  # logistics
    "G2": PreferenceGroup((features.CHOPPING, features.POTTING_RICE), 20, -30, (features.GRILLING_MEAT, 20)),  # cooking
    "G3": PreferenceGroup(  # sourcing
        (features.TAKING_MUSHROOM, features.TAKING_RICE), 10, -15, (features.TAKING_MEAT, 10)
    ),
}

LIKINGS = {1: (True, True), 2: (True, False), 3: (False, True), 4: (False, False)}  # which varied features are liked
LEARNED_PARTNERS = tuple(f"bp:{group}-{variant}" for group in PREFERENCE_GROUPS for variant in LIKINGS)


def feature_weights(partner: str) -> NDArray[np.float64]:
    """Returns the weights (9,) of one of `PARTNERS`, in points per event."""
    name, _, variant = partner.removeprefix("bp:").partition("-")
    weights, group = np.zeros(N_FEATURES), PREFERENCE_GROUPS[name]
    for feature, liked in zip(group.varied, LIKINGS[int(variant)], strict=True):
        weights[feature] = group.liked if liked else group.disliked
    weights[group.always[0]] = group.always[1]
    return weights


def _preference_text(partner: str) -> str:
    """Returns what a partner likes and dislikes, in words."""
    group, _, variant = partner.removeprefix(f"{OWN_POLICY}:").partition("-")
    varied = (FEATURE_NAMES[feature].replace("_", " ") for feature in PREFERENCE_GROUPS[group].varied)
    return _PREFERENCE_TEXTS[LIKINGS[int(variant)]].format(*varied)


CLONE = "human:"  # how the names of clones of people begin; what follows is the study that they learned from


def is_learned(name: str) -> bool:
    """Returns whether an agent plays a learned policy: one that ships, or a clone of people."""
    return name in LEARNED or is_clone(name)


def is_clone(name: str) -> bool:
    """Returns whether an agent is a clone of people, as ``human:example``."""
    return name.startswith(CLONE) and STUDY_NAME.fullmatch(name.removeprefix(CLONE)) is not None


LEARNED = {
    **{partner: f"learned partner: {_preference_text(partner)}" for partner in LEARNED_PARTNERS},
    "gamma": "learned cooperator, trained with generated partners",
    "talents": "learned cooperator that tells apart kinds of partners",
}
