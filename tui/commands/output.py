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

from rich.console import Console, RenderableType
from rich.table import Column, Table
from rich.text import Text

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
    table_blocks,
)
from bba.play import GameConfig
from bba.report.formatting import (
    NONE,
    CellText,
    agents_note,
    ask_note,
    paper_note,
    planner_notes,
    seeds_text,
    spread_note,
    summary_text,
    value_text,
    without_planner,
)
from bba.terminal_text import shell_word

GAP = 2  # cells between the columns of a table
WIDE_TABLE = 400  # columns of the output if nobody reads it in a terminal
Item = TypeVar("Item")
Printed = Table | tuple[str, str]  # a table, or a line and its style


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
        if isinstance(part, tuple):
            console.print(part[0], style=part[1], soft_wrap=True)
        else:
            console.print(*pieces(part, console))
    sys.stdout.write("\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n")


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
    filled = [column for column in table.columns if any(str(cell) not in ("", NONE) for cell in column.cells)]
    narrower = plain_table(filled)
    narrower.rows = table.rows
    return narrower


def plain_table(
    words: Iterable[str | Column],
    numbers: Iterable[str] = (),
    more_words: Iterable[str] = (),
    *,
    rows: Iterable[Iterable[RenderableType]] = (),
) -> Table:
    """Returns a table without lines: columns of words, of numbers, which stand at the right, and again of words."""
    right = (Column(name, justify="right") for name in numbers)
    table = Table(*words, *right, *more_words, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*row)
    return table


def pieces(table: Table, console: Console) -> Iterator[Table]:
    """Yields a table; one that is too wide as several, with the words in each, so that no name or number is cut."""

    def width(column: Column) -> int:
        sizes = map(console.measure, (column.header, *column.cells))
        return GAP + max(size.maximum if column.justify == "right" else size.minimum for size in sizes)

    room = console.width + GAP - sum(width(column) for column in table.columns if column.justify != "right")
    parts: list[list[Column]] = [[]]
    for column in table.columns:
        if column.justify == "right":
            if parts[-1] and sum(map(width, (*parts[-1], column))) > room:
                parts.append([])
            parts[-1].append(column)
    for part in parts:
        shown = [column for column in table.columns if column.justify != "right" or any(column is one for one in part)]
        piece = plain_table(replace(one, min_width=width(one) - GAP, no_wrap=one.justify == "right") for one in shown)
        piece.rows = table.rows
        yield piece


def with_bar(items: Iterable[Item], total: int, what: str) -> Iterator[Item]:
    """Yields the items and shows how many of `total` are done; `what` names them."""
    from rich.progress import track  # only here: most output is shown without it

    yield from track(items, what, total, console=Console(stderr=True, quiet=not sys.stderr.isatty()), transient=True)


Episodes = dict[int, MeasureValues]  # by seed


def describe(config: GameConfig) -> dict[str, Any]:
    """Returns the settings of a game as plain JSON types, and what sets it apart if anything does."""
    return {
        "layout": config.layout.name,
        "agent": config.agents[0],
        "partner": config.agents[1],
        "planner": config.seats[0].planner,
        "ask": config.seats[0].asked,
        **({} if config.repeatable else {"repeatable": False}),
        **({"oracle": True} if config.seats[0].oracle else {}),
        "horizon": config.horizon,
        "mobility": list(config.mobility),
        "skill_timeout": config.skill_timeout,
    }


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
    return {name: _mean([values[name] for values in episodes.values()]) for name in next(iter(episodes.values()))}


def _mean(values: list[MeasureValue]) -> MeasureValue:
    present = [value for value in values if value is not None]
    return round(statistics.fmean(present), 6) if present else None


def print_games_table(config: GameConfig, episodes: Episodes) -> None:
    """Prints a table of the measures of one game, or of their means and standard deviations over several.

    Measures that no game has are named below it; those of language models only where one was asked.
    """
    every = list(next(iter(episodes.values())))  # of the measures, those of plug-ins last
    names = [name for name in every if any(values[name] is not None for values in episodes.values())]
    model_used = any(find_measure(name).of_model for name in names)
    lacking = [find_measure(name) for name in every if name not in names]
    unknown = [measure.label for measure in lacking if model_used or not measure.of_model]
    note: list[Printed] = [(f"nothing to count, or not known: {', '.join(unknown)}", "dim")] if unknown else []
    headings = ("value",) if len(episodes) == 1 else ("mean", "± sd")
    rows = [_texts(name, episodes) for name in names]
    columns = [aligned(column, len(heading)) for heading, column in zip(headings, zip(*rows, strict=True), strict=True)]
    aligned_headings = [heading.rjust(len(column[0])) for heading, column in zip(headings, columns, strict=True)]
    shown = ((one.label, *texts, one.unit) for one, *texts in zip(map(find_measure, names), *columns, strict=True))
    table = plain_table(["measure", *aligned_headings, "unit"], rows=shown)
    print_all([(_title(config, list(episodes)), "bold"), table, *note])


