"""How long a person waits for the command to answer."""

import statistics
import subprocess
import sys
import time

COMMAND = [sys.executable, "-c", "import sys; from tui.cli import main; sys.exit(main())", "--help"]


def seconds(repeats: int) -> float:
    """Wall time of `bba-tui --help`, the median of `repeats` runs; NaN where the command does not run."""
    return statistics.median(_once() for _ in range(repeats))


def _once() -> float:
    began = time.perf_counter()
    done = subprocess.run(COMMAND, capture_output=True, check=False)
    return time.perf_counter() - began if done.returncode == 0 else float("nan")
