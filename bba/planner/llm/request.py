"""Requests to a model, and the stages that they pass: cache, log, retries, budget, client."""

import time
from dataclasses import dataclass, field
from typing import Protocol

from bba.planner.chat import Message, NoAnswer, Reply, Usage


class AttemptFailed(NoAnswer):
    """An attempt without an answer.

    Attributes:
        wait: seconds that the endpoint asks to wait before the next attempt; None if it does not ask.
        reached: whether the endpoint could be reached.
        charged: whether it may have to be paid though its usage is unknown.
    """

    def __init__(
        self,
        problem: str,
        *,
        retryable: bool,
        wait: float | None = None,
        reached: bool = True,
        usage: Usage | None = None,
        charged: bool = False,
    ) -> None:
        super().__init__(problem, usage=usage, retryable=retryable)
        self.wait, self.reached, self.charged = wait, reached, charged


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """A chat to be answered.

    Attributes:
        messages: the messages to send.
        expires_at: when to give up, as a value of `time.monotonic`.
        plan: whether the answer is a plan, not one to a side query.
        failures: the failed attempts so far.
        details: what is known of the last attempt besides its answer, for the log.
    """

    messages: tuple[Message, ...]
    expires_at: float
    plan: bool = True
    failures: list[AttemptFailed] = field(default_factory=list)
    details: dict[str, object] = field(default_factory=dict)

    @property
    def seconds_left(self) -> float:
        """Seconds until the request expires, 0 or more."""
        return max(0.0, self.expires_at - time.monotonic())


class RequestStage(Protocol):
    """A stage of the pipeline: it answers a request itself or passes it to the next stage."""

    def send(self, request: ChatRequest) -> Reply:
        """Returns the answer.

        Raises:
            NoAnswer: no answer to this request.
            BBAError: no answer to this request, nor to later ones.
        """
