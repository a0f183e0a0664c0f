"""BayesBeliefAgent, its variants, and ProAgent: a planner that chooses skills, with or without belief and gate.

In every step the partner's last action updates the belief, and the gate judges whether it contradicts what was
believed. A running skill continues unless the trigger interrupts it (for the full agent: the gate). If none is running,
the planner is asked, or not yet again if it chose to wait (`bba.agents.waiting`).
"""

from copy import copy
from dataclasses import dataclass, replace
from typing import Self

from bba.agents.base import (
    Belief,
    Decision,
    EpisodeContext,
    MakeModel,
    ModelOfPartner,
    Observation,
    Profile,
    partner_model,
)
from bba.agents.observation import planner_input_from
from bba.agents.triggers import TRIGGERS, TriggerContext, TriggerName
from bba.agents.waiting import WaitingRule
from bba.belief import (
    COMPLEMENTS,
    ROLE_NAMES,
    ROLE_SKILLS,
    BeliefConfig,
    BeliefUpdate,
    HypothesisSpace,
)
from bba.config import PLANNER_DEFAULTS, Ask
from bba.kitchen import constants
from bba.kitchen.grid import grid_of
from bba.kitchen.state import POSITION
from bba.planner import BeliefView, ChatBackend, LLMCall, Planner, PlannerInput, PromptKind, Prompts

MODERATE_CONFIDENCE = 0.45  # the confidence from which a belief below Γ is called moderate in the prompt


@dataclass(frozen=True, slots=True)
class AgentVariant:
    """Which parts of the full agent a variant has.

    Attributes:
        name: the agent's name.
        kind: the system prompt, "bayes" or the "base" of ProAgent.
        has_belief: whether it has a belief and a gate.
        belief_in_prompt: whether the prompt shows the belief.
        trigger: what can interrupt its skill.
    """

    name: str
    kind: PromptKind
    has_belief: bool
    belief_in_prompt: bool
    trigger: TriggerName


VARIANTS = {
    variant.name: variant
    for variant in (
        AgentVariant("bayes", "bayes", has_belief=True, belief_in_prompt=True, trigger="gate"),
        AgentVariant("bayes-no-prompt", "bayes", has_belief=True, belief_in_prompt=False, trigger="gate"),
        AgentVariant("bayes-no-replan", "bayes", has_belief=True, belief_in_prompt=True, trigger="never"),
        AgentVariant("bayes-no-belief", "bayes", has_belief=False, belief_in_prompt=False, trigger="never"),
        AgentVariant("periodic-10", "bayes", has_belief=True, belief_in_prompt=True, trigger="periodic"),
        AgentVariant("completion-held", "bayes", has_belief=True, belief_in_prompt=True, trigger="completion-held"),
        AgentVariant("llm-judge", "bayes", has_belief=True, belief_in_prompt=True, trigger="judge"),
        AgentVariant("proagent", "base", has_belief=False, belief_in_prompt=False, trigger="never"),
    )
}


