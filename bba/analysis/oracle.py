"""Games with an oracle: the ego's belief is what its partner really does, to measure what knowing that is worth."""

from dataclasses import replace
from typing import Any

from bba.agents import AgentOptions, BeliefConfig, EpisodeContext, load_agent
from bba.belief.oracle import OracleModel
from bba.kitchen import Layout
from bba.kitchen.constants import NO_SKILL
from bba.play.game import Game
from bba.play.trace import Trace


class Truth:
    """What a game's trace says that the other player has done last."""

    def __init__(self) -> None:
        self.trace: Trace | None = None  # of the game, once there is one

    def model_of(self, context: EpisodeContext, belief_config: BeliefConfig) -> OracleModel:
        """Returns a model of a player's partner that is told this truth."""
        return OracleModel(belief_config, lambda: self.last_skill(1 - context.player))

    def last_skill(self, player: int) -> int:
        """Returns the skill that a player ran in the last step; `NO_SKILL` if none."""
        return self.trace.ticks[-1].skills[player] if self.trace and self.trace.ticks else NO_SKILL


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
    told = replace(options, model_of=truth.model_of)
    game = Game(layout, load_agent(ego, told), load_agent(partner, options), seed, **settings)
    truth.trace = game.trace
    return game
