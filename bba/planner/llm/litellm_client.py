"""A client of every provider that LiteLLM knows; the library finds address and key by the model's name.

It is an extra: pip install 'bba-tui[litellm]'. The key is the provider's own variable of the environment, such as
ANTHROPIC_API_KEY, which the library reads, or BBA_API_KEY.
"""

import os
import re
from importlib.util import find_spec
from typing import Any

from bba.errors import BBAError
from bba.planner.llm.adaptation import Adaptation
from bba.planner.llm.client import Client
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.request import AttemptFailed, ChatRequest
from bba.planner.llm.response import one_line

_SECRET = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)$")  # at the end of the names of variables
_CODES = {
    "ContextWindowExceededError": "context_length_exceeded",
    "ContentPolicyViolationError": "content_policy_violation",
}
_UNREACHED = re.compile(r"connection error|cannot connect|connection refused|connect call failed", re.IGNORECASE)


def check_litellm() -> None:
    """Checks that the library is installed.

    Raises:
        BBAError: it is not.
    """
    if find_spec("litellm") is None:
        raise BBAError("planner litellm: needs litellm: pip install 'bba-tui[litellm]'")


class LiteLLMClient(Client):
    """Sends requests by LiteLLM, which is imported at once: that takes seconds, which count towards no deadline.

    Args:
        options: the model, as LiteLLM names it.

    Raises:
        BBAError: the library is not installed.
    """

    def __init__(self, options: ModelOptions) -> None:
        check_litellm()
        self._library = _library()
        super().__init__(options, (value for name, value in os.environ.items() if _SECRET.search(name)))

    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any]) -> bytes:
        """Sends one request; the answer is in the format of OpenAI, whatever the provider's is."""
        try:
            response = await self._library.acompletion(
                model=self._options.model,
                messages=list(sent.messages(request.messages)),
                api_key=self._key or None,
                api_base=self._options.base_url,
                extra_headers=self._options.headers or None,
                timeout=request.seconds_left,
                num_retries=0,
                max_retries=0,
                **fields,
            )
            if "stream" in fields:
                chunks = [chunk async for chunk in response]
                response = self._library.stream_chunk_builder(chunks, messages=list(request.messages))
            return str(response.model_dump_json()).encode()
        except Exception as error:  # noqa: BLE001 - the library's errors are those of all its providers
            raise self._error(error, sent) from None

    def _error(self, error: Exception, sent: Adaptation) -> Exception:
        """Returns the error for one of the library's."""
        status, text, kind = getattr(error, "status_code", None), str(error), type(error).__name__
        if kind == "APIConnectionError":
            reached = not _UNREACHED.search(text)
            problem = one_line(self._redactor.complaint(text)) or kind
            return AttemptFailed(problem, retryable=True, reached=reached, charged=reached)
        if not isinstance(status, int):
            return AttemptFailed(one_line(self._redactor.complaint(text)) or kind, retryable=True, charged=True)
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        return self._refused(sent, status, text, _CODES.get(kind), getattr(error, "param", None), headers)


def _library() -> Any:
    """Returns the library, told to ask nobody for prices and to print nothing."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    import litellm

    litellm.telemetry = False
    litellm.suppress_debug_info = True
    return litellm
