"""Takes the facts of a scene from the state that a prompt would show, without the text."""

from math import floor

from bba.belief.likelihood import Vector
from bba.belief.roles import NO_ROLE
from bba.kernels import kernel, outlined_kernel
from bba.kitchen import state as row
from bba.kitchen.constants import BOARD, BURNING, CHARCOAL, DIRTY_PLATE, GRILL, N_SKILLS, NOTHING, POT, SINK
from bba.kitchen.grid import BURNING_AT, CHOPS, READY_AT, WARNING_AT, Grid
from bba.kitchen.skills import cooking_stage, feasible_targets
from bba.kitchen.state import StateVector
from bba.planner.scripted.scene_facts import (
    CHOPPED_READY,
    CONFIDENT,
    COOKS,
    FACING,
    HELD,
    IDLE,
    MATE,
    ME,
    NEVER,
    ORDERS,
    ORDERS_AHEAD,
    PLACE,
    STACK,
    STACKS,
    UNREADY,
    UNRINSED,
    UNTAGGED,
    WIDTH,
    Ints,
    SceneFacts,
    add_item,
    clear,
    set_cook,
)

IDLE_STEPS = 8  # a walking cook moves within so many steps with probability 0.97, although two of three moves fail
_HALVES = 2.0**27 + 1.0  # splits a number into two of which each has half the digits


@outlined_kernel
def read_state(grid: Grid, width: int, state: StateVector, player: int, facts: SceneFacts) -> None:
    """Takes the facts for a player from a state of a kitchen `width` tiles wide, but for belief and earlier turns."""
    clear(facts)
    for who in range(2):
        seat = player if who == ME else 1 - player
        place = place_of(state[row.POSITION + seat], width)
        set_cook(facts, who, place, state[row.FACING + seat], state[row.HELD + seat])
    for tile in range(len(grid.kind)):
        if state[row.HEADER + tile] != NOTHING:
            read_tile(grid, width, state, tile, facts)
    stations = facts.stations
    if state[row.DIRTY_PLATES] and stations.first[STACKS] < stations.first[STACKS + 1]:
        add_item(facts, DIRTY_PLATE, stations.places[stations.first[STACKS]], STACK, state[row.DIRTY_PLATES])
    facts.numbers[ORDERS] = min(state[row.N_ORDERS], ORDERS_AHEAD)
    for order in range(facts.numbers[ORDERS]):
        facts.dishes[order] = state[row.DISH + order]
    feasible_targets(grid, state, player, facts.targets[0], facts.targets[1])
    for skill in range(N_SKILLS):
        facts.feasible[skill] = facts.targets[0, skill] >= 0


@kernel
def place_of(tile: int, width: int) -> int:
    """Returns the place of a tile."""
    return (tile // width + 1) * WIDTH + tile % width + 1


@kernel
def read_tile(grid: Grid, width: int, state: StateVector, tile: int, facts: SceneFacts) -> None:
    """Adds the item on a tile, with the number that a prompt gives first: steps left of cooking, or the work done."""
    kind, code = grid.kind[tile], state[row.HEADER + tile]
    progress = state[row.HEADER + len(grid.kind) + tile]
    tag, number = UNTAGGED, NEVER
    if kind == BOARD:
        ready = progress >= grid.params[CHOPS]
        tag, number = CHOPPED_READY if ready else UNREADY, NEVER if ready else progress
    elif kind == SINK and code == DIRTY_PLATE:
        tag, number = UNRINSED, progress
    elif (kind == GRILL or kind == POT) and code != CHARCOAL:
        stage = cooking_stage(grid, progress)
        tag = COOKS + stage
        if stage != BURNING:
            number = grid.params[(READY_AT, WARNING_AT, BURNING_AT)[stage]] - progress
    add_item(facts, code, place_of(tile, width), tag, number)


@kernel
def confident_role(posterior: Vector, roles: Ints, confident_from: float, by_role: Vector) -> int:
    """Returns the likeliest role by a belief over H hypotheses (H,), each of a role (H,); NO_ROLE if it is not clear.

    `by_role` (6,) is written: the belief over the roles. Without hypotheses there is no belief.
    """
    by_role[:] = 0.0
    for hypothesis in range(len(roles)):
        by_role[roles[hypothesis]] += posterior[hypothesis]
    best = 0
    for role in range(len(by_role)):
        best = role if by_role[role] > by_role[best] else best
    return best if len(roles) and by_role[best] >= confident_from else NO_ROLE


@kernel
def show_belief(facts: SceneFacts, posterior: Vector, roles: Ints, confident_from: float) -> None:
    """Adds a belief as a prompt shows it, if it is confident; arguments as `confident_role`."""
    confident = confident_role(posterior, roles, confident_from, facts.posterior) != NO_ROLE
    facts.numbers[CONFIDENT] = confident
    for role in range(len(facts.posterior)):
        facts.posterior[role] = two_digits(facts.posterior[role]) if confident else 0.0


@kernel
def two_digits(number: float) -> float:
    """Returns a number, 0 or more, with two digits after the point, rounded as text is: by what it exactly is."""
    hundredfold = number * 100.0
    below = floor(hundredfold)
    rest = hundredfold - below
    if rest == 0.5:  # the product was perhaps rounded to this
        large = _HALVES * number - (_HALVES * number - number)
        lost = (large * 100.0 - hundredfold) + (number - large) * 100.0
        return (below + (lost > 0.0 or (lost == 0.0 and below % 2 == 1))) / 100.0
    return (below + (rest > 0.5)) / 100.0


@kernel
def note_idleness(facts: SceneFacts, turns: Ints, count: int, step: int) -> None:
    """Adds whether the teammate stands still: by the last turns (T, 4), a ring, of which there were `count`."""
    mate = facts.cooks[MATE]
    for back in range(1, min(count, len(turns)) + 1):
        turn = turns[(count - back) % len(turns)]
        if turn[1] != mate[PLACE] or turn[2] != mate[FACING] or turn[3] != mate[HELD]:
            return
        if step - turn[0] >= IDLE_STEPS:
            facts.numbers[IDLE] = 1
            return


@kernel
def remember_turn(width: int, state: StateVector, player: int, turns: Ints, count: int) -> None:
    """Notes where the teammate is in a turn, the `count`-th from 0."""
    if len(turns):
        turn, mate = turns[count % len(turns)], 1 - player
        turn[0], turn[1] = state[row.STEP], place_of(state[row.POSITION + mate], width)
        turn[2], turn[3] = state[row.FACING + mate], state[row.HELD + mate]
