"""`python -m benchmarks.findings RESULTS`: what the preprint finds, held against games of its presets.

With folders of results in which presets were played it writes `findings.csv` in `docs/results/data`: each comparison
of two agents by kitchen and over all of them, as the mean difference over games with the same partner and seed, with
its 95 % interval (clustered by seed, stratified by kitchen) and the preprint's difference; and each mean that is
compared with a number. A family of partners, a planner or a reading is one folder, whose name stands in the rows; rows
of other folders stay.
"""

import sys
from collections.abc import Iterator, Mapping
from statistics import fmean
from typing import NamedTuple

from bba.bench.episode import TableEntry
from bba.bench.preprint_values import FIRST_MODEL, paper_values
from bba.bench.presets import load_sweep
from bba.bench.results_reader import load_results
from bba.bench.statistics import GameValue, mean_with_interval
from benchmarks.summaries import Row, parse_arguments, played_by, update_table

ALL = "all"
TRIGGERS = ("periodic-10", "completion-held", "llm-judge")
PLANNERS = ("proagent", "hypothetical-minds")
LEARNED = ("gamma", "talents")


class Comparison(NamedTuple):
    """Two agents whose games with the same partner and seed are compared in a preset."""

    sweep: str
    measure: str
    agent: str
    other: str


COMPARISONS = (
    Comparison("paired", "reward", "bayes", "bayes-no-replan"),
    Comparison("paired", "gap_rate", "bayes", "bayes-no-replan"),
    *(Comparison("ablation", "reward", "bayes", f"bayes-no-{part}") for part in ("prompt", "replan", "belief")),
    *(Comparison("table1", "reward", "bayes", planner) for planner in PLANNERS),
    *(Comparison("table1", "reward", learned, planner) for learned in LEARNED for planner in ("proagent", "bayes")),
    *(Comparison("table1", "reward", learned, "bp") for learned in LEARNED),
    *(Comparison("triggers", "reward", "bayes", trigger) for trigger in TRIGGERS),
    *(
        Comparison("mechanism", measure, "bayes", "proagent")
        for measure in ("gap_rate", "comp_at_3", "duplicate_rate", "contradiction_recovery")
    ),
)
MEANS = (  # in which sweep, the measure, of whom
    *(("triggers", "replans", agent) for agent in ("bayes", *TRIGGERS)),
    ("mechanism", "skill_accuracy", "bayes"),
    ("mechanism", "belief_accuracy", "bayes"),
    ("mechanism", "belief_calibration", "bayes"),
    ("table1", "reward", "bp"),
    ("table1", "reward", "bayes"),
    ("table1", "reward", "proagent"),
)
SENSITIVITY = "sensitivity"
DEFAULT = "theta_obs 0.04"  # a variant of `sensitivity` with default parameters, as each of these
DEFAULTS = (DEFAULT, "gamma_conf 0.65", "cooldown 6", "likelihood_scale 1")
KEY = ("folder", "sweep", "measure", "agent", "other", "variant", "layout")

Place = tuple[str, str, int]  # kitchen, partner, seed
Scores = dict[str, list[tuple[TableEntry, Mapping[str, float | None]]]]  # the games of a sweep, with their measures


def main() -> None:
    """Writes the table."""
    arguments = parse_arguments("findings", __doc__)
    for folder in arguments.results:
        results = load_results(folder)
        scores = {}
        for sweep in results.sweeps:
            scores[sweep.sweep.name] = [
                (entry, sweep.results[entry.key].measures or {})
                for entry in sweep.entries
                if entry.key in sweep.results
            ]
        missing = {comparison.sweep for comparison in COMPARISONS} | {SENSITIVITY}
        missing -= scores.keys()
        if missing:
            sys.stderr.write(f"{folder}: has no games of {', '.join(sorted(missing))}, which are left out\n")
        rows = [*comparisons(scores), *means(scores), *parameters(scores)]
        update_table(
            arguments.out / "data" / "findings.csv",
            KEY,
            [{"folder": folder.name} | row for row in rows],
            played_by([results]),
        )


