"""The output of commands, of sweeps too: tables for people, one JSON object for machines, and on a terminal a bar."""

import io
import json
import os
import statistics
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from rich.console import Console

from bba.analysis import MeasureValue, MeasureValues, find_measure
from bba.bench import (
    EpisodeResult,
    SweepPlan,
    TableBlock,
    TableCell,
    TableEntry,
    other_code_note,
    over_seeds,
    recovery_curves,
    repeat_spreads,
    scoring_note,
    table_blocks,
)
from bba.bench.formatting import (
    NONE,
    agents_note,
    ask_note,
    condition_note,
    margins_note,
    paper_note,
    planner_notes,
    seeds_text,
    signs_note,
    spread_note,
    summary_text,
    value_text,
    without_planner,
)
from bba.play import GameConfig
from bba.tables import Cell, Table, TableColumn
from bba.tables.terminal import pieces
from bba.terminal_text import shell_word

WIDE_TABLE = 400  # columns of the output if nobody reads it in a terminal
Item = TypeVar("Item")
Printed = Table | tuple[str, str]  # a table, below its title in bold if it has one; or a line and its style


def print_all(parts: Iterable[Printed]) -> None:
    """Prints tables and lines to standard output, all at once and without spaces at the ends of lines."""
    text = io.StringIO()
    terminal = sys.stdout.isatty()
    width = None if terminal else reader_width()
    console = Console(
        file=text,
        highlight=False,
        markup=False,
        emoji=False,
        force_terminal=terminal,
        width=width,
        soft_wrap=not terminal,
    )
    for part in parts:
        if isinstance(part, Table):
            if part.title:
                console.print(part.title, style="bold", soft_wrap=True)
            console.print(*pieces(part, console))
        else:
            line, style = part
            console.print(line, style=style, soft_wrap=True)
    lines = [line.rstrip() for line in text.getvalue().splitlines()]
    sys.stdout.write("\n".join(lines) + "\n")


def reader_width() -> int:
    """Returns the columns of output that goes to a file or another program, such as a pager.

    They are those that COLUMNS asks for, else those of the terminal that standard error goes to.
    """
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return int(columns)
    if sys.stderr is not None and sys.stderr.isatty():
        with suppress(OSError):
            return os.get_terminal_size(sys.stderr.fileno()).columns or WIDE_TABLE
    return WIDE_TABLE


def without_empty(table: Table) -> Table:
    """Returns a table without the columns in which no row has anything."""
    filled = [number for number in range(len(table.columns)) if _has_content(table.cells_below(number))]
    return table.with_columns(filled)


def _has_content(cells: Iterable[Cell]) -> bool:
    return any(cell.text not in ("", NONE) for cell in cells)


