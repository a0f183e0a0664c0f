"""A participant's activity log: keys and steps with wall-clock times, pauses, focus, sizes; one JSON object a line.

Lines are only ever added, and each is with the operating system before the next step, so that a killed program loses
none. What a participant types on pages with questions is not in it. An `ActivityRecord` is what a log says: the keys
with the steps that they decided, and the time of each step.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from bba.agents.human import Controls, TimedInput
from bba.config import StepsOrNone
from bba.files import mode_within, os_errors
from human.study.model import StudyModel

# joined, left: a session with the program; game, over: a game begins or resumes, ends or is left; step, key: in a game;
# paused, resumed: it stands still, goes on; page: a page of the study's own is shown; blur, focus: the window loses
# the keyboard, has it; size: of the terminal.
Activity = Literal[
    "joined", "left", "readmitted", "game", "over", "step", "key", "paused", "resumed", "page", "blur", "focus", "size"
]

# Lines of what a person can do very often. A step makes room for some, and so does a second; of more, none is written,
# and of keys the numbers say how many are missing.
FREQUENT = frozenset({"key", "blur", "focus", "size"})
ROOM = 500.0  # lines without a step
ROOM_OF_STEP = 20.0
ROOM_OF_SECOND = 1.0


class LogLine(StudyModel):
    """One line of the log.

    Attributes:
        at: when.
        what: what happened.
        game: the game, from 1 in the order of play; 0 for the tutorial; None outside of games.
        step: the steps played so far; of a step, its own number.
        key: the key.
        number: of a key, its number since the game began or resumed; of a step, that of the key that decided it.
        detail: of a pause, why; of a page, its name; of a size, and of who joins, columns x rows, or plain; of a game's
            end, whether it was given up; of who left for good, the ending.
    """

    at: datetime
    what: Activity
    game: Annotated[int, Field(ge=0)] | None = None
    step: StepsOrNone | None = None
    key: Annotated[str, Field(max_length=40)] | None = None
    number: Annotated[int, Field(ge=1)] | None = None
    detail: Annotated[str, Field(max_length=100)] | None = None


class ActivityLog:
    """Adds lines to a participant's log.

    Args:
        path: the file; it is made with the first line.
        now: returns the time.
    """

    def __init__(self, path: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._path = path
        self._now = now
        self._room = ROOM
        self._last = now()

    def note(self, what: Activity, **fields: int | str | None) -> None:
        """Adds a line, unless there are far more of its kind than a person makes.

        Args:
            what: what happened.
            fields: the remaining fields of a `LogLine`.

        Raises:
            BBAError: it cannot be written.
        """
        line = LogLine.model_validate({"at": self._now(), "what": what, **fields})
        if not self._has_room(line):
            return
        with os_errors(f"{self._path}: cannot be written"):
            folder = self._path.parent
            folder.mkdir(mode_within(folder.parent, 0o777), exist_ok=True)
            open_with_mode = partial(os.open, mode=mode_within(folder, 0o666))
            with open(self._path, "a+b", opener=open_with_mode) as file:
                file.seek(-1 if file.tell() else 0, os.SEEK_END)
                torn = file.read(1) not in (b"\n", b"")  # after a power cut the last line may lack its end
                content = line.model_dump_json(exclude_none=True).encode() + b"\n"
                file.write(b"\n" + content if torn else content)

    def _has_room(self, line: LogLine) -> bool:
        passed = max(0.0, (line.at - self._last).total_seconds())  # a clock may be set back
        room_of_step = ROOM_OF_STEP if line.what == "step" else 0.0
        self._last = line.at
        self._room = min(ROOM, self._room + passed * ROOM_OF_SECOND + room_of_step)
        if line.what not in FREQUENT:
            return True
        if self._room < 1:
            return False
        self._room -= 1
        return True


def read_log(path: Path, tail: int | None = None) -> tuple[list[LogLine], int]:
    """Returns the lines of a log, and the number of those that cannot be read; none if there is no log.

    Args:
        path: the file.
        tail: how many bytes to read, of its last lines; None for the whole log.

    Raises:
        BBAError: the file cannot be read.
    """
    lines: list[LogLine] = []
    if not path.exists():
        return lines, 0
    with os_errors(f"{path}: cannot be read"), path.open("rb") as file:
        start = 0
        if tail is not None:
            size = file.seek(0, os.SEEK_END)
            start = max(0, size - tail)
        file.seek(start)
        texts = file.read().splitlines()
        if start > 0:
            del texts[:1]  # the rest of a line
    for text in texts:
        with suppress(ValidationError):
            lines.append(LogLine.model_validate_json(text))
    return lines, len(texts) - len(lines)


@dataclass
class KeyPress:
    """A key in a game.

    Attributes:
        at: when it was pressed.
        game: the game, from 1 in the order of play; 0 for the tutorial.
        step: the steps played before it.
        key: its name.
        decided: the step that it decided; None if none.
        seconds: from the key to that step; None if there is none.
        undone: whether the game was resumed from an earlier step, so that it does not hold this.
    """

    at: datetime
    game: int
    step: int
    key: str
    decided: int | None = None
    seconds: float | None = None
    undone: bool = False


@dataclass
class ActivityRecord:
    """What a log holds.

    Attributes:
        keys: all keys in games, in order.
        times: for each game, when each step was played; of a step that was played twice, the time that counts.
        events: all other lines.
    """

    keys: list[KeyPress] = field(default_factory=list)
    times: dict[int, dict[int, datetime]] = field(default_factory=dict)
    events: list[LogLine] = field(default_factory=list)

    @classmethod
    def of(cls, lines: Iterable[LogLine]) -> "ActivityRecord":
        """Returns the record that these lines make."""
        record = cls()
        presses = dict[int, KeyPress]()  # by their numbers since the game began or resumed
        for line in lines:
            match line.what:
                case "key" if line.game is not None and line.number is not None:
                    press = KeyPress(line.at, line.game, line.step or 0, line.key or "")
                    presses[line.number] = press
                    record.keys.append(press)
                case "step" if line.game is not None and line.step is not None:
                    times = record.times.setdefault(line.game, {})
                    times[line.step] = line.at
                    decider = presses.get(line.number or 0)
                    if decider is not None:
                        decider.decided = line.step
                        decider.seconds = (line.at - decider.at).total_seconds()
                case "game" if line.game is not None:
                    record._resume(line.game, line.step or 0)
                    presses.clear()
                    record.events.append(line)
                case _:
                    record.events.append(line)
        return record

    def _resume(self, game: int, saved: int) -> None:
        """Takes in that a game began or resumed after `saved` steps: what came after them was lost."""
        times = self.times.get(game, {})
        self.times[game] = {step: at for step, at in times.items() if step <= saved}
        for press in self.keys:
            if press.game != game:
                continue
            if press.decided is None:
                lost = press.step >= saved
            else:
                lost = press.decided > saved
            if lost:
                press.undone = True


class GameLog:
    """Notes what happens in a game, from its beginning or from where it resumes.

    Args:
        log: the participant's log.
        game: the game, from 1 in the order of play; 0 for the tutorial.
        step: the steps that were played before.
    """

    def __init__(self, log: ActivityLog, game: int, step: int = 0) -> None:
        self._log = log
        self._game = game
        self._step = step
        self._keys = 0
        self._decided_by: int | None = None
        self._key_of: dict[TimedInput, int] = {}
        self.note("game")

    def note(self, what: Activity, detail: str | None = None) -> None:
        """Notes what happens between two steps."""
        self._log.note(what, game=self._game, step=self._step, detail=detail)

    def key(self, name: str) -> None:
        """Notes a key; what it asks for, if anything, follows before the next one."""
        self._keys += 1
        self._log.note("key", game=self._game, step=self._step, key=name[:40], number=self._keys)

    def queued(self, timed: TimedInput) -> None:
        """Notes that the last key asked for this input."""
        self._key_of[timed] = self._keys

    def played(self, timed: TimedInput) -> None:
        """Notes that the next step follows this input."""
        self._decided_by = self._key_of.pop(timed, None)

    def step(self, step: int) -> None:
        """Notes that a step was played."""
        number = self._decided_by or None
        self._step = step
        self._decided_by = None
        self._log.note("step", game=self._game, step=step, number=number)


class LoggedControls(Controls):
    """Controls whose keys and steps a log connects.

    Attributes:
        log: the log; None while there is none.
    """

    log: GameLog | None = None

    def _wait(self, timed: TimedInput) -> None:
        super()._wait(timed)
        if self.log is not None:
            self.log.queued(timed)

    def _pop(self) -> TimedInput:
        timed = super()._pop()
        if self.log is not None:
            self.log.played(timed)
        return timed
