"""BayesBeliefAgent, its variants, and ProAgent: a planner that chooses skills, with or without belief and gates.

In every step the partner's last action updates the belief, and two gates judge whether it contradicts what is, or was,
believed. A running skill continues unless the trigger interrupts it (for the full agent: the gate). If none is running,
the planner is asked, or not yet again if it chose to wait (`bba.agents.waiting`).
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self

from bba.agents.base import Belief, Decision, EpisodeContext, MakeModel, Observation, Profile
from bba.agents.kernel_policy import FOREVER, Chooser, KernelPolicy
from bba.agents.learned.weights import NoWeights, planning_networks
from bba.agents.plugin_parts import plugin_model, plugin_trigger
from bba.agents.skill_planner import PartnerBelief, Shown, SkillPlanner
from bba.agents.triggers import TRIGGERS, Trigger, TriggerContext, TriggerRule
from bba.agents.waiting import WaitingRule
from bba.belief import (
    NO_ROLE,
    BehaviourPrior,
    OracleKnowledge,
    PartnerModel,
    PopulationNetwork,
    PropensityBelief,
    StayModel,
    TypeBelief,
    hypothesis_space,
)
from bba.config import USUAL_ASK, Ask, BeliefConfig, BuiltInTrigger, Knowledge, TriggerName
from bba.errors import BBAError, instead
from bba.kitchen import StateVector, constants
from bba.planner import BehaviourNetwork, LLMCall, PromptKind
from bba.plugins import UsedPlugin, find_used, load_used

PERSON_ACTS = 0.2  # the share of steps in which a busy person presses a key
MOST_BUSY = 0.9  # of a partner whose steps never fail: it yields to the other cook now and then


@dataclass(frozen=True, slots=True)
class AgentVariant:
    """Which parts of the full agent a variant has.

    Attributes:
        name: the agent's name.
        kind: the system prompt, "bayes" or the "base" of ProAgent.
        has_belief: whether it has a belief and gates.
        belief_in_prompt: whether the prompt shows the belief.
        trigger: what interrupts its skills.
    """

    name: str
    kind: PromptKind
    has_belief: bool
    belief_in_prompt: bool
    trigger: BuiltInTrigger


AGENT_VARIANTS = {
    variant.name: variant
    for variant in (
        AgentVariant("bayes", "bayes", has_belief=True, belief_in_prompt=True, trigger="gate"),
        AgentVariant("bayes-no-prompt", "bayes", has_belief=True, belief_in_prompt=False, trigger="gate"),
        AgentVariant("bayes-no-replan", "bayes", has_belief=True, belief_in_prompt=True, trigger="never"),
        AgentVariant("bayes-no-belief", "bayes", has_belief=False, belief_in_prompt=False, trigger="never"),
        AgentVariant("periodic-10", "bayes", has_belief=True, belief_in_prompt=True, trigger="periodic"),
        AgentVariant("completion-held", "bayes", has_belief=True, belief_in_prompt=True, trigger="completion-held"),
        AgentVariant("llm-judge", "bayes", has_belief=True, belief_in_prompt=True, trigger="judge"),
        AgentVariant("bayes-commit", "bayes", has_belief=True, belief_in_prompt=True, trigger="commitment"),
        AgentVariant("bayes-value", "bayes", has_belief=True, belief_in_prompt=True, trigger="value"),
        AgentVariant("proagent", "base", has_belief=False, belief_in_prompt=False, trigger="never"),
    )
}


# Like ProAgent it is asked only when a skill has ended; its planner keeps hypotheses (`bba.agents.hypothetical_minds`).
HYPOTHETICAL_MINDS = AgentVariant(
    "hypothetical-minds", "hypothetical", has_belief=False, belief_in_prompt=False, trigger="never"
)


def trigger_of(profile: Profile) -> TriggerName | None:
    """Returns what interrupts the skills of an agent; None for one that is not of this kind."""
    variant = AGENT_VARIANTS.get(profile.agent)
    return profile.trigger or (variant.trigger if variant else None)


ReadTruth = Callable[[StateVector], OracleKnowledge]  # what an oracle tells of the partner in a state


def partner_model(
    context: EpisodeContext,
    belief_config: BeliefConfig,
    weights: Path | None = None,
    truth: ReadTruth | None = None,
    policy: PopulationNetwork | None = None,
) -> PartnerModel:
    """Returns a new model of an agent's partner.

    Args:
        context: of the agent.
        belief_config: the parameters of belief and gates.
        weights: a folder with the behaviour network, if the prior comes from it; None for the shipped one.
        truth: what an oracle tells a belief over who the partner is; None for no oracle.
        policy: the partner's own, if an oracle tells it, in the place of its population's.

    Raises:
        NoWeights: there is no behaviour network for this layout.
    """
    return PartnerModel(
        context.layout,
        1 - context.player,
        belief_config,
        stay_model=context.partner_stay_model,
        prior=behaviour_prior(context, belief_config, weights, truth, policy),
        fast=context.fast,
    )


def behaviour_prior(
    context: EpisodeContext,
    belief_config: BeliefConfig,
    weights: Path | None = None,
    truth: ReadTruth | None = None,
    policy: PopulationNetwork | None = None,
) -> BehaviourPrior | TypeBelief | None:
    """Returns the prior of a belief, if it comes from a network, or the belief over who the partner is.

    Arguments and errors are as of `partner_model`.
    """
    prior = belief_config.filter.prior
    partner = 1 - context.player
    if prior == "counts":
        return None
    networks = planning_networks(context.layout, weights)
    if policy is not None:
        networks = replace(networks, population=policy)
    behaviour = BehaviourNetwork(networks, fast=context.fast)
    hypotheses = hypothesis_space(belief_config.filter.psi)
    if belief_config.filter.over_types:
        propensities = None
        if belief_config.filter.knows_population and networks.population is not None:
            propensities = PropensityBelief(networks.population, fast=context.fast)
        return TypeBelief(
            context.layout,
            partial(behaviour.choices_of_types, player=partner),
            partner,
            busyness(context),
            hypotheses,
            fast=context.fast,
            truth=truth,
            propensities=propensities,
            watches=prior != "population",
        )
    return BehaviourPrior(
        behaviour.probabilities, partner, hypotheses, busyness(context) if prior == "preferences" else None
    )


def busyness(context: EpisodeContext) -> float:
    """Returns the share of its steps in which the partner acts if it is busy: its mobility, or less for a person."""
    if context.partner_stay_model == StayModel.HUMAN_PAUSES:
        return PERSON_ACTS
    return min(context.partner_mobility, MOST_BUSY)


def model_maker(profile: Profile, weights: Path | None = None) -> MakeModel:
    """Returns what makes the partner model of a profile, as a replay needs it.

    Raises:
        BBAError: it is a plug-in that may not be imported, or another one than that which played.
    """
    recorded = find_used(profile.plugins, "partner-model")
    if recorded is None:
        return partial(partner_model, weights=weights)
    return plugin_model(load_used(recorded), dict(recorded.options)).target


class PlanningAgent:
    """An agent whose skills are chosen by a planner.

    Args:
        variant: which parts it has.
        planner: chooses its skills.
        ask: when a waiting cook is asked again (`bba.agents.waiting`).
        belief_config: the parameters of belief and gates, if the variant has them.
        trigger: what interrupts its skills, if not what the variant's name stands for.
        model_of: makes the model of the partner: filter and gates, or an oracle.
        knows: what that is told, if it is an oracle; else None.
        interrupts: the trigger itself, if it is a plug-in; `trigger` is then its name.
        plugins: the plug-ins among its parts.
        comparers: the first that can plan in a kitchen says whether another skill is worth more, in the place of the
            planner; without any the planner does.

    Raises:
        BBAError: the trigger is a gate, but the variant has no belief.
    """

    def __init__(
        self,
        variant: AgentVariant,
        planner: SkillPlanner,
        *,
        ask: Ask = USUAL_ASK,
        belief_config: BeliefConfig | None = None,
        trigger: TriggerName | None = None,
        model_of: MakeModel = partner_model,
        knows: Knowledge | None = None,
        interrupts: Trigger | None = None,
        plugins: tuple[UsedPlugin, ...] = (),
        comparers: Sequence[SkillPlanner] = (),
    ) -> None:
        other_trigger = None if trigger == variant.trigger else trigger
        if interrupts is None:
            interrupts = _built_in(other_trigger or variant.trigger, variant)
        config = None
        if variant.has_belief:
            config = belief_config or BeliefConfig()
        oracle: bool | Knowledge = False
        if knows is not None and config is not None:
            oracle = True if knows == "policy" else knows
        rollout = planner.rollout
        for comparer in comparers:
            rollout = rollout or comparer.rollout
        self.profile = Profile(
            variant.name,
            planner.name,
            config,
            ask=ask,
            trigger=other_trigger,
            rollout=rollout,
            oracle=oracle,
            plugins=plugins,
        )
        self._variant = variant
        self._waiting = WaitingRule(ask)
        self._trigger = interrupts
        self._planner = planner
        self._model_of = model_of
        self._comparers = comparers
        self._comparer = planner

    @property
    def ready(self) -> bool:
        """Whether its planner can decide at once."""
        return self._planner.ready and self._comparer.ready

    @property
    def types(self) -> TypeBelief | None:
        """What it believes about who its partner is; None if its belief is not over that."""
        return None if self._model is None else self._model.types

    def prepare(self) -> None:
        """Compiles or loads what its planner needs."""
        self._planner.prepare()
        if self._comparer is not self._planner:
            self._comparer.prepare()

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with a new belief, gates and planner."""
        self._planner = copy(self._planner)  # in a trace of another episode the one before is still read
        self._planner.reset(context)
        self._comparer = self._planner
        for comparer in self._comparers:
            with suppress(NoWeights):
                comparer.reset(context)
                self._comparer = comparer
                break
        self._waiting.reset(context)
        self._chooser: Chooser | None = None  # in a kernel, of a scripted planner; made when it is asked for
        belief_config = self.profile.belief_config
        self._model = self._model_of(context, belief_config) if belief_config else None
        self._belief: Belief | None = None

    def copy(self) -> Self:
        """Returns an independent agent in the same state."""
        clone = copy(self)
        clone._planner = self._planner.copy()
        if self._model is not None:
            clone._model = self._model.copy()
        clone._comparer = clone._planner if self._comparer is self._planner else self._comparer.copy()
        clone._waiting = self._waiting.copy()
        clone._chooser = None
        return clone

    def observe(self, observation: Observation) -> Belief | None:
        """Updates the belief with the partner's last action and judges it."""
        self._planner.observe(observation)
        if self._model is not None:
            mid_skill = observation.running != constants.NO_SKILL
            self._belief = self._model.observe(observation.before, observation.state, mid_skill=mid_skill)
        return self._belief

    def kernel_policy(self, played: int) -> KernelPolicy | None:
        """Returns what it does while a skill runs; None if its trigger or its model is asked in every step."""
        model = self._model
        trigger = self._trigger
        if not isinstance(trigger, TriggerRule) or trigger.due is not None:
            return None
        if model is not None and not (isinstance(model, PartnerModel) and not model.learns):
            return None
        until = played + -played % trigger.period if trigger.period else FOREVER
        if self._chooser is None:
            shown_belief: Shown | None = None
            if model is not None and self._variant.belief_in_prompt:
                shown_belief = model.hypotheses, model.belief_config.gate.gamma_conf
            asks_always = self.profile.ask == "always"
            self._chooser = self._planner.chooser(shown_belief, self._waiting.memory, asks_always=asks_always)
        return KernelPolicy(until=until, model=model, interrupted_by=trigger.gates, chooser=self._chooser)

    def accept_belief(self, belief: Belief) -> None:
        """Takes over what its model says of this step."""
        self._belief = belief

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill or goes on waiting, or asks the planner for another skill.

        Raises:
            BBAError: the model will not answer.
        """
        if observation.running == constants.NO_SKILL:
            return self._waiting.decision(observation, self._partner_role) or self._plan(observation)
        belief, gate, commitment_gate = self._belief or (None, None, None)
        judge = partial(self._planner.judge, observation, self._partner_belief)
        compare = partial(self._comparer.compare, observation, self._partner_belief)
        moved = 0.0 if self._model is None else self._model.moved
        result = self._trigger(TriggerContext(observation, gate, judge, commitment_gate, belief, moved, compare))
        if result.interrupts:
            return self._plan(observation, result.calls)._replace(replanned=True)
        return result.decision or Decision(observation.running)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Adds the plan to the planner's history; remembers the belief at a choice, and the situation if it waits."""
        if decision.deliberate and self._model is not None:
            self._model.remember()
        self._waiting.commit(decision, observation, self._partner_role)
        self._planner.commit(observation, decision)

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Continues with other parameters of belief and gates.

        Raises:
            BBAError: the belief is over other hypotheses.
        """
        if self._model is not None:
            self._model.reconfigure(belief_config)
        self.profile = replace(self.profile, belief_config=belief_config)
        self._chooser = None

    def tune_trigger(self, changes: Mapping[str, float]) -> None:
        """Continues with other thresholds of its trigger.

        Raises:
            BBAError: its trigger is no plug-in, or does not take these.
        """
        used = find_used(self.profile.plugins, "trigger")
        if used is None:
            raise BBAError(f"{self.profile.agent}: its trigger has no thresholds to tune")
        tuned = plugin_trigger(used.name, {**dict(used.options), **changes})
        self._trigger = tuned.target
        plugins = tuple(tuned.used if plugin == used else plugin for plugin in self.profile.plugins)
        self.profile = replace(self.profile, plugins=plugins)

    def _plan(self, observation: Observation, calls: tuple[LLMCall, ...] = ()) -> Decision:
        """Asks the planner for a skill; `calls` are the side queries before that."""
        decision = self._planner.plan(observation, self._partner_belief)
        return decision._replace(calls=(*calls, *decision.calls))

    @property
    def _partner_belief(self) -> PartnerBelief | None:
        """What the planner is told of the partner; None if it is told nothing."""
        if self._belief is None or self._model is None or not self._variant.belief_in_prompt:
            return None
        gamma_conf = self._model.belief_config.gate.gamma_conf
        model = self._model
        return PartnerBelief(model.hypotheses, self._belief.belief, gamma_conf, model.tendencies, model.types)

    def _partner_role(self) -> int:
        """Returns the partner's likeliest role by what the planner is told; NO_ROLE if that is not clear."""
        belief = self._partner_belief
        return NO_ROLE if belief is None else belief.confident_role


def _built_in(name: TriggerName, variant: AgentVariant) -> Trigger:
    """Returns a trigger that ships with the project.

    Raises:
        BBAError: there is none of this name, or it is a gate and the variant has no belief.
    """
    if name not in TRIGGERS:
        raise BBAError(f"--trigger: no trigger named {name!r}; {instead(name, TRIGGERS)}; a plug-in is module:Name")
    if TRIGGERS[name].reads_belief and not variant.has_belief:
        without_belief = ", ".join(trigger for trigger, rule in TRIGGERS.items() if not rule.reads_belief)
        raise BBAError(f"trigger: {variant.name} has no belief for a gate; it takes {without_belief}")
    return TRIGGERS[name]