def with_bar(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yields the items and shows how many of `total` are done; `what` names them."""
    from rich.progress import track  # only here: most output is shown without it

    console = Console(stderr=True, quiet=not sys.stderr.isatty())
    yield from track(items, what, total, console=console, transient=True)


Episodes = dict[int, MeasureValues]  # by seed


def describe(config: GameConfig) -> dict[str, Any]:
    """Returns the settings of a game as plain JSON types, and what sets it apart if anything does."""
    ego = config.seats[0]
    data: dict[str, Any] = {
        "layout": config.layout.name,
        "agent": config.agents[0],
        "partner": config.agents[1],
        "planner": ego.planner,
        "ask": ego.effective_ask,
    }
    if not config.repeatable:
        data["repeatable"] = False
    if ego.oracle:
        data["oracle"] = True
    data["horizon"] = config.horizon
    data["mobility"] = list(config.mobility)
    data["skill_timeout"] = config.skill_timeout
    return data


def print_games_json(config: GameConfig, episodes: Episodes) -> None:
    """Prints one JSON object: the settings, the measures or their means over several seeds, then each game.

    The games of several seeds stand under `episodes`, too, as in earlier versions.
    """
    games = [{"seed": seed} | values for seed, values in episodes.items()]
    data = describe(config)
    if len(games) == 1:
        data |= games[0]
    else:
        data |= {"seeds": list(episodes)} | means(episodes) | {"episodes": games}
    sys.stdout.write(json.dumps(data | {"games": games}) + "\n")


def means(episodes: Episodes) -> MeasureValues:
    """Returns the mean of each measure over the episodes that have it; None if none has."""
    names = next(iter(episodes.values()))
    return {name: _mean([values[name] for values in episodes.values()]) for name in names}


def _mean(values: list[MeasureValue]) -> MeasureValue:
    present = [value for value in values if value is not None]
    if not present:
        return None
    return round(statistics.fmean(present), 6)


def print_games_table(config: GameConfig, episodes: Episodes) -> None:
    """Prints a table of the measures of one game, or of their means and standard deviations over several.

    Measures that no game has are named below it; those of language models only where one was asked.
    """
    every = list(next(iter(episodes.values())))  # of the measures, those of plug-ins last
    names = [name for name in every if _is_known(name, episodes)]
    model_used = any(find_measure(name).of_model for name in names)
    lacking = [find_measure(name) for name in every if name not in names]
    unknown = [measure.label for measure in lacking if model_used or not measure.of_model]
    headings = ("value",) if len(episodes) == 1 else ("mean", "± sd")
    columns = [TableColumn(heading, "point") for heading in headings]
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        measure = find_measure(name)
        texts = (measure.label, *_texts(name, episodes), measure.unit)
        rows.append(tuple(map(Cell, texts)))
    all_columns = (TableColumn("measure"), *columns, TableColumn("unit"))
    parts: list[Printed] = [Table(all_columns, tuple(rows), _title(config, list(episodes)))]
    if unknown:
        parts.append((f"nothing to count, or not known: {', '.join(unknown)}", "dim"))
    print_all(parts)


def _is_known(name: str, episodes: Episodes) -> bool:
    return any(values[name] is not None for values in episodes.values())


def _title(config: GameConfig, seeds: list[int]) -> str:
    games = f"seed {seeds[0]}"
    if len(seeds) > 1:
        games = f"seeds {seeds[0]} to {seeds[-1]}"
    rollouts = [seat.rollout for seat in config.seats if seat.rollout]
    budgets = dict.fromkeys(rollout.budget_ms for rollout in rollouts if rollout.budget_ms)
    if budgets:
        milliseconds = " or ".join(f"{budget:g}" for budget in budgets)
        games += f" (not repeatable: a decision takes {milliseconds} ms)"
    ego, partner = config.labels
    planner = config.seats[0].planner
    if planner:
        in_every_step = ", asked in every step" if config.seats[0].effective_ask == "always" else ""
        ego += f" ({planner} planner{in_every_step})"
    return f"{config.layout.name}: {ego} with {partner}, {games}, {config.horizon} steps"


def _texts(name: str, episodes: Episodes) -> tuple[str, ...]:
    """Returns the value of one game, or mean and standard deviation of several."""
    if len(episodes) == 1:
        (values,) = episodes.values()
        return (value_text(values[name], name),)
    by_seed = ((seed, values[name]) for seed, values in episodes.items())
    summary = over_seeds([(seed, value) for seed, value in by_seed if value is not None])
    if summary is None:
        return NONE, ""
    mean, _, spread = summary_text(summary, name).partition(" ± ")
    return mean, f"± {spread}" if spread else ""


def print_sweep_json(plan: SweepPlan, results: Mapping[str, EpisodeResult], fallbacks: list[str]) -> None:
    """Prints one JSON object: the sweep, counts of episodes, what is left out, tables and recovery curves."""
    blocks = table_blocks(plan.sweep, plan.entries, results)
    other_code = other_code_note(kind.code for _, (kind, _) in plan.episodes.places())
    rule = scoring_note(plan.sweep.table.measures, results.values())
    data = {
        "sweep": plan.sweep.name,
        "title": plan.sweep.title,
        "agents": list(dict.fromkeys(entry.label for entry in plan.entries)),
        "definition": plan.sweep.model_dump(mode="json", exclude_none=True),
        "episodes": _counts(plan, results),
        "notes": [*ask_note(plan.episodes.kinds()), *rule, *fallbacks, *other_code],
        "left_out": plan.left_out,
        "tables": [_block_data(block) for block in blocks],
        "recovery": recovery_curves(plan.entries, results),
        "repeats": repeat_spreads(plan.entries, results),
    }
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")


def _block_data(block: TableBlock) -> dict[str, Any]:
    cells = [[_cell_data(cell) for cell in row] for row in block.cells]
    data = {"title": block.title, "rows": block.rows, "columns": block.columns, "cells": cells}
    return data | {"differences": True} if block.differences else data


def _counts(plan: SweepPlan, results: Mapping[str, EpisodeResult]) -> dict[str, int]:
    failed = sum(result.failure is not None for result in results.values())
    return {"asked": len(plan.episodes), "done": len(results) - failed, "failed": failed}


def _cell_data(cell: TableCell) -> dict[str, Any]:
    data: dict[str, Any] = {"n": 0, "missing": cell.missing}
    if cell.ours is not None:
        data |= {name: number for name, number in cell.ours._asdict().items() if number is not None}
    if cell.best:
        data["best"] = cell.best
    if cell.paper is not None:
        fields = {"model", "mean", "sd", "low", "high"}
        data["preprint"] = cell.paper.model_dump(include=fields, exclude_none=True)
        if cell.paper.computed:
            data["preprint"]["computed"] = True
    return data


def print_sweep_tables(
    plan: SweepPlan, results: Mapping[str, EpisodeResult], folder: Path, fallbacks: list[str]
) -> None:
    """Prints the tables of the sweep, the preprint's values below ours, and how to look at what the folder holds."""
    from bba.report.content import table_text  # only here: games are printed without it

    entries = without_planner(plan.entries)
    blocks = table_blocks(plan.sweep, entries, results)
    parts: list[Printed] = [(plan.sweep.title, "bold")]
    for block in blocks:
        table = table_text(plan.sweep, block)
        columns = [replace(column, heading=column.heading.replace(", ", "\n")) for column in table.columns]
        parts.append(("", ""))
        parts.append(replace(table, columns=tuple(columns)))
    notes = [*fallbacks, *_notes(plan, entries, results, blocks), kept_line(folder)]
    parts += [(line, "dim") for line in notes]
    print_all(parts)


def kept_line(folder: Path) -> str:
    """Returns where the results are, and how to look at them."""
    path = shell_word(folder)
    return f"results in {path}; browse them: bba-tui results {path}; a page with figures: bba-tui report {path}"


def _notes(
    plan: SweepPlan, entries: list[TableEntry], results: Mapping[str, EpisodeResult], blocks: list[TableBlock]
) -> list[str]:
    """Returns the notes that a reader of the tables needs; `entries` have the labels of the tables."""
    sweep = plan.sweep
    counts = _counts(plan, results)
    episodes = f"{counts['done']} of {counts['asked']} episodes"
    if counts["failed"] > 0:
        episodes += f", {counts['failed']} failed"
    counted = f"{spread_note(sweep)}, seeds {seeds_text(sweep)}; {sweep.horizon} steps; {episodes}"
    agents = agents_note(sweep, entries)
    conditions = condition_note(sweep, plan.entries)
    played = [*planner_notes(plan.entries), *conditions, *ask_note(plan.episodes.kinds())]
    played += scoring_note(sweep.table.measures, results.values())
    other_code = other_code_note(kind.code for _, (kind, _) in plan.episodes.places())
    repeats: list[str] = []
    for spread in repeat_spreads(plan.entries, results):
        played_by = f"{spread['agent']}, {spread['layout']}, {spread['group']}"
        deviation = f"{spread['between_repeats']:,.0f} between repeats, {spread['between_seeds']:,.0f} between seeds"
        line = f"{played_by}: {spread['repeats']} repeats; standard deviation of the reward {deviation}"
        repeats.append(line)
    reading = [*margins_note(sweep), *signs_note(blocks), *paper_note(blocks)]
    return [*other_code, counted, *repeats, *agents, *played, *reading]
