"""The models that agents have of their partners, and the networks that some of them need."""

from pathlib import Path

from bba.agents.base import EpisodeContext
from bba.agents.learned.weights import planning_networks
from bba.belief import BeliefConfig, PartnerModel, StayModel
from bba.belief.roles import hypothesis_space
from bba.belief.tendencies import BehaviourPrior
from bba.planner.rollout import BehaviourNetwork

PERSON_ACTS = 0.2  # the share of steps in which a busy person presses a key
MOST_BUSY = 0.9  # of a partner whose steps never fail: it yields to the other cook now and then


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
        context.layout,
        1 - context.player,
        belief_config,
        stay_model=context.partner_stay_model,
        prior=behaviour_prior(context, belief_config, weights),
        fast=context.fast,
    )


def behaviour_prior(
    context: EpisodeContext, belief_config: BeliefConfig, weights: Path | None = None
) -> BehaviourPrior | None:
    """Returns the prior of a belief, if it comes from a network; arguments and errors as `partner_model`."""
    prior, partner = belief_config.filter.prior, 1 - context.player
    if prior == "counts":
        return None
    behaviour = BehaviourNetwork(planning_networks(context.layout, weights), fast=context.fast)
    acts = busyness(context) if prior == "preferences" else None
    return BehaviourPrior(behaviour, partner, hypothesis_space(belief_config.filter.psi), acts)


def busyness(context: EpisodeContext) -> float:
    """Returns the share of its steps in which the partner acts if it is busy: its mobility, or less for a person."""
    if context.partner_stay_model == StayModel.HUMAN_PAUSES:
        return PERSON_ACTS
    return min(context.partner_mobility, MOST_BUSY)
