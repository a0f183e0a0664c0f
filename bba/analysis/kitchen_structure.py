"""What distinguishes a kitchen: rooms, corridors, bottlenecks, hand-overs, and the skills that only one seat has."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bba.analysis.skill_reach import SkillReach, skill_reach
from bba.kitchen.constants import N_SKILLS
from bba.kitchen.layout import TILE_NAME_OF_CHAR, Layout, Position, neighbours

Floor = frozenset[Position]

WORKPLACES = "BGPW"  # stations that stay occupied for some steps


@dataclass(frozen=True, slots=True)
class KitchenStructure:
    """What a kitchen asks of two cooks.

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
    rooms = [layout.reachable(start) for start in layout.starts]
    common = rooms[0] & rooms[1]  # all of a room, or nothing

    def shared(at: Position) -> bool:
        return all(layout.touches(at, room) for room in rooms)

    places = {char: [at for at, tile in layout.tiles() if tile == char] for char in f"X{WORKPLACES}"}
    return KitchenStructure(
        reach=skill_reach(layout),
        one_room=bool(common),
        floor=len(rooms[0] | rooms[1]),
        corridor=_reading_order(tile for tile in common if not _is_wide(tile, common)),
        bottlenecks=_reading_order(tile for tile in common if _cuts_off(layout, tile, common)),
        shared_counters=sum(map(shared, places["X"])),
        single=tuple(
            TILE_NAME_OF_CHAR[char] for char in WORKPLACES if len(places[char]) == 1 and shared(places[char][0])
        ),
    )


def _is_wide(tile: Position, floor: Floor) -> bool:
    """Whether a tile belongs to a square of two by two floor tiles."""
    x, y = tile
    corners = ((left, top) for left in (x - 1, x) for top in (y - 1, y))
    return any({(a, b), (a + 1, b), (a, b + 1), (a + 1, b + 1)} <= floor for a, b in corners)


def _cuts_off(layout: Layout, tile: Position, room: Floor) -> bool:
    """Whether a room falls into parts without a tile, of which two or more have stations beside them."""
    if _goes_around(tile, room):
        return False
    rest, parts = set(room - {tile}), 0
    while rest:
        part = _connected(rest, next(iter(rest)))
        rest -= part
        parts += any(layout.char(beside) not in " 12X" for here in part for beside in neighbours(here))
    return parts > 1


def _goes_around(tile: Position, room: Floor) -> bool:
    """Whether the floor beside a tile is connected around it already, as on open floor."""
    x, y = tile
    around = {(a, b) for a in (x - 1, x, x + 1) for b in (y - 1, y, y + 1) if (a, b) in room and (a, b) != tile}
    beside = [one for one in neighbours(tile) if one in room]
    return not beside or _connected(around, beside[0]).issuperset(beside)


def _connected(floor: set[Position], start: Position) -> Floor:
    """Returns the tiles that are connected with one of them."""
    seen, front = {start}, [start]
    while front:
        new = [tile for tile in neighbours(front.pop()) if tile in floor and tile not in seen]
        seen.update(new)
        front.extend(new)
    return frozenset(seen)


def _reading_order(tiles: Iterable[Position]) -> tuple[Position, ...]:
    return tuple(sorted(tiles, key=lambda tile: (tile[1], tile[0])))


def structure_words(structure: KitchenStructure) -> list[str]:
    """Returns what distinguishes a kitchen in sentences: skills, hand-overs, room, bottlenecks, stations."""
    reach = structure.reach
    first, second = (len(skills) for skills in reach.skills)
    skills = f"cook 1 has {first} of {N_SKILLS} skills, cook 2 {second}; {reach.share_of_one:.0%} only one of them"
    return [skills, _hand_over_words(reach), _room_words(structure), *_tight_words(structure)]


def _hand_over_words(reach: SkillReach) -> str:
    if all(reach.alone):
        return "each cook can make a burrito alone"
    if any(reach.alone):
        return f"only cook {1 + reach.alone.index(True)} can make a burrito alone"
    if reach.hand_overs == (None, None):
        return "no burrito can be made and served"
    steak, mushroom = ("impossible" if number is None else number for number in reach.hand_overs)
    return f"hand-overs at least: steak burrito {steak}, mushroom burrito {mushroom}"


def _room_words(structure: KitchenStructure) -> str:
    counters = _several(structure.shared_counters, "counter")
    if not structure.one_room:
        return f"two rooms, {counters} between them"
    narrow = f"{len(structure.corridor) / structure.floor:.0%}"
    return f"one room, {narrow} of its floor one tile wide; {counters} for both"


def _tight_words(structure: KitchenStructure) -> Iterator[str]:
    if structure.bottlenecks:
        yield f"{_several(len(structure.bottlenecks), 'bottleneck')}: a cook there cuts the other off from stations"
    elif structure.one_room:
        yield "no bottleneck: no tile cuts a cook off from stations"
    if structure.single:
        yield f"only one {', one '.join(structure.single)} for both"


def _several(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
