"""One question on its way to a model and back through the stages: cache, log, retries, limits, endpoint."""

import time
from dataclasses import dataclass, field
from typing import Protocol

from bba.planner.chat import Message, NoAnswer, Reply, Usage


class AttemptFailed(NoAnswer):
    """One attempt brought no answer.

    Attributes:
        retryable: whether another attempt may bring one.
        wait: seconds that the endpoint asks to wait before that, if it does.
        reached: whether the endpoint was there at all.
        usage: what the attempt cost nevertheless.
    """

    def __init__(
        self,
        problem: str,
        *,
        retryable: bool,
        wait: float | None = None,
        reached: bool = True,
        usage: Usage | None = None,
    ) -> None:
        super().__init__(problem)
        self.retryable, self.wait, self.reached, self.usage = retryable, wait, reached, usage


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A chat to be answered.

    Attributes:
        messages: what is sent.
        ends: when to give up, on the clock of `time.monotonic`.
        failures: the attempts so far that brought no answer.
    """

    messages: tuple[Message, ...]
    ends: float
    failures: list[AttemptFailed] = field(default_factory=list)

    @property
    def left(self) -> float:
        """Seconds until giving up, 0 or more."""
        return max(0.0, self.ends - time.monotonic())


class RequestStage(Protocol):
    """What a question passes through: it answers itself, or asks the next one."""

    def ask(self, question: ChatRequest) -> Reply:
        """The answer.

        Raises:
            NoAnswer: there is none to this question.
            BBAError: nor will there be one to the next.
        """
