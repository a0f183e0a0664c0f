"""Plays the missing episodes of a sweep, shows how far it is, and prints its tables or one JSON object.

The progress is a live display on a terminal, elsewhere a line every ten seconds on standard error.
"""

import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text

from bba.agents import AgentOptions
from bba.agents.registry import pays
from bba.bench.engines import Engine, ProcessEngine, RayEngine, ThreadEngine
from bba.bench.episode import Episode, EpisodeResult, other_code_note, play
from bba.bench.plan import SweepPlan, TableEntry, label
from bba.bench.results_store import ResultsStore
from bba.bench.runner import Runner, estimate, with_ledger
from bba.bench.tables import TableBlock, TableCell, recovery_curves, repeat_spreads, table_blocks
from bba.planner.llm.ledger import Ledger, Spent
from bba.progress import line_writer
from bba.report.formatting import (
    NONE,
    agents_note,
    ask_note,
    axis_text,
    cell_text,
    column_text,
    duration,
    heading_text,
    keyless_planner,
    measure_label,
    measure_under,
    paper_note,
    planner_notes,
    spread_note,
    thousands,
    value_text,
    without_planner,
)
from bba.settings import Settings
from tui.commands.output import Printed, plain_table, print_all
from tui.commands.terminal import interrupted_by_sigterm

BAR_CELLS = 24  # cells of the bar
MEASURE = "reward"  # whose means are shown


class Tally:
    """Counts the finished episodes of a sweep, and knows what is waited for.

    Args:
        plan: the sweep's episodes.
        stored: the results of the episodes that were finished before.
        spent: tells what language models have cost; None without one.

    Attributes:
        changed: is called after every change, and about once a second.
    """

    def __init__(
        self, plan: SweepPlan, stored: Mapping[str, EpisodeResult], spent: Callable[[], Spent] | None = None
    ) -> None:
        self.total, self.done, self.failed, self.played = len(plan.episodes), len(stored), 0, 0
        self._look_up: Callable[[], Spent | None] = spent or (lambda: None)
        self.waiting, self._spent = "", self._look_up()
        self.changed: Callable[[], None] = lambda: None
        self._planner_once = keyless_planner(plan.entries) is not None
        self._begun = time.monotonic()
        self._steps, self._since = 0, 0.0
        self._values: dict[str, list[float]] = {}
        for key, result in stored.items():
            self._count(plan.episodes[key], result)

    def add(self, episode: Episode, outcome: EpisodeResult | None) -> None:
        """Counts one more episode; another runner played one without an outcome."""
        self.done += 1
        if outcome is not None:
            if self.played:
                self._steps += episode.horizon
            else:
                self._since = time.monotonic()  # the first episode also waited for compilation
            self.played += 1
            self.failed += outcome.failure is not None
            self._count(episode, outcome)
        self.wait(self.waiting)

    def wait(self, waiting: str) -> None:
        """Notes what is waited for, and what was spent."""
        self.waiting, self._spent = waiting, self._look_up()
        self.changed()

    @property
    def elapsed(self) -> float:
        """The seconds since the sweep began."""
        return time.monotonic() - self._begun

    @property
    def means(self) -> dict[str, float]:
        """The mean of `MEASURE` so far, by agent."""
        return {name: fmean(values) for name, values in self._values.items()}

    @property
    def summary(self) -> str:
        """Speed, time left, failures, and what language models have cost in this folder so far, in one line.

        The cost is that of failed requests and of earlier runs, too.
        """
        failed, spent = f"{self.failed} failed", self._spent
        if spent is not None:
            guessed = " (in part estimated)" if spent.estimated else ""
            failed += f", {thousands(spent.requests)} requests, {spent.dollars:.2f} US dollars{guessed}"
        if self.played < 2:
            return failed
        seconds = max(time.monotonic() - self._since, 1e-9)
        left = seconds / (self.played - 1) * (self.total - self.done)
        return f"{thousands(self._steps / seconds)} steps/s, {duration(left)} left, {failed}"

    def _count(self, episode: Episode, result: EpisodeResult) -> None:
        ego, value = episode.seats[0], result.measures.get(MEASURE) if result.measures else None
        if value is not None:
            self._values.setdefault(label(ego.agent, None if self._planner_once else ego.planner), []).append(value)


