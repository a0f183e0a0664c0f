"""Notes in the participant's log what happens to the window: keys of games, focus and size."""

from textual import events
from textual.app import App

from bba.errors import BBAError
from human.study.activity_log import Activity, ActivityLog
from tui.study.game import StudyGame


class ActivityWatch:
    """Turns events of the app into lines of the participant's log, once there is one.

    Args:
        app: the app.
    """

    def __init__(self, app: App[None]) -> None:
        self._app = app
        self._log: ActivityLog | None = None
        self._seen: events.Event | None = None

    def begin(self, log: ActivityLog) -> None:
        """Begins to note.

        Raises:
            BBAError: the log cannot be written.
        """
        self._log = log
        log.note("joined", detail=_cells(self._app.size))

    def end(self) -> None:
        """Notes that the participant has left, or is done."""
        self._note("left")
        self._log = None

    def see(self, event: events.Event) -> None:
        """Notes an event, if it is one to note, once: a key that no widget takes comes back to the app."""
        if event is self._seen:
            return
        self._seen = event
        match event:
            case events.Key() if isinstance(screen := self._app.screen, StudyGame):
                screen.note_key(event.key)
            case events.AppBlur():
                self._note("blur")
            case events.AppFocus():
                self._note("focus")
            case events.Resize():
                self._note("size", _cells(event.size))

    def _note(self, what: Activity, detail: str | None = None) -> None:
        """Notes an event, in the game that is under way if there is one."""
        if self._log is None:
            return
        games = [screen for screen in self._app.screen_stack if isinstance(screen, StudyGame)]
        try:
            if games:
                games[0].note(what, detail)
            else:
                self._log.note(what, detail=detail)
        except BBAError as error:
            self._app.notify(str(error), severity="error", timeout=30, markup=False)


def _cells(size: tuple[int, int]) -> str:
    columns, rows = size
    return f"{columns}x{rows}"
