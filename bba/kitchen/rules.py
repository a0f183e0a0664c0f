"""The rules of the kitchen: the transition function, which is one step, and which skills are feasible.

A step applies mobility noise to both actions, then plays player 0's interaction, player 1's interaction, both moves,
and last the clocks (step count, cooking, orders). Each part is a function of the grid and the state vector, which it
changes in place.

A skill is feasible if a player could start it now, with some target tile. Given the held item, a tile offers at most
one skill (`skill_at`). `feasible_targets` checks every station that the player can reach and keeps the nearest tile for
each skill. The action mask is the set of skills that have a target.
"""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel
from bba.kitchen.constants import (
    ACTION_STAY,
    BOARD,
    BOIL,
    BURNING,
    CHARCOAL,
    CHOP,
    COOKING,
    COUNTER,
    DIRTY_PLATE,
    FIRE_EXT,
    FLOOR,
    FRY,
    GRAB_CHARCOAL,
    GRAB_DIRTY_PLATE,
    GRAB_TORTILLA,
    GRILL,
    INTERACT,
    MEAT,
    MUSHROOM,
    MUSHROOM_BURRITO,
    NO_SKILL,
    NOTHING,
    PASS_OBJECT,
    PLATE,
    PLATE_STACK,
    POT,
    PUT_DOWN_OBJECT,
    PUT_OUT_FIRE,
    READY,
    SERVE,
    SINK,
    SKILL_STAY,
    STEAK_BURRITO,
    THROW,
    TORTILLA,
    TORTILLA_DISPENSER,
    WARNING,
    WASH,
    WINDOW,
)
from bba.kitchen.interactions import cooked, dispenser_item, grab_skill, interact, plated, plating_skill, takes_tortilla
from bba.kitchen.layout import BURNING_AT, CHOPS, READY_AT, UNREACHABLE, WARNING_AT, Grid
from bba.kitchen.state import (
    COMPLETED,
    DIRTY_PLATES,
    EVENT,
    FACING,
    FIRES,
    HELD,
    KEY,
    MOBILITY,
    MOBILITY_ONE,
    POSITION,
    REWARD,
    SCORE,
    STATE_HEADER,
    STEP,
    StateVector,
    advance_orders,
)

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
    state[COMPLETED] = state[COMPLETED + 1] = 0
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


@kernel
def cooking_stage(grid: Grid, steps: int) -> int:
    """Returns the stage of food after this many steps of cooking: COOKING, READY, WARNING or BURNING."""
    if steps < grid.params[READY_AT]:
        return COOKING
    if steps < grid.params[WARNING_AT]:
        return READY
    return WARNING if steps < grid.params[BURNING_AT] else BURNING


@kernel
def skill_at(grid: Grid, state: StateVector, tile: int, held: int) -> int:
    """Returns the skill that this tile is a target of for a player that holds `held`; NO_SKILL for none."""
    kind = grid.kind[tile]
    if kind == COUNTER:
        return skill_at_counter(grid, state, tile, held)
    if kind <= TORTILLA_DISPENSER:
        if kind == TORTILLA_DISPENSER and takes_tortilla(held):
            return GRAB_TORTILLA
        return grab_skill(dispenser_item(kind)) if held == NOTHING else NO_SKILL
    if kind == BOARD:
        return skill_at_board(grid, state, tile, held)
    if kind == GRILL or kind == POT:
        return skill_at_stove(grid, state, tile, held)
    if kind == SINK:
        return skill_at_sink(state, tile, held)
    if kind == PLATE_STACK:
        return GRAB_DIRTY_PLATE if held == NOTHING and state[DIRTY_PLATES] > 0 else NO_SKILL
    if kind == WINDOW:
        return SERVE if held == STEAK_BURRITO or held == MUSHROOM_BURRITO else NO_SKILL
    return THROW if held == CHARCOAL else NO_SKILL


