"""The facts of a scene that the scripted planner goes by: cooks, items, orders and where the stations are.

They are read from a prompt (`bba.planner.scripted.scripted_chat`) or, many times as fast, taken from the state that
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

STATION_KINDS = (*"MZRTUBGPWDS", "pass")  # of stations; counters are no stations to this planner
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
def set_cook(facts: SceneFacts, who: int, place: int, facing: int, held: int) -> None:
    """Sets where a cook is and what it holds."""
    cook = facts.cooks[who]
    cook[PLACE], cook[FACING], cook[HELD] = place, facing, held
    cook[FACED] = place + DOWN_OF[facing] * PADDED_SIDE + ACROSS_OF[facing]


@kernel
def add_item(facts: SceneFacts, code: int, place: int, tag: int, number: int) -> None:
    """Adds an item."""
    item = facts.numbers[ITEMS]
    row = facts.items[item]
    row[CODE], row[LIES], row[TAG], row[NUMBER] = code, place, tag, number
    facts.numbers[ITEMS] = item + 1
    if tag != STACK:
        facts.item_at[place] = item
        if facts.stations.kind[place] == PASSES:
            facts.numbers[OCCUPIED] += 1


@kernel
def separated(facts: SceneFacts, a: int, b: int) -> bool:
    """Whether the wall of pass counters is between two places."""
    return bool(facts.stations.side[a] * facts.stations.side[b] < 0)


@kernel
def distance(facts: SceneFacts, a: int, b: int) -> int:
    """Returns the tiles between two places, plus a detour if they are separated."""
    tiles = abs(a // PADDED_SIDE - b // PADDED_SIDE) + abs(a % PADDED_SIDE - b % PADDED_SIDE)
    return tiles + DETOUR if separated(facts, a, b) else tiles


@lru_cache(maxsize=64)
def stations_of(layout: Layout) -> Mapping[str, tuple[Position, ...]]:
    """Returns the positions of stations by map letter, of counters that a cook can reach as "X", and of pass counters.

    The latter are listed as "pass" and not once more as "X".
    """
    stations: dict[str, tuple[Position, ...]] = {
        letter: tuple(position for position, char in layout.tiles() if char == letter) for letter in "MZRTUBGPWDS"
    }
    counters = [place for place, _ in layout.tiles() if layout.is_counter(place) and place not in layout.pass_counters]
    floor = layout.reachable(layout.starts[0]) | layout.reachable(layout.starts[1])
    reached = tuple(place for place in counters if layout.touches(place, floor))
    return stations | {"X": reached, "pass": layout.pass_counters}


def facts_of(layout: Layout) -> SceneFacts:
    """Returns room for the facts of a scene in a kitchen, with its stations."""
    return new_facts(stations_at(stations_of(layout).items()), layout.width * layout.height)


def stations_at(stations: Iterable[tuple[str, tuple[Position, ...]]]) -> Stations:
    """Returns stations by kind: the same object for the same ones; what is no station is left out."""
    return _stations(tuple([(kind, tuple(where)) for kind, where in stations if where and kind in STATION_KINDS]))


@lru_cache(maxsize=64)
def _stations(found: tuple[tuple[str, tuple[Position, ...]], ...]) -> Stations:
    by_kind = dict(found)
    kind = np.full(PLACES, NO_STATION, np.int32)
    for number, name in enumerate(STATION_KINDS):
        kind[[place_at(*position) for position in by_kind.get(name, ())]] = number
    counts = [len(by_kind.get(name, ())) for name in STATION_KINDS]
    places = [place_at(*position) for name in STATION_KINDS for position in by_kind.get(name, ())]
    passes = by_kind.get("pass", ())
    return Stations(
        kind=kind,
        side=_sides(kind, passes),
        places=np.array(places, np.int32),
        first=np.cumsum([0, *counts]).astype(np.int32),
        # Sets are in the order of hashes. It was the order in which the planner looked, and games are to stay the same.
        passes=np.array([place_at(*position) for position in frozenset(passes)], np.int32),
    )


def _sides(kind: Int32Array, passes: tuple[Position, ...]) -> Int32Array:
    """Returns on which side each place is of the line in which all pass counters stand, if there is such a line."""
    side = np.zeros(PLACES, np.int32)
    for axis in (0, 1):
        lines = {counter[axis] for counter in passes}
        if len(lines) != 1:
            continue
        (line,) = lines
        across = np.arange(PLACES) % PADDED_SIDE if axis == 0 else np.arange(PLACES) // PADDED_SIDE
        side[:] = np.sign(across - 1 - line)
        step = 1 if axis == 0 else PADDED_SIDE
        for place in np.flatnonzero((side == 0) & (kind != PASSES)).tolist():
            before = kind[max(place - step, 0)]
            after = kind[min(place + step, PLACES - 1)]
            side[place] = int(before != NO_STATION) - int(after != NO_STATION)
        break
    return side


IDLE_STEPS = 8  # a walking cook moves within so many steps with probability 0.97, although two of three moves fail
_HALVES = 2.0**27 + 1.0  # splits a number into two of which each has half the digits


@outlined_kernel
def read_state(grid: Grid, width: int, state: StateVector, player: int, facts: SceneFacts) -> None:
    """Takes the facts for a player from a state of a kitchen `width` tiles wide, but for belief and earlier turns."""
    for item in range(facts.numbers[ITEMS]):
        facts.item_at[facts.items[item, LIES]] = -1
    facts.numbers[:] = 0
    facts.posterior[:] = 0.0
    for who in range(2):
        seat = player if who == ME else 1 - player
        tile = state[POSITION + seat]
        set_cook(
            facts,
            who,
            place_at(tile % width, tile // width),
            state[constants.FACING + seat],
            state[constants.HELD + seat],
        )
    for tile in range(len(grid.kind)):
        if state[STATE_HEADER + tile] != NOTHING:
            read_tile(grid, width, state, tile, facts)
    stations = facts.stations
    if state[DIRTY_PLATES] and stations.first[STACKS] < stations.first[STACKS + 1]:
        add_item(facts, DIRTY_PLATE, stations.places[stations.first[STACKS]], STACK, state[DIRTY_PLATES])
    facts.numbers[ORDERS] = min(state[N_ORDERS], ORDERS_AHEAD)
    for order in range(facts.numbers[ORDERS]):
        facts.dishes[order] = state[DISH + order]
    feasible_targets(grid, state, player, facts.targets[0], facts.targets[1])
    for skill in range(N_SKILLS):
        facts.feasible[skill] = facts.targets[0, skill] >= 0


@kernel
def read_tile(grid: Grid, width: int, state: StateVector, tile: int, facts: SceneFacts) -> None:
    """Adds the item on a tile, with the number that a prompt gives first: steps left of cooking, or the work done."""
    kind, code = grid.kind[tile], state[STATE_HEADER + tile]
    progress = state[STATE_HEADER + len(grid.kind) + tile]
    tag, number = UNTAGGED, NEVER_READY
    if kind == BOARD:
        ready = progress >= grid.params[CHOPS]
        tag, number = CHOPPED_READY if ready else UNREADY, NEVER_READY if ready else progress
    elif kind == SINK and code == DIRTY_PLATE:
        tag, number = UNRINSED, progress
    elif (kind == GRILL or kind == POT) and code != CHARCOAL:
        stage = cooking_stage(grid, progress)
        tag = COOKS + stage
        if stage != BURNING:
            number = grid.params[(READY_AT, WARNING_AT, BURNING_AT)[stage]] - progress
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
        best = role if by_role[role] > by_role[best] else best
    return best if len(roles) and by_role[best] >= confident_from else NO_ROLE


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
    if rest == 0.5:  # the product was perhaps rounded to this
        large = _HALVES * number - (_HALVES * number - number)
        lost = (large * 100.0 - hundredfold) + (number - large) * 100.0
        return (below + (lost > 0.0 or (lost == 0.0 and below % 2 == 1))) / 100.0
    return (below + (rest > 0.5)) / 100.0


@kernel
def note_idleness(facts: SceneFacts, turns: Int32Array, count: int, step: int) -> None:
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
def remember_turn(width: int, state: StateVector, player: int, turns: Int32Array, count: int) -> None:
    """Notes where the teammate is in a turn, the `count`-th from 0."""
    if len(turns):
        turn, mate = turns[count % len(turns)], 1 - player
        tile = state[POSITION + mate]
        turn[0], turn[1] = state[STEP], place_at(tile % width, tile // width)
        turn[2], turn[3] = state[constants.FACING + mate], state[constants.HELD + mate]
