"""What users are told when their input is wrong, and the ranges of numbers that several options and files share."""

from collections.abc import Collection
from difflib import SequenceMatcher
from operator import index
from typing import Annotated, Literal

from pydantic import Field

FEW, NEAREST = 4, 3  # so many names are all listed; of more, the nearest
LONGEST_LINE = 200  # characters that are quoted of what others have written


class BBAError(Exception):
    """An error in the user's input: the message is one line that says what, where and what is allowed."""


def shortened(text: object) -> str:
    """Returns what others have written as one line, cut where it is long."""
    line = " ".join(str(text).split())
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"


def instead(name: str, known: Collection[str]) -> str:
    """Returns what there is instead of an unknown name: all of a few names, or the three spelt most like it."""
    if len(known) <= FEW:
        return f"there are {', '.join(known)}"
    return f"the nearest are {', '.join(nearest(name, known))}"


def nearest(name: str, known: Collection[str]) -> list[str]:
    """Returns the three names that are spelt most like a name, the nearest first."""
    return sorted(known, key=lambda one: -SequenceMatcher(None, one, name).ratio())[:NEAREST]


MOST_STEPS = 1_000_000

# Text that is shown on a terminal, which obeys control characters.
PlainText = Annotated[str, Field(pattern=r"^[^\x00-\x1f\x7f-\x9f]*$")]
Share = Annotated[float, Field(ge=0, le=1)]
Steps = Annotated[int, Field(ge=1, le=MOST_STEPS)]
StepsOrNone = Annotated[int, Field(ge=0, le=MOST_STEPS)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
ThemeName = Literal["dark", "light", "contrast"]
Workers = Annotated[int, Field(ge=1, le=10_000)]
EngineName = Literal["local", "ray"]
PluginText = Annotated[str, Field(max_length=300, pattern=r"^[\w ./\\:@+~-]+$")]  # a name that may be one of a plug-in
BuiltInTrigger = Literal["gate", "commitment", "periodic", "completion-held", "judge", "value", "never"]
TriggerName = BuiltInTrigger | PluginText
Count = Annotated[int, Field(ge=1, le=1_000_000_000)]
Seconds = Annotated[float, Field(ge=0.1, le=86_400)]
Dollars = Annotated[float, Field(gt=0, le=1e6)]
CacheMode = Literal["off", "read", "write", "only"]
Knowledge = Literal["role", "rule", "policy"]  # what an oracle tells of a partner; the policy is all of it


def whole_number(name: str, given: object, least: int = 1) -> int:
    """Returns a whole number that a caller in Python has given, of NumPy's too.

    Raises:
        BBAError: it is none, or less than `least`.
    """
    try:
        number = index(given)  # type: ignore[arg-type]  # what is no number has none
    except TypeError:
        number = least - 1
    if number < least:
        raise BBAError(f"{name}: {given!r} is not allowed; {least} or more")
    return number