@kernel
def skill_at_counter(grid: Grid, state: StateVector, tile: int, held: int) -> int:
    """Put down on an empty counter; pick up with nothing held; swap for a plate with food or the extinguisher."""
    item = state[STATE_HEADER + tile]
    if item == NOTHING:
        if held == NOTHING:
            return NO_SKILL
        return PASS_OBJECT if grid.is_pass_counter[tile] else PUT_DOWN_OBJECT
    if held == NOTHING:
        return NO_SKILL if item == CHARCOAL else grab_skill(item)
    if item == TORTILLA and takes_tortilla(held):
        return GRAB_TORTILLA
    if item != held and (item > PLATE or item == FIRE_EXT):
        return grab_skill(item)
    return NO_SKILL


@kernel
def skill_at_board(grid: Grid, state: StateVector, tile: int, held: int) -> int:
    """Chop the held food or the unready food on the board; pick up ready food."""
    item = state[STATE_HEADER + tile]
    if item == NOTHING:
        return CHOP if held == MEAT or held == MUSHROOM else NO_SKILL
    if held != NOTHING:
        return NO_SKILL
    return CHOP if state[STATE_HEADER + len(grid.kind) + tile] < grid.params[CHOPS] else grab_skill(item)


@kernel
def skill_at_stove(grid: Grid, state: StateVector, tile: int, held: int) -> int:
    """Cook, plate, put out a fire or take off charcoal."""
    kind, item = grid.kind[tile], state[STATE_HEADER + tile]
    if item == NOTHING:
        if cooked(kind, held) == NOTHING:
            return NO_SKILL
        return FRY if kind == GRILL else BOIL
    if item == CHARCOAL:
        return GRAB_CHARCOAL if held == NOTHING or cooked(kind, held) != NOTHING else NO_SKILL
    stage = cooking_stage(grid, state[STATE_HEADER + len(grid.kind) + tile])
    if stage == BURNING:
        return PUT_OUT_FIRE if held == FIRE_EXT else NO_SKILL
    if (stage == READY or stage == WARNING) and plated(held, item) != NOTHING:
        return plating_skill(item)
    return NO_SKILL


@kernel
def skill_at_sink(state: StateVector, tile: int, held: int) -> int:
    """Wash the held plate or the dirty plate in the sink; pick up a clean one."""
    item = state[STATE_HEADER + tile]
    if item == NOTHING:
        return WASH if held == DIRTY_PLATE else NO_SKILL
    if held != NOTHING:
        return NO_SKILL
    return WASH if item == DIRTY_PLATE else grab_skill(item)


@kernel
def feasible_targets(
    grid: Grid, state: StateVector, player: int, target: NDArray[np.int32], distance: NDArray[np.int32]
) -> None:
    """Writes, for each skill of a player, the nearest target tile and the walking distance to a tile beside it.

    `target` and `distance` have shape (27,); an infeasible skill gets -1 and UNREACHABLE. Of equally near tiles the
    first in reading order is taken. STAY is always feasible; its target is the player's own tile.
    """
    target[:] = -1
    distance[:] = UNREACHABLE
    here, held = state[POSITION + player], state[HELD + player]
    for tile in grid.stations:
        steps = grid.distance_to_adjacent[tile, here]
        if steps == UNREACHABLE:
            continue
        skill = skill_at(grid, state, tile, held)
        if skill >= 0 and steps < distance[skill]:
            target[skill], distance[skill] = tile, steps
    target[SKILL_STAY], distance[SKILL_STAY] = here, 0


@kernel
def nearest_target(grid: Grid, state: StateVector, player: int, skill: int) -> int:
    """Returns the nearest target of one skill of a player; -1 if the skill is infeasible."""
    here, held = state[POSITION + player], state[HELD + player]
    if skill == SKILL_STAY:
        return here
    best, best_distance = -1, UNREACHABLE
    for tile in grid.stations:
        steps = grid.distance_to_adjacent[tile, here]
        if steps < best_distance and skill_at(grid, state, tile, held) == skill:
            best, best_distance = tile, steps
    return best
