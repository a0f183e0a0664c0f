"""The events at which watching pauses by itself."""

from collections.abc import Iterable, Iterator

from bba.analysis.timeline import TRUTHS, TimelineData, TimelineMark
from bba.errors import BBAError, instead

PAUSE_MARKS = (TimelineMark.REPLAN, TimelineMark.CONTRADICTION, TimelineMark.SWITCH)


def parse_pauses(text: str) -> frozenset[TimelineMark]:
    """Returns the events of a list such as "replan,switch".

    Raises:
        BBAError: another name.
    """
    names = [name.strip() for name in text.split(",")]
    known = {mark.value: mark for mark in PAUSE_MARKS}
    for name in names:
        if name not in known:
            raise BBAError(f"--pause-on: {name!r}: no such event; {instead(name, list(known))}")
    return frozenset(known[name] for name in names)


class EventPauses:
    """The kinds of events at which watching pauses.

    Args:
        marks: those of `PAUSE_MARKS` that count at first.
    """

    def __init__(self, marks: Iterable[TimelineMark] = ()) -> None:
        self.marks = frozenset(marks)

    def toggle(self, mark: TimelineMark) -> None:
        """Turns the pauses at one kind of event on or off."""
        self.marks ^= {mark}

    def first(self, data: TimelineData, after: int, until: int, *, truth: bool) -> tuple[int, TimelineMark] | None:
        """Returns the first event after a step, up to another one, and its step; None if there is none.

        Args:
            data: the game's timeline.
            after, until: the steps.
            truth: whether the partner's true role is shown; if not, nothing pauses where that changes.
        """
        marks = (mark for mark in PAUSE_MARKS if mark in self.marks and (truth or mark not in TRUTHS))
        found = ((step, mark) for mark in marks for step in _steps(data, mark) if after < step <= until)
        return min(found, key=lambda event: event[0], default=None)


def _steps(data: TimelineData, mark: TimelineMark) -> Iterator[int]:
    """Yields the steps of an event: of a switch, where it is known; of contradictions in a row, the first."""
    if mark is TimelineMark.SWITCH:
        yield from (switch.known + 1 for switch in data.switches)
    elif mark is TimelineMark.CONTRADICTION:
        steps = data.marks[mark]
        yield from (step for before, step in zip([0, *steps], steps, strict=False) if step != before + 1)
    else:
        yield from data.marks[mark]
