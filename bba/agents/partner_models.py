"""The models that agents have of their partners, and the networks that some of them need."""

from functools import lru_cache
from pathlib import Path

from bba.agents.base import EpisodeContext
from bba.agents.learned.weights import planning_networks
from bba.belief import BeliefConfig, PartnerModel
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Layout
from bba.planner.rollout import BehaviourNetwork, PlanningNetworks


def partner_model(context: EpisodeContext, belief_config: BeliefConfig, weights: Path | None = None) -> PartnerModel:
    """Returns a new model of an agent's partner.

    Args:
        context: of the agent.
        belief_config: the parameters of belief and gates.
        weights: a folder with the behaviour network, if the prior comes from it; None for the shipped one.

    Raises:
        NoWeights: there is no behaviour network for this layout.
    """
    return PartnerModel(
        grid_of(context.layout),
        1 - context.player,
        belief_config,
        stay_model=context.partner_stay_model,
        behaviour=behaviour_model(context, belief_config, weights),
        fast=context.fast,
    )


def behaviour_model(
    context: EpisodeContext, belief_config: BeliefConfig, weights: Path | None = None
) -> BehaviourNetwork | None:
    """Returns what gives a belief its prior, if that comes from a network; arguments and errors as `partner_model`."""
    if belief_config.filter.prior == "counts":
        return None
    return BehaviourNetwork(cached_networks(context.layout, weights), fast=context.fast)


@lru_cache(maxsize=8)
def cached_networks(layout: Layout, weights: Path | None) -> PlanningNetworks:
    """Returns the rollout planner's networks for a layout, which are read once.

    Raises:
        NoWeights: there are none.
    """
    return planning_networks(layout, weights)
