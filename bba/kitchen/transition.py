"""The transition function: one step of the kitchen.

A step applies mobility noise to both actions, then plays player 0's interaction, player 1's interaction, both moves,
and last the clocks (step count, cooking, orders). Each part is a function of the grid and the state vector, which it
changes in place.

Randomness needs no generator object. A draw is a function of the game's key, the step and the purpose (a counter-based
generator, as in Salmon et al., 2011), so forks, replays, batches, compiled and plain rules all draw the same numbers.
"""

from bba.kernels import kernel
from bba.kitchen.constants import (
    ACTION_STAY,
    CHARCOAL,
    COMPLETED,
    EVENT,
    FACING,
    FIRES,
    FLOOR,
    INTERACT,
    KEY,
    MOBILITY,
    MOBILITY_ONE,
    NO_SKILL,
    NOTHING,
    POSITION,
    REWARD,
    SCORE,
    STATE_HEADER,
    STEP,
    StateVector,
)
from bba.kitchen.interactions import interact
from bba.kitchen.layout import BURNING_AT, Grid
from bba.kitchen.orders import advance_orders

# Purposes of random draws: up to four per step, numbered 0 to 3.
DRAW_MOVE = 0  # plus the player: whether its direction action is carried out
DRAW_TIE = 2  # who gets a tile that both players step onto


@kernel
def step(grid: Grid, state: StateVector, action0: int, action1: int) -> None:
    """Advances the state by one step; actions are 0 to 5 (north, south, east, west, stay, interact)."""
    state[REWARD] = 0
    action0 = apply_mobility_noise(state, 0, action0)
    action1 = apply_mobility_noise(state, 1, action1)
    state[EVENT] = state[EVENT + 1] = NO_SKILL
    state[COMPLETED] = 0
    state[COMPLETED + 1] = 0
    if action0 == INTERACT:
        interact(grid, state, 0)
    if action1 == INTERACT:
        interact(grid, state, 1)
    if action0 < ACTION_STAY or action1 < ACTION_STAY:
        move(grid, state, action0, action1)
    state[STEP] += 1
    advance_cooking(grid, state)
    advance_orders(grid, state)
    state[SCORE] += state[REWARD]


@kernel
def random_draw(state: StateVector, purpose: int) -> int:
    """Returns a uniform integer in [0, 2^31) for this game, step and purpose."""
    return hash_random(int(state[KEY]), int(state[STEP]) * 4 + purpose) >> 1


@kernel
def hash_random(key: int, count: int) -> int:
    """Returns a uniform integer in [0, 2^32) for a key and a counter (a 32-bit multiply-xorshift hash)."""
    x = (key + count * 0x9E3779B9) & 0xFFFFFFFF
    for _ in range(2):
        x = ((x ^ (x >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
        x = ((x ^ (x >> 15)) * 0x846CA68B) & 0xFFFFFFFF
        x ^= x >> 16
    return x


@kernel
def apply_mobility_noise(state: StateVector, player: int, action: int) -> int:
    """Returns the action after mobility noise: a direction becomes stay with probability 1 - mobility."""
    if (
        action < ACTION_STAY
        and state[MOBILITY + player] < MOBILITY_ONE
        and random_draw(state, DRAW_MOVE + player) >= state[MOBILITY + player]
    ):
        return ACTION_STAY
    return action


@kernel
def move(grid: Grid, state: StateVector, action0: int, action1: int) -> None:
    """Turns and moves both players. They never share or swap tiles; a random draw settles who gets a contested one."""
    here0 = state[POSITION]
    here1 = state[POSITION + 1]
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
def turn(grid: Grid, state: StateVector, player: int, action: int) -> int:
    """Turns a player in the direction of its action; returns the tile it would step onto, its own if it cannot step."""
    here = state[POSITION + player]
    if action >= ACTION_STAY:
        return here
    state[FACING + player] = action
    there = grid.neighbour[here, action]
    return there if there >= 0 and grid.kind[there] == FLOOR else here


@kernel
def advance_cooking(grid: Grid, state: StateVector) -> None:
    """Advances everything on a grill or in a pot by one step of cooking, until it burns."""
    timers = STATE_HEADER + len(grid.kind)
    burning = grid.params[BURNING_AT]
    for tile in grid.stoves:
        item = state[STATE_HEADER + tile]
        if item != NOTHING and item != CHARCOAL and state[timers + tile] < burning:
            state[timers + tile] += 1
            if state[timers + tile] == burning:
                state[FIRES] += 1
