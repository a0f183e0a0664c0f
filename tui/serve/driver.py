"""The terminal driver of a visitor's process."""

import asyncio
import os
from collections.abc import Callable, Iterator
from functools import partial
from threading import Event
from typing import Any

from textual import events, messages
from textual.app import App
from textual.drivers._input_reader import InputReader
from textual.drivers.web_driver import WebDriver
from textual.message import Message

from bba.language import say
from tui.crash import FAILED
from tui.serve.session import ARE_YOU_THERE, WARNING, End, limit_of

WINDOW = {"resize": "size", "focus": "focus", "blur": "focus"}  # kinds of what is said of the window
MOST_WAITING = 64  # keys and messages that wait for the app before more is read
MOST_UNFINISHED = 100_000  # bytes of one key, one paste or one message
SHORT_SECONDS = 0.1  # seconds between two looks at whether the app has ended
WAIT_SECONDS = 1.0  # seconds after which more is read in any case: what would tell us may have gone with its screen


class BoundedReader(InputReader):
    """Reads what the server passes on until it is of no use.

    Args:
        note: hears how many bytes come; returns whether they are of use.
    """

    def __init__(self, note: Callable[[int], bool]) -> None:
        super().__init__()
        self._note = note

    def __iter__(self) -> Iterator[bytes]:
        for data in super().__iter__():
            if not self._note(len(data)):
                return
            yield data


class VisitorDriver(WebDriver):
    """Textual's web driver, but the app takes keys from the start, and ends with the server or when nobody is there."""

    _timers: tuple[asyncio.TimerHandle, ...] = ()  # for the warning and for the end, if nobody does anything
    _why: End | None = None
    _waiting = 0  # keys and messages since the app was last known to be done
    _unfinished = 0  # bytes since something that was complete

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._input_reader = BoundedReader(self._note_bytes)
        self._latest: dict[
            str, Callable[[], object]
        ] = {}  # what was said last of the window, if it is still to be told

    def start_application_mode(self) -> None:
        """Starts drawing and reading."""
        self._loop = asyncio.get_running_loop()
        super().start_application_mode()
        self._app.call_later(self._app.post_message, events.AppFocus())  # Textual starts without the focus
        self._limit = limit_of(os.environ)
        self._set_timers()

    def process_message(self, message: Message) -> None:
        """Begins to wait anew when the visitor does something, and passes it on."""
        self._note_complete()
        if isinstance(message, events.Resize | messages.InBandWindowResize):
            return  # a size comes from the server, which sees to it that it is none of a house
        if self._timers and isinstance(message, events.InputEvent | events.Paste):
            self._loop.call_soon_threadsafe(self._set_timers)
        super().process_message(message)

    def _note_complete(self) -> None:
        """Notes that something has come; what comes next is read once the app has done the most of it."""
        self._unfinished = 0
        self._catch_up()
        self._waiting += 1

    def _note_bytes(self, size: int) -> bool:
        self._unfinished += size
        return self._unfinished <= MOST_UNFINISHED

    def _catch_up(self) -> None:
        """Waits until the app has done what it was told, if that was much."""
        if self._waiting < MOST_WAITING:
            return
        self._waiting = 0
        done = Event()
        self.send_message(events.Callback(callback=partial(self._follow, done)))
        for _ in range(round(WAIT_SECONDS / SHORT_SECONDS)):
            if done.wait(SHORT_SECONDS) or self.exit_event.is_set():
                return

    def _follow(self, done: Event) -> None:
        """Goes the way of a key, from the app to the screen and to what has the focus, and says when it is there."""
        stack = self._app.screen_stack
        if not stack:
            done.set()
            return
        screen = stack[-1]
        screen.call_later(lambda: (screen.focused or screen).call_later(done.set))

    def on_meta(self, packet_type: str, payload: dict[str, object]) -> None:
        """Passes on what a form of the page says, too, which somebody has done; of size and focus, the latest."""
        self._note_complete()
        pass_on = partial(super().on_meta, packet_type, payload)
        if packet_type == "form" and hasattr(self._app, "fill_in"):
            self._loop.call_soon_threadsafe(self._set_timers)
            self._app.call_later(self._app.fill_in, payload)
        elif packet_type in WINDOW:
            self._loop.call_soon_threadsafe(self._keep_latest, WINDOW[packet_type], pass_on)
        else:
            pass_on()

    def _keep_latest(self, kind: str, pass_on: Callable[[], object]) -> None:
        """Passes on the latest of a kind, once the app has done the one before: each draws the whole screen anew."""
        waits = kind in self._latest
        self._latest[kind] = pass_on
        if not waits:
            self._app.call_later(self._pass_on, kind)

    def _pass_on(self, kind: str) -> None:
        pass_on = self._latest.pop(kind, None)
        if pass_on is not None:
            pass_on()

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
