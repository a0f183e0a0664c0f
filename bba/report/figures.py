"""The figures of a sweep: which there are, what they say, and the data that they draw."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from bba.bench.presets import Sweep, TableSpec
from bba.bench.results_reader import StoredSweep
from bba.bench.results_store import StoredResult
from bba.bench.tables import TableBlock, table_blocks
from bba.report import plots
from bba.report.formatting import named_shortly
from bba.report.plots import Pick

SPREAD = "dots are means, bars one standard deviation over seeds, hollow dots the preprint's, where there are any"


class ReportFigure(NamedTuple):
    """A drawing with what it shows, in a few words and in a sentence."""

    title: str
    caption: str
    svg: str


def figures(stored: StoredSweep, results: Mapping[str, StoredResult], name: str) -> Iterator[ReportFigure]:
    """The figures that a sweep's own measures and axes call for; `name` tells its drawings from those of others."""
    stored = replace(stored, cases=named_shortly(stored.cases))
    sweep = stored.sweep
    if sweep.table.paired:
        yield _differences(stored, results, name)
    elif len(sweep.variants) > 1:
        yield from _sensitivity(stored, results, name)
    elif set(sweep.table.axes) == {"layout", "agent", "group"} and "group" in sweep.table.columns:
        yield _matrix(stored, results, name)
    else:
        yield from _by_setting(stored, results, name)


def _by_setting(stored: StoredSweep, results: Mapping[str, StoredResult], name: str) -> Iterator[ReportFigure]:
    asked = set(stored.sweep.table.measures)
    if "reward" in asked:
        found = _blocks(stored, results, ("reward",))
        yield ReportFigure("Reward by setting", SPREAD, plots.dots(f"{name}-reward", found))
    if {"reward", "replans"} <= asked and len({case.agent for case in stored.cases}) > 1:
        found = _blocks(stored, results, ("reward", "replans"))
        caption = "reward against interruptions of the agent's own skill: selective is far to the left and high up"
        yield ReportFigure("Reward against replans", caption, plots.selectivity(f"{name}-replans", *found))
    if "gap_rate" in asked:
        found = _blocks(stored, results, ("gap_rate", "comp_at_3"))
        caption = (
            "left, how often a rightly known role is not complemented (less is better); right, how often the agent "
            "complements its partner within three steps of a contradiction (more is better)"
        )
        yield ReportFigure("Belief–action gap and Comp@3", f"{caption}; {SPREAD}", plots.dots(f"{name}-gap", found))
    if "recovery" in asked and any(result.reactions for result in results.values()):
        caption = (
            "the share of the partner's known switches that are followed within so many steps: above, by the belief "
            "(its likeliest role is the true one), below, by the agent (it runs a skill that complements the true role)"
        )
        yield ReportFigure("After a switch", caption, plots.recovery(f"{name}-recovery", _waits(stored, results)))


def _sensitivity(stored: StoredSweep, results: Mapping[str, StoredResult], name: str) -> Iterator[ReportFigure]:
    """Where each variant changes one figure, each figure's effect."""
    changes = {variant.label: variant.changes for variant in stored.sweep.variants}
    if all(len(changed) == 1 for changed in changes.values()):
        found = _blocks(stored, results, stored.sweep.table.measures, rows=("variant",), columns=("agent",))
        ladder: dict[str, dict[str, float]] = {}
        for label, changed in changes.items():
            ((parameter, value),) = changed.items()
            ladder.setdefault(parameter, {})[label] = value
        caption = f"one parameter at a time, low, middle and high; {SPREAD}"
        yield ReportFigure("Sensitivity", caption, plots.sensitivity(f"{name}-sensitivity", found, ladder))


def _matrix(stored: StoredSweep, results: Mapping[str, StoredResult], name: str) -> ReportFigure:
    found = table_blocks(stored.sweep, stored.cases, results)
    caption = "who plays seat 0 by row, seat 1 by column; below ours, in brackets, the preprint's"
    return ReportFigure("Cross-play", caption, plots.matrix(f"{name}-matrix", found, stored.sweep.table.measures[0]))


def _differences(stored: StoredSweep, results: Mapping[str, StoredResult], name: str) -> ReportFigure:
    table = TableSpec(
        blocks=("measure",),
        rows=("layout", "group"),
        columns=(),
        measures=stored.sweep.table.measures,
        paired=stored.sweep.table.paired,
        pool=stored.sweep.table.pool,
    )
    found = table_blocks(stored.sweep.model_copy(update={"table": table}), stored.cases, results)
    first, second = stored.sweep.table.paired or ("", "")
    caption = f"{first} − {second} over matched pairs with 95 % bootstrap intervals; hollow dots are the preprint's"
    return ReportFigure("Paired differences", caption, plots.dots(f"{name}-paired", found, zero=True))


def _blocks(
    stored: StoredSweep,
    results: Mapping[str, StoredResult],
    measures: tuple[str, ...],
    rows: tuple[Pick, ...] = ("layout", "group"),
    columns: tuple[Pick, ...] = ("agent",),
) -> list[TableBlock]:
    """A block a measure, settings by agents."""
    table = TableSpec(blocks=("measure",), rows=rows, columns=columns, measures=measures, pool=stored.sweep.table.pool)
    sweep: Sweep = stored.sweep.model_copy(update={"table": table})
    return table_blocks(sweep, stored.cases, results)


def _waits(stored: StoredSweep, results: Mapping[str, StoredResult]) -> plots.Waits:
    """For each kitchen and agent how long belief and agent took after each switch."""
    found: plots.Waits = {}
    for case in stored.cases:
        reactions = results[case.key].reactions if case.key in results else []
        met = found.setdefault(case.layout, {}).setdefault(case.label, ([], []))
        met[0].extend(reaction.noticed for reaction in reactions)
        met[1].extend(reaction.complemented for reaction in reactions)
    return found
