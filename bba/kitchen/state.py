"""The state of one game: a row of int32, addressed by the names below.

A row is a header of `HEADER` numbers, then for each of the T tiles the item on it, then for each tile its progress:
chops on a board, rinses in a sink, steps since the food was put in on a grill or in a pot. One row is a whole game:
a copy is a fork, its bytes are its hash, N rows are a batch.

Randomness is part of the row too: a draw is a function of the game's key, the step and the purpose (a counter-based
generator, as in Salmon et al., 2011), so that forks, replays, batches and both speeds draw the same numbers.
"""

import numpy as np
from numpy.typing import NDArray

from bba.kitchen import constants
from bba.kitchen.grid import ORDER_LIFE, ORDER_STARTS, PLATES, Grid
from bba.kitchen.layout import MAX_ORDERS, Layout

StateVector = NDArray[np.int32]

(
    STEP,  # steps played
    KEY,  # the key of all random draws
    SCORE,  # reward so far
    REWARD,  # reward of the last step
    STREAK,
    DIRTY_PLATES,  # dirty plates on the stack
    NEXT_DISH,  # 0 steak, 1 mushroom: what the next new order asks for
    N_ORDERS,
    DELIVERIES,  # burritos handed in
    DELIVERED_IN_ORDER,  # of these, how many matched the first order
    EXPIRED,  # orders that ran out
    FIRES,  # times that food began to burn
) = range(12)
DISH = 12  # of each active order: 0 steak, 1 mushroom
TIME_LEFT = DISH + MAX_ORDERS  # of each active order: steps left
POSITION = TIME_LEFT + MAX_ORDERS  # from here on one number for each player: the tile it stands on
FACING = POSITION + 2
HELD = FACING + 2
MOBILITY = HELD + 2  # chance that a direction action is carried out, in units of 2^-31
EVENT = MOBILITY + 2  # skill that the last step's interaction completed or advanced; NO_SKILL without one
COMPLETED = EVENT + 2  # 1 where that skill was completed
HEADER = COMPLETED + 2

MOBILITY_ONE = 2**31 - 1
_BURRITOS = (constants.STEAK_BURRITO, constants.MUSHROOM_BURRITO)
DISHES = tuple(constants.ITEM_NAMES[code] for code in _BURRITOS)


def initial_state(layout: Layout, grid: Grid, seed: int, mobility: tuple[float, float]) -> StateVector:
    """The row of a fresh game: cooks at their starts facing north, all plates dirty on the stack."""
    tiles = len(grid.tile)
    state = np.zeros(HEADER + 2 * tiles, np.int32)
    state[KEY] = np.random.SeedSequence(seed).generate_state(1)[0] >> 1
    state[DIRTY_PLATES] = grid.params[PLATES]
    for player, (x, y) in enumerate(layout.starts):
        state[POSITION + player] = y * layout.width + x
        state[FACING + player] = constants.NORTH
        state[MOBILITY + player] = round(mobility[player] * MOBILITY_ONE)
        state[EVENT + player] = constants.NO_SKILL
    x, y = layout.extinguisher
    state[HEADER + y * layout.width + x] = constants.FIRE_EXT
    for order in range(int(np.count_nonzero(grid.params[ORDER_STARTS:][:MAX_ORDERS] == 0))):
        state[DISH + order] = order % 2
        state[TIME_LEFT + order] = grid.params[ORDER_LIFE]
        state[N_ORDERS] += 1
    state[NEXT_DISH] = state[N_ORDERS] % 2
    return state
