"""The driver of a terminal: it never waits for one that takes nothing, and stops and goes on with the shell's job.

Textual's own waits for ever where nobody reads, deaf to every signal; it starts anew at each SIGCONT, with one more
thread that takes keys, whether it was stopped or not; and it stops in the handler of a signal, in the middle of
whatever was under way. Here signals only have the event loop do something, between two things that it does.
"""

import os
import queue
import select
import signal
import sys
import termios
import threading
import tty
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, TextIO

from textual.drivers._writer_thread import WriterThread
from textual.drivers.linux_driver import LinuxDriver

from tui.streams import terminal_is_gone
from tui.style.terminal import FRAME_BEGIN, HARMLESS, TerminalCells

MOST_WAITING = 30  # texts that wait for the terminal until pictures are left out
CHUNK = 4096  # bytes that are written at a time
GIVES_UP = 2.0  # seconds at the end of the program in which the terminal takes nothing
LOOK = 0.1  # seconds between two looks whether it does


class TerminalWriter(threading.Thread):
    """Writes to a terminal in the background.

    It writes without Python's files, whose locks a thread that never ends would hold at the end of the program.

    Args:
        file: the terminal.
        lost: is called, in the thread, when the terminal is gone.
        written: is called, in the thread, when all is written.

    Attributes:
        bytes_written: the bytes that were written.
    """

    def __init__(self, file: TextIO, lost: Callable[[], object], written: Callable[[], object]) -> None:
        super().__init__(daemon=True, name="textual-output")
        self._descriptor = file.fileno()
        self._encoding = file.encoding
        self._errors = file.errors or "replace"
        self._lost = lost
        self._written = written
        self._texts: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self.bytes_written = 0

    @property
    def waiting(self) -> int:
        """The number of texts that wait."""
        return self._texts.qsize()

    def write(self, text: str) -> None:
        """Has a text written; does not wait."""
        if self.is_alive():
            self._texts.put(text)

    def flush(self) -> None:
        """Does nothing: everything is written as soon as possible."""

    def run(self) -> None:
        """Writes until there is nothing more, or nobody who takes it."""
        try:
            while (text := self._texts.get()) is not None:
                self._write(text.encode(self._encoding, self._errors))
                if self._texts.empty():
                    self._written()
        except OSError:
            self._lost()

    def _write(self, data: bytes) -> None:
        while data:
            try:
                count = os.write(self._descriptor, data[:CHUNK])
            except BlockingIOError:  # another program has changed the terminal so that nobody waits for it
                select.select([], [self._descriptor], [], LOOK)
            else:
                self.bytes_written += count
                data = data[count:]

    def stop(self) -> None:
        """Waits until all is written, or the terminal has taken nothing for a while."""
        self._texts.put(None)
        idle = 0.0
        written_at_last_look = self.bytes_written
        while self.is_alive() and idle < GIVES_UP:
            self.join(LOOK)
            idle = idle + LOOK if self.bytes_written == written_at_last_look else 0.0
            written_at_last_look = self.bytes_written


