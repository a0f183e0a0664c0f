"""A client of OpenAI-compatible endpoints: one attempt per request, with all errors in one family."""

import asyncio
import re
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from bba.planner.chat import Reply
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.request import AttemptFailed, ChatRequest
from bba.planner.llm.response import error_text, http_error, one_line, read_completion

if TYPE_CHECKING:
    import openai

Result = TypeVar("Result")

MAX_BODY_BYTES = 4 * 2**20  # a longer body is an error
MIN_SECRET_LENGTH = 8  # a shorter key, such as "x" for a local endpoint, is no secret and may be part of a word
REPLACEMENTS = {"max_tokens": "max_completion_tokens"}  # for parameters that newer models do not take
_UNSUPPORTED = re.compile(r"unsupported|not support|unknown|unrecognized|unexpected|not permitted|not allowed", re.I)


def sampling_parameters(options: ModelOptions) -> dict[str, int]:
    """Returns the sampling parameters: greedy, up to a maximum length."""
    return {"temperature": 0, "max_tokens": options.max_tokens}


class OpenAIClient:
    """Sends requests to the endpoint. The library is imported with the first one, which takes half a second.

    A parameter that the model does not support is left out, or replaced, from then on.

    Args:
        options: the model and its endpoint.
    """

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._key = options.key.get_secret_value() if options.key else ""
        self._parameters = sampling_parameters(options)
        self._loop_thread = _LoopThread()
        self._client: openai.AsyncOpenAI | None = None

    def send(self, request: ChatRequest) -> Reply:
        """Sends a request once and returns the answer.

        Raises:
            AttemptFailed: no answer, or an unusable one.
            BBAError: the endpoint will answer no request (key, address, model).
        """
        reply = read_completion(self._loop_thread.run(self._send(request)))
        return reply._replace(text=self._redact(reply.text))

    async def _send(self, request: ChatRequest) -> bytes:
        """Returns the body of the answer within the deadline, changing unsupported parameters as often as needed."""
        try:
            async with asyncio.timeout(request.seconds_left):
                while True:
                    parameters = self._parameters
                    try:
                        return await self._post(request, parameters)
                    except _Unsupported as error:
                        self._parameters = _without_parameter(parameters, str(error))
        except TimeoutError:
            raise AttemptFailed(f"no answer came within {self._options.deadline:g} s", retryable=True) from None

    async def _post(self, request: ChatRequest, parameters: dict[str, int]) -> bytes:
        """Sends one HTTP request; translates errors of the client and of its HTTP library."""
        client = self._get_client()
        import openai

        fields: dict[str, Any] = {"model": self._options.model, "messages": request.messages, **parameters}
        try:
            async with client.chat.completions.with_streaming_response.create(**fields) as response:
                body = b""
                async for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > MAX_BODY_BYTES:
                        break
        except openai.APIStatusError as error:
            raise self._status_error(error, parameters) from None
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            raise self._connection_error(error) from None
        if len(body) > MAX_BODY_BYTES:
            raise AttemptFailed(f"the answer is larger than {MAX_BODY_BYTES // 2**20} MiB", retryable=True)
        return body

    def _get_client(self) -> "openai.AsyncOpenAI":
        if self._client is None:
            import openai

            self._client = openai.AsyncOpenAI(
                api_key=self._key or "none", base_url=self._options.endpoint, max_retries=0, timeout=None
            )
        return self._client

    def _status_error(self, error: "openai.APIStatusError", parameters: dict[str, int]) -> Exception:
        text = one_line(self._redact(error_text(error.body)))
        if error.status_code in (400, 422) and _UNSUPPORTED.search(text):
            for parameter in parameters:
                if error.param == parameter or re.search(rf"\b{parameter}\b", text):
                    return _Unsupported(parameter)
        return http_error(error.status_code, text, error.code, error.response.headers)

    def _connection_error(self, error: Exception) -> AttemptFailed:
        cause = error.__cause__ or error
        text = one_line(self._redact(str(cause))) or type(cause).__name__
        if type(cause).__name__ == "ConnectError":
            return AttemptFailed(f"no connection to {self._options.endpoint}: {text}", retryable=True, reached=False)
        return AttemptFailed(f"connection lost: {text}", retryable=True)

    def _redact(self, text: str) -> str:
        """Returns a text without the key, which the endpoint might repeat; the text goes to files and screens."""
        return text.replace(self._key, "[key]") if len(self._key) >= MIN_SECRET_LENGTH else text


class _Unsupported(Exception):
    """The model does not support a parameter; the error's text is its name."""


def _without_parameter(parameters: dict[str, int], parameter: str) -> dict[str, int]:
    """Returns the parameters with one of them removed or replaced."""
    replacement = {REPLACEMENTS[parameter]: parameters[parameter]} if parameter in REPLACEMENTS else {}
    return {name: value for name, value in parameters.items() if name != parameter} | replacement


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
