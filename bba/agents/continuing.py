"""What an agent does while its skill runs, told in advance, so that those steps can be played without asking it."""

from typing import NamedTuple, Protocol, TypeGuard, runtime_checkable

from bba.agents.base import Agent, Belief, Decision
from bba.belief import PartnerModel
from bba.kitchen.constants import NO_SKILL

FOREVER = 2**31 - 1  # steps


class Continuation(NamedTuple):
    """An agent's decision in every step in which its skill runs and nothing of the following happens.

    Attributes:
        decision: the decision, but for its skill, belief and gates.
        until: the number of played steps at which it has to be asked.
        model: what takes in the partner's actions in every step; None for an agent without a belief.
        interrupted_by: the gates of `model` at whose opening it has to be asked, as bits (`bba.belief.partner_model`).
        learns: whether it has to be asked when its partner has completed a skill.
    """

    decision: Decision = Decision(NO_SKILL)
    until: int = FOREVER
    model: PartnerModel | None = None
    interrupted_by: int = 0
    learns: bool = False


@runtime_checkable
class Continuing(Agent, Protocol):
    """Protocol of an agent that can tell in advance what it does while its skill runs."""

    def continuation(self, played: int) -> Continuation | None:
        """Returns what it does from now on, after so many steps; None if it has to be asked in every step."""

    def take_over(self, belief: Belief) -> None:
        """Takes over what its model says of this step, in the place of `observe`."""


def foresees(agent: Agent) -> TypeGuard[Continuing]:
    """Whether an agent can tell in advance what it does; not if its class acts otherwise than the one that tells it."""
    if isinstance(agent, Continuing):
        for kind in type(agent).__mro__:
            if "continuation" in vars(kind):
                return True
            if not vars(kind).keys().isdisjoint(("observe", "decide", "commit")):
                return False
    return False
