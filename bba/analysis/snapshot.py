"""Steps of a game: a snapshot is the state of everything after a step, derived from the trace alone.

Panels keep no state of their own: given the snapshot of an earlier step, they show that step.
"""

from array import array
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial

from bba.agents.planning_agent import trigger_of
from bba.analysis import names
from bba.belief import (
    NOTHING_REMEMBERED,
    ROLE_NAMES,
    SCORED_SKILLS,
    BeliefUpdate,
    CommitmentGateResult,
    GateResult,
    HypothesisSpace,
    hypothesis_space,
    likeliest,
    observed_action,
)
from bba.config import BeliefConfig, CommitmentConfig, GateConfig, TriggerName
from bba.kitchen import (
    Route,
    Scene,
    constants,
    route_of,
)
from bba.play.trace import EGO, PARTNER, GameConfig, Tick, Trace

KEPT_GAMES = 4  # games that are remembered: those of one screen
UNIFORM = (1.0 / len(ROLE_NAMES),) * len(ROLE_NAMES)


@dataclass(frozen=True, slots=True)
class BeliefSnapshot:
    """The belief about the partner in one step: the ego's or, if it has none, the passive observer's.

    Attributes:
        observer: whether the belief is the passive observer's.
        belief, gate: the results of filter and gate; no gate in the first step.
        settings: the gate's parameters.
        replanned: whether the ego interrupted its skill.
        commitment_gate, commitment_gate_settings: the commitment gate's result and parameters.
        trigger: the trigger that interrupts the ego's skills; None for an ego without triggers.
    """

    observer: bool
    belief: BeliefUpdate
    gate: GateResult | None
    settings: GateConfig
    replanned: bool
    commitment_gate: CommitmentGateResult | None = None
    commitment_gate_settings: CommitmentConfig = field(default_factory=CommitmentConfig)
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
        if self.commitment_gate is None or self.commitment_gate.remembered == NOTHING_REMEMBERED:
            return None
        return hypothesis_in_words(self.belief, self.commitment_gate.remembered)


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
        if self.belief_state is None:
            return UNIFORM
        return role_posterior(self.belief_state.belief)

    @cached_property
    def routes(self) -> tuple[Route | None, Route | None]:
        """The route of each player's running skill; None if there is none or if the truth is hidden."""
        partner_route = self._route(PARTNER) if self.truth else None
        return self._route(EGO), partner_route

    def _route(self, player: int) -> Route | None:
        if self.tick is None:
            return None
        chosen_after = self.step - 1 - self.tick.ages[player]
        states = [self.trace.state(step) for step in range(chosen_after, self.step + 1)]
        return route_of(self.config.layout, states, player, self.tick.skills[player])


def belief_snapshot(trace: Trace, step: int) -> BeliefSnapshot:
    """Returns the belief and gate of a step (1 is the first): the ego's, else the passive observer's."""
    tick = trace.ticks[step - 1]
    belief_config = trace.config_at(step).belief_config or BeliefConfig()
    decision = tick.decisions[EGO]
    trigger = trigger_of(trace.config_at(step).seats[EGO])
    if decision.belief is None:
        return BeliefSnapshot(
            observer=True,
            belief=tick.observer,
            gate=tick.observer_gate,
            settings=GateConfig(),
            replanned=False,
            commitment_gate=tick.observer_commitment_gate,
            trigger=trigger,
        )
    return BeliefSnapshot(
        observer=False,
        belief=decision.belief,
        gate=decision.gate,
        settings=belief_config.gate,
        replanned=decision.replanned,
        commitment_gate=decision.commitment_gate,
        commitment_gate_settings=belief_config.commitment,
        trigger=trigger,
    )


def role_posterior(belief: BeliefUpdate) -> tuple[float, ...]:
    """Returns the posterior over the six roles; a posterior over skills is summed by role."""
    return hypotheses_of(belief).by_role(belief.posterior)


def likeliest_role(belief: BeliefUpdate) -> int:
    """Returns the role with the highest probability; the first one of equals."""
    return likeliest(role_posterior(belief))


def hypothesis_in_words(belief: BeliefUpdate, hypothesis: int) -> str:
    """Returns what the partner does by one of a belief's hypotheses, such as "prepare rice", of skills "boil rice"."""
    if _is_over_roles(belief):
        return names.role_does(hypothesis, to_you=True)
    return names.skill(SCORED_SKILLS[hypothesis])


def _is_over_roles(belief: BeliefUpdate) -> bool:
    return len(belief.posterior) == len(ROLE_NAMES)


def hypotheses_of(belief: BeliefUpdate) -> HypothesisSpace:
    """Returns the hypotheses of a belief, recognised by their number."""
    return _hypotheses("roles" if _is_over_roles(belief) else "skills")


_hypotheses = lru_cache(maxsize=2)(hypothesis_space)


def observed_action_name(snapshot: Snapshot, back: int = 0) -> str:
    """Returns the partner's action that the belief took in `back` steps earlier; "" if there is none.

    The belief takes in an action one step later, when the states before and after it are public.
    """
    step = snapshot.step - 1 - back
    if step < 1:
        return ""
    state = snapshot.trace.state(step)
    action = observed_action(snapshot.trace.state(step - 1), state, PARTNER)
    name = constants.ACTION_NAMES[action]
    if action == constants.INTERACT:
        skill = names.skill(int(state[constants.EVENT + PARTNER]))
        return f"{name}: {skill}"
    return name


def least_likely_action(belief_state: BeliefSnapshot, snapshot: Snapshot) -> str:
    """Returns the action in ℓ's window that the prior MAP explains least; the latest one of equals."""
    newest_first = belief_state.belief.likelihood_ratios[::-1]
    back = newest_first.index(min(newest_first)) if newest_first else 0
    return observed_action_name(snapshot, back)


class StepsWhere:
    """Finds the steps of a game in which a condition holds; reads every tick of the last few games once.

    Args:
        holds: whether the condition holds in a step of a trace, 1 for the first.
    """

    def __init__(self, holds: Callable[[Trace, int], bool]) -> None:
        self._holds = holds
        self._games: list[_ReadSteps] = []

    def last(self, trace: Trace, step: int) -> int:
        """Returns the last step up to this one in which the condition holds; 0 if there is none."""
        count = self.count(trace, step)
        return self._read(trace, step).steps[count - 1] if count else 0

    def count(self, trace: Trace, step: int) -> int:
        """Returns in how many steps up to this one the condition holds."""
        return bisect_right(self._read(trace, step).steps, step)

    def _read(self, trace: Trace, step: int) -> "_ReadSteps":
        """Returns the steps of a game in which the condition holds; it is read up to a step."""
        for game in self._games:
            if game.trace is trace:
                break
        else:
            game = _ReadSteps(trace)
            self._games = [game, *self._games[: KEPT_GAMES - 1]]
        while game.read < step:
            if self._holds(trace, game.read + 1):
                game.steps.append(game.read + 1)
            game.read += 1
        return game


@dataclass(slots=True)
class _ReadSteps:
    """The steps of a game in which something holds, in order, of those that were read."""

    trace: Trace
    steps: "array[int]" = field(default_factory=partial(array, "i"))
    read: int = 0
