"""How requests are adapted to what an endpoint takes: parameters left out or lowered, streams, no system role."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bba.planner.chat import Message

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
        blamed = next((name for name in self.parameters if name == parameter or _names(name, text)), None)
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


def _names(parameter: str, text: str) -> bool:
    return re.search(rf"\b{parameter}\b", text) is not None
