"""The terminal driver of a visitor's process."""

import asyncio

from textual import events, messages
from textual.drivers.web_driver import WebDriver


class VisitorDriver(WebDriver):
    """Textual's web driver, but the app takes keys from the start and ends when the server has gone."""

    def start_application_mode(self) -> None:
        """Starts drawing and reading."""
        self._loop = asyncio.get_running_loop()
        super().start_application_mode()
        self._app.call_later(self._app.post_message, events.AppFocus())  # Textual starts without the focus

    def run_input_thread(self) -> None:
        """Reads until the app ends or the server closes the connection."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._loop.call_soon_threadsafe(self._app.post_message, messages.ExitApp())
