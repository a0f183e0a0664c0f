"""Overcooked-AI, the yardstick, in a virtual environment of its own: it needs a NumPy older than ours."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import platformdirs

from benchmarks.timing import Subject

VERSION = "1.1.0"
# Its own requirements leave these open or out; without them it does not import.
REQUIREMENTS = (f"overcooked-ai=={VERSION}", "numpy<2", "scipy")
STEPS = 8_000

# Plays random joint actions for as many steps as each line of stdin says, then answers with a line.
PLAYER = """
import random, sys
from overcooked_ai_py.mdp.actions import Action
from overcooked_ai_py.mdp.overcooked_env import OvercookedEnv
from overcooked_ai_py.mdp.overcooked_mdp import OvercookedGridworld

env = OvercookedEnv.from_mdp(OvercookedGridworld.from_layout_name("cramped_room"), horizon=400, info_level=0)
pairs = [(first, second) for first in Action.ALL_ACTIONS for second in Action.ALL_ACTIONS]
draw = random.Random(0).choice
print("ready", flush=True)
for line in sys.stdin:
    left = int(line)
    while left > 0:
        env.reset()
        over = False
        while not over and left > 0:
            over = env.step(draw(pairs))[2]
            left -= 1
    print("done", flush=True)
"""


class Unavailable(Exception):
    """The yardstick cannot be installed or run here; the message says why, in one line."""


class Reference:
    """A running Overcooked-AI that plays on request. Use as a context manager.

    Raises:
        Unavailable: it cannot be installed (no network, no fitting Python) or does not start.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [_python(), "-c", PLAYER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"SDL_VIDEODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
        )
        self._wait_for("ready")

    def __enter__(self) -> "Reference":
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def subject(self) -> Subject:
        """Random primitives in its `cramped_room`."""
        return Subject(f"overcooked-ai {VERSION}, random primitives", "as it comes", self._play)

    def _play(self) -> int:
        assert self._process.stdin
        self._process.stdin.write(f"{STEPS}\n")
        self._process.stdin.flush()
        self._wait_for("done")
        return STEPS

    def _wait_for(self, word: str) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            if line.strip() == word:
                return
        raise Unavailable(f"overcooked-ai {VERSION} does not run (exit status {self._process.wait()})")


def _python() -> str:
    """The interpreter of the yardstick's environment, which is made on first use."""
    folder = platformdirs.user_cache_path("bba-tui") / f"overcooked-ai-{VERSION}-py{sys.version_info.minor}"
    if not (folder / "complete").exists():
        _install(folder)
    return str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def _install(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    try:
        venv.create(folder, with_pip=True)
        python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *REQUIREMENTS],
            check=True,
            capture_output=True,
            text=True,
        )
    except subprocess.CalledProcessError as error:
        lines = (error.stderr or str(error)).strip().splitlines()
        raise Unavailable(f"overcooked-ai {VERSION} cannot be installed: {lines[-1]}") from None
    except OSError as error:
        raise Unavailable(f"overcooked-ai {VERSION} cannot be installed: {error}") from None
    (folder / "complete").touch()
