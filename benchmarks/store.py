"""`python -m benchmarks.store`: a sweep of a million episodes, planned, stored, taken up again, shown and reported.

The episodes are those of `table1` with as many seeds as give that number. A few of them are played; their results,
whose measures and switches are real, stand for all. CPU seconds and peak memory are those of a process for each stage.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path

from rich.console import Console

from bba.agents import SeatSpec
from bba.bench.episode import EpisodeResult, play
from bba.bench.plan import SweepPlan, plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import RESULTS_FILE, ResultsStore, episode_row
from bba.bench.tables import table_blocks
from bba.report.page import write_report
from bba.tables import TableRow, table_of
from bba.tables.terminal import in_a_box

PLAYED = 24  # episodes whose results stand for those of all
BATCH = 10_000  # episodes in a transaction: a runner takes one for each, which waits for the disk


def planned(seeds: int) -> SweepPlan:
    """Returns the plan of `table1` with so many seeds."""
    return plan_sweep(load_sweep("table1").changed({"seeds": seeds}), SeatSpec())


def results() -> list[EpisodeResult]:
    """Returns what a few episodes of one seed gave, spread over agents, partners and kitchens."""
    episodes = list(planned(1).episodes.values())
    return [play(episode, SeatSpec()) for episode in episodes[:: max(1, len(episodes) // PLAYED)]]


def fill(folder: Path, seeds: int, share: float) -> None:
    """Stores results for a share of the episodes, from the first on; those that are there are passed over."""
    plan, given = planned(seeds), results()
    with ResultsStore(folder) as store:
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        finished = store.finished()
        missing = [key for key in plan.episodes if key not in finished][: round(len(plan.episodes) * share)]
        for start in range(0, len(missing), BATCH):
            store.take_over(lambda: rows(plan, missing[start : start + BATCH], given))  # noqa: B023 - called at once


def rows(plan: SweepPlan, keys: list[str], given: list[EpisodeResult]) -> Iterator[dict[str, object]]:
    """Yields the rows of these episodes, with the results that are given, in turn."""
    for key, result in zip(keys, cycle(given), strict=False):
        yield episode_row(plan.episodes[key], result)


def resume(folder: Path, seeds: int) -> None:
    """Finds out that nothing is left to play, as the same command does when it is given again."""
    plan = planned(seeds)
    with ResultsStore(folder) as store:
        assert store.remove_damaged() == 0
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        assert not plan.episodes.keys() - store.finished()
        table_blocks(plan.sweep, plan.entries, store.results(plan.episodes))


def show(folder: Path, _: int) -> None:
    """Reads the folder and makes the tables of its sweep."""
    (run,) = load_results(folder).sweeps
    assert len(run.results) == len(run.entries)
    table_blocks(run.sweep, run.entries, run.results)


STAGES: dict[str, Callable[[Path, int], object]] = {
    "planned": lambda _, seeds: planned(seeds),
    "filled to one half": lambda folder, seeds: fill(folder, seeds, 0.5),
    "filled": lambda folder, seeds: fill(folder, seeds, 1.0),
    "taken up again, finished": resume,
    "read and its tables made": show,
    "report written": lambda folder, _: write_report(folder, folder / "page.html"),
}


def measured(stage: str, folder: Path, seeds: int) -> dict[str, float]:
    """Returns CPU seconds and peak memory in MB of a stage, in a process of its own, without its imports."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.store", "--stage", stage, "--seeds", str(seeds), str(folder)],
        check=True,
        capture_output=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Measure every stage and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store", description=__doc__)
    parser.add_argument("--seeds", type=int, default=4630, help="216 episodes each; 4630 are a million")
    parser.add_argument("--stage", help=argparse.SUPPRESS)
    parser.add_argument("folder", type=Path, nargs="?", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.stage:
        began = time.process_time()
        STAGES[arguments.stage](arguments.folder, arguments.seeds)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sys.stdout.write(json.dumps({"seconds": time.process_time() - began, "peak": peak}) + "\n")
        return
    with tempfile.TemporaryDirectory() as name:
        folder, count = Path(name), len(planned(1).episodes) * arguments.seeds
        rows: list[TableRow] = []
        for stage in STAGES:
            seconds, peak = measured(stage, folder, arguments.seeds).values()
            time_texts = [f"{seconds:.1f}", f"{1e6 * seconds / count:.1f}"]
            rows.append([stage, *time_texts, f"{peak:,.0f}", f"{peak / count * 1e3:.2f}"])
        size = (folder / RESULTS_FILE).stat().st_size
        headings = ("CPU s", "µs an episode", "peak MB", "kB an episode")
        console = Console(width=110)
        console.print(in_a_box(table_of(["what"], headings, rows=rows, title=f"{count:,} episodes of table1")))
        console.print(f"on the disk {size / count:,.0f} bytes an episode")


if __name__ == "__main__":
    main()
