"""How long a person waits for a command: the help, a first game without a screen, and results that are there."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.environment import used_before
from benchmarks.rows import OURS, Row

COMMAND = [sys.executable, "-c", "import sys; from tui.cli import main; sys.exit(main())"]
GAME = ["--headless", "--layout", "open", "--planner", "scripted"]
SWEEP = """
title = "Two games of fifty steps"
agents = ["bayes"]
layouts = ["open"]
seeds = 2
horizon = 50
[partners]
switching = ["switching"]
[table]
rows = ["group"]
measures = ["reward"]
"""


def rows(repeats: int) -> list[Row]:
    """Measures every command `repeats` times, in turn, after once to compile and to play the sweep."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sweep.toml")
        file.write_text(SWEEP, encoding="utf-8")
        sweep = ["--sweep", str(file), "--planner", "scripted", "--out", str(Path(folder, "results")), "--yes"]
        found = [
            Row("bba-tui --help", "{:.2f} s", aim=""),
            Row("a first game, --headless --planner scripted", "{:.2f} s", aim="1 s"),
            Row("a finished sweep shown", "{:.2f} s", aim="0.6 s"),
        ]
        commands = ["--help"], GAME, sweep
        for options in commands:
            _seconds(options)
        times = zip(*([_seconds(options) for options in commands] for _ in range(repeats)), strict=True)
    return [row.with_value(OURS, statistics.median(one)) for row, one in zip(found, times, strict=True)]


def _seconds(options: list[str]) -> float:
    """Returns the wall time of a command; NaN where it does not run."""
    began = time.perf_counter()
    done = subprocess.run([*COMMAND, *options], capture_output=True, check=False, env=used_before())
    return time.perf_counter() - began if done.returncode == 0 else float("nan")
