"""Plays the learned partners and prints what they do against their weights."""

import json
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from contextlib import closing
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from bba.agents import AgentOptions
from bba.bench import reason
from bba.bench.engines import ProcessEngine
from bba.bench.partner_check import (
    EGO_AGENT,
    CheckGame,
    GameCounts,
    GroupEffect,
    PartnerRow,
    check_games,
    group_effects,
    partner_rows,
    play_check_game,
)
from bba.errors import BBAError, seeds_from
from bba.kitchen.observation import FEATURE_NAMES
from tui.commands.kitchens import wanted_layouts
from tui.commands.output import Printed, plain_table, print_all, with_bar

if TYPE_CHECKING:
    from tui.commands.score import CheckPartners

CHECKED_SEEDS = 5  # games of each kind by default


def check_partners(settings: "CheckPartners") -> None:
    """Plays the games of the check and prints the results.

    Raises:
        BBAError: an unsuitable option, missing weights, or games that cannot be played.
    """
    count = settings.seeds if "seeds" in settings.model_fields_set else CHECKED_SEEDS
    seeds = seeds_from(settings.seed, count)
    options = AgentOptions(weights=settings.weights)
    games = check_games(wanted_layouts(settings), seeds, settings.horizon, options)
    rows = partner_rows(_play(games, options, settings.workers))
    if settings.as_json:
        _print_json(rows, seeds, settings.horizon)
    else:
        _print_tables(rows, f"{EGO_AGENT} beside it, {settings.horizon} steps, seeds {seeds[0]} to {seeds[-1]}")


def _play(games: Sequence[CheckGame], options: AgentOptions, workers: int | None) -> list[tuple[CheckGame, GameCounts]]:
    try:
        with closing(ProcessEngine(workers)) as engine:
            futures = {engine.submit(play_check_game, game, options): game for game in games}
            finished = with_bar(as_completed(futures), len(futures), "games")
            done = {futures[future]: future.result() for future in finished}
    except BBAError:
        raise
    except Exception as error:
        raise BBAError(f"the games cannot be played: {reason(error)}") from error
    return [(game, done[game]) for game in games]


def _print_json(rows: Sequence[PartnerRow], seeds: range, horizon: int) -> None:
    """Prints one JSON object: the event rates of each partner, and the effect of each preference."""
    data = {
        "ego": EGO_AGENT,
        "seeds": list(seeds),
        "horizon": horizon,
        "partners": [_row_data(row) for row in rows],
        "contrasts": [_effect_data(effect) for effect in group_effects(rows)],
    }
    sys.stdout.write(json.dumps(data) + "\n")


def _effect_data(effect: GroupEffect) -> dict[str, Any]:
    return {
        "group": effect.group,
        "layout": effect.layout,
        "seat": effect.seat,
        "feature": FEATURE_NAMES[effect.feature],
        "able": effect.able,
        "liked": effect.liked,
        "disliked": effect.disliked,
        "ratio": effect.ratio,
    }


def _row_data(row: PartnerRow) -> dict[str, Any]:
    rates = row.rates.round(3).tolist()
    weights = row.weights.tolist()
    able_features = row.able.tolist()
    features = {
        name: {"rate": rate, "weight": weight, "able": able}
        for name, rate, weight, able in zip(FEATURE_NAMES, rates, weights, able_features, strict=True)
    }
    return {
        "partner": row.partner,
        "layout": row.layout,
        "seat": row.seat,
        "features": features,
        "reward": row.reward,
        "self_play": row.self_play,
    }


def _print_tables(rows: Sequence[PartnerRow], note: str) -> None:
    """Prints a table of event rates for each layout and seat, then a table of the effects of preferences."""
    parts: list[Printed] = []
    for layout, seat in dict.fromkeys((row.layout, row.seat) for row in rows):
        rates = _rates([row for row in rows if row.layout == layout and row.seat == seat])
        parts += [(f"{layout}, the partner in seat {seat}", "bold"), rates, ("", "")]
    parts += [
        ("those who like it beside those who do not, events a game", "bold"),
        _effects(list(group_effects(rows))),
        (f"+ liked, − disliked, – cannot be done from that seat; {note}", "dim"),
    ]
    print_all(parts)


def _rates(rows: Sequence[PartnerRow]) -> Table:
    numbers = [name.replace("_", "\n") for name in (*FEATURE_NAMES, "reward", "self_play")]
    cells: list[list[str | Text]] = []
    for row in rows:
        rates = map(_rate, row.rates, row.weights, row.able)
        cells.append([row.partner, *rates, f"{row.reward:.0f}", f"{row.self_play:.0f}"])
    return plain_table(["partner"], numbers, rows=cells)


def _rate(rate: float, weight: float, able: bool) -> Text:
    """Returns an event rate, with a sign and colour for the partner's preference."""
    number = f"{rate:.1f}" if able else "–"
    if weight > 0:
        return Text(f"{number}+", "green")
    if weight < 0:
        return Text(f"{number}−", "red")
    return Text(f"{number} ", "")


def _effects(effects: Sequence[GroupEffect]) -> Table:
    table = plain_table(("layout", "seat", "group", "feature"), ("liked", "disliked", "ratio"))
    for effect in effects:
        table.add_row(
            effect.layout,
            str(effect.seat),
            effect.group,
            FEATURE_NAMES[effect.feature],
            _mean(effect.liked),
            _mean(effect.disliked),
            _ratio(effect),
        )
    return table


def _mean(rate: float | None) -> str:
    return "no partner" if rate is None else f"{rate:.1f}"


def _ratio(effect: GroupEffect) -> Text:
    """Returns the ratio of the rates; red where partners who like an event cause it no more often than others."""
    if not effect.able:
        return Text("cannot", "dim")
    if effect.ratio is not None:
        return Text(f"{effect.ratio:.2f}", "green" if effect.ratio > 1 else "red")
    if effect.liked is None or effect.disliked is None:
        return Text("–")
    return Text("∞", "green") if effect.liked else Text("never", "red")
