"""Feasibility of the 27 macro-skills: which ones a player could start now, and with which target tile.

Given the held item, a tile offers at most one skill (`skill_at`). `feasible_targets` checks every station that the
player can reach and keeps the nearest tile for each skill. The action mask is the set of skills that have a target.
"""

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
    DIRTY_PLATES,
    FIRE_EXT,
    FRY,
    GRAB_CHARCOAL,
    GRAB_DIRTY_PLATE,
    GRAB_TORTILLA,
    GRILL,
    HELD,
    MEAT,
    MUSHROOM,
    MUSHROOM_BURRITO,
    NO_SKILL,
    NOTHING,
    PASS_OBJECT,
    PLATE,
    PLATE_STACK,
    POSITION,
    POT,
    PUT_DOWN_OBJECT,
    PUT_OUT_FIRE,
    READY,
    SERVE,
    SINK,
    SKILL_STAY,
    STATE_HEADER,
    STEAK_BURRITO,
    THROW,
    TORTILLA,
    TORTILLA_DISPENSER,
    WARNING,
    WASH,
    WINDOW,
    BoolArray,
    Int32Array,
    StateVector,
)
from bba.kitchen.interactions import cooked, dispenser_item, grab_skill, plated, plating_skill, takes_tortilla
from bba.kitchen.layout import BURNING_AT, CHOPS, READY_AT, UNREACHABLE, WARNING_AT, Grid


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
    kind = grid.kind[tile]
    item = state[STATE_HEADER + tile]
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
def feasible_targets(grid: Grid, state: StateVector, player: int, target: Int32Array, distance: Int32Array) -> None:
    """Writes, for each skill of a player, the nearest target tile and the walking distance to a tile beside it.

    `target` and `distance` have shape (27,); an infeasible skill gets -1 and UNREACHABLE. Of equally near tiles the
    first in reading order is taken. STAY is always feasible; its target is the player's own tile.
    """
    target[:] = -1
    distance[:] = UNREACHABLE
    here = state[POSITION + player]
    held = state[HELD + player]
    for tile in grid.stations:
        steps = grid.distance_to_adjacent[here, tile]
        if steps == UNREACHABLE:
            continue
        skill = skill_at(grid, state, tile, held)
        if skill >= 0 and steps < distance[skill]:
            target[skill], distance[skill] = tile, steps
    target[SKILL_STAY], distance[SKILL_STAY] = here, 0


@kernel
def mark_feasible(grid: Grid, state: StateVector, player: int, mask: BoolArray) -> None:
    """Sets the feasible skills of a player in `mask` (27,), which is False in all places before."""
    here = state[POSITION + player]
    held = state[HELD + player]
    for tile in grid.stations:
        if grid.distance_to_adjacent[here, tile] < UNREACHABLE:
            skill = skill_at(grid, state, tile, held)
            if skill >= 0:
                mask[skill] = True
    mask[SKILL_STAY] = True


@kernel
def nearest_target(grid: Grid, state: StateVector, player: int, skill: int) -> int:
    """Returns the nearest target of one skill of a player; -1 if the skill is infeasible."""
    here = state[POSITION + player]
    held = state[HELD + player]
    if skill == SKILL_STAY:
        return here
    best = -1
    best_distance = UNREACHABLE
    for tile in grid.stations:
        steps = grid.distance_to_adjacent[here, tile]
        if steps < best_distance and skill_at(grid, state, tile, held) == skill:
            best = tile
            best_distance = steps
    return best