def _games(scores: Scores, sweep: str, measure: str, agent: str, variant: str | None = None) -> dict[Place, float]:
    """Returns a measure of an agent's games, by kitchen, partner and seed; none if the sweep was not played."""
    games = {}
    for entry, measures in scores.get(sweep, []):
        value = measures.get(measure)
        if entry.agent == agent and value is not None and variant in (None, entry.variant):
            games[entry.layout, entry.partner, entry.seed] = value
    return games


def _by_kitchen(pairs: dict[Place, float]) -> Iterator[tuple[str, list[GameValue]]]:
    if not pairs:
        return
    for layout in (*dict.fromkeys(place[0] for place in pairs), ALL):
        yield layout, [GameValue(*place, value) for place, value in pairs.items() if layout in (place[0], ALL)]


def _row(sweep: str, measure: str, agent: str, other: str, variant: str, layout: str, values: list[GameValue]) -> Row:
    found = mean_with_interval(values)
    assert found is not None  # there are games
    interval = {"low": "", "high": ""}
    if found.low is not None and found.high is not None:
        interval = {"low": f"{found.low:.4f}", "high": f"{found.high:.4f}"}
    place = {"sweep": sweep, "measure": measure, "agent": agent, "other": other, "variant": variant, "layout": layout}
    return place | {"games": str(len(values)), "mean": f"{found.mean:.4f}"} | interval


def comparisons(scores: Scores) -> Iterator[Row]:
    """Yields each comparison, by kitchen and over all of them, with the preprint's mean difference over its groups."""
    for sweep, measure, agent, other in COMPARISONS:
        first = _games(scores, sweep, measure, agent)
        second = _games(scores, sweep, measure, other)
        pairs = {place: value - second[place] for place, value in first.items() if place in second}
        for layout, values in _by_kitchen(pairs):
            row = _row(sweep, measure, agent, other, "", layout, values)
            yield row | {"preprint": _preprint_difference(sweep, measure, agent, other, layout)}


def _preprint_difference(sweep: str, measure: str, agent: str, other: str, layout: str) -> str:
    """Returns the preprint's mean difference in a kitchen, over the groups that have both agents; "" for none."""
    table = load_sweep(sweep).paper
    values = {
        (value.agent, value.layout, value.group): value.mean
        for value in paper_values().values()
        if (value.table, value.measure) == (table, measure) and value.model in (None, FIRST_MODEL)
    }
    differences = [
        mean - values[other, kitchen, group]
        for (name, kitchen, group), mean in values.items()
        if name == agent and layout in (kitchen, ALL) and (other, kitchen, group) in values
    ]
    return f"{fmean(differences):.4g}" if differences else ""


def means(scores: Scores) -> Iterator[Row]:
    """Yields each mean by kitchen, with an interval over games."""
    for sweep, measure, agent in MEANS:
        for layout, values in _by_kitchen(_games(scores, sweep, measure, agent)):
            yield _row(sweep, measure, agent, "", "", layout, values) | {"preprint": ""}


def parameters(scores: Scores) -> Iterator[Row]:
    """Yields what each variant of the parameters changes in reward and replans against the default ones."""
    variants = dict.fromkeys(entry.variant for entry, _ in scores.get(SENSITIVITY, []))
    for measure in ("reward", "replans"):
        first = _games(scores, SENSITIVITY, measure, "bayes", DEFAULT)
        for variant in variants:
            games = _games(scores, SENSITIVITY, measure, "bayes", variant)
            pairs = {place: value - first[place] for place, value in games.items() if place in first}
            if variant not in DEFAULTS and pairs:
                for layout, values in _by_kitchen(pairs):
                    yield _row(SENSITIVITY, measure, "bayes", "", variant, layout, values) | {"preprint": ""}


if __name__ == "__main__":
    main()
