"""What an agent sees, what it answers, and the protocol of whoever can sit in a seat."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from bba.belief import BeliefConfig, BeliefUpdate, GateResult, PartnerModel, StayModel
from bba.kernels import maybe_compiled
from bba.kitchen import constants, skills
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Layout, Position
from bba.kitchen.scene import Scene, scene_of
from bba.kitchen.state import StateVector
from bba.planner import Aside, BeliefView, Exchange, PlannerInput

THINKING = "thinking"  # the note of a step in which an agent waits for its planner

Schedule = tuple[tuple[int, int], ...]  # (from step, role) in order, starting at step 0


@dataclass(frozen=True, slots=True)
class EpisodeContext:
    """Where an agent sits for one game.

    Attributes:
        number: its player, 0 or 1.
        layout: the kitchen.
        seed: of the agent's own random draws, if it has any.
        partner_tempo: how the other player comes to stay where it is.
        fast: whether to compute with compiled kernels.
    """

    number: int
    layout: Layout
    seed: int
    partner_stay_model: StayModel
    fast: bool


class Observation(NamedTuple):
    """What one player knows when it decides: the public state before and after the last step, and its own doings.

    Attributes:
        seat: the deciding player, 0 or 1.
        layout: the kitchen.
        before: the state row one step ago; None at the first step.
        row: the state row now.
        running: the skill that this player itself is running; NO_SKILL when it has to choose one.
        age: for how many steps it has been running.
        ended: how its last skill ended (`codes.END_NAMES`), if it has to choose.
        fast: whether to compute with compiled kernels.
    """

    seat: int
    layout: Layout
    before: StateVector | None
    state: StateVector
    running: int
    age: int
    ended: int
    fast: bool

    def scene(self) -> Scene:
        """Everything public, decoded."""
        return scene_of(self.layout, self.state)

    def targets(self, player: int) -> list[int]:
        """For each of the 27 skills the tile at which `player` would carry it out, -1 where it is infeasible."""
        target = np.empty(constants.N_SKILLS, np.int32)
        walk = np.empty(constants.N_SKILLS, np.int32)
        maybe_compiled(skills.feasible_targets, fast=self.fast)(grid_of(self.layout), self.state, player, target, walk)
        return target.tolist()

    def feasible(self) -> tuple[int, ...]:
        """The skills that this player could start now, ascending: the mask as numbers."""
        return tuple(skill for skill, target in enumerate(self.targets(self.seat)) if target >= 0)


class PolicyOutput(NamedTuple):
    """What a learned policy made of its last choice, and of its partner.

    Attributes:
        probabilities: of the 27 skills when it chose the running one; () while one runs that it did not choose.
        clusters: how much each cluster of partners counts now; () for a policy that knows of none.
    """

    probabilities: tuple[float, ...] = ()
    clusters: tuple[float, ...] = ()


class Decision(NamedTuple):
    """What an agent answers, and what it thought.

    Attributes:
        skill: the skill to run from now on; the running one to go on with it. NO_SKILL for a person who acts by hand.
        action: that person's primitive action; None for everybody who plays by skills.
        chosen: whether the skill was chosen anew (even if it is the same one).
        replanned: whether the agent interrupted its own running skill for it.
        belief: the agent's belief after its update, if it has one.
        gate: the five conditions, if it has a gate.
        exchange: the planner's exchange, if it was asked.
        asides: what a model was asked beside the skill, in order.
        pursuing: the role that a scripted partner pursues by its schedule; None for others.
        declared: the role that a person says it now plays; None where it says nothing.
        note: a few words for the trace, such as a partner's reason to do another role's work.
        policy: what a learned policy made of it, also while the skill runs; None for others.
    """

    skill: int
    action: int | None = None
    chosen: bool = False
    replanned: bool = False
    belief: BeliefUpdate | None = None
    gate: GateResult | None = None
    exchange: Exchange | None = None
    asides: tuple[Aside, ...] = ()
    pursuing: int | None = None
    declared: int | None = None
    note: str = ""
    policy: PolicyOutput | None = None

    @property
    def thinking(self) -> bool:
        """Whether nothing is decided yet: it stays where it is because its planner takes its time."""
        return self.note == THINKING


@dataclass(frozen=True, slots=True)
class Profile:
    """What an agent is: what results are filed under, and enough to make another one like it.

    Attributes:
        agent: its name in the registry.
        planner: what plans for it, such as "scripted"; None if it has no planner.
        tuning: the parameters of its belief and gate; None if it has neither.
        schedule: the roles of a switching partner, where they were given; None where they are drawn from the seed.
    """

    agent: str
    planner: str | None = None
    belief_config: BeliefConfig | None = None
    schedule: Schedule | None = None


class Agent(Protocol):
    """Whoever can sit in a seat."""

    @property
    def profile(self) -> Profile:
        """What it is."""

    def reset(self, seat: EpisodeContext) -> None:
        """Begin a game; forget everything of the last one."""

    def decide(self, observation: Observation) -> Decision:
        """Choose what to do in this step. Called once a step, in order."""

    def commit(self, observation: Observation, decision: Decision) -> None:
        """Take in a step in which this decision was made for it; after that it stands as if it had made it itself."""

    def reconfigure(self, belief_config: BeliefConfig) -> None:
        """Go on with other parameters of belief and gate.

        Raises:
            BBAError: it has neither, or the belief cannot go on with these.
        """


def partner_model_for(seat: EpisodeContext, belief_config: BeliefConfig | None) -> PartnerModel | None:
    """A fresh model of the partner for an agent in this seat; None for one without a belief."""
    if belief_config is None:
        return None
    return PartnerModel(
        grid_of(seat.layout), 1 - seat.number, belief_config, stay_model=seat.partner_stay_model, fast=seat.fast
    )


def planner_input_from(observation: Observation, belief: BeliefView | None = None) -> PlannerInput:
    """What the observation tells a planner, with the belief to be put into the prompt, if any."""
    return PlannerInput(
        scene=observation.scene(),
        seat=observation.seat,
        stations=stations_of(observation.layout),
        feasible=observation.feasible(),
        belief=belief,
        timing=observation.layout.timing,
        plates=observation.layout.plates,
    )


@lru_cache(maxsize=64)
def stations_of(layout: Layout) -> Mapping[str, tuple[Position, ...]]:
    """The stations by map letter, in the order of the map's alphabet, and the pass counters as "pass"."""
    found: dict[str, tuple[Position, ...]] = {
        letter: tuple(position for position, char in layout.tiles() if char == letter) for letter in "MZRTUBGPWDS"
    }
    return found | {"pass": layout.pass_counters}
