"""The truth of a game: what its trace says that the players really do, for an oracle in the place of a belief."""

from bba.agents import BeliefConfig, EpisodeContext
from bba.agents.partner_models import behaviour_prior
from bba.belief.oracle import OracleModel
from bba.kitchen.constants import NO_SKILL
from bba.play.trace import Trace


class Truth:
    """What a game's trace says that the other player has done.

    Args:
        trace: of the game; None as long as there is none.
    """

    def __init__(self, trace: Trace | None = None) -> None:
        self.trace = trace

    def model_of(self, context: EpisodeContext, belief_config: BeliefConfig) -> OracleModel:
        """Returns a model of a player's partner that is told this truth."""
        partner = 1 - context.player
        prior = behaviour_prior(context, belief_config)
        return OracleModel(belief_config, lambda step: self.skill(step, partner), prior)

    def skill(self, step: int, player: int) -> int:
        """Returns the skill that a player ran in a step; `NO_SKILL` if none."""
        return self.trace.ticks[step - 1].skills[player] if self.trace and step else NO_SKILL
