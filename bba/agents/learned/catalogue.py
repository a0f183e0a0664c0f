"""The names of the learned agents, and what each is in a line."""

from bba.agents.learned.preferences import LIKES, PARTNERS, PREFERENCE_GROUPS
from bba.kitchen.features import FEATURE_NAMES

OWN_POLICY = "bp"  # no agent, but in sweeps an ego: the behaviour-preferring partner's own policy

_TASTES = {
    (True, True): "likes {} and {}",
    (True, False): "likes {}, dislikes {}",
    (False, True): "dislikes {}, likes {}",
    (False, False): "dislikes {} and {}",
}


def _tastes(partner: str) -> str:
    """What a partner likes and dislikes."""
    group, _, variant = partner.removeprefix(f"{OWN_POLICY}:").partition("-")
    varied = (FEATURE_NAMES[feature].replace("_", " ") for feature in PREFERENCE_GROUPS[group].varied)
    return _TASTES[LIKES[int(variant)]].format(*varied)


LEARNED = {
    **{partner: f"learned partner: {_tastes(partner)}" for partner in PARTNERS},
    "gamma": "learned cooperator, trained with generated partners",
    "talents": "learned cooperator that tells apart kinds of partners",
}
