"""The budget of a run: limits on calls, tokens, cost, pace and concurrent requests, and what each request has cost.

Where an endpoint does not report the tokens of a chat, they are estimated from its characters.
"""

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from bba.errors import BBAError
from bba.llm.cache import key_of
from bba.llm.request import AttemptFailed, ChatRequest, RequestStage, SpentOnThoughts, StillOwed
from bba.planner.chat import Message, ModelUnusable, Reply, Usage
from bba.planner.ledger import PAUSE, Ledger
from bba.planner.model_options import ModelOptions
from bba.planner.prices import Price, price_file, price_of, warn_if_old

CHARACTERS = 3.1  # in a token: as measured, `bayes` on open sends 843 thousand tokens in 283 prompts
OVERHEAD = 8  # tokens of a message besides its text, at most
# An endpoint that reports more sent tokens than these is not believed.
BELIEVED = 4  # tokens a byte of the messages
MOST_TEMPLATE = 10_000  # tokens besides, for a chat template


def estimated_usage(messages: Sequence[Message], answer: str) -> Usage:
    """Returns the tokens that a chat and its answer probably have, marked as an estimate."""
    return Usage(sum(tokens_of(message["content"]) for message in messages), tokens_of(answer), estimated=1)


def tokens_of(text: str) -> int:
    """Returns the tokens that a text probably has, 1 or more."""
    return 1 + int(len(text) / CHARACTERS)


CHECK = 0.05  # seconds between two looks whether other requests have left enough of the limit
BATCH_CHECK = 5.0  # the same, for a batch
SETTLING_SECONDS = 5.0  # seconds after its deadline until an unsettled request counts as paid


