"""What an agent sees, what it answers, and the protocol of whoever can sit in a seat."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np

from bba.belief import BeliefReading, FilterSettings, GateReading, GateSettings
from bba.kernels import at_speed
from bba.kitchen import codes, skills
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Layout, Position
from bba.kitchen.scene import Scene
from bba.kitchen.state import Row
from bba.kitchen.view import scene_of
from bba.planner import BeliefView, Exchange, Situation


@dataclass(frozen=True, slots=True)
class Seat:
    """Where an agent sits for one game.

    Attributes:
        number: its player, 0 or 1.
        layout: the kitchen.
        seed: of the agent's own random draws, if it has any.
        partner_held_back: whether the other player's moves are randomly held back (mobility < 1).
        fast: whether to compute with compiled kernels.
    """

    number: int
    layout: Layout
    seed: int
    partner_held_back: bool
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
    before: Row | None
    row: Row
    running: int
    age: int
    ended: int
    fast: bool

    def scene(self) -> Scene:
        """Everything public, decoded."""
        return scene_of(self.layout, self.row)

    def targets(self, player: int) -> list[int]:
        """For each of the 27 skills the tile at which `player` would carry it out, -1 where it is infeasible."""
        target = np.empty(codes.N_SKILLS, np.int32)
        walk = np.empty(codes.N_SKILLS, np.int32)
        at_speed(skills.survey, fast=self.fast)(grid_of(self.layout), self.row, player, target, walk)
        return target.tolist()

    def feasible(self) -> tuple[int, ...]:
        """The skills that this player could start now, ascending: the mask as numbers."""
        return tuple(skill for skill, target in enumerate(self.targets(self.seat)) if target >= 0)


class Decision(NamedTuple):
    """What an agent answers, and what it thought.

    Attributes:
        skill: the skill to run from now on; the running one to go on with it. NO_SKILL for a person, who acts.
        action: a person's primitive action; None for everybody who plays by skills.
        chosen: whether the skill was chosen anew (even if it is the same one).
        replanned: whether the agent interrupted its own running skill for it.
        belief: the agent's belief after its update, if it has one.
        gate: the five conditions, if it has a gate.
        exchange: the planner's exchange, if it was asked.
        pursuing: the role that a scripted partner pursues by its schedule; None for others.
        note: a few words for the trace, such as a partner's reason to do another role's work.
    """

    skill: int
    action: int | None = None
    chosen: bool = False
    replanned: bool = False
    belief: BeliefReading | None = None
    gate: GateReading | None = None
    exchange: Exchange | None = None
    pursuing: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The parameters of an agent's belief and of its gate."""

    filter: FilterSettings = field(default_factory=FilterSettings)
    gate: GateSettings = field(default_factory=GateSettings)


class Agent(Protocol):
    """Whoever can sit in a seat."""

    @property
    def name(self) -> str:
        """The name under which results are filed."""

    @property
    def planner(self) -> str | None:
        """What plans for it, such as "scripted"; None if it has no planner."""

    @property
    def tuning(self) -> Tuning | None:
        """The parameters of its belief and gate; None if it has neither."""

    def reset(self, seat: Seat) -> None:
        """Begin a game; forget everything of the last one."""

    def decide(self, observation: Observation) -> Decision:
        """Choose what to do in this step. Called once a step, in order."""


def situation_of(observation: Observation, belief: BeliefView | None = None) -> Situation:
    """What the observation tells a planner, with the belief to be put into the prompt, if any."""
    return Situation(
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
