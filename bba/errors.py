"""The base class of all errors that are shown to users, and what they say in the place of a wrong name or number.

What goes on in spite of a problem is a warning, for `LOG`.
"""

import logging
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from difflib import SequenceMatcher
from operator import index
from types import MappingProxyType

LOG = logging.getLogger("bba")
# so many names are all listed; of more, the nearest
FEW = 4
NEAREST = 3
# likeness from which a name is offered; and where the first letters differ
NEAR = 0.65
NEAR_AT_ONCE = 0.75
SYNONYM = 2.0  # likeness of another word for the same thing
# letters that two names share at the start, or anywhere, and are near
SHORTEST_BEGINNING = 3
SHORTEST_PART = 4
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
    """Returns what others have written as one line, cut where it is long."""
    line = " ".join(str(text).split())
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]}…"


def instead(name: str, known: Collection[str], see: str = "") -> str:
    """Returns what there is instead of an unknown name: what is near it, else all names or where they are listed.

    Args:
        name: the unknown name.
        known: the names there are.
        see: what to say where many names are known and none of them is near.
    """
    near = nearest(name, known)
    offer = f"the nearest {'is' if len(near) == 1 else 'are'} {', '.join(near)}"
    everything = f"there are {', '.join(known)}"
    if len(known) <= FEW:
        return f"{offer}; {everything}" if near else everything
    if near:
        return offer
    if see:
        return see
    if len(everything) <= LONGEST_LINE:
        return everything
    return f"none of {len(known)} is near"


def nearest(name: str, known: Collection[str]) -> list[str]:
    """Returns at most three names that are near another: what the field calls it here, then those spelt most like it.

    Upper and lower case, dashes and underscores are the same. A name that is not spelt like any other has none near.
    """
    wanted = _plain(name)
    likeness = {option: _likeness(wanted, _plain(option)) for option in known}
    near = [option for option, value in likeness.items() if value >= NEAR]
    return sorted(near, key=lambda option: -likeness[option])[:NEAREST]


def _plain(name: str) -> str:
    return name.casefold().replace("_", "-").strip("-")


def _likeness(wanted: str, option: str) -> float:
    """Returns how near a name is to the wanted one: 0 (nothing in common) to 1 (equal); more for a synonym."""
    if option in SYNONYMS.get(wanted, ()):
        return SYNONYM
    ratio = SequenceMatcher(None, option, wanted).ratio()
    shorter, longer = sorted((wanted, option), key=len)
    begins = len(shorter) >= SHORTEST_BEGINNING and longer.startswith(shorter)
    inside = len(shorter) >= SHORTEST_PART and shorter in longer
    if begins or inside or sorted(wanted.split("-")) == sorted(option.split("-")):
        return max(ratio, NEAR)
    return ratio if wanted[:1] == option[:1] or ratio >= NEAR_AT_ONCE else 0.0


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
