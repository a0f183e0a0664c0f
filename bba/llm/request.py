"""Requests to a model, and what an endpoint's error means for the run.

Requests pass stages: cache, log, retries, budget, client. An error asks for another attempt, leaves this request
without an answer, or ends the run.
"""

import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Protocol

from bba.errors import BBAError
from bba.planner.chat import Message, ModelUnusable, NoAnswer, QuestionProgress, Reply, Usage, progress


class AttemptFailed(NoAnswer):
    """An attempt without an answer.

    Attributes:
        wait: seconds that the endpoint asks to wait before the next attempt; None if it does not ask.
        reached: whether the endpoint could be reached.
        charged: whether it may have to be paid though its usage is unknown.
        loading: whether the endpoint is about to be ready, so that this is no failure.
        hint: what to check where the endpoint is never reached.
    """

    def __init__(
        self,
        problem: str,
        *,
        retryable: bool,
        wait: float | None = None,
        reached: bool = True,
        usage: Usage | None = None,
        charged: bool = False,
        loading: bool = False,
        hint: str = "check --base-url",
    ) -> None:
        super().__init__(problem, usage=usage, retryable=retryable)
        self.wait = wait
        self.reached = reached
        self.charged = charged
        self.loading = loading
        self.hint = hint


class SpentOnThoughts(AttemptFailed):
    """An attempt whose tokens were all spent on thoughts, so that nothing is left of an answer.

    Attributes:
        more_tokens: how many the next attempt may take; None for as many.
    """

    more_tokens: int | None = None


class StillOwed(ModelUnusable):
    """The model will answer no later request, and this one may have to be paid: it stays reserved."""


# deadlines in a row for one answer
GETS_ON = 16  # where it gets on
KEEPS_ALIVE = 4  # where only its line is kept


@dataclass(slots=True)
class ChatRequest:
    """A chat to be answered. Its deadline is for silence: it moves as long as the endpoint is computing.

    Attributes:
        messages: the messages to send.
        expires_at: when to give up if nothing is heard until then, as a value of `time.monotonic`.
        skills: those that a plan can choose, in their order; () for a side query.
        failures: the failed attempts so far.
        max_tokens: those that an answer may take by what is reserved for it; None for those of the options.
        details: what is known of the last attempt besides its answer, for the log.
        followed: where whoever waits reads how far it is.
        began: when it was made.
        silence: seconds of silence that are waited for.
    """

    messages: tuple[Message, ...]
    expires_at: float
    skills: tuple[int, ...] = ()
    failures: list[AttemptFailed] = field(default_factory=list)
    details: dict[str, object] = field(default_factory=dict)
    max_tokens: int | None = None
    followed: QuestionProgress = field(default_factory=progress)
    began: float = field(default_factory=time.monotonic)
    silence: float = field(init=False)

    def __post_init__(self) -> None:
        self.silence = max(0.0, self.expires_at - self.began)

    @property
    def seconds_left(self) -> float:
        """Seconds until the request expires, 0 or more."""
        return max(0.0, self.expires_at - time.monotonic())

    @property
    def most_seconds_left(self) -> float:
        """Seconds that the request takes at the most, however much is heard."""
        return max(0.0, self.began + GETS_ON * self.silence - time.monotonic())

    def heard(self, doing: str | None, *, got_on: bool = True) -> None:
        """Moves the deadline, since something is being done.

        Args:
            doing: what, in words; None for nothing that is worth telling.
            got_on: whether it is further than before.
        """
        silences = GETS_ON if got_on else KEEPS_ALIVE
        latest = self.began + silences * self.silence
        moved = min(time.monotonic() + self.silence, latest)
        self.expires_at = max(self.expires_at, moved)
        self.followed.hear(doing)


class RequestStage(Protocol):
    """A stage of the pipeline: it answers a request itself or passes it to the next stage."""

    def send(self, request: ChatRequest) -> Reply:
        """Returns the answer.

        Raises:
            NoAnswer: no answer to this request.
            BBAError: no answer to this request, nor to later ones.
        """


