"""Which macro-skills a player could run now, and on which tile.

`skill_at` says what a tile offers to a hand: at most one skill each. `survey` asks it of every station that the player
can reach and keeps the nearest tile for each skill. The mask is the skills that have a target.
"""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel
from bba.kitchen.constants import (
    BOARD,
    BOIL,
    BURNING,
    CHARCOAL,
    CHOP,
    COOKING,
    COUNTER,
    DIRTY_PLATE,
    FIRE_EXT,
    FRY,
    GRAB_CHARCOAL,
    GRAB_DIRTY_PLATE,
    GRAB_TORTILLA,
    GRILL,
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
    TORTILLA_SOURCE,
    WARNING,
    WASH,
    WINDOW,
)
from bba.kitchen.grid import BURNING_AT, CHOPS, READY_AT, UNREACHABLE, WARNING_AT, Grid
from bba.kitchen.interactions import cooked, plated, plating_skill, source_item, takes_tortilla, taking_skill
from bba.kitchen.state import DIRTY_PLATES, HEADER, HELD, POSITION, StateVector


@kernel
def cooking_stage(grid: Grid, steps: int) -> int:
    """How far food has got after so many steps of heat: COOKING, READY, WARNING or BURNING."""
    if steps < grid.params[READY_AT]:
        return COOKING
    if steps < grid.params[WARNING_AT]:
        return READY
    return WARNING if steps < grid.params[BURNING_AT] else BURNING


@kernel
def skill_at(grid: Grid, state: StateVector, at: int, held: int) -> int:
    """The skill whose target this tile is for a hand that holds `held`; NO_SKILL if it is none's."""
    tile = grid.tile[at]
    if tile == COUNTER:
        return skill_at_counter(grid, state, at, held)
    if tile <= TORTILLA_SOURCE:
        if tile == TORTILLA_SOURCE and takes_tortilla(held):
            return GRAB_TORTILLA
        return taking_skill(source_item(tile)) if held == NOTHING else NO_SKILL
    if tile == BOARD:
        return skill_at_board(grid, state, at, held)
    if tile == GRILL or tile == POT:
        return skill_at_heat(grid, state, at, held)
    if tile == SINK:
        return skill_at_sink(state, at, held)
    if tile == PLATE_STACK:
        return GRAB_DIRTY_PLATE if held == NOTHING and state[DIRTY_PLATES] > 0 else NO_SKILL
    if tile == WINDOW:
        return SERVE if held == STEAK_BURRITO or held == MUSHROOM_BURRITO else NO_SKILL
    return THROW if held == CHARCOAL else NO_SKILL


@kernel
def skill_at_counter(grid: Grid, state: StateVector, at: int, held: int) -> int:
    """Put down on an empty counter; take what an empty hand can; swap for plates with food and the extinguisher."""
    item = state[HEADER + at]
    if item == NOTHING:
        if held == NOTHING:
            return NO_SKILL
        return PASS_OBJECT if grid.is_pass_counter[at] else PUT_DOWN_OBJECT
    if held == NOTHING:
        return NO_SKILL if item == CHARCOAL else taking_skill(item)
    if item == TORTILLA and takes_tortilla(held):
        return GRAB_TORTILLA
    if item != held and (item > PLATE or item == FIRE_EXT):
        return taking_skill(item)
    return NO_SKILL


@kernel
def skill_at_board(grid: Grid, state: StateVector, at: int, held: int) -> int:
    """Chop what is held or lies there unready; take what is ready."""
    item = state[HEADER + at]
    if item == NOTHING:
        return CHOP if held == MEAT or held == MUSHROOM else NO_SKILL
    if held != NOTHING:
        return NO_SKILL
    return CHOP if state[HEADER + len(grid.tile) + at] < grid.params[CHOPS] else taking_skill(item)


@kernel
def skill_at_heat(grid: Grid, state: StateVector, at: int, held: int) -> int:
    """Cook, plate, put out a fire or clear charcoal."""
    tile, item = grid.tile[at], state[HEADER + at]
    if item == NOTHING:
        if cooked(tile, held) == NOTHING:
            return NO_SKILL
        return FRY if tile == GRILL else BOIL
    if item == CHARCOAL:
        return GRAB_CHARCOAL if held == NOTHING or cooked(tile, held) != NOTHING else NO_SKILL
    now = cooking_stage(grid, state[HEADER + len(grid.tile) + at])
    if now == BURNING:
        return PUT_OUT_FIRE if held == FIRE_EXT else NO_SKILL
    if (now == READY or now == WARNING) and plated(held, item) != NOTHING:
        return plating_skill(item)
    return NO_SKILL


@kernel
def skill_at_sink(state: StateVector, at: int, held: int) -> int:
    """Wash what is held or lies there dirty; take what is clean."""
    item = state[HEADER + at]
    if item == NOTHING:
        return WASH if held == DIRTY_PLATE else NO_SKILL
    if held != NOTHING:
        return NO_SKILL
    return WASH if item == DIRTY_PLATE else taking_skill(item)


@kernel
def feasible_targets(
    grid: Grid, state: StateVector, p: int, target: NDArray[np.int32], walk: NDArray[np.int32]
) -> None:
    """Fill in, for player p and each skill, the nearest target tile and the walking distance to beside it.

    `target` and `distance` have shape (27,); an infeasible skill gets -1 and FAR. Equally near tiles: reading order.
    STAY is always feasible; its target is the player's own tile.
    """
    target[:] = -1
    walk[:] = UNREACHABLE
    here, held = state[POSITION + p], state[HELD + p]
    for at in grid.stations:
        distance = grid.distance_to_adjacent[at, here]
        if distance == UNREACHABLE:
            continue
        skill = skill_at(grid, state, at, held)
        if skill >= 0 and distance < walk[skill]:
            target[skill], walk[skill] = at, distance
    target[SKILL_STAY], walk[SKILL_STAY] = here, 0


@kernel
def nearest_target(grid: Grid, state: StateVector, p: int, skill: int) -> int:
    """Player p's nearest target for one skill; -1 when the skill is infeasible."""
    here, held = state[POSITION + p], state[HELD + p]
    if skill == SKILL_STAY:
        return here
    best, best_distance = -1, UNREACHABLE
    for at in grid.stations:
        distance = grid.distance_to_adjacent[at, here]
        if distance < best_distance and skill_at(grid, state, at, held) == skill:
            best, best_distance = at, distance
    return best
