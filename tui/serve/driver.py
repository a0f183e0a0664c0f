"""The screen of a visitor's process."""

import asyncio

from textual import events, messages
from textual.drivers.web_driver import WebDriver


class VisitorDriver(WebDriver):
    """Textual's own, but the app takes keys from the start, and ends when the server has gone."""

    def start_application_mode(self) -> None:
        """Begin to draw and to read."""
        self._loop = asyncio.get_running_loop()
        super().start_application_mode()
        self._app.call_later(self._app.post_message, events.AppFocus())  # Textual begins without the focus

    def run_input_thread(self) -> None:
        """Read until the app ends, or until nobody is there to write."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._loop.call_soon_threadsafe(self._app.post_message, messages.ExitApp())
