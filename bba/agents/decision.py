"""The decision of an agent in one step, with what led to it."""

from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, Field

from bba.belief import BeliefUpdate, GateResult
from bba.kitchen.constants import N_SKILLS
from bba.limits import Share
from bba.planner import LLMCall

THINKING = "thinking"  # the note of a step in which an agent waits for its planner
MAX_CLUSTERS = 1000


def _one_per_skill(probabilities: tuple[float, ...]) -> tuple[float, ...]:
    if len(probabilities) not in (0, N_SKILLS):
        raise ValueError(f"{len(probabilities)} of them; one a skill ({N_SKILLS}) or none")
    return probabilities


@dataclass(frozen=True, slots=True)
class PolicyOutput:
    """What a learned policy computed. The annotations are the limits that a recording is validated against.

    Attributes:
        probabilities: of the 27 skills when it chose the running one; () if it did not choose the running skill.
        clusters: the weight of each partner cluster now; () for a policy without clusters.
    """

    probabilities: Annotated[tuple[Share, ...], AfterValidator(_one_per_skill)] = ()
    clusters: Annotated[tuple[Share, ...], Field(max_length=MAX_CLUSTERS)] = ()


class Decision(NamedTuple):
    """What an agent decides in one step, and what led to it.

    Attributes:
        skill: the skill to run from now on, which may be the running one; NO_SKILL for a primitive action.
        action: the primitive action of a person; None for agents that play by skills.
        chosen: whether the skill was chosen anew, even if it is the same one.
        replanned: whether the agent interrupted its running skill.
        belief: the agent's belief after its update; None if it has none. The game sets it.
        gate: the gate's result on it; None if it has no gate, and at the first step. The game sets it.
        calls: the calls of its language model in this step, in order.
        scheduled_role: the role of a scripted partner by its schedule; None for others.
        declared_role: the role that a person declares in this step; None if it declares none.
        note: a few words for the trace, such as why a scripted partner works in another role.
        policy: the output of a learned policy, also while a skill runs; None for others.
    """

    skill: int
    action: int | None = None
    chosen: bool = False
    replanned: bool = False
    belief: BeliefUpdate | None = None
    gate: GateResult | None = None
    calls: tuple[LLMCall, ...] = ()
    scheduled_role: int | None = None
    declared_role: int | None = None
    note: str = ""
    policy: PolicyOutput | None = None

    @property
    def plan(self) -> LLMCall | None:
        """The call that chose the skill; None if no model was asked for it in this step."""
        return next((call for call in self.calls if call.kind == "plan" and not call.late), None)

    @property
    def thinking(self) -> bool:
        """Whether the agent stays because its planner has not answered yet."""
        return self.note == THINKING
