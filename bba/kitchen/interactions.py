"""Interactions: how INTERACT changes the held item and the faced tile, one function for each kind of tile.

Each function changes the state in place and returns the skill that the interaction completed. The flag `ADVANCED` is
added where the interaction only advanced the skill (a chop that is not the last). `NO_SKILL`: nothing happened.
"""

import numpy as np

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
    COMPLETED,
    COUNTER,
    DELIVERIES,
    DIRTY_PLATE,
    DIRTY_PLATES,
    DISH,
    EVENT,
    FACING,
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
    HELD,
    MEAT,
    MEAT_DISPENSER,
    MUSHROOM,
    MUSHROOM_BURRITO,
    N_ORDERS,
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
    POSITION,
    POT,
    PUT_DOWN_OBJECT,
    PUT_OUT_FIRE,
    REWARD,
    RICE,
    SERVE,
    SINK,
    STATE_HEADER,
    STEAK_BURRITO,
    THROW,
    TORTILLA,
    TORTILLA_DISPENSER,
    WASH,
    WINDOW,
    StateVector,
)
from bba.kitchen.layout import BURNING_AT, CHOPS, PLATES, READY_AT, RINSES, Grid
from bba.kitchen.orders import add_order, delivery_reward, remove_order

ADVANCED = 64  # a bit above all skill indices


@kernel
def interact(grid: Grid, state: StateVector, player: int) -> None:
    """Lets a player interact with the tile that it faces; records the event in the state."""
    tile = grid.neighbour[state[POSITION + player], state[FACING + player]]
    if tile < 0:
        return
    event = use(grid, state, player, tile)
    if event == NO_SKILL:
        return
    state[COMPLETED + player] = 1 if event < ADVANCED else 0
    state[EVENT + player] = event & (ADVANCED - 1)


@kernel
def use(grid: Grid, state: StateVector, player: int, tile: int) -> int:
    """Lets a player use a tile; returns the skill that this completed or advanced."""
    kind = grid.kind[tile]
    if kind == COUNTER:
        return use_counter(grid, state, player, tile)
    if kind == FLOOR:
        return NO_SKILL
    if kind <= TORTILLA_DISPENSER:
        return use_dispenser(state, player, kind)
    if kind == BOARD:
        return use_board(grid, state, player, tile)
    if kind == GRILL or kind == POT:
        return use_stove(grid, state, player, tile)
    if kind == SINK:
        return use_sink(grid, state, player, tile)
    if kind == PLATE_STACK:
        return use_plate_stack(state, player)
    if kind == WINDOW:
        return serve(grid, state, player)
    return throw(state, player)


@kernel
def takes_tortilla(item: int) -> bool:
    """Whether an item is a clean plate, empty or with food, without a tortilla."""
    return item >= PLATE and item & ON_TORTILLA == 0


# The skill that picking up each single item completes, an array: a tuple would be copied at every look.
GRABS = np.array(
    [
        NO_SKILL,
        GRAB_MEAT,
        GRAB_MUSHROOM,
        GRAB_RICE,
        GRAB_TORTILLA,
        GRAB_CHOPPED_MEAT,
        GRAB_CHOPPED_MUSHROOM,
        GRAB_DIRTY_PLATE,
        GRAB_CHARCOAL,
        GRAB_FIRE_EXT,
    ]
)


@kernel
def grab_skill(item: int) -> int:
    """Returns the skill that picking up this item completes."""
    return grab_plate_skill(item) if item >= PLATE else GRABS[item]


@kernel
def grab_plate_skill(plate: int) -> int:
    """Returns the skill that picking up this plate completes, by the food on it."""
    if plate == PLATE:
        return GRAB_CLEAN_PLATE
    if plate == STEAK_BURRITO:
        return GRAB_STEAK_BURRITO
    if plate == MUSHROOM_BURRITO:
        return GRAB_MUSHROOM_BURRITO
    food = plate - PLATE
    single = food == ON_STEAK or food == ON_MUSHROOM or food == ON_RICE or food == ON_TORTILLA
    return GRAB_ONE_INGREDIENT_PLATE if single else GRAB_TWO_INGREDIENT_PLATE


@kernel
def use_counter(grid: Grid, state: StateVector, player: int, tile: int) -> int:
    """Puts the held item down, picks one up, swaps both, or adds a tortilla to a plate."""
    held = state[HELD + player]
    item = state[STATE_HEADER + tile]
    if item == NOTHING:
        if held == NOTHING:
            return NO_SKILL
        state[STATE_HEADER + tile], state[HELD + player] = held, NOTHING
        return PASS_OBJECT if grid.is_pass_counter[tile] else PUT_DOWN_OBJECT
    if (takes_tortilla(held) and item == TORTILLA) or (held == TORTILLA and takes_tortilla(item)):
        state[HELD + player] = (item if held == TORTILLA else held) | ON_TORTILLA
        state[STATE_HEADER + tile] = NOTHING
        return GRAB_TORTILLA
    state[HELD + player], state[STATE_HEADER + tile] = item, held
    return grab_skill(item)


@kernel
def use_dispenser(state: StateVector, player: int, kind: int) -> int:
    """Takes an item from a dispenser; a held plate without a tortilla gets one."""
    held = state[HELD + player]
    if kind == TORTILLA_DISPENSER and takes_tortilla(held):
        state[HELD + player] = held | ON_TORTILLA
        return GRAB_TORTILLA
    if held != NOTHING:
        return NO_SKILL
    item = dispenser_item(kind)
    state[HELD + player] = item
    return grab_skill(item)


@kernel
def dispenser_item(kind: int) -> int:
    """Returns the item that a kind of dispenser gives: both are numbered in one order."""
    return kind - MEAT_DISPENSER + MEAT


