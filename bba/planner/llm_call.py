"""One call of a language model: what was sent, what came back, and what was read from it."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal

from pydantic import Field

from bba.kitchen.constants import N_SKILLS, NO_SKILL
from bba.limits import PlainText
from bba.planner.chat import Message, Usage
from bba.planner.prompts import QueryKind

PLAN: Literal["plan"] = "plan"
TOO_LATE = "came too late"  # the problem of a usable plan that was dropped

CallKind = Literal["plan", QueryKind]
SkillNumber = Annotated[int, Field(ge=NO_SKILL, lt=N_SKILLS)]


@dataclass(frozen=True, slots=True)
class LLMCall:
    """A question to a language model with all its retries: a plan (the choice of a skill) or a side query.

    The annotations are the limits that a recording is validated against.

    Attributes:
        kind: what was asked.
        texts: what was sent last, without the roles: the system prompt, then user and assistant in turn. These are
            `turns` earlier turns of two texts each, the question, and a response and a retry message for every
            response that could not be used.
        response: the model's last response; "" if there was none.
        attempts: the number of responses and failures to respond, 1 or more.
        problem: why the last response was not used; None if it was.
        usage: the cost of all attempts together; None for a backend that costs nothing.
        turns: the number of earlier turns that were sent along; 0 for a side query.
        skill: the skill that a plan chose, always feasible (STAY for a fallback); NO_SKILL for a side query.
        belief_text: what a plan's response says about the partner's role; None if it says nothing.
        intention: the skill that a plan's response expects of the partner; None if it expects none.
        late: whether a plan was dropped because it arrived when its skill was no longer feasible.
    """

    kind: CallKind
    texts: tuple[str, ...]
    response: str
    attempts: Annotated[int, Field(ge=1)] = 1
    problem: PlainText | None = None
    usage: Usage | None = None
    turns: Annotated[int, Field(ge=0)] = 0
    skill: SkillNumber = NO_SKILL
    belief_text: PlainText | None = None
    intention: SkillNumber | None = None
    late: bool = False

    @property
    def messages(self) -> tuple[Message, ...]:
        """The texts with their roles, as they were sent."""
        return tuple([Message(role=_role(position), content=text) for position, text in enumerate(self.texts)])

    @property
    def system(self) -> str:
        """The system prompt."""
        return self.texts[0]

    @property
    def question(self) -> str:
        """The user message that the model had to answer."""
        return self.texts[1 + 2 * self.turns]

    @property
    def fallback(self) -> bool:
        """Whether this is a plan without a usable response, so that the agent stays."""
        return self.kind == PLAN and self.problem is not None and not self.late

    def dropped(self) -> "LLMCall":
        """Returns the same plan, marked as too late to be used."""
        return replace(self, late=True, problem=self.problem or TOO_LATE)


def _role(position: int) -> Literal["system", "user", "assistant"]:
    if position == 0:
        return "system"
    return "user" if position % 2 else "assistant"
