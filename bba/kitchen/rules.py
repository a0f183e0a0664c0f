"""One step of the kitchen, for one game or for many.

A step is: player 0's interaction, player 1's interaction, both moves, then the clocks (step count, cooking, orders).
Each part is a free function over the grid ``g`` and the state row ``s`` that changes the row in place. An interaction
returns the skill that it completed; `ADVANCED` is added where it only got the skill further (a chop that is not the
last); `NO_SKILL` says that nothing happened.
"""

from bba.kernels import kernel
from bba.kitchen.codes import (
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
    INTERACT,
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
    WAIT,
    WASH,
    WINDOW,
)
from bba.kitchen.grid import BURNING_AT, CHOPS, ORDER_LIFE, ORDERS_FROM, PLATES, READY_AT, RINSES, STREAK_FACTORS, Grid
from bba.kitchen.layout import MAX_ORDERS
from bba.kitchen.state import (
    ALWAYS,
    COMPLETE,
    DELIVERIES,
    DISH,
    EVENT,
    EXPIRED,
    FACING,
    FIRES,
    HEADER,
    HELD,
    IN_ORDER,
    KEY,
    LEFT,
    MOBILITY,
    N_ORDERS,
    NEXT_DISH,
    POS,
    REWARD,
    SCORE,
    STACK,
    STEP,
    STREAK,
    Row,
)

ADVANCED = 64
DRAW_MOVE, DRAW_TIE = 0, 2  # purposes of random draws; DRAW_MOVE + player
FIRST_ORDER_REWARD, OTHER_REWARD = 80, 40


@kernel
def step(g: Grid, s: Row, action0: int, action1: int) -> None:
    """Play one step: actions are 0 to 5 (north, south, east, west, stay, interact)."""
    s[REWARD] = 0
    action0 = held_back(s, 0, action0)
    action1 = held_back(s, 1, action1)
    s[EVENT] = s[EVENT + 1] = NO_SKILL
    s[COMPLETE] = s[COMPLETE + 1] = 0
    if action0 == INTERACT:
        interact(g, s, 0)
    if action1 == INTERACT:
        interact(g, s, 1)
    if action0 < WAIT or action1 < WAIT:
        move(g, s, action0, action1)
    s[STEP] += 1
    cook(g, s)
    run_orders(g, s)
    s[SCORE] += s[REWARD]


@kernel
def draw(s: Row, purpose: int) -> int:
    """A uniform number in [0, 2^31) for this game, step and purpose (a 32-bit avalanche hash, multiply-xorshift)."""
    x = (int(s[KEY]) + (int(s[STEP]) * 4 + purpose) * 0x9E3779B9) & 0xFFFFFFFF
    for _ in range(2):
        x = ((x ^ (x >> 16)) * 0x7FEB352D) & 0xFFFFFFFF
        x = ((x ^ (x >> 15)) * 0x846CA68B) & 0xFFFFFFFF
        x ^= x >> 16
    return x >> 1


@kernel
def held_back(s: Row, p: int, action: int) -> int:
    """Player p's action under its mobility: a direction is replaced by stay with chance 1 - mobility."""
    if action < WAIT and s[MOBILITY + p] < ALWAYS and draw(s, DRAW_MOVE + p) >= s[MOBILITY + p]:
        return WAIT
    return action


# --- interacting -----------------------------------------------------------------------------------------------


@kernel
def interact(g: Grid, s: Row, p: int) -> None:
    """Player p interacts with the tile that it faces; the event is noted in the row."""
    at = g.step_to[s[POS + p], s[FACING + p]]
    if at < 0:
        return
    event = use(g, s, p, at)
    if event == NO_SKILL:
        return
    s[COMPLETE + p] = 1 if event < ADVANCED else 0
    s[EVENT + p] = event & (ADVANCED - 1)


@kernel
def use(g: Grid, s: Row, p: int, at: int) -> int:
    """Player p uses the tile `at`: the effect, and the skill that it completed or advanced."""
    tile = g.tile[at]
    if tile == COUNTER:
        return use_counter(g, s, p, at)
    if tile == FLOOR:
        return NO_SKILL
    if tile <= TORTILLA_SOURCE:
        return use_source(s, p, tile)
    if tile == BOARD:
        return use_board(g, s, p, at)
    if tile == GRILL or tile == POT:
        return use_heat(g, s, p, at)
    if tile == SINK:
        return use_sink(g, s, p, at)
    if tile == PLATE_STACK:
        return use_stack(s, p)
    if tile == WINDOW:
        return serve(g, s, p)
    return throw(s, p)


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
def use_counter(g: Grid, s: Row, p: int, at: int) -> int:
    """Put down, take, swap, or lay a tortilla onto a plate."""
    held, item = s[HELD + p], s[HEADER + at]
    if item == NOTHING:
        if held == NOTHING:
            return NO_SKILL
        s[HEADER + at], s[HELD + p] = held, NOTHING
        return PASS_OBJECT if g.passing[at] else PUT_DOWN_OBJECT
    if (takes_tortilla(held) and item == TORTILLA) or (held == TORTILLA and takes_tortilla(item)):
        s[HELD + p] = (item if held == TORTILLA else held) | ON_TORTILLA
        s[HEADER + at] = NOTHING
        return GRAB_TORTILLA
    s[HELD + p], s[HEADER + at] = item, held
    return taking_skill(item)


