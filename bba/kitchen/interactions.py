"""Interacting: what becomes of the hand and of the tile that a player faces, one function a kind of tile.

Each function changes the state row ``s`` in place and returns the skill that the interaction completed; `ADVANCED` is
added where it only got the skill further (a chop that is not the last); `NO_SKILL` says that nothing happened.
"""

from bba.kernels import kernel
from bba.kitchen.constants import (
    BOARD,
    BOIL,
    BOILED_RICE,
    CHARCOAL,
    CHOP,
    CHOPPED_MEAT,
    CHOPPED_MUSHROOM,
    CHOPPED_STEAK,
    COUNTER,
    DIRTY_PLATE,
    FIRE_EXT,
    FLOOR,
    FRIED_MUSHROOM,
    FRY,
    GET_BOILED_RICE,
    GET_MUSHROOM,
    GET_STEAK,
    GRAB_CHARCOAL,
    GRAB_CHOPPED_MEAT,
    GRAB_CHOPPED_MUSHROOM,
    GRAB_CLEAN_PLATE,
    GRAB_DIRTY_PLATE,
    GRAB_FIRE_EXT,
    GRAB_MEAT,
    GRAB_MUSHROOM,
    GRAB_MUSHROOM_BURRITO,
    GRAB_ONE_INGREDIENT_PLATE,
    GRAB_RICE,
    GRAB_STEAK_BURRITO,
    GRAB_TORTILLA,
    GRAB_TWO_INGREDIENT_PLATE,
    GRILL,
    MEAT,
    MEAT_SOURCE,
    MUSHROOM,
    MUSHROOM_BURRITO,
    MUSHROOM_SOURCE,
    NO_SKILL,
    NOTHING,
    ON_MUSHROOM,
    ON_PROTEIN,
    ON_RICE,
    ON_STEAK,
    ON_TORTILLA,
    PASS_OBJECT,
    PLATE,
    PLATE_STACK,
    POT,
    PUT_DOWN_OBJECT,
    PUT_OUT_FIRE,
    RICE,
    RICE_SOURCE,
    SERVE,
    SINK,
    STEAK_BURRITO,
    THROW,
    TORTILLA,
    TORTILLA_SOURCE,
    WASH,
    WINDOW,
)
from bba.kitchen.grid import BURNING_AT, CHOPS, PLATES, READY_AT, RINSES, Grid
from bba.kitchen.orders import add_order, delivery_reward, remove_order
from bba.kitchen.state import (
    COMPLETED,
    DELIVERIES,
    DIRTY_PLATES,
    DISH,
    EVENT,
    FACING,
    HEADER,
    HELD,
    N_ORDERS,
    POSITION,
    REWARD,
    StateVector,
)

ADVANCED = 64


@kernel
def interact(grid: Grid, state: StateVector, p: int) -> None:
    """Player p interacts with the tile that it faces; the event is noted in the row."""
    at = grid.neighbour[state[POSITION + p], state[FACING + p]]
    if at < 0:
        return
    event = use(grid, state, p, at)
    if event == NO_SKILL:
        return
    state[COMPLETED + p] = 1 if event < ADVANCED else 0
    state[EVENT + p] = event & (ADVANCED - 1)


@kernel
def use(grid: Grid, state: StateVector, p: int, at: int) -> int:
    """Player p uses the tile `at`: the effect, and the skill that it completed or advanced."""
    tile = grid.tile[at]
    if tile == COUNTER:
        return use_counter(grid, state, p, at)
    if tile == FLOOR:
        return NO_SKILL
    if tile <= TORTILLA_SOURCE:
        return use_source(state, p, tile)
    if tile == BOARD:
        return use_board(grid, state, p, at)
    if tile == GRILL or tile == POT:
        return use_heat(grid, state, p, at)
    if tile == SINK:
        return use_sink(grid, state, p, at)
    if tile == PLATE_STACK:
        return use_stack(state, p)
    if tile == WINDOW:
        return serve(grid, state, p)
    return throw(state, p)


@kernel
def takes_tortilla(item: int) -> bool:
    """Whether an item is a clean plate, with or without food, that has no tortilla yet."""
    return item >= PLATE and item & ON_TORTILLA == 0


