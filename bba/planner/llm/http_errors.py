"""What an HTTP status other than success means: try again, give this question up, or end the run."""

import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from bba.errors import BBAError
from bba.planner.llm.request import AttemptFailed

TRY_AGAIN = {408, 409, 425, 429}  # and everything from 500
THIS_QUESTION = {"context_length_exceeded", "content_filter", "content_policy_violation"}
TOO_LARGE = 413
QUOTA_SPENT = "insufficient_quota"  # comes as 429, but no waiting helps
HINTS = {
    401: "set OPENAI_API_KEY or BBA_API_KEY to a key that it takes",
    403: "check the key (OPENAI_API_KEY or BBA_API_KEY), --base-url and --model",
    404: "check --base-url and --model",
}
LONGEST = 200  # characters of what an endpoint says that are passed on


def http_error(status: int, said: str, code: str | None, headers: Mapping[str, str]) -> BBAError:
    """The error for an answer with this status.

    Args:
        status: 300 or more.
        said: what the endpoint says about it, as one line.
        code: the endpoint's own name for it, if it gives one.
        headers: with names in any case, as HTTP libraries hold them.
    """
    told = f"{status}: {said}" if said else str(status)
    if code == QUOTA_SPENT:
        return BBAError(f"planner openai: nothing is left on the account ({told})")
    if status in TRY_AGAIN or status >= 500:
        return AttemptFailed(told, retryable=True, wait=retry_after(headers))
    if status == TOO_LARGE or code in THIS_QUESTION:
        return AttemptFailed(told, retryable=False)
    advice = HINTS.get(status)
    return BBAError(f"planner openai: the endpoint refuses ({told})" + (f"; {advice}" if advice else ""))


def error_text(body: object) -> str:
    """What an error's body says."""
    said = body.get("message") or body.get("detail") if isinstance(body, Mapping) else body
    return "" if said is None else str(said)


def one_line(text: str) -> str:
    """A text as one short line that a terminal shows as it is."""
    line = "".join(filter(str.isprintable, " ".join(text.split())))
    return line if len(line) <= LONGEST else line[:LONGEST] + "…"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds that a ``Retry-After`` header asks for, as a number or as a date; None where none can be read."""
    asked = headers.get("retry-after")
    if asked is None:
        return None
    try:
        seconds = float(asked)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(asked).timestamp() - time.time()
        except (ValueError, OverflowError):
            return None
    return None if math.isnan(seconds) else max(0.0, seconds)
