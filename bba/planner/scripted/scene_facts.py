"""The facts of a scene that the scripted planner goes by: cooks, items, orders and the geometry of the stations.

They are read from a prompt (`bba.planner.scripted.prompt_parser`) or, many times as fast, taken from what a prompt is
made of; both ways give the same facts.

A prompt shows stations but no floor, so distances are Manhattan distances as if nothing stood between. If all pass
counters stand in one row or column, they mark a wall: the stations on its two sides are separated, and a station in the
wall itself belongs to the side on which no other station blocks the way to it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from bba.kitchen.constants import DIRTY_PLATE, ITEM_CODES, NOTHING
from bba.kitchen.scene import ObjectView, PlayerView
from bba.planner.scene_text import TAGS, PlannerInput

Position = tuple[int, int]
DETOUR = 12  # tiles added to a path across the wall: about the way around it in the shipped kitchens
NEVER = 1_000_000  # steps
COUNTER = "X"  # the letter of counters, which are no stations to this planner


class KitchenGeometry:
    """The stations of one kitchen; `stations` maps station letters, and "pass", to positions."""

    def __init__(self, stations: Mapping[str, tuple[Position, ...]]) -> None:
        self._stations = stations
        self._letters = {place: letter for letter, places in stations.items() for place in places}
        self._wall = _wall(stations.get("pass", ()))
        self._sides: dict[Position, int] = {}

    def stations(self, letter: str) -> tuple[Position, ...]:
        """Returns the positions of one kind of station, in reading order."""
        return self._stations.get(letter, ())

    def letter_at(self, position: Position) -> str:
        """Returns the letter of the station at a position, "pass" for a pass counter, "" for any other place."""
        return self._letters.get(position, "")

    def separated(self, a: Position, b: Position) -> bool:
        """Whether the wall of pass counters is between two places."""
        return self._wall is not None and self.side(a) * self.side(b) < 0

    def distance(self, a: Position, b: Position) -> int:
        """Returns the tiles between two places, plus a detour if they are separated."""
        tiles = abs(a[0] - b[0]) + abs(a[1] - b[1])
        return tiles + DETOUR if self.separated(a, b) else tiles

    def side(self, position: Position) -> int:
        """Returns -1 or 1 for the two sides of the wall, 0 for a place that both sides may reach."""
        if self._wall is None:
            return 0
        if position not in self._sides:
            self._sides[position] = self._find_side(position, *self._wall)
        return self._sides[position]

    def _find_side(self, position: Position, axis: int, wall: int) -> int:
        if position[axis] != wall:
            return 1 if position[axis] > wall else -1
        if self.letter_at(position) == "pass":
            return 0
        x, y = position
        before, after = ((x - 1, y), (x + 1, y)) if axis == 0 else ((x, y - 1), (x, y + 1))
        return (before in self._letters) - (after in self._letters)


def _wall(counters: tuple[Position, ...]) -> tuple[int, int] | None:
    """Returns (axis, coordinate) of the line in which all pass counters stand; None if there is no such line."""
    for axis in (0, 1):
        line = {counter[axis] for counter in counters}
        if len(line) == 1:
            return axis, line.pop()
    return None


@dataclass(frozen=True, slots=True)
class Cook:
    """A cook: position, facing ("north", ...) and the code of the held item (0: nothing)."""

    position: Position
    facing: str
    held: int


@dataclass(frozen=True, slots=True)
class SceneItem:
    """An item on a counter or station: code, position, tag ("" if none) and the number beside the tag.

    The number is the steps until the next stage for cooking food, the plates on the stack, or the work done on a board
    or in a sink; it is `NEVER` where the text gives none.
    """

    code: int
    position: Position
    tag: str
    number: int


@dataclass(frozen=True, slots=True)
class SceneFacts:
    """The facts in one prompt.

    Attributes:
        step: the step of the game.
        seat: the player that decides.
        me, teammate: the player that decides, and the other one.
        geometry: the stations.
        items: everything on counters and stations.
        occupied_passes: the pass counters that hold an item.
        orders: (dish, steps left) of each order.
        feasible: the skills that can be started.
        posterior: probability of the teammate's role, from the best hypothesis or the belief block; empty where
            neither is shown or confident.
        teammate_idle: whether the teammate has not moved for a while, as far as earlier prompts show.
    """

    step: int
    seat: int
    me: Cook
    teammate: Cook
    geometry: KitchenGeometry
    items: tuple[SceneItem, ...]
    occupied_passes: frozenset[Position]
    orders: tuple[tuple[str, int], ...]
    feasible: frozenset[int]
    posterior: Mapping[str, float]
    teammate_idle: bool


def facts_of(planner_input: PlannerInput) -> SceneFacts:
    """Returns the facts that a prompt without a belief, and with no earlier scenes, would show."""
    scene, player = planner_input.scene, planner_input.player
    geometry = geometry_of(planner_input.stations.items())
    items = tuple([_item(item) for item in scene.objects]) + _stack(scene.dirty_plates, geometry)
    return SceneFacts(
        step=scene.step,
        seat=player,
        me=_cook(scene.players[player]),
        teammate=_cook(scene.players[1 - player]),
        geometry=geometry,
        items=items,
        occupied_passes=occupied_passes(items, geometry),
        orders=tuple([(order.dish, order.left) for order in scene.orders]),
        feasible=frozenset(planner_input.feasible),
        posterior={},
        teammate_idle=False,
    )


def occupied_passes(items: tuple[SceneItem, ...], geometry: KitchenGeometry) -> frozenset[Position]:
    """Returns the pass counters on which one of the items lies."""
    return frozenset([item.position for item in items if geometry.letter_at(item.position) == "pass"])


def geometry_of(stations: Iterable[tuple[str, tuple[Position, ...]]]) -> KitchenGeometry:
    """Returns the geometry of stations: the same object for the same stations."""
    return _geometry(tuple([(letter, where) for letter, where in stations if where and letter != COUNTER]))


@lru_cache(maxsize=64)
def _geometry(stations: tuple[tuple[str, tuple[Position, ...]], ...]) -> KitchenGeometry:
    return KitchenGeometry(dict(stations))


def _cook(player: PlayerView) -> Cook:
    return Cook(player.position, player.facing, NOTHING if player.held is None else ITEM_CODES[player.held])


def _item(item: ObjectView) -> SceneItem:
    """Returns an item with the number that a prompt gives first: the steps left of cooking, or the work done."""
    code = ITEM_CODES[item.name]
    if not item.state:
        return SceneItem(code, item.position, "", NEVER)
    if item.tile not in ("grill", "pot"):
        return SceneItem(code, item.position, item.state, item.progress if item.state.startswith("un") else NEVER)
    number = NEVER if item.state == "burning" else item.total - item.progress
    return SceneItem(code, item.position, TAGS.get(item.state, item.state), number)


def _stack(plates: int, geometry: KitchenGeometry) -> tuple[SceneItem, ...]:
    """Returns the stack of dirty plates, if there are any."""
    where = geometry.stations("D")
    return (SceneItem(DIRTY_PLATE, where[0], "stack", plates),) if plates and where else ()
