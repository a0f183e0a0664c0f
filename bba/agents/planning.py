"""BayesBeliefAgent, its variants, and ProAgent: a planner that chooses skills, with or without belief and gate.

Each step: the partner's last action enters the belief; the gate judges whether it contradicts what was believed; a
running skill goes on unless the trigger interrupts it (for the full agent: the gate); with none running the planner is
asked.
"""

from copy import copy
from dataclasses import dataclass, replace
from typing import Self

from bba.agents.base import Decision, EpisodeContext, Observation, Profile, partner_model_for, planner_input_from
from bba.agents.triggers import TriggerContext, TriggerName, TriggerResult, make_trigger
from bba.belief import (
    COMPLEMENTS,
    ROLE_NAMES,
    ROLE_SKILLS,
    BeliefConfig,
    BeliefUpdate,
    GateResult,
    HypothesisSpace,
    PartnerModel,
)
from bba.errors import BBAError
from bba.kitchen import constants
from bba.kitchen.grid import grid_of
from bba.kitchen.state import POSITION
from bba.planner import BeliefView, ChatBackend, Inquirer, Planner, PlannerInput, PromptKind, Prompts

MODERATE_CONFIDENCE = 0.45  # the confidence from which a belief below Γ is called moderate in the prompt


@dataclass(frozen=True, slots=True)
class AgentVariant:
    """Which parts of the full agent a variant has.

    Attributes:
        name: the agent's name.
        kind: the system prompt, "bayes" or the "base" of ProAgent.
        believes: whether it tracks a belief at all.
        tells: whether the belief goes into the prompt.
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
    """A planner in a seat.

    Args:
        variant: which parts it has.
        backend: the model that plans.
        prompts: what it is told.
        history_turns, retries: as in `Planner`.
        tuning: of belief and gate, where the variant has them.
    """

    def __init__(
        self,
        variant: AgentVariant,
        backend: ChatBackend,
        prompts: Prompts,
        *,
        history_turns: int = 3,
        retries: int = 3,
        belief_config: BeliefConfig | None = None,
    ) -> None:
        self.profile = Profile(
            variant.name, backend.name, (belief_config or BeliefConfig()) if variant.has_belief else None
        )
        self._variant = variant
        self._backend, self._prompts = backend, prompts
        self._history_turns, self._retries = history_turns, retries
        self._trigger = make_trigger(variant.trigger, Inquirer(backend, prompts, retries))

    def reset(self, seat: EpisodeContext) -> None:
        """Begin a game with a fresh belief, gate and chat."""
        self._planner = Planner(
            self._backend,
            self._prompts,
            kind=self._variant.kind,
            history_turns=self._history_turns,
            retries=self._retries,
        )
        self._model = partner_model_for(seat, self.profile.belief_config)

    def copy(self) -> Self:
        """Another one that stands where this one stands, and goes on by itself."""
        other = copy(self)
        other._planner, other._model = self._planner.copy(), self._model and self._model.copy()
        return other

    def decide(self, observation: Observation) -> Decision:
        """Update the belief, judge it, and keep the running skill or ask for another."""
        belief, gate = self._observe_partner(observation)
        mid_skill = observation.running != constants.NO_SKILL
        verdict = TriggerResult(False)
        if mid_skill:
            verdict = self._trigger(TriggerContext(observation, gate, lambda: self._situation(observation, belief)))
            if not verdict.interrupts:
                return Decision(observation.running, belief=belief, gate=gate, asides=verdict.asides)
        exchange = self._planner.decide(self._situation(observation, belief))
        return Decision(
            exchange.skill,
            chosen=True,
            replanned=mid_skill,
            belief=belief,
            gate=gate,
            exchange=exchange,
            asides=verdict.asides,
        )

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Believe what it would have believed, and remember what was asked and answered."""
        self._observe_partner(observation)
        if decision.exchange is not None:
            self._planner.commit(decision.exchange)

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Go on with other parameters of belief and gate.

        Raises:
            BBAError: it has neither, or the belief would be over other hypotheses.
        """
        if self._model is None:
            raise BBAError(f"{self.profile.agent}: has no belief and no gate to tune")
        self._model.reconfigure(belief_config)
        self.profile = replace(self.profile, belief_config=belief_config)

    def _observe_partner(self, observation: Observation) -> tuple[BeliefUpdate | None, GateResult | None]:
        if self._model is None:
            return None, None
        mid_skill = observation.running != constants.NO_SKILL
        return self._model.observe(observation.before, observation.state, mid_skill=mid_skill)

    def _situation(self, observation: Observation, belief: BeliefUpdate | None) -> PlannerInput:
        if belief is None or self._model is None or not self._variant.belief_in_prompt:
            return planner_input_from(observation)
        return planner_input_from(observation, belief_view(self._model, observation, belief))


def belief_view(model: PartnerModel, observation: Observation, belief: BeliefUpdate) -> BeliefView:
    """The belief over roles as the prompt puts it (the filter over skills is summed up by role)."""
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
    """A posterior over the hypotheses as one over the six roles."""
    if len(posterior) == len(ROLE_NAMES):
        return posterior
    sums = [0.0] * len(ROLE_NAMES)
    for role, probability in zip(hypotheses.roles, posterior, strict=True):
        sums[role] += probability
    return tuple(sums)


def partner_destination(observation: Observation, role: int) -> str | None:
    """Where a partner in this role is probably going: the kind and place of its nearest work, None if it has none."""
    partner, layout = 1 - observation.seat, observation.layout
    grid, targets = grid_of(layout), observation.targets(partner)
    here = observation.state[POSITION + partner]
    reachable = [targets[skill] for skill in ROLE_SKILLS[role] if targets[skill] >= 0]
    if not reachable:
        return None
    at = min(reachable, key=lambda target: (grid.distance_to_adjacent[target, here], target))
    return f"{constants.TILE_NAMES[grid.kind[at]]} ({at % layout.width},{at // layout.width})"
