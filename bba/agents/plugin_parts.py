"""The parts of a planning agent that are plug-ins: what answers its prompts, and what interrupts its skills.

A partner model that is a plug-in: it takes the place of filter and gates, and what it believes is checked.
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from bba.agents.base import Belief, EpisodeContext, MakeModel, ModelOfPartner, Profile
from bba.agents.partner_models import partner_model
from bba.agents.triggers import Trigger, TriggerContext, TriggerResult
from bba.belief import BeliefConfig, HypothesisSpace, PartnerUpdate
from bba.belief.tendencies import Tendencies
from bba.errors import BBAError
from bba.kitchen.state import STEP, StateVector
from bba.planner import ChatBackend, Message, Reply
from bba.plugins import Plugin, UsedPlugin, called, find_used, lacks, load_plugin, make
from bba.plugins.loading import load_used
from bba.plugins.options import NumberOption, checked, number_options, used


class PluginBackend:
    """A chat model that is a plug-in.

    Args:
        model: the plug-in, made.
        name: its name.

    Raises:
        BBAError: it lacks a method.
    """

    def __init__(self, model: Any, name: str) -> None:
        if lacks(model, ("complete",)):
            raise BBAError(f"{name}: a planner has complete(messages), which returns the answer; it lacks that")
        self._model, self.name = model, name

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Returns its answer.

        Raises:
            NoAnswer: it says so.
            BBAError: it raised another exception, or returned something else.
        """
        where = f"{self.name}: complete"
        answer = called(where, self._model.complete, messages)
        if isinstance(answer, str):
            return Reply(answer)
        if not isinstance(answer, Reply):
            raise BBAError(f"{where}: returned {type(answer).__name__}; a text or a bba.planner.Reply")
        return answer


class BackendPlugin(NamedTuple):
    """A backend, and how it is recorded; None for one that ships with the project."""

    backend: ChatBackend
    used: UsedPlugin | None = None


class TriggerPlugin(NamedTuple):
    """A trigger, and how it is recorded."""

    trigger: Trigger
    used: UsedPlugin


def plugin_backend(name: str, given: Mapping[str, Any]) -> BackendPlugin:
    """Returns a chat model of a plug-in with these options.

    Raises:
        BBAError: there is no such plug-in, it is no planner, or an option is not valid.
    """
    made = make(load_plugin("planner", name), given)
    return BackendPlugin(PluginBackend(made.target, name), made.used)


def plugin_trigger(name: str, given: Mapping[str, Any]) -> TriggerPlugin:
    """Returns a trigger of a plug-in with these options: a function of the context and options, or a class of such.

    Raises:
        BBAError: there is no such plug-in, it is no trigger, or an option is not valid.
    """
    plugin = load_plugin("trigger", name)
    if isinstance(plugin.target, type):
        made = make(plugin, given)
        if not callable(made.target):
            raise BBAError(f"{name}: a trigger is called with a context; {type(made.target).__name__} cannot be called")
        return TriggerPlugin(partial(_interrupts, name, made.target), made.used)
    if not callable(plugin.target):
        raise BBAError(f"{name}: a trigger is a function or a class, not {type(plugin.target).__name__}")
    options, recorded = checked(plugin, given, skip=1)
    return TriggerPlugin(partial(_interrupts, name, partial(plugin.target, **options)), used(plugin, recorded))


def trigger_thresholds(profile: Profile) -> tuple[NumberOption, ...]:
    """Returns the thresholds of an agent's trigger that are numbers; none for a trigger that is no plug-in.

    Raises:
        BBAError: the plug-in may not be imported, or is not the one that was used.
    """
    used = find_used(profile.plugins, "trigger")
    if used is None:
        return ()
    plugin = load_used(used)
    return number_options(plugin, dict(used.options), skip=0 if isinstance(plugin.target, type) else 1)


def _interrupts(name: str, trigger: Callable[[TriggerContext], Any], context: TriggerContext) -> TriggerResult:
    """Asks a trigger, and checks what it returns."""
    where = f"{name}: in step {context.observation.step}"
    answer = called(where, trigger, context)
    if isinstance(answer, TriggerResult):
        return answer
    if not isinstance(answer, bool | np.bool_):
        raise BBAError(
            f"{where}: returned {type(answer).__name__}; a trigger returns True or False, or a TriggerResult"
        )
    return TriggerResult(bool(answer))


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
