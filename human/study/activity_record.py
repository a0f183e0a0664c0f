"""What a participant's activity log says: the keys with the steps that they decided, and the time of each step."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from human.study.activity_log import LogLine


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
