"""Observations of many games, written into one array, and what each player can start in the same pass.

They are those of `bba.kitchen.observation`, to the bit. Every number that can occur in one is computed once for each
layout, so that writing is copying; so is how near each player is to what never changes.
"""

from functools import lru_cache
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bba.kernels import disjoint, kernel, optimised
from bba.kitchen.constants import (
    BOARD,
    BOILED_RICE,
    CHARCOAL,
    CHOPPED_STEAK,
    COUNTER,
    DIRTY_PLATE,
    DIRTY_PLATES,
    DISH,
    FACING,
    FIRE_EXT,
    FRIED_MUSHROOM,
    GRILL,
    HELD,
    ITEM_NAMES,
    N_ORDERS,
    N_SKILLS,
    NOTHING,
    PASS_OBJECT,
    PLATE,
    PLATE_STACK,
    POSITION,
    POT,
    PUT_DOWN_OBJECT,
    READY,
    SINK,
    SKILL_STAY,
    STATE_HEADER,
    STREAK,
    TIME_LEFT,
    BoolArray,
    ByteArray,
    Int32Array,
    Int64Array,
    StateVector,
)
from bba.kitchen.layout import (
    BURNING_AT,
    CHOPS,
    ORDER_LIFE,
    PLATES,
    READY_AT,
    RINSES,
    UNREACHABLE,
    WARNING_AT,
    Grid,
    Layout,
    grid_of,
)
from bba.kitchen.observation import (
    CONTENT,
    FULL_STREAK,
    ITEM_SIZE,
    MANY_ITEMS,
    ORDERS,
    PLAYER_SIZE,
    REACH,
    STATION_SIZE,
    STATIONS,
    TEAM,
    encode_item,
)
from bba.kitchen.skills import cooking_stage, skill_at

DTYPES = (np.dtype(np.float32), np.dtype(np.float16), np.dtype(np.uint8))  # in which observations are written
FULL_BYTE = 255  # the byte that stands for 1
ON_STOVES = CHOPPED_STEAK, FRIED_MUSHROOM, BOILED_RICE  # food that is nowhere else
N_ITEMS = 2 * PLATE  # codes of items, with those that no item has
N_STAGES = 4
N_CONDITIONS = N_ITEMS * (1 + N_STAGES * (PLATE_STACK - BOARD + 1))
PLATE_PLACE = FIRE_EXT  # of a plate among the numbers of an item; what is on it follows
CACHE_LINES = 32  # numbers of 4 bytes: between what two threads write, or each waits for the other's cache
Numbers = NDArray[Any]
IndexNumbers = NDArray[np.uint32]  # without a sign: kernels need not look whether they count from the end


class Shares(NamedTuple):
    """All numbers in observations on a layout with T tiles, in one dtype; float16 as its bits.

    Kernels do not compute with float16. No number is negative, so that the largest number has the largest bits.
    """

    standing: Numbers  # (T, 4, 6) of a player, by its tile and facing
    items: Numbers  # (N_ITEMS, 14) of a held item
    times: Numbers  # (life + 1,) of an order's time left
    streaks: Numbers  # (6,)
    stacks: Numbers  # (plates + 1,) of dirty plates on the stack
    counts: Numbers  # (5,) of items on counters: from 0 to 1
    chops: Numbers  # (chops + 1,) of progress on a board
    rinses: Numbers  # (rinses + 1,) of progress in a sink
    cooked: Numbers  # (steps until it burns + 1,) of progress on a grill or in a pot
    near: Numbers  # (T, T) of a station, by floor tile and station: 1 / (1 + walking distance), 0 out of reach
    fixed: Numbers  # (N_ITEMS, T, 27) of the nearest station whose offer never changes, by held item and floor tile
    offers: ByteArray  # (N_ITEMS, N_CONDITIONS) the skill that a station offers, by held item; 27 for none
    counters: IndexNumbers  # where in the state the items on counters are
    appliances: Int32Array  # boards, grills, pots and sinks, in reading order
    changing: Int32Array  # those in reach, and stacks of plates
    by_distance: Int32Array  # (T, 2, …) from a floor tile, the nearest first: counters, pass counters; -1 at the end


