"""Notes the pauses of a game: when it stood still, at which step, and why."""

from collections.abc import Callable
from datetime import UTC, datetime

from human.study.activity_log import Activity
from human.study.progress import Pause, PauseReason


class PauseWatch:
    """Turns what is seen from time to time into pauses.

    Args:
        keep: receives each pause once it has ended.
        note: is told when a pause begins, and why, and when it ends.
        now: returns the time.
    """

    def __init__(
        self,
        keep: Callable[[Pause], object],
        note: Callable[[Activity, str | None], object] = lambda *_: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._keep, self._note, self._now = keep, note, now
        self._open: tuple[int, datetime, PauseReason] | None = None

    def see(self, step: int, why: PauseReason | None) -> None:
        """Notes that the game stands still after `step` steps for this reason, or that it does not (None)."""
        before = self._open[2] if self._open else None
        if why == before:
            return
        self.end()
        if why is not None:
            self._open = step, self._now(), why
            self._note("paused", why)

    def end(self) -> None:
        """Ends the pause that is under way, if there is one."""
        if self._open is not None:
            (step, started, why), self._open = self._open, None
            self._note("resumed", None)
            self._keep(Pause(step=step, started=started, ended=self._now(), why=why))
