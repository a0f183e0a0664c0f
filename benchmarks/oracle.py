"""Games with an oracle: the ego's belief is what its partner really does, to see what knowing that is worth.

A profile with `oracle` marks such an ego, so that recordings and forks of these games tell it the truth again.
"""

from dataclasses import replace
from typing import Any

from bba.agents.registry import AgentOptions, load_agent
from bba.kitchen import Layout
from bba.play.game import Game
from bba.play.oracle import Truth


def oracle_game(
    layout: str | Layout,
    ego: str,
    partner: str,
    seed: int = 0,
    options: AgentOptions | None = None,
    **settings: Any,
) -> Game:
    """Returns a game whose ego, if it has a belief, is told the truth instead.

    Args:
        layout, ego, partner, seed: as in `Game`, the agents by name.
        options: the options of both agents.
        settings: the other arguments of `Game`.

    Raises:
        BBAError: as `Game`.
    """
    truth, options = Truth(), options or AgentOptions()
    told = replace(options, oracle=truth.model_of)
    game = Game(layout, load_agent(ego, told), load_agent(partner, options), seed, **settings)
    truth.trace = game.trace
    return game