@lru_cache(maxsize=64)
def shares_of(layout: Layout, dtype: np.dtype[Any]) -> Shares:
    """Returns the numbers in observations on a layout, in one of `DTYPES`."""
    grid, (width, height) = grid_of(layout), (layout.width, layout.height)
    tiles = np.arange(len(grid.kind))
    standing = np.zeros((len(tiles), 4, PLAYER_SIZE - ITEM_SIZE))
    standing[:, :, 0] = (tiles % width / (width - 1))[:, None]
    standing[:, :, 1] = (tiles // width / (height - 1))[:, None]
    standing[:, np.arange(4), 2 + np.arange(4)] = 1
    items = np.zeros((N_ITEMS, ITEM_SIZE), np.float32)
    for item in ITEM_NAMES:
        encode_item(item, 1, items[item])
    distance = grid.distance_to_adjacent
    near = np.where(distance < UNREACHABLE, 1 / (1 + distance.astype(float)), 0)
    is_appliance = (grid.kind >= BOARD) & (grid.kind <= SINK)
    changes = is_appliance | (grid.kind == PLATE_STACK)

    def shares(numbers: NDArray[Any]) -> Numbers:
        return in_dtype(numbers.astype(np.float32), dtype)

    def shares_up_to(most: int) -> Numbers:
        return shares(np.arange(most + 1) / most)

    return Shares(
        standing=shares(standing),
        items=shares(items),
        times=shares_up_to(int(grid.params[ORDER_LIFE])),
        streaks=shares_up_to(FULL_STREAK),
        stacks=shares_up_to(int(grid.params[PLATES])),
        counts=shares_up_to(MANY_ITEMS),
        chops=shares_up_to(int(grid.params[CHOPS])),
        rinses=shares_up_to(int(grid.params[RINSES])),
        cooked=shares_up_to(int(grid.params[BURNING_AT])),
        near=shares(near),
        fixed=shares(_fixed(grid, near)),
        offers=_offers(grid),
        counters=(STATE_HEADER + np.flatnonzero(grid.kind == COUNTER)).astype(np.uint32),
        appliances=np.flatnonzero(is_appliance).astype(np.int32),
        changing=grid.stations[changes[grid.stations]],
        by_distance=_counters_by_distance(grid),
    )


def in_dtype(shares: NDArray[np.float32], dtype: np.dtype[Any]) -> Numbers:
    """Returns numbers from 0 to 1 as kernels write them in one of `DTYPES`: float16 as its bits, bytes as 255ths."""
    if dtype == np.uint8:
        return np.rint(shares * np.float32(FULL_BYTE)).astype(np.uint8)
    return shares.astype(np.float16).view(np.uint16) if dtype == np.float16 else shares


def _fixed(grid: Grid, near: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns how near the nearest dispenser, trash or serving window is that offers each skill; 1 for STAY."""
    state = np.zeros(STATE_HEADER + 2 * len(grid.kind), np.int32)
    fixed = np.zeros((N_ITEMS, len(grid.kind), N_SKILLS))
    fixed[:, :, SKILL_STAY] = 1
    for tile in grid.stations.tolist():
        if grid.kind[tile] == COUNTER or BOARD <= grid.kind[tile] <= PLATE_STACK:
            continue
        for held in (NOTHING, *ITEM_NAMES):
            skill = skill_at(grid, state, tile, held)
            if skill >= 0:
                fixed[held, :, skill] = np.maximum(fixed[held, :, skill], near[tile])
    return fixed


def _offers(grid: Grid) -> ByteArray:
    """Returns which skill each condition of a station offers, as `skill_at` says."""
    tiles = len(grid.kind)
    state = np.zeros(STATE_HEADER + 2 * tiles, np.int32)
    state[DIRTY_PLATES] = 1
    offers = np.full((N_ITEMS, N_CONDITIONS), N_SKILLS, np.uint8)
    progresses = (0, *(int(grid.params[index]) for index in (CHOPS, READY_AT, WARNING_AT, BURNING_AT)))
    for kind, tile in {int(grid.kind[tile]): tile for tile in grid.stations.tolist()}.items():
        if kind == COUNTER or BOARD <= kind <= PLATE_STACK:
            for item in _items_at(kind):
                for progress in progresses:
                    state[STATE_HEADER + tile], state[STATE_HEADER + tiles + tile] = item, progress
                    for held in (NOTHING, *ITEM_NAMES):
                        skill = skill_at(grid, state, tile, held)
                        if skill >= 0:
                            offers[held, condition(grid, state, tile)] = skill
    return offers


def _items_at(kind: int) -> tuple[int, ...]:
    """Returns what can lie on a kind of station; not nothing for a counter, whose offer then is its place."""
    if kind == GRILL or kind == POT:
        return (NOTHING, CHARCOAL, *ON_STOVES)
    elsewhere = tuple(item for item in ITEM_NAMES if item not in ON_STOVES)
    return elsewhere if kind == COUNTER else (NOTHING, *elsewhere)


def _counters_by_distance(grid: Grid) -> Int32Array:
    counters = [tile for tile in grid.stations.tolist() if grid.kind[tile] == COUNTER]
    table = np.full((len(grid.kind), 2, len(counters) + 1), -1, np.int32)
    for here, distances in enumerate(grid.distance_to_adjacent):
        for passes in range(2):
            reached = [tile for tile in counters if grid.is_pass_counter[tile] == passes]
            reached = sorted((t for t in reached if distances[t] < UNREACHABLE), key=distances.__getitem__)
            table[here, passes, : len(reached)] = reached
    return table


class Workspace(NamedTuple):
    """Room for what is found out about one game; each thread has its own."""

    counts: Int32Array  # (14,) items on counters by kind
    tiles: Int32Array  # (T + 1,) stations whose offer can change, but for empty counters
    conditions: Int32Array  # (T + 1,) their conditions
    reach: Numbers  # (27 + T + 1,) how near a player is to a target of each skill, then what does not matter

    @classmethod
    def on(cls, grid: Grid, numbers: np.dtype[Any]) -> Self:
        """Returns room for games on a layout; `numbers` is the dtype of `Shares`."""
        stations = len(grid.kind) + 1
        room = np.zeros(CACHE_LINES + ITEM_SIZE + 3 * stations + N_SKILLS + CACHE_LINES, np.int32)
        counts, rest = room[CACHE_LINES : CACHE_LINES + ITEM_SIZE], room[CACHE_LINES + ITEM_SIZE :]
        return cls(counts, rest[:stations], rest[stations : 2 * stations], rest[2 * stations :].view(numbers))


@optimised
@kernel
def write_all_observations(
    grid: Grid,
    shares: Shares,
    states: StateVector,
    games: Int64Array,
    room: Workspace,
    out: Numbers,
    masks: BoolArray,
) -> None:
    """Writes the observations of M games into `out` (M, 2, size), float32.

    `masks` (M, 2, 27) receives what each player can start, unless its length is 0.
    """
    write_games(grid, shares, states, games, room, out, masks)


@optimised
@kernel
def write_all_halves(
    grid: Grid,
    shares: Shares,
    states: StateVector,
    games: Int64Array,
    room: Workspace,
    out: Numbers,
    masks: BoolArray,
) -> None:
    """Writes them as the bits of float16; a kernel of its own, for each is compiled for one dtype."""
    write_games(grid, shares, states, games, room, out, masks)


@optimised
@kernel
def write_all_bytes(
    grid: Grid,
    shares: Shares,
    states: StateVector,
    games: Int64Array,
    room: Workspace,
    out: Numbers,
    masks: BoolArray,
) -> None:
    """Writes them as bytes."""
    write_games(grid, shares, states, games, room, out, masks)


@kernel
def write_games(
    grid: Grid,
    shares: Shares,
    states: StateVector,
    games: Int64Array,
    room: Workspace,
    out: Numbers,
    masks: BoolArray,
) -> None:
    """Writes the observations and the masks of M games."""
    for i in range(len(games)):
        state = states[games[i]]
        write_observations(
            grid, shares, state, room.counts, room.tiles, room.conditions, room.reach, out[i, 0], out[i, 1]
        )
        if len(masks):
            for player in range(2):
                for skill in range(N_SKILLS):
                    masks[i, player, skill] = out[i, player, REACH + skill] > 0


@disjoint
@kernel
def write_observations(
    grid: Grid,
    shares: Shares,
    state: StateVector,
    counts: Int32Array,
    tiles: Int32Array,
    conditions: Int32Array,
    reach: Numbers,
    first: Numbers,
    second: Numbers,
) -> None:
    """Writes the players' observations into `first` and `second` (size,); the arrays of a `Workspace` come one by one.

    An array that is an argument of its own shares no memory with others, so that several numbers are copied at once.
    """
    write_team(shares, state, first)
    write_stations(grid, shares, state, first)
    for i in range(len(shares.changing)):
        tiles[i], conditions[i] = shares.changing[i], condition(grid, state, shares.changing[i])
    known = write_counters(shares, state, counts, tiles, conditions, first)
    copy(first[ORDERS:], REACH - ORDERS, second[ORDERS:])
    copy(first[STATIONS:], len(first) - STATIONS, second[STATIONS:])
    write_player(shares, state, 0, first, second)
    write_player(shares, state, 1, second, first)
    find_reach(shares, state, 0, tiles, conditions, known, reach)
    copy_to_both(reach, N_SKILLS, first[REACH:], second[REACH + N_SKILLS :])
    find_reach(shares, state, 1, tiles, conditions, known, reach)
    copy_to_both(reach, N_SKILLS, second[REACH:], first[REACH + N_SKILLS :])


@kernel
def write_player(shares: Shares, state: StateVector, player: int, own: Numbers, other: Numbers) -> None:
    """Writes where a player stands and what it holds, as both players see it."""
    standing = shares.standing[state[POSITION + player], state[FACING + player]]
    item = shares.items[state[HELD + player]]
    copy_to_both(standing, PLAYER_SIZE - ITEM_SIZE, own, other[PLAYER_SIZE:])
    copy_to_both(item, ITEM_SIZE, own[PLAYER_SIZE - ITEM_SIZE :], other[2 * PLAYER_SIZE - ITEM_SIZE :])


@disjoint
@kernel
def copy_to_both(numbers: Numbers, count: int, one: Numbers, other: Numbers) -> None:
    """Copies the first numbers to two places: a kernel of its own, as only arguments are known to share no memory."""
    for i in range(count):
        one[i] = numbers[i]
        other[i] = numbers[i]


@disjoint
@kernel
def copy(numbers: Numbers, count: int, out: Numbers) -> None:
    """Copies the first numbers."""
    for i in range(count):
        out[i] = numbers[i]


@kernel
def find_reach(
    shares: Shares,
    state: StateVector,
    player: int,
    tiles: Int32Array,
    conditions: Int32Array,
    known: int,
    reach: Numbers,
) -> None:
    """Writes how near the nearest target of each skill of a player is; the first `known` tiles are looked at."""
    here, held = state[POSITION + player], state[HELD + player]
    near, fixed, offers = shares.near[here], shares.fixed[held, here], shares.offers[held]
    copy(fixed, N_SKILLS, reach)
    for i in range(known):
        skill = offers[conditions[i]]
        place = skill + i if skill == N_SKILLS else skill  # a place of its own, or it would wait for the last
        reach[place] = max(reach[place], near[tiles[i]])
    if held == NOTHING:
        return
    for passes in range(2):
        for tile in shares.by_distance[here, passes]:
            if tile < 0:
                break
            if state[STATE_HEADER + tile] == NOTHING:
                reach[PASS_OBJECT if passes else PUT_DOWN_OBJECT] = near[tile]
                break


@kernel
def condition(grid: Grid, state: StateVector, tile: int) -> int:
    """Returns all that decides which skill a station offers, but for the held item, as a number below N_CONDITIONS."""
    kind, item = grid.kind[tile], state[STATE_HEADER + tile]
    if kind == COUNTER:
        return item
    progress, stage = state[STATE_HEADER + len(grid.kind) + tile], 0
    if kind == PLATE_STACK:
        stage = 1 if state[DIRTY_PLATES] > 0 else 0
    elif kind == BOARD:
        stage = 1 if progress >= grid.params[CHOPS] else 0
    elif kind != SINK:
        stage = cooking_stage(grid, progress)
    return N_ITEMS * (1 + (kind - BOARD) * N_STAGES + stage) + item


@kernel
def write_team(shares: Shares, state: StateVector, out: Numbers) -> None:
    """Writes the orders, the streak and the stack of dirty plates."""
    for i in range(ORDERS, TEAM):
        out[i] = 0
    for order in range(state[N_ORDERS]):
        out[ORDERS + 3 * order + state[DISH + order]] = shares.counts[MANY_ITEMS]
        out[ORDERS + 3 * order + 2] = shares.times[min(state[TIME_LEFT + order], len(shares.times) - 1)]
    out[TEAM] = shares.streaks[min(state[STREAK], FULL_STREAK)]
    out[TEAM + 1] = shares.stacks[min(state[DIRTY_PLATES], len(shares.stacks) - 1)]


@kernel
def write_stations(grid: Grid, shares: Shares, state: StateVector, out: Numbers) -> None:
    """Writes the content and the progress of boards, grills, pots and sinks."""
    one, offset = shares.counts[MANY_ITEMS], STATIONS
    for tile in shares.appliances:
        for i in range(STATION_SIZE):
            out[offset + i] = 0
        kind, item = grid.kind[tile], state[STATE_HEADER + tile]
        if item != NOTHING:
            progress = state[STATE_HEADER + len(grid.kind) + tile]
            out[offset + CONTENT[item]] = one
            if kind == BOARD:
                out[offset + 6] = shares.chops[min(progress, len(shares.chops) - 1)]
                if progress >= grid.params[CHOPS]:
                    out[offset + 7] = one
            elif kind == SINK:
                out[offset + 6] = shares.rinses[min(progress, len(shares.rinses) - 1)] if item == DIRTY_PLATE else one
                if item == PLATE:
                    out[offset + 7] = one
            elif item != CHARCOAL:
                out[offset + 6] = shares.cooked[min(progress, len(shares.cooked) - 1)]
                stage = cooking_stage(grid, progress)
                if stage >= READY:
                    out[offset + 6 + stage] = one
        offset += STATION_SIZE


@kernel
def write_counters(
    shares: Shares,
    state: StateVector,
    counts: Int32Array,
    tiles: Int32Array,
    conditions: Int32Array,
    out: Numbers,
) -> int:
    """Writes what lies on counters; adds these to the changing stations in `tiles` and returns how many all are."""
    known = changing = len(shares.changing)
    for i in range(len(shares.counters)):
        item = state[shares.counters[i]]
        tiles[known], conditions[known] = shares.counters[i] - STATE_HEADER, item
        known += 1 if item != NOTHING else 0  # without a branch, that no processor could foresee
    for kind in range(ITEM_SIZE):
        counts[kind] = 0
    for i in range(changing, known):
        item = conditions[i]
        if item < PLATE:
            counts[item - 1] += 1
        else:
            counts[PLATE_PLACE] += 1
            for bit in range(4):
                counts[PLATE_PLACE + 1 + bit] += item >> bit & 1
    first = len(out) - ITEM_SIZE
    for kind in range(ITEM_SIZE):
        out[first + kind] = shares.counts[min(counts[kind], MANY_ITEMS)]
    return known
