"""What the gate judged, in words: the partner's last actions, of whose likelihoods ℓ is the product."""

from bba.analysis import names
from bba.analysis.snapshot import PARTNER, BeliefSnapshot, Snapshot
from bba.belief.likelihood import observed_action
from bba.kitchen.constants import ACTION_NAMES, INTERACT
from bba.kitchen.state import EVENT


def observed_action_name(snapshot: Snapshot, back: int = 0) -> str:
    """The partner's action that was judged at this moment, or the one so many before it; "" where there is none.

    A belief takes in an action one step later, when both states around it are public.
    """
    step = snapshot.step - 1 - back
    if step < 1:
        return ""
    before, after = snapshot.state(step - 1), snapshot.state(step)
    number = observed_action(before, after, PARTNER)
    name = ACTION_NAMES[number]
    return f"{name}: {names.skill(int(after[EVENT + PARTNER]))}" if number == INTERACT else name


def least_likely_action(mind: BeliefSnapshot, snapshot: Snapshot) -> str:
    """Of the actions that were judged, the one that fits the suspect least; the latest of equals."""
    newest_first = mind.belief.likelihood_ratios[::-1]
    back = min(range(len(newest_first)), key=newest_first.__getitem__, default=0)
    return observed_action_name(snapshot, back)
