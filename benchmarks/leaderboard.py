"""`python -m benchmarks.leaderboard [CARDS]`: docs/results/leaderboard.md, made from score cards that hold.

Without cards it takes the full ones in `docs/results/data/cards`. Of each, some games are played again (`--again`); a
card that does not hold ends the command. Only what stands between the two marks of the page is written anew.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from bba.agents import AgentOptions
from bba.bench.score_card.card import ScoreCard, read_card
from bba.bench.score_card.check import check_contents, drawn, play_again, repeatable
from bba.bench.score_card.protocol import load_protocol
from bba.errors import BBAError
from bba.files import read_text, write_whole
from tui.commands.benchmark import leaderboards

PAGE = Path("docs/results/leaderboard.md")
CARDS = Path("docs/results/data/cards")
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
        list(play_again(card, protocol, games, AgentOptions()))
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


if __name__ == "__main__":
    sys.exit(main())
