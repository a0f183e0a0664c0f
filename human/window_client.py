"""The window's client: starts the process of a window, sends it states to show, and receives what was pressed."""

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

from bba.agents import Controls
from bba.errors import BBAError
from bba.kitchen import Layout, StateVector
from bba.processes import in_thread
from human.keymap import PLAY_KEYS

OPEN_TIMEOUT = 20.0  # seconds
ALTERNATIVE = "play in the terminal with --play"
WINDOW_COMMANDS = {entry.action for entry in PLAY_KEYS}


class WindowClient:
    """A window in a process of its own. Held keys go directly to the players' controls.

    Args:
        layout: the kitchen.
        controls: the controls of each person, by seat.
        keymap: the keys of every action, by the action's name.

    Raises:
        BBAError: no window can be opened; the message says why and what to do instead.
    """

    def __init__(self, layout: Layout, controls: Mapping[int, Controls], keymap: Mapping[str, tuple[str, ...]]) -> None:
        self._controls = controls
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the window
        self._process = subprocess.Popen(
            [sys.executable, "-m", "human.window"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            bufsize=1,
            start_new_session=True,  # Ctrl+C in the terminal must not end the window
        )
        assert self._process.stdin is not None and self._process.stdout is not None  # noqa: PT018 - pipes, as asked for
        self._in = self._process.stdin
        self._out = self._process.stdout
        request = {
            "layout": layout.model_dump(mode="json", by_alias=True),
            "people": sorted(controls),
            "keymap": {name: list(keys) for name, keys in keymap.items()},
            "title": f"bba-tui: {layout.name}",
        }
        self._send(open=request)
        problem = self._wait_until_open()
        if problem is not None:
            self.close()
            raise BBAError(f"--play window: {problem}; {ALTERNATIVE}")

    def listen(
        self,
        press: Callable[[int, int], object],
        act: Callable[[str], object],
        ended: Callable[[bool], object],
    ) -> None:
        """Passes on what the window says, in another thread.

        Args:
            press: takes a seat and a primitive action.
            act: takes a command.
            ended: takes at the end whether the user closed the window.
        """
        threading.Thread(target=self._listen, args=(press, act, ended), daemon=True).start()

    def show(self, state: StateVector, lines: Iterable[str]) -> None:
        """Shows a state, and below it the lines of text."""
        self._send(state=state.tolist(), lines=[*lines])

    def close(self) -> None:
        """Closes the window, if it is still open."""
        with suppress(OSError):
            self._in.close()
        self._process.terminate()
        self._process.wait(timeout=5)
        self._log.close()

    def _send(self, **message: Any) -> None:
        with suppress(OSError, ValueError):  # the window has ended, or was closed
            self._in.write(json.dumps(message) + "\n")

    def _wait_until_open(self) -> str | None:
        try:
            answer = in_thread(self._out.readline).result(OPEN_TIMEOUT)
        except TimeoutError:
            return f"the window has not opened within {OPEN_TIMEOUT:g} s"
        if not answer:
            self._process.wait(timeout=5)
            self._log.seek(0)
            log = self._log.read().decode(errors="replace").strip().splitlines()
            reason = log[-1] if log else f"exit code {self._process.returncode}"
            return f"the window ended at once ({reason})"
        problem = json.loads(answer).get("problem")
        return None if problem is None else str(problem)

    def _listen(
        self,
        press: Callable[[int, int], object],
        act: Callable[[str], object],
        ended: Callable[[bool], object],
    ) -> None:
        by_hand = False
        for line in self._out:
            match json.loads(line):
                case {"press": [seat, action]}:
                    press(seat, action)
                case {"hold": [seat, action]}:
                    self._controls[seat].hold(action)
                case {"closed": _}:
                    by_hand = True
                case {"do": action} if action in WINDOW_COMMANDS:
                    act(action)
        ended(by_hand)
