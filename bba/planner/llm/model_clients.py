"""The clients: of OpenAI-compatible endpoints, and of every provider that LiteLLM knows.

LiteLLM finds address and key by the model's name. It is an extra: pip install 'bba-tui[litellm]'. The key is the
provider's own variable of the environment, such as ANTHROPIC_API_KEY, which the library reads, or BBA_API_KEY.
"""

import os
import re
from dataclasses import replace
from functools import cached_property, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from bba.errors import BBAError
from bba.planner.llm.account import AccountHeaders
from bba.planner.llm.endpoint import PROGRESS, STREAM, Adaptation, Client, Take
from bba.planner.llm.intake import MAX_BODY_BYTES, bound
from bba.planner.llm.model_options import ModelOptions, is_local, price_of
from bba.planner.llm.request import AttemptFailed, ChatRequest, error_text, one_line

if TYPE_CHECKING:
    import openai


class OpenAIClient(Client):
    """Sends requests to the endpoint. The library is imported with the first one, which takes half a second.

    Args:
        options: the model and its endpoint.
    """

    MOST_BYTES = MAX_BODY_BYTES  # of what it reads

    def __init__(self, options: ModelOptions) -> None:
        super().__init__(options)
        if (
            options.batch_file is None and price_of(options.model, options.prices) is None
        ):  # what is paid for is asked for whole, with its usage
            progress = PROGRESS if is_local(options.endpoint) else {}
            self._adaptation = replace(self._adaptation, parameters=self._adaptation.parameters | STREAM | progress)

    @cached_property
    def _client(self) -> "openai.AsyncOpenAI":
        import openai

        hooks: Any = {
            "request": [AccountHeaders(self._key, self._headers)],
            "response": [partial(bound, most_bytes=self.MOST_BYTES)],
        }
        http_client = openai.DefaultAsyncHttpxClient(
            event_hooks=hooks, headers={"Accept-Encoding": "gzip, deflate"}, max_redirects=5
        )
        return openai.AsyncOpenAI(
            api_key=self._key or "none",
            base_url=self._options.endpoint,
            max_retries=0,
            timeout=None,
            http_client=http_client,
        )

    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any], take: Take) -> None:
        """Sends one HTTP request; translates errors of the client and of its HTTP library."""
        import openai

        messages: Any = sent.messages(request.messages)
        body = fields | fields.get("extra_body", {})
        body.pop("extra_body", None)
        create = self._client.chat.completions.with_streaming_response.create
        try:
            async with create(
                model=self._options.model, messages=messages, extra_headers=self._headers, extra_body=body
            ) as response:
                async for data in response.iter_bytes():
                    if take(data):
                        break
        except openai.APIStatusError as error:
            text = error_text(error.body)
            raise self._refused(
                sent, error.status_code, text, error.code, error.param, error.response.headers
            ) from None
        except Exception as error:  # noqa: BLE001 - the HTTP library is the client's choice, and so are its errors
            raise self._connection_error(error) from None

    def _connection_error(self, error: Exception) -> AttemptFailed:
        cause = error.__cause__ or error
        text = one_line(self._redactor.complaint(str(cause))) or type(cause).__name__
        if type(cause).__name__ == "ConnectError":
            where = self._options.shown_endpoint
            return AttemptFailed(f"no connection to {where}: {text}", retryable=True, reached=False)
        return AttemptFailed(f"connection lost: {text}", retryable=True, charged=True)


_SECRET_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$")  # at the end of the names of variables
_CODES = {
    "ContextWindowExceededError": "context_length_exceeded",
    "ContentPolicyViolationError": "content_policy_violation",
}
_UNREACHED = re.compile(r"connection error|cannot connect|connection refused|connect call failed", re.IGNORECASE)


class LiteLLMClient(Client):
    """Sends requests by LiteLLM, which is imported at once: that takes seconds, which count towards no deadline.

    Args:
        options: the model, as LiteLLM names it.

    Raises:
        BBAError: the library is not installed.
    """

    def __init__(self, options: ModelOptions) -> None:
        if find_spec("litellm") is None:
            raise BBAError("planner litellm: needs litellm: pip install 'bba-tui[litellm]'")
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        import litellm

        litellm.telemetry, litellm.suppress_debug_info = False, True  # it asks nobody for prices and prints nothing
        self._library: Any = litellm
        super().__init__(options, (value for name, value in os.environ.items() if _SECRET_VARIABLE.search(name)))

    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any], take: Take) -> None:
        """Sends one request; the answer is in the format of OpenAI, whatever the provider's is."""
        try:
            response = await self._library.acompletion(
                model=self._options.model,
                messages=list(sent.messages(request.messages)),
                api_key=self._key or None,
                api_base=self._options.base_url,
                extra_headers=self._headers,
                timeout=request.most_seconds_left,
                num_retries=0,
                max_retries=0,
                **fields,
            )
            if "stream" in fields:
                chunks = [chunk async for chunk in response]
                response = self._library.stream_chunk_builder(chunks, messages=list(request.messages))
            take(str(response.model_dump_json()).encode())
        except Exception as error:  # noqa: BLE001 - the library's errors are those of all its providers
            raise self._error(error, sent) from None

    def _error(self, error: Exception, sent: Adaptation) -> Exception:
        status, text, kind = getattr(error, "status_code", None), str(error), type(error).__name__
        if kind == "APIConnectionError":
            reached = not _UNREACHED.search(text)
            problem = one_line(self._redactor.complaint(text)) or kind
            return AttemptFailed(problem, retryable=True, reached=reached, charged=reached)
        if not isinstance(status, int):
            return AttemptFailed(one_line(self._redactor.complaint(text)) or kind, retryable=True, charged=True)
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        return self._refused(sent, status, text, _CODES.get(kind), getattr(error, "param", None), headers)