@kernel
def use_source(s: Row, p: int, tile: int) -> int:
    """Take from a dispenser; a plate without tortilla gets one."""
    held = s[HELD + p]
    if tile == TORTILLA_SOURCE and takes_tortilla(held):
        s[HELD + p] = held | ON_TORTILLA
        return GRAB_TORTILLA
    if held != NOTHING:
        return NO_SKILL
    item = source_item(tile)
    s[HELD + p] = item
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
def use_stack(s: Row, p: int) -> int:
    """Take a dirty plate from the stack."""
    if s[HELD + p] != NOTHING or s[STACK] == 0:
        return NO_SKILL
    s[STACK] -= 1
    s[HELD + p] = DIRTY_PLATE
    return GRAB_DIRTY_PLATE


@kernel
def use_sink(g: Grid, s: Row, p: int, at: int) -> int:
    """Put a dirty plate in, rinse it, take it out clean."""
    timer = HEADER + len(g.tile) + at
    held, item = s[HELD + p], s[HEADER + at]
    if item == NOTHING and held == DIRTY_PLATE:
        s[HEADER + at], s[HELD + p], s[timer] = DIRTY_PLATE, NOTHING, 0
        return WASH | ADVANCED
    if held != NOTHING or item == NOTHING:
        return NO_SKILL
    if item == DIRTY_PLATE:
        s[timer] += 1
        if s[timer] < g.numbers[RINSES]:
            return WASH | ADVANCED
        s[HEADER + at], s[timer] = PLATE, 0
        return WASH
    s[HEADER + at], s[HELD + p] = NOTHING, PLATE
    return GRAB_CLEAN_PLATE


@kernel
def use_board(g: Grid, s: Row, p: int, at: int) -> int:
    """Lay food on the board, chop it, take it when it is ready."""
    timer = HEADER + len(g.tile) + at
    held, item = s[HELD + p], s[HEADER + at]
    if item == NOTHING and (held == MEAT or held == MUSHROOM):
        s[HEADER + at] = CHOPPED_MEAT if held == MEAT else CHOPPED_MUSHROOM
        s[HELD + p], s[timer] = NOTHING, 0
        return CHOP | ADVANCED
    if held != NOTHING or item == NOTHING:
        return NO_SKILL
    if s[timer] < g.numbers[CHOPS]:
        s[timer] += 1
        return CHOP if s[timer] == g.numbers[CHOPS] else CHOP | ADVANCED
    s[HEADER + at], s[HELD + p], s[timer] = NOTHING, item, 0
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
def use_heat(g: Grid, s: Row, p: int, at: int) -> int:
    """Start cooking, plate what is ready, put out a fire, clear charcoal."""
    timer = HEADER + len(g.tile) + at
    tile, held, item = g.tile[at], s[HELD + p], s[HEADER + at]
    raw = cooked(tile, held)
    if item == NOTHING or item == CHARCOAL:
        if raw != NOTHING:
            s[HEADER + at], s[HELD + p], s[timer] = raw, item, 0
            if item == CHARCOAL:
                return GRAB_CHARCOAL
            return FRY if tile == GRILL else BOIL
        if item == CHARCOAL and held == NOTHING:
            s[HEADER + at], s[HELD + p] = NOTHING, CHARCOAL
            return GRAB_CHARCOAL
        return NO_SKILL
    if s[timer] >= g.numbers[BURNING_AT]:
        if held != FIRE_EXT:
            return NO_SKILL
        s[HEADER + at], s[timer] = CHARCOAL, 0
        return PUT_OUT_FIRE
    dish = plated(held, item)
    if dish == NOTHING or s[timer] < g.numbers[READY_AT]:
        return NO_SKILL
    s[HEADER + at], s[HELD + p], s[timer] = NOTHING, dish, 0
    return plating_skill(item)


@kernel
def plating_skill(food: int) -> int:
    """The skill that getting this cooked food onto a plate completes."""
    if food == BOILED_RICE:
        return GET_BOILED_RICE
    return GET_STEAK if food == CHOPPED_STEAK else GET_MUSHROOM


@kernel
def throw(s: Row, p: int) -> int:
    """Food goes into the trash; plates and the extinguisher never do."""
    held = s[HELD + p]
    if held == NOTHING or held == PLATE or held == DIRTY_PLATE or held == FIRE_EXT:
        return NO_SKILL
    s[HELD + p] = DIRTY_PLATE if held > PLATE else NOTHING
    return THROW


