"""How planners talk to a model: a list of messages goes out, one text comes back."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol, Self, TypedDict

from bba.errors import BBAError


class Message(TypedDict):
    """One turn of a chat, in the shape that OpenAI-compatible endpoints take."""

    role: Literal["system", "user", "assistant"]
    content: str


class Usage(NamedTuple):
    """What answers cost: tokens, wall-clock seconds, and US dollars where the price is known.

    `cached` counts the answers that came from a store of earlier ones, which cost nothing.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    cached: int = 0

    def plus(self, other: Self) -> "Usage":
        """Both together; the cost is unknown only where both are."""
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.seconds + other.seconds,
            sum(costs) if costs else None,
            self.cached + other.cached,
        )


class Reply(NamedTuple):
    """The assistant's next message, and what it cost (None for what costs nothing and answers at once)."""

    text: str
    usage: Usage | None = None


class NoAnswer(BBAError):
    """This question got no answer; the next one may."""


class ChatBackend(Protocol):
    """Answers a chat."""

    @property
    def name(self) -> str:
        """What results are filed under, such as "scripted" or a model's name."""

    def complete(self, messages: Sequence[Message]) -> Reply:
        """The assistant's next message.

        Raises:
            NoAnswer: no answer could be had to this question (network, deadline, an endpoint that talks nonsense).
            BBAError: nor will there be one to the next (key, limit, or a prompt that the backend cannot read).
        """