@kernel
def taking_skill(item: int) -> int:
    """The skill that taking this item from a counter, board or sink completes."""
    if item >= PLATE:
        return taking_plate_skill(item)
    if item == MEAT:
        return GRAB_MEAT
    if item == MUSHROOM:
        return GRAB_MUSHROOM
    if item == RICE:
        return GRAB_RICE
    if item == TORTILLA:
        return GRAB_TORTILLA
    if item == CHOPPED_MEAT:
        return GRAB_CHOPPED_MEAT
    if item == CHOPPED_MUSHROOM:
        return GRAB_CHOPPED_MUSHROOM
    if item == DIRTY_PLATE:
        return GRAB_DIRTY_PLATE
    if item == FIRE_EXT:
        return GRAB_FIRE_EXT
    return GRAB_CHARCOAL


@kernel
def taking_plate_skill(item: int) -> int:
    """The skill that taking this plate completes, by what lies on it."""
    if item == PLATE:
        return GRAB_CLEAN_PLATE
    if item == STEAK_BURRITO:
        return GRAB_STEAK_BURRITO
    if item == MUSHROOM_BURRITO:
        return GRAB_MUSHROOM_BURRITO
    food = item - PLATE
    alone = food == ON_STEAK or food == ON_MUSHROOM or food == ON_RICE or food == ON_TORTILLA
    return GRAB_ONE_INGREDIENT_PLATE if alone else GRAB_TWO_INGREDIENT_PLATE


@kernel
def use_counter(grid: Grid, state: StateVector, p: int, at: int) -> int:
    """Put down, take, swap, or lay a tortilla onto a plate."""
    held, item = state[HELD + p], state[HEADER + at]
    if item == NOTHING:
        if held == NOTHING:
            return NO_SKILL
        state[HEADER + at], state[HELD + p] = held, NOTHING
        return PASS_OBJECT if grid.is_pass_counter[at] else PUT_DOWN_OBJECT
    if (takes_tortilla(held) and item == TORTILLA) or (held == TORTILLA and takes_tortilla(item)):
        state[HELD + p] = (item if held == TORTILLA else held) | ON_TORTILLA
        state[HEADER + at] = NOTHING
        return GRAB_TORTILLA
    state[HELD + p], state[HEADER + at] = item, held
    return taking_skill(item)


@kernel
def use_source(state: StateVector, p: int, tile: int) -> int:
    """Take from a dispenser; a plate without tortilla gets one."""
    held = state[HELD + p]
    if tile == TORTILLA_SOURCE and takes_tortilla(held):
        state[HELD + p] = held | ON_TORTILLA
        return GRAB_TORTILLA
    if held != NOTHING:
        return NO_SKILL
    item = source_item(tile)
    state[HELD + p] = item
    return taking_skill(item)


@kernel
def source_item(tile: int) -> int:
    """What a dispenser dispenses."""
    if tile == MEAT_SOURCE:
        return MEAT
    if tile == MUSHROOM_SOURCE:
        return MUSHROOM
    return RICE if tile == RICE_SOURCE else TORTILLA


@kernel
def use_stack(state: StateVector, p: int) -> int:
    """Take a dirty plate from the stack."""
    if state[HELD + p] != NOTHING or state[DIRTY_PLATES] == 0:
        return NO_SKILL
    state[DIRTY_PLATES] -= 1
    state[HELD + p] = DIRTY_PLATE
    return GRAB_DIRTY_PLATE


@kernel
def use_sink(grid: Grid, state: StateVector, p: int, at: int) -> int:
    """Put a dirty plate in, rinse it, take it out clean."""
    timer = HEADER + len(grid.tile) + at
    held, item = state[HELD + p], state[HEADER + at]
    if item == NOTHING and held == DIRTY_PLATE:
        state[HEADER + at], state[HELD + p], state[timer] = DIRTY_PLATE, NOTHING, 0
        return WASH | ADVANCED
    if held != NOTHING or item == NOTHING:
        return NO_SKILL
    if item == DIRTY_PLATE:
        state[timer] += 1
        if state[timer] < grid.params[RINSES]:
            return WASH | ADVANCED
        state[HEADER + at], state[timer] = PLATE, 0
        return WASH
    state[HEADER + at], state[HELD + p] = NOTHING, PLATE
    return GRAB_CLEAN_PLATE


