"""Agents and their parts that are plug-ins: what they return is checked, and their exceptions cost one line."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from functools import partial
from inspect import signature
from operator import index
from typing import Any

import numpy as np

from bba.agents.base import Belief, Decision, EpisodeContext, MakeModel, ModelOfPartner, Observation, Profile, to_run
from bba.agents.role_belief import JudgedBelief
from bba.agents.triggers import Trigger, TriggerContext, TriggerResult
from bba.belief import HypothesisSpace, Tendencies, TypeBelief
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.kitchen.constants import ACTION_NAMES, N_SKILLS, NO_SKILL, STEP, Action, StateVector
from bba.planner.chat import Message, Reply
from bba.plugins import Plugin, PluginProxy, UsedPlugin, answered, called, find_used, load_plugin, load_used
from bba.plugins.options import NumberOption, checked, make, number_options
from bba.text import encodable

SUM_TOLERANCE = 1e-6  # to 1, for the sum of a belief


class PluginAgent(PluginProxy):
    """Plays a seat as a plug-in decides.

    Args:
        made: the plug-in.

    Raises:
        BBAError: it lacks a method.
    """

    def __init__(self, made: Plugin[Any]) -> None:
        declared = getattr(made.target, "profile", None)
        has = declared if isinstance(declared, Profile) else Profile(made.used.name)
        self.profile = Profile(made.used.name, has.planner, has.belief_config, plugins=(made.used,))
        super().__init__(made.target, made.used, "an agent", ("reset", "observe", "decide", "commit"))

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode."""
        self.ask("reset", context)

    def observe(self, observation: Observation) -> Belief | None:
        """Returns its belief after the step; None if it has none.

        Raises:
            BBAError: it raised an exception, or what it returned is no belief.
        """
        described = "a bba.belief.PartnerUpdate, or None without a belief"
        place = self.where("observe", observation.step)
        belief: Belief | None = answered(place, (Belief, type(None)), described, self.target.observe, observation)
        return belief

    def decide(self, observation: Observation) -> Decision:
        """Returns its decision.

        Raises:
            BBAError: it raised an exception, or what it returned is no decision or not feasible.
        """
        answer = self.ask("decide", observation, step=observation.step)
        place = self.where("decide", observation.step)
        if isinstance(answer, Decision):
            return _checked(answer, observation, place)
        return _begun(answer, observation, place)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Lets it take over the decision of this step."""
        self.ask("commit", observation, decision, step=observation.step)


def _begun(answer: Any, observation: Observation, where: str) -> Decision:
    """Returns the decision that a number stands for: this skill begins, or goes on if it runs; None goes on, too."""
    running = observation.running
    if isinstance(answer, Action):
        action = f"Action.{answer.name}"
        raise BBAError(
            f"{where}: returned {action}, an action; a number is a skill, and Decision(action={action}) is a step of "
            "an agent that plays by actions"
        )
    try:
        skill = running if answer is None else index(answer)
    except TypeError:
        kind = type(answer).__name__
        raise BBAError(f"{where}: returned {kind}; a Decision, the number of a skill, or None to go on") from None
    return _checked(to_run(skill, running), observation, where)


def _checked(decision: Decision, observation: Observation, where: str) -> Decision:
    """Returns a decision that can be played.

    Raises:
        BBAError: it cannot be.
    """
    skill = decision.skill
    action = decision.action
    if action is not None:
        if skill == NO_SKILL and action in range(len(ACTION_NAMES)):
            return decision
        raise BBAError(f"{where}: action {action} with skill {skill}; an action is 0 to 5, with skill NO_SKILL")
    if not decision.chosen and skill != observation.running:
        raise BBAError(f"{where}: skill {skill} is not the running one, {observation.running}; a new one is `chosen`")
    if skill == observation.running and skill != NO_SKILL and not decision.chosen:
        return decision
    feasible = observation.feasible()
    if skill not in feasible:
        if skill in range(N_SKILLS):
            allowed = f"{', '.join(str(number) for number in feasible)} are"
        else:
            allowed = f"skills are 0 to {N_SKILLS - 1}"
        raise BBAError(f"{where}: chose skill {skill}, which is not feasible; {allowed}")
    return decision


class PluginBackend(PluginProxy):
    """A chat model that is a plug-in."""

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Returns its answer.

        Raises:
            NoAnswer: it says so.
            BBAError: it raised another exception, or returned something else.
        """
        described = "a text or a bba.planner.Reply"
        answer: str | Reply = answered(self.where("complete"), (str, Reply), described, self.target.complete, messages)
        reply = Reply(answer) if isinstance(answer, str) else answer
        return reply._replace(text=encodable(reply.text))


def plugin_backend(name: str, given_options: Mapping[str, Any]) -> PluginBackend:
    """Returns a chat model of a plug-in with these options.

    Raises:
        BBAError: there is no such plug-in, it is no planner, or an option is not valid.
    """
    plugin = make(load_plugin("planner", name), given_options)
    described = "complete(messages), which returns the answer"
    return PluginBackend(plugin.target, plugin.used, "a planner", ("complete",), described=described)


