"""The base of the study's app: its pages, its log, and the ways out.

Notes in the participant's log what happens to the window: keys of games, focus and size.

The ways out of a study: to leave and go on another time, or to withdraw, which deletes everything.
"""

import time
from collections.abc import Awaitable, Callable
from typing import ClassVar, Literal

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from bba.errors import BBAError
from human.keymap import DEFAULT, Keymap
from human.study.activity_log import Activity, ActivityLog
from tui.screens.dialogs import ConfirmDialog
from tui.study.game import StudyGame
from tui.study.pages import QuietPage, StudyEnd, StudyPage
from tui.style.base_app import BaseApp
from tui.style.base_screen import Layer


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


LEAVE = """Leave here? What you have done is saved. The same code goes on from here another time.

You can also withdraw from the study: then everything about you is deleted."""
WITHDRAW = "Delete all your games and answers? This cannot be undone."

WayOut = Literal["stay", "leave", "withdraw"]


class LeaveDialog(Layer[WayOut]):
    """Asks whether to leave, to withdraw or to stay; escape stays."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('stay')", "stay")]
    AUTO_FOCUS = "#stay"

    def compose(self) -> ComposeResult:
        with Vertical(id="question"):
            yield Static(LEAVE, markup=False)
            yield Horizontal(
                Button("Leave", id="leave", variant="warning"),
                Button("Withdraw", id="withdraw", variant="error"),
                Button("Stay", id="stay", variant="success"),
                id="buttons",
            )

    @on(Button.Pressed)
    def answer(self, event: Button.Pressed) -> None:
        ways: dict[str | None, WayOut] = {"leave": "leave", "withdraw": "withdraw"}
        self.dismiss(ways.get(event.button.id, "stay"))


def withdraw_dialog() -> ConfirmDialog:
    """Returns the question whether everything about a participant is to be deleted."""
    return ConfirmDialog(WITHDRAW, yes="Delete my data", no="Keep them")


DEAF_SECONDS = 2.0  # seconds without a key after a game, before any page takes one


class StudyPagesApp(BaseApp):
    """Shows pages of a study one after the other.

    Args:
        theme: "dark", "light" or "contrast".
        keymap: the keys of every action.
        motion: whether things may slide, flicker and flash.
        pause: seconds without a key after a game, before the next page takes one.
        now: returns the time in seconds.
    """

    def __init__(
        self,
        *,
        theme: str = "dark",
        keymap: Keymap = DEFAULT,
        motion: bool = True,
        pause: float = DEAF_SECONDS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(theme=theme, keymap=keymap, motion=motion)
        self.study_end: StudyEnd = "left-study"
        self._pause, self._now, self._last_key = pause, now, now()
        self._activity = ActivityWatch(self)

    async def on_event(self, event: events.Event) -> None:
        """Notes when a key was pressed, wherever it goes, and what belongs into the log."""
        if isinstance(event, events.Key):
            self._last_key = self._now()
        self._activity.see(event)
        await super().on_event(event)

    def action_leave_study(self) -> None:
        """Asks whether to leave; a game stands still meanwhile."""
        if not isinstance(self.screen, ConfirmDialog | LeaveDialog):
            self.push_screen(LeaveDialog(), self._leave)

    def _leave(self, way: WayOut | None) -> None:
        if way == "leave":
            self.exit()
        elif way == "withdraw":
            self.push_screen(withdraw_dialog(), self._withdraw)

    def _withdraw(self, sure: bool | None) -> None:
        """Ends the session; once everything is saved and unlocked it is deleted."""
        if sure:
            self.study_end = "withdrawn"
            self.exit()

    def _quiet_page(self, title: str, text: str, *, yes: str, no: str | None = None) -> Awaitable[bool]:
        """Shows a page after a game, whose buttons wait until the keys of the game rest."""
        self._last_key = self._now()
        page = QuietPage(title, text, yes=yes, no=no, quiet_for=self._quiet_for, pause=self._pause)
        return self.push_screen_wait(page)

    def _quiet_for(self) -> float:
        return self._now() - self._last_key

    def _page(self, title: str, text: str, *, yes: str, no: str | None = None) -> Awaitable[bool]:
        return self.push_screen_wait(StudyPage(title, text, yes=yes, no=no))
