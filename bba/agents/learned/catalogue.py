"""The names of the learned agents, each with a one-line description."""

from bba.agents.learned.preferences import PARTNERS, PREFERENCE_GROUPS, VARIANTS
from bba.kitchen.features import FEATURE_NAMES

OWN_POLICY = "bp"  # not an agent; as the ego of a sweep it stands for the partner's own policy

_PREFERENCE_TEXTS = {
    (True, True): "likes {} and {}",
    (True, False): "likes {}, dislikes {}",
    (False, True): "dislikes {}, likes {}",
    (False, False): "dislikes {} and {}",
}


def _preference_text(partner: str) -> str:
    """Returns what a partner likes and dislikes, in words."""
    group, _, variant = partner.removeprefix(f"{OWN_POLICY}:").partition("-")
    varied = (FEATURE_NAMES[feature].replace("_", " ") for feature in PREFERENCE_GROUPS[group].varied)
    return _PREFERENCE_TEXTS[VARIANTS[int(variant)]].format(*varied)


LEARNED = {
    **{partner: f"learned partner: {_preference_text(partner)}" for partner in PARTNERS},
    "gamma": "learned cooperator, trained with generated partners",
    "talents": "learned cooperator that tells apart kinds of partners",
}