RETRYABLE_STATUS = {408, 409, 425, 429}  # and everything from 500
REQUEST_ERRORS = {"context_length_exceeded", "content_filter", "content_policy_violation"}
FILTERED = re.compile(
    r"content[ _-]?(?:filter|management|policy)|contentpolicy|responsible ?ai ?policy|safety (?:system|filter|policy)"
    r"|flagged as|moderation",
    re.IGNORECASE,
)  # gateways pass a provider's refusal on as an error, in its own words
FILTER_STATUS = {400, 403, 422, 451}
BODY_TOO_LARGE = 413
UNAVAILABLE = 503
LOADING = re.compile(r"\bloading\b|warming up|starting up|cold start", re.IGNORECASE)
QUOTA_SPENT = "insufficient_quota"  # sent with status 429, but waiting does not help
LITELLM_HINT = "set the variable with the key of this provider, as ANTHROPIC_API_KEY, or BBA_API_KEY"
HINTS = {
    402: "nothing is left on the account",
    401: "set OPENAI_API_KEY or BBA_API_KEY to a key that it takes",
    403: "check the key (OPENAI_API_KEY or BBA_API_KEY), --base-url and --model",
    404: "check --base-url and --model",
    407: "the proxy wants a user and a password, as http://user:password@host:port",
}
MAX_MESSAGE_CHARS = 200  # characters of an endpoint's message that are shown


def http_error(
    status: int, text: str, code: str | None, headers: Mapping[str, str], planner: str = "openai"
) -> BBAError:
    """Returns the error for a response with this status.

    Args:
        status: 300 or more.
        text: the endpoint's message as one line.
        code: the endpoint's error code, if it gives one.
        headers: with case-insensitive names, as in HTTP libraries.
        planner: the planner that sent the request.
    """
    status_text = f"{status}: {text}" if text else str(status)
    if code == QUOTA_SPENT:
        return ModelUnusable(f"planner {planner}: nothing is left on the account ({status_text})")
    if status in RETRYABLE_STATUS or status >= 500:
        loading = status == UNAVAILABLE and LOADING.search(text) is not None
        return AttemptFailed(status_text, retryable=True, wait=retry_after(headers, text), loading=loading)
    if status == BODY_TOO_LARGE or code in REQUEST_ERRORS or (status in FILTER_STATUS and FILTERED.search(text)):
        return AttemptFailed(status_text, retryable=False)
    problem = f"planner {planner}: the endpoint refuses ({status_text})"
    hint = HINTS.get(status)
    if planner == "litellm" and status == 401:
        hint = LITELLM_HINT
    return ModelUnusable(f"{problem}; {hint}" if hint else problem)


def error_in_body(error: object) -> BBAError:
    """Returns the error for a response that reports one with status 200; its code may be the status that is meant."""
    fields = error if isinstance(error, Mapping) else {"message": error}
    text = one_line(error_text(fields)) or "without a reason"
    code = fields.get("code") or fields.get("type")
    status = str(fields.get("code"))
    if re.fullmatch("[45][0-9]{2}", status):
        return http_error(int(status), text, None, {})
    if code in (QUOTA_SPENT, "invalid_api_key", "authentication_error"):
        return http_error(401, text, str(code), {})
    if code in REQUEST_ERRORS:
        return AttemptFailed(text, retryable=False)
    return AttemptFailed(f"the endpoint answered with an error: {text}", retryable=True)


def error_text(body: object) -> str:
    """Returns the message in the body of an error."""
    text = body
    if isinstance(body, Mapping):
        text = body.get("message") or body.get("detail")
    return "" if text is None else str(text)


def one_line(text: str) -> str:
    """Returns a text as one short line of printable characters."""
    line = "".join(filter(str.isprintable, " ".join(text.split())))
    return line if len(line) <= MAX_MESSAGE_CHARS else line[:MAX_MESSAGE_CHARS] + "…"


_AGAIN = re.compile(r"(?:try again|retry) (?:in|after) (?:about )?([0-9]+(?:[.][0-9]+)?) ?(ms|s)", re.IGNORECASE)


def retry_after(headers: Mapping[str, str], text: str = "") -> float | None:
    """Returns the seconds that an endpoint asks to wait; None without a valid number.

    Args:
        headers: of which ``Retry-After-Ms`` and ``Retry-After``, a number of seconds or a date, are read.
        text: its message, which may ask, too, as in "try again in 20s".
    """
    duration = headers.get("retry-after-ms")
    units_a_second = 1000.0
    if duration is None:
        duration = headers.get("retry-after")
        units_a_second = 1.0
    if duration is None:
        match = _AGAIN.search(text)
        if match is None:
            return None
        duration = match[1]
        units_a_second = 1000.0 if match[2].lower() == "ms" else 1.0
    try:
        seconds = float(duration) / units_a_second
    except ValueError:
        try:
            seconds = parsedate_to_datetime(duration).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return None if math.isnan(seconds) else max(0.0, seconds)
