"""The commands `score`, `verify` and `check-partners`."""

from pathlib import Path
from typing import Annotated

from pydantic import Field

from bba.config import EPISODE_DEFAULTS, Steps
from bba.settings import AgentName, FirstSeed, Plugins, Prompts, Weights
from tui.arguments.options import (
    AsJson,
    CommandOptions,
    GamesAgain,
    ManyGames,
    Out,
    ScoreOptions,
    Seeds,
    SomeKitchens,
    Verbose,
    WorkerCount,
    Yes,
)


class Score(ScoreOptions, ManyGames, CommandOptions):
    """Options of `score`."""

    version: str = "v1"
    agent: AgentName = "bayes"
    yes: Yes = False
    as_json: AsJson = False
    out: Out = None


def score(options: Score) -> None:
    """Play a frozen benchmark and write a score card.

    Raises:
        BBAError: an agent that cannot play all of it, or episodes that failed.
    """
    from tui.commands.score_card import play_benchmark

    play_benchmark(options)


class Verify(CommandOptions):
    """Options of `verify`."""

    card: Path
    again: GamesAgain = 8
    plugins: Plugins = None
    weights: Weights = None
    prompts: Prompts = None
    verbose: Verbose = False


def verify(options: Verify) -> None:
    """Check a score card, and play some of its games again.

    Raises:
        BBAError: the card does not hold.
    """
    from tui.commands.score_card import verify_card

    verify_card(options)


Horizon = Annotated[Steps, Field(description="steps of a game")]


class CheckPartners(SomeKitchens, CommandOptions):
    """Options of `check-partners`."""

    seed: FirstSeed = 0
    seeds: Seeds = 1
    horizon: Horizon = EPISODE_DEFAULTS.horizon
    weights: Weights = None
    workers: WorkerCount = None
    as_json: AsJson = False


def check_partners(options: CheckPartners) -> None:
    """Play the learned partners and print what they do against their weights.

    Raises:
        BBAError: an unsuitable option, missing weights, or games that cannot be played.
    """
    from tui.commands.partner_check import check_partners as check

    check(options)
