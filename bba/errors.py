"""The base class of all errors that are shown to users, and what they say in the place of a wrong name or number.

What goes on in spite of a problem is a warning, for `LOG`.
"""

import logging
from collections.abc import Collection
from difflib import SequenceMatcher
from operator import index

LOG = logging.getLogger("bba")
FEW, NEAREST = 4, 3  # so many names are all listed; of more, the nearest
LONGEST_LINE = 200  # characters that are quoted of what others have written


class BBAError(Exception):
    """An error in the user's input: the message is one line that says what, where and what is allowed."""


def refuse(*problems: tuple[object, str], error: type[Exception] = BBAError) -> None:
    """Raises an error with the first problem whose condition holds; does nothing where none does.

    Args:
        problems: pairs of a condition and what is wrong where it holds.
        error: what is raised; ValueError in pydantic's validators.
    """
    for holds, problem in problems:
        if holds:
            raise error(problem)


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
