"""What holds in every state of every kitchen."""

from collections import Counter

from bba.kitchen import Layout, constants
from bba.kitchen.constants import DIRTY_PLATES, HELD, POSITION, STATE_HEADER, StateVector
from bba.kitchen.layout import Grid
from tests.helpers.kitchen_states import HOLDABLE


def plates_in(grid: Grid, state: StateVector) -> int:
    return int(state[DIRTY_PLATES]) + sum(
        item >= constants.PLATE or item == constants.DIRTY_PLATE for item in items_in(grid, state)
    )


def items_in(grid: Grid, state: StateVector) -> list[int]:
    """Every item that is held or on a tile."""
    tiles = len(grid.kind)
    items = [*state[HELD : HELD + 2].tolist(), *state[STATE_HEADER : STATE_HEADER + tiles].tolist()]
    return [item for item in items if item != constants.NOTHING]


MAY_LIE = {
    constants.COUNTER: set(HOLDABLE),
    constants.BOARD: {constants.CHOPPED_MEAT, constants.CHOPPED_MUSHROOM},
    constants.GRILL: {constants.CHOPPED_STEAK, constants.FRIED_MUSHROOM, constants.CHARCOAL},
    constants.POT: {constants.BOILED_RICE, constants.CHARCOAL},
    constants.SINK: {constants.DIRTY_PLATE, constants.PLATE},
}


def check_state(layout: Layout, grid: Grid, state: StateVector) -> None:
    """No plate and no extinguisher is lost, items are on allowed tiles, the players on different floor tiles."""
    assert plates_in(grid, state) == layout.plates
    assert Counter(items_in(grid, state))[constants.FIRE_EXT] == 1
    for tile, item in enumerate(state[STATE_HEADER : STATE_HEADER + len(grid.kind)].tolist()):
        assert item == constants.NOTHING or item in MAY_LIE.get(int(grid.kind[tile]), set())
    for player in (0, 1):
        assert state[HELD + player] == constants.NOTHING or state[HELD + player] in HOLDABLE
        assert grid.kind[state[POSITION + player]] == constants.FLOOR
    assert state[POSITION] != state[POSITION + 1]


def check_moves(before: StateVector, after: StateVector) -> None:
    """In none of the games (N, …) do the players swap or share a tile."""
    first, second = after[:, POSITION], after[:, POSITION + 1]
    assert (first != second).all()
    assert not ((before[:, POSITION] == second) & (before[:, POSITION + 1] == first)).any()
