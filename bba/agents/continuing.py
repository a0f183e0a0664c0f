"""What an agent does by itself, told in advance, so that whole stretches of a game are played without asking it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol, TypeGuard, runtime_checkable

from bba.agents.base import Agent, Belief, Decision, Observation
from bba.agents.compiled.policy import CompiledPolicy
from bba.belief import PartnerModel
from bba.kitchen.constants import NO_SKILL

FOREVER = 2**31 - 1  # steps
NOTHING, COMPLETIONS, WORK = range(3)  # what of its partner's work an agent has to be told


class KernelChoice(NamedTuple):
    """A choice that a kernel has made for an agent.

    Attributes:
        skill: what it chose.
        fields: the columns of a choice (`bba.agents.compiled.policy`).
        observation: returns what the agent would have been shown.
        belief: returns what its model said then; None without a model.
    """

    skill: int
    fields: tuple[int, ...]
    observation: Callable[[], Observation]
    belief: Callable[[], Belief | None]


class Chooser(Protocol):
    """Protocol of an agent's part that a kernel chooses for."""

    @property
    def policy(self) -> CompiledPolicy:
        """How a kernel chooses."""

    @property
    def is_behind(self) -> bool:
        """Whether it has to take over what a kernel has chosen."""

    def take_over(self, choices: Sequence[KernelChoice]) -> None:
        """Takes over what was chosen, in order."""

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the agent's decision, but for belief and gates."""


class Continuation(NamedTuple):
    """An agent's decision in every step in which its skill runs and nothing of the following happens.

    Attributes:
        decision: the decision, but for its skill, belief and gates.
        until: the number of played steps at which it has to be asked.
        model: what takes in the partner's actions in every step; None for an agent without a belief.
        interrupted_by: the gates of `model` at whose opening it chooses anew, as bits (`bba.belief.partner_model`).
        learns: after what it has to be asked: nothing, its partner's completed skills, or all its work at stations.
        chooser: what a kernel chooses for; None if it has to be asked whenever it chooses.
    """

    decision: Decision = Decision(NO_SKILL)
    until: int = FOREVER
    model: PartnerModel | None = None
    interrupted_by: int = 0
    learns: int = NOTHING
    chooser: Chooser | None = None


@runtime_checkable
class Continuing(Agent, Protocol):
    """Protocol of an agent that can tell in advance what it does by itself."""

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
