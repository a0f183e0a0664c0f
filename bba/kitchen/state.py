"""The state of one game: a vector of int32, indexed by the names below.

A state is a header of `HEADER` numbers, then the item on each of the T tiles, then the progress on each tile: chops on
a board, rinses in a sink, steps of cooking on a grill or in a pot. The vector is the whole game: a copy is a fork, its
bytes give its hash, and N of them stacked are a batch.

Randomness needs no generator object. A draw is a function of the game's key, the step and the purpose (a counter-based
generator, as in Salmon et al., 2011), so forks, replays, batches, compiled and plain rules all draw the same numbers.

Orders: their countdowns, and the reward for a delivery.
"""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel
from bba.kitchen import constants
from bba.kitchen.layout import MAX_ORDERS, ORDER_LIFE, ORDER_STARTS, PLATES, STREAK_FACTORS, Grid, Layout

StateVector = NDArray[np.int32]

(
    STEP,  # steps played
    KEY,  # the key of all random draws
    SCORE,  # reward so far
    REWARD,  # reward of the last step
    STREAK,  # deliveries for the first order in a row
    DIRTY_PLATES,  # dirty plates on the stack
    NEXT_DISH,  # dish of the next new order: 0 steak, 1 mushroom
    N_ORDERS,  # active orders
    DELIVERIES,  # burritos delivered
    DELIVERED_IN_ORDER,  # of these, those that matched the first order
    EXPIRED,  # orders that ran out of time
    FIRES,  # times that food began to burn
) = range(12)
DISH = 12  # one number per order slot: 0 steak, 1 mushroom
TIME_LEFT = DISH + MAX_ORDERS  # one number per order slot: steps left
POSITION = TIME_LEFT + MAX_ORDERS  # from here on one number per player: the tile that it stands on
FACING = POSITION + 2  # direction, 0 to 3
HELD = FACING + 2  # code of the held item, NOTHING for none
MOBILITY = HELD + 2  # probability that a direction action is carried out, times MOBILITY_ONE
EVENT = MOBILITY + 2  # skill that the interaction of the last step completed or advanced; NO_SKILL for none
COMPLETED = EVENT + 2  # 1 where that skill was completed
STATE_HEADER = COMPLETED + 2

MOBILITY_ONE = 2**31 - 1  # a mobility of 1: every direction action is carried out
_BURRITOS = (constants.STEAK_BURRITO, constants.MUSHROOM_BURRITO)
DISHES = tuple(constants.ITEM_NAMES[code] for code in _BURRITOS)


def is_state(state: StateVector) -> bool:
    """Whether an array has the type and the order in memory of a state."""
    return state.dtype == np.int32 and state.ndim == 1 and state.flags.c_contiguous


def initial_state(layout: Layout, grid: Grid, seed: int, mobility: tuple[float, float]) -> StateVector:
    """Returns the state of a new game: players at their starts facing north, all plates dirty on the stack."""
    tiles = len(grid.kind)
    state = np.zeros(STATE_HEADER + 2 * tiles, np.int32)
    state[KEY] = np.random.SeedSequence(seed).generate_state(1)[0] >> 1
    state[DIRTY_PLATES] = grid.params[PLATES]
    for player, (x, y) in enumerate(layout.starts):
        state[POSITION + player] = y * layout.width + x
        state[FACING + player] = constants.NORTH
        state[MOBILITY + player] = round(mobility[player] * MOBILITY_ONE)
        state[EVENT + player] = constants.NO_SKILL
    x, y = layout.extinguisher
    state[STATE_HEADER + y * layout.width + x] = constants.FIRE_EXT
    for order in range(int(np.count_nonzero(grid.params[ORDER_STARTS:][:MAX_ORDERS] == 0))):
        state[DISH + order] = order % 2
        state[TIME_LEFT + order] = grid.params[ORDER_LIFE]
        state[N_ORDERS] += 1
    state[NEXT_DISH] = state[N_ORDERS] % 2
    return state


FIRST_ORDER_REWARD, OTHER_REWARD = 80, 40


@kernel
def delivery_reward(grid: Grid, state: StateVector, order: int) -> int:
    """Returns the reward for delivering the given order (the number of orders if none matches); updates the streak."""
    if order == state[N_ORDERS]:
        state[STREAK] = 0
        return OTHER_REWARD
    left, life = state[TIME_LEFT + order] * 100, grid.params[ORDER_LIFE]
    tip = 8 if left >= 66 * life else (5 if left >= 33 * life else 3)
    if order > 0:
        state[STREAK] = 0
        return FIRST_ORDER_REWARD + tip
    state[STREAK] += 1
    state[DELIVERED_IN_ORDER] += 1
    factor = min(state[STREAK] - 1, len(grid.params) - STREAK_FACTORS - 1)
    return FIRST_ORDER_REWARD + grid.params[STREAK_FACTORS + factor] * tip


@kernel
def advance_orders(grid: Grid, state: StateVector) -> None:
    """Advances the countdown of every order; expired orders leave and end the streak; missing orders are added."""
    order = 0
    while order < state[N_ORDERS]:
        state[TIME_LEFT + order] -= 1
        if state[TIME_LEFT + order] <= 0:
            remove_order(state, order)
            state[STREAK] = 0
            state[EXPIRED] += 1
        else:
            order += 1
    while state[N_ORDERS] < MAX_ORDERS and state[STEP] >= grid.params[ORDER_STARTS + state[N_ORDERS]]:
        add_order(grid, state)
        state[TIME_LEFT + state[N_ORDERS] - 1] -= 1  # a new order counts down in its first step too


@kernel
def add_order(grid: Grid, state: StateVector) -> None:
    """Appends an order for the next dish; the two dishes alternate."""
    state[DISH + state[N_ORDERS]] = state[NEXT_DISH]
    state[TIME_LEFT + state[N_ORDERS]] = grid.params[ORDER_LIFE]
    state[NEXT_DISH] = 1 - state[NEXT_DISH]
    state[N_ORDERS] += 1


@kernel
def remove_order(state: StateVector, order: int) -> None:
    """Removes an order; those behind it move up."""
    last = state[N_ORDERS] - 1
    for i in range(order, last):
        state[DISH + i], state[TIME_LEFT + i] = state[DISH + i + 1], state[TIME_LEFT + i + 1]
    state[DISH + last] = state[TIME_LEFT + last] = 0
    state[N_ORDERS] = last
