"""What an agent knows: the context of its episode, and an observation in every step."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from bba.belief import StayModel
from bba.kernels import maybe_compiled
from bba.kitchen import constants, skills
from bba.kitchen.grid import grid_of
from bba.kitchen.layout import Layout, Position
from bba.kitchen.scene import Scene, scene_of
from bba.kitchen.state import StateVector
from bba.planner import BeliefView, PlannerInput


@dataclass(frozen=True, slots=True)
class EpisodeContext:
    """What an agent is told when an episode begins.

    Attributes:
        player: its index, 0 or 1.
        layout: the kitchen.
        seed: of the agent's own random draws, if it has any.
        partner_stay_model: how to read STAY actions of the partner.
        fast: whether to compute with compiled kernels.
    """

    player: int
    layout: Layout
    seed: int
    partner_stay_model: StayModel
    fast: bool


class Observation(NamedTuple):
    """What one player knows when it decides: the public state before and after the last step, and its own skill.

    Attributes:
        player: the deciding player, 0 or 1.
        layout: the kitchen.
        before: the state one step ago; None at the first step.
        state: the state now.
        running: the skill that this player is running; NO_SKILL if it has to choose one.
        age: the number of steps for which it has been running.
        ended: how its last skill ended (`constants.END_NAMES`), if it has to choose.
        fast: whether to compute with compiled kernels.
    """

    player: int
    layout: Layout
    before: StateVector | None
    state: StateVector
    running: int
    age: int
    ended: int
    fast: bool

    def scene(self) -> Scene:
        """Returns the public state, decoded."""
        return scene_of(self.layout, self.state)

    def targets(self, player: int) -> list[int]:
        """Returns the target tile of each of the 27 skills for a player, -1 if the skill is infeasible."""
        target = np.empty(constants.N_SKILLS, np.int32)
        distance = np.empty(constants.N_SKILLS, np.int32)
        maybe_compiled(skills.feasible_targets, fast=self.fast)(
            grid_of(self.layout), self.state, player, target, distance
        )
        return target.tolist()

    def feasible(self) -> tuple[int, ...]:
        """Returns the skills that this player could start now, ascending."""
        return tuple(skill for skill, target in enumerate(self.targets(self.player)) if target >= 0)


def planner_input_from(observation: Observation, belief: BeliefView | None = None) -> PlannerInput:
    """Returns the planner's input for an observation, with the belief to show in the prompt, if any."""
    return PlannerInput(
        scene=observation.scene(),
        player=observation.player,
        stations=stations_of(observation.layout),
        feasible=observation.feasible(),
        belief=belief,
        timing=observation.layout.timing,
        plates=observation.layout.plates,
    )


@lru_cache(maxsize=64)
def stations_of(layout: Layout) -> Mapping[str, tuple[Position, ...]]:
    """Returns the stations' positions by map letter, and the pass counters as "pass"."""
    stations: dict[str, tuple[Position, ...]] = {
        letter: tuple(position for position, char in layout.tiles() if char == letter) for letter in "MZRTUBGPWDS"
    }
    return stations | {"pass": layout.pass_counters}