def plugin_trigger(name: str, given_options: Mapping[str, Any]) -> Plugin[Trigger]:
    """Returns a trigger of a plug-in with these options: a function of the context and options, or a class of such.

    Raises:
        BBAError: there is no such plug-in, it is no trigger, or an option is not valid.
    """
    plugin = load_plugin("trigger", name)
    if isinstance(plugin.target, type):
        trigger = make(plugin, given_options)
        if not callable(trigger.target):
            kind = type(trigger.target).__name__
            raise BBAError(f"{name}: a trigger is called with a context; {kind} cannot be called")
        return Plugin(partial(_interrupts, name, trigger.target), trigger.used)
    options, used = checked(plugin, given_options, skip=1)
    return Plugin(partial(_interrupts, name, partial(plugin.target, **options)), used)


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
    described = "a trigger returns True or False, or a TriggerResult"
    place = f"{name}: in step {context.observation.step}"
    answer = answered(place, (bool, np.bool_, TriggerResult), described, trigger, context)
    return answer if isinstance(answer, TriggerResult) else TriggerResult(bool(answer))


class CheckedModel(PluginProxy):
    """A model of the partner that is a plug-in.

    Args:
        model: the plug-in's, which follows `bba.agents.base.ModelOfPartner`.
        used: the plug-in.

    Attributes:
        hypotheses: Ψ, the hypotheses of the belief, which never change.

    Raises:
        BBAError: it lacks a method or its hypotheses.
    """

    def __init__(self, model: ModelOfPartner, used: UsedPlugin) -> None:
        needed = ("observe", "remember", "copy", "reconfigure", "hypotheses", "belief_config")
        super().__init__(model, used, "a partner model", needed)
        self.belief_config: BeliefConfig = model.belief_config
        self.hypotheses: HypothesisSpace = model.hypotheses

    @property
    def tendencies(self) -> Tendencies | None:
        """How the partner differs from the behaviour network; None if that is not learned."""
        return getattr(self.target, "tendencies", None)

    @property
    def types(self) -> TypeBelief | None:
        """Who the partner is; None: no plug-in says so."""
        return getattr(self.target, "types", None)

    @property
    def moved(self) -> float:
        """How far its belief has moved since the ego's last choice; as far as can be if it does not say."""
        return float(getattr(self.target, "moved", 1.0))

    def observe(self, before: StateVector | None, state: StateVector, *, mid_skill: bool) -> Belief:
        """Returns what it believes after the partner's last action, checked."""
        place = self.where("observe", int(state[STEP]) + 1)
        described = "a bba.belief.PartnerUpdate"
        update: Belief = answered(place, Belief, described, self.target.observe, before, state, mid_skill=mid_skill)
        posterior = update.belief.posterior
        size = len(self.hypotheses.names)
        if len(posterior) != size or abs(sum(posterior) - 1) > SUM_TOLERANCE or min(posterior) < 0:
            shares = ", ".join(f"{share:.3g}" for share in posterior[:8])
            raise BBAError(f"{place}: posterior ({shares}); one share for each of {size} hypotheses, with the sum 1")
        return update

    def remember(self) -> None:
        """Tells it that the ego has chosen a skill."""
        self.ask("remember")

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Gives it other parameters from the next step on."""
        self.ask("reconfigure", belief_config)
        self.belief_config = belief_config


def plugin_model(plugin: Plugin[Any], given_options: Mapping[str, Any]) -> Plugin[MakeModel]:
    """Returns what makes a partner model of a plug-in with these options.

    A class that has `reset` is a `bba.agents.role_belief.RoleBelief`, made with its options alone, and so is an object.
    Anything else is called with context, parameters and options, and returns a `bba.agents.base.ModelOfPartner`.

    Raises:
        BBAError: it is no class or function, or an option is not valid.
    """
    is_role_belief = _makes_role_beliefs(plugin)
    options, used = checked(plugin, given_options, skip=0 if is_role_belief else 2)

    def make_model(context: EpisodeContext, belief_config: BeliefConfig) -> CheckedModel:
        if not is_role_belief:
            return CheckedModel(called(used.name, plugin.target, context, belief_config, **options), used)
        belief = called(used.name, plugin.target, **options)
        if not isinstance(plugin.target, type):  # the same object plays other games
            belief = called(used.name, deepcopy, belief)
        proxy = PluginProxy(belief, used, "a partner model", ("reset", "observe"))
        proxy.ask("reset", context)
        return CheckedModel(JudgedBelief(belief, context, belief_config, used.name), used)

    return Plugin(make_model, used)


def _makes_role_beliefs(plugin: Plugin[Any]) -> bool:
    """Whether it is a class that has `reset`, or a function that returns an object and takes nothing."""
    if isinstance(plugin.target, type):
        return hasattr(plugin.target, "reset")
    return callable(plugin.target) and not signature(plugin.target).parameters
