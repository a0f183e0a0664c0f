"""A session: a game with people in it, their controls, and its recording on disk.

Where it is played in a window, the client of the window starts its process, sends it states to show, and receives what
was pressed.
"""

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from bba.agents import HUMAN, Controls
from bba.errors import BBAError
from bba.files import free_path, os_errors, read_bytes
from bba.kitchen import Layout, StateVector
from bba.play import Game, GameConfig, Replay, Tick, Trace, beside, load, record, save, save_new
from bba.play.recording_file import unpack, with_usage
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


SAVE_EVERY = 50  # steps; a killed program loses at most these
KEPT_STEPS = 100  # of a game that is watched: ten seconds at the usual speed; shorter ones are glances
MOST_BYTES = 50 * 2**20  # that such games take
MOST_WATCHED = 20  # such games that are kept; they may be many, and each can be played again from its options


class Session:
    """A game with people in it, played step by step, with an up-to-date recording.

    Args:
        game: the game, before its first step.
        controls: the controls of each person, by seat.
        path: the recording's file; None for a new one in the platform's data folder.
        window: the window, if there is one.
        replaces: whether the recording replaces a file that is at `path`; if not, and another program has written one
            there since, it goes to a free name beside it, which is `path` from then on.

    Raises:
        BBAError: the data folder cannot be made.
    """

    def __init__(
        self,
        game: Game,
        controls: Mapping[int, Controls],
        path: Path | None = None,
        window: WindowClient | None = None,
        *,
        replaces: bool = True,
    ) -> None:
        self.game = game
        self.controls = controls
        self.path = path or new_recording_path(game.trace.config)
        self.window = window
        self._given_up = False
        self._saved = 0  # the steps that it has written
        self._owns_file = replaces and path is not None

    @property
    def trace(self) -> Trace:
        """The trace so far."""
        return self.game.trace

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people, in ascending order."""
        return tuple(sorted(self.controls))

    @property
    def over(self) -> bool:
        """Whether the game has ended: at its horizon, or given up."""
        return self._given_up or self.game.done

    def resume(self) -> int:
        """Plays the recording that is at `path`, if there is one; returns the number of its steps.

        Raises:
            BBAError: the recording cannot be read, or its game had other settings or other rules.
        """
        if not self.path.exists():
            return 0
        past = Replay(load(self.path), str(self.path)).run()
        if past.config != self.trace.config:
            raise BBAError(f"{self.path}: was played with other settings than these; the game cannot go on with them")
        for tick in past.ticks:
            self.game.replay_step(tick)
        return len(past.ticks)

    def step(self) -> Tick:
        """Plays one step with the people's last actions, and saves the game from time to time.

        Raises:
            BBAError: an agent cannot go on, or the recording cannot be written.
        """
        tick = self.game.step()
        if tick.step % SAVE_EVERY == 0 or self.game.done:
            self.save()
        return tick

    def give_up(self) -> None:
        """Ends the game now."""
        self._given_up = True

    def close(self) -> None:
        """Closes the window and saves the game.

        Raises:
            BBAError: the file cannot be written.
        """
        if self.window is not None:
            self.window.close()
        self.save()

    def save(self) -> None:
        """Writes the game so far, unless it is in the file: that may have a note, or another name, since then.

        Raises:
            BBAError: the file cannot be written.
        """
        if len(self.trace.ticks) == self._saved:
            return
        if self._owns_file:
            save(record(self.trace), self.path)
        else:
            self.path = save_new(record(self.trace), self.path)
            self._owns_file = True
        self._saved = len(self.trace.ticks)


def recordings_folder() -> Path:
    """Returns the folder of the recordings of games with people: that of the platform for data."""
    return user_data_path("bba-tui") / "games"


def watched_folder() -> Path:
    """Returns the folder of the games that were watched, beside that of the games with people."""
    return recordings_folder().with_name("watched")


class Forerunner:
    """The recording that a game goes on from.

    Args:
        path: its file.

    Raises:
        BBAError: the file cannot be read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._content = read_bytes(path)
        self.recording = with_usage(unpack(self._content, str(path)), self._content, path)

    @property
    def path(self) -> Path | None:
        """Its file; None where that is gone, or somebody has changed it meanwhile."""
        try:
            return self._path if read_bytes(self._path) == self._content else None
        except BBAError:
            return None

    def holds(self, trace: Trace) -> bool:
        """Whether nothing has come to the game since then: no step, no bookmark."""
        return len(trace.ticks) <= self.recording.steps and trace.notes == dict(self.recording.notes)

    def replaced(self) -> None:
        """Takes what is in the file now for the forerunner: the game was written there, and goes on."""
        self._content = read_bytes(self._path)
        self.recording = unpack(self._content, str(self._path))


def keep_watched(trace: Trace, other: Trace | None = None, continues: Forerunner | None = None) -> Path:
    """Writes a game that was watched to a file and returns its path; deletes the oldest where they are too many.

    Args:
        trace: the game.
        other: the other game of a duel.
        continues: the recording that it goes on from, in whose place it is written; None for a new file.

    Raises:
        BBAError: the file cannot be written; then the forerunner is as it was.
    """
    forerunner = None if continues is None else continues.path
    if continues is None or forerunner is None:
        path = save_new(record(trace, other), new_recording_path(trace.config, watched_folder()))
    else:
        path = forerunner
        save(record(trace, other), path)
        continues.replaced()
    with suppress(OSError):
        _delete_oldest_watched()
    return path


def _delete_oldest_watched() -> None:
    """Deletes watched games, the oldest first, until those that are kept are neither too many nor too large."""
    recordings = sorted(watched_folder().glob("*.bba"), key=lambda recording: recording.stat().st_mtime_ns)
    while len(recordings) > MOST_WATCHED or (len(recordings) > 1 and _bytes_of(recordings) > MOST_BYTES):
        oldest = recordings.pop(0)
        oldest.unlink(missing_ok=True)
        beside(oldest).unlink(missing_ok=True)  # what its answers cost


def _bytes_of(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files)


def new_recording_path(config: GameConfig, folder: Path | None = None) -> Path:
    """Returns the path of a new file in a folder, by default `recordings_folder`, named after the time and the game.

    Raises:
        BBAError: the folder cannot be made.
    """
    folder = folder or recordings_folder()
    with os_errors(f"{folder} cannot be made", "; name a file with --record"):
        folder.mkdir(parents=True, exist_ok=True)
    agents = "-".join(agent for agent in config.agents if agent != HUMAN) or HUMAN
    stem = f"{datetime.now():%Y%m%d-%H%M%S}-{config.layout.name}-{agents}-{config.seed}"
    return free_path(folder / f"{stem}.bba")
