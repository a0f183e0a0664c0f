"""Games with an oracle: the ego's belief is what its partner really does, to see what knowing that is worth.

A profile with `oracle` marks such an ego, so that recordings and forks of these games tell it the truth again.
"""

from dataclasses import replace
from typing import Any

from bba.agents import SeatSpec, seat_of
from bba.kitchen import Layout
from bba.play.game import Game


def oracle_game(
    layout: str | Layout,
    ego: str,
    partner: str,
    seed: int = 0,
    options: SeatSpec | None = None,
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
    told = replace(seat_of(ego, options), knows="policy")
    return Game(layout, told, seat_of(partner, options), seed, **settings)
