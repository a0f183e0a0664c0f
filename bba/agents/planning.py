"""BayesBeliefAgent, its ablations, and ProAgent: a planner that chooses skills, with or without belief and gate.

Each step: the partner's last action enters the belief; the gate judges whether it contradicts what was believed; a
running skill goes on unless the gate opens; with none running the planner is asked.
"""

from dataclasses import dataclass

from bba.agents.base import Decision, Observation, Seat, Tuning, situation_of
from bba.belief import (
    COMPLEMENTS,
    ROLE_NAMES,
    ROLE_SKILLS,
    BeliefFilter,
    BeliefReading,
    Gate,
    GateReading,
    Hypotheses,
)
from bba.kitchen import codes
from bba.kitchen.grid import grid_of
from bba.kitchen.state import POS
from bba.planner import BeliefView, ChatBackend, Kind, Planner, Prompts, Situation

MODERATE = 0.45  # the confidence from which a belief below Γ is called moderate in the prompt


@dataclass(frozen=True, slots=True)
class Variant:
    """Which parts of the full agent a variant has.

    Attributes:
        name: the agent's name.
        kind: the system prompt, "bayes" or the "base" of ProAgent.
        believes: whether it tracks a belief at all.
        tells: whether the belief goes into the prompt.
        gated: whether the gate can interrupt its skill.
    """

    name: str
    kind: Kind
    believes: bool
    tells: bool
    gated: bool


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("bayes", "bayes", believes=True, tells=True, gated=True),
        Variant("bayes-no-prompt", "bayes", believes=True, tells=False, gated=True),
        Variant("bayes-no-replan", "bayes", believes=True, tells=True, gated=False),
        Variant("bayes-no-belief", "bayes", believes=False, tells=False, gated=False),
        Variant("proagent", "base", believes=False, tells=False, gated=False),
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
        variant: Variant,
        backend: ChatBackend,
        prompts: Prompts,
        *,
        history_turns: int = 3,
        retries: int = 3,
        tuning: Tuning | None = None,
    ) -> None:
        self.name = variant.name
        self.planner = backend.name
        self._variant = variant
        self._backend, self._prompts = backend, prompts
        self._history_turns, self._retries = history_turns, retries
        self._tuning = tuning or Tuning()
        self.tuning = self._tuning if variant.believes else None

    def reset(self, seat: Seat) -> None:
        """Begin a game with a fresh belief, gate and chat."""
        self._planner = Planner(
            self._backend,
            self._prompts,
            kind=self._variant.kind,
            history_turns=self._history_turns,
            retries=self._retries,
        )
        self._filter = BeliefFilter(
            grid_of(seat.layout),
            1 - seat.number,
            self._tuning.filter,
            held_back=seat.partner_held_back,
            fast=seat.fast,
        )
        self._gate = Gate(self._tuning.gate)

    def decide(self, observation: Observation) -> Decision:
        """Update the belief, judge it, and keep the running skill or ask for another."""
        belief, gate = self._perceive(observation)
        mid_skill = observation.running != codes.NO_SKILL
        replanned = self._variant.gated and gate is not None and gate.opens
        if mid_skill and not replanned:
            return Decision(observation.running, belief=belief, gate=gate)
        exchange = self._planner.decide(self._situation(observation, belief))
        return Decision(exchange.skill, chosen=True, replanned=replanned, belief=belief, gate=gate, exchange=exchange)

    def _perceive(self, observation: Observation) -> tuple[BeliefReading | None, GateReading | None]:
        if not self._variant.believes:
            return None, None
        if observation.before is None:
            return self._filter.reading, None
        belief = self._filter.update(observation.before, observation.row)
        return belief, self._gate.read(belief, mid_skill=observation.running != codes.NO_SKILL)

    def _situation(self, observation: Observation, belief: BeliefReading | None) -> Situation:
        told = belief if self._variant.tells else None
        return situation_of(observation, None if told is None else self._belief_view(observation, told))

    def _belief_view(self, observation: Observation, belief: BeliefReading) -> BeliefView:
        """The belief over roles as the prompt puts it (the filter over skills is summed up by role)."""
        posterior = by_role(self._filter.hypotheses, belief.posterior)
        role = max(range(len(posterior)), key=posterior.__getitem__)
        confident = posterior[role] >= self._tuning.gate.gamma_conf
        return BeliefView(
            roles=ROLE_NAMES,
            posterior=posterior,
            map_index=role,
            confidence=posterior[role],
            commitment=belief.commitment,
            confident=confident,
            heading=heading(observation, role) if confident else None,
            complements=tuple(ROLE_NAMES[other] for other in COMPLEMENTS[role]),
            moderate=not confident and posterior[role] >= MODERATE,
        )


def by_role(hypotheses: Hypotheses, posterior: tuple[float, ...]) -> tuple[float, ...]:
    """A posterior over the hypotheses as one over the six roles."""
    if len(posterior) == len(ROLE_NAMES):
        return posterior
    sums = [0.0] * len(ROLE_NAMES)
    for role, probability in zip(hypotheses.roles, posterior, strict=True):
        sums[role] += probability
    return tuple(sums)


def heading(observation: Observation, role: int) -> str | None:
    """Where a partner in this role is probably going: the kind and place of its nearest work, None if it has none."""
    partner, layout = 1 - observation.seat, observation.layout
    grid, targets = grid_of(layout), observation.targets(partner)
    here = observation.row[POS + partner]
    reachable = [targets[skill] for skill in ROLE_SKILLS[role] if targets[skill] >= 0]
    if not reachable:
        return None
    at = min(reachable, key=lambda target: (grid.beside[target, here], target))
    return f"{codes.TILE_NAMES[grid.tile[at]]} ({at % layout.width},{at // layout.width})"