@kernel
def serve(g: Grid, s: Row, p: int) -> int:
    """Hand in a burrito: reward by the order that it matches, and the plate returns dirty to the stack."""
    held = s[HELD + p]
    if held != STEAK_BURRITO and held != MUSHROOM_BURRITO:
        return NO_SKILL
    dish = 0 if held == STEAK_BURRITO else 1
    order = 0
    while order < s[N_ORDERS] and s[DISH + order] != dish:
        order += 1
    s[REWARD] += delivery_reward(g, s, order)
    if order < s[N_ORDERS]:
        remove_order(s, order)
        add_order(g, s)
    s[HELD + p] = NOTHING
    s[DELIVERIES] += 1
    s[STACK] = min(s[STACK] + 1, g.numbers[PLATES])
    return SERVE


@kernel
def delivery_reward(g: Grid, s: Row, order: int) -> int:
    """What handing in for this place in the list earns (`N_ORDERS`: for no order); keeps the streak."""
    if order == s[N_ORDERS]:
        s[STREAK] = 0
        return OTHER_REWARD
    left, life = s[LEFT + order] * 100, g.numbers[ORDER_LIFE]
    tip = 8 if left >= 66 * life else (5 if left >= 33 * life else 3)
    if order > 0:
        s[STREAK] = 0
        return FIRST_ORDER_REWARD + tip
    s[STREAK] += 1
    s[IN_ORDER] += 1
    factor = min(s[STREAK] - 1, len(g.numbers) - STREAK_FACTORS - 1)
    return FIRST_ORDER_REWARD + g.numbers[STREAK_FACTORS + factor] * tip


# --- moving ----------------------------------------------------------------------------------------------------


@kernel
def move(g: Grid, s: Row, action0: int, action1: int) -> None:
    """Turn and move both players: nobody ends on the other's tile, nobody swaps, a tie is drawn."""
    here0, here1 = s[POS], s[POS + 1]
    there0 = turn(g, s, 0, action0)
    there1 = turn(g, s, 1, action1)
    if there0 == here1 and there1 == here0:
        return
    if there0 == there1:
        if there0 == here0 or (there1 != here1 and draw(s, DRAW_TIE) & 1):
            there1 = here1
        else:
            there0 = here0
    s[POS], s[POS + 1] = there0, there1


@kernel
def turn(g: Grid, s: Row, p: int, action: int) -> int:
    """Player p faces the way of its action; returns the tile that it asks for (its own where it asks for none)."""
    here = s[POS + p]
    if action >= WAIT:
        return here
    s[FACING + p] = action
    there = g.step_to[here, action]
    return there if there >= 0 and g.tile[there] == FLOOR else here


# --- clocks ----------------------------------------------------------------------------------------------------


@kernel
def cook(g: Grid, s: Row) -> None:
    """Everything on a grill or in a pot gets one step older, until it burns."""
    timers = HEADER + len(g.tile)
    burning = g.numbers[BURNING_AT]
    for at in g.heat:
        item = s[HEADER + at]
        if item != NOTHING and item != CHARCOAL and s[timers + at] < burning:
            s[timers + at] += 1
            if s[timers + at] == burning:
                s[FIRES] += 1


@kernel
def run_orders(g: Grid, s: Row) -> None:
    """Every order gets one step older; those that run out leave and end the streak; the list is topped up."""
    order = 0
    while order < s[N_ORDERS]:
        s[LEFT + order] -= 1
        if s[LEFT + order] <= 0:
            remove_order(s, order)
            s[STREAK] = 0
            s[EXPIRED] += 1
        else:
            order += 1
    while s[N_ORDERS] < MAX_ORDERS and s[STEP] >= g.numbers[ORDERS_FROM + s[N_ORDERS]]:
        add_order(g, s)
        s[LEFT + s[N_ORDERS] - 1] -= 1  # the clock of an order runs in the step in which it joins too


@kernel
def add_order(g: Grid, s: Row) -> None:
    """The next dish of the alternation joins the end of the list."""
    s[DISH + s[N_ORDERS]] = s[NEXT_DISH]
    s[LEFT + s[N_ORDERS]] = g.numbers[ORDER_LIFE]
    s[NEXT_DISH] = 1 - s[NEXT_DISH]
    s[N_ORDERS] += 1


@kernel
def remove_order(s: Row, order: int) -> None:
    """An order leaves the list; those behind it move up."""
    last = s[N_ORDERS] - 1
    for i in range(order, last):
        s[DISH + i], s[LEFT + i] = s[DISH + i + 1], s[LEFT + i + 1]
    s[DISH + last] = s[LEFT + last] = 0
    s[N_ORDERS] = last
