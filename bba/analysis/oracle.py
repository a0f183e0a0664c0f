"""Games with an oracle: the ego's belief is what its partner really does, to see what knowing that is worth."""

from dataclasses import replace
from typing import Any

from bba.agents import AgentOptions, BeliefConfig, EpisodeContext, Profile, load_agent
from bba.agents.base import ModelOfPartner
from bba.agents.partner_models import behaviour_prior, partner_model
from bba.belief.oracle import OracleModel
from bba.kitchen import Layout
from bba.kitchen.constants import NO_SKILL
from bba.play.fork import fork
from bba.play.game import Game
from bba.play.trace import EGO, Trace


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


def oracle_fork(trace: Trace, step: int, seats: tuple[Profile, Profile], options: AgentOptions) -> Game:
    """Returns a fork whose ego, if it has a belief, is told the truth from the start; the past is as it was.

    Args:
        trace, step, seats, options: as in `fork`.

    Raises:
        BBAError: as `fork`.
    """
    truth = Truth(trace)  # until the fork has a trace of its own; they share the first steps

    def model_of(context: EpisodeContext, belief_config: BeliefConfig) -> ModelOfPartner:
        if context.player == EGO:
            return truth.model_of(context, belief_config)
        return partner_model(context, belief_config, options.weights)

    game = fork(trace, step, seats, replace(options, model_of=model_of))
    truth.trace = game.trace
    return game
