"""The situation of a waiting cook, as numbers: what it could act upon (`bba.agents.waiting` says what that is)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel
from bba.kitchen.constants import BOARD, CHARCOAL, GRILL, N_SKILLS, NOTHING, POT
from bba.kitchen.grid import CHOPS, Grid
from bba.kitchen.layout import MAX_ORDERS
from bba.kitchen.skills import cooking_stage, feasible_targets
from bba.kitchen.state import DIRTY_PLATES, DISH, HEADER, HELD, N_ORDERS, STEP, StateVector

Ints = NDArray[np.int32]
LONGEST_WAIT = 30  # steps; as long as any other skill lasts by default
NEVER_WAITED = -1

# The numbers of a situation: the feasible skills, what both cooks hold, dirty plates, orders, the partner's role; then
# one number a tile: the item and its stage.
_HELD = N_SKILLS
_DIRTY, _ORDERS = _HELD + 2, _HELD + 3
_ROLE = _ORDERS + 1 + MAX_ORDERS
_TILES = _ROLE + 1
_STAGES = 8  # more than food can have


class Wait(NamedTuple):
    """The memory of one cook that may wait, and room to compare situations in."""

    since: Ints  # (1,) the step of the question that was answered with STAY; NEVER_WAITED if it does not wait
    asked: Ints  # (S,) the situation of that question
    now: Ints  # (S,)
    targets: Ints  # (2, 27)


def new_wait(tiles: int) -> Wait:
    """Returns the memory of a cook that does not wait, in a kitchen of so many tiles."""
    asked, now = np.zeros((2, _TILES + tiles), np.int32)
    return Wait(np.full(1, NEVER_WAITED, np.int32), asked, now, np.zeros((2, N_SKILLS), np.int32))


@kernel
def goes_on_waiting(grid: Grid, state: StateVector, player: int, role: int, wait: Wait) -> bool:
    """Whether a cook waits, not for too long, and nothing has changed; `role` is its partner's, NO_ROLE if unclear."""
    since = wait.since[0]
    if since == NEVER_WAITED or state[STEP] - since >= LONGEST_WAIT:
        return False
    read_situation(grid, state, player, role, wait.targets, wait.now)
    same = True
    for number in range(len(wait.now)):
        same = same and wait.now[number] == wait.asked[number]
    return same


@kernel
def begin_waiting(grid: Grid, state: StateVector, player: int, role: int, wait: Wait) -> None:
    """Remembers the situation in which a cook chose to wait."""
    wait.since[0] = state[STEP]
    read_situation(grid, state, player, role, wait.targets, wait.asked)


@kernel
def read_situation(grid: Grid, state: StateVector, player: int, role: int, targets: Ints, situation: Ints) -> None:
    """Writes a situation."""
    feasible_targets(grid, state, player, targets[0], targets[1])
    for skill in range(N_SKILLS):
        situation[skill] = targets[0, skill] >= 0
    situation[_HELD], situation[_HELD + 1] = state[HELD], state[HELD + 1]
    situation[_DIRTY], situation[_ORDERS], situation[_ROLE] = state[DIRTY_PLATES], state[N_ORDERS], role
    for order in range(MAX_ORDERS):
        situation[_ORDERS + 1 + order] = state[DISH + order] if order < state[N_ORDERS] else NOTHING
    for tile in range(len(grid.kind)):
        situation[_TILES + tile] = state[HEADER + tile] * _STAGES + stage_at(grid, state, tile)


@kernel
def stage_at(grid: Grid, state: StateVector, tile: int) -> int:
    """Returns the stage of the item on a tile: whether it is chopped, or how far it is cooked."""
    kind, item = grid.kind[tile], state[HEADER + tile]
    if item == NOTHING:
        return 0
    progress = state[HEADER + len(grid.kind) + tile]
    if kind == BOARD:
        return int(progress >= grid.params[CHOPS])
    if (kind == GRILL or kind == POT) and item != CHARCOAL:
        return cooking_stage(grid, progress)
    return 0
