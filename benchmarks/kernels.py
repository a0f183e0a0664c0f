"""What each kernel costs to compile, in CPU seconds: its own part, without the kernels that are compiled on its way.

`python -m benchmarks.kernels` compiles all kernels in this process, into an empty folder, and prints the dearest;
`--out FILE` writes all of them as a table (CSV).
"""

import argparse
import os
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from rich.console import Console

from bba.files import write_whole
from bba.tables import table_of
from bba.tables.terminal import in_a_box
from benchmarks.summaries import as_csv

DEAREST = 12  # kernels that are printed


class Costs:
    """CPU seconds and compilations of each function, as Numba tells of its compiler."""

    def __init__(self) -> None:
        self.seconds, self.compilations = defaultdict[str, float](float), Counter[str]()
        self._under_way: list[list[float]] = []  # when each compilation began, and what others took on its way

    def notify(self, event: Any) -> None:
        """Takes note that a compilation begins, or adds what the innermost one took to its function."""
        now = time.process_time()
        if event.is_start:
            self._under_way.append([now, 0.0])
            return
        began, others = self._under_way.pop()
        function = event.data["dispatcher"].py_func
        name = f"{function.__module__}.{function.__qualname__}"
        self.seconds[name] += now - began - others
        self.compilations[name] += 1
        if self._under_way:
            self._under_way[-1][1] += now - began


def measured() -> tuple[Costs, float]:
    """Compiles all kernels into an empty folder; returns what each took, and the CPU seconds of everything."""
    costs = Costs()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NUMBA_CACHE_DIR"] = folder  # read when Numba is imported
        from numba.core import event

        from bba.bench.warming import compile_all

        event.Listener.register(Costs)  # the base class that Numba asks for
        event.register("numba:compile", costs)
        began = time.process_time()
        for _ in compile_all():
            pass
        return costs, time.process_time() - began


def main() -> None:
    """Measures, prints and writes the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kernels", description=__doc__)
    parser.add_argument("--out", type=Path, help="a table (CSV) of every kernel, to be written")
    arguments = parser.parse_args()
    costs, total = measured()
    ordered = sorted(costs.seconds.items(), key=lambda one: -one[1])
    compilations = sum(costs.compilations.values())
    title = f"{len(ordered)} kernels, {compilations} compilations, {total:.0f} s of CPU"
    dearest = [(name, str(costs.compilations[name]), f"{seconds:.2f}") for name, seconds in ordered[:DEAREST]]
    Console().print(in_a_box(table_of(["kernel"], ["compilations", "CPU s"], rows=dearest, title=title)))
    if arguments.out is not None:
        rows = [
            {"kernel": name, "compilations": str(costs.compilations[name]), "cpu_seconds": f"{seconds:.2f}"}
            for name, seconds in ordered
        ]
        write_whole(arguments.out, as_csv(rows))


if __name__ == "__main__":
    main()
