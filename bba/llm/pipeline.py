"""A language model as a planner's chat backend: the stages of a request in their order, with those of log and retries.

The log is a JSON Lines file with one object for each request, and never the key. Another attempt follows an error that
allows it, until the deadline or the attempts are used up; the pauses between are random and grow exponentially, or are
those that the endpoint asks for.
"""

import json
import math
import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from bba.errors import LOG, BBAError
from bba.llm.budget import BudgetStage
from bba.llm.cache import CacheStage
from bba.llm.local_server import LocalClient
from bba.llm.model_clients import BatchClient, LiteLLMClient, OpenAIClient
from bba.llm.request import AttemptFailed, ChatRequest, RequestStage
from bba.planner.chat import Message, ModelUnusable, NoAnswer, Reply, Retry, Usage, progress, total_usage
from bba.planner.chat_planner import Patience
from bba.planner.ledger import Ledger
from bba.planner.model_options import ModelOptions

MAX_BACKOFF = 20.0  # seconds, unless the endpoint asks for longer
MAX_UNREACHED_ATTEMPTS = 2  # if the endpoint was never reached: probably a wrong address


class LogStage:
    """Logs each request to the next stage with its answer and its failed attempts.

    Several threads and processes can append to the file. A line that cannot be written, for instance because the disk
    is full, is left out, with one warning.

    Args:
        inner: the next stage.
        options: the model and its endpoint.
        path: the file to append to.

    Raises:
        BBAError: the file cannot be written.
    """

    def __init__(self, inner: RequestStage, options: ModelOptions, path: Path) -> None:
        self._inner = inner
        self._path = path
        self._lock = threading.Lock()
        self._warned = False
        try:
            if path.exists() and not path.is_file():
                raise BBAError(f"--model-log: {path} is not a file")
            self._unfinished = self._is_unfinished()
        except (OSError, ValueError) as error:
            raise BBAError(f"--model-log: {str(path)!r} cannot be written: {_reason(error)}") from None
        self._model_info = {"model": options.model, "base_url": options.shown_endpoint}

    def send(self, request: ChatRequest) -> Reply:
        """Returns the next stage's answer; raises its errors."""
        try:
            reply = self._inner.send(request)
        except BBAError as error:
            self._write(request, None, error)
            raise
        self._write(request, reply, None)
        return reply

    def _write(self, request: ChatRequest, reply: Reply | None, error: BBAError | None) -> None:
        failures = [str(failure) for failure in request.failures]
        attempts = len(failures)
        if not isinstance(error, NoAnswer):
            attempts += 1  # the last one is no failure, or ends the run
        entry = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            **self._model_info,
            "messages": request.messages,
            "answer": reply.text if reply else None,
            "sampling": request.details.get("sampling"),
            "finish_reason": request.details.get("finish_reason"),
            "model_served": request.details.get("model_served"),
            "usage": asdict(reply.usage) if reply and reply.usage else None,
            "attempts": attempts,
            "failures": failures,
            "problem": None if error is None else str(error),
        }
        with self._lock:
            try:
                self._append(json.dumps(entry).encode() + b"\n")
            except OSError as problem:
                if not self._warned:
                    LOG.warning("model-log: %s: some exchanges are missing: %s", self._path, _reason(problem))
                self._warned = True

    def _append(self, line: bytes) -> None:
        whole = b"\n" + line if self._unfinished else line
        with self._path.open("ab", buffering=0) as file:
            written = file.write(whole)
        self._unfinished = written < len(whole)
        if self._unfinished:
            raise OSError("the disk is full")

    def _is_unfinished(self) -> bool:
        """Whether the last line of the file is unfinished; creates the file if it is missing."""
        with self._path.open("ab+", buffering=0) as file:
            if not file.seek(0, os.SEEK_END):
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)


