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


def whole_number(name: str, given: object, least: int = 1, most: int | None = None) -> int:
    """Returns a whole number that a caller in Python has given, of NumPy's too.

    Raises:
        BBAError: it is none, less than `least`, or more than `most`, if there is a most.
    """
    try:
        number = index(given)  # type: ignore[arg-type]  # what is no number has none
    except TypeError:
        number = least - 1
    if number < least or (most is not None and number > most):
        allowed = f"{least} or more" if most is None else f"{least} to {most}"
        raise BBAError(f"{name}: {shortened(repr(given))} is not allowed; {allowed}")
    return number


LARGEST_SEED = 2**63 - 1  # what a column of whole numbers holds, in SQLite and Parquet


def seed_number(given: object) -> int:
    """Returns a seed that a caller in Python has given.

    Raises:
        BBAError: it is no whole number from 0 to 2^63 - 1.
    """
    return whole_number("seed", given, 0, LARGEST_SEED)


def seeds_from(first: int, count: int) -> range:
    """Returns so many seeds, from the first one on.

    Raises:
        BBAError: the last of them is no seed.
    """
    problem = problem_of_seeds(first, count)
    if problem:
        raise BBAError(problem)
    return range(first, first + count)


def problem_of_seeds(first: int, count: int) -> str:
    """Returns what is wrong with so many seeds from the first one on; "" where nothing is."""
    if first + count - 1 <= LARGEST_SEED:
        return ""
    return f"seeds: {count} from {first} on are not allowed; the largest is {LARGEST_SEED}"
