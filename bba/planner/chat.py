"""The chat interface between planners and a language model: messages in, one text out, and a record of each call.

A thread that decides has one `QuestionProgress`, which tells a screen how far the question is: since when, which
attempt. The stages of a request find it with `progress`; where nobody follows a decision they report to nobody.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from typing import Annotated, Any, Literal, NamedTuple, Protocol, Self, TypedDict, final

from pydantic import BeforeValidator, Field

from bba.errors import BBAError
from bba.kitchen.constants import N_SKILLS, NO_SKILL
from bba.text import encodable
from bba.validation import PlainText


class Texts(Sequence[str]):
    """A tuple of texts, equal to any tuple of the same texts; pickled and copied as a tuple.

    Args:
        write: returns the texts; called once, when they are first read.
    """

    def __init__(self, write: Callable[[], Iterable[str]]) -> None:
        self._write = write

    @cached_property
    def written(self) -> tuple[str, ...]:
        """The texts."""
        return tuple([encodable(text) for text in self._write()])

    def __len__(self) -> int:
        return len(self.written)

    def __getitem__(self, index: Any) -> Any:  # as of the tuple that `LLMCall` declares
        return self.written[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Texts):
            return self.written == other.written
        return self.written == other

    def __hash__(self) -> int:
        return hash(self.written)

    def __repr__(self) -> str:
        return repr(self.written)

    def __reduce__(self) -> tuple[type[tuple[str, ...]], tuple[tuple[str, ...]]]:
        return tuple, (self.written,)


_Count = Annotated[int, Field(ge=0, le=10**12)]
_Amount = Annotated[float, Field(ge=0, le=1e9)]
PLAN: Literal["plan"] = "plan"
TOO_LATE = "came too late"  # the problem of a usable plan that was dropped
QueryKind = Literal["judge", "evaluate", "generate", "predict"]  # of side queries
CallKind = Literal["plan", QueryKind]
SkillNumber = Annotated[int, Field(ge=NO_SKILL, lt=N_SKILLS)]


class Message(TypedDict):
    """One message of a chat, in the form that OpenAI-compatible endpoints take."""

    role: Literal["system", "user", "assistant"]
    content: str


@final
@dataclass(frozen=True, slots=True)
class Usage:
    """What responses cost: tokens, wall-clock seconds, and US dollars where the price is known.

    Attributes:
        cached: the responses that came from the store of earlier ones, which cost nothing.
        cached_tokens: the tokens sent that the provider had in its own cache, which cost less.
        estimated: the responses whose tokens are estimated, because the endpoint does not report them.
    """

    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0
    seconds: _Amount = 0.0
    cost: _Amount | None = None
    cached: _Count = 0
    cached_tokens: _Count = 0
    estimated: _Count = 0

    def plus(self, other: Self) -> "Usage":
        """Returns the sum of both usages; its cost is None only where both costs are."""
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            seconds=self.seconds + other.seconds,
            cost=sum(costs) if costs else None,
            cached=self.cached + other.cached,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            estimated=self.estimated + other.estimated,
        )


def total_usage(usages: Iterable[Usage | None]) -> Usage | None:
    """Returns the sum of the usages that are known; None if none is."""
    reported = [usage for usage in usages if usage is not None]
    if not reported:
        return None
    return reduce(Usage.plus, reported)


class Reply(NamedTuple):
    """The assistant's next message and its cost; the usage is None for a backend that costs nothing."""

    text: str
    usage: Usage | None = None


class NoAnswer(BBAError):
    """The model did not answer this request; the next request may succeed.

    Attributes:
        usage: what its failed attempts cost; None for nothing or unknown.
        retryable: whether the same request may be answered later.
    """

    def __init__(self, problem: str, *, usage: Usage | None = None, retryable: bool = False) -> None:
        super().__init__(problem)
        self.usage = usage
        self.retryable = retryable


class ModelUnusable(BBAError):
    """The model will answer no later request either: no game that needs it can go on, and none should begin."""


class ChatBackend(Protocol):
    """Protocol of a chat model."""

    @property
    def name(self) -> str:
        """The name under which results are stored, such as "scripted" or a model's name."""

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Returns the assistant's next message.

        Raises:
            NoAnswer: this request failed (network, deadline, a malformed response).
            BBAError: later requests will fail as well (key, limit, or a prompt that the backend cannot parse).
        """


def _as_tuple(texts: object) -> object:
    """Returns the tuple of texts that are not written yet; anything else as it is."""
    if isinstance(texts, Texts):
        return texts.written
    return texts


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
    texts: Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]
    response: str
    attempts: Annotated[int, Field(ge=1, le=10**6)] = 1
    problem: PlainText | None = None
    usage: Usage | None = None
    turns: Annotated[int, Field(ge=0, le=10**6)] = 0
    skill: SkillNumber = NO_SKILL
    belief_text: PlainText | None = None
    intention: Annotated[int, Field(ge=0, lt=N_SKILLS)] | None = None
    late: bool = False

    def __post_init__(self) -> None:
        """Makes texts encodable that a plug-in has made."""
        for name in ("response", "problem", "belief_text"):
            text = getattr(self, name)
            if not text:
                continue
            clean = encodable(text)
            if clean is not text:
                object.__setattr__(self, name, clean)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The texts with their roles, as they were sent."""
        return tuple([Message(role=_role_at(index), content=text) for index, text in enumerate(self.texts)])

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


def _role_at(index: int) -> Literal["system", "user", "assistant"]:
    if index == 0:
        return "system"
    return "user" if index % 2 else "assistant"


class Retry(NamedTuple):
    """An attempt that follows a failed one.

    Attributes:
        number: of the attempt, from 2.
        most: how many attempts there will be at the most.
        reached: whether the endpoint could be reached.
        problem: why the attempt before failed, in a line.
    """

    number: int
    most: int
    reached: bool
    problem: str


class QuestionProgress:
    """How far one decision of an agent is; made when it begins.

    Attributes:
        retry: the attempt under way or to come, if the one before failed; None in the first attempt.
        doing: what the endpoint is doing by its own account, or what is waited for before it is asked; None if unknown.
        heard_at: when something was heard last, or when it was asked, as a value of `time.monotonic`.
    """

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._silent_since = self._began
        self.heard_at = self._began
        self.retry: Retry | None = None
        self.doing: str | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the decision began."""
        return time.monotonic() - self._began

    @property
    def silence(self) -> float:
        """Seconds of asking without a usable answer, those of earlier decisions included."""
        return time.monotonic() - self._silent_since

    def ask(self, silence: float) -> None:
        """Notes that a question is sent, after `silence` seconds of asking without a usable answer."""
        self.heard_at = time.monotonic()
        self._silent_since = self.heard_at - silence
        self.retry = None
        self.doing = None

    def hear(self, doing: str | None) -> None:
        """Notes what the endpoint is doing, so that the wait is not for nothing."""
        self.doing = doing
        self.heard_at = time.monotonic()


_followed: ContextVar[QuestionProgress | None] = ContextVar("progress", default=None)
follow = _followed.set  # from now on, this thread's decision


def progress() -> QuestionProgress:
    """Returns the progress of this thread's decision; a new one, which nobody else reads, if nobody follows it."""
    followed = _followed.get()
    if followed is None:
        followed = QuestionProgress()
        follow(followed)
    return followed
