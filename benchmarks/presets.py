"""`python -m benchmarks.presets [RESULTS]`: the preprint's tables with planners that need no language model.

With folders of results of the presets it writes their summaries, `presets.csv` in `docs/results/data`, and says so if
the games behind them were played by other code than this. A family of partners, a planner or a reading is one folder,
whose name stands in the rows; rows of other folders stay. `benchmarks.findings` compares agents.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bba.bench.episode import TableEntry
from bba.bench.preprint_values import FIRST_MODEL, paper_values
from bba.bench.presets import load_sweep
from bba.bench.results_reader import Results, load_results
from bba.bench.statistics import over_seeds
from benchmarks.summaries import Row, parse_arguments, played_by, read_rows, update_table, warn_of_other_code

PRESETS = {  # their measures
    "table1": ("reward",),
    "mechanism": (
        "skill_accuracy",
        "belief_accuracy",
        "belief_calibration",
        "gap_rate",
        "comp_at_3",
        "duplicate_rate",
        "contradiction_recovery",
    ),
    "paired": ("reward", "gap_rate", "comp_at_3", "duplicate_rate"),
    "rq2": ("reward",),
    "ablation": ("reward",),
    "triggers": ("reward", "replans"),
    "sensitivity": ("reward", "replans", "gap_rate"),
    "crossplay": ("reward",),
    "switch": ("reward", "replans", "reached_30", "needless_replans", "recovery", "duplicate_rate"),
}
CELL = ("folder", "sweep", "measure", "layout", "group", "variant", "agent", "planner")  # what a row is known by


class Score(NamedTuple):
    """A measure of one stored game, and where the game stands in the tables."""

    sweep: str
    measure: str
    entry: TableEntry
    value: float


def main() -> None:
    """Writes the summaries."""
    arguments = parse_arguments("presets", __doc__)
    data = arguments.out / "data"
    if arguments.results:
        for folder in arguments.results:
            stored = [load_results(folder)]
            rows = [{"folder": folder.name} | row for row in summaries(stored_scores(stored))]
            update_table(data / "presets.csv", CELL, rows, played_by(stored))
    warn_of_other_code(data, read_rows(data / "presets.csv"), "the presets")


def stored_scores(stored: Iterable[Results]) -> Iterator[Score]:
    """Yields the measures of all games that stand in the tables of a preset, each once."""
    seen = set()
    for results in stored:
        for sweep in results.sweeps:
            if sweep.sweep.name not in PRESETS or any(entry.key not in sweep.results for entry in sweep.entries):
                sys.stderr.write(f"{sweep.sweep.name}: left out, not one of the presets or not played to its end\n")
                continue
            for entry in sweep.entries:
                found = sweep.results[entry.key]
                if (sweep.sweep.name, entry) in seen:
                    continue
                seen.add((sweep.sweep.name, entry))
                for measure in PRESETS[sweep.sweep.name]:
                    if (value := (found.measures or {}).get(measure)) is not None:
                        yield Score(sweep.sweep.name, measure, entry, value)


def summaries(scores: Iterable[Score]) -> Iterator[Row]:
    """Yields mean and standard deviation over seeds for each cell, with the preprint's mean where it has one."""
    theirs = {
        (v.table, v.measure, v.agent, v.layout, v.group, v.variant): v
        for v in paper_values().values()
        if v.model in (None, FIRST_MODEL)
    }
    cells: dict[tuple[str, ...], list[tuple[int, float]]] = {}
    for sweep, measure, entry, value in scores:
        cell = (sweep, measure, entry.layout, entry.group, entry.variant, entry.agent, entry.planner or "")
        cells.setdefault(cell, []).append((entry.seed, value))
    for (sweep, measure, layout, group, variant, agent, planner), values in cells.items():
        found = over_seeds(values)
        assert found is not None  # there is a value
        paper = theirs.get((load_sweep(sweep).paper or "", measure, agent, layout, group, variant))
        place = {"sweep": sweep, "measure": measure, "layout": layout, "group": group, "variant": variant}
        ours = {"agent": agent, "planner": planner, "games": str(len(values))}
        yield (
            place
            | ours
            | {
                "mean": f"{found.mean:.4f}",
                "sd": f"{found.sd:.4f}",
                "preprint": f"{paper.mean:g}" if paper else "",
            }
        )


if __name__ == "__main__":
    main()
