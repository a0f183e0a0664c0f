"""What distinguishes a kitchen: rooms, corridors, bottlenecks, hand-overs, and the skills that only one seat has.

Skills and hand-overs follow from the rules themselves, not from the map alone: on a bench with one tile of every kind,
each use of a tile is tried with everything that a cook can come to hold. The results of a use are added until nothing
new is possible. Room is assumed: a full counter, or a lack of plates, never makes anything impossible here.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from bba.errors import LOG
from bba.kitchen import (
    BURNING_AT,
    FIRE_EXT,
    HELD,
    MUSHROOM_BURRITO,
    N_SKILLS,
    NO_SKILL,
    NOTHING,
    READY_AT,
    STATE_HEADER,
    STEAK_BURRITO,
    TILE_NAME_OF_CHAR,
    WARNING_AT,
    Grid,
    Layout,
    Position,
    Skill,
    StateVector,
    connected,
    grid_of,
    initial_state,
    neighbours,
    skill_at,
)
from bba.kitchen.interactions import use

Possibility = TypeVar("Possibility")
Floor = frozenset[Position]
SEATS = (0, 1)
WORKPLACES = "BGPW"  # stations that stay occupied for some steps
CHECKED_DISHES = (STEAK_BURRITO, MUSHROOM_BURRITO)
PASS = "pass"  # the kind of a pass counter; other kinds are characters of the map
BENCH = Layout.model_validate(
    {
        "name": "bench",
        "map": ["XMZRTUBGPWDSX", "X1         2X", "XXXXXXXXXXXXX"],
        "pass_counters": [[1, 2]],
        "extinguisher": [2, 2],
    }
)
BENCH_TILES = {char: x for x, char in enumerate(BENCH.rows[0]) if char != "X"}
BENCH_TILES[PASS] = 2 * BENCH.width + 1
BENCH_TILES["X"] = 2 * BENCH.width + 3


class TileContent(NamedTuple):
    """What lies on a tile: the item, its progress, and the seat that put it there or worked on it last."""

    item: int = NOTHING
    progress: int = 0
    by: int | None = None


class Place(NamedTuple):
    """Tiles that are alike: their kind, a character of the map or `PASS`, and the seats that can use them."""

    kind: str
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SkillReach:
    """The skills and deliveries that each seat can reach.

    Attributes:
        skills: for each seat the skills that it can reach; STAY is one of them.
        hand_overs: for a steak and for a mushroom burrito, how often at least an item goes from one cook to the other
            until the burrito is served; None where none can be served.
        alone: for each seat, whether it can make and serve both burritos without the other.
    """

    skills: tuple[frozenset[Skill], frozenset[Skill]]
    hand_overs: tuple[int | None, int | None]
    alone: tuple[bool, bool]

    @property
    def only(self) -> tuple[frozenset[Skill], frozenset[Skill]]:
        """For each seat the skills that only it can reach."""
        first, second = self.skills
        return first - second, second - first

    @property
    def share_of_one(self) -> float:
        """The share, 0 to 1, of skills that only one seat can reach, among those that any can; without STAY."""
        first, second = self.skills
        only_one = first ^ second
        reachable = (first | second) - {Skill.STAY}
        return len(only_one) / max(1, len(reachable))


def skill_reach(layout: Layout) -> SkillReach:
    """Returns the skills and deliveries that each seat can reach in a kitchen; takes about a tenth of a second."""
    search = _Search(layout)
    serving_seats: set[int] = set()
    for place in search.places:
        if place.kind == "S":
            serving_seats.update(place.seats)

    def hand_overs(dish: int) -> int | None:
        costs = [search.held[seat, dish] for seat in serving_seats if (seat, dish) in search.held]
        return min(costs, default=None)

    def alone(seat: int) -> bool:
        return seat in serving_seats and all(search.held.get((seat, dish)) == 0 for dish in CHECKED_DISHES)

    first_skills, second_skills = search.skills
    return SkillReach(
        skills=(frozenset(first_skills), frozenset(second_skills)),
        hand_overs=(hand_overs(STEAK_BURRITO), hand_overs(MUSHROOM_BURRITO)),
        alone=(alone(0), alone(1)),
    )


def can_deliver(layout: str | Path | Layout) -> bool:
    """Whether a burrito can be made and served in a kitchen, with or without hand-overs; takes a tenth of a second.

    Args:
        layout: the name of a shipped layout, the path of a layout file, or a `Layout`.

    Raises:
        BBAError: there is no such layout, or its file is invalid.
    """
    return any(number is not None for number in skill_reach(Layout.load(layout)).hand_overs)


def warn_of_layout(layout: Layout) -> None:
    """Warns, in a line of the log, where nobody can deliver in a kitchen; kitchens that ship are not looked into."""
    if layout.name in Layout.names() and layout == Layout.load(layout.name):
        return
    if not can_deliver(layout):
        LOG.warning(
            "%s: no burrito can be made and served in this kitchen; bba-tui design shows what nobody can do there",
            layout.name,
        )


class _Search:
    """Lets every seat use every place until nothing new is possible, and keeps the fewest hand-overs for everything.

    Attributes:
        places: the kinds of places in the kitchen.
        held: the items that each seat can hold, with their hand-overs.
        skills: the skills that each seat can reach.
    """

    def __init__(self, layout: Layout) -> None:
        self.places, extinguisher_place = _places(layout)
        self.held = {(seat, NOTHING): 0 for seat in SEATS}
        self.skills: tuple[set[Skill], set[Skill]] = {Skill.STAY}, {Skill.STAY}
        self._lying: dict[Place, dict[TileContent, int]] = {place: {TileContent(): 0} for place in self.places}
        # On a map with mistakes the extinguisher may be out of reach.
        self._lying.setdefault(extinguisher_place, {})[TileContent(FIRE_EXT)] = 0
        self._changed = True
        while self._changed:
            self._changed = False
            for place in self.places:
                for seat in place.seats:
                    self._use(place, seat)

    def _use(self, place: Place, seat: int) -> None:
        """Lets a seat use a place with everything that it can hold and everything that can lie there."""
        contents = self._lying[place]
        hands = [(item, cost) for (holder, item), cost in self.held.items() if holder == seat]
        for held, held_cost in hands:
            for content, content_cost in list(contents.items()):
                skill, new_held, new_item, new_progress = used(place.kind, held, content.item, content.progress)
                if skill != NO_SKILL:
                    self.skills[seat].add(Skill(skill))
                if (new_held, new_item, new_progress) == (held, content.item, content.progress):
                    continue
                total = held_cost + content_cost
                if content.by not in (None, seat):
                    total += 1
                self._keep(self.held, (seat, new_held), total)
                if new_item != NOTHING:
                    for progress in _progress_stages(place.kind, new_progress):
                        self._keep(contents, TileContent(new_item, progress, seat), total)

    def _keep(self, costs: dict[Possibility, int], possibility: Possibility, cost: int) -> None:
        """Notes what is possible with so many hand-overs, if that is new or takes fewer."""
        if possibility not in costs or cost < costs[possibility]:
            costs[possibility] = cost
            self._changed = True


def _places(layout: Layout) -> tuple[list[Place], Place]:
    """Returns the kinds of places in a kitchen, and the one at which the extinguisher lies."""
    floors = [layout.reachable(start) for start in layout.starts]

    def place(at: Position) -> Place:
        seats = tuple(seat for seat in SEATS if layout.touches(at, floors[seat]))
        return Place(PASS if at in layout.pass_counters else layout.char(at), seats)

    places = dict.fromkeys(place(at) for at, char in layout.tiles() if char not in " 12")  # each kind once, in order
    usable_places = [kind for kind in places if kind.seats]
    return usable_places, place(layout.extinguisher)


def _progress_stages(kind: str, progress: int) -> Iterator[int]:
    """Yields the progress of something, and if it cooks that of each later stage."""
    yield progress
    if kind in "GP":
        grid, _ = _bench()
        for stage in (READY_AT, WARNING_AT, BURNING_AT):
            if grid.params[stage] > progress:
                yield int(grid.params[stage])


@cache
def used(kind: str, held: int, item: int, progress: int) -> tuple[int, int, int, int]:
    """Returns the result when a cook uses a tile.

    Args:
        kind: the kind of the tile, a character of the map or `PASS`.
        held, item: the codes of the cook's item and of the tile's.
        progress: chops, rinses or steps of cooking so far.

    Returns:
        the skill of this use, NO_SKILL for none; then the cook's item, the tile's, and its progress.
    """
    grid, start = _bench()
    tile = BENCH_TILES[kind]
    state = start.copy()
    at = STATE_HEADER + tile
    timer = STATE_HEADER + len(grid.kind) + tile
    state[HELD] = held
    state[at] = item
    state[timer] = progress
    skill = skill_at(grid, state, tile, held)
    use(grid, state, 0, tile)
    return int(skill), int(state[HELD]), int(state[at]), int(state[timer])


@cache
def _bench() -> tuple[Grid, StateVector]:
    grid = grid_of(BENCH)
    return grid, initial_state(BENCH, grid, 0, (1.0, 1.0))


@dataclass(frozen=True, slots=True)
class KitchenStructure:
    """The skills, floor and stations of a kitchen for two cooks.

    Attributes:
        reach: the skills of each seat and the hand-overs of a burrito.
        one_room: whether both cooks walk on the same floor.
        floor: number of floor tiles that a cook can walk on.
        corridor: those on which two cooks cannot pass each other, as the floor is one tile wide; () in two rooms.
        bottlenecks: those on which a cook cuts the other off from stations; () in two rooms.
        shared_counters: number of counters that both cooks can use.
        single: names of the stations for work of which there is only one, for both cooks.
    """

    reach: SkillReach
    one_room: bool
    floor: int
    corridor: tuple[Position, ...]
    bottlenecks: tuple[Position, ...]
    shared_counters: int
    single: tuple[str, ...]


def kitchen_structure(layout: Layout) -> KitchenStructure:
    """Returns what distinguishes a kitchen."""
    first_room, second_room = (layout.reachable(start) for start in layout.starts)
    common = first_room & second_room  # all of a room, or nothing

    def shared(at: Position) -> bool:
        return layout.touches(at, first_room) and layout.touches(at, second_room)

    def tiles_of(kind: str) -> list[Position]:
        return [at for at, char in layout.tiles() if char == kind]

    single = []
    for char in WORKPLACES:
        tiles = tiles_of(char)
        if len(tiles) == 1 and shared(tiles[0]):
            single.append(TILE_NAME_OF_CHAR[char])
    return KitchenStructure(
        reach=skill_reach(layout),
        one_room=bool(common),
        floor=len(first_room | second_room),
        corridor=_reading_order(tile for tile in common if not _is_wide(tile, common)),
        bottlenecks=_reading_order(tile for tile in common if _cuts_off(layout, tile, common)),
        shared_counters=sum(shared(counter) for counter in tiles_of("X")),
        single=tuple(single),
    )


def _is_wide(tile: Position, floor: Floor) -> bool:
    """Whether a tile belongs to a square of two by two floor tiles, in which two cooks can pass each other."""
    x, y = tile
    for corner_x in (x - 1, x):
        for corner_y in (y - 1, y):
            square = {
                (corner_x, corner_y),
                (corner_x + 1, corner_y),
                (corner_x, corner_y + 1),
                (corner_x + 1, corner_y + 1),
            }
            if square <= floor:
                return True
    return False


def _cuts_off(layout: Layout, tile: Position, room: Floor) -> bool:
    """Whether a room without a tile falls into parts, two or more of which have adjacent stations."""
    if _goes_around(tile, room):
        return False
    rest = set(room - {tile})
    parts = 0
    while rest:
        part = connected(next(iter(rest)), rest.__contains__)
        rest -= part
        if any(_touches_station(layout, floor_tile) for floor_tile in part):
            parts += 1
    return parts > 1


def _touches_station(layout: Layout, tile: Position) -> bool:
    return any(layout.char(neighbour) not in " 12X" for neighbour in neighbours(tile))


def _goes_around(tile: Position, room: Floor) -> bool:
    """Whether the floor next to a tile is connected around the tile already, as on open floor."""
    floor_neighbours = [neighbour for neighbour in neighbours(tile) if neighbour in room]
    if not floor_neighbours:
        return True
    x, y = tile
    square = {(a, b) for a in (x - 1, x, x + 1) for b in (y - 1, y, y + 1)}
    around = (square & room) - {tile}
    return connected(floor_neighbours[0], around.__contains__).issuperset(floor_neighbours)


def _reading_order(tiles: Iterable[Position]) -> tuple[Position, ...]:
    return tuple(sorted(tiles, key=lambda tile: (tile[1], tile[0])))


def structure_words(structure: KitchenStructure) -> list[str]:
    """Returns what distinguishes a kitchen in sentences: skills, hand-overs, room, bottlenecks, stations."""
    reach = structure.reach
    first_skills, second_skills = reach.skills
    skills = (
        f"cook 1 has {len(first_skills)} of {N_SKILLS} skills, cook 2 {len(second_skills)}; "
        f"{reach.share_of_one:.0%} only one of them"
    )
    return [skills, _hand_over_words(reach), _room_words(structure), *_tight_words(structure)]


def _hand_over_words(reach: SkillReach) -> str:
    if all(reach.alone):
        return "each cook can make a burrito alone"
    if any(reach.alone):
        cook = 1 + reach.alone.index(True)
        return f"only cook {cook} can make a burrito alone"
    if reach.hand_overs == (None, None):
        return "no burrito can be made and served"
    steak, mushroom = ("impossible" if number is None else number for number in reach.hand_overs)
    return f"hand-overs at least: steak burrito {steak}, mushroom burrito {mushroom}"


def _room_words(structure: KitchenStructure) -> str:
    counters = _several(structure.shared_counters, "counter")
    if not structure.one_room:
        return f"two rooms, {counters} between them"
    narrow_share = len(structure.corridor) / structure.floor
    return f"one room, {narrow_share:.0%} of its floor one tile wide; {counters} for both"


def _tight_words(structure: KitchenStructure) -> Iterator[str]:
    if structure.bottlenecks:
        bottlenecks = _several(len(structure.bottlenecks), "bottleneck")
        yield f"{bottlenecks}: a cook there cuts the other off from stations"
    elif structure.one_room:
        yield "no bottleneck: no tile cuts a cook off from stations"
    if structure.single:
        stations = ", one ".join(structure.single)
        yield f"only one {stations} for both"


def _several(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
