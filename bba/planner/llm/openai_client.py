"""Asking an OpenAI-compatible endpoint: one attempt, and one family of errors for whatever comes back."""

import asyncio
import re
from typing import TYPE_CHECKING, Any

from bba.planner.chat import Reply
from bba.planner.llm.http_errors import error_text, http_error, one_line
from bba.planner.llm.loop_thread import LoopThread
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.request import AttemptFailed, ChatRequest
from bba.planner.llm.response import read_completion

if TYPE_CHECKING:
    import openai

LARGEST = 4 * 2**20  # bytes of a body that are read at the most
SHORTEST_SECRET = 8  # a shorter key, such as "x" for a local endpoint, is no secret, and may be part of any word
INSTEAD = {"max_tokens": "max_completion_tokens"}  # what newer models take in its place
_UNSUPPORTED = re.compile(r"unsupported|not support|unknown|unrecognized|unexpected|not permitted|not allowed", re.I)


def sampling(options: ModelOptions) -> dict[str, int]:
    """How answers are drawn: the likeliest words, up to a length."""
    return {"temperature": 0, "max_tokens": options.max_tokens}


class OpenAIClient:
    """The endpoint. Its client comes with the first question: importing it takes half a second.

    A parameter that the model does not take is left out, or replaced, from then on.

    Args:
        options: the model and where it is.
    """

    def __init__(self, options: ModelOptions) -> None:
        self._options = options
        self._key = options.key.get_secret_value() if options.key else ""
        self._sampling = sampling(options)
        self._background = LoopThread()
        self._client: openai.AsyncOpenAI | None = None

    def ask(self, question: ChatRequest) -> Reply:
        """Ask once.

        Raises:
            Unanswered: no answer came, or none that can be used.
            BBAError: the endpoint will answer no question (key, address, model).
        """
        reply = read_completion(self._background.run(self._ask(question)))
        return reply._replace(text=self._without_key(reply.text))

    async def _ask(self, question: ChatRequest) -> bytes:
        """The body of the answer, however often parameters have to be changed for it; cut off when time is up."""
        try:
            async with asyncio.timeout(question.left):
                while True:
                    tried = self._sampling
                    try:
                        return await self._body(question, tried)
                    except _Unsupported as refused:
                        self._sampling = _without(tried, refused.parameter)
        except TimeoutError:
            raise AttemptFailed(f"no answer came within {self._options.deadline:g} s", retryable=True) from None

    async def _body(self, question: ChatRequest, parameters: dict[str, int]) -> bytes:
        """Send one request; errors of the client and of the HTTP library under it become ours here."""
        client = self._connected()
        import openai

        request: dict[str, Any] = {"model": self._options.model, "messages": question.messages, **parameters}
        try:
            async with client.chat.completions.with_streaming_response.create(**request) as response:
                body = b""
                async for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > LARGEST:
                        break
        except openai.APIStatusError as error:
            raise self._refused(error, parameters) from None
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            raise self._lost(error) from None
        if len(body) > LARGEST:
            raise AttemptFailed(f"the answer is larger than {LARGEST // 2**20} MiB", retryable=True)
        return body

    def _connected(self) -> "openai.AsyncOpenAI":
        if self._client is None:
            import openai

            self._client = openai.AsyncOpenAI(
                api_key=self._key or "none", base_url=self._options.endpoint, max_retries=0, timeout=None
            )
        return self._client

    def _refused(self, error: "openai.APIStatusError", parameters: dict[str, int]) -> Exception:
        said = one_line(self._without_key(error_text(error.body)))
        if error.status_code in (400, 422) and _UNSUPPORTED.search(said):
            for parameter in parameters:
                if error.param == parameter or re.search(rf"\b{parameter}\b", said):
                    return _Unsupported(parameter)
        return http_error(error.status_code, said, error.code, error.response.headers)

    def _lost(self, error: Exception) -> AttemptFailed:
        cause = error.__cause__ or error
        said = one_line(self._without_key(str(cause))) or type(cause).__name__
        if type(cause).__name__ == "ConnectError":
            return AttemptFailed(f"no connection to {self._options.endpoint}: {said}", retryable=True, reached=False)
        return AttemptFailed(f"connection lost: {said}", retryable=True)

    def _without_key(self, text: str) -> str:
        """What an endpoint says goes to files and screens; it might echo the key."""
        return text.replace(self._key, "[key]") if len(self._key) >= SHORTEST_SECRET else text


class _Unsupported(Exception):
    """The model does not take a parameter."""

    def __init__(self, parameter: str) -> None:
        super().__init__(parameter)
        self.parameter = parameter


def _without(parameters: dict[str, int], refused: str) -> dict[str, int]:
    """The parameters without one of them, or with what stands in its place."""
    instead = {INSTEAD[refused]: parameters[refused]} if refused in INSTEAD else {}
    return {name: value for name, value in parameters.items() if name != refused} | instead
