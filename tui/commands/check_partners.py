"""The command `check-partners`: plays games with learned partners on all cores and prints what they prefer."""

import json
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from typing import Any

from rich.table import Table
from rich.text import Text

from bba.agents import AgentOptions
from bba.bench.engines import ProcessEngine
from bba.bench.episode import reason
from bba.bench.preference_check import (
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
from bba.errors import BBAError
from bba.kitchen.observation import FEATURE_NAMES
from bba.settings import Settings
from tui.arguments import check_options, wanted_layouts
from tui.commands.output import Printed, plain_table, print_all, with_bar

CHECKED_SEEDS = 5  # games of each kind by default


def check_partners(settings: Settings) -> None:
    """Plays the games of the check and prints the results.

    Raises:
        BBAError: an unsuitable setting, missing weights, or games that cannot be played.
    """
    check_options(settings, "check-partners")
    count = settings.seeds if "seeds" in settings.model_fields_set else CHECKED_SEEDS
    seeds = range(settings.seed, settings.seed + count)
    options = AgentOptions(weights=settings.weights)
    played = _play(check_games(wanted_layouts(settings), seeds, settings.horizon, options), options, settings.workers)
    found = partner_rows(played)
    if settings.as_json:
        _print_json(found, seeds, settings.horizon)
    else:
        _print_tables(found, f"{EGO_AGENT} beside it, {settings.horizon} steps, seeds {seeds[0]} to {seeds[-1]}")


def _play(
    wanted: Sequence[CheckGame], options: AgentOptions, workers: int | None
) -> list[tuple[CheckGame, GameCounts]]:
    engine = ProcessEngine(workers)
    try:
        futures = {engine.submit(play_check_game, game, options): game for game in wanted}
        finished = with_bar(as_completed(futures), len(futures), "games")
        done = {futures[future]: future.result() for future in finished}
    except BBAError:
        raise
    except Exception as error:
        raise BBAError(f"the games cannot be played: {reason(error)}") from error
    finally:
        engine.close()
    return [(game, done[game]) for game in wanted]


def _print_json(found: Sequence[PartnerRow], seeds: range, horizon: int) -> None:
    """Prints one JSON object: the event rates of each partner, and the effect of each preference."""
    data = {
        "ego": EGO_AGENT,
        "seeds": list(seeds),
        "horizon": horizon,
        "partners": [_row_data(row) for row in found],
        "contrasts": [
            {
                "group": effect.group,
                "layout": effect.layout,
                "seat": effect.seat,
                "feature": FEATURE_NAMES[effect.feature],
                "able": effect.able,
                "liked": effect.liked,
                "disliked": effect.disliked,
                "ratio": effect.ratio,
            }
            for effect in group_effects(found)
        ],
    }
    sys.stdout.write(json.dumps(data) + "\n")


def _row_data(row: PartnerRow) -> dict[str, Any]:
    of_each = {
        name: {"rate": rate, "weight": weight, "able": able}
        for name, rate, weight, able in zip(
            FEATURE_NAMES, row.rates.round(3).tolist(), row.weights.tolist(), row.able.tolist(), strict=True
        )
    }
    place = {"partner": row.partner, "layout": row.layout, "seat": row.seat}
    return place | {"features": of_each, "reward": row.reward, "self_play": row.self_play}


def _print_tables(found: Sequence[PartnerRow], how: str) -> None:
    """Prints a table of event rates for each layout and seat, then a table of the effects of preferences."""
    parts: list[Printed] = []
    for layout, seat in dict.fromkeys((row.layout, row.seat) for row in found):
        rates = _rates([row for row in found if (row.layout, row.seat) == (layout, seat)])
        parts += [(f"{layout}, the partner in seat {seat}", "bold"), rates, ("", "")]
    parts += [
        ("those who like it beside those who do not, events a game", "bold"),
        _effects(list(group_effects(found))),
        (f"+ liked, − disliked, – cannot be done from that seat; {how}", "dim"),
    ]
    print_all(parts)


def _rates(found: Sequence[PartnerRow]) -> Table:
    table = plain_table(["partner"], [name.replace("_", "\n") for name in (*FEATURE_NAMES, "reward", "self_play")])
    for row in found:
        rates = [_rate(*cell) for cell in zip(row.rates, row.weights, row.able, strict=True)]
        table.add_row(row.partner, *rates, f"{row.reward:.0f}", f"{row.self_play:.0f}")
    return table


def _rate(rate: float, weight: float, able: bool) -> Text:
    """Returns an event rate, with a sign and colour for the partner's preference."""
    sign, style = ("+", "green") if weight > 0 else ("−", "red") if weight < 0 else (" ", "")
    return Text(f"{f'{rate:.1f}' if able else '–'}{sign}", style)


def _effects(found: Sequence[GroupEffect]) -> Table:
    table = plain_table(("layout", "seat", "group", "feature"), ("liked", "disliked", "ratio"))
    for effect in found:
        place = (effect.layout, str(effect.seat), effect.group, FEATURE_NAMES[effect.feature])
        table.add_row(*place, _mean(effect.liked), _mean(effect.disliked), _ratio(effect))
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
