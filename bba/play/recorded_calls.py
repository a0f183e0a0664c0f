"""What a model was asked and what it answered, as it is written to a recording and read back."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

from bba.limits import StepsOrNone
from bba.planner import Aside, AsideKind, Exchange, Message, Usage

PlainText = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]  # shown on a terminal, which obeys the others


class StrictModel(BaseModel):
    """What a file holds: never changed, and with nothing in it that is not known."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class RecordedUsage(StrictModel):
    """What an answer cost, as `bba.planner.Usage`."""

    prompt_tokens: Annotated[int, Field(ge=0)]
    completion_tokens: Annotated[int, Field(ge=0)]
    seconds: Annotated[float, Field(ge=0)]
    cost: Annotated[float, Field(ge=0)] | None
    cached: Annotated[int, Field(ge=0)]

    @classmethod
    def of(cls, usage: Usage | None) -> Self | None:
        """The same for a file."""
        return cls(**usage._asdict()) if usage else None


class RecordedCall(StrictModel):
    """A question and what came back.

    `system` is the number of the system prompt, `asked` the question, followed by an answer and a re-ask for every
    answer that could not be used.
    """

    system: Annotated[int, Field(ge=0)]
    asked: Annotated[tuple[str, ...], Field(min_length=1)]
    answer: str
    attempts: Annotated[int, Field(ge=1)]
    problem: PlainText | None
    usage: RecordedUsage | None = None

    @property
    def spent(self) -> Usage | None:
        """What it cost, for a game."""
        return Usage(**self.usage.model_dump()) if self.usage else None

    def messages(self, systems: Sequence[str], earlier: Iterable[Message] = ()) -> tuple[Message, ...]:
        """What was sent: the system prompt, what went before the question, the question, and what followed it."""
        roles: tuple[Literal["user"], Literal["assistant"]] = ("user", "assistant")
        asked = [Message(role=roles[i % 2], content=text) for i, text in enumerate(self.asked)]
        return Message(role="system", content=systems[self.system]), *earlier, *asked


class RecordedAnswer(RecordedCall):
    """What a planner was asked and what it answered; `turns` is how many of its earlier exchanges were sent along."""

    turns: Annotated[int, Field(ge=0)]
    fallback: bool
    belief_text: PlainText | None
    intention: int | None

    @classmethod
    def of(cls, exchange: Exchange, systems: Sequence[str]) -> Self:
        """The same for a file that holds these system prompts."""
        return cls(
            system=systems.index(exchange.system),
            turns=exchange.turns,
            asked=texts(exchange.asked),
            answer=exchange.answer,
            attempts=exchange.attempts,
            fallback=exchange.fallback,
            problem=exchange.problem,
            belief_text=exchange.belief_text,
            intention=exchange.intention,
            usage=RecordedUsage.of(exchange.usage),
        )

    def exchange(self, skill: int, messages: tuple[Message, ...]) -> Exchange:
        """The same for a game, in which this skill came of it."""
        return Exchange(
            skill=skill,
            messages=messages,
            turns=self.turns,
            answer=self.answer,
            attempts=self.attempts,
            fallback=self.fallback,
            problem=self.problem,
            belief_text=self.belief_text,
            intention=self.intention,
            usage=self.spent,
        )


class RecordedSideQuery(RecordedCall):
    """What a model was asked beside the skill at a step (counted from 0), and what it answered."""

    step: StepsOrNone
    kind: AsideKind

    @classmethod
    def of(cls, step: int, aside: Aside, systems: Sequence[str]) -> Self:
        """The same for a file that holds these system prompts."""
        return cls(
            step=step,
            kind=aside.kind,
            system=systems.index(aside.system),
            asked=texts(aside.asked),
            answer=aside.answer,
            attempts=aside.attempts,
            problem=aside.problem,
            usage=RecordedUsage.of(aside.usage),
        )

    def aside(self, systems: Sequence[str]) -> Aside:
        """The same for a game."""
        return Aside(self.kind, self.messages(systems), self.answer, self.attempts, self.problem, self.spent)


def texts(messages: Iterable[Message]) -> tuple[str, ...]:
    """What messages say, without who says it."""
    return tuple(message["content"] for message in messages)