@contextmanager
def progress(tally: Tally) -> Iterator[None]:
    """Shows the tally while it changes."""
    if sys.stderr.isatty():
        with Live(SweepDisplay(tally), console=Console(stderr=True), refresh_per_second=8):
            yield
    else:
        write = line_writer(lambda: _line(tally))
        tally.changed = lambda: write(tally.done == tally.total)
        yield


class SweepDisplay:
    """A tally as rich shows it, drawn anew several times a second: a bar, what is waited for, and the means so far."""

    def __init__(self, tally: Tally) -> None:
        columns = (SpinnerColumn(), TextColumn("episodes"), BarColumn(BAR_CELLS), MofNCompleteColumn())
        self._tally, self._bar = tally, Progress(*columns, TextColumn("{task.description}"), get_time=time.monotonic)
        self._task = self._bar.add_task("")

    def __rich__(self) -> Group:
        tally = self._tally
        described = f"{duration(tally.elapsed)}, {tally.summary}"
        self._bar.update(self._task, description=described, total=tally.total, completed=tally.done)
        waiting = Text(f"  waiting for {tally.waiting}" if tally.waiting else "", style="dim")
        means = plain_table(["agent"], [f"mean {measure_label(MEASURE)} so far"])
        for name, mean in tally.means.items():
            means.add_row(name, value_text(mean, MEASURE))
        return Group(self._bar, waiting, means)


def _line(tally: Tally) -> str:
    means = ", ".join(f"{name} {value_text(mean, MEASURE)}" for name, mean in tally.means.items())
    waiting = f"; waiting for {tally.waiting}" if tally.waiting and tally.done < tally.total else ""
    done = f"{tally.done} of {tally.total} episodes, {duration(tally.elapsed)}, {tally.summary}"
    return f"{done}{waiting}; mean {measure_label(MEASURE)}: {means or NONE}"


def play_episodes(
    missing: Sequence[Episode], plan: SweepPlan, store: ResultsStore, options: AgentOptions, settings: Settings
) -> None:
    """Plays these episodes of a sweep and shows their progress; with --fail-fast until one fails."""
    ledger, kept = Ledger(store.path), settings.keep_recordings
    stored = store.results(plan.episodes.keys() - {episode.key for episode in missing})
    tally = Tally(plan, stored, ledger.spent if pays(settings.planner) else None)
    limit, dearest = settings.max_cost, estimate(missing, settings.prices).dearest or 0.0
    task = partial(play, options=with_ledger(options, store.path), keep_recording=kept or pays(settings.planner))

    def may_begin(running: int) -> bool:  # beside so many running episodes
        return limit is None or ledger.spent().dollars + (running + 1) * dearest <= limit

    with interrupted_by_sigterm():
        engine = engine_of(settings)
    runner = Runner(store, engine, task, recorded=kept, pulse=tally.wait, may_begin=may_begin)
    # Begun anew, because Ray has set a handler of its own.
    with interrupted_by_sigterm(), closing(runner.run(missing)) as episodes, progress(tally):
        for finished_now in episodes:
            tally.add(*finished_now)
            if settings.fail_fast and finished_now.outcome is not None and finished_now.outcome.failure is not None:
                return


def engine_of(settings: Settings) -> Engine:
    """Returns the engine; games with a language model run in threads, which share its limits."""
    if settings.engine == "ray":
        return RayEngine(settings.workers, settings.address)
    if pays(settings.planner):
        return ThreadEngine(settings.workers or settings.concurrency)
    return ProcessEngine(settings.workers)


def print_sweep_json(plan: SweepPlan, results: Mapping[str, EpisodeResult], fallbacks: list[str]) -> None:
    """Prints one JSON object: the sweep, counts of episodes, what is left out, tables and recovery curves."""
    blocks = table_blocks(plan.sweep, plan.entries, results)
    other_code = other_code_note(kind.code for _, (kind, _) in plan.episodes.places())
    data = {
        "sweep": plan.sweep.name,
        "title": plan.sweep.title,
        "agents": list(dict.fromkeys(entry.label for entry in plan.entries)),
        "definition": plan.sweep.model_dump(mode="json", exclude_none=True),
        "episodes": _counts(plan, results),
        "notes": [*ask_note(plan.episodes.kinds()), *fallbacks, *other_code],
        "left_out": plan.left_out,
        "tables": [
            {
                "title": block.title,
                "rows": block.rows,
                "columns": block.columns,
                "cells": [[_cell_data(cell) for cell in row] for row in block.cells],
            }
            for block in blocks
        ],
        "recovery": recovery_curves(plan.entries, results),
        "repeats": repeat_spreads(plan.entries, results),
    }
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")


