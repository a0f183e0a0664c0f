"""The command `--verify`: checks a score card and says in one line what holds, or what is wrong."""

import sys

from bba.agents import AgentOptions
from bba.bench.score_card.card import ScoreCard, read_card
from bba.bench.score_card.check import check_contents, drawn, play_again, repeatable
from bba.bench.score_card.protocol import load_protocol
from bba.errors import BBAError
from bba.settings import Settings
from tui.arguments import check_options
from tui.commands.bar import with_bar
from tui.commands.compiling import announce_compiling

TAKES = ("again", "plugins", "weights", "prompts", "headless", "config")


def verify_card(settings: Settings) -> None:
    """Checks the card that the settings name, and prints that it holds.

    Raises:
        BBAError: it does not, or an option does not go with it.
    """
    check_options(settings, "verify", TAKES)
    assert settings.verify is not None  # this command is called for it
    card = read_card(settings.verify)
    try:
        played = _played_again(card, settings)
    except BBAError as error:
        raise BBAError(f"{settings.verify}: does not hold: {error}") from None
    sys.stdout.write(f"{settings.verify}: holds: {_what(card)}; {played}\n")


def _what(card: ScoreCard) -> str:
    where, games = card.protocol, len(card.episodes)
    return f"{card.agent.name} in {where.version} {where.size}, all means follow from its {games} games"


def _played_again(card: ScoreCard, settings: Settings) -> str:
    """Checks the contents, plays games again, and returns how many, in words."""
    protocol = load_protocol(card.protocol.version)
    check_contents(card, protocol)
    if not repeatable(card):
        return "none was played again, since what plans for it does not decide the same again"
    protocol.check(settings.weights)
    games = drawn(card, settings.again)
    announce_compiling(card.agent.profile.planner)
    options = AgentOptions(weights=settings.weights, prompts=settings.prompts)
    same = sum(1 for _ in with_bar(play_again(card, protocol, games, options), len(games), "games"))
    return f"{same} of them played again, the same to the bit"