@kernel
def use_board(grid: Grid, state: StateVector, p: int, at: int) -> int:
    """Lay food on the board, chop it, take it when it is ready."""
    timer = HEADER + len(grid.tile) + at
    held, item = state[HELD + p], state[HEADER + at]
    if item == NOTHING and (held == MEAT or held == MUSHROOM):
        state[HEADER + at] = CHOPPED_MEAT if held == MEAT else CHOPPED_MUSHROOM
        state[HELD + p], state[timer] = NOTHING, 0
        return CHOP | ADVANCED
    if held != NOTHING or item == NOTHING:
        return NO_SKILL
    if state[timer] < grid.params[CHOPS]:
        state[timer] += 1
        return CHOP if state[timer] == grid.params[CHOPS] else CHOP | ADVANCED
    state[HEADER + at], state[HELD + p], state[timer] = NOTHING, item, 0
    return taking_skill(item)


@kernel
def cooked(tile: int, held: int) -> int:
    """What the held item becomes on this grill or in this pot; NOTHING where it cannot be cooked there."""
    if tile == GRILL:
        if held == CHOPPED_MEAT:
            return CHOPPED_STEAK
        return FRIED_MUSHROOM if held == CHOPPED_MUSHROOM else NOTHING
    return BOILED_RICE if held == RICE else NOTHING


@kernel
def plated(held: int, food: int) -> int:
    """The held plate with this cooked food on it; NOTHING where held is no plate or has such food already."""
    if held < PLATE:
        return NOTHING
    if food == BOILED_RICE:
        return NOTHING if held & ON_RICE else held | ON_RICE
    if held & ON_PROTEIN:
        return NOTHING
    return held | (ON_STEAK if food == CHOPPED_STEAK else ON_MUSHROOM)


@kernel
def use_heat(grid: Grid, state: StateVector, p: int, at: int) -> int:
    """Start cooking, plate what is ready, put out a fire, clear charcoal."""
    timer = HEADER + len(grid.tile) + at
    tile, held, item = grid.tile[at], state[HELD + p], state[HEADER + at]
    raw = cooked(tile, held)
    if item == NOTHING or item == CHARCOAL:
        if raw != NOTHING:
            state[HEADER + at], state[HELD + p], state[timer] = raw, item, 0
            if item == CHARCOAL:
                return GRAB_CHARCOAL
            return FRY if tile == GRILL else BOIL
        if item == CHARCOAL and held == NOTHING:
            state[HEADER + at], state[HELD + p] = NOTHING, CHARCOAL
            return GRAB_CHARCOAL
        return NO_SKILL
    if state[timer] >= grid.params[BURNING_AT]:
        if held != FIRE_EXT:
            return NO_SKILL
        state[HEADER + at], state[timer] = CHARCOAL, 0
        return PUT_OUT_FIRE
    dish = plated(held, item)
    if dish == NOTHING or state[timer] < grid.params[READY_AT]:
        return NO_SKILL
    state[HEADER + at], state[HELD + p], state[timer] = NOTHING, dish, 0
    return plating_skill(item)


@kernel
def plating_skill(food: int) -> int:
    """The skill that getting this cooked food onto a plate completes."""
    if food == BOILED_RICE:
        return GET_BOILED_RICE
    return GET_STEAK if food == CHOPPED_STEAK else GET_MUSHROOM


@kernel
def throw(state: StateVector, p: int) -> int:
    """Food goes into the trash; plates and the extinguisher never do."""
    held = state[HELD + p]
    if held == NOTHING or held == PLATE or held == DIRTY_PLATE or held == FIRE_EXT:
        return NO_SKILL
    state[HELD + p] = DIRTY_PLATE if held > PLATE else NOTHING
    return THROW


@kernel
def serve(grid: Grid, state: StateVector, p: int) -> int:
    """Hand in a burrito: reward by the order that it matches, and the plate returns dirty to the stack."""
    held = state[HELD + p]
    if held != STEAK_BURRITO and held != MUSHROOM_BURRITO:
        return NO_SKILL
    dish = 0 if held == STEAK_BURRITO else 1
    order = 0
    while order < state[N_ORDERS] and state[DISH + order] != dish:
        order += 1
    state[REWARD] += delivery_reward(grid, state, order)
    if order < state[N_ORDERS]:
        remove_order(state, order)
        add_order(grid, state)
    state[HELD + p] = NOTHING
    state[DELIVERIES] += 1
    state[DIRTY_PLATES] = min(state[DIRTY_PLATES] + 1, grid.params[PLATES])
    return SERVE
