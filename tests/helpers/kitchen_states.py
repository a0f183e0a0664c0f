"""Helpers of the kitchen's tests: setting up a state, checking invariants, random layouts and games."""

import numpy as np

from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.constants import FACING, HELD, POSITION, STATE_HEADER, StateVector
from bba.kitchen.layout import Grid, Position
from bba.kitchen.skills import feasible_targets

FOODS = [
    bits
    for bits in range(16)
    if bits & constants.ON_PROTEIN != constants.ON_PROTEIN  # at most one protein
]
PLATES = [constants.PLATE | bits for bits in FOODS]
HOLDABLE = [*range(constants.MEAT, constants.FIRE_EXT + 1), *PLATES]


def tile_number(kitchen: Kitchen, position: Position) -> int:
    return position[1] * kitchen.layout.width + position[0]


def place_player(kitchen: Kitchen, player: int, position: Position, facing: int = constants.NORTH) -> None:
    assert kitchen.layout.is_floor(position)
    kitchen.state[POSITION + player] = tile_number(kitchen, position)
    kitchen.state[FACING + player] = facing


def give(kitchen: Kitchen, player: int, item: int) -> None:
    kitchen.state[HELD + player] = item


def held(kitchen: Kitchen, player: int) -> int:
    return int(kitchen.state[HELD + player])


def put_item(kitchen: Kitchen, position: Position, item: int, progress: int = 0) -> None:
    tile = tile_number(kitchen, position)
    kitchen.state[STATE_HEADER + tile] = item
    kitchen.state[STATE_HEADER + len(kitchen.grid.kind) + tile] = progress


def item_on(kitchen: Kitchen, position: Position) -> tuple[int, int]:
    """The item on a tile and its progress."""
    tile = tile_number(kitchen, position)
    return int(kitchen.state[STATE_HEADER + tile]), int(kitchen.state[STATE_HEADER + len(kitchen.grid.kind) + tile])


def position_of(kitchen: Kitchen, player: int) -> Position:
    tile = int(kitchen.state[POSITION + player])
    return tile % kitchen.layout.width, tile // kitchen.layout.width


def find(layout: Layout, char: str) -> Position:
    """The first tile of a kind in reading order."""
    return next(position for position, tile in layout.tiles() if tile == char)


# --- invariants of every state ----------------------------------------------------------------------------------


# --- random ----------------------------------------------------------------------------------------------------


def feasible(grid: Grid, state: StateVector, player: int) -> list[int]:
    """The skills in the player's mask."""
    target, distance = np.empty(constants.N_SKILLS, np.int32), np.empty(constants.N_SKILLS, np.int32)
    feasible_targets(grid, state, player, target, distance)
    return np.flatnonzero(target >= 0).tolist()
