"""The circuit breaker: a game ends when its model gives no usable answer any more, in the place of waiting for ever."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from bba.planner.chat import ChatBackend, Message, ModelUnusable, NoAnswer, Reply
from bba.planner.progress import progress

_SHOWN = 120  # characters of a response that are quoted


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a game goes on without a usable answer.

    Attributes:
        decisions: choices of a skill in a row, 1 or more.
        seconds: of asking, more than 0.
    """

    decisions: int
    seconds: float


@runtime_checkable
class FallibleBackend(Protocol):
    """Protocol of a chat model that may stop answering."""

    patience: Patience

    def complete_within(self, messages: Sequence[Message], seconds: float, *, plan: bool = True) -> Reply:
        """Returns the assistant's next message, as `ChatBackend.complete`, or gives up after so many seconds.

        Args:
            messages: the chat.
            seconds: until it gives up.
            plan: whether the answer is a plan, not one to a side query.
        """


class Breaker:
    """Passes messages to a model and counts what comes back unusable; another model than a fallible one always may.

    Args:
        backend: the model.
    """

    def __init__(self, backend: ChatBackend) -> None:
        self._backend = backend
        self._fallible = backend if isinstance(backend, FallibleBackend) else None
        self._has_replied = False
        self.reset()

    def reset(self) -> None:
        """Forgets what came back so far."""
        self._decisions, self._seconds = 0, 0.0

    def complete(self, messages: Sequence[Message], *, plan: bool = True) -> Reply:
        """Returns the assistant's next message; `plan` as in `FallibleBackend.complete_within`.

        Raises:
            NoAnswer, BBAError: as the backend.
        """
        if self._fallible is None:
            return self._backend.complete(messages)
        started = time.monotonic()
        progress().ask(self._seconds)
        try:
            reply = self._fallible.complete_within(messages, self._fallible.patience.seconds - self._seconds, plan=plan)
        finally:
            self._seconds += time.monotonic() - started
        self._has_replied = True
        return reply

    def insists(self, error: NoAnswer) -> bool:
        """Whether to ask again in the place of a fallback: nothing ever came, so the endpoint may be dead.

        A game on a dead endpoint thus ends before its first step, and before the kernels for that are compiled.
        """
        return self._fallible is not None and not self._has_replied and error.retryable

    def unusable(self, problem: str, response: str, *, decision: bool) -> None:
        """Counts a question without a usable answer, or one response of it that is sent back.

        Args:
            problem: what was wrong, in the endpoint's words where it has sent any.
            response: what came back; "" for nothing.
            decision: whether a choice of a skill has ended without an answer.

        Raises:
            ModelUnusable: this was one too many.
        """
        if self._fallible is None:
            return
        self._decisions += decision
        patience = self._fallible.patience
        if self._decisions >= patience.decisions or self._seconds >= patience.seconds:
            line = self._line(problem, response)
            self.reset()  # whoever tries again begins anew
            raise ModelUnusable(line)

    def _line(self, problem: str, response: str) -> str:
        said = " ".join("".join(char if char.isprintable() else " " for char in response[: 4 * _SHOWN]).split())[
            :_SHOWN
        ]
        lost = f"{self._decisions} decision{'s' * (self._decisions != 1)} in a row and " if self._decisions else ""
        quoted = f"; it said {said!r}" if said else ""
        return (
            f"planner {self._backend.name}: no usable answer for {lost}{self._seconds:.0f} s: {problem}{quoted} "
            "(see --give-up-after and --deadline)"
        )
