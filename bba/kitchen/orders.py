"""Orders: their clocks, and what handing in a burrito earns."""

from bba.kernels import kernel
from bba.kitchen.grid import ORDER_LIFE, ORDER_STARTS, STREAK_FACTORS, Grid
from bba.kitchen.layout import MAX_ORDERS
from bba.kitchen.state import (
    DELIVERED_IN_ORDER,
    DISH,
    EXPIRED,
    N_ORDERS,
    NEXT_DISH,
    STEP,
    STREAK,
    TIME_LEFT,
    StateVector,
)

FIRST_ORDER_REWARD, OTHER_REWARD = 80, 40


@kernel
def delivery_reward(grid: Grid, state: StateVector, order: int) -> int:
    """What handing in for this place in the list earns (`N_ORDERS`: for no order); keeps the streak."""
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
def run_orders(grid: Grid, state: StateVector) -> None:
    """Every order gets one step older; those that run out leave and end the streak; the list is topped up."""
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
        state[TIME_LEFT + state[N_ORDERS] - 1] -= 1  # the clock of an order runs in the step in which it joins too


@kernel
def add_order(grid: Grid, state: StateVector) -> None:
    """The next dish of the alternation joins the end of the list."""
    state[DISH + state[N_ORDERS]] = state[NEXT_DISH]
    state[TIME_LEFT + state[N_ORDERS]] = grid.params[ORDER_LIFE]
    state[NEXT_DISH] = 1 - state[NEXT_DISH]
    state[N_ORDERS] += 1


@kernel
def remove_order(state: StateVector, order: int) -> None:
    """An order leaves the list; those behind it move up."""
    last = state[N_ORDERS] - 1
    for i in range(order, last):
        state[DISH + i], state[TIME_LEFT + i] = state[DISH + i + 1], state[TIME_LEFT + i + 1]
    state[DISH + last] = state[TIME_LEFT + last] = 0
    state[N_ORDERS] = last
