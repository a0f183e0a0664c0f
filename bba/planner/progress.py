"""How far a question to a model is, for a screen on which people wait for the answer: since when, which attempt.

A thread that decides has one `QuestionProgress`, which the stages below find with `progress`; a screen reads it from
its own thread. Where nobody follows a decision the stages report to nobody.
"""

import time
from contextvars import ContextVar
from typing import NamedTuple


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
    """

    def __init__(self) -> None:
        self._began = self._silent_since = time.monotonic()
        self.retry: Retry | None = None

    @property
    def seconds(self) -> float:
        """Seconds since the decision began."""
        return time.monotonic() - self._began

    @property
    def silence(self) -> float:
        """Seconds of asking without a usable answer, those of earlier decisions included."""
        return time.monotonic() - self._silent_since

    def ask(self, silence: float) -> None:
        """Notes that a question is sent, after so many seconds of asking without a usable answer."""
        self._silent_since, self.retry = time.monotonic() - silence, None


_followed: ContextVar[QuestionProgress | None] = ContextVar("progress", default=None)
follow = _followed.set  # from now on, this thread's decision


def progress() -> QuestionProgress:
    """Returns the progress of this thread's decision; one that nobody reads if nobody follows it."""
    return _followed.get() or QuestionProgress()
