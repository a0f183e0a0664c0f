"""How far a run may go: calls, tokens and cost in all, and requests at the same time."""

import threading
from dataclasses import replace

from bba.errors import BBAError
from bba.planner.chat import Reply, Usage
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.prices import price_file, price_of
from bba.planner.llm.request import AttemptFailed, ChatRequest, RequestStage


class BudgetStage:
    """Lets attempts through to the next stage while no limit is reached, and counts what they cost.

    Limits are looked at before an attempt; those under way at the same time may together go a little beyond.

    Args:
        inner: the next stage.
        options: the limits, and the price table.

    Raises:
        BBAError: the price table cannot be read, or does not name a model whose cost is limited.
    """

    def __init__(self, inner: RequestStage, options: ModelOptions) -> None:
        self._inner, self._options = inner, options
        self._price = price_of(options.model, options.prices)
        if options.max_cost is not None and self._price is None:
            raise BBAError(
                f"--max-cost: {price_file(options.prices)} has no price for {options.model!r}; "
                "give a table that has with --prices"
            )
        self._slots = threading.BoundedSemaphore(options.concurrency)
        self._lock = threading.Lock()
        self._calls = 0
        self._spent = Usage()

    def ask(self, question: ChatRequest) -> Reply:
        """The next stage's answer, its cost added where the price is known.

        Raises:
            Unanswered: no answer came, or it was not this question's turn in time.
            BBAError: a limit is reached.
        """
        if not self._slots.acquire(timeout=question.left):
            raise AttemptFailed("other questions took all the time", retryable=True)
        try:
            self._admit()
            return self._asked(question)
        finally:
            self._slots.release()

    def _asked(self, question: ChatRequest) -> Reply:
        try:
            text, usage = self._inner.ask(question)
        except AttemptFailed as failure:
            failure.usage = self._count(failure.usage) if failure.usage else None
            raise
        return Reply(text, self._count(self._known(usage)))

    def _admit(self) -> None:
        """Count a call, unless a limit is reached."""
        most = self._options
        with self._lock:
            spent = self._spent
            tokens = spent.prompt_tokens + spent.completion_tokens
            if most.max_calls is not None and self._calls >= most.max_calls:
                raise BBAError(f"--max-calls: the limit of {most.max_calls} calls is reached")
            if most.max_total_tokens is not None and tokens >= most.max_total_tokens:
                raise BBAError(f"--max-total-tokens: the limit of {most.max_total_tokens} tokens is reached")
            if most.max_cost is not None and (spent.cost or 0.0) >= most.max_cost:
                raise BBAError(f"--max-cost: the limit of {most.max_cost:g} US dollars is reached")
            self._calls += 1

    def _known(self, usage: Usage | None) -> Usage:
        """The usage; where the endpoint does not give it, limits on it cannot be kept."""
        limit = "--max-total-tokens" if self._options.max_total_tokens is not None else "--max-cost"
        if usage is None and (self._options.max_total_tokens, self._options.max_cost) != (None, None):
            raise BBAError(f"{limit}: cannot be kept: the endpoint does not say how many tokens it used")
        return usage or Usage()

    def _count(self, usage: Usage) -> Usage:
        """Add to what was spent; returns the usage with its cost."""
        priced = replace(usage, cost=self._price.of(usage)) if self._price else usage
        with self._lock:
            self._spent = self._spent.plus(priced)
        return priced
