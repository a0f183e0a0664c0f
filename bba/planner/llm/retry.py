"""The retry stage: random pauses that grow exponentially, or those that the endpoint asks for, up to the deadline."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from bba.errors import BBAError
from bba.planner.chat import ModelUnusable, NoAnswer, Reply, Usage, total_usage
from bba.planner.llm.request import AttemptFailed, ChatRequest, RequestStage
from bba.planner.progress import Retry, progress

if TYPE_CHECKING:
    from tenacity import RetryCallState

MAX_BACKOFF = 20.0  # seconds, unless the endpoint asks for longer
MAX_UNREACHED_ATTEMPTS = 2  # if the endpoint was never reached: probably a wrong address


def _backoff(state: "RetryCallState") -> float:
    """Returns a random pause in seconds, from a range that grows exponentially."""
    from tenacity import wait_random_exponential  # only when a model is asked: it takes a while

    return wait_random_exponential(multiplier=1, max=MAX_BACKOFF)(state)


class RetryStage:
    """Retries the next stage until it answers, fails for good, or the deadline or the attempts are used up.

    Args:
        inner: the next stage.
        attempts: the largest number of attempts.
        sleep: function that waits for a number of seconds.
        planner: its name in messages.
    """

    def __init__(
        self,
        inner: RequestStage,
        attempts: int,
        sleep: Callable[[float], None] = time.sleep,
        planner: str = "openai",
    ) -> None:
        self._inner, self._attempts, self._sleep, self._planner = inner, attempts, sleep, planner
        self._reached = False

    def send(self, request: ChatRequest) -> Reply:
        """Returns the answer, with the cost and time of all attempts together.

        Raises:
            NoAnswer: all attempts failed; the message is that of the last one.
            BBAError: no attempt can succeed, or the endpoint was never reached.
        """
        from tenacity import Retrying, retry_if_exception

        started = time.monotonic()
        retrying = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, AttemptFailed) and error.retryable),
            wait=_pause,
            stop=lambda state: self._should_stop(request, state),
            before_sleep=self._report,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            text, usage = retrying(self._attempt, request)
        except AttemptFailed as error:
            raise self._final_error(request, error) from None
        total = total_usage([usage, *(failure.usage for failure in request.failures)]) or Usage()
        return Reply(text, replace(total, seconds=time.monotonic() - started))

    def _attempt(self, request: ChatRequest) -> Reply:
        try:
            reply = self._inner.send(request)
        except AttemptFailed as failure:
            self._reached |= failure.reached
            request.failures.append(failure)
            raise
        self._reached = True
        return reply

    def _should_stop(self, request: ChatRequest, state: "RetryCallState") -> bool:
        return state.attempt_number >= self._most or state.upcoming_sleep >= request.seconds_left

    @property
    def _most(self) -> int:
        """How many attempts there are at the most."""
        return self._attempts if self._reached else min(self._attempts, MAX_UNREACHED_ATTEMPTS)

    def _report(self, state: "RetryCallState") -> None:
        """Tells whoever waits for the answer that another attempt follows."""
        failure = state.outcome.exception() if state.outcome else None
        if isinstance(failure, AttemptFailed):
            progress().retry = Retry(state.attempt_number + 1, self._most, failure.reached, str(failure))

    def _final_error(self, request: ChatRequest, error: AttemptFailed) -> BBAError:
        if not self._reached:
            return ModelUnusable(f"planner {self._planner}: {error}; check --base-url")
        count, spent = len(request.failures), total_usage(failure.usage for failure in request.failures)
        said = f"{error} (attempt {count})" if count > 1 else str(error)
        return NoAnswer(said, usage=spent, retryable=error.retryable)


def _pause(state: "RetryCallState") -> float:
    """Returns the pause before the next attempt, never shorter than the endpoint asks for."""
    failure = state.outcome.exception() if state.outcome else None
    requested = failure.wait if isinstance(failure, AttemptFailed) else None
    return max(_backoff(state), requested or 0.0)
