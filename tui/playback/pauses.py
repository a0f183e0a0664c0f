"""Where watching pauses: at which events of the timeline, and which of them comes first."""

from collections.abc import Collection, Iterator

from bba.analysis.timeline import REPLANS, TRUTHS, TimelineData, TimelineMark
from bba.errors import BBAError, instead

PAUSE_MARKS = (TimelineMark.REPLAN, TimelineMark.CONTRADICTION, TimelineMark.SWITCH)


def parse_pauses(text: str) -> frozenset[TimelineMark]:
    """Returns the events of a list such as "replan,switch".

    Raises:
        BBAError: another name.
    """
    names = [name.strip() for name in text.split(",")]
    marks = {mark.value: mark for mark in PAUSE_MARKS}
    for name in names:
        if name not in marks:
            raise BBAError(f"--pause-on: {name!r}: no such event; {instead(name, list(marks))}")
    return frozenset(marks[name] for name in names)


def first_event(
    data: TimelineData, kinds: Collection[TimelineMark], after: int, until: int, *, truth: bool
) -> tuple[int, TimelineMark] | None:
    """Returns the first event after a step, up to another one, and its step; None if there is none.

    Args:
        data: the game's timeline.
        kinds: the kinds of events that are looked for, of `PAUSE_MARKS`.
        after, until: the steps.
        truth: whether the partner's true role is shown; if not, nothing is found where that changes.
    """
    events: list[tuple[int, TimelineMark]] = []
    for mark in PAUSE_MARKS:
        if mark in kinds and (truth or mark not in TRUTHS):
            events += [(step, mark) for step in _steps(data, mark) if after < step <= until]
    return min(events, key=lambda event: event[0], default=None)


def _steps(data: TimelineData, mark: TimelineMark) -> Iterator[int]:
    """Yields the steps of an event: of a switch, where it is known; of contradictions in a row, the first.

    Those of replans are those that changed the plan and those that kept it.
    """
    if mark is TimelineMark.SWITCH:
        yield from (switch.known + 1 for switch in data.switches)
    elif mark is TimelineMark.CONTRADICTION:
        previous = 0
        for step in data.marks[mark]:
            if step != previous + 1:
                yield step
            previous = step
    elif mark is TimelineMark.REPLAN:
        for kind in REPLANS:
            yield from data.marks[kind]
    else:
        yield from data.marks[mark]