class TerminalDriver(LinuxDriver):
    """Draws on a terminal, and takes its keys."""

    cells: ClassVar[TerminalCells]  # what the terminal shows

    def __init__(self, *arguments: Any, **options: Any) -> None:
        # whether the screen is there; whether a picture of it was left out
        self._draws = False
        self._left_out = False
        self._writer: TerminalWriter | None = None
        super().__init__(*arguments, **options)

    @property
    def _writer_thread(self) -> Any:  # Textual's attribute
        return self._writer

    @_writer_thread.setter
    def _writer_thread(self, thread: WriterThread | None) -> None:
        """Takes a writer of this module in the place of the one that Textual makes."""
        assert sys.__stderr__ is not None, "on which Textual draws"
        self._writer = None if thread is None else TerminalWriter(sys.__stderr__, self._lose, self._catch_up)

    @property
    def deaf(self) -> bool:
        """Whether the terminal takes nothing, so that whoever writes to it waits for ever."""
        return self._writer is not None and self._writer.is_alive() and not self._draws

    def write(self, data: str) -> None:
        """Has the cells written that change; a terminal that takes nothing gets the newest picture once it does."""
        assert self._writer is not None, "the screen is drawn before there is one"
        picture = FRAME_BEGIN.match(data) or HARMLESS.fullmatch(data)
        if picture and self._writer.waiting >= MOST_WAITING:
            self._left_out = True
        elif not terminal_is_gone():
            super().write(self.cells.changed(data))

    def _lose(self) -> None:
        self._in_loop(self._end)

    def _end(self) -> None:
        self._app.end_by(signal.SIGHUP)  # type: ignore[attr-defined]  # the app is one of this project

    def _catch_up(self) -> None:
        if self._left_out:
            self._left_out = False
            self._in_loop(self._draw)

    def _draw(self) -> None:
        if self._draws:
            self._app.refresh(layout=True)

    def _in_loop(self, do: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(do)

    # --- the screen comes and goes -----------------------------------------------------------------------------
    def start_application_mode(self) -> None:
        """Takes the terminal over."""
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self.cells.forget()
        self._draws = True
        signal.signal(signal.SIGTSTP, self._sigtstp_application)
        signal.signal(signal.SIGCONT, self._sigcont_application)

    def stop_application_mode(self) -> None:
        """Leaves the terminal as it was before."""
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.signal(signal.SIGCONT, signal.SIG_DFL)
        super().stop_application_mode()
        self._draws = False

    def _run_input_thread(self) -> None:
        """Takes keys until the screen goes; an error there ends the app as any other does."""
        try:
            self.run_input_thread()
        except OSError:  # the terminal is gone
            self._lose()
        except Exception as error:  # noqa: BLE001 - as all that nobody catches
            self._in_loop(partial(self._app._handle_exception, error))

    # --- the shell stops the job and continues it --------------------------------------------------------------
    def _sigtstp_application(self, *_: object) -> None:
        self._in_loop(self.suspend)

    def _sigcont_application(self, *_: object) -> None:
        self._in_loop(self._go_on)

    def suspend(self) -> bool:
        """Gives the terminal back and stops with the shell's job, until that goes on in the foreground.

        Returns:
            Whether it was stopped: where no shell could continue it, the system does not stop it.
        """
        if not self._draws:
            return False
        continued = []
        self.suspend_application_mode()
        signal.signal(signal.SIGCONT, lambda *_: continued.append(True))
        os.killpg(os.getpgrp(), signal.SIGTSTP)  # as the terminal does it: whoever has started this program stops, too
        self._wait_for_the_foreground()
        self.resume_application_mode()
        self._app.refresh(layout=True)
        return bool(continued)

    def _go_on(self) -> None:
        """Draws anew after somebody has continued the process, who may have stopped it without a word.

        A program that was not stopped is continued, too, by schedulers and debuggers, and with the end of its terminal.
        """
        if not self._draws or terminal_is_gone():
            return
        self._wait_for_the_foreground()
        with suppress(termios.error):
            modes = termios.tcgetattr(self.fileno)  # the shell has changed them meanwhile
            modes[tty.LFLAG] = self._patch_lflag(modes[tty.LFLAG])
            modes[tty.IFLAG] = self._patch_iflag(modes[tty.IFLAG])
            modes[tty.CC][termios.VMIN] = 1
            termios.tcsetattr(self.fileno, termios.TCSANOW, modes)
        self.write("\x1b[?1049h\x1b[?25l\x1b[?1004h")  # the screen for programs, no cursor, and a word of the focus
        self._enable_mouse_support()
        self._enable_bracketed_paste()
        self._disable_line_wrap()
        self.cells.forget()
        self._app.refresh(layout=True)

    def _wait_for_the_foreground(self) -> None:
        """Stops for as long as the shell has the job in the background."""
        with suppress(OSError):  # it is not the terminal of a shell
            while os.tcgetpgrp(self.fileno) != os.getpgrp():
                os.kill(os.getpid(), signal.SIGSTOP)


def terminal_driver(cells: TerminalCells) -> type[TerminalDriver]:
    """Returns the driver of a terminal that shows these cells."""
    return type("TerminalDriver", (TerminalDriver,), {"cells": cells})
