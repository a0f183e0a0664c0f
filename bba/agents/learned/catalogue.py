"""The learned agents: name and one-line description."""

from bba.agents.learned.preferences import LIKES, PARTNERS, PREFERENCE_GROUPS
from bba.kitchen.features import FEATURE_NAMES

OWN_POLICY = "bp"  # not an agent, but an ego in sweeps: the policy of the behaviour-preferring partner itself

_PREFERENCES = {
    (True, True): "likes {} and {}",
    (True, False): "likes {}, dislikes {}",
    (False, True): "dislikes {}, likes {}",
    (False, False): "dislikes {} and {}",
}


def _preferences(partner: str) -> str:
    """Describes what a partner likes and dislikes."""
    group, _, variant = partner.removeprefix(f"{OWN_POLICY}:").partition("-")
    varied = (FEATURE_NAMES[feature].replace("_", " ") for feature in PREFERENCE_GROUPS[group].varied)
    return _PREFERENCES[LIKES[int(variant)]].format(*varied)


LEARNED = {
    **{partner: f"learned partner: {_preferences(partner)}" for partner in PARTNERS},
    "gamma": "learned cooperator, trained with generated partners",
    "talents": "learned cooperator that tells apart kinds of partners",
}
