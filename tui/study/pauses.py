"""Notes the pauses of a game: when it stood still, at which step, and why."""

from collections.abc import Callable
from datetime import UTC, datetime

from human.study.progress import Pause, PauseReason


class PauseWatch:
    """Turns what is seen from time to time into pauses.

    Args:
        keep: receives each pause once it has ended.
        now: returns the time.
    """

    def __init__(
        self, keep: Callable[[Pause], object], now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._keep, self._now = keep, now
        self._open: tuple[int, datetime, PauseReason] | None = None

    def see(self, step: int, why: PauseReason | None) -> None:
        """Notes that the game stands still after `step` steps for this reason, or that it does not (None)."""
        before = self._open[2] if self._open else None
        if why == before:
            return
        self.end()
        self._open = None if why is None else (step, self._now(), why)

    def end(self) -> None:
        """Ends the pause that is under way, if there is one."""
        if self._open is not None:
            (step, started, why), self._open = self._open, None
            self._keep(Pause(step=step, started=started, ended=self._now(), why=why))
