"""The game's end of the window: starts it, shows it states, and passes on what is pressed there."""

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from typing import IO, Any

from bba.agents import Controls
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.kitchen.state import StateVector
from human.keymap import PLAY_KEYS

PATIENCE = 20.0  # seconds for the window to open
INSTEAD = "play in the terminal with --play"
KNOWN = {entry.action for entry in PLAY_KEYS}


class WindowClient:
    """A window on a game. Keys that are held go straight to the controls of those who play.

    Args:
        layout: the kitchen.
        controls: what each person speaks to, by seat.
        keymap: the keys of every action, by its name.

    Raises:
        BBAError: no window can be opened; the message says why and what to do instead.
    """

    def __init__(self, layout: Layout, controls: Mapping[int, Controls], keymap: Mapping[str, tuple[str, ...]]) -> None:
        self._controls = controls
        self.gone = threading.Event()
        self.closed_by_hand = False
        self._press: Callable[[int, int], object] = _nobody
        self._act: Callable[[str], object] = _nobody
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - it is there for as long as the window
        self._process = subprocess.Popen(
            [sys.executable, "-m", "human.window"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
            bufsize=1,
            start_new_session=True,  # Ctrl+C in the terminal is the terminal's
        )
        self._tell(
            open={
                "layout": layout.model_dump(mode="json", by_alias=True),
                "people": sorted(controls),
                "keymap": {name: list(keys) for name, keys in keymap.items()},
                "title": f"bba-tui: {layout.name}",
            }
        )
        problem = self._first_word()
        if problem is not None:
            self.close()
            raise BBAError(f"--play window: {problem}; {INSTEAD}")
        threading.Thread(target=self._listen, daemon=True).start()

    def listen(self, press: Callable[[int, int], object], act: Callable[[str], object]) -> None:
        """Say who hears of what is pressed (seat, action) and what else is asked for; both in a thread of its own."""
        self._press, self._act = press, act

    def show(self, state: StateVector, status: str) -> None:
        """Show a state with a line of text below it."""
        self._tell(state=state.tolist(), status=status)

    def close(self) -> None:
        """Close the window, if it is still there."""
        self._tell(close=True)
        self._process.terminate()
        self._process.wait(timeout=5)
        self._log.close()

    def _tell(self, **message: Any) -> None:
        try:
            _pipe(self._process.stdin).write(json.dumps(message) + "\n")
        except OSError:
            self.gone.set()

    def _first_word(self) -> str | None:
        """Wait until the window stands; the reason why it does not, or None."""
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.append(_pipe(self._process.stdout).readline()), daemon=True)
        reader.start()
        reader.join(PATIENCE)
        if not said:
            return f"the window has not opened within {PATIENCE:g} s"
        if not said[0]:
            return f"the window ended at once ({self._last_words()})"
        problem = json.loads(said[0]).get("problem")
        return None if problem is None else str(problem)

    def _last_words(self) -> str:
        self._process.wait(timeout=5)
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else f"exit code {self._process.returncode}"

    def _listen(self) -> None:
        for line in _pipe(self._process.stdout):
            self._take(json.loads(line))
        self.gone.set()

    def _take(self, message: Mapping[str, Any]) -> None:
        if "press" in message:
            seat, action = message["press"]
            self._press(seat, action)
        elif "hold" in message:
            seat, action = message["hold"]
            self._controls[seat].hold(action)
        elif "closed" in message:
            self.closed_by_hand = True
        elif message.get("do") in KNOWN:
            self._act(str(message["do"]))


def _pipe(stream: IO[str] | None) -> IO[str]:
    if stream is None:
        raise RuntimeError("the window was started without pipes")
    return stream


def _nobody(*_: object) -> None:
    """Hears what is pressed before anybody listens."""
