"""What the clients of language models share: deadline, adaptation to what an endpoint takes, no secret in a text.

Requests are adapted by parameters that are left out or lowered, by streams, and by leaving out the system role.
"""

import asyncio
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from bba.errors import LOG, BBAError
from bba.llm.intake import MAX_BODY_BYTES, Completion, Intake, read_completion
from bba.llm.request import AttemptFailed, ChatRequest, SpentOnThoughts, http_error, one_line
from bba.planner.account import Redactor, read_headers, secret_values
from bba.planner.chat import Message, Reply
from bba.planner.model_options import (
    DEFAULT_MAX_TOKENS,
    FORM_FIELDS,
    ModelOptions,
    form_fields,
    sampling_parameters,
)
from bba.planner.short_answers import of_letter, scored_answer

Result = TypeVar("Result")
Take = Callable[[bytes], bool]

MOST_ADAPTATIONS = 20  # forms of one request, until it is given up
LAST_WORDS = 2.0  # seconds that are waited for the usage after the end of an answer


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
LENGTHS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
ANY_JSON = {"type": "json_object"}
STREAM: dict[str, Any] = {"stream": True, "stream_options": {"include_usage": True}}
PROGRESS = {"return_progress": True}  # of llama.cpp, which then says how much of the question it has read
UNLOGGED = STREAM | PROGRESS  # how an answer is sent does not change it
_REFUSED = {400, 404, 422, 500, 501}
_UNSUPPORTED = re.compile(
    r"unsupported|not support|unknown|unrecognized|unexpected|not permitted|not allowed|not enabled|only the default"
    r"|invalid role|extra (?:inputs|fields)|must alternate|only user|deprecated|no longer|is not (?:valid|available)"
    r"|only .{0,40}(?:allowed|accepted|valid)|cannot (?:both )?be (?:used|set|specified)|first message|roles? must"
    r"|unavailable|not implemented|disabled",
    re.IGNORECASE,
)
_TOO_LARGE = re.compile(
    r"too large|too high|too big|at most|exceed|maximum|less than|<=|\bmax\b|between|range", re.IGNORECASE
)
_OUT_OF_RANGE = re.compile(r"must be|should be|between|greater|range|positive|at least|minimum|>", re.IGNORECASE)
LEAST_TEMPERATURE = 0.01  # where 0 is none
# As of models that think: "may only be set to 1", "only 1 is allowed", "must be 1". A default is left out instead.
_ONLY_ONE = re.compile(
    r"(?:only (?:be |accepts? |supports? |allows? |set to |value )*|(?:must|should|has to|needs to) (?:be |equal )"
    r"(?:set to |equal to |exactly )?)[(`'\"=]?1(?:\.0+)?(?![\d.]*\d)",
    re.IGNORECASE,
)
_ONE_OF_TWO = re.compile(
    r"\bboth\b|only one|one of|together|either|mutually|alongside|not .{0,20}\bwith\b", re.IGNORECASE
)
_OF_TYPE = re.compile(r"\btype\b|schema", re.IGNORECASE)
_MALFORMED = {400, 422}  # statuses that blame what was sent
_MOST_NAMED = 2  # fields that a complaint names; one that names more quotes the request
MORE_TOKENS = 4  # times as many, where a model has spent all of them on thoughts that nobody sees
_LENGTH = re.compile(r"\bmax_\w*tokens\b")
_STREAM_ONLY = re.compile(
    r"\bstream\b[^.]{0,30}\btrue|only (?:supports? )?stream"
    r"|stream\w* (?:is |mode )?(?:required|only)|requires? stream|non-?stream\w* \w* ?(?:is |are )?not",
    re.IGNORECASE,
)
_SYSTEM = re.compile(r"system|developer (?:message|instruction|role)|alternat|first message", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Adaptation:
    """What is sent besides the model, and in which form.

    Attributes:
        parameters: the parameters of a request by name.
        joins_system: whether the system prompt is put in front of the first user message.
        capped: whether a limit of length has to be sent, since the highest price of a request depends on it.
        any_json: whether answers in a form are asked for as any JSON, where a schema is refused.
    """

    parameters: dict[str, Any]
    joins_system: bool = False
    capped: bool = False
    any_json: bool = False

    def fields(self, options: ModelOptions, request: ChatRequest) -> dict[str, Any]:
        """Returns the fields of a request beside model and messages: the form of the answer is that of this plan.

        No answer may be longer than the price that is reserved for it.
        """
        form = form_fields(options, request.skills)
        fields = {}
        for name, value in self.parameters.items():
            if name in form:
                fields[name] = form[name]
            elif name not in FORM_FIELDS:
                fields[name] = value
        if self.any_json and "response_format" in fields:
            fields["response_format"] = ANY_JSON
        for name in fields.keys() & set(LENGTHS):
            fields[name] = min(fields[name], request.max_tokens or fields[name])
        return fields

    def longer(self, most: int) -> "Adaptation | None":
        """Returns an adaptation whose answers may have more tokens; None if their length is not `most` as at first."""
        lengths = {name: MORE_TOKENS * most for name in LENGTHS if self.parameters.get(name) == most}
        return self._with(**lengths) if lengths else None

    def _with(self, **changes: Any) -> "Adaptation":
        return replace(self, parameters=self.parameters | changes)

    def messages(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Returns the messages as this endpoint takes them."""
        if not self.joins_system or len(messages) < 2 or messages[0]["role"] != "system":
            return messages
        joined = f"{messages[0]['content']}\n\n{messages[1]['content']}"
        return [Message(role="user", content=joined), *messages[2:]]

    def after(self, status: int, text: str, parameter: str | None) -> "tuple[Adaptation, str] | None":
        """Returns the adaptation to this refusal, and the change in words; None if nothing can be adapted.

        Args:
            status: the HTTP status.
            text: the endpoint's message.
            parameter: the parameter that it blames, if it names one.
        """
        if status not in _REFUSED:
            return None
        named = self._named_parameters(text, parameter)
        blamed = named[0] if named else None
        if _STREAM_ONLY.search(text) and "stream" not in self.parameters:
            return self._with(**STREAM), "answers as a stream only; it is read as one"
        if blamed in LENGTHS and _TOO_LARGE.search(text) and self.parameters[blamed] >= 2 * LEAST_TOKENS:
            half = self.parameters[blamed] // 2
            return self._with(**{blamed: half}), f"takes fewer {blamed}; {half} are sent"
        unsupported = _UNSUPPORTED.search(text)
        out_of_range = _OUT_OF_RANGE.search(text)
        if blamed == "temperature" and _ONLY_ONE.search(text) and self.parameters[blamed] != 1:
            return self._with(temperature=1), "takes no temperature but 1; 1 is sent"
        if blamed == "temperature" and out_of_range and not unsupported and self.parameters[blamed] == 0:
            adaptation = self._with(temperature=LEAST_TEMPERATURE)
            return adaptation, f"takes no temperature of 0; {LEAST_TEMPERATURE} is sent"
        if {"temperature", "top_p"} <= set(named) and _ONE_OF_TWO.search(text):
            return self._without("temperature", text)  # top_p is sent only where somebody asks for it
        if blamed is not None:
            malformed = status in _MALFORMED and len(named) <= _MOST_NAMED
            optional = blamed not in LENGTHS
            if unsupported or (optional and (out_of_range or malformed)):
                return self._without(blamed, text)
        if unsupported and _SYSTEM.search(text) and not self.joins_system:
            return replace(self, joins_system=True), "takes no system role; that prompt is in the first user message"
        return None

    def _named_parameters(self, text: str, parameter: str | None) -> list[str]:
        """Returns the parameters that a refusal names: first the blamed one, then those in its text in their order."""
        blamed = [part for part in (parameter or "").split(".") if part in self.parameters]
        positions = []
        for name in self.parameters:
            match = re.search(rf"\b{name}\b", text)
            if match:
                positions.append((match.start(), name))
        in_text = [name for _, name in sorted(positions)]
        return list(dict.fromkeys(blamed[:1] + in_text))

    def _without(self, parameter: str, text: str) -> "tuple[Adaptation, str] | None":
        """Returns this without a parameter, or with another in its place; None if the parameter has to be sent."""
        if parameter == "response_format" and _OF_TYPE.search(text) and not self.any_json:
            return replace(self, any_json=True), "takes no schema in response_format; any JSON is asked for"
        removed = {parameter}
        if parameter == "stream":
            removed |= STREAM.keys() | PROGRESS.keys()
        parameters = {name: value for name, value in self.parameters.items() if name not in removed}
        if parameter in LENGTHS:
            new_names = [name for name in _LENGTH.findall(text) if name not in LENGTHS]
            replacement = new_names[0] if new_names else REPLACEMENTS.get(parameter)
            if replacement is not None:
                parameters[replacement] = self.parameters[parameter]
            elif self.capped:
                return None
        return replace(self, parameters=parameters), f"does not take {parameter}; it is left out"


class Client(ABC):
    """Sends requests to a model: one attempt per request, with all errors in one family.

    What the model refuses of a request's form is adapted from then on, and said once.

    Args:
        options: the model.
        secrets: what must not be repeated, besides the key.
    """

    def __init__(self, options: ModelOptions, secrets: Iterable[str] = ()) -> None:
        self._options = options
        self._redactor = Redactor(self._written_key, *secret_values(options.extra_headers), *secrets)
        # Of a plan; how long other answers are is not limited by its form.
        parameters = sampling_parameters(options) | {"max_tokens": options.max_tokens}
        self._adaptation = Adaptation(parameters, capped=options.max_cost is not None)
        self._warned_of: set[str] = set()
        self._loop_thread = LoopThread()

    @property
    def _written_key(self) -> str:
        """The key as a request has it, "" for none; kept in no attribute, since tracebacks may print these."""
        return self._options.key.get_secret_value() if self._options.key is not None else ""

    @property
    def _headers(self) -> dict[str, str] | None:
        """The user's own headers with the values of variables, for which the same holds; None for none."""
        return read_headers(self._options.extra_headers) or None

    def send(self, request: ChatRequest) -> Reply:
        """Sends a request once and returns the answer.

        Raises:
            AttemptFailed: no answer, or an unusable one.
            BBAError: the endpoint will answer no request (key, address, model).
        """
        request.details.clear()
        body = self._loop_thread.run(self._send(request))
        try:
            completion = self._read(self._redactor.body(body), request)
        except SpentOnThoughts as error:
            self._allow_longer(error)
            raise
        except RecursionError:
            raise AttemptFailed("what the endpoint sent is nested too deeply", retryable=True, charged=True) from None
        except BBAError as error:
            error.args = (self._redactor.complaint(str(error)),)
            raise
        request.details["finish_reason"] = completion.finish and self._redactor.text(completion.finish)
        request.details["model_served"] = completion.model and self._redactor.text(completion.model)
        return Reply(self._redactor.text(completion.text), completion.usage)

    def _read(self, body: bytes, request: ChatRequest) -> Completion:
        """Returns the answer in a body; of scores, the plan that they stand for."""
        completion = read_completion(body)
        if self._options.form != "scores" or not request.skills:
            return completion
        seed = request.messages[-1]["content"]
        scored = scored_answer(completion.tokens, request.skills, self._options.score_temperature, seed)
        return completion._replace(text=scored or of_letter(completion.text, request.skills))

    def _allow_longer(self, error: SpentOnThoughts) -> None:
        """Lets later answers be longer, once, and this request be sent again, unless the user has set the length."""
        longer = self._adaptation.longer(self._options.max_tokens)
        if longer is None or self._options.max_tokens != DEFAULT_MAX_TOKENS:
            return
        self._adaptation = longer
        error.retryable = True
        error.more_tokens = MORE_TOKENS * self._options.max_tokens
        self._warn(
            f"spends all {self._options.max_tokens} tokens on thoughts; {error.more_tokens} are allowed", "thoughts"
        )

    def load(self) -> None:
        """Imports what requests need, before the clock of the first one starts: on a busy machine it takes seconds."""
        import openai  # noqa: F401 - which LiteLLM imports, too
        import tenacity  # noqa: F401

    async def _send(self, request: ChatRequest) -> bytes:
        """Returns the body of the answer within the deadline, adapting the request as often as needed."""
        for _ in range(MOST_ADAPTATIONS):
            sent = self._adaptation
            intake = Intake()
            fields = sent.fields(self._options, request)
            request.details["sampling"] = {name: value for name, value in fields.items() if name not in UNLOGGED}
            try:
                async with asyncio.timeout(request.seconds_left) as limit:
                    await self._post(request, sent, fields, partial(self._take, request, intake, limit))
            except Adapted:
                continue
            except (TimeoutError, AttemptFailed) as error:
                if intake.whole:
                    break  # though its connection was lost, or left open
                if isinstance(error, AttemptFailed):
                    raise
                raise AttemptFailed(self._late(request), retryable=True, charged=True) from None
            if len(intake.body) > MAX_BODY_BYTES:
                most = MAX_BODY_BYTES // 2**20
                raise AttemptFailed(f"the answer is larger than {most} MiB", retryable=True, charged=True)
            break
        else:
            raise AttemptFailed("the endpoint refuses every form of a request", retryable=False)
        return bytes(intake.body)

    def _take(self, request: ChatRequest, intake: Intake, limit: asyncio.Timeout, data: bytes) -> bool:
        """Takes in a part of an answer and moves the deadline; returns whether the answer has ended."""
        activity = intake.feed(data)
        if activity is not None:
            request.heard(activity.doing, got_on=activity.got_on)
            seconds = request.seconds_left
            if intake.finish:
                seconds = min(seconds, LAST_WORDS)
            limit.reschedule(asyncio.get_running_loop().time() + seconds)
            if time.monotonic() - request.began > request.silence:
                self._warn(
                    f"takes longer than {request.silence:.3g} s, but is {activity.doing}: the answer is waited for",
                    "slow",
                )
        return intake.ended

    def _late(self, request: ChatRequest) -> str:
        """Returns the message of a request whose deadline has passed."""
        waited = time.monotonic() - request.began
        if waited > 1.5 * request.silence and request.followed.doing:
            return f"no answer came within {waited:.3g} s; last it was {request.followed.doing}"
        return f"no answer came within {self._options.deadline:g} s"

    @abstractmethod
    async def _post(self, request: ChatRequest, sent: Adaptation, fields: dict[str, Any], take: Take) -> None:
        """Sends one request with these parameters; gives what comes to `take` until that returns True.

        Translates all errors, by `_refused` where the model refuses.
        """

    def _warn(self, warning: str, subject: str) -> None:
        """Warns of the model, once of each subject."""
        if subject not in self._warned_of:
            self._warned_of.add(subject)
            LOG.warning("planner %s: %s %s", self._options.provider, self._options.model, warning)

    def _refused(
        self, sent: Adaptation, status: int, text: str, code: str | None, parameter: str | None, headers: Any
    ) -> Exception:
        """Adapts later requests to a refusal; returns the error of this one."""
        text = one_line(self._redactor.complaint(text))
        change = sent.after(status, text, parameter)
        if change is None:
            return http_error(status, text, code, headers, self._options.provider)
        adaptation, description = change
        if sent is self._adaptation:  # else another request has adapted it meanwhile
            self._adaptation = adaptation
        self._warn(description, description)
        return Adapted(description)


class Adapted(Exception):
    """The endpoint refused the form of a request, which can be sent in another one."""
