"""Where a cook is going: the tile that its skill is aimed at, and the way there.

What a cook runs is hidden, but for those who know it the rest is public: the controller aims by the states alone, so
that it can be asked again, for any step of any game.
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
    """The target of a running skill, and the floor tiles from the cook's own to one beside the target, both included.

    The way is as short as the floor allows, around the other cook where that is no longer.
    """

    target: Position
    way: tuple[Position, ...]


def route_of(layout: Layout, states: Sequence[StateVector], player: int, skill: int) -> Route | None:
    """The route of a player's skill now; None where it leads nowhere: no skill, STAY, done, or no target left.

    `rows` are the states since the skill was chosen: the one in which it was, then that after each step.
    """
    grid, runs = grid_of(layout), new_skill_runs()
    if skill in (NO_SKILL, SKILL_STAY) or not start_skill(grid, states[0], runs, player, skill):
        return None
    for state in states[1:]:
        check_completion(grid, state, runs, player, len(states))
    if runs[player, SKILL] == NO_SKILL:
        return None
    tiles = [int(runs[player, TARGET]), *_way(grid, states[-1], runs, player)]
    target, *way = ((tile % layout.width, tile // layout.width) for tile in tiles)
    return Route(target, tuple(way))


def _way(grid: Grid, state: StateVector, runs: SkillRuns, player: int) -> list[int]:
    """Tile by tile as the controller would walk if nobody moved, from where the player stands."""
    here, other = int(state[POSITION + player]), int(state[POSITION + 1 - player])
    way = [here]
    while distance_for(grid, runs, player, here):
        here = int(grid.neighbour[here, step_closer(grid, runs, player, here, other)])
        way.append(here)
    return way
