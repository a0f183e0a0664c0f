"""How planners talk to a model: a list of messages goes out, one text comes back."""

from collections.abc import Sequence
from typing import Literal, Protocol, TypedDict


class Message(TypedDict):
    """One turn of a chat, in the shape that OpenAI-compatible endpoints take."""

    role: Literal["system", "user", "assistant"]
    content: str


class ChatBackend(Protocol):
    """Answers a chat."""

    @property
    def name(self) -> str:
        """What results are filed under, such as "scripted" or a model's name."""

    def complete(self, messages: Sequence[Message]) -> str:
        """The assistant's next message.

        Raises:
            BBAError: no answer could be had (network, key, limit, or a prompt that the backend cannot read).
        """
