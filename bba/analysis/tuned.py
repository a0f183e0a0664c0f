"""What of an agent was tuned: the parameters of its belief and gates, and the thresholds of a trigger from outside."""

from bba.agents import Profile
from bba.config import differences
from bba.plugins import find_used
from bba.plugins.used import option_changes


def tuned(before: Profile, after: Profile) -> str:
    """Returns what differs, as "Γ 0.65 → 0.5, step 9 → 12"; "" for nothing, and where one lacks what the other has."""
    if before is after:  # as from nearly every step to the next one
        return ""
    said = []
    if before.belief_config is not None and after.belief_config is not None:
        said.append(differences(before.belief_config, after.belief_config))
    old, new = find_used(before.plugins, "trigger"), find_used(after.plugins, "trigger")
    if old is not None and new is not None and old.name == new.name:
        said.append(option_changes(old, new))
    return ", ".join(filter(None, said))
