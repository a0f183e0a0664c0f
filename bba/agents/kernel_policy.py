"""What an agent says of its policy in advance, so that a kernel plays its steps without asking it.

Such an agent returns a `KernelPolicy`: what it does while its skill runs, when it has to be asked, and how a kernel
chooses its next skill, if one can. Any other agent is asked in every step.
"""

from collections.abc import Callable, Reversible
from typing import NamedTuple, Protocol, TypeGuard, runtime_checkable

from bba.agents.base import Agent, Belief, Decision, Observation, PolicyOutput
from bba.agents.skill_policy import BY_AGENT, KIND, SkillPolicy
from bba.belief import PartnerModel
from bba.kitchen import NO_SKILL, StateVector

FOREVER = 2**31 - 1  # steps


class KernelChoice(NamedTuple):
    """A choice that a kernel has made for an agent.

    Attributes:
        skill: what it chose.
        fields: the columns of a choice (`bba.agents.skill_policy`).
        observation: returns what the agent would have been shown.
        belief: returns what its model said then; None without a model.
    """

    skill: int
    fields: tuple[int, ...]
    observation: Callable[[], Observation]
    belief: Callable[[], Belief | None]


class Chooser:
    """An agent's side of the choices that a kernel makes for it: it records them, and tells the decisions behind them.

    Args:
        policy: how the kernel chooses.

    Attributes:
        chose: whether a kernel has chosen for it, so that the agent has to state its policy anew.
        draws: whether it draws from a learned policy, whose probabilities are shown until it draws again.
    """

    chose = False
    draws = False

    def __init__(self, policy: SkillPolicy) -> None:
        self.policy = policy

    @property
    def agent_begins(self) -> bool:
        """Whether the agent decides in the first step: a kernel does not choose for it, or not yet."""
        return bool(self.draws or self.policy.numbers[KIND] == BY_AGENT)

    def record(self, choices: Reversible[KernelChoice], states: StateVector) -> None:
        """Takes in what a kernel chose, in order, and the states that it saw, (n, S)."""

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the agent's decision, but for belief and gates."""
        raise NotImplementedError

    def policy_at(self, step: int, choice: KernelChoice | None) -> PolicyOutput | None:
        """Returns what is shown of a learned policy while a skill runs.

        `choice` is the last one of a kernel; None if the agent made the last one.
        """


class KernelPolicy(NamedTuple):
    """An agent's policy for the steps in which it need not be asked: its decision while its skill runs, and its ends.

    Attributes:
        decision: the decision while a skill runs, but for the skill, belief and gates.
        until: the number of played steps at which the agent has to be asked.
        model: what takes in the partner's actions in every step; None for an agent without a belief.
        interrupted_by: the gates of `model` at whose opening it chooses anew, as bits (`bba.belief.partner_model`).
        chooser: chooses the next skill in a kernel; None if the agent has to be asked whenever it chooses.
    """

    decision: Decision = Decision(NO_SKILL)
    until: int = FOREVER
    model: PartnerModel | None = None
    interrupted_by: int = 0
    chooser: Chooser | None = None


@runtime_checkable
class HasKernelPolicy(Agent, Protocol):
    """Protocol of an agent that a kernel can play."""

    def kernel_policy(self, played: int) -> KernelPolicy | None:
        """Returns its policy after so many steps; None if it has to be asked in every step."""

    def accept_belief(self, belief: Belief) -> None:
        """Takes over what its model, which a kernel has updated, says of this step; called instead of `observe`."""


def has_kernel_policy(agent: Agent) -> TypeGuard[HasKernelPolicy]:
    """Whether a kernel can play an agent; not if its class acts otherwise than the one that states the policy."""
    if isinstance(agent, HasKernelPolicy):
        for kind in type(agent).__mro__:
            if "kernel_policy" in vars(kind):
                return True
            if not vars(kind).keys().isdisjoint(("observe", "decide", "commit")):
                return False
    return False