class BudgetStage:
    """Passes attempts to the next stage while no limit is reached, and counts their usage.

    An attempt reserves its highest possible price first, so that --max-cost is never exceeded; the other limits are
    checked before an attempt, so that concurrent attempts may together exceed them slightly. Usage that the endpoint
    does not report is estimated.

    Args:
        inner: the next stage.
        options: the limits, and the price table.
        ledger: counts what is spent; None for one of its own.
        sleep: waits until a request may be sent.

    Raises:
        BBAError: the price table cannot be read, or does not name a model whose cost is limited.
    """

    def __init__(
        self,
        inner: RequestStage,
        options: ModelOptions,
        ledger: Ledger | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._inner = inner
        self._options = options
        self._ledger = ledger or Ledger(options.ledger)
        self._sleep = sleep
        self._batched = options.batch_file is not None
        self._endpoint = f"{options.model} {options.shown_endpoint}"  # which has limits of its own
        if options.provider == "local":
            self._price: Price | None = Price(prompt=0, completion=0)
        else:
            self._price = price_of(options.model, options.prices)
            if self._price is not None:
                warn_if_old(options.prices)
        if options.max_cost is not None and self._price is None:
            raise BBAError(
                f"--max-cost: {price_file(options.prices)} has no price for {options.model!r}; "
                "give a table that has with --prices"
            )
        self._slots = threading.BoundedSemaphore(options.concurrency)
        self._lock = threading.Lock()
        self._calls = 0
        self._answers = 0
        self._total_usage = Usage()
        self._max_tokens = options.max_tokens

    def send(self, request: ChatRequest) -> Reply:
        """Returns the next stage's answer, with its cost if the price is known.

        Raises:
            AttemptFailed: no answer, or no free slot before the deadline.
            BBAError: a limit is reached.
        """
        if not self._slots.acquire(timeout=request.most_seconds_left):
            raise AttemptFailed("other questions took all the time", retryable=True)
        try:
            self._start_call()
            request.heard(None)
            tokens = self._wait_for_turn(request)
            return self._send_counted(request, tokens)
        finally:
            self._slots.release()

    def _wait_for_turn(self, request: ChatRequest) -> int:
        """Waits until the limits a minute, and what the endpoint asked for, let a request be sent.

        Returns:
            The tokens that it probably takes.
        """
        options = self._options
        with self._lock:
            answer_tokens = options.max_tokens
            if self._answers:
                answer_tokens = self._total_usage.completion_tokens // self._answers
        tokens = estimated_usage(request.messages, "").prompt_tokens + answer_tokens
        takes = {}  # seconds of each limit
        if options.rpm is not None:
            takes["requests"] = 60 / options.rpm
        if options.tpm is not None:
            takes["tokens"] = 60 * tokens / options.tpm
        patience = max(0.0, request.most_seconds_left - request.silence)
        wait = self._ledger.begin(self._endpoint, takes, patience)
        if wait > patience:
            raise AttemptFailed(
                f"the next request may be sent in {wait:.0f} s (--rpm, --tpm, or what the endpoint asked for)",
                retryable=True,
                wait=wait,
            )
        if wait > 0:
            request.heard(f"not asked before its turn in {wait:.0f} s")
            self._sleep(wait)
            request.heard(None)
        return tokens

    def _send_counted(self, request: ChatRequest, expected: int) -> Reply:
        """Reserves the highest price, sends, and settles for the real one.

        A request that is interrupted from outside stays reserved, since it may have to be paid.
        """
        # A token holds a byte at the least.
        most_tokens = sum(len(message["content"].encode()) + OVERHEAD for message in request.messages)
        request.max_tokens = self._max_tokens
        highest_price = 0.0
        if self._price is not None:
            highest_price = self._price.of(Usage(most_tokens, request.max_tokens), batch=self._batched)
        reservation = self._reserve(request, highest_price)
        try:
            text, usage = self._inner.send(request)
        except AttemptFailed as failure:
            self._settle_failure(reservation, request, failure, expected, highest_price)
            raise
        except StillOwed:
            raise
        except BBAError:
            self._settle(reservation, Usage(), expected)
            raise
        if usage is not None and usage.prompt_tokens > BELIEVED * most_tokens + MOST_TEMPLATE:
            usage = None  # more than was sent
        if usage is None:
            usage = estimated_usage(request.messages, text)
        return Reply(text, self._settle(reservation, usage, expected))

    def _settle_failure(
        self, reservation: str, request: ChatRequest, failure: AttemptFailed, expected: int, highest_price: float
    ) -> None:
        """Settles for an attempt without an answer; one that may have to be paid costs the highest price."""
        self._ledger.correct(self._endpoint, PAUSE, failure.wait or 0.0)
        if failure.usage is not None:
            failure.usage = self._settle(reservation, failure.usage, expected)
        elif failure.charged:
            # as if its answer was as long as it may be
            assert request.max_tokens is not None  # it was set before the request was sent
            estimate = estimated_usage(request.messages, "")
            usage = replace(estimate, completion_tokens=request.max_tokens)
            failure.usage = self._settle(reservation, usage, expected, highest_price)
        else:
            self._settle(reservation, Usage(), expected)
        if isinstance(failure, SpentOnThoughts) and failure.more_tokens:
            self._max_tokens = failure.more_tokens

    def _start_call(self) -> None:
        """Counts a call.

        Raises:
            ModelUnusable: a limit is reached.
        """
        options = self._options
        with self._lock:
            total = self._total_usage
            tokens = total.prompt_tokens + total.completion_tokens
            if options.max_calls is not None and self._calls >= options.max_calls:
                raise ModelUnusable(f"--max-calls: the limit of {options.max_calls} calls is reached")
            if options.max_total_tokens is not None and tokens >= options.max_total_tokens:
                raise ModelUnusable(f"--max-total-tokens: the limit of {options.max_total_tokens} tokens is reached")
            self._calls += 1

    def _reserve(self, request: ChatRequest, most: float) -> str:
        options = self._options
        seconds = request.seconds_left + SETTLING_SECONDS
        # A question of a batch, which outlives its process, takes up the reservation that it had before.
        name = key_of(options, request) if self._batched else None
        while True:
            reservation = self._ledger.reserve(options.model, most, options.max_cost, seconds, name)
            if reservation is not None:
                return reservation
            if request.seconds_left <= 0:
                raise ModelUnusable(
                    f"--max-cost: the limit of {self._options.max_cost:g} US dollars is reached: "
                    "other requests have reserved what is left"
                )
            time.sleep(BATCH_CHECK if self._batched else CHECK)

    def _settle(self, reservation: str, usage: Usage, expected: int, dollars: float | None = None) -> Usage:
        """Adds to the total usage; returns the usage with its cost, by default that of its tokens."""
        if self._price is not None:
            if dollars is None:
                dollars = self._price.of(usage, batch=self._batched)
            usage = replace(usage, cost=dollars)
        with self._lock:
            self._total_usage = self._total_usage.plus(usage)
            if usage.prompt_tokens > 0:
                self._answers += 1
        self._ledger.settle(reservation, self._options.model, usage, usage.cost or 0.0)
        if self._options.tpm is not None:
            tokens = usage.prompt_tokens + usage.completion_tokens
            self._ledger.correct(self._endpoint, "tokens", 60 * (tokens - expected) / self._options.tpm)
        return usage
