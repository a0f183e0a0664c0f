"""Scripts of the shell in examples/, run with this checkout's commands on their path."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from platformdirs import user_cache_path

ROOT = Path(__file__).parents[2]
PROGRAMS = {
    "bba-tui": f'exec "{sys.executable}" -m tui.cli "$@"',
    "python": f'exec "{sys.executable}" "$@"',
}


def run_in(folder: Path, command: Sequence[str | Path], **variables: str) -> str:
    """Runs a command in a folder, with `bba-tui` and `python` of this test; returns what it printed.

    Raises:
        AssertionError: its exit status is not 0; the message holds what it printed.
    """
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    for name, line in PROGRAMS.items():
        program = programs / name
        program.write_text(f"#!/bin/sh\n{line}\n")
        program.chmod(0o755)
    environment = os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "NUMBA_CACHE_DIR": os.environ.get("NUMBA_CACHE_DIR", str(user_cache_path("bba-tui"))),  # compiled already
    }
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment | variables,
        check=False,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