# seconds without a usable answer that end a game, unless the deadline of one answer is longer
CONNECTION_SILENCE = 45.0


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
        self._inner = inner
        self._attempts = attempts
        self._sleep = sleep
        self._planner = planner
        self._reached = False

    def send(self, request: ChatRequest) -> Reply:
        """Returns the answer, with the cost and time of all attempts together.

        Raises:
            NoAnswer: all attempts failed; the message is that of the last one.
            BBAError: no attempt can succeed, or the endpoint was never reached.
        """
        # only here, when a model is asked: it is slow
        from tenacity import RetryCallState, Retrying, retry_if_exception, wait_random_exponential

        started = time.monotonic()
        random_pause = wait_random_exponential(multiplier=1, max=MAX_BACKOFF)

        def is_retryable(error: BaseException) -> bool:
            return isinstance(error, AttemptFailed) and error.retryable

        def pause(state: RetryCallState) -> float:
            return max(random_pause(state), request.failures[-1].wait or 0.0)

        def is_over(state: RetryCallState) -> bool:
            attempts = sum(not failure.loading for failure in request.failures)
            return attempts >= self._most or state.upcoming_sleep >= request.seconds_left

        retrying = Retrying(
            retry=retry_if_exception(is_retryable),
            wait=pause,
            stop=is_over,
            before_sleep=lambda _: self._report(request.failures),
            sleep=self._sleep,
            reraise=True,
        )
        try:
            text, usage = retrying(self._attempt, request)
        except AttemptFailed as error:
            raise self._final_error(request, error) from None
        usages = [usage, *[failure.usage for failure in request.failures]]
        total = total_usage(usages) or Usage()
        return Reply(text, replace(total, seconds=time.monotonic() - started))

    def _attempt(self, request: ChatRequest) -> Reply:
        try:
            reply = self._inner.send(request)
        except AttemptFailed as failure:
            if failure.reached:
                self._reached = True
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
            return ModelUnusable(f"planner {self._planner}: {error}; {error.hint}")
        count = len(request.failures)
        spent = total_usage(failure.usage for failure in request.failures)
        problem = f"{error} (attempt {count})" if count > 1 else str(error)
        return NoAnswer(problem, usage=spent, retryable=error.retryable)


class ModelBackend:
    """Answers chats by sending them through the stages, each with a deadline.

    Args:
        name: the name of the backend in results.
        stage: the first stage of the pipeline.
        deadline: seconds for one answer.
        patience: how long a game goes on without a usable answer.
        load: imports what the last stage needs.
    """

    def __init__(
        self, name: str, stage: RequestStage, deadline: float, patience: Patience, load: Callable[[], None]
    ) -> None:
        self.name = name
        self.patience = patience
        self._load = load
        self._stage = stage
        self._deadline = deadline

    def complete(self, messages: Sequence[Message], seconds: float = math.inf, *, skills: Sequence[int] = ()) -> Reply:
        """Returns the assistant's next message.

        Args:
            messages: the chat.
            seconds: until it gives up, if that is before the deadline.
            skills: those that a plan can choose, which give it its form; () for a side query.

        Raises:
            NoAnswer: no answer to this chat.
            BBAError: no answer to this chat, nor to later ones.
        """
        self._load()
        expires = time.monotonic() + min(seconds, self._deadline)
        return self._stage.send(ChatRequest(tuple(messages), expires, tuple(skills)))


def model_backend(
    options: ModelOptions, *, sleep: Callable[[float], None] = time.sleep, ledger: Ledger | None = None
) -> ModelBackend:
    """Makes a backend with the stages cache, log (if wanted), retries, budget and client, in this order.

    Args:
        options: the model.
        sleep: waits between two attempts, and for a turn.
        ledger: counts what is spent; None for one of its own.

    Raises:
        BBAError: a price table or a log file cannot be used, or a library is not installed.
    """
    client = _client(options)
    stage: RequestStage = client
    spans = tracer()
    if spans:
        stage = SpanStage(stage, options, spans)
    stage = BudgetStage(stage, options, ledger, sleep)
    stage = RetryStage(stage, options.attempts, sleep, options.provider)
    if options.model_log is not None:
        stage = LogStage(stage, options, options.model_log)
    stage = CacheStage(stage, options)
    patience = Patience(options.give_up_after, max(CONNECTION_SILENCE, options.deadline))
    name = f"{options.provider}:{options.model}"
    return ModelBackend(name, stage, options.deadline, patience, client.load)


