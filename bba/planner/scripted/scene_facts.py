"""The facts of a scene that the scripted planner goes by: cooks, items, orders and where the stations are.

They are read from a prompt (`bba.planner.scripted.prompt_reader`) or, many times as fast, taken from the state that
the prompt shows (`read_state`); both ways give the same numbers. The rules read nothing else.

A prompt shows stations but no floor, so distances are Manhattan distances as if nothing stood between. If all pass
counters stand in one row or column, they mark a wall: the stations on its two sides are separated, and a station in the
wall itself belongs to the side on which no other station blocks the way to it.

A place is a number: `place_at(x, y)`, with a margin of one tile around the largest map.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import floor
from typing import NamedTuple

import numpy as np

from bba.belief.roles import NO_ROLE, ROLE_NAMES
from bba.kernels import kernel, outlined_kernel
from bba.kitchen import (
    BOARD,
    BURNING,
    BURNING_AT,
    CHARCOAL,
    CHOPS,
    DIRTY_PLATE,
    DIRTY_PLATES,
    DISH,
    GRILL,
    LARGEST_SIDE,
    N_ORDERS,
    N_SKILLS,
    NOTHING,
    POSITION,
    POT,
    READY_AT,
    SINK,
    STATE_HEADER,
    STEP,
    WARNING_AT,
    Float64Array,
    Grid,
    Int32Array,
    Layout,
    Position,
    StateVector,
    constants,
    cooking_stage,
    feasible_targets,
)

PADDED_SIDE = LARGEST_SIDE + 2  # places in a row
PLACES = PADDED_SIDE * PADDED_SIDE
NOWHERE = -1  # in the place of a place
DETOUR = 12  # tiles added to a path across the wall: about the way around it in the shipped kitchens
NEVER_READY = 1_000_000  # steps
ORDERS_AHEAD = 3  # orders to plan for; more would lock up plates, grills and pots for dishes that cannot be served yet

STATION_LETTERS = "MZRTUBGPWDS"  # in a layout's map; counters are no stations to this planner
STATION_KINDS = (*STATION_LETTERS, "pass")
MEATS, MUSHROOMS, RICES, TORTILLAS, TRASHES, BOARDS, GRILLS, POTS, SINKS, STACKS, WINDOWS, PASSES = range(
    len(STATION_KINDS)
)
NO_STATION = -1

TAGS = ("", "unready", "ready", "unrinsed", "cooking", "ready/waiting", "warning", "BURNT", "stack")
UNTAGGED, UNREADY, CHOPPED_READY, UNRINSED, COOKS, WAITS, WARNS, BURNT, STACK = range(len(TAGS))

# rows of `cooks`: the player that decides, and the other one
ME = 0
MATE = 1
PLACE, FACED, FACING, HELD = range(4)  # columns of `cooks`: place, the place before it, direction 0 to 3, held item
# Columns of `items`: code, place, tag and the number beside the tag: the steps until the next stage for cooking food,
# the plates on the stack, or the work done on a board or in a sink; it is `NEVER` where a text gives none.
CODE, LIES, TAG, NUMBER = range(4)
# The single facts: items and orders, pass counters with an item; whether the teammate has not moved for a while,
# whether the belief is confident; then room to work in: slots, tasks, and whether the wall can be walked around.
ITEMS, ORDERS, OCCUPIED, IDLE, CONFIDENT, SLOTS, TASKS, CROSSES = range(8)
N_SLOT = 7
N_TASK = 5


class Stations(NamedTuple):
    """Where the stations of one kitchen are."""

    kind: Int32Array  # (PLACES,) of the station at each place, NO_STATION for none
    side: Int32Array  # (PLACES,) -1 or 1 for the two sides of the wall, 0 for a place that both sides may reach
    places: Int32Array  # of all stations, kind by kind, each in reading order
    first: Int32Array  # (len(KINDS) + 1,) where each kind begins in `places`
    passes: Int32Array  # the pass counters in the order that decides between tasks of one rating


class SceneFacts(NamedTuple):
    """The facts of one scene, and room for the rules to work in."""

    stations: Stations
    numbers: Int32Array  # (8,) the single facts
    cooks: Int32Array  # (2, 4)
    items: Int32Array  # (items, 4) everything on counters and stations
    item_at: Int32Array  # (PLACES,) the item at each place but the stack, -1 for none
    dishes: Int32Array  # (ORDERS_AHEAD,) of the first orders: 0 steak, 1 mushroom
    feasible: Int32Array  # (27,) 1 for each skill that can be started
    posterior: Float64Array  # (6,) of the teammate's role as shown, 0 where nothing is shown or confident
    slots: Int32Array  # (ORDERS_AHEAD, N_SLOT) what the next orders lack (`bba.planner.scripted.order_needs`)
    parts: Int32Array  # (3, ORDERS_AHEAD) the best parts in preparation
    tasks: Int32Array  # (tasks, N_TASK) (`bba.planner.scripted.free_hands`)
    values: Float64Array  # (tasks,) of each
    targets: Int32Array  # (2, 27) of each skill


@kernel
def place_at(x: int, y: int) -> int:
    """Returns the place at a position of the map."""
    return (y + 1) * PADDED_SIDE + x + 1


def new_facts(stations: Stations, items: int) -> SceneFacts:
    """Returns the facts of an empty kitchen with room for so many items."""
    tasks = 16 * items + 64
    return SceneFacts(
        stations=stations,
        numbers=np.zeros(8, np.int32),
        cooks=np.zeros((2, 4), np.int32),
        items=np.zeros((items + 1, 4), np.int32),
        item_at=np.full(PLACES, -1, np.int32),
        dishes=np.zeros(ORDERS_AHEAD, np.int32),
        feasible=np.zeros(N_SKILLS, np.int32),
        posterior=np.zeros(len(ROLE_NAMES)),
        slots=np.zeros((ORDERS_AHEAD, N_SLOT), np.int32),
        parts=np.zeros((3, ORDERS_AHEAD), np.int32),
        tasks=np.zeros((tasks, N_TASK), np.int32),
        values=np.zeros(tasks),
        targets=np.zeros((2, N_SKILLS), np.int32),
    )


# of the directions
ACROSS_OF = (0, 0, 1, -1)
DOWN_OF = (-1, 1, 0, 0)


@kernel
def set_cook(facts: SceneFacts, row: int, place: int, facing: int, held: int) -> None:
    """Sets where the cook of a row of `cooks`, ME or MATE, is and what it holds."""
    cook = facts.cooks[row]
    cook[PLACE] = place
    cook[FACING] = facing
    cook[HELD] = held
    cook[FACED] = place + DOWN_OF[facing] * PADDED_SIDE + ACROSS_OF[facing]


@kernel
def add_item(facts: SceneFacts, code: int, place: int, tag: int, number: int) -> None:
    """Adds an item; arguments as the columns of `SceneFacts.items`."""
    row = facts.numbers[ITEMS]
    item = facts.items[row]
    item[CODE] = code
    item[LIES] = place
    item[TAG] = tag
    item[NUMBER] = number
    facts.numbers[ITEMS] = row + 1
    if tag != STACK:
        facts.item_at[place] = row
        if facts.stations.kind[place] == PASSES:
            facts.numbers[OCCUPIED] += 1


@kernel
def separated(facts: SceneFacts, a: int, b: int) -> bool:
    """Whether the wall of pass counters is between two places."""
    return bool(facts.stations.side[a] * facts.stations.side[b] < 0)


@kernel
def distance(facts: SceneFacts, a: int, b: int) -> int:
    """Returns the tiles between two places, plus a detour if they are separated."""
    across = abs(a % PADDED_SIDE - b % PADDED_SIDE)
    down = abs(a // PADDED_SIDE - b // PADDED_SIDE)
    tiles = across + down
    if separated(facts, a, b):
        tiles += DETOUR
    return tiles


@lru_cache(maxsize=64)
def stations_of(layout: Layout) -> Mapping[str, tuple[Position, ...]]:
    """Returns the positions of stations by map letter, of counters that a cook can reach as "X", and of pass counters.

    Pass counters are listed as "pass" and not once more as "X".
    """
    positions: dict[str, list[Position]] = {letter: [] for letter in STATION_LETTERS}
    counters = []
    for position, letter in layout.tiles():
        if letter in positions:
            positions[letter].append(position)
        if layout.is_counter(position) and position not in layout.pass_counters:
            counters.append(position)
    floor = layout.reachable(layout.starts[0]) | layout.reachable(layout.starts[1])
    stations = {letter: tuple(of_letter) for letter, of_letter in positions.items()}
    stations["X"] = tuple([position for position in counters if layout.touches(position, floor)])
    stations["pass"] = layout.pass_counters
    return stations


def facts_of(layout: Layout) -> SceneFacts:
    """Returns room for the facts of a scene in a kitchen, with its stations."""
    stations = stations_at(stations_of(layout).items())
    return new_facts(stations, layout.width * layout.height)


def stations_at(stations: Iterable[tuple[str, tuple[Position, ...]]]) -> Stations:
    """Returns stations from pairs of kind and positions: the same object for the same pairs.

    Kinds that are no `STATION_KINDS`, such as counters, are left out.
    """
    pairs = [(kind, tuple(positions)) for kind, positions in stations if positions and kind in STATION_KINDS]
    return _stations(tuple(pairs))


@lru_cache(maxsize=64)
def _stations(positions_by_kind: tuple[tuple[str, tuple[Position, ...]], ...]) -> Stations:
    positions = dict(positions_by_kind)
    kind = np.full(PLACES, NO_STATION, np.int32)
    places: list[int] = []
    first = [0]
    for number, name in enumerate(STATION_KINDS):
        of_kind = [place_at(x, y) for x, y in positions.get(name, ())]
        kind[of_kind] = number
        places += of_kind
        first.append(len(places))
    passes = positions.get("pass", ())
    # Sets are in the order of hashes. It was the order in which the planner looked, and games are to stay the same.
    pass_places = [place_at(x, y) for x, y in frozenset(passes)]
    return Stations(
        kind=kind,
        side=_sides(kind, passes),
        places=np.array(places, np.int32),
        first=np.array(first, np.int32),
        passes=np.array(pass_places, np.int32),
    )


def _sides(kind: Int32Array, passes: tuple[Position, ...]) -> Int32Array:
    """Returns on which side each place is of the line in which all pass counters stand, if there is such a line."""
    columns = {x for x, _ in passes}
    rows = {y for _, y in passes}
    places = np.arange(PLACES)
    side = np.zeros(PLACES, np.int32)
    if len(columns) == 1:
        side[:] = np.sign(places % PADDED_SIDE - 1 - columns.pop())
        step = 1
    elif len(rows) == 1:
        side[:] = np.sign(places // PADDED_SIDE - 1 - rows.pop())
        step = PADDED_SIDE
    else:
        return side
    for place in np.flatnonzero((side == 0) & (kind != PASSES)).tolist():
        blocked_before = kind[max(place - step, 0)] != NO_STATION
        blocked_behind = kind[min(place + step, PLACES - 1)] != NO_STATION
        side[place] = int(blocked_before) - int(blocked_behind)
    return side


IDLE_STEPS = 8  # a walking cook moves within so many steps with probability 0.97, although two of three moves fail
STAGE_ENDS = (READY_AT, WARNING_AT, BURNING_AT)  # the parameters of the steps at which stages of cooking end
# Columns of the last turns: the step, and the teammate's place, direction and held item.
TURN_STEP, TURN_PLACE, TURN_FACING, TURN_HELD = range(4)
_HALVES = 2.0**27 + 1.0  # splits a number into two of which each has half the digits


@outlined_kernel
def read_state(grid: Grid, width: int, state: StateVector, player: int, facts: SceneFacts) -> None:
    """Takes the facts for a player from a state of a kitchen `width` tiles wide, but for belief and earlier turns."""
    for item in range(facts.numbers[ITEMS]):
        facts.item_at[facts.items[item, LIES]] = -1
    facts.numbers[:] = 0
    facts.posterior[:] = 0.0
    for row in range(2):
        seat = player if row == ME else 1 - player
        tile = state[POSITION + seat]
        place = place_at(tile % width, tile // width)
        set_cook(facts, row, place, state[constants.FACING + seat], state[constants.HELD + seat])
    for tile in range(len(grid.kind)):
        if state[STATE_HEADER + tile] != NOTHING:
            read_tile(grid, width, state, tile, facts)
    stations = facts.stations
    stack = stations.first[STACKS]
    if state[DIRTY_PLATES] and stack < stations.first[STACKS + 1]:
        add_item(facts, DIRTY_PLATE, stations.places[stack], STACK, state[DIRTY_PLATES])
    facts.numbers[ORDERS] = min(state[N_ORDERS], ORDERS_AHEAD)
    for order in range(facts.numbers[ORDERS]):
        facts.dishes[order] = state[DISH + order]
    feasible_targets(grid, state, player, facts.targets[0], facts.targets[1])
    for skill in range(N_SKILLS):
        facts.feasible[skill] = facts.targets[0, skill] >= 0


@kernel
def read_tile(grid: Grid, width: int, state: StateVector, tile: int, facts: SceneFacts) -> None:
    """Adds the item on a tile, with the number that a prompt gives first: steps left of cooking, or the work done."""
    kind = grid.kind[tile]
    code = state[STATE_HEADER + tile]
    progress = state[STATE_HEADER + len(grid.kind) + tile]
    tag = UNTAGGED
    number = NEVER_READY
    if kind == BOARD:
        if progress >= grid.params[CHOPS]:
            tag = CHOPPED_READY
        else:
            tag = UNREADY
            number = progress
    elif kind == SINK and code == DIRTY_PLATE:
        tag = UNRINSED
        number = progress
    elif (kind == GRILL or kind == POT) and code != CHARCOAL:
        stage = cooking_stage(grid, progress)
        tag = COOKS + stage
        if stage != BURNING:
            number = grid.params[STAGE_ENDS[stage]] - progress
    add_item(facts, code, place_at(tile % width, tile // width), tag, number)


@kernel
def confident_role(posterior: Float64Array, roles: Int32Array, confident_from: float, by_role: Float64Array) -> int:
    """Returns the likeliest role by a belief over H hypotheses (H,), each of a role (H,); NO_ROLE if it is not clear.

    `by_role` (6,) is written: the belief over the roles. Without hypotheses there is no belief.
    """
    by_role[:] = 0.0
    for hypothesis in range(len(roles)):
        by_role[roles[hypothesis]] += posterior[hypothesis]
    best = 0
    for role in range(len(by_role)):
        if by_role[role] > by_role[best]:
            best = role
    if len(roles) == 0 or by_role[best] < confident_from:
        return NO_ROLE
    return best


@kernel
def show_belief(facts: SceneFacts, posterior: Float64Array, roles: Int32Array, confident_from: float) -> None:
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
    rounds_up = rest > 0.5
    if rest == 0.5:  # the product was perhaps rounded to this
        large = _HALVES * number - (_HALVES * number - number)
        lost = (large * 100.0 - hundredfold) + (number - large) * 100.0
        rounds_up = lost > 0.0 or (lost == 0.0 and below % 2 == 1)
    if rounds_up:
        below += 1
    return below / 100.0


@kernel
def note_idleness(facts: SceneFacts, turns: Int32Array, count: int, step: int) -> None:
    """Adds whether the teammate stands still: by the last turns (T, 4), a ring, of which there were `count`."""
    mate = facts.cooks[MATE]
    for back in range(1, min(count, len(turns)) + 1):
        turn = turns[(count - back) % len(turns)]
        if turn[TURN_PLACE] != mate[PLACE] or turn[TURN_FACING] != mate[FACING] or turn[TURN_HELD] != mate[HELD]:
            return
        if step - turn[TURN_STEP] >= IDLE_STEPS:
            facts.numbers[IDLE] = 1
            return


@kernel
def remember_turn(width: int, state: StateVector, player: int, turns: Int32Array, count: int) -> None:
    """Notes where the teammate is in a turn, the `count`-th from 0."""
    if len(turns) == 0:
        return
    mate = 1 - player
    tile = state[POSITION + mate]
    turn = turns[count % len(turns)]
    turn[TURN_STEP] = state[STEP]
    turn[TURN_PLACE] = place_at(tile % width, tile // width)
    turn[TURN_FACING] = state[constants.FACING + mate]
    turn[TURN_HELD] = state[constants.HELD + mate]
