"""The output of commands: tables for people, one JSON object for machines, and on a terminal how far they are."""

import io
import json
import statistics
import sys
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from rich.console import Console
from rich.table import Column, Table

from bba.analysis.measures import MeasureValue, MeasureValues
from bba.analysis.plugin_measures import find_measure
from bba.bench.statistics import over_seeds
from bba.play import GameConfig
from bba.report.formatting import NONE, summary_text, value_text

WIDE_TABLE = 400  # columns of the output if it is not a terminal's
Item = TypeVar("Item")
Printed = Table | tuple[str, str]  # a table, or a line and its style


def print_all(parts: Iterable[Printed]) -> None:
    """Prints tables and lines to standard output, all at once and without spaces at the ends of lines."""
    text, terminal = io.StringIO(), sys.stdout.isatty()
    console = Console(
        file=text,
        highlight=False,
        markup=False,
        emoji=False,
        force_terminal=terminal,
        width=None if terminal else WIDE_TABLE,
        soft_wrap=not terminal,
    )
    for part in parts:
        if isinstance(part, tuple):
            console.print(part[0], style=part[1], soft_wrap=True)
        else:
            console.print(part)
    sys.stdout.write("\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n")


def plain_table(words: Iterable[str], numbers: Iterable[str] = ()) -> Table:
    """Returns a table without lines: columns of words, then columns of numbers, which stand at the right."""
    return Table(*words, *(Column(name, justify="right") for name in numbers), box=None, pad_edge=False)


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
    """Prints one JSON object: the game's settings and measures; for several seeds their means, then each episode."""
    data = describe(config)
    if len(episodes) == 1:
        seed, values = next(iter(episodes.items()))
        data |= {"seed": seed} | values
    else:
        data |= {"seeds": list(episodes)} | means(episodes)
        data["episodes"] = [{"seed": seed} | values for seed, values in episodes.items()]
    sys.stdout.write(json.dumps(data) + "\n")


def means(episodes: Episodes) -> MeasureValues:
    """Returns the mean of each measure over the episodes that have it; None if none has."""
    return {name: _mean([values[name] for values in episodes.values()]) for name in next(iter(episodes.values()))}


def _mean(values: list[MeasureValue]) -> MeasureValue:
    present = [value for value in values if value is not None]
    return round(statistics.fmean(present), 6) if present else None


def print_games_table(config: GameConfig, episodes: Episodes) -> None:
    """Prints a table of the measures of one game, or of their means and standard deviations over several."""
    names = list(next(iter(episodes.values())))  # of the measures, those of plug-ins last
    headings = ("value",) if len(episodes) == 1 else ("mean", "± sd")
    rows = [_texts(name, episodes) for name in names]
    columns = [aligned(column, len(heading)) for heading, column in zip(headings, zip(*rows, strict=True), strict=True)]
    aligned_headings = [heading.rjust(len(column[0])) for heading, column in zip(headings, columns, strict=True)]
    table = plain_table(["measure", *aligned_headings, "unit"])
    for measure, *texts in zip(map(find_measure, names), *columns, strict=True):
        table.add_row(measure.label, *texts, measure.unit)
    print_all([(_title(config, list(episodes)), "bold"), table])


def _title(config: GameConfig, seeds: list[int]) -> str:
    games = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    budgets = {seat.rollout.budget_ms: None for seat in config.seats if seat.rollout and seat.rollout.budget_ms}
    if budgets:
        games += f" (not repeatable: a decision takes {' or '.join(f'{budget:g}' for budget in budgets)} ms)"
    ego, partner = config.labels
    planner, asked = config.seats[0].planner, config.seats[0].asked
    planned = f" ({planner} planner, ask {asked})" if planner else ""
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
