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
def delivery_reward(g: Grid, s: StateVector, order: int) -> int:
    """What handing in for this place in the list earns (`N_ORDERS`: for no order); keeps the streak."""
    if order == s[N_ORDERS]:
        s[STREAK] = 0
        return OTHER_REWARD
    left, life = s[TIME_LEFT + order] * 100, g.numbers[ORDER_LIFE]
    tip = 8 if left >= 66 * life else (5 if left >= 33 * life else 3)
    if order > 0:
        s[STREAK] = 0
        return FIRST_ORDER_REWARD + tip
    s[STREAK] += 1
    s[DELIVERED_IN_ORDER] += 1
    factor = min(s[STREAK] - 1, len(g.numbers) - STREAK_FACTORS - 1)
    return FIRST_ORDER_REWARD + g.numbers[STREAK_FACTORS + factor] * tip


@kernel
def run_orders(g: Grid, s: StateVector) -> None:
    """Every order gets one step older; those that run out leave and end the streak; the list is topped up."""
    order = 0
    while order < s[N_ORDERS]:
        s[TIME_LEFT + order] -= 1
        if s[TIME_LEFT + order] <= 0:
            remove_order(s, order)
            s[STREAK] = 0
            s[EXPIRED] += 1
        else:
            order += 1
    while s[N_ORDERS] < MAX_ORDERS and s[STEP] >= g.numbers[ORDER_STARTS + s[N_ORDERS]]:
        add_order(g, s)
        s[TIME_LEFT + s[N_ORDERS] - 1] -= 1  # the clock of an order runs in the step in which it joins too


@kernel
def add_order(g: Grid, s: StateVector) -> None:
    """The next dish of the alternation joins the end of the list."""
    s[DISH + s[N_ORDERS]] = s[NEXT_DISH]
    s[TIME_LEFT + s[N_ORDERS]] = g.numbers[ORDER_LIFE]
    s[NEXT_DISH] = 1 - s[NEXT_DISH]
    s[N_ORDERS] += 1


@kernel
def remove_order(s: StateVector, order: int) -> None:
    """An order leaves the list; those behind it move up."""
    last = s[N_ORDERS] - 1
    for i in range(order, last):
        s[DISH + i], s[TIME_LEFT + i] = s[DISH + i + 1], s[TIME_LEFT + i + 1]
    s[DISH + last] = s[TIME_LEFT + last] = 0
    s[N_ORDERS] = last
