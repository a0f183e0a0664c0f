"""One step of the kitchen, for one game or for many.

A step is: player 0's interaction, player 1's interaction, both moves, then the clocks (step count, cooking, orders).
Each part is a free function over the grid ``g`` and the state row ``s`` that changes the row in place.
"""

from bba.kernels import kernel
from bba.kitchen.constants import ACTION_STAY, CHARCOAL, FLOOR, INTERACT, NO_SKILL, NOTHING
from bba.kitchen.grid import BURNING_AT, Grid
from bba.kitchen.interactions import interact
from bba.kitchen.orders import run_orders
from bba.kitchen.state import (
    COMPLETED,
    EVENT,
    FACING,
    FIRES,
    HEADER,
    KEY,
    MOBILITY,
    MOBILITY_ONE,
    POSITION,
    REWARD,
    SCORE,
    STEP,
    StateVector,
)

DRAW_MOVE, DRAW_TIE = 0, 2  # purposes of random draws; DRAW_MOVE + player


@kernel
def step(grid: Grid, state: StateVector, action0: int, action1: int) -> None:
    """Play one step: actions are 0 to 5 (north, south, east, west, stay, interact)."""
    state[REWARD] = 0
    action0 = move_fails(state, 0, action0)
    action1 = move_fails(state, 1, action1)
    state[EVENT] = state[EVENT + 1] = NO_SKILL
    state[COMPLETED] = state[COMPLETED + 1] = 0
    if action0 == INTERACT:
        interact(grid, state, 0)
    if action1 == INTERACT:
        interact(grid, state, 1)
    if action0 < ACTION_STAY or action1 < ACTION_STAY:
        move(grid, state, action0, action1)
    state[STEP] += 1
    advance_cooking(grid, state)
    run_orders(grid, state)
    state[SCORE] += state[REWARD]


@kernel
def random_draw(state: StateVector, purpose: int) -> int:
    """A uniform number in [0, 2^31) for this game, step and purpose."""
    return hash_random(int(state[KEY]), int(state[STEP]) * 4 + purpose) >> 1


@kernel
def hash_random(key: int, count: int) -> int:
    """A uniform number in [0, 2^32) for a key and a count (a 32-bit avalanche hash, multiply-xorshift)."""
    x = (key + count * 0x9E3779B9) & 0xFFFFFFFF
    for _ in range(2):
        x = ((x ^ (x >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
        x = ((x ^ (x >> 15)) * 0x846CA68B) & 0xFFFFFFFF
        x ^= x >> 16
    return x


@kernel
def move_fails(state: StateVector, p: int, action: int) -> int:
    """Player p's action under its mobility: a direction is replaced by stay with chance 1 - mobility."""
    if (
        action < ACTION_STAY
        and state[MOBILITY + p] < MOBILITY_ONE
        and random_draw(state, DRAW_MOVE + p) >= state[MOBILITY + p]
    ):
        return ACTION_STAY
    return action


@kernel
def move(grid: Grid, state: StateVector, action0: int, action1: int) -> None:
    """Turn and move both players: nobody ends on the other's tile, nobody swaps, a tie is drawn."""
    here0, here1 = state[POSITION], state[POSITION + 1]
    there0 = turn(grid, state, 0, action0)
    there1 = turn(grid, state, 1, action1)
    if there0 == here1 and there1 == here0:
        return
    if there0 == there1:
        if there0 == here0 or (there1 != here1 and random_draw(state, DRAW_TIE) & 1):
            there1 = here1
        else:
            there0 = here0
    state[POSITION], state[POSITION + 1] = there0, there1


@kernel
def turn(grid: Grid, state: StateVector, p: int, action: int) -> int:
    """Player p faces the way of its action; returns the tile that it asks for (its own where it asks for none)."""
    here = state[POSITION + p]
    if action >= ACTION_STAY:
        return here
    state[FACING + p] = action
    there = grid.neighbour[here, action]
    return there if there >= 0 and grid.tile[there] == FLOOR else here


@kernel
def advance_cooking(grid: Grid, state: StateVector) -> None:
    """Everything on a grill or in a pot gets one step older, until it burns."""
    timers = HEADER + len(grid.tile)
    burning = grid.params[BURNING_AT]
    for at in grid.stoves:
        item = state[HEADER + at]
        if item != NOTHING and item != CHARCOAL and state[timers + at] < burning:
            state[timers + at] += 1
            if state[timers + at] == burning:
                state[FIRES] += 1
