"""The best score of finished games on each kitchen, seed and horizon, remembered from one start to the next.

What two plain cooks reach in a kitchen: `proagent` with itself, played in the background.
"""

import hashlib
import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import TypeAdapter

from bba.errors import BBAError
from bba.files import read_text, write_whole
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
        match self._read().get(_key(config)):
            case [int(score), str(cooks)]:
                return BestScore(score, cooks)
        return None

    def keep(self, trace: Trace) -> None:
        """Remembers a game that was played to its end, if none was better."""
        config, before = trace.config, self.best(trace.config)
        broken_off = len(trace.ticks) < config.horizon
        if self.path is None or broken_off or (before is not None and before.score >= trace.score):
            return
        known = self._read() | {_key(config): [trace.score, " and ".join(config.labels)]}
        with suppress(OSError, BBAError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, json.dumps(known, indent=2) + "\n")

    def _read(self) -> dict[str, Any]:
        """Returns the contents of the file; nothing where it cannot be used."""
        if self.path is None:
            return {}
        # ValueError: not JSON; RecursionError: too deep.
        with suppress(BBAError, ValueError, RecursionError):
            data = json.loads(read_text(self.path))
            if isinstance(data, dict):
                return data
        return {}


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
    for _ in trace.ticks:
        game.step()
        time.sleep(BREATH)
    return game.trace.score
