"""Parses a prompt into facts. Only what the scene and the belief block say is known.

The prompt shows stations but no floor, so distances are Manhattan distances as if nothing stood between. If all pass
counters stand in one row or column, they mark a wall: the stations on its two sides are separated, and a station in the
wall itself belongs to the side on which no other station blocks the way to it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bba.belief import ROLE_NAMES
from bba.errors import BBAError
from bba.kitchen.constants import ITEM_CODES, NOTHING

Position = tuple[int, int]
DETOUR = 12  # tiles added to a path across the wall: about the way around it in the shipped kitchens
NEVER = 1_000_000  # steps
COUNTER = "X"  # the letter of counters, which are no stations to this planner
IDLE_STEPS = 8  # a walking cook moves within so many steps with probability 0.97, although two of three moves fail


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


CONFIDENT_ADVICE = "→ Teammate in"


"""How the advice begins if the belief is confident; otherwise it says to go by the state of the kitchen."""
_STATIONS = re.compile(r"(\w+):((?:\(\d+,\d+\),?)+)")
_POSITION = re.compile(r"\((\d+),(\d+)\)")
_HEAD = re.compile(r"^Layout=\S+\. (.*) Scene (\d+)\.$", re.MULTILINE)
_COOK = re.compile(r"^P(\d) pos=\((\d+),(\d+)\) or=(\w+) hold=([\w-]+)\.$", re.MULTILINE)
_ORDERS = re.compile(r"^orders: (.*)$", re.MULTILINE)
_ORDER = re.compile(r"(\w+) left=(\d+)")
_ITEMS = re.compile(r"^objects: (.*)$", re.MULTILINE)
_ITEM = re.compile(r"\(([\w-]+)@\((\d+),(\d+)\)(?: \[([A-Za-z/]+)(?: (?:left=|x)?(\d+))?[^\]]*\])?\)")
_ACTIONS = re.compile(r"^VALID ACTIONS -> (.*)$", re.MULTILINE)
_ACTION = re.compile(r"(\d+):")
_POSTERIOR = re.compile(r"^ {4}(\w+): ([01]\.\d+)", re.MULTILINE)
_BEST = re.compile(r"^  1\. \(\+([01]\.\d\d)\) (.*)$", re.MULTILINE)
ROLE_NAMED = re.compile("|".join(ROLE_NAMES))


def parse_prompt(prompt: str, earlier: Sequence[str] = ()) -> SceneFacts:
    """Returns the facts in a user message; `earlier` are the scenes before it, oldest first.

    Raises:
        BBAError: a line of the scene is missing or cannot be read.
    """
    head = _line(_HEAD, prompt, "Layout=")
    cooks = _COOK.findall(prompt)
    if len(cooks) != 2:
        raise BBAError(f"scripted planner: the prompt must have two lines 'P0 pos=...'; it has {len(cooks)}")
    actions = _line(_ACTIONS, prompt, "VALID ACTIONS ->")[1]
    geometry = _geometry(head[1])
    items = tuple([_item(*words) for words in _ITEM.findall(_line(_ITEMS, prompt, "objects:")[1])])
    return SceneFacts(
        step=int(head[2]),
        seat=int(cooks[0][0]),
        me=_cook(cooks[0]),
        teammate=_cook(cooks[1]),
        geometry=geometry,
        items=items,
        occupied_passes=frozenset(item.position for item in items if geometry.letter_at(item.position) == "pass"),
        orders=tuple([(dish, int(left)) for dish, left in _ORDER.findall(_line(_ORDERS, prompt, "orders:")[1])]),
        feasible=frozenset(map(int, _ACTION.findall(actions))),
        posterior=_posterior(prompt[: head.start()]),
        teammate_idle=_stood_still(cooks[1], int(head[2]), earlier),
    )


def _posterior(block: str) -> Mapping[str, float]:
    """Returns the probability of each role if the belief block is confident.

    Of listed hypotheses the first counts if it names a role; its value, if above 0, is the probability.
    """
    best = _BEST.search(block)
    role = ROLE_NAMED.search(best[2]) if best else None
    if best and role:
        return {role[0]: float(best[1])}
    return {role: float(p) for role, p in _POSTERIOR.findall(block)} if CONFIDENT_ADVICE in block else {}


def _stood_still(cook: tuple[str, ...], step: int, earlier: Sequence[str]) -> bool:
    """Whether a cook's position, facing and held item are unchanged for at least `IDLE_STEPS` steps."""
    for scene in reversed(earlier):
        head = _HEAD.search(scene)
        if head is None or cook not in _COOK.findall(scene):
            return False
        if step - int(head[2]) >= IDLE_STEPS:
            return True
    return False


def _line(pattern: re.Pattern[str], prompt: str, start: str) -> re.Match[str]:
    match = pattern.search(prompt)
    if match is None:
        raise BBAError(f"scripted planner: the prompt has no line {start!r} in the shape that scene.md ships with")
    return match


def _cook(words: tuple[str, str, str, str, str]) -> Cook:
    _, x, y, facing, held = words
    return Cook((int(x), int(y)), facing, NOTHING if held == "nothing" else _code(held))


def _item(name: str, x: str, y: str, tag: str, number: str) -> SceneItem:
    return SceneItem(_code(name), (int(x), int(y)), tag, int(number) if number else NEVER)


def _code(name: str) -> int:
    if name not in ITEM_CODES:
        raise BBAError(f"scripted planner: the prompt names an unknown item {name!r}")
    return ITEM_CODES[name]


@lru_cache(maxsize=64)
def _geometry(text: str) -> KitchenGeometry:
    """Parses the stations; cached, because they stay the same for a whole game."""
    stations = {
        letter: tuple((int(x), int(y)) for x, y in _POSITION.findall(positions))
        for letter, positions in _STATIONS.findall(text)
        if letter != COUNTER
    }
    return KitchenGeometry(stations)
