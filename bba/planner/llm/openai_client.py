"""A client of OpenAI-compatible endpoints."""

from typing import TYPE_CHECKING, Any

from bba.planner.llm.account import AccountHeaders
from bba.planner.llm.adaptation import Adaptation
from bba.planner.llm.client import Client
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.request import AttemptFailed, ChatRequest
from bba.planner.llm.response import error_text, one_line

if TYPE_CHECKING:
    import openai

MAX_BODY_BYTES = 4 * 2**20  # a longer body is an error
END_OF_STREAM = b"data: [DONE]"  # after which some endpoints leave the connection open


class OpenAIClient(Client):
    """Sends requests to the endpoint. The library is imported with the first one, which takes half a second.

    Args:
        options: the model and its endpoint.
    """

    def __init__(self, options: ModelOptions) -> None:
        super().__init__(options)
        self._client: openai.AsyncOpenAI | None = None

    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any]) -> bytes:
        """Sends one HTTP request; translates errors of the client and of its HTTP library."""
        client = self._get_client()
        import openai

        messages: Any = sent.messages(request.messages)
        create = client.chat.completions.with_streaming_response.create
        headers = self._options.headers or None
        try:
            async with create(
                model=self._options.model, messages=messages, extra_headers=headers, **fields
            ) as response:
                body = b""
                async for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > MAX_BODY_BYTES or body[-32:].rstrip().endswith(END_OF_STREAM):
                        break
        except openai.APIStatusError as error:
            text = error_text(error.body)
            raise self._refused(
                sent, error.status_code, text, error.code, error.param, error.response.headers
            ) from None
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

    def _connection_error(self, error: Exception) -> AttemptFailed:
        cause = error.__cause__ or error
        text = one_line(self._redactor.complaint(str(cause))) or type(cause).__name__
        if type(cause).__name__ == "ConnectError":
            where = self._options.shown_endpoint
            return AttemptFailed(f"no connection to {where}: {text}", retryable=True, reached=False)
        return AttemptFailed(f"connection lost: {text}", retryable=True, charged=True)
