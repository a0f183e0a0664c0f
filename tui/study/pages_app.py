"""The base of the study's app: its pages, its log, and the ways out."""

import time
from collections.abc import Awaitable, Callable

from textual import events

from human.keymap import DEFAULT, Keymap
from tui.screens.dialogs import ConfirmDialog
from tui.study.activity import ActivityWatch
from tui.study.leaving import LeaveDialog, WayOut, withdraw_dialog
from tui.study.pages import QuietPage, StudyPage
from tui.study.words import StudyEnd
from tui.style.base_app import BaseApp

PAUSE = 2.0  # seconds without a key after a game, before any page takes one


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
        pause: float = PAUSE,
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
