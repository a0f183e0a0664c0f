"""Which step of a game is shown, how fast the game is played, and the events at which watching pauses by itself."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from bba.analysis.timeline import TRUTHS, TimelineData, TimelineMark
from bba.errors import BBAError, instead

SPEEDS = (1.0, 2.0, 5.0, 10.0, 20.0, 50.0)  # steps a second
FRAMES_A_SECOND = 25.0  # pictures a second at most: faster games play several steps a picture


@dataclass(slots=True)
class Playhead:
    """A position in a game that may grow.

    Attributes:
        follows: whether reaching the newest step means to stay with the newest step from then on (a game that is being
            played). In a recording the newest step is only the last one computed so far, so the position stays there.
        at: the step that is shown; None for the newest one.
    """

    follows: bool
    at: int | None = None

    def step(self, newest: int) -> int:
        """Returns the step that is shown of a game of `newest` steps."""
        return newest if self.at is None else min(self.at, newest)

    def seek(self, step: int, newest: int) -> None:
        """Moves to a step; values outside the game are clipped to its ends."""
        self.at = None if self.follows and step >= newest else max(0, min(step, newest))

    def rewind(self) -> None:
        """Moves to where a game begins: its newest step, or the start of a recording."""
        self.at = None if self.follows else 0


@dataclass(slots=True)
class Clock:
    """A speed in steps a second: any number at first, then those of `SPEEDS`."""

    speed: float

    def change(self, *, faster: bool) -> None:
        """Takes the next speed up or down, if there is one."""
        higher = min((speed for speed in SPEEDS if speed > self.speed), default=self.speed)
        lower = max((speed for speed in SPEEDS if speed < self.speed), default=self.speed)
        self.speed = higher if faster else lower

    @property
    def interval(self) -> float:
        """Seconds between two pictures."""
        return 1.0 / min(self.speed, FRAMES_A_SECOND)

    @property
    def steps(self) -> int:
        """Steps in one interval."""
        return max(1, round(self.speed * self.interval))

    @property
    def slide(self) -> float:
        """Seconds for which a cook is drawn half way between two tiles; 0 at speeds too high to see it."""
        return self.interval / 2 if self.speed <= 10.0 else 0.0


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
    marks = (mark for mark in PAUSE_MARKS if mark in kinds and (truth or mark not in TRUTHS))
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
