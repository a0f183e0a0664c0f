"""A snapshot of a game: the state of everything after one step, derived from the trace alone.

Panels keep no state of their own: given the snapshot of an earlier step, they show that step.
"""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from bba.agents.planning import trigger_of
from bba.analysis import names
from bba.belief import (
    NO_ROLE,
    NOTHING_REMEMBERED,
    ROLE_NAMES,
    BeliefConfig,
    BeliefUpdate,
    CommitmentConfig,
    CommitmentResult,
    GateConfig,
    GateResult,
    HypothesisSpace,
    hypothesis_space,
)
from bba.belief.likelihood import observed_action
from bba.belief.roles import SCORED_SKILLS
from bba.kitchen import Scene
from bba.kitchen.constants import ACTION_NAMES, INTERACT
from bba.kitchen.controller import Route, route_of
from bba.kitchen.state import EVENT
from bba.limits import TriggerName
from bba.play.trace import EGO, PARTNER, GameConfig, Tick, Trace

UNIFORM = (1.0 / len(ROLE_NAMES),) * len(ROLE_NAMES)


@dataclass(frozen=True, slots=True)
class BeliefSnapshot:
    """The belief about the partner in one step: the ego's or, if it has none, the passive observer's.

    Attributes:
        observer: whether the belief is the passive observer's.
        belief, gate: the results of filter and gate; no gate in the first step.
        settings: the gate's parameters.
        replanned: whether the ego interrupted its skill.
        commitment, commitment_settings: the commitment gate's result and parameters.
        trigger: what interrupts the ego's skills; None for an ego without triggers.
    """

    observer: bool
    belief: BeliefUpdate
    gate: GateResult | None
    settings: GateConfig
    replanned: bool
    commitment: CommitmentResult | None = None
    commitment_settings: CommitmentConfig = field(default_factory=CommitmentConfig)
    trigger: TriggerName | None = "gate"

    @property
    def prior_map(self) -> str:
        """The hypothesis that the gate tests (the MAP before the update), in words."""
        return hypothesis_in_words(self.belief, self.belief.prior_map)

    @property
    def believed(self) -> str:
        """The MAP, in words."""
        return hypothesis_in_words(self.belief, self.belief.map_index)

    @property
    def remembered(self) -> str | None:
        """The hypothesis that the commitment gate remembers, in words; None if there is none."""
        known = self.commitment is not None and self.commitment.remembered != NOTHING_REMEMBERED
        return hypothesis_in_words(self.belief, self.commitment.remembered) if self.commitment and known else None


@dataclass(frozen=True)
class Snapshot:
    """A game after `step` steps (0: before the first).

    Attributes:
        trace: the game; it may have more steps than `step`.
        step: the number of steps played.
        truth: whether to show the partner's true skill and role, which the ego cannot see.
    """

    trace: Trace
    step: int
    truth: bool = True

    @property
    def config(self) -> GameConfig:
        """The game's settings in this step; they can change during a game."""
        return self.trace.config_at(self.step)

    @property
    def tick(self) -> Tick | None:
        """The last step; None before the first."""
        return self.trace.ticks[self.step - 1] if self.step else None

    @property
    def thinking(self) -> bool:
        """Whether the ego waits for its planner's answer."""
        return self.tick is not None and self.tick.decisions[EGO].thinking

    @cached_property
    def scene(self) -> Scene:
        """The kitchen, decoded."""
        return self.trace.scene(self.step)

    @cached_property
    def belief_state(self) -> BeliefSnapshot | None:
        """The belief about the partner; None before the first step."""
        return belief_snapshot(self.trace, self.step) if self.step else None

    @property
    def posterior(self) -> tuple[float, ...]:
        """The posterior over the six roles; uniform before the first step."""
        return role_posterior(self.belief_state.belief) if self.belief_state else UNIFORM

    @property
    def true_role(self) -> int:
        """The partner's true role; NO_ROLE if it has none or if the truth is hidden."""
        return self.tick.role(PARTNER) if self.tick and self.truth else NO_ROLE

    @cached_property
    def routes(self) -> tuple[Route | None, Route | None]:
        """The route of each player's running skill; None if there is none or if the truth is hidden."""
        return self._route(EGO), self._route(PARTNER) if self.truth else None

    def _route(self, player: int) -> Route | None:
        if self.tick is None:
            return None
        chosen = self.step - 1 - self.tick.ages[player]
        states = [self.trace.state(step) for step in range(chosen, self.step + 1)]
        return route_of(self.config.layout, states, player, self.tick.skills[player])


def belief_snapshot(trace: Trace, step: int) -> BeliefSnapshot:
    """Returns the belief and gate of a step (1 is the first): the ego's, else the passive observer's."""
    tick, belief_config = trace.ticks[step - 1], trace.config_at(step).belief_config or BeliefConfig()
    decision, trigger = tick.decisions[EGO], trigger_of(trace.config_at(step).seats[EGO])
    if decision.belief is None:
        return BeliefSnapshot(
            observer=True,
            belief=tick.observer,
            gate=tick.observer_gate,
            settings=GateConfig(),
            replanned=False,
            commitment=tick.observer_commitment,
            trigger=trigger,
        )
    return BeliefSnapshot(
        observer=False,
        belief=decision.belief,
        gate=decision.gate,
        settings=belief_config.gate,
        replanned=decision.replanned,
        commitment=decision.commitment,
        commitment_settings=belief_config.commitment,
        trigger=trigger,
    )


def role_posterior(belief: BeliefUpdate) -> tuple[float, ...]:
    """Returns the posterior over the six roles; a posterior over skills is summed by role."""
    return hypotheses_of(belief).by_role(belief.posterior)


def hypothesis_in_words(belief: BeliefUpdate, hypothesis: int) -> str:
    """Returns the name of one of a belief's hypotheses: a role, such as "prep rice", or a skill, as "boil rice"."""
    over_roles = len(belief.posterior) == len(ROLE_NAMES)
    return names.role(hypothesis) if over_roles else names.skill(SCORED_SKILLS[hypothesis])


def hypotheses_of(belief: BeliefUpdate) -> HypothesisSpace:
    """Returns the hypotheses of a belief, recognised by their number."""
    return _hypotheses("roles" if len(belief.posterior) == len(ROLE_NAMES) else "skills")


_hypotheses = lru_cache(maxsize=2)(hypothesis_space)


def observed_action_name(snapshot: Snapshot, back: int = 0) -> str:
    """Returns the partner's action that the belief took in `back` steps earlier; "" if there is none.

    The belief takes in an action one step later, when the states before and after it are public.
    """
    step = snapshot.step - 1 - back
    if step < 1:
        return ""
    before, after = snapshot.trace.state(step - 1), snapshot.trace.state(step)
    number = observed_action(before, after, PARTNER)
    name = ACTION_NAMES[number]
    return f"{name}: {names.skill(int(after[EVENT + PARTNER]))}" if number == INTERACT else name


def least_likely_action(belief_state: BeliefSnapshot, snapshot: Snapshot) -> str:
    """Returns the action in ℓ's window that the prior MAP explains least; the latest one of equals."""
    newest_first = belief_state.belief.likelihood_ratios[::-1]
    back = min(range(len(newest_first)), key=newest_first.__getitem__, default=0)
    return observed_action_name(snapshot, back)
