"""`python -m benchmarks.leaderboard [CARDS]`: docs/results/leaderboard.md, made from score cards that hold.

Without cards it takes the full ones in `docs/results/data/cards`. Of each, some games are played again (`--again`); a
card that does not hold ends the command. Only what stands between the two marks of the page is written anew.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from bba.agents import SeatSpec
from bba.analysis.plugin_measures import find_measure
from bba.bench.formatting import NONE
from bba.bench.score_card.card import ScoreCard, load_protocol, read_card
from bba.bench.score_card.check import check_contents, drawn, play_again, repeatable
from bba.bench.score_card.summary import summary_of
from bba.bench.statistics import GameRatio, ratio_with_interval
from bba.errors import BBAError
from bba.files import read_text, write_whole
from bba.tables import table_of, to_markdown
from tui.commands.score_card import score_text

PAGE = Path("docs/results/leaderboard.md")
CARDS = Path("docs/results/data/cards")
# What reaches an ego stands beside what that costs: one that changes its mind in every step is always reached.
CARD_COLUMNS = ("reward", "duplicate_rate", "gap_rate", "replans", "recovery", "reached_30", "needless_replans")
BETTER_ARROWS = {1: " ↑", -1: " ↓", 0: ""}  # more is better, less is better, neither
BEGIN, END = "<!-- tables -->\n", "<!-- end of tables -->\n"


def main() -> int:
    """Checks the cards and writes the page; returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.leaderboard", description=__doc__)
    parser.add_argument(
        "cards", type=Path, nargs="*", help="score cards; without any the full ones in docs/results/data/cards"
    )
    parser.add_argument("--again", type=int, default=1, help="how many games of each are played again")
    parser.add_argument("--page", type=Path, default=PAGE)
    arguments = parser.parse_args()
    try:
        cards = [verified(path, arguments.again) for path in arguments.cards or sorted(CARDS.glob("*-full.json"))]
        write_whole(arguments.page, filled(read_text(arguments.page), cards))
    except BBAError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def verified(path: Path, again: int) -> ScoreCard:
    """Returns the card in a file, after so many of its games were played again.

    Raises:
        BBAError: it does not hold.
    """
    card = read_card(path)
    try:
        protocol = load_protocol(card.protocol.version)
        check_contents(card, protocol)
        games = drawn(card, again) if repeatable(card) and again else []
        list(play_again(card, protocol, games, SeatSpec()))
    except BBAError as error:
        raise BBAError(f"{path}: does not hold: {error}") from None
    return card


def filled(page: str, cards: Sequence[ScoreCard]) -> str:
    """Returns the page with the tables of these cards between its marks.

    Raises:
        BBAError: it lacks a mark.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise BBAError(f"{PAGE}: lacks the marks {BEGIN.strip()} and {END.strip()}")
    return f"{before}{begin}\n{leaderboards(cards)}\n{end}{after}"


def over_seeds(card: ScoreCard) -> ScoreCard:
    """Returns a card with intervals over seeds, whichever it came with; they follow from its games."""
    return card.model_copy(update=dict(summary_of(load_protocol(card.protocol.version), card.episodes)))


def leaderboards(verified_cards: Sequence[ScoreCard]) -> str:
    """Returns the tables of all protocols and sizes among these cards in Markdown, the larger size first."""
    cards = [over_seeds(card) for card in verified_cards]
    kinds = dict.fromkeys(_kind(card) for card in sorted(cards, key=lambda card: -len(card.episodes)))
    return "\n".join(_section(kind, [card for card in cards if _kind(card) == kind]) for kind in kinds)


def _kind(card: ScoreCard) -> str:
    return f"{card.protocol.version} {card.protocol.size}"


def _section(kind: str, cards: Sequence[ScoreCard]) -> str:
    """Returns two tables: all games together, and the reward by kitchen and against the first card."""
    ranked = sorted(cards, key=lambda card: -card.overall["reward"].mean)
    protocol = load_protocol(cards[0].protocol.version)
    headings = (*(_heading(protocol.measured_as(name)) for name in CARD_COLUMNS), "belief: right ↑", "its error ↓")
    overall = table_of(["agent"], headings, rows=map(_row, ranked))
    layouts = list(dict.fromkeys(cell.layout for cell in ranked[0].cells))
    rows = ((card.agent.name, *_by_kitchen(card, layouts), _behind(card, ranked[0])) for card in ranked)
    kitchens = table_of(["reward"], [*layouts, "against the first, game by game"], rows=rows)
    title = f"## {kind}: {len(ranked[0].episodes)} games an agent, scoring rule {protocol.scoring}"
    return f"{title}\n\n{to_markdown(overall, aligned=False)}\n\n{to_markdown(kitchens, aligned=False)}\n"


def _heading(name: str) -> str:
    """Returns a measure's label with its unit, and an arrow that says whether more or less of it is better."""
    measure = find_measure(name)
    unit = f", {measure.unit}" if measure.unit and measure.unit not in measure.label else ""
    return f"{measure.label}{unit}{BETTER_ARROWS[measure.better]}"


def _row(card: ScoreCard) -> tuple[str, ...]:
    belief = card.calibration
    known = (NONE, NONE) if belief is None else (f"{belief.accuracy.mean:.2f}", f"{belief.error:.2f}")
    values = (score_text(card.overall.get(name), name) for name in CARD_COLUMNS)
    return card.agent.name, *values, *known


def _by_kitchen(card: ScoreCard, layouts: Sequence[str]) -> Iterator[str]:
    """Yields the mean reward of a card in each kitchen."""
    for name in layouts:
        rewards = [one.measures["reward"] for one in card.episodes if one.layout == name]
        yield f"{sum(rewards) / len(rewards):.0f}"


def _behind(card: ScoreCard, first: ScoreCard) -> str:
    """Returns the mean difference of the rewards of the same games to those of the first card, with its interval."""
    best = {game.place: game.measures["reward"] for game in first.episodes}
    differences = []
    for game in card.episodes:
        partner = f"{game.group} {game.partner}"
        difference = game.measures["reward"] - best[game.place]
        differences.append(GameRatio(game.layout, partner, game.seed, difference))
    found = ratio_with_interval(differences)
    if card is first or found is None:
        return NONE
    if found.low is None or found.high is None:
        return f"{found.mean:+.0f}"
    return f"{found.mean:+.0f} [{found.low:+.0f}, {found.high:+.0f}]"


if __name__ == "__main__":
    sys.exit(main())
