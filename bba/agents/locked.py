"""Locked partners: they pursue one role at a time, as a schedule has it, and do not adapt to what the team needs.

`switching+locked` is the scripted one, `bp:G1-1+locked` to `bp:G3-4+locked` the learned ones.
"""

from bba.agents.learned.preferences import PARTNERS

# Part of the name, not an option of its own: so each of a sweep's partners, a recording and a table can say it.
LOCKED = "+locked"
LOCKED_PARTNERS = tuple(f"{partner}{LOCKED}" for partner in ("switching", *PARTNERS))


def unlocked(name: str) -> str:
    """Returns the name of the agent that a locked one is otherwise; other names as they are."""
    return name.removesuffix(LOCKED) if name in LOCKED_PARTNERS else name
