"""The chat interface between planners and a language model: a list of messages in, one text out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple, Protocol, Self, TypedDict, final

from pydantic import Field

from bba.errors import BBAError


class Message(TypedDict):
    """One message of a chat, in the form that OpenAI-compatible endpoints take."""

    role: Literal["system", "user", "assistant"]
    content: str


_Count = Annotated[int, Field(ge=0)]
_Amount = Annotated[float, Field(ge=0)]


@final
@dataclass(frozen=True, slots=True)
class Usage:
    """What responses cost: tokens, wall-clock seconds, and US dollars where the price is known.

    `cached` counts the responses that came from the cache of earlier ones, which cost nothing.
    """

    prompt_tokens: _Count = 0
    completion_tokens: _Count = 0
    seconds: _Amount = 0.0
    cost: _Amount | None = None
    cached: _Count = 0

    def plus(self, other: Self) -> "Usage":
        """Returns the sum of both; its cost is None only where both costs are."""
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.seconds + other.seconds,
            sum(costs) if costs else None,
            self.cached + other.cached,
        )


class Reply(NamedTuple):
    """The assistant's next message and its cost; the usage is None for a backend that costs nothing."""

    text: str
    usage: Usage | None = None


class NoAnswer(BBAError):
    """The model did not answer this request; the next request may succeed."""


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
