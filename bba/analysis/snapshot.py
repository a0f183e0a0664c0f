"""One moment of a game as the panels see it: everything that they show is derived from this, and from nothing else.

A panel that is given an earlier moment shows an earlier moment: there is no state to wind back.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

from bba.agents.planning import posterior_by_role
from bba.belief import NO_ROLE, ROLE_NAMES, BeliefUpdate, GateConfig, GateResult, HypothesisSpace, hypothesis_space
from bba.kitchen import Scene
from bba.kitchen.route import Route, route_of
from bba.kitchen.state import StateVector
from bba.play import GameConfig, Tick, Trace

EGO, PARTNER = 0, 1
UNIFORM = (1.0 / len(ROLE_NAMES),) * len(ROLE_NAMES)


@dataclass(frozen=True, slots=True)
class BeliefSnapshot:
    """What is believed about the partner at one tick, and who believes it.

    Attributes:
        observer: whether it is the passive observer's, because the ego has no belief of its own.
        belief, gate: what filter and gate found; no gate at the first step.
        settings: the gate's parameters.
        replanned: whether the ego interrupted its skill.
    """

    observer: bool
    belief: BeliefUpdate
    gate: GateResult | None
    settings: GateConfig
    replanned: bool

    @property
    def prior_map(self) -> str:
        """The hypothesis that the gate judged, in words."""
        return hypotheses_of(self.belief).names[self.belief.prior_map].replace("_", " ").lower()


@dataclass(frozen=True)
class Snapshot:
    """A game after `step` steps (0: before the first).

    Attributes:
        trace: the game; it may already be longer.
        step: how many steps have been played.
        truth: whether what only the trace knows (the partner's skill and role) may be shown.
    """

    trace: Trace
    step: int
    truth: bool = True

    @property
    def config(self) -> GameConfig:
        """What the game is set to at this moment."""
        return self.trace.config_at(self.step)

    @property
    def tick(self) -> Tick | None:
        """The last step; None before the first."""
        return self.trace.ticks[self.step - 1] if self.step else None

    @property
    def thinking(self) -> bool:
        """Whether the ego waits for its planner."""
        return self.tick is not None and self.tick.decisions[EGO].thinking

    @cached_property
    def scene(self) -> Scene:
        """The kitchen, decoded."""
        return self.trace.scene(self.step)

    @cached_property
    def mind(self) -> BeliefSnapshot | None:
        """What is believed now; None before the first step."""
        return belief_snapshot(self.trace, self.step) if self.step else None

    @property
    def posterior(self) -> tuple[float, ...]:
        """The belief over the six roles; uniform before the first step."""
        return role_posterior(self.mind.belief) if self.mind else UNIFORM

    @property
    def true_role(self) -> int:
        """The role that the partner is in; NO_ROLE where it has none or where the truth is hidden."""
        return self.tick.role(PARTNER) if self.tick and self.truth else NO_ROLE

    @cached_property
    def routes(self) -> tuple[Route | None, Route | None]:
        """Where each cook's running skill leads it; None where that is nowhere or where the truth is hidden."""
        return self._route(EGO), self._route(PARTNER) if self.truth else None

    def _route(self, player: int) -> Route | None:
        if self.tick is None:
            return None
        chosen = self.step - 1 - self.tick.ages[player]
        rows = [self.state(step) for step in range(chosen, self.step + 1)]
        return route_of(self.config.layout, rows, player, self.tick.skills[player])

    def state(self, step: int) -> StateVector:
        """The state after so many steps."""
        return self.trace.ticks[step - 1].state if step else self.trace.start


def belief_snapshot(trace: Trace, step: int) -> BeliefSnapshot:
    """What was believed in a step (1 is the first): the ego's belief and gate, else the passive observer's."""
    tick, belief_config = trace.ticks[step - 1], trace.config_at(step).belief_config
    decision = tick.decisions[EGO]
    if decision.belief is None or belief_config is None:
        return BeliefSnapshot(True, tick.observer, tick.observer_gate, GateConfig(), replanned=False)
    return BeliefSnapshot(False, decision.belief, decision.gate, belief_config.gate, decision.replanned)


def role_posterior(belief: BeliefUpdate) -> tuple[float, ...]:
    """A belief as one over the six roles: a filter over skills is summed up by role."""
    return posterior_by_role(hypotheses_of(belief), belief.posterior)


def hypotheses_of(belief: BeliefUpdate) -> HypothesisSpace:
    """What the filter told apart, recognised by how many there are."""
    return _hypotheses("roles" if len(belief.posterior) == len(ROLE_NAMES) else "skills")


_hypotheses = lru_cache(maxsize=2)(hypothesis_space)


def scheduled_role(tick: Tick) -> int:
    """The role that the partner means to play: by its schedule if it has one, else that of its skill."""
    scheduled = tick.decisions[PARTNER].scheduled_role
    return tick.role(PARTNER) if scheduled is None else scheduled


def switched_to(trace: Trace, step: int) -> int:
    """The role that the partner took up in this step (1 is the first); NO_ROLE where it did not change."""
    role = scheduled_role(trace.ticks[step - 1])
    if role == NO_ROLE:
        return NO_ROLE
    for earlier in range(step - 2, -1, -1):
        before = scheduled_role(trace.ticks[earlier])
        if before != NO_ROLE:
            return role if before != role else NO_ROLE
    return NO_ROLE