class PlanningAgent:
    """An agent whose skills are chosen by a planner.

    Args:
        variant: which parts it has.
        backend: the model that plans.
        prompts: the prompt templates.
        history_turns, retries: as in `Planner`.
        ask: when a waiting cook is asked again (`bba.agents.waiting`).
        belief_config: the parameters of belief and gate, if the variant has them.
        model_of: makes the model of the partner: filter and gate, or an oracle.
    """

    def __init__(
        self,
        variant: AgentVariant,
        backend: ChatBackend,
        prompts: Prompts,
        *,
        history_turns: int = PLANNER_DEFAULTS.history_turns,
        retries: int = PLANNER_DEFAULTS.retries,
        ask: Ask = PLANNER_DEFAULTS.ask,
        belief_config: BeliefConfig | None = None,
        model_of: MakeModel = partner_model,
    ) -> None:
        belief_config = (belief_config or BeliefConfig()) if variant.has_belief else None
        self.profile = Profile(variant.name, backend.name, belief_config, ask=ask)
        self._variant, self._waiting, self._model_of = variant, WaitingRule(ask), model_of
        self._planner = Planner(backend, prompts, kind=variant.kind, history_turns=history_turns, retries=retries)

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with a new belief, gate and chat."""
        self._planner.reset()
        self._waiting.reset()
        belief_config = self.profile.belief_config
        self._model = self._model_of(context, belief_config) if belief_config else None
        self._belief: Belief | None = None

    def copy(self) -> Self:
        """Returns an independent agent in the same state."""
        other = copy(self)
        other._planner, other._model = self._planner.copy(), self._model and self._model.copy()
        other._waiting = copy(self._waiting)
        return other

    def observe(self, observation: Observation) -> Belief | None:
        """Updates the belief with the partner's last action and judges it."""
        if self._model is not None:
            mid_skill = observation.running != constants.NO_SKILL
            self._belief = self._model.observe(observation.before, observation.state, mid_skill=mid_skill)
        return self._belief

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill or goes on waiting, or asks the planner for another skill.

        Raises:
            BBAError: the model will not answer.
        """
        if observation.running == constants.NO_SKILL:
            return self._waiting.decision(lambda: self._planner_input(observation)) or self._plan(observation)
        gate = self._belief[1] if self._belief else None
        context = TriggerContext(observation, gate, self._planner, lambda: self._planner_input(observation))
        result = TRIGGERS[self._variant.trigger](context)
        if result.interrupts:
            return self._plan(observation, result.calls)._replace(replanned=True)
        return Decision(observation.running, calls=result.calls)

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Adds the plan to the planner's history, and remembers what it was asked about if it waits."""
        self._waiting.commit(decision, lambda: self._planner_input(observation))
        if decision.plan is not None:
            self._planner.commit(decision.plan)

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Continues with other parameters of belief and gate.

        Raises:
            BBAError: the belief is over other hypotheses.
        """
        if self._model is not None:
            self._model.reconfigure(belief_config)
        self.profile = replace(self.profile, belief_config=belief_config)

    def _plan(self, observation: Observation, calls: tuple[LLMCall, ...] = ()) -> Decision:
        """Asks the planner for a skill; `calls` are the side queries before that."""
        plan = self._planner.decide(self._planner_input(observation))
        return Decision(plan.skill, chosen=True, calls=(*calls, plan))

    def _planner_input(self, observation: Observation) -> PlannerInput:
        if self._belief is None or self._model is None or not self._variant.belief_in_prompt:
            return planner_input_from(observation)
        return planner_input_from(observation, belief_view(self._model, observation, self._belief[0]))


def belief_view(model: ModelOfPartner, observation: Observation, belief: BeliefUpdate) -> BeliefView:
    """Returns the belief over roles as the prompt shows it; a belief over skills is summed by role."""
    posterior = posterior_by_role(model.hypotheses, belief.posterior)
    role = max(range(len(posterior)), key=posterior.__getitem__)
    confident = posterior[role] >= model.belief_config.gate.gamma_conf
    return BeliefView(
        roles=ROLE_NAMES,
        posterior=posterior,
        map_index=role,
        confidence=posterior[role],
        commitment=belief.commitment,
        confident=confident,
        heading=partner_destination(observation, role) if confident else None,
        complements=tuple(ROLE_NAMES[other] for other in COMPLEMENTS[role]),
        moderate=not confident and posterior[role] >= MODERATE_CONFIDENCE,
    )


def posterior_by_role(hypotheses: HypothesisSpace, posterior: tuple[float, ...]) -> tuple[float, ...]:
    """Returns a posterior over the hypotheses as one over the six roles, (6,)."""
    if len(posterior) == len(ROLE_NAMES):
        return posterior
    sums = [0.0] * len(ROLE_NAMES)
    for role, probability in zip(hypotheses.roles, posterior, strict=True):
        sums[role] += probability
    return tuple(sums)


def partner_destination(observation: Observation, role: int) -> str | None:
    """Returns kind and position of the nearest work of a partner in this role; None if it has none."""
    partner, layout = 1 - observation.player, observation.layout
    grid, targets = grid_of(layout), observation.targets(partner)
    here = observation.state[POSITION + partner]
    reachable = [targets[skill] for skill in ROLE_SKILLS[role] if targets[skill] >= 0]
    if not reachable:
        return None
    at = min(reachable, key=lambda target: (grid.distance_to_adjacent[target, here], target))
    return f"{constants.TILE_NAMES[grid.kind[at]]} ({at % layout.width},{at // layout.width})"
