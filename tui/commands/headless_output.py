"""The output of a headless run: a table for people or one JSON object for machines."""

import json
import statistics
import sys
from typing import Any

from rich.table import Table

from bba.analysis.measures import EPISODE_MEASURES, MeasureValue, MeasureValues
from bba.bench.statistics import over_seeds
from bba.play import GameConfig
from bba.report.formatting import NONE, measure_label, summary_text, value_text
from tui.commands.console import output

Episodes = dict[int, MeasureValues]  # by seed


def describe(config: GameConfig) -> dict[str, Any]:
    """Returns the settings of a game as plain JSON types."""
    return {
        "layout": config.layout.name,
        "agent": config.agents[0],
        "partner": config.agents[1],
        "planner": config.seats[0].planner,
        "horizon": config.horizon,
        "mobility": list(config.mobility),
        "skill_timeout": config.skill_timeout,
    }


def print_json(config: GameConfig, episodes: Episodes) -> None:
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
    return {name: _mean([values[name] for values in episodes.values()]) for name in EPISODE_MEASURES}


def _mean(values: list[MeasureValue]) -> MeasureValue:
    present = [value for value in values if value is not None]
    return round(statistics.fmean(present), 6) if present else None


def print_table(config: GameConfig, episodes: Episodes) -> None:
    """Prints a table of the measures of one game, or of their means and standard deviations over several."""
    table = Table(box=None, pad_edge=False)
    table.add_column("measure")
    table.add_column("value" if len(episodes) == 1 else "mean ± sd", justify="right")
    table.add_column("unit")
    for name, measure in EPISODE_MEASURES.items():
        table.add_row(measure_label(name), _text(name, episodes), measure.unit)
    with output() as console:
        console.print(_title(config, list(episodes)), style="bold", soft_wrap=True)
        console.print(table)


def _title(config: GameConfig, seeds: list[int]) -> str:
    games = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    ego, partner = config.agents
    planned = f" ({config.seats[0].planner} planner)" if config.seats[0].planner else ""
    return f"{config.layout.name}: {ego}{planned} with {partner}, {games}, {config.horizon} steps"


def _text(name: str, episodes: Episodes) -> str:
    """Returns the value of one game, or mean and standard deviation of several."""
    if len(episodes) == 1:
        return value_text(next(iter(episodes.values()))[name], name)
    known = ((seed, values[name]) for seed, values in episodes.items())
    summary = over_seeds([(seed, value) for seed, value in known if value is not None])
    return NONE if summary is None else summary_text(summary, name)
