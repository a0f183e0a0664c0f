"""What the clients of language models share: deadline, adaptation to what an endpoint takes, no secret in a text.

Requests are adapted by parameters that are left out or lowered, by streams, and by leaving out the system role.
"""

import asyncio
import logging
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from bba.errors import BBAError
from bba.planner.chat import Message, Reply
from bba.planner.llm.account import Redactor, read_headers, secret_values
from bba.planner.llm.chat_completion import read_completion
from bba.planner.llm.model_options import ANSWER_FORMAT, ModelOptions, sampling_parameters
from bba.planner.llm.request import AttemptFailed, ChatRequest, http_error, one_line

Result = TypeVar("Result")


class LoopThread:
    """An event loop in a daemon thread that starts with the first coroutine, for synchronous callers of coroutines.

    Only a coroutine can be cancelled at any moment: a socket timeout starts again with every byte, and a thread cannot
    be stopped. The loop has a thread of its own because some callers, such as notebooks, already run a loop.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Runs a coroutine and returns its result or raises its error; cancels it if the caller is interrupted."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="model endpoint", daemon=True).start()
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


LEAST_TOKENS = 16  # a shorter answer is of no use
REPLACEMENTS = {"max_tokens": "max_completion_tokens"}  # for parameters that newer models do not take
LENGTHS = ("max_tokens", "max_completion_tokens")
STREAM: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
_REFUSED = {400, 404, 422, 500, 501}
_UNSUPPORTED = re.compile(
    r"unsupported|not support|unknown|unrecognized|unexpected|not permitted|not allowed|not enabled|only the default"
    r"|invalid role|extra (?:inputs|fields)|must alternate|only user",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(r"too large|too high|too big|at most|exceed|maximum|less than or equal|<=", re.IGNORECASE)
_STREAM_ONLY = re.compile(
    r"\bstream\b[^.]{0,30}\btrue|only (?:supports? )?stream"
    r"|stream\w* (?:is |mode )?(?:required|only)|requires? stream|non-?stream\w* \w* ?(?:is |are )?not",
    re.IGNORECASE,
)
_SYSTEM = re.compile(r"system|developer (?:message|instruction|role)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Adaptation:
    """What is sent besides the model, and in which form.

    Attributes:
        parameters: the parameters of a request by name.
        joins_system: whether the system prompt is put in front of the first user message.
    """

    parameters: dict[str, Any]
    joins_system: bool = False

    def messages(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Returns the messages as this endpoint takes them."""
        if not self.joins_system or len(messages) < 2 or messages[0]["role"] != "system":
            return messages
        joined = f"{messages[0]['content']}\n\n{messages[1]['content']}"
        return [Message(role="user", content=joined), *messages[2:]]

    def after(self, status: int, text: str, parameter: str | None) -> "tuple[Adaptation, str] | None":
        """Returns what to send after this refusal, and in words what has changed; None if nothing can be adapted.

        Args:
            status: the HTTP status.
            text: the endpoint's message.
            parameter: the parameter that it blames, if it names one.
        """
        if status not in _REFUSED:
            return None
        blamed = next((name for name in self.parameters if name == parameter or re.search(rf"\b{name}\b", text)), None)
        if _STREAM_ONLY.search(text) and "stream" not in self.parameters:
            return replace(self, parameters=self.parameters | STREAM), "answers as a stream only; it is read as one"
        if blamed in LENGTHS and _TOO_LARGE.search(text) and self.parameters[blamed] >= 2 * LEAST_TOKENS:
            half = self.parameters[blamed] // 2
            return replace(self, parameters=self.parameters | {blamed: half}), f"takes fewer {blamed}; {half} are sent"
        if not _UNSUPPORTED.search(text):
            return None
        if blamed is not None:
            return replace(self, parameters=self._without(blamed)), f"does not take {blamed}; it is left out"
        if _SYSTEM.search(text) and not self.joins_system:
            return replace(self, joins_system=True), "takes no system role; that prompt is in the first user message"
        return None

    def _without(self, parameter: str) -> dict[str, Any]:
        """Returns the parameters with one of them removed or replaced."""
        replacement = {REPLACEMENTS[parameter]: self.parameters[parameter]} if parameter in REPLACEMENTS else {}
        return {name: value for name, value in self.parameters.items() if name != parameter} | replacement


_logger = logging.getLogger("bba")


class Client(ABC):
    """Sends requests to a model: one attempt per request, with all errors in one family.

    What the model refuses of a request's form is adapted from then on, and said once.

    Args:
        options: the model.
        secrets: what must not be repeated, besides the key.
    """

    def __init__(self, options: ModelOptions, secrets: Iterable[str] = ()) -> None:
        self._options = options
        self._key = options.key.get_secret_value() if options.key else ""
        self._headers = read_headers(options.extra_headers) or None
        self._redactor = Redactor(self._key, *secret_values(options.extra_headers), *secrets)
        self._adaptation = Adaptation(sampling_parameters(options))
        self._said: set[str] = set()
        self._loop_thread = LoopThread()

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

    def load(self) -> None:
        """Imports what requests need, before the clock of the first one starts: on a busy machine it takes seconds."""
        import openai  # noqa: F401 - which LiteLLM imports, too
        import tenacity  # noqa: F401

    async def _send(self, request: ChatRequest) -> bytes:
        """Returns the body of the answer within the deadline, adapting the request as often as needed."""
        try:
            async with asyncio.timeout(request.seconds_left):
                while True:
                    sent = self._adaptation
                    fields = dict(sent.parameters)
                    if not request.plan:
                        fields.pop(ANSWER_FORMAT, None)  # the form of an answer is that of a plan
                    request.details["sampling"] = fields
                    try:
                        return await self._post(request, sent, fields)
                    except Adapted:
                        continue
        except TimeoutError:
            raise AttemptFailed(
                f"no answer came within {self._options.deadline:g} s", retryable=True, charged=True
            ) from None

    @abstractmethod
    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any]) -> bytes:
        """Sends one request with these parameters; translates all errors, by `_refused` where the model refuses."""

    def _refused(
        self, sent: Adaptation, status: int, text: str, code: str | None, parameter: str | None, headers: Any
    ) -> Exception:
        """Returns the error for a refusal, or that what is sent from now on is adapted."""
        text = one_line(self._redactor.complaint(text))
        change = sent.after(status, text, parameter)
        if change is None:
            return http_error(status, text, code, headers, self._options.provider)
        self._adaptation, words = change
        if words not in self._said:
            self._said.add(words)
            _logger.warning("planner %s: %s %s", self._options.provider, self._options.model, words)
        return Adapted(words)


class Adapted(Exception):
    """The endpoint refused the form of a request, which can be sent in another one."""
