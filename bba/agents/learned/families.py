"""The names of learned policies: two families of partners with preferences, their cooperators, and clones of people.

A group varies two features, each liked or disliked, and always likes a third one. Variant 1 likes both features,
variant 2 the first only, variant 3 the second only, variant 4 neither. The reward weights are those of the preprint.
"""

import re
from dataclasses import dataclass

import numpy as np

from bba.kitchen import (
    CHOPPING,
    DELIVERING,
    FEATURE_NAMES,
    GRILLING_MEAT,
    N_FEATURES,
    PLATING,
    POTTING_RICE,
    TAKING_MEAT,
    TAKING_MUSHROOM,
    TAKING_RICE,
    WASHING,
    Float64Array,
)

STUDY_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
OWN_POLICY = "bp"  # a family, not an agent; as the ego of a sweep it stands for the partner's own policy
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
    "G1": PreferenceGroup((PLATING, WASHING), 20, -30, (DELIVERING, 20)),  # logistics
    "G2": PreferenceGroup((CHOPPING, POTTING_RICE), 20, -30, (GRILLING_MEAT, 20)),  # cooking
    "G3": PreferenceGroup(  # sourcing
        (TAKING_MUSHROOM, TAKING_RICE), 10, -15, (TAKING_MEAT, 10)
    ),
}
LIKINGS = {1: (True, True), 2: (True, False), 3: (False, True), 4: (False, False)}  # which varied features are liked
PREFERENCES = tuple(f"{group}-{variant}" for group in PREFERENCE_GROUPS for variant in LIKINGS)
LEARNED_PARTNERS = tuple(f"{OWN_POLICY}:{preferences}" for preferences in PREFERENCES)
SCRATCH = "scratch"  # the family of the partners that were trained from nothing
SCRATCH_PARTNERS = tuple(f"{SCRATCH}:{preferences}" for preferences in PREFERENCES)
RESPONSE = "+response"  # how the name of a partner's best response ends, with which it was trained
SCRATCH_RESPONSES = tuple(f"{partner}{RESPONSE}" for partner in SCRATCH_PARTNERS)
COOPERATORS = ("gamma", "talents")
SCRATCH_COOPERATORS = tuple(f"{SCRATCH}:{cooperator}" for cooperator in COOPERATORS)
SCRATCH_TALENTS = SCRATCH_COOPERATORS[1]
FAMILIES = (OWN_POLICY, SCRATCH)


def in_family(agent: str, family: str) -> str:
    """Returns the partner with the same preferences, or the cooperator of the same kind, that belongs to a family.

    Another agent stays itself.
    """
    first, _, preferences = agent.partition(":")
    kind = preferences or first
    if kind in COOPERATORS:
        return f"{SCRATCH}:{kind}" if family == SCRATCH else kind
    return f"{family}:{preferences}" if first in FAMILIES and preferences else agent


def feature_weights(partner: str) -> Float64Array:
    """Returns the weights (9,) of one of `LEARNED_PARTNERS` or `SCRATCH_PARTNERS`, in points per event."""
    _, _, preferences = partner.partition(":")
    name, _, variant = preferences.partition("-")
    weights = np.zeros(N_FEATURES)
    group = PREFERENCE_GROUPS[name]
    for feature, liked in zip(group.varied, LIKINGS[int(variant)], strict=True):
        weights[feature] = group.liked if liked else group.disliked
    weights[group.always[0]] = group.always[1]
    return weights


def _preference_text(partner: str) -> str:
    """Returns what a partner likes and dislikes, in words."""
    _, _, preferences = partner.partition(":")
    group, _, variant = preferences.partition("-")
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
    **{partner: f"partner learned from nothing: {_preference_text(partner)}" for partner in SCRATCH_PARTNERS},
    **{response: f"best response to {response.removesuffix(RESPONSE)}" for response in SCRATCH_RESPONSES},
    "gamma": "learned cooperator, trained with generated partners",
    "talents": "learned cooperator that tells apart kinds of partners",
    "scratch:gamma": "as gamma, from nothing, with generated partners of that kind",
    "scratch:talents": "as talents, from nothing, with generated partners of that kind",
}
