"""Best scores: what the score of a game is compared with.

That is the best score in the same kitchen with the same seed and horizon, and the score of the same game without a
belief.
"""

import hashlib
import time
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from bba.agents import ROLLOUT
from bba.files import recalled, remember
from bba.kitchen import Layout
from bba.planner import futures_are_compiled
from bba.play import EGO, GameConfig, Trace, plays_without_belief, without_belief


class BestScore(NamedTuple):
    """A score, and who reached it."""

    score: int
    cooks: str


class BestScores:
    """Remembers best scores. Nothing here is an error: a file that cannot be used holds none.

    Args:
        path: the file, JSON; None remembers nothing.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path

    def best(self, config: GameConfig) -> BestScore | None:
        """Returns the best score in the same kitchen with the same seed and as many steps; None if there is none."""
        match recalled(self.path).get(_key(config)):
            case [int(score), str(cooks)]:
                return BestScore(score, cooks)
        return None

    def keep(self, trace: Trace) -> None:
        """Remembers a game that was played to its end, if none was better."""
        config = trace.config
        broken_off = len(trace.ticks) < config.horizon
        if self.path is None or broken_off:
            return
        best = self.best(config)
        if best is not None and best.score >= trace.score:
            return
        scores = recalled(self.path)
        scores[_key(config)] = [trace.score, " and ".join(config.labels)]
        remember(self.path, scores)


def _key(config: GameConfig) -> str:
    """Returns what a score can be compared within: the kitchen to the letter, the seed, the steps, the mobility."""
    kitchen = hashlib.sha256(TypeAdapter(Layout).dump_json(config.layout)).hexdigest()[:12]
    first, second = config.mobility
    return f"{config.layout.name} {kitchen} seed {config.seed} steps {config.horizon} mobility {first:g} {second:g}"


BREATH = 0.001  # seconds between two steps, so that keys stay quick


def has_reference(trace: Trace) -> bool:
    """Whether there is a game without a belief to compare with, for which nothing need be compiled first."""
    if not trace.ticks or not plays_without_belief(trace):
        return False
    return trace.config.seats[EGO].planner != ROLLOUT or futures_are_compiled()


def reference_score(trace: Trace) -> int:
    """Returns the score of a game that has a reference after as many steps, had its ego no belief.

    Raises:
        BBAError: that game cannot be played.
    """
    game = without_belief(trace)
    for _ in range(len(trace.ticks)):
        game.step()
        time.sleep(BREATH)
    return game.trace.score
