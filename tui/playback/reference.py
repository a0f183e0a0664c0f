"""What two plain cooks reach in a kitchen: `proagent` with itself, played in the background."""

import time

from bba.play import Game, GameConfig

AGENT = "proagent"  # with the scripted planner
BREATH = 0.001  # seconds between two steps, so that keys stay quick


def reference_score(config: GameConfig) -> int:
    """Returns the score of `AGENT` with itself in the same kitchen, with the same seed and as many steps."""
    game = Game(
        config.layout,
        AGENT,
        AGENT,
        config.seed,
        horizon=config.horizon,
        mobility=config.mobility,
        skill_timeout=config.skill_timeout,
    )
    while not game.done:
        game.step()
        time.sleep(BREATH)
    return game.trace.score
