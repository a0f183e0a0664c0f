"""From prompt text to facts. Only what the scene and the belief block say is known here."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from bba.belief import ROLE_NAMES
from bba.errors import BBAError
from bba.kitchen.constants import ITEM_CODES, NOTHING
from bba.planner.scripted.geometry import KitchenGeometry, Position

NEVER = 1_000_000
IDLE = 8  # steps in which a cook with a way to go moves 97 times in 100, though two moves of three are held back


@dataclass(frozen=True, slots=True)
class Cook:
    """A cook: where it stands, where it looks ("north", ...) and the code of what it holds (0: nothing)."""

    position: Position
    facing: str
    held: int


@dataclass(frozen=True, slots=True)
class SceneItem:
    """An item that lies somewhere: its code, its tag ("" if none) and the number beside the tag.

    The number counts steps until the next stage for food on the heat, plates on the stack, and work done on a board
    or in a sink; it is `NEVER` where the text gives none.
    """

    item: int
    position: Position
    tag: str
    number: int


@dataclass(frozen=True, slots=True)
class SceneFacts:
    """What one prompt says.

    `crowded` are the pass counters on which something lies; `orders` are (dish, steps left); `posterior` is what the
    best hypothesis says, or the belief block; it is empty where neither is shown or sure; `idle` says that the teammate
    has not stirred for a while, as far as earlier prompts tell.
    """

    step: int
    seat: int
    me: Cook
    mate: Cook
    places: KitchenGeometry
    things: tuple[SceneItem, ...]
    crowded: frozenset[Position]
    orders: tuple[tuple[str, int], ...]
    feasible: frozenset[int]
    posterior: Mapping[str, float]
    idle: bool


TRUSTED = "→ Teammate in"
"""How the advice begins if the belief is sure enough to act on; else it says to go by the state of the kitchen."""

_PLACES = re.compile(r"(\w+):((?:\(\d+,\d+\),?)+)")
_PLACE = re.compile(r"\((\d+),(\d+)\)")
_HEAD = re.compile(r"^Layout=\S+\. (.*) Scene (\d+)\.$", re.MULTILINE)
_COOK = re.compile(r"^P(\d) pos=\((\d+),(\d+)\) or=(\w+) hold=([\w-]+)\.$", re.MULTILINE)
_ORDERS = re.compile(r"^orders: (.*)$", re.MULTILINE)
_ORDER = re.compile(r"(\w+) left=(\d+)")
_THINGS = re.compile(r"^objects: (.*)$", re.MULTILINE)
_THING = re.compile(r"\(([\w-]+)@\((\d+),(\d+)\)(?: \[([A-Za-z/]+)(?: (?:left=|x)?(\d+))?[^\]]*\])?\)")
_ACTIONS = re.compile(r"^VALID ACTIONS -> (.*)$", re.MULTILINE)
_ACTION = re.compile(r"(\d+):")
_POSTERIOR = re.compile(r"^ {4}(\w+): ([01]\.\d+)", re.MULTILINE)
_BEST = re.compile(r"^  1\. \(\+([01]\.\d\d)\) (.*)$", re.MULTILINE)
ROLE_NAMED = re.compile("|".join(ROLE_NAMES))


def parse_prompt(prompt: str, earlier: Sequence[str] = ()) -> SceneFacts:
    """The facts in a user message; `earlier` are the scenes before it, oldest first.

    Raises:
        BBAError: a line of the scene is missing or cannot be read.
    """
    head = _line(_HEAD, prompt, "Layout=")
    cooks = _COOK.findall(prompt)
    if len(cooks) != 2:
        raise BBAError(f"scripted planner: the prompt must have two lines 'P0 pos=...'; it has {len(cooks)}")
    actions = _line(_ACTIONS, prompt, "VALID ACTIONS ->")[1]
    places = _places(head[1])
    things = tuple([_thing(*words) for words in _THING.findall(_line(_THINGS, prompt, "objects:")[1])])
    return SceneFacts(
        step=int(head[2]),
        seat=int(cooks[0][0]),
        me=_cook(cooks[0]),
        mate=_cook(cooks[1]),
        places=places,
        things=things,
        crowded=frozenset(thing.position for thing in things if places.letter(thing.position) == "pass"),
        orders=tuple([(dish, int(left)) for dish, left in _ORDER.findall(_line(_ORDERS, prompt, "orders:")[1])]),
        feasible=frozenset(map(int, _ACTION.findall(actions))),
        posterior=_posterior(prompt[: head.start()]),
        idle=_stood_still(cooks[1], int(head[2]), earlier),
    )


def _posterior(block: str) -> Mapping[str, float]:
    """The probability of each role, where the belief block calls its likeliest role the teammate's.

    Of hypotheses the first counts, if it names a role: as likely as its value says, where that is above 0.
    """
    best = _BEST.search(block)
    role = ROLE_NAMED.search(best[2]) if best else None
    if best and role:
        return {role[0]: float(best[1])}
    return {role: float(p) for role, p in _POSTERIOR.findall(block)} if TRUSTED in block else {}


def _stood_still(cook: tuple[str, ...], step: int, earlier: Sequence[str]) -> bool:
    """Whether a cook stands, looks and holds as in every scene back to one at least `IDLE` steps ago."""
    for scene in reversed(earlier):
        head = _HEAD.search(scene)
        if head is None or cook not in _COOK.findall(scene):
            return False
        if step - int(head[2]) >= IDLE:
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


def _thing(name: str, x: str, y: str, tag: str, number: str) -> SceneItem:
    return SceneItem(_code(name), (int(x), int(y)), tag, int(number) if number else NEVER)


def _code(name: str) -> int:
    if name not in ITEM_CODES:
        raise BBAError(f"scripted planner: the prompt names an unknown item {name!r}")
    return ITEM_CODES[name]


@lru_cache(maxsize=64)
def _places(text: str) -> KitchenGeometry:
    """The stations stay the same for a whole game, so their text is read once."""
    return KitchenGeometry(
        {letter: tuple((int(x), int(y)) for x, y in _PLACE.findall(spots)) for letter, spots in _PLACES.findall(text)}
    )
