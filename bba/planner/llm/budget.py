"""The budget of a run: prices of models, and limits on calls, tokens, cost and concurrent requests."""

import threading
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, RootModel

from bba.errors import BBAError
from bba.files import read_toml
from bba.planner.chat import ModelUnusable, Reply, Usage
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.request import AttemptFailed, ChatRequest, RequestStage
from bba.resources import data_dir

Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Price(BaseModel):
    """US dollars per million tokens sent (`prompt`) and received (`completion`)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    prompt: Dollars
    completion: Dollars

    def of(self, usage: Usage) -> float:
        """Returns the cost of this usage in US dollars."""
        return (usage.prompt_tokens * self.prompt + usage.completion_tokens * self.completion) / 1e6


class _Table(RootModel[dict[str, Price]]):
    """Prices by model name."""


def price_file(path: Path | None) -> Path:
    """Returns the user's price table, or the one that ships with the project."""
    return path or data_dir("configs/prices.toml")


def price_of(model: str, path: Path | None = None) -> Price | None:
    """Returns the price of a model; None if the table does not list it.

    Raises:
        BBAError: the table cannot be read, or an entry is invalid.
    """
    return read_toml(price_file(path), _Table).root.get(model)


class BudgetStage:
    """Passes attempts to the next stage while no limit is reached, and counts their usage.

    Limits are checked before an attempt, so concurrent attempts may together exceed them slightly.

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
        self._total_usage = Usage()

    def send(self, request: ChatRequest) -> Reply:
        """Returns the next stage's answer, with its cost if the price is known.

        Raises:
            AttemptFailed: no answer, or no free slot before the deadline.
            BBAError: a limit is reached.
        """
        if not self._slots.acquire(timeout=request.seconds_left):
            raise AttemptFailed("other questions took all the time", retryable=True)
        try:
            self._start_call()
            return self._send_counted(request)
        finally:
            self._slots.release()

    def _send_counted(self, request: ChatRequest) -> Reply:
        try:
            text, usage = self._inner.send(request)
        except AttemptFailed as failure:
            failure.usage = self._add_usage(failure.usage) if failure.usage else None
            raise
        return Reply(text, self._add_usage(self._require_usage(usage)))

    def _start_call(self) -> None:
        """Counts a call.

        Raises:
            BBAError: a limit is reached.
        """
        options = self._options
        with self._lock:
            total = self._total_usage
            tokens = total.prompt_tokens + total.completion_tokens
            if options.max_calls is not None and self._calls >= options.max_calls:
                raise ModelUnusable(f"--max-calls: the limit of {options.max_calls} calls is reached")
            if options.max_total_tokens is not None and tokens >= options.max_total_tokens:
                raise ModelUnusable(f"--max-total-tokens: the limit of {options.max_total_tokens} tokens is reached")
            if options.max_cost is not None and (total.cost or 0.0) >= options.max_cost:
                raise ModelUnusable(f"--max-cost: the limit of {options.max_cost:g} US dollars is reached")
            self._calls += 1

    def _require_usage(self, usage: Usage | None) -> Usage:
        """Returns the usage.

        Raises:
            BBAError: the endpoint does not report it, but there is a limit on it.
        """
        limit = "--max-total-tokens" if self._options.max_total_tokens is not None else "--max-cost"
        if usage is None and (self._options.max_total_tokens, self._options.max_cost) != (None, None):
            raise BBAError(f"{limit}: cannot be kept: the endpoint does not say how many tokens it used")
        return usage or Usage()

    def _add_usage(self, usage: Usage) -> Usage:
        """Adds to the total usage; returns the given usage with its cost."""
        priced = replace(usage, cost=self._price.of(usage)) if self._price else usage
        with self._lock:
            self._total_usage = self._total_usage.plus(priced)
        return priced