def _client(options: ModelOptions) -> OpenAIClient | LiteLLMClient | LocalClient:
    if options.provider == "litellm":
        return LiteLLMClient(options)
    if options.provider == "local":
        return LocalClient(options)
    if options.batch_file is not None:
        return BatchClient(options)
    return OpenAIClient(options)


def shared_backend(options: ModelOptions) -> ModelBackend:
    """Returns the backend that all games of this process share, with one budget and one cache; models share a ledger.

    Raises:
        BBAError: as `model_backend`.
    """
    # The cache alone would make one for each of the threads that come first at a time, and each would ask for itself.
    with _MAKING:
        return cached_backend(options)


_MAKING = threading.Lock()
shared_ledger = cache(Ledger)  # of each file, which all models of this process share


@cache
def cached_backend(options: ModelOptions) -> ModelBackend:
    """Returns the backend as `shared_backend` does; one thread may call at a time."""
    return model_backend(options, ledger=shared_ledger(options.ledger))


CAPTURE = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"


def tracer() -> Any:
    """Returns OpenTelemetry's tracer; None where OpenTelemetry is not installed or nobody has set it up."""
    if find_spec("opentelemetry") is None:
        return None
    from opentelemetry import trace

    is_set_up = not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider)
    return trace.get_tracer("bba-tui") if is_set_up else None


class SpanStage:
    """Passes each request to the next stage within a span.

    Args:
        inner: the next stage.
        options: the model and its endpoint.
        spans: begins them.
    """

    def __init__(self, inner: RequestStage, options: ModelOptions, spans: Any) -> None:
        self._inner = inner
        self._options = options
        self._spans = spans

    def send(self, request: ChatRequest) -> Reply:
        """Returns the next stage's answer; raises its errors."""
        from opentelemetry.trace import SpanKind

        options = self._options
        reply = None
        name = f"chat {options.model}"
        with self._spans.start_as_current_span(name, kind=SpanKind.CLIENT, record_exception=False) as span:
            try:
                reply = self._inner.send(request)
            except BBAError as error:
                span.set_attribute("error.type", type(error).__name__)
                raise
            finally:
                values = attributes(options, request, reply)
                span.set_attributes({name: value for name, value in values.items() if value is not None})
            return reply


def attributes(options: ModelOptions, request: ChatRequest, reply: Reply | None) -> dict[str, Any]:
    """Returns the attributes of a request and its answer by name; None for what is unknown or not to be exported."""
    details: dict[str, Any] = request.details
    sampling = details.get("sampling") or {}
    finish = details.get("finish_reason")
    usage = reply and reply.usage
    captured = os.environ.get(CAPTURE, "").lower() in ("true", "span_only", "span_and_event")
    prompt = None
    answer = None
    if captured:
        prompt = _in_parts(request.messages)
    if captured and reply:
        answer = _in_parts([Message(role="assistant", content=reply.text)])
    provider: str = options.provider
    if options.provider == "litellm":
        provider = options.model.partition("/")[0]
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": options.model,
        "server.address": urlsplit(options.shown_endpoint).hostname,
        **{f"gen_ai.request.{name}": sampling.get(name) for name in ("temperature", "max_tokens", "top_p", "seed")},
        "gen_ai.response.model": details.get("model_served"),
        "gen_ai.response.finish_reasons": [finish] if finish else None,
        "gen_ai.usage.input_tokens": usage and usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage and usage.completion_tokens,
        "gen_ai.input.messages": prompt,
        "gen_ai.output.messages": answer,
    }


def _in_parts(messages: Sequence[Message]) -> str:
    """Returns messages as JSON in OpenTelemetry's form, in which each consists of parts."""
    entries = []
    for message in messages:
        part = {"type": "text", "content": message["content"]}
        entries.append({"role": message["role"], "parts": [part]})
    return json.dumps(entries)
