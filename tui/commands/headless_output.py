"""What a headless run says on standard output: a table for people or one JSON object for machines."""

import io
import json
import statistics
import sys
from typing import Any

from rich.console import Console
from rich.table import Table

from bba.analysis.measures import Measures
from bba.play import GameConfig

Number = int | float | None

LABELS = {
    "reward": "reward",
    "deliveries": "deliveries",
    "in_order": "  in order",
    "streak": "  longest streak in order",
    "orders_expired": "orders that ran out",
    "fires": "fires",
    "skill_accuracy": "skill accuracy",
    "skill_accuracy_confident": "  where confident",
    "gap_rate": "belief-action gap rate",
    "gap_rate_confident": "  where confident",
    "comp_at_3": "Comp@3",
    "duplicate_rate": "duplicate-skill rate",
    "contradictions": "contradictions",
    "replans": "replans",
    "switches": "true switches of the partner",
    "switches_caught": "  noticed by the belief",
    "catch_delay": "  steps until noticed",
    "recovery": "  steps until complemented",
    "planner_calls": "planner calls",
    "planner_retries": "  retries",
    "planner_fallbacks": "  fallbacks",
    "planner_prompt_tokens": "  tokens sent",
    "planner_completion_tokens": "  tokens received",
    "planner_seconds": "  seconds waited",
    "planner_cost": "  cost in US$",
}


def describe(config: GameConfig) -> dict[str, Any]:
    """What a game was set to, as plain JSON types."""
    return {
        "layout": config.layout.name,
        "agent": config.agents[0],
        "partner": config.agents[1],
        "planner": config.seats[0].planner,
        "horizon": config.horizon,
        "mobility": list(config.mobility),
        "skill_timeout": config.skill_timeout,
    }


def print_json(config: GameConfig, episodes: dict[int, Measures]) -> None:
    """One JSON object: the game's settings and measures; with several seeds their means, and each under `episodes`."""
    data = describe(config)
    rows = {seed: measures.to_dict() for seed, measures in episodes.items()}
    if len(rows) == 1:
        seed, row = next(iter(rows.items()))
        data |= {"seed": seed} | row
    else:
        data |= {"seeds": list(rows)} | means(rows)
        data["episodes"] = [{"seed": seed} | row for seed, row in rows.items()]
    sys.stdout.write(json.dumps(data) + "\n")


def means(rows: dict[int, dict[str, Number]]) -> dict[str, Number]:
    """The mean of each measure over the episodes that have it; None where none has."""
    return {name: _mean([row[name] for row in rows.values()]) for name in LABELS}


def _mean(values: list[Number]) -> Number:
    present = [value for value in values if value is not None]
    return round(statistics.fmean(present), 6) if present else None


def print_table(config: GameConfig, episodes: dict[int, Measures]) -> None:
    """A table of the measures: one column a game, or mean and standard deviation over several."""
    table = Table(box=None, pad_edge=False)
    table.add_column("measure")
    rows = [measures.to_dict() for measures in episodes.values()]
    table.add_column("value" if len(rows) == 1 else "mean ± sd", justify="right")
    for name, label in LABELS.items():
        table.add_row(label, _cell([row[name] for row in rows]))
    text = io.StringIO()
    console = Console(file=text, highlight=False, markup=False, force_terminal=sys.stdout.isatty())
    console.print(_title(config, list(episodes)), style="bold", soft_wrap=True)
    console.print(table)
    sys.stdout.write(text.getvalue())


def _title(config: GameConfig, seeds: list[int]) -> str:
    games = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    ego, partner = config.agents
    planned = f" ({config.seats[0].planner} planner)" if config.seats[0].planner else ""
    return f"{config.layout.name}: {ego}{planned} with {partner}, {games}, {config.horizon} steps"


def _cell(values: list[Number]) -> str:
    present = [value for value in values if value is not None]
    if not present:
        return "–"
    mean = statistics.fmean(present)
    text = f"{mean:.3f}" if any(isinstance(value, float) for value in present) else f"{mean:.1f}".removesuffix(".0")
    return text if len(values) == 1 else f"{text} ± {statistics.pstdev(present):.{3 if '.' in text else 1}f}"
