"""Kitchens from layouts of Overcooked-AI: what both have is taken, and what is missing can be placed by itself.

Walls, floor, starts, pots and serving windows are the same there. Its dishes are clean, the plates of a kitchen are
dirty at first. Onions and tomatoes do not exist here: their dispensers become counters, on which dispensers are placed
first.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bba.analysis.kitchen_structure import can_deliver
from bba.errors import BBAError
from bba.kitchen import TILE_NAME_OF_CHAR, Position, connected, neighbours
from bba.kitchen.overcooked_layout import COUNTER, DISHES, FLOOR, ONIONS, POT, TOMATOES, WINDOW, read_grid
from tui.design.draft import EXTINGUISHER, STARTS, Draft

OURS = {POT: "P", WINDOW: "S", DISHES: "D"}  # stations that both have, by their character there
DISPENSERS = "RMZT"  # what is placed first where onions and tomatoes were
STATIONS = "BGWU"  # and what anywhere
ARRANGEMENTS = 8  # that are tried in two rooms until a burrito can be delivered


@dataclass(frozen=True, slots=True)
class Imported:
    """A kitchen that was made of a layout of Overcooked-AI.

    Attributes:
        draft: the map; dispensers of onions and tomatoes are counters.
        vacant: where these dispensers were.
    """

    draft: Draft
    vacant: tuple[Position, ...]

    @property
    def in_words(self) -> str:
        """What a kitchen cannot take over from the layout, in a line."""
        text = "plates are dirty at first here; its orders and recipes are not taken"
        number = len(self.vacant)
        if number:
            noun = "dispenser" if number == 1 else "dispensers"
            text = f"{number} {noun} of onions and tomatoes became counters; {text}"
        return text


def imported(path: Path) -> Imported:
    """Returns the kitchen in a layout file of Overcooked-AI.

    Raises:
        BBAError: the file cannot be read, or no kitchen of two cooks can be made of it.
    """
    grid = read_grid(path)
    rows = []
    vacant = []
    for y, row in enumerate(grid):
        rows.append("".join(_tile(char) for char in row))
        for x, char in enumerate(row):
            if char in ONIONS + TOMATOES:
                vacant.append((x, y))
    draft = Draft(tuple(rows))
    reachable = frozenset(_rooms_of(draft).stations)
    unreachable = [at for at, char in draft.tiles() if char in OURS.values() and at not in reachable]
    for at in unreachable:
        draft = draft.drawn(at, COUNTER)
    return Imported(_with_pass_counters(draft), tuple(vacant))


def _tile(char: str) -> str:
    if char in OURS:
        return OURS[char]
    return char if char in FLOOR + STARTS else COUNTER


@dataclass(frozen=True, slots=True)
class _Rooms:
    """What the cooks can reach in a draft.

    Attributes:
        floors: the floor of each cook that has a start.
        stations: tiles other than floor beside any of these floors, in reading order.
        shared: the stations beside both floors, in two rooms; () in one room.
    """

    floors: tuple[frozenset[Position], ...]
    stations: tuple[Position, ...]
    shared: tuple[Position, ...]


def _rooms_of(draft: Draft) -> _Rooms:
    """Returns what the cooks can reach; without any start, what is beside any floor."""
    tiles = dict(draft.tiles())
    ground = frozenset(at for at, char in tiles.items() if char in FLOOR + STARTS)
    starts = [at for at, char in tiles.items() if char in STARTS]
    floors = tuple(connected(start, ground.__contains__) for start in starts)
    if not floors:
        floors = (ground,)

    def reaches(floor: frozenset[Position], at: Position) -> bool:
        return any(neighbour in floor for neighbour in neighbours(at))

    stations = []
    shared = []
    two_rooms = len(floors) == len(STARTS) and not floors[0] & floors[1]
    for at in tiles:
        if at in ground:
            continue
        reached = [reaches(floor, at) for floor in floors]
        if any(reached):
            stations.append(at)
        if two_rooms and all(reached):
            shared.append(at)
    return _Rooms(floors, tuple(stations), tuple(shared))


def _with_pass_counters(draft: Draft) -> Draft:
    """Returns a draft in which the counters between two rooms are pass counters."""
    counters = frozenset(draft.counters)
    return replace(draft, pass_counters=frozenset(_rooms_of(draft).shared) & counters)


def filled(kitchen: Imported) -> tuple[Draft, dict[str, Position]]:
    """Returns the kitchen with all that it lacks on counters that a cook can reach, and where each thing is now.

    Dispensers are placed where onions and tomatoes were, as far as there is room; all else over the other counters. Of
    two rooms one arrangement is taken, of several, in which a burrito can be delivered.

    Raises:
        BBAError: the counters are too few.
    """
    draft = kitchen.draft
    placed: dict[str, Position] = {}
    for start in STARTS:
        if not draft.number_of(start):
            at = _free_floor(draft)
            draft = draft.drawn(at, start)
            placed[f"cook {start}"] = at
    missing_tiles = _missing_tiles(draft)
    rooms = _rooms_of(draft)
    counters = frozenset(draft.counters)
    free = [at for at in rooms.stations if at in counters and at not in rooms.shared]
    free += rooms.shared[1:]  # one counter stays free, to pass things from room to room
    needed = len(missing_tiles) + 1  # with the extinguisher
    if len(free) < needed:
        raise BBAError(
            f"--fill: {needed} things are missing, and {len(free)} counters can hold them; "
            "without --fill the designer can make the kitchen larger"
        )
    places = _working_arrangement(draft, missing_tiles, free, kitchen.vacant)
    for char, at in places.items():
        name = TILE_NAME_OF_CHAR.get(char, "fire extinguisher").replace("_", " ")
        placed[name] = at
    return _with_things(draft, places), placed


def _missing_tiles(draft: Draft) -> list[str]:
    """Returns the characters of the dispensers and stations of which a draft has none."""
    needed = DISPENSERS + STATIONS + "".join(OURS.values())
    return [char for char in needed if not draft.number_of(char)]


def _working_arrangement(
    draft: Draft, missing_tiles: list[str], free: list[Position], vacant: tuple[Position, ...]
) -> Mapping[str, Position]:
    """Returns the first arrangement in which a burrito can be delivered; the first of all where none is such."""
    arrangements = [_arrangement(missing_tiles, free, vacant, turn) for turn in range(ARRANGEMENTS)]
    for places in arrangements:
        if can_deliver(_with_things(draft, places).layout("draft")):
            return places
    return arrangements[0]


def _with_things(draft: Draft, places: Mapping[str, Position]) -> Draft:
    """Returns a draft with things in their places, and the counters between its rooms marked."""
    for char, at in places.items():
        draft = draft.drawn(at, char)
    return _with_pass_counters(draft)


def _arrangement(
    missing_tiles: list[str], free: list[Position], vacant: tuple[Position, ...], turn: int
) -> Mapping[str, Position]:
    """Returns where each missing thing is placed, the extinguisher too; another `turn` gives another arrangement."""
    dispensers = [char for char in missing_tiles if char in DISPENSERS]
    old_dispensers = [at for at in vacant if at in free]
    places = dict(zip(dispensers, old_dispensers, strict=False))
    counters = [at for at in free if at not in places.values()]
    rest = [char for char in missing_tiles if char not in places]
    rest.append(EXTINGUISHER)
    first = turn % len(rest)
    rest = rest[first:] + rest[:first]
    for number, thing in enumerate(rest):
        places[thing] = counters[number * len(counters) // len(rest)]  # spread over all of them
    return places


def _free_floor(draft: Draft) -> Position:
    """Returns the floor tile farthest from the top left, in the room of the cook who has a start if one has."""
    floor = _rooms_of(draft).floors[0]
    tiles = [at for at, char in draft.tiles() if char == FLOOR and at in floor]
    if not tiles:
        raise BBAError("--fill: no floor is left for both cooks")
    return tiles[-1]


def missing(draft: Draft) -> Iterator[str]:
    """Yields what a draft lacks, in words."""
    for char in _missing_tiles(draft):
        yield TILE_NAME_OF_CHAR[char].replace("_", " ")
    for char in STARTS:
        if not draft.number_of(char):
            yield f"start of cook {char}"
    if draft.extinguisher is None:
        yield "fire extinguisher"
