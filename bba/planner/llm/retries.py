"""Retries: another attempt after an error that allows it, until the deadline or the attempts are used up.

Pauses between attempts are random and grow exponentially, or are those that the endpoint asks for.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from bba.errors import BBAError
from bba.planner.chat import ModelUnusable, NoAnswer, Reply, Retry, Usage, progress, total_usage
from bba.planner.llm.request import AttemptFailed, ChatRequest, RequestStage

MAX_BACKOFF = 20.0  # seconds, unless the endpoint asks for longer
MAX_UNREACHED_ATTEMPTS = 2  # if the endpoint was never reached: probably a wrong address


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
        from tenacity import Retrying, retry_if_exception, wait_random_exponential  # when a model is asked: it is slow

        started, random_pause = time.monotonic(), wait_random_exponential(multiplier=1, max=MAX_BACKOFF)
        retrying = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, AttemptFailed) and error.retryable),
            wait=lambda state: max(random_pause(state), request.failures[-1].wait or 0.0),
            stop=lambda state: (
                sum(not failure.loading for failure in request.failures) >= self._most
                or state.upcoming_sleep >= request.seconds_left
            ),
            before_sleep=lambda _: self._report(request.failures),
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
            if failure.loading:
                request.heard("loading")
            raise
        self._reached = True
        return reply

    @property
    def _most(self) -> int:
        return self._attempts if self._reached else min(self._attempts, MAX_UNREACHED_ATTEMPTS)

    def _report(self, failures: Sequence[AttemptFailed]) -> None:
        """Tells whoever waits for the answer that another attempt follows."""
        last = failures[-1]
        progress().retry = Retry(len(failures) + 1, self._most, last.reached, str(last))

    def _final_error(self, request: ChatRequest, error: AttemptFailed) -> BBAError:
        if not self._reached:
            return ModelUnusable(f"planner {self._planner}: {error}; check --base-url")
        count, spent = len(request.failures), total_usage(failure.usage for failure in request.failures)
        said = f"{error} (attempt {count})" if count > 1 else str(error)
        return NoAnswer(said, usage=spent, retryable=error.retryable)
