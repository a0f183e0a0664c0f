"""`python -m benchmarks.presets [RESULTS]`: the preprint's tables with planners that need no language model.

With folders of results of the presets it writes their summaries, `presets.csv` and `presets_pairs.csv` in
`docs/results/data`. It says so if the games behind them were played by other code than this.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bba.bench.episode import TableEntry
from bba.bench.preprint_values import FIRST_MODEL, paper_values
from bba.bench.presets import load_sweep
from bba.bench.results_reader import Results, load_results
from bba.bench.statistics import mean_difference, over_seeds
from benchmarks.summaries import Row, parse_arguments, played_by, read_rows, update_table, warn_of_other_code

PRESETS = {  # their measures
    "table1": ("reward",),
    "ablation": ("reward",),
    "triggers": ("reward", "replans"),
    "sensitivity": ("reward", "replans", "gap_rate"),
    "crossplay": ("reward",),
    "switch": ("reward", "replans", "reached_30", "needless_replans", "recovery", "duplicate_rate"),
}
PLANNERS = ("rollout", "scripted")

PAIRS = (  # in which sweep, the measure, who against whom
    ("table1", "reward", "bayes", "proagent"),
    ("table1", "reward", "bayes", "gamma"),
    ("table1", "reward", "bayes", "talents"),
    ("ablation", "reward", "bayes", "bayes-no-prompt"),
    ("ablation", "reward", "bayes", "bayes-no-replan"),
    ("ablation", "reward", "bayes", "bayes-no-belief"),
    ("triggers", "reward", "bayes", "periodic-10"),
    ("triggers", "reward", "bayes", "completion-held"),
    ("triggers", "reward", "bayes", "llm-judge"),
    ("switch", "reward", "bayes", "proagent"),
    ("switch", "reward", "bayes", "bayes-no-replan"),
    ("switch", "recovery", "bayes", "bayes-no-replan"),
    ("switch", "duplicate_rate", "bayes", "bayes-no-replan"),
)

CELL = ("sweep", "measure", "layout", "group", "variant", "agent", "planner")  # what a row is known by
PAIRED_BY = ("sweep", "measure", "agent", "other", "planner", "layout")


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
        stored = [load_results(folder) for folder in arguments.results]
        scores, code = list(stored_scores(stored)), played_by(stored)
        update_table(data / "presets.csv", CELL, summaries(scores), code)
        update_table(data / "presets_pairs.csv", PAIRED_BY, differences(scores), code)
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


def differences(scores: Sequence[Score]) -> Iterator[Row]:
    """Yields each comparison, by kitchen and over all of them: over games with the same partner and seed."""
    for sweep, measure, one, other in PAIRS:
        of = [score for score in scores if (score.sweep, score.measure) == (sweep, measure)]
        for planner in PLANNERS:
            first, second = _games_of(of, one, planner), _games_of(of, other, planner)
            pairs = {place: value - second[place] for place, value in first.items() if place in second}
            for layout in (*dict.fromkeys(place[0] for place in pairs), "all"):
                chosen = [difference for place, difference in pairs.items() if layout in (place[0], "all")]
                found = mean_difference(chosen)
                if found is not None and found.low is not None and found.high is not None:
                    head = {"sweep": sweep, "measure": measure, "agent": one, "other": other, "planner": planner}
                    ends = {"difference": found.mean, "low": found.low, "high": found.high}
                    numbers = {name: f"{value:.4f}" for name, value in ends.items()}
                    yield head | {"layout": layout, "pairs": str(len(chosen))} | numbers


def _games_of(scores: Iterable[Score], agent: str, planner: str) -> dict[tuple[str, str, int], float]:
    """Returns an agent's games by kitchen, partner and seed; an agent without a planner plays the same with each."""
    return {
        (entry.layout, entry.partner, entry.seed): value
        for _, _, entry, value in scores
        if entry.agent == agent and entry.planner in (planner, None)
    }


if __name__ == "__main__":
    main()
