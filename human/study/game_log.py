"""The keys and steps of one game in the activity log, and which key decided which step."""

from bba.agents import Controls
from bba.agents.human import TimedInput
from human.study.activity_log import Activity, ActivityLog


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
