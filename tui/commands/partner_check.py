"""Plays the learned partners and prints what they do against their weights."""

import json
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from contextlib import closing
from typing import TYPE_CHECKING, Any

from bba.agents import SeatSpec
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
from bba.tables import Cell, Table, TableRow, table_of
from tui.commands.kitchens import wanted_layouts
from tui.commands.output import Printed, print_all, with_bar

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
    options = SeatSpec(weights=settings.weights)
    games = check_games(wanted_layouts(settings), seeds, settings.horizon, options)
    rows = partner_rows(_play(games, options, settings.workers))
    if settings.as_json:
        _print_json(rows, seeds, settings.horizon)
    else:
        _print_tables(rows, f"{EGO_AGENT} beside it, {settings.horizon} steps, seeds {seeds[0]} to {seeds[-1]}")


def _play(games: Sequence[CheckGame], options: SeatSpec, workers: int | None) -> list[tuple[CheckGame, GameCounts]]:
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
        partners = [row for row in rows if row.layout == layout and row.seat == seat]
        parts += [_rates(partners, f"{layout}, the partner in seat {seat}"), ("", "")]
    parts += [
        _effects(list(group_effects(rows))),
        (f"+ liked, − disliked, – cannot be done from that seat; {note}", "dim"),
    ]
    print_all(parts)


def _rates(rows: Sequence[PartnerRow], title: str) -> Table:
    numbers = [name.replace("_", "\n") for name in (*FEATURE_NAMES, "reward", "self_play")]
    cells: list[TableRow] = []
    for row in rows:
        rates = map(_rate, row.rates, row.weights, row.able)
        cells.append([row.partner, *rates, f"{row.reward:.0f}", f"{row.self_play:.0f}"])
    return table_of(["partner"], numbers, rows=cells, title=title)


def _rate(rate: float, weight: float, able: bool) -> Cell:
    """Returns an event rate, with a sign and colour for the partner's preference."""
    number = f"{rate:.1f}" if able else "–"
    if weight > 0:
        return Cell(f"{number}+", style="green")
    if weight < 0:
        return Cell(f"{number}−", style="red")
    return Cell(f"{number} ")


def _effects(effects: Sequence[GroupEffect]) -> Table:
    rows: list[TableRow] = []
    for effect in effects:
        place = (effect.layout, str(effect.seat), effect.group, FEATURE_NAMES[effect.feature])
        rows.append([*place, _mean(effect.liked), _mean(effect.disliked), _ratio(effect)])
    return table_of(
        ("layout", "seat", "group", "feature"),
        ("liked", "disliked", "ratio"),
        rows=rows,
        title="those who like it beside those who do not, events a game",
    )


def _mean(rate: float | None) -> str:
    return "no partner" if rate is None else f"{rate:.1f}"


def _ratio(effect: GroupEffect) -> Cell:
    """Returns the ratio of the rates; red where partners who like an event cause it no more often than others."""
    if not effect.able:
        return Cell("cannot", style="dim")
    if effect.ratio is not None:
        return Cell(f"{effect.ratio:.2f}", style="green" if effect.ratio > 1 else "red")
    if effect.liked is None or effect.disliked is None:
        return Cell("–")
    return Cell("∞", style="green") if effect.liked else Cell("never", style="red")
