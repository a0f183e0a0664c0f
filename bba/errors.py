"""The base class of all errors that are shown to users, and the hints of their messages: names near a wrong one.

A problem that does not stop the program is a warning, for `LOG`.
"""

import logging
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from difflib import SequenceMatcher
from operator import index
from types import MappingProxyType

LOG = logging.getLogger("bba")
FEW = 4  # so many names are all listed
NEAREST = 3  # of more names, so many are offered
NEAR = 0.65  # likeness from which a name is offered
NEAR_AT_ONCE = 0.75  # the same where the first letters differ
SYNONYM = 2.0  # likeness of another word for the same thing
SHORTEST_BEGINNING = 3  # two names that begin with so many equal letters are near
SHORTEST_PART = 4  # so are two names of which one holds the other, from so many letters on
LONGEST_LINE = 200  # characters that are quoted of what others have written

# What papers, gyms and other tools call a thing: the names that it may have here, as options or commands.
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("steps", "max-steps", "num-steps", "timesteps", "ticks", "episode-length"), ("horizon",)),
        **dict.fromkeys(("episodes", "num-episodes", "n-episodes", "games", "num-games", "trials"), ("seeds",)),
        **dict.fromkeys(("kitchen", "map", "level", "env", "environment", "room"), ("layout",)),
        **dict.fromkeys(("ego", "policy", "player", "algo"), ("agent",)),
        **dict.fromkeys(("other", "teammate", "ally", "human", "coplayer"), ("partner",)),
        **dict.fromkeys(("llm", "language-model"), ("model",)),
        **dict.fromkeys(("endpoint", "url", "api-base", "base"), ("base-url",)),
        **dict.fromkeys(("fps", "rate"), ("speed", "film-speed")),
        **dict.fromkeys(("output", "output-dir", "outdir", "save-dir", "folder"), ("out",)),
        "overwrite": ("force",),
        **dict.fromkeys(("jobs", "n-jobs", "processes", "threads", "cores", "num-workers"), ("workers",)),
        "format": ("json",),
        "save": ("record",),
        "theta": ("theta-obs",),
        "gamma": ("gamma-conf",),
        **dict.fromkeys(("run", "simulate", "rollout", "batch"), ("headless",)),
        **dict.fromkeys(("sweep", "benchmark", "evaluate", "eval", "experiment"), ("bench", "score")),
        **dict.fromkeys(("gui", "view", "show", "start", "demo"), ("watch",)),
        **dict.fromkeys(("film", "video", "gif", "movie", "render"), ("export",)),
        **dict.fromkeys(("edit", "editor", "draw", "create"), ("design",)),
        **dict.fromkeys(("open", "load"), ("replay",)),
        **dict.fromkeys(("compare", "versus", "vs"), ("duel",)),
        **dict.fromkeys(("agents", "partners", "planners", "layouts", "kitchens", "maps", "ls"), ("layouts", "list")),
        **dict.fromkeys(("tutorial", "teach", "lesson"), ("learn",)),
        **dict.fromkeys(("compile", "warmup"), ("warm",)),
        **dict.fromkeys(("test", "quiz", "probe"), ("exam",)),
        **dict.fromkeys(("host", "web", "browser"), ("serve",)),
    }
)


def say_aside(text: str) -> None:
    """Writes a text to standard error at once, beside what a command is for; nothing where that is closed or full."""
    if sys.stderr is not None:
        with suppress(OSError, ValueError):
            sys.stderr.write(text)
            sys.stderr.flush()


class BBAError(Exception):
    """An error in the user's input: the message is one line that says what, where and what is allowed."""


def shortened(text: object) -> str:
    """Returns a text of others as one line, cut where it is long."""
    line = " ".join(str(text).split())
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"


def instead(name: str, names: Collection[str], hint: str = "") -> str:
    """Returns the hint of a message about an unknown name: the names near it, else all names or where they are listed.

    Args:
        name: the unknown name.
        names: the names there are.
        hint: the answer where there are many names and none of them is near; "" for none.
    """
    near = nearest(name, names)
    verb = "is" if len(near) == 1 else "are"
    offer = f"the nearest {verb} {', '.join(near)}"
    everything = f"there are {', '.join(names)}"
    if len(names) <= FEW:
        return f"{offer}; {everything}" if near else everything
    if near:
        return offer
    if hint:
        return hint
    if len(everything) <= LONGEST_LINE:
        return everything
    return f"none of {len(names)} is near"


def nearest(name: str, names: Collection[str]) -> list[str]:
    """Returns at most three of these names that are near another one: its synonyms, then those spelt most like it.

    Upper and lower case, dashes and underscores are the same. A name that is not spelt like any other has none near.
    """
    normalised_name = _normalised(name)
    likeness = {candidate: _likeness(normalised_name, _normalised(candidate)) for candidate in names}
    near = [candidate for candidate, value in likeness.items() if value >= NEAR]
    near.sort(key=lambda candidate: likeness[candidate], reverse=True)
    return near[:NEAREST]


def _normalised(name: str) -> str:
    return name.casefold().replace("_", "-").strip("-")


def _likeness(name: str, candidate: str) -> float:
    """Returns how near a candidate is to a name: 0 (nothing in common) to 1 (equal); more for a synonym."""
    if candidate in SYNONYMS.get(name, ()):
        return SYNONYM
    ratio = SequenceMatcher(None, candidate, name).ratio()
    shorter, longer = sorted((name, candidate), key=len)
    begins_alike = len(shorter) >= SHORTEST_BEGINNING and longer.startswith(shorter)
    is_part = len(shorter) >= SHORTEST_PART and shorter in longer
    same_parts = sorted(name.split("-")) == sorted(candidate.split("-"))
    if begins_alike or is_part or same_parts:
        return max(ratio, NEAR)
    if name[:1] == candidate[:1] or ratio >= NEAR_AT_ONCE:
        return ratio
    return 0.0


def whole_number(name: str, value: object, least: int = 1, most: int | None = None) -> int:
    """Returns a whole number that a caller in Python passes, of NumPy's too.

    Args:
        name: the name of the argument, for messages.
        value: what the caller passes.
        least: the smallest number that is allowed.
        most: the largest one; None for no limit.

    Raises:
        BBAError: the value is no whole number, or out of range.
    """
    try:
        number = index(value)  # type: ignore[arg-type]  # what is no number has none
    except TypeError:
        number = least - 1
    if number < least or (most is not None and number > most):
        allowed = f"{least} or more" if most is None else f"{least} to {most}"
        raise BBAError(f"{name}: {shortened(repr(value))} is not allowed; {allowed}")
    return number


LARGEST_SEED = 2**63 - 1  # of a column of whole numbers, in SQLite and Parquet


def seed_number(value: object) -> int:
    """Returns a seed that a caller in Python passes.

    Raises:
        BBAError: it is no whole number from 0 to 2^63 - 1.
    """
    return whole_number("seed", value, 0, LARGEST_SEED)


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
    """Returns the problem of so many seeds from the first one on; "" for none."""
    if first + count - 1 <= LARGEST_SEED:
        return ""
    return f"seeds: {count} from {first} on are not allowed; the largest is {LARGEST_SEED}"
