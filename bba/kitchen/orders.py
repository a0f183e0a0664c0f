"""Orders: their countdowns, and the reward for a delivery."""

from bba.kernels import kernel
from bba.kitchen.constants import (
    DELIVERED_IN_ORDER,
    DISH,
    EXPIRED,
    MAX_ORDERS,
    N_ORDERS,
    NEXT_DISH,
    STEP,
    STREAK,
    TIME_LEFT,
    StateVector,
)
from bba.kitchen.layout import ORDER_LIFE, ORDER_STARTS, STREAK_FACTORS, Grid

FIRST_ORDER_REWARD = 80
OTHER_REWARD = 40


@kernel
def delivery_reward(grid: Grid, state: StateVector, order: int) -> int:
    """Returns the reward for delivering the given order (the number of orders if none matches); updates the streak."""
    if order == state[N_ORDERS]:
        state[STREAK] = 0
        return OTHER_REWARD
    time_left = state[TIME_LEFT + order] * 100
    life = grid.params[ORDER_LIFE]
    tip = 8 if time_left >= 66 * life else (5 if time_left >= 33 * life else 3)
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
    state[DISH + last] = 0
    state[TIME_LEFT + last] = 0
    state[N_ORDERS] = last
