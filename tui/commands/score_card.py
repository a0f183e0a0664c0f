"""A frozen benchmark and its score card, which anyone can check."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bba.agents import SeatSpec
from bba.analysis import MEASURES, find_measure
from bba.bench import ResultsStore, plan_sweep
from bba.bench.formatting import NONE
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
from bba.errors import BBAError
from bba.files import write_whole
from bba.tables import table_of
from bba.terminal_text import print_lines, shell_word, visible_line
from tui.arguments.seat_options import agent_options
from tui.commands.compiling import compiling_told
from tui.commands.output import Printed, print_all, with_bar
from tui.commands.sweep import RESULTS_FOLDER, complain_of_failures, forget_damaged, play_missing

if TYPE_CHECKING:
    from tui.commands.score import Score, Verify

CARD_MEASURES = (
    "reward",
    "deliveries",
    "gap_rate",
    "duplicate_rate",
    "replans",
    "recovery",
    "reached_30",
    "needless_replans",  # what it costs to reach an ego: one that changes its mind in every step is always reached
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


def play_benchmark(settings: "Score") -> None:
    """Plays what is missing of the benchmark, then writes the score card and prints a summary.

    Raises:
        BBAError: an agent that cannot play all of it, or episodes that failed.
    """
    protocol = load_protocol(settings.version)
    protocol.size(settings.size)
    protocol.check(settings.weights)
    options = agent_options(settings)
    plan = plan_sweep(protocol.sweep(settings.size, settings.agent), options, one_model=True)
    if plan.left_out:
        raise BBAError(f"score {protocol.version}: {settings.agent} cannot play all of it: {plan.left_out[0]}")
    folder = settings.out or RESULTS_FOLDER / f"benchmark-{protocol.version}"
    with ResultsStore(folder) as store:
        forget_damaged(store)
        store.register(plan.sweep.name, plan.sweep.model_dump_json(), plan.entries)
        play_missing(plan, store, options, settings, keep_recordings=True)
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
    labels = [MEASURES[protocol.measured_as(name)].label.replace(" ", "\n") for name in names]
    title = f"{card.agent.name}: {protocol.title}"
    table = table_of(("kitchen", "partners"), labels, rows=rows, title=title)
    notes = [
        *_notes(card, protocol.scoring),
        f"written to {visible_line(path)}; check it: bba-tui verify {shell_word(path)}",
    ]
    parts: list[Printed] = [table]
    parts += [(note, "dim") for note in notes]
    print_all(parts)


def _notes(card: ScoreCard, scoring: int) -> list[str]:
    belief = card.calibration
    speed = card.speed
    cost = card.cost
    lines = [
        f"{card.protocol.version} {card.protocol.size}: {len(card.episodes)} games; mean with its 95 % interval; "
        f"scoring rule {scoring}",
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


def verify_card(settings: "Verify") -> None:
    """Checks the card that the options name, and prints that it holds.

    Raises:
        BBAError: it does not.
    """
    card = read_card(settings.card)
    try:
        played = _played_again(card, settings)
    except BBAError as error:
        raise BBAError(f"{settings.card}: does not hold: {error}") from None
    held = f"all means follow from its {len(card.episodes)} games"
    benchmark = f"{card.protocol.version} {card.protocol.size}"
    print_lines(f"{visible_line(settings.card)}: holds: {card.agent.name} in {benchmark}, {held}; {played}")


def _played_again(card: ScoreCard, settings: "Verify") -> str:
    """Checks the contents, plays games again, and returns how many, in words."""
    protocol = load_protocol(card.protocol.version)
    check_contents(card, protocol)
    if not repeatable(card):
        return "none was played again, since what plans for it does not decide the same again"
    protocol.check(settings.weights)
    games = drawn(card, settings.again)
    options = SeatSpec(weights=settings.weights, prompts=settings.prompts)
    with compiling_told(verbose=settings.verbose, moving=False):
        repeated = play_again(card, protocol, games, options)
        same = sum(1 for _ in with_bar(repeated, len(games), "games"))
    return f"{same} of them played again, the same to the bit"
