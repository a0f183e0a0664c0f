"""A partner model that is a plug-in: it takes the place of filter and gates, and what it believes is checked."""

from collections.abc import Mapping
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

from bba.agents.base import Belief, EpisodeContext, MakeModel, ModelOfPartner, Profile
from bba.agents.partner_models import partner_model
from bba.belief import BeliefConfig, HypothesisSpace, PartnerUpdate
from bba.belief.tendencies import Tendencies
from bba.errors import BBAError
from bba.kitchen.state import STEP, StateVector
from bba.plugins import Plugin, UsedPlugin, called, find_used, lacks, load_plugin
from bba.plugins.loading import load_used
from bba.plugins.options import checked, used

MODEL_METHODS = ("observe", "remember", "copy", "reconfigure")
CLOSE = 1e-6  # to 1, for the sum of a belief


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
        if len(posterior) != size or abs(sum(posterior) - 1) > CLOSE or min(posterior) < 0:
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
