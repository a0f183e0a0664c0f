"""The commands `score`, `verify` and `check-partners`: a frozen benchmark and its score card, and what learned partners
do against their weights.
"""

import json
import sys
from collections.abc import Sequence
from concurrent.futures import as_completed
from contextlib import closing
from pathlib import Path
from typing import Any

from bba.agents import SeatSpec
from bba.analysis import MEASURES, find_measure
from bba.bench import ResultsStore, plan_sweep, reason
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
from bba.bench.results_reader import read_recording
from bba.bench.score_card.card import CardValue, Protocol, ScoreCard, card_text, load_protocol, read_card
from bba.bench.score_card.check import (
    card_episodes,
    check_contents,
    drawn,
    file_name,
    make_card,
    play_again,
    repeatable,
)
from bba.errors import BBAError, seeds_from
from bba.files import write_whole
from bba.kernels import COMPILING
from bba.kitchen.observation import FEATURE_NAMES
from bba.report.formatting import NONE
from bba.settings import Settings
from bba.tables import Cell, Table, TableRow, table_of
from bba.terminal_text import print_lines, shell_word, visible_line
from tui.arguments import check_options, option, wanted_layouts
from tui.commands.output import Printed, print_all, with_bar
from tui.commands.sweep import RESULTS_FOLDER, complain_of_failures, forget_damaged, play_missing
from tui.game_factory import agent_options

# Options of other commands, or of what the protocol says itself.
FIXED = (
    "layout",
    "layouts",
    "partner",
    "partners",
    "partner_option",
    "schedule",
    "seed",
    "seeds",
    "horizon",
    "mobility",
    "skill_timeout",
    "agents",
    "sweep",
    "record",
    "replay",
    "export",
    "export_steps",
    "measures",
    "dry_run",
)
CARD_MEASURES = (
    "reward",
    "deliveries",
    "gap_rate",
    "duplicate_rate",
    "replans",
    "recovery",
    "reached_30",
)  # in the summary


def score_text(value: CardValue | None, measure: str) -> str:
    """Returns a mean with its interval, with the decimals of a measure."""
    if value is None:
        return NONE
    places = find_measure(measure).decimals
    mean = f"{value.mean:.{places}f}"
    if value.low is None or value.high is None:
        return mean
    return f"{mean} [{value.low:.{places}f}, {value.high:.{places}f}]"


def play_benchmark(settings: Settings) -> None:
    """Plays what is missing of the benchmark, then writes the score card and prints a summary.

    Raises:
        BBAError: an option that does not go with it, an agent that cannot play all of it, or episodes that failed.
    """
    protocol = load_protocol(settings.benchmark or "")
    for name in FIXED:
        if name in settings.model_fields_set:
            raise BBAError(f"{option(name)}: cannot be set for a score; {protocol.version} fixes it")
    protocol.size(settings.size)
    protocol.check(settings.weights)
    settings = settings.model_copy(update={"keep_recordings": True})
    options = agent_options(settings)
    plan = plan_sweep(protocol.sweep(settings.size, settings.agent), options, one_model=True)
    if plan.left_out:
        raise BBAError(f"--benchmark {protocol.version}: {settings.agent} cannot play all of it: {plan.left_out[0]}")
    folder = settings.out or RESULTS_FOLDER / f"benchmark-{protocol.version}"
    with ResultsStore(folder) as store:
        forget_damaged(store)
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        play_missing(plan, store, options, settings)
        results = store.results(plan.episodes)
        complain_of_failures(results, len(plan.episodes) - len(results), settings)
    games = card_episodes(protocol, plan, results, lambda key: _recording(folder, key))
    read_games = list(with_bar(games, len(plan.entries), "reading the games"))
    card = make_card(protocol, settings.size, plan, read_games)
    path = folder / file_name(card)
    write_whole(path, card_text(card))
    if settings.as_json:
        sys.stdout.write(path.read_text("utf-8"))
    else:
        print_summary(card, protocol, path)


def _recording(folder: Path, key: str) -> bytes:
    recording = read_recording(folder, key)
    if recording is None:
        raise BBAError(f"{folder}: the recording of episode {key} is gone; the same command plays it again")
    return recording


def print_summary(card: ScoreCard, protocol: Protocol, path: Path) -> None:
    """Prints the means over all games, one column a measure, and how to check the card."""
    names = [name for name in protocol.measures if name in CARD_MEASURES]
    cells = [(cell.layout, cell.group, cell.measures) for cell in card.cells]
    cells.append(("all", "all", card.overall))
    rows: list[list[str]] = []
    for kitchen, group, values in cells:
        scores = [score_text(values.get(name), name) for name in names]
        rows.append([kitchen, group, *scores])
    labels = [MEASURES[name].label.replace(" ", "\n") for name in names]
    title = f"{card.agent.name}: {protocol.title}"
    table = table_of(("kitchen", "partners"), labels, rows=rows, title=title)
    notes = [*_notes(card), f"written to {visible_line(path)}; check it: bba-tui verify {shell_word(path)}"]
    parts: list[Printed] = [table]
    parts += [(note, "dim") for note in notes]
    print_all(parts)


def _notes(card: ScoreCard) -> list[str]:
    belief = card.calibration
    speed = card.speed
    cost = card.cost
    lines = [
        f"{card.protocol.version} {card.protocol.size}: {len(card.episodes)} games; mean with its 95 % interval",
        f"{speed.decisions_a_second:g} decisions a second; {speed.steps_a_second:g} steps, partner included",
    ]
    if belief is not None:
        right = score_text(belief.accuracy, "skill_accuracy")
        loss = score_text(belief.log_loss, "skill_accuracy")
        lines.append(f"its belief: MAP right {right}, log loss {loss}, calibration error {belief.error:.2f}")
    if cost.prompt_tokens is not None:
        dollars = NONE if cost.dollars is None else f"{cost.dollars:.2f}"
        lines.append(f"{cost.calls} calls, {cost.prompt_tokens} tokens sent, {dollars} US dollars")
    return lines


def verify_card(settings: Settings) -> None:
    """Checks the card that the settings name, and prints that it holds.

    Raises:
        BBAError: it does not, or an option does not go with it.
    """
    check_options(settings, "verify")
    assert settings.verify is not None  # this command is called for it
    card = read_card(settings.verify)
    try:
        played = _played_again(card, settings)
    except BBAError as error:
        raise BBAError(f"{settings.verify}: does not hold: {error}") from None
    held = f"all means follow from its {len(card.episodes)} games"
    benchmark = f"{card.protocol.version} {card.protocol.size}"
    print_lines(f"{visible_line(settings.verify)}: holds: {card.agent.name} in {benchmark}, {held}; {played}")


def _played_again(card: ScoreCard, settings: Settings) -> str:
    """Checks the contents, plays games again, and returns how many, in words."""
    protocol = load_protocol(card.protocol.version)
    check_contents(card, protocol)
    if not repeatable(card):
        return "none was played again, since what plans for it does not decide the same again"
    protocol.check(settings.weights)
    games = drawn(card, settings.again)
    options = SeatSpec(weights=settings.weights, prompts=settings.prompts)
    with COMPILING.told(sys.stderr, moving=False):
        repeated = play_again(card, protocol, games, options)
        same = sum(1 for _ in with_bar(repeated, len(games), "games"))
    return f"{same} of them played again, the same to the bit"


CHECKED_SEEDS = 5  # games of each kind by default


def check_partners(settings: Settings) -> None:
    """Plays the games of the check and prints the results.

    Raises:
        BBAError: an unsuitable setting, missing weights, or games that cannot be played.
    """
    check_options(settings, "check-partners")
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