@kernel
def use_plate_stack(state: StateVector, player: int) -> int:
    """Takes a dirty plate from the stack."""
    if state[HELD + player] != NOTHING or state[DIRTY_PLATES] == 0:
        return NO_SKILL
    state[DIRTY_PLATES] -= 1
    state[HELD + player] = DIRTY_PLATE
    return GRAB_DIRTY_PLATE


@kernel
def use_sink(grid: Grid, state: StateVector, player: int, tile: int) -> int:
    """Puts a dirty plate into the sink, rinses it, or takes it out clean."""
    timer = STATE_HEADER + len(grid.kind) + tile
    held = state[HELD + player]
    item = state[STATE_HEADER + tile]
    if item == NOTHING and held == DIRTY_PLATE:
        state[STATE_HEADER + tile], state[HELD + player], state[timer] = DIRTY_PLATE, NOTHING, 0
        return WASH | ADVANCED
    if held != NOTHING or item == NOTHING:
        return NO_SKILL
    if item == DIRTY_PLATE:
        state[timer] += 1
        if state[timer] < grid.params[RINSES]:
            return WASH | ADVANCED
        state[STATE_HEADER + tile], state[timer] = PLATE, 0
        return WASH
    state[STATE_HEADER + tile], state[HELD + player] = NOTHING, PLATE
    return GRAB_CLEAN_PLATE


@kernel
def use_board(grid: Grid, state: StateVector, player: int, tile: int) -> int:
    """Puts food on the board, chops it, or takes it when it is ready."""
    timer = STATE_HEADER + len(grid.kind) + tile
    held = state[HELD + player]
    item = state[STATE_HEADER + tile]
    if item == NOTHING and (held == MEAT or held == MUSHROOM):
        state[STATE_HEADER + tile] = CHOPPED_MEAT if held == MEAT else CHOPPED_MUSHROOM
        state[HELD + player], state[timer] = NOTHING, 0
        return CHOP | ADVANCED
    if held != NOTHING or item == NOTHING:
        return NO_SKILL
    if state[timer] < grid.params[CHOPS]:
        state[timer] += 1
        return CHOP if state[timer] == grid.params[CHOPS] else CHOP | ADVANCED
    state[STATE_HEADER + tile], state[HELD + player], state[timer] = NOTHING, item, 0
    return grab_skill(item)


@kernel
def cooked(kind: int, held: int) -> int:
    """Returns what the held item becomes on a grill or in a pot; NOTHING if it cannot be cooked there."""
    if kind == GRILL:
        if held == CHOPPED_MEAT:
            return CHOPPED_STEAK
        return FRIED_MUSHROOM if held == CHOPPED_MUSHROOM else NOTHING
    return BOILED_RICE if held == RICE else NOTHING


@kernel
def plated(held: int, food: int) -> int:
    """Returns the held plate with this cooked food added; NOTHING if no plate is held or it has such food already."""
    if held < PLATE:
        return NOTHING
    if food == BOILED_RICE:
        return NOTHING if held & ON_RICE else held | ON_RICE
    if held & ON_PROTEIN:
        return NOTHING
    return held | (ON_STEAK if food == CHOPPED_STEAK else ON_MUSHROOM)


@kernel
def use_stove(grid: Grid, state: StateVector, player: int, tile: int) -> int:
    """Starts cooking, plates ready food, puts out a fire, or takes charcoal off a grill or pot."""
    timer = STATE_HEADER + len(grid.kind) + tile
    kind = grid.kind[tile]
    held = state[HELD + player]
    item = state[STATE_HEADER + tile]
    food = cooked(kind, held)
    if item == NOTHING or item == CHARCOAL:
        if food != NOTHING:
            state[STATE_HEADER + tile], state[HELD + player], state[timer] = food, item, 0
            if item == CHARCOAL:
                return GRAB_CHARCOAL
            return FRY if kind == GRILL else BOIL
        if item == CHARCOAL and held == NOTHING:
            state[STATE_HEADER + tile], state[HELD + player] = NOTHING, CHARCOAL
            return GRAB_CHARCOAL
        return NO_SKILL
    if state[timer] >= grid.params[BURNING_AT]:
        if held != FIRE_EXT:
            return NO_SKILL
        state[STATE_HEADER + tile], state[timer] = CHARCOAL, 0
        return PUT_OUT_FIRE
    dish = plated(held, item)
    if dish == NOTHING or state[timer] < grid.params[READY_AT]:
        return NO_SKILL
    state[STATE_HEADER + tile], state[HELD + player], state[timer] = NOTHING, dish, 0
    return plating_skill(item)


@kernel
def plating_skill(food: int) -> int:
    """Returns the skill that plating this cooked food completes."""
    if food == BOILED_RICE:
        return GET_BOILED_RICE
    return GET_STEAK if food == CHOPPED_STEAK else GET_MUSHROOM


@kernel
def throw(state: StateVector, player: int) -> int:
    """Throws held food into the trash; a plate is kept and becomes dirty; the extinguisher is never thrown away."""
    held = state[HELD + player]
    if held == NOTHING or held == PLATE or held == DIRTY_PLATE or held == FIRE_EXT:
        return NO_SKILL
    state[HELD + player] = DIRTY_PLATE if held > PLATE else NOTHING
    return THROW


@kernel
def serve(grid: Grid, state: StateVector, player: int) -> int:
    """Delivers a burrito: the reward depends on the matching order; the plate returns dirty to the stack."""
    held = state[HELD + player]
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
    state[HELD + player] = NOTHING
    state[DELIVERIES] += 1
    state[DIRTY_PLATES] = min(state[DIRTY_PLATES] + 1, grid.params[PLATES])
    return SERVE
