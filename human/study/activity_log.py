"""A participant's activity log: keys and steps with wall-clock times, pauses, focus, sizes; one JSON object a line.

Lines are only ever added, and each is with the operating system before the next step, so that a killed program loses
none. What a participant types on pages with questions is not in it.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationError

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
