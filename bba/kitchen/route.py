"""The route of a running skill: its target tile and the path to it.

A skill is hidden from the other player. Given the skill and the states since it was chosen, the controller is
deterministic, so the route can be computed afterwards for any step of any game.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bba.kitchen.constants import NO_SKILL, SKILL_STAY
from bba.kitchen.controller import (
    SKILL,
    TARGET,
    SkillRuns,
    check_completion,
    distance_for,
    new_skill_runs,
    start_skill,
    step_closer,
)
from bba.kitchen.grid import Grid, grid_of
from bba.kitchen.layout import Layout, Position
from bba.kitchen.state import POSITION, StateVector


class Route(NamedTuple):
    """The target of a running skill, and the floor tiles from the player's own to one beside the target, both included.

    The path is a shortest one, around the other player where that is no longer.
    """

    target: Position
    path: tuple[Position, ...]


def route_of(layout: Layout, states: Sequence[StateVector], player: int, skill: int) -> Route | None:
    """Returns the current route of a player's skill; None for no skill, STAY, a skill that is done or has no target.

    `states` are those since the skill was chosen: the one in which it was chosen, then the one after each step.
    """
    grid, runs = grid_of(layout), new_skill_runs()
    if skill in (NO_SKILL, SKILL_STAY) or not start_skill(grid, states[0], runs, player, skill):
        return None
    for state in states[1:]:
        check_completion(grid, state, runs, player, len(states))
    if runs[player, SKILL] == NO_SKILL:
        return None
    tiles = [int(runs[player, TARGET]), *_path_to_target(grid, states[-1], runs, player)]
    target, *path = ((tile % layout.width, tile // layout.width) for tile in tiles)
    return Route(target, tuple(path))


def _path_to_target(grid: Grid, state: StateVector, runs: SkillRuns, player: int) -> list[int]:
    """Returns the tiles that the controller would walk from the player's position if nobody else moved."""
    here, other = int(state[POSITION + player]), int(state[POSITION + 1 - player])
    path = [here]
    while distance_for(grid, runs, player, here):
        here = int(grid.neighbour[here, step_closer(grid, runs, player, here, other)])
        path.append(here)
    return path
