"""The command `--benchmark`: plays a frozen benchmark with one agent, writes its score card and prints a summary."""

import shlex
import sys
from pathlib import Path

from rich.table import Table

from bba.analysis.measures import MEASURES
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import read_recording
from bba.bench.results_store import ResultsStore
from bba.bench.score_card.card import ScoreCard, write_card
from bba.bench.score_card.making import card_episodes, file_name, make_card
from bba.bench.score_card.protocol import Protocol, load_protocol
from bba.errors import BBAError
from bba.report.formatting import NONE
from bba.report.score_cards import score_text
from bba.settings import Settings
from tui.commands.bar import with_bar
from tui.commands.output import output
from tui.commands.sweep import RESULTS, complain_of_failures, forget_damaged, play_missing
from tui.game_factory import agent_options, options_of_seats

# Options of other commands, or of what the protocol says itself.
FIXED = (
    *("layout", "layouts", "partner", "partners", "partner_option", "schedule", "seed", "seeds", "horizon", "mobility"),
    *("skill_timeout", "agents", "sweep", "record", "replay", "export", "export_steps", "measures", "dry_run"),
)
SHOWN = ("reward", "deliveries", "gap_rate", "duplicate_rate", "replans", "recovery", "reached_30")  # in the summary


def play_benchmark(settings: Settings) -> None:
    """Plays what is missing of the benchmark, then writes the score card and prints a summary.

    Raises:
        BBAError: an option that does not go with it, an agent that cannot play all of it, or episodes that failed.
    """
    protocol = load_protocol(settings.benchmark or "")
    _check(settings, protocol)
    protocol.check(settings.weights)
    settings = settings.model_copy(update={"keep_recordings": True})
    options = options_of_seats(settings, agent_options(settings))[0]
    plan = plan_sweep(protocol.sweep(settings.size, settings.agent), options, one_model=True)
    if plan.left_out:
        raise BBAError(f"--benchmark {protocol.version}: {settings.agent} cannot play all of it: {plan.left_out[0]}")
    folder = settings.out or RESULTS / f"benchmark-{protocol.version}"
    with ResultsStore(folder) as store:
        forget_damaged(store)
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        play_missing(plan, store, options, settings)
        results = store.results(plan.episodes)
        complain_of_failures(results, len(plan.episodes) - len(results), settings)
    games = card_episodes(protocol, plan, results, lambda key: _recording(folder, key))
    card = make_card(protocol, settings.size, plan, [*with_bar(games, len(plan.entries), "reading the games")])
    path = folder / file_name(card)
    write_card(card, path)
    if settings.as_json:
        sys.stdout.write(path.read_text("utf-8"))
    else:
        print_summary(card, protocol, path)


def _check(settings: Settings, protocol: Protocol) -> None:
    for name in FIXED:
        if name in settings.model_fields_set:
            raise BBAError(f"--{name.replace('_', '-')}: does not go with --benchmark; {protocol.version} says it")
    protocol.size(settings.size)


def _recording(folder: Path, key: str) -> bytes:
    found = read_recording(folder, key)
    if found is None:
        raise BBAError(f"{folder}: the recording of episode {key} is gone; the same command plays it again")
    return found


def print_summary(card: ScoreCard, protocol: Protocol, path: Path) -> None:
    """Prints the means over all games, one column a measure, and how to check the card."""
    table = Table(box=None, pad_edge=False)
    table.add_column("kitchen")
    table.add_column("partners")
    names = [name for name in protocol.measures if name in SHOWN]
    for name in names:
        table.add_column(MEASURES[name].label.replace(" ", "\n"), justify="right")
    rows = [(cell.layout, cell.group, cell.measures) for cell in card.cells]
    for layout, group, measures in [*rows, ("all", "all", card.overall)]:
        values = (measures.get(name) for name in names)
        table.add_row(layout, group, *(score_text(value, name) for value, name in zip(values, names, strict=True)))
    with output() as console:
        console.print(f"{card.agent.name}: {protocol.title}", style="bold", soft_wrap=True)
        console.print(table)
        for line in (*_notes(card), f"written to {path}; check it: bba-tui verify {shlex.quote(str(path))}"):
            console.print(line, style="dim", soft_wrap=True)


def _notes(card: ScoreCard) -> list[str]:
    """Returns what belief, speed and cost were, a line each."""
    belief, speed, cost = card.calibration, card.speed, card.cost
    lines = [
        f"{card.protocol.version} {card.protocol.size}: {len(card.episodes)} games; mean with its 95 % interval",
        f"{speed.decisions_a_second:g} decisions a second; {speed.steps_a_second:g} steps, partner included",
    ]
    if belief is not None:
        right, loss = score_text(belief.accuracy, "skill_accuracy"), score_text(belief.log_loss, "skill_accuracy")
        lines.append(f"its belief: MAP right {right}, log loss {loss}, calibration error {belief.error:.2f}")
    if cost.prompt_tokens is not None:
        dollars = NONE if cost.dollars is None else f"{cost.dollars:.2f}"
        lines.append(f"{cost.calls} calls, {cost.prompt_tokens} tokens sent, {dollars} US dollars")
    return lines
