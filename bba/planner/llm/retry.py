"""Trying again: random pauses that grow exponentially, or those that the endpoint asks for, up to the deadline."""

import time
from collections.abc import Callable
from dataclasses import replace

from tenacity import RetryCallState, Retrying, retry_if_exception, wait_random_exponential

from bba.errors import BBAError
from bba.planner.chat import NoAnswer, Reply, Usage
from bba.planner.llm.request import AttemptFailed, ChatRequest, RequestStage

LONGEST_PAUSE = 20.0  # seconds, where the endpoint asks for none
UNREACHED = 2  # attempts where nobody was there yet: rather a wrong address than a passing trouble
_PAUSE = wait_random_exponential(multiplier=1, max=LONGEST_PAUSE)


class RetryStage:
    """Asks the next stage until it answers, cannot, or the question's time or attempts are used up.

    Args:
        inner: the next stage.
        attempts: how often it is asked at the most.
        sleep: waits so many seconds.
    """

    def __init__(self, inner: RequestStage, attempts: int, sleep: Callable[[float], None] = time.sleep) -> None:
        self._inner, self._attempts, self._sleep = inner, attempts, sleep
        self._reached = False

    def ask(self, question: ChatRequest) -> Reply:
        """The answer, with what all attempts together cost and took.

        Raises:
            NoAnswer: none came; the message is the last attempt's.
            BBAError: none will come, or nobody was ever there to ask.
        """
        started = time.monotonic()
        retrying = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, AttemptFailed) and error.retryable),
            wait=_pause,
            stop=lambda state: self._is_over(question, state),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            text, usage = retrying(self._attempt, question)
        except AttemptFailed as error:
            raise self._given_up(question, error) from None
        return Reply(text, replace(_total(question, usage), seconds=time.monotonic() - started))

    def _attempt(self, question: ChatRequest) -> Reply:
        try:
            reply = self._inner.ask(question)
        except AttemptFailed as failure:
            self._reached |= failure.reached
            question.failures.append(failure)
            raise
        self._reached = True
        return reply

    def _is_over(self, question: ChatRequest, state: RetryCallState) -> bool:
        most = self._attempts if self._reached else min(self._attempts, UNREACHED)
        return state.attempt_number >= most or state.upcoming_sleep >= question.left

    def _given_up(self, question: ChatRequest, error: AttemptFailed) -> BBAError:
        if not self._reached:
            return BBAError(f"planner openai: {error}; check --base-url")
        count = len(question.failures)
        return NoAnswer(f"{error} (attempt {count})" if count > 1 else str(error))


def _pause(state: RetryCallState) -> float:
    """Never shorter than the endpoint asks for."""
    failure = state.outcome.exception() if state.outcome else None
    asked = failure.wait if isinstance(failure, AttemptFailed) else None
    return max(_PAUSE(state), asked or 0.0)


def _total(question: ChatRequest, usage: Usage | None) -> Usage:
    total = usage or Usage()
    for failure in question.failures:
        total = total.plus(failure.usage or Usage())
    return total
