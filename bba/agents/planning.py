"""BayesBeliefAgent, its variants, and ProAgent: a planner that chooses skills, with or without belief and gates.

In every step the partner's last action updates the belief, and two gates judge whether it contradicts what is, or was,
believed. A running skill continues unless the trigger interrupts it (for the full agent: the gate). If none is running,
the planner is asked.
"""

from copy import copy
from dataclasses import dataclass, replace
from typing import Self

from bba.agents.base import Belief, Decision, EpisodeContext, Observation, Profile, partner_model
from bba.agents.observation import planner_input_from
from bba.agents.triggers import GATES, TRIGGERS, TriggerContext
from bba.belief import (
    COMPLEMENTS,
    ROLE_NAMES,
    ROLE_SKILLS,
    BeliefConfig,
    BeliefUpdate,
    HypothesisSpace,
    PartnerModel,
)
from bba.config import PLANNER_DEFAULTS
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.grid import grid_of
from bba.kitchen.state import POSITION
from bba.limits import TriggerName
from bba.planner import BeliefView, ChatBackend, LLMCall, Planner, PlannerInput, PromptKind, Prompts

MODERATE_CONFIDENCE = 0.45  # the confidence from which a belief below Γ is called moderate in the prompt


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
        AgentVariant("bayes-commit", "bayes", has_belief=True, belief_in_prompt=True, trigger="commitment"),
        AgentVariant("proagent", "base", has_belief=False, belief_in_prompt=False, trigger="never"),
    )
}


def trigger_of(profile: Profile) -> TriggerName | None:
    """Returns what interrupts the skills of an agent; None for one that is not of this kind."""
    variant = VARIANTS.get(profile.agent)
    return profile.trigger or (variant.trigger if variant else None)


class PlanningAgent:
    """An agent whose skills are chosen by a planner.

    Args:
        variant: which parts it has.
        backend: the model that plans.
        prompts: the prompt templates.
        history_turns, retries: as in `Planner`.
        belief_config: the parameters of belief and gates, if the variant has them.
        trigger: what interrupts its skills, if not what the variant's name stands for.

    Raises:
        BBAError: the trigger is a gate, but the variant has no belief.
    """

    def __init__(
        self,
        variant: AgentVariant,
        backend: ChatBackend,
        prompts: Prompts,
        *,
        history_turns: int = PLANNER_DEFAULTS.history_turns,
        retries: int = PLANNER_DEFAULTS.retries,
        belief_config: BeliefConfig | None = None,
        trigger: TriggerName | None = None,
    ) -> None:
        if trigger in GATES and not variant.has_belief:
            others = ", ".join(name for name in TRIGGERS if name not in GATES)
            raise BBAError(f"trigger: {variant.name} has no belief for a gate; it takes {others}")
        own = None if trigger == variant.trigger else trigger
        config = (belief_config or BeliefConfig()) if variant.has_belief else None
        self.profile = Profile(variant.name, backend.name, config, trigger=own)
        self._variant = replace(variant, trigger=own or variant.trigger)
        self._planner = Planner(backend, prompts, kind=variant.kind, history_turns=history_turns, retries=retries)

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode with a new belief, gates and chat."""
        self._planner.reset()
        belief_config = self.profile.belief_config
        self._model = partner_model(context, belief_config) if belief_config else None
        self._belief: Belief | None = None

    def copy(self) -> Self:
        """Returns an independent agent in the same state."""
        other = copy(self)
        other._planner, other._model = self._planner.copy(), self._model and self._model.copy()
        return other

    def observe(self, observation: Observation) -> Belief | None:
        """Updates the belief with the partner's last action and judges it."""
        if self._model is not None:
            mid_skill = observation.running != constants.NO_SKILL
            self._belief = self._model.observe(observation.before, observation.state, mid_skill=mid_skill)
        return self._belief

    def decide(self, observation: Observation) -> Decision:
        """Continues the running skill, or asks the planner for another one.

        Raises:
            BBAError: the model will not answer.
        """
        if observation.running == constants.NO_SKILL:
            return self._plan(observation)
        _, gate, commitment = self._belief or (None, None, None)
        context = TriggerContext(observation, gate, self._planner, lambda: self._planner_input(observation), commitment)
        result = TRIGGERS[self._variant.trigger](context)
        if result.interrupts:
            return self._plan(observation, result.calls)._replace(replanned=True)
        return Decision(observation.running, calls=result.calls)

    def commit(self, observation: Observation, decision: Decision) -> None:  # noqa: ARG002 - the decision says it all
        """Adds the plan to the planner's history, and remembers the belief at a choice."""
        if decision.commits and self._model is not None:
            self._model.remember()
        if decision.plan is not None:
            self._planner.commit(decision.plan)

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Continues with other parameters of belief and gates.

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
        return planner_input_from(observation, belief_view(self._model, observation, self._belief.belief))


def belief_view(model: PartnerModel, observation: Observation, belief: BeliefUpdate) -> BeliefView:
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
