"""The terminal driver of a visitor's process."""

import asyncio
import os

from textual import events, messages
from textual.drivers.web_driver import WebDriver
from textual.message import Message

from bba.language import say
from tui.crash import FAILED
from tui.serve.session import ARE_YOU_THERE, WARNING, End, limit_of


class VisitorDriver(WebDriver):
    """Textual's web driver, but the app takes keys from the start, and ends with the server or when nobody is there."""

    _timers: tuple[asyncio.TimerHandle, ...] = ()  # for the warning and for the end, if nobody does anything
    _why: End | None = None

    def start_application_mode(self) -> None:
        """Starts drawing and reading."""
        self._loop = asyncio.get_running_loop()
        super().start_application_mode()
        self._app.call_later(self._app.post_message, events.AppFocus())  # Textual starts without the focus
        self._limit = limit_of(os.environ)
        self._set_timers()

    def process_message(self, message: Message) -> None:
        """Begins to wait anew when the visitor does something, and passes it on."""
        if self._timers and isinstance(message, events.InputEvent | events.Paste):
            self._loop.call_soon_threadsafe(self._set_timers)
        super().process_message(message)

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Passes on what a form of the page says, too, which somebody has done."""
        if packet_type == "form" and hasattr(self._app, "fill_in"):
            self._loop.call_soon_threadsafe(self._set_timers)
            self._app.call_later(self._app.fill_in, payload)
        else:
            super().on_meta(packet_type, payload)

    def run_input_thread(self) -> None:
        """Reads until the app ends or the server closes the connection."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._loop.call_soon_threadsafe(self._leave)

    def _set_timers(self) -> None:
        for timer in self._timers:
            timer.cancel()
        self._timers = (
            self._loop.call_later(self._limit - min(WARNING, self._limit / 2), self._warn),
            self._loop.call_later(self._limit, self._leave, "idle"),
        )

    def _warn(self) -> None:
        self._app.call_later(  # in the task of the app, which has its language
            lambda: self._app.notify(say(ARE_YOU_THERE), severity="warning", timeout=WARNING)
        )

    def stop_application_mode(self) -> None:
        """Stops, and tells the server why."""
        self.exit_event.set()
        self._input_reader.close()
        self._end_as("fault" if self._app.return_code == FAILED else self._why)
        self.write_meta({"type": "exit", "why": getattr(self._app, "study_end", None) or self._why})

    def _leave(self, why: End | None = None) -> None:
        self._end_as(why)
        self._app.post_message(messages.ExitApp())

    def _end_as(self, why: End | None) -> None:
        """Notes why the visit ends, in a study for the participant's row; who was shown another ending has that one."""
        self._why = self._why or why
        if why is not None and getattr(self._app, "study_end", None) == "left-study":
            self._app.study_end = why  # type: ignore[attr-defined]  # it is the app of a study