def _counts(plan: SweepPlan, results: Mapping[str, EpisodeResult]) -> dict[str, int]:
    failed = sum(result.failure is not None for result in results.values())
    return {"asked": len(plan.episodes), "done": len(results) - failed, "failed": failed}


def _cell_data(cell: TableCell) -> dict[str, Any]:
    data: dict[str, Any] = {"n": 0, "missing": cell.missing}
    if cell.ours is not None:
        data |= {name: value for name, value in cell.ours._asdict().items() if value is not None}
    if cell.paper is not None:
        data["preprint"] = cell.paper.model_dump(include={"model", "mean", "sd", "low", "high"}, exclude_none=True)
    return data


def print_sweep_tables(
    plan: SweepPlan, results: Mapping[str, EpisodeResult], folder: Path, fallbacks: list[str]
) -> None:
    """Prints the tables of the sweep, the preprint's values below ours, and how to look at what the folder holds."""
    entries = without_planner(plan.entries)
    blocks = table_blocks(plan.sweep, entries, results)
    parts: list[Printed] = [(plan.sweep.title, "bold")]
    for block in blocks:
        title = [(heading_text(block.title, ", "), "bold")] if block.title else []
        parts += [("", ""), *title, _sweep_table(block, plan)]
    notes = [*fallbacks, *_notes(plan, entries, results, blocks), kept_line(folder)]
    print_all([*parts, *((line, "dim") for line in notes)])


def _sweep_table(block: TableBlock, plan: SweepPlan) -> Table:
    spec, axes = plan.sweep.table, block.rows[0] if block.rows else ()
    table = plain_table(axes, [column_text(column, spec, "\n") for column in block.columns])
    for row, cells in zip(block.rows, block.cells, strict=True):
        measures = (measure_under(spec, block.title, row, column) for column in block.columns)
        shown = [_cell(cell, measure) for cell, measure in zip(cells, measures, strict=True)]
        table.add_row(*(axis_text(axis, value) for axis, value in row.items()), *shown)
    return table


def _cell(cell: TableCell, measure: str) -> Text:
    """Returns our value, how many episodes are missing, and the preprint's value, each on a line."""
    parts = cell_text(cell, measure)
    text = Text(parts.ours)
    if parts.missing:
        text.append(f"\n[{parts.missing}]")
    if parts.paper:
        text.append(f"\npreprint {parts.paper}", style="dim")
    return text


def kept_line(folder: Path) -> str:
    """Returns where the results are, and how to look at them."""
    here = shlex.quote(str(folder))
    return f"results in {here}; browse them: bba-tui results {here}; a page with figures: bba-tui report {here}"


def _notes(
    plan: SweepPlan, entries: list[TableEntry], results: Mapping[str, EpisodeResult], blocks: list[TableBlock]
) -> list[str]:
    """Returns what is needed to read the tables; `entries` have the labels of the tables."""
    sweep, counts = plan.sweep, _counts(plan, results)
    last = sweep.first_seed + sweep.seeds - 1
    counted = (
        f"{spread_note(sweep)}, seeds {sweep.first_seed} to {last}; {sweep.horizon} steps; "
        f"{counts['done']} of {counts['asked']} episodes" + (f", {counts['failed']} failed" * (counts["failed"] > 0))
    )
    agents = agents_note(sweep, entries)
    played = [*planner_notes(plan.entries), *ask_note(plan.episodes.kinds())]
    other_code = other_code_note(kind.code for _, (kind, _) in plan.episodes.places())
    repeats = [
        f"{one['agent']}, {one['layout']}, {one['group']}: {one['repeats']} repeats; standard deviation of the reward "
        f"{one['between_repeats']:,.0f} between repeats, {one['between_seeds']:,.0f} between seeds"
        for one in repeat_spreads(plan.entries, results)
    ]
    return [*other_code, counted, *repeats, *agents, *played, *paper_note(blocks)]
