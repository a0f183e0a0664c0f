"""The models that agents have of their partners, and the networks that some of them need."""

from collections.abc import Mapping
from copy import copy
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple, Self

from bba.agents.base import Belief, EpisodeContext, MakeModel, ModelOfPartner, Profile
from bba.agents.learned.weights import planning_networks
from bba.belief import BeliefConfig, HypothesisSpace, PartnerModel, PartnerUpdate, StayModel
from bba.belief.roles import hypothesis_space
from bba.belief.tendencies import BehaviourPrior, Tendencies
from bba.errors import BBAError
from bba.kitchen.layout import Layout
from bba.kitchen.state import STEP, StateVector
from bba.planner.rollout import BehaviourNetwork, PlanningNetworks
from bba.plugins import Plugin, UsedPlugin, called, find_used, lacks, load_plugin
from bba.plugins.loading import load_used
from bba.plugins.options import checked, used

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
    behaviour = BehaviourNetwork(cached_networks(context.layout, weights), fast=context.fast)
    acts = busyness(context) if prior == "preferences" else None
    return BehaviourPrior(behaviour, partner, hypothesis_space(belief_config.filter.psi), acts)


def busyness(context: EpisodeContext) -> float:
    """Returns the share of its steps in which the partner acts if it is busy: its mobility, or less for a person."""
    if context.partner_stay_model == StayModel.HUMAN_PAUSES:
        return PERSON_ACTS
    return min(context.partner_mobility, MOST_BUSY)


@lru_cache(maxsize=8)
def cached_networks(layout: Layout, weights: Path | None) -> PlanningNetworks:
    """Returns the rollout planner's networks for a layout, which are read once.

    Raises:
        NoWeights: there are none.
    """
    return planning_networks(layout, weights)


MODEL_METHODS = ("observe", "remember", "copy", "reconfigure")
SUM_TOLERANCE = 1e-6  # to 1, for the sum of a belief


class ModelPlugin(NamedTuple):
    """What makes the model, and how it is recorded."""

    make: MakeModel
    used: UsedPlugin


class CheckedModel:
    """A model of the partner that is a plug-in.

    Args:
        model: the plug-in's, which follows `bba.agents.base.ModelOfPartner`.
        name: its name.

    Raises:
        BBAError: it lacks a method or its hypotheses.
    """

    def __init__(self, model: ModelOfPartner, name: str) -> None:
        self._model, self._name = model, name
        missing = lacks(model, MODEL_METHODS) + [
            one for one in ("hypotheses", "belief_config") if not hasattr(model, one)
        ]
        if missing:
            needed = ", ".join((*MODEL_METHODS, "hypotheses", "belief_config"))
            raise BBAError(f"{name}: a partner model has {needed}; it lacks {', '.join(missing)}")
        self.belief_config = model.belief_config

    @property
    def hypotheses(self) -> HypothesisSpace:
        """Ψ, the hypotheses of the belief."""
        return self._model.hypotheses

    @property
    def tendencies(self) -> Tendencies | None:
        """How the partner differs from the behaviour network; None if that is not learned."""
        return getattr(self._model, "tendencies", None)

    def observe(self, before: StateVector | None, state: StateVector, *, mid_skill: bool) -> Belief:
        """Returns what it believes after the partner's last action, checked."""
        where = f"{self._name}: observe in step {int(state[STEP]) + 1}"
        found: object = called(where, self._model.observe, before, state, mid_skill=mid_skill)
        if not isinstance(found, PartnerUpdate):
            raise BBAError(f"{where}: returned {type(found).__name__}; a bba.belief.PartnerUpdate")
        posterior, size = found.belief.posterior, len(self.hypotheses.names)
        if len(posterior) != size or abs(sum(posterior) - 1) > SUM_TOLERANCE or min(posterior) < 0:
            shown = ", ".join(f"{share:.3g}" for share in posterior[:8])
            raise BBAError(f"{where}: posterior ({shown}); one share for each of {size} hypotheses, with the sum 1")
        return found

    def remember(self) -> None:
        """Tells it that the ego has chosen a skill."""
        called(f"{self._name}: remember", self._model.remember)

    def copy(self) -> Self:
        """Returns an independent copy in the same state."""
        other = copy(self)
        other._model = called(f"{self._name}: copy", self._model.copy)
        return other

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Gives it other parameters from the next step on."""
        called(f"{self._name}: reconfigure", self._model.reconfigure, belief_config)
        self.belief_config = belief_config


def plugin_model(name: str, given: Mapping[str, Any]) -> ModelPlugin:
    """Returns what makes a partner model of a plug-in with these options: called with context, parameters and options.

    Raises:
        BBAError: there is no such plug-in, or an option is not valid.
    """
    return _maker(load_plugin("partner-model", name), given)


def model_maker(profile: Profile, weights: Path | None = None) -> MakeModel:
    """Returns what makes the partner model of a profile, as a replay needs it.

    Raises:
        BBAError: it is a plug-in that may not be imported, or another one than that which played.
    """
    recorded = find_used(profile.plugins, "partner-model")
    if recorded is None:
        return partial(partner_model, weights=weights)
    return _maker(load_used(recorded), dict(recorded.options)).make


def _maker(plugin: Plugin, given: Mapping[str, Any]) -> ModelPlugin:
    if not callable(plugin.target):
        raise BBAError(f"{plugin.name}: a partner model is a class or a function, not {type(plugin.target).__name__}")
    options, recorded = checked(plugin, given, skip=2)

    def make(context: EpisodeContext, belief_config: BeliefConfig) -> CheckedModel:
        return CheckedModel(called(plugin.name, plugin.target, context, belief_config, **options), plugin.name)

    return ModelPlugin(make, used(plugin, recorded))