def _title(config: GameConfig, seeds: list[int]) -> str:
    games = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    budgets = {seat.rollout.budget_ms: None for seat in config.seats if seat.rollout and seat.rollout.budget_ms}
    if budgets:
        games += f" (not repeatable: a decision takes {' or '.join(f'{budget:g}' for budget in budgets)} ms)"
    ego, partner = config.labels
    planner = config.seats[0].planner
    asked = config.seats[0].asked
    planned = f" ({planner} planner{', asked in every step' * (asked == 'always')})" if planner else ""
    return f"{config.layout.name}: {ego}{planned} with {partner}, {games}, {config.horizon} steps"


def _texts(name: str, episodes: Episodes) -> tuple[str, ...]:
    """Returns the value of one game, or mean and standard deviation of several."""
    if len(episodes) == 1:
        return (value_text(next(iter(episodes.values()))[name], name),)
    known = ((seed, values[name]) for seed, values in episodes.items())
    summary = over_seeds([(seed, value) for seed, value in known if value is not None])
    if summary is None:
        return NONE, ""
    mean, _, spread = summary_text(summary, name).partition(" ± ")
    return mean, f"± {spread}" if spread else ""


def aligned(numbers: Iterable[str], width: int = 0) -> list[str]:
    """Returns the numbers of a column, `width` or more cells wide, with their decimal points below one another."""
    fractions = [number.partition(".") for number in numbers]
    places = max(len(point + fraction) for _, point, fraction in fractions)
    texts = [whole + (point + fraction).ljust(places) for whole, point, fraction in fractions]
    return [text.rjust(max(width, *map(len, texts))) for text in texts]


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
    ours = {} if cell.ours is None else cell.ours._asdict()
    told = {"model", "mean", "sd", "low", "high"}
    paper = {} if cell.paper is None else {"preprint": cell.paper.model_dump(include=told, exclude_none=True)}
    return {"n": 0, "missing": cell.missing} | {name: one for name, one in ours.items() if one is not None} | paper


def print_sweep_tables(
    plan: SweepPlan, results: Mapping[str, EpisodeResult], folder: Path, fallbacks: list[str]
) -> None:
    """Prints the tables of the sweep, the preprint's values below ours, and how to look at what the folder holds."""
    from bba.report.content import table_text  # only here: games are printed without it

    entries = without_planner(plan.entries)
    blocks = table_blocks(plan.sweep, entries, results)
    parts: list[Printed] = [(plan.sweep.title, "bold")]
    for table in (table_text(plan.sweep, block) for block in blocks):
        columns = [column.replace(", ", "\n") for column in table.columns]
        rows: Iterator[Iterable[RenderableType]] = ((*heads, *map(_cell, cells)) for heads, cells in table.rows)
        parts += [("", ""), *[(table.title, "bold")] * bool(table.title), plain_table(table.heads, columns, rows=rows)]
    notes = [*fallbacks, *_notes(plan, entries, results, blocks), kept_line(folder)]
    print_all([*parts, *((line, "dim") for line in notes)])


def _cell(cell: CellText) -> Text:
    """Returns our value, how many episodes are missing, and the preprint's value, each on a line."""
    text = Text(cell.ours)
    if cell.missing:
        text.append(f"\n[{cell.missing}]")
    if cell.paper:
        text.append(f"\npreprint {cell.paper}", style="dim")
    return text


def kept_line(folder: Path) -> str:
    """Returns where the results are, and how to look at them."""
    here = shell_word(folder)
    return f"results in {here}; browse them: bba-tui results {here}; a page with figures: bba-tui report {here}"


def _notes(
    plan: SweepPlan, entries: list[TableEntry], results: Mapping[str, EpisodeResult], blocks: list[TableBlock]
) -> list[str]:
    """Returns what is needed to read the tables; `entries` have the labels of the tables."""
    sweep = plan.sweep
    counts = _counts(plan, results)
    counted = (
        f"{spread_note(sweep)}, seeds {seeds_text(sweep)}; {sweep.horizon} steps; "
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
