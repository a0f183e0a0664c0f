"""What the clients of language models share: deadline, adaptation to what a model takes, no secret in a text."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from bba.errors import BBAError
from bba.planner.chat import Reply
from bba.planner.llm.adaptation import Adaptation
from bba.planner.llm.completion import read_completion
from bba.planner.llm.loop_thread import LoopThread
from bba.planner.llm.options import ModelOptions
from bba.planner.llm.redaction import Redactor
from bba.planner.llm.request import AttemptFailed, ChatRequest
from bba.planner.llm.response import http_error, one_line
from bba.planner.llm.sampling import ANSWER_FORMAT, sampling_parameters

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
        self._redactor = Redactor(self._key, *options.secret_headers, *secrets)
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

    async def _send(self, request: ChatRequest) -> bytes:
        """Returns the body of the answer within the deadline, adapting the request as often as needed."""
        try:
            async with asyncio.timeout(request.seconds_left):
                while True:
                    sent = self._adaptation
                    fields = self._fields(request, sent)
                    request.details["sampling"] = fields
                    try:
                        return await self._post(request, sent, fields)
                    except Adapted as change:
                        self._adapt(change)
        except TimeoutError:
            raise AttemptFailed(
                f"no answer came within {self._options.deadline:g} s", retryable=True, charged=True
            ) from None

    @abstractmethod
    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any]) -> bytes:
        """Sends one request with these parameters; translates all errors, by `_refused` where the model refuses."""

    def _fields(self, request: ChatRequest, sent: Adaptation) -> dict[str, Any]:
        """Returns the parameters of a request: the form of an answer is that of a plan."""
        return {name: value for name, value in sent.parameters.items() if request.plan or name != ANSWER_FORMAT}

    def _adapt(self, change: "Adapted") -> None:
        self._adaptation = change.adaptation
        if change.words not in self._said:
            self._said.add(change.words)
            _logger.warning("planner %s: %s %s", self._options.provider, self._options.model, change.words)

    def _refused(
        self, sent: Adaptation, status: int, text: str, code: str | None, parameter: str | None, headers: Any
    ) -> Exception:
        """Returns the error for a refusal, or what to send in its place."""
        text = one_line(self._redactor.complaint(text))
        change = sent.after(status, text, parameter)
        return Adapted(*change) if change else http_error(status, text, code, headers, self._options.provider)


class Adapted(Exception):
    """The endpoint refused the form of a request, which can be sent in another one."""

    def __init__(self, adaptation: Adaptation, words: str) -> None:
        super().__init__(words)
        self.adaptation, self.words = adaptation, words
