"""A participant's activity log: keys and steps with wall-clock times, pauses, focus, sizes; one JSON object a line.

Lines are only ever added, and each is with the operating system before the next step, so that a killed program loses
none. What a participant types on pages with questions is not in it.

What a participant's activity log says: the keys with the steps that they decided, and the time of each step.

The keys and steps of one game in the activity log, and which key decided which step.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

from bba.agents import Controls
from bba.agents.human import TimedInput
from bba.errors import BBAError
from bba.files import read_bytes
from bba.limits import StepsOrNone
from human.study.model import StudyModel

# joined, left: a session with the program; game, over: a game begins or resumes, ends or is left; step, key: in a game;
# paused, resumed: it stands still, goes on; blur, focus: the window loses the keyboard, has it; size: of the terminal.
Activity = Literal["joined", "left", "game", "over", "step", "key", "paused", "resumed", "blur", "focus", "size"]


class LogLine(StudyModel):
    """One line of the log.

    Attributes:
        at: when.
        what: what happened.
        game: the game, from 1 in the order of play; 0 for the tutorial; None outside of games.
        step: the steps played so far; of a step, its own number.
        key: the key.
        number: of a key, its number since the game began or resumed; of a step, that of the key that decided it.
        detail: of a pause, why; of a size, columns x rows; of a game's end, whether it was given up.
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
        self._path, self._now = path, now

    def note(self, what: Activity, **about: int | str | None) -> None:
        """Adds a line; `about` are the remaining fields of a `LogLine`.

        Raises:
            BBAError: it cannot be written.
        """
        line = LogLine.model_validate({"at": self._now(), "what": what, **about})
        try:
            self._path.parent.mkdir(exist_ok=True)
            with self._path.open("ab") as file:
                torn = "\n" if file.tell() and not self._ends_whole() else ""
                file.write(f"{torn}{line.model_dump_json(exclude_none=True)}\n".encode())
        except OSError as error:
            raise BBAError(f"{self._path}: cannot be written: {error.strerror or error}") from None

    def _ends_whole(self) -> bool:
        """Whether the last line is whole; after a power cut it may not be."""
        with self._path.open("rb") as file:
            file.seek(-1, 2)
            return file.read(1) == b"\n"


def read_log(path: Path) -> tuple[list[LogLine], int]:
    """Returns the lines of a log, and the number of those that cannot be read; none if there is no log.

    Raises:
        BBAError: the file cannot be read.
    """
    if not path.exists():
        return [], 0
    found = list(_lines(read_bytes(path)))
    lines = [line for line in found if line is not None]
    return lines, len(found) - len(lines)


def _lines(data: bytes) -> Iterator[LogLine | None]:
    for text in data.splitlines():
        try:
            yield LogLine.model_validate_json(text)
        except ValidationError:
            yield None


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

    def undo_after(self, step: int) -> None:
        """Marks the key if what it led to is lost where the game resumes after `step` steps."""
        self.undone |= self.step >= step if self.decided is None else self.decided > step


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
        """Returns what these lines say."""
        record, numbered = cls(), dict[int, KeyPress]()
        for line in lines:
            match line.what:
                case "key" if line.game is not None and line.number is not None:
                    press = KeyPress(line.at, line.game, line.step or 0, line.key or "")
                    numbered[line.number] = press
                    record.keys.append(press)
                case "step" if line.game is not None and line.step is not None:
                    record._play(line.game, line.step, line.at, numbered.get(line.number or 0))
                case "game" if line.game is not None:
                    record._resume(line.game, line.step or 0)
                    numbered.clear()
                    record.events.append(line)
                case _:
                    record.events.append(line)
        return record

    def _play(self, game: int, step: int, at: datetime, press: KeyPress | None) -> None:
        self.times.setdefault(game, {})[step] = at
        if press is not None:
            press.decided, press.seconds = step, (at - press.at).total_seconds()

    def _resume(self, game: int, step: int) -> None:
        """Takes back what came after this step, which was not saved."""
        self.times[game] = {number: at for number, at in self.times.get(game, {}).items() if number <= step}
        for press in self.keys:
            if press.game == game:
                press.undo_after(step)


class GameLog:
    """Notes what happens in a game, from its beginning or from where it resumes.

    Args:
        log: the participant's log.
        game: the game, from 1 in the order of play; 0 for the tutorial.
        step: the steps that were played before.
    """

    def __init__(self, log: ActivityLog, game: int, step: int = 0) -> None:
        self._log, self._game, self._step = log, game, step
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

    def asked(self, given: TimedInput) -> None:
        """Notes that the last key asked for this input."""
        self._key_of[given] = self._keys

    def taken(self, given: TimedInput) -> None:
        """Notes that the next step follows this input."""
        self._decided_by = self._key_of.pop(given, None)

    def step(self, step: int) -> None:
        """Notes that a step was played."""
        self._step, number, self._decided_by = step, self._decided_by, None
        self._log.note("step", game=self._game, step=step, number=number or None)


class LoggedControls(Controls):
    """Controls whose keys and steps a log connects.

    Attributes:
        log: the log; None while there is none.
    """

    log: GameLog | None = None

    def _wait(self, timed: TimedInput) -> None:
        super()._wait(timed)
        if self.log is not None:
            self.log.asked(timed)

    def _pop(self) -> TimedInput:
        taken = super()._pop()
        if self.log is not None:
            self.log.taken(taken)
        return taken
