"""A client of OpenAI-compatible endpoints: one attempt per request, with all errors in one family."""

import asyncio
import logging
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from bba.errors import BBAError
from bba.planner.chat import Reply
from bba.planner.llm.account import AccountHeaders
from bba.planner.llm.adaptation import Adaptation
from bba.planner.llm.completion import read_completion
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.redaction import Redactor
from bba.planner.llm.request import AttemptFailed, ChatRequest
from bba.planner.llm.response import error_text, http_error, one_line

if TYPE_CHECKING:
    import openai

Result = TypeVar("Result")

MAX_BODY_BYTES = 4 * 2**20  # a longer body is an error
END_OF_STREAM = b"data: [DONE]"  # after which some endpoints leave the connection open
_logger = logging.getLogger("bba")


def sampling_parameters(options: ModelOptions) -> dict[str, Any]:
    """Returns the sampling parameters: greedy, up to a maximum length."""
    return {"temperature": 0, "max_tokens": options.max_tokens}


class OpenAIClient:
    """Sends requests to the endpoint. The library is imported with the first one, which takes half a second.

    What the endpoint refuses of a request's form is adapted from then on, and said once.

    Args:
        options: the model and its endpoint.
    """

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._key = options.key.get_secret_value() if options.key else ""
        self._redactor = Redactor(self._key)
        self._adaptation = Adaptation(sampling_parameters(options))
        self._said: set[str] = set()
        self._loop_thread = _LoopThread()
        self._client: openai.AsyncOpenAI | None = None

    def send(self, request: ChatRequest) -> Reply:
        """Sends a request once and returns the answer.

        Raises:
            AttemptFailed: no answer, or an unusable one.
            BBAError: the endpoint will answer no request (key, address, model).
        """
        request.details.clear()
        body = self._loop_thread.run(self._send(request))
        try:
            completion = read_completion(self._redactor.body(body))
        except BBAError as error:
            error.args = (self._redactor.complaint(str(error)),)
            raise
        request.details["finish_reason"] = completion.finish
        request.details["model_served"] = completion.model and self._redactor.text(completion.model)
        return Reply(self._redactor.text(completion.text), completion.usage)

    async def _send(self, request: ChatRequest) -> bytes:
        """Returns the body of the answer within the deadline, adapting the request as often as needed."""
        try:
            async with asyncio.timeout(request.seconds_left):
                while True:
                    sent = self._adaptation
                    request.details["sampling"] = sent.parameters
                    try:
                        return await self._post(request, sent)
                    except _Adapted as change:
                        self._adapt(change)
        except TimeoutError:
            raise AttemptFailed(
                f"no answer came within {self._options.deadline:g} s", retryable=True, charged=True
            ) from None

    def _adapt(self, change: "_Adapted") -> None:
        self._adaptation = change.adaptation
        if change.words not in self._said:
            self._said.add(change.words)
            _logger.warning("planner openai: %s %s", self._options.model, change.words)

    async def _post(self, request: ChatRequest, sent: Adaptation) -> bytes:
        """Sends one HTTP request; translates errors of the client and of its HTTP library."""
        client = self._get_client()
        import openai

        messages = sent.messages(request.messages)
        fields: dict[str, Any] = {"model": self._options.model, "messages": messages, **sent.parameters}
        try:
            async with client.chat.completions.with_streaming_response.create(**fields) as response:
                body = b""
                async for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > MAX_BODY_BYTES or body[-32:].rstrip().endswith(END_OF_STREAM):
                        break
        except openai.APIStatusError as error:
            raise self._status_error(error, sent) from None
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            raise self._connection_error(error) from None
        if len(body) > MAX_BODY_BYTES:
            raise AttemptFailed(
                f"the answer is larger than {MAX_BODY_BYTES // 2**20} MiB", retryable=True, charged=True
            )
        return body

    def _get_client(self) -> "openai.AsyncOpenAI":
        if self._client is None:
            import openai

            http_client = openai.DefaultAsyncHttpxClient(event_hooks={"request": [AccountHeaders(self._key)]})
            self._client = openai.AsyncOpenAI(
                api_key=self._key or "none",
                base_url=self._options.endpoint,
                max_retries=0,
                timeout=None,
                http_client=http_client,
            )
        return self._client

    def _status_error(self, error: "openai.APIStatusError", sent: Adaptation) -> Exception:
        text = one_line(self._redactor.complaint(error_text(error.body)))
        change = sent.after(error.status_code, text, error.param)
        return _Adapted(*change) if change else http_error(error.status_code, text, error.code, error.response.headers)

    def _connection_error(self, error: Exception) -> AttemptFailed:
        cause = error.__cause__ or error
        text = one_line(self._redactor.complaint(str(cause))) or type(cause).__name__
        if type(cause).__name__ == "ConnectError":
            where = self._options.shown_endpoint
            return AttemptFailed(f"no connection to {where}: {text}", retryable=True, reached=False)
        return AttemptFailed(f"connection lost: {text}", retryable=True, charged=True)


class _Adapted(Exception):
    """The endpoint refused the form of a request, which can be sent in another one."""

    def __init__(self, adaptation: Adaptation, words: str) -> None:
        super().__init__(words)
        self.adaptation, self.words = adaptation, words


class _LoopThread:
    """An event loop in a daemon thread that starts with the first coroutine, for synchronous callers of coroutines.

    Only a coroutine can be cancelled at any moment: a socket timeout starts again with every byte, and a thread cannot
    be stopped. The loop has a thread of its own because some callers, such as notebooks, already run a loop.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine and returns its result or raises its error; cancels it if the caller is interrupted."""
        future = asyncio.run_coroutine_threadsafe(coroutine, self._running_loop())
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="model endpoint", daemon=True).start()
            return self._loop
