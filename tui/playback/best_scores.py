"""Best scores: what the score of a game is compared with.

That is the best score in the same kitchen with the same seed and horizon, and the score of two plain cooks.
"""

import hashlib
import time
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from bba.files import recalled, remember
from bba.kitchen import Layout
from bba.play import Game, GameConfig, Trace


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


AGENT = "proagent"  # with the scripted planner
BREATH = 0.001  # seconds between two steps, so that keys stay quick


def reference_score(trace: Trace) -> int:
    """Returns the score of `AGENT` with itself in the same kitchen, with the same seed, after as many steps."""
    config = trace.config
    game = Game(
        config.layout,
        AGENT,
        AGENT,
        config.seed,
        horizon=config.horizon,
        mobility=config.mobility,
        skill_timeout=config.skill_timeout,
    )
    for _ in range(len(trace.ticks)):
        game.step()
        time.sleep(BREATH)
    return game.trace.score
