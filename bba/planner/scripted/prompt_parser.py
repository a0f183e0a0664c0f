"""Parses a prompt into facts. Only what the scene and the belief block say is known."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bba.belief import ROLE_NAMES
from bba.errors import BBAError
from bba.kitchen.constants import ACTION_NAMES, ITEM_CODES, NOTHING
from bba.kitchen.layout import LARGEST, Position
from bba.kitchen.state import DISHES
from bba.planner.scripted.scene_facts import (
    CONFIDENT,
    IDLE,
    MATE,
    ME,
    NEVER,
    ORDERS,
    ORDERS_AHEAD,
    TAGS,
    SceneFacts,
    Stations,
    add_item,
    new_facts,
    place_at,
    set_cook,
    stations_at,
)
from bba.planner.scripted.state_facts import IDLE_STEPS

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
    items = _ITEM.findall(_line(_ITEMS, prompt, "objects:")[1])
    orders = _ORDER.findall(_line(_ORDERS, prompt, "orders:")[1])[:ORDERS_AHEAD]
    facts = new_facts(_kitchen(head[1]), len(items))
    for who in (ME, MATE):
        _add_cook(facts, who, cooks[who])
    for name, x, y, tag, number in items:
        add_item(facts, _code(name), _place(x, y), _tag(tag), int(number) if number else NEVER)
    facts.numbers[ORDERS] = len(orders)
    facts.dishes[: len(orders)] = [DISHES.index(dish) if dish in DISHES else 1 for dish, _ in orders]
    facts.feasible[[int(skill) for skill in _ACTION.findall(actions)]] = 1
    posterior = _posterior(prompt[: head.start()])
    facts.posterior[[ROLE_NAMES.index(role) for role in posterior]] = list(posterior.values())
    facts.numbers[CONFIDENT] = bool(posterior)
    facts.numbers[IDLE] = _stood_still(cooks[1], int(head[2]), earlier)
    return facts


def role_shown(prompt: str) -> str | None:
    """Returns the teammate's most likely role, as a message says it; None if it says none or is not confident."""
    posterior = _posterior(prompt[: _line(_HEAD, prompt, "Layout=").start()])
    return max(posterior, key=posterior.__getitem__, default=None)


def seat_of(prompt: str) -> int:
    """Returns the player that decides, 0 or 1, of a message that `parse_prompt` has read."""
    return int(_COOK.findall(prompt)[0][0])


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
        then, cooks = _cooks_at(scene)
        if then is None or cook not in cooks:
            return False
        if step - then >= IDLE_STEPS:
            return True
    return False


@lru_cache(maxsize=64)  # earlier scenes are sent along again
def _cooks_at(scene: str) -> tuple[int | None, tuple[tuple[str, ...], ...]]:
    """Returns the step of a scene, None without one, and the words about its cooks."""
    head = _HEAD.search(scene)
    return int(head[2]) if head else None, tuple(_COOK.findall(scene))


def _line(pattern: re.Pattern[str], prompt: str, start: str) -> re.Match[str]:
    match = pattern.search(prompt)
    if match is None:
        raise BBAError(f"scripted planner: the prompt has no line {start!r} in the shape that scene.md ships with")
    return match


def _add_cook(facts: SceneFacts, who: int, words: tuple[str, str, str, str, str]) -> None:
    _, x, y, facing, held = words
    if facing not in ACTION_NAMES[:4]:
        raise BBAError(f"scripted planner: the prompt says that a cook faces {facing!r}, which is no direction")
    place, code = _place(x, y), NOTHING if held == "nothing" else _code(held)
    set_cook(facts, who, place, ACTION_NAMES.index(facing), code)


def _place(x: str, y: str) -> int:
    if not (int(x) < LARGEST and int(y) < LARGEST):
        raise BBAError(f"scripted planner: the prompt names ({x},{y}), outside a map of {LARGEST}x{LARGEST}")
    return place_at(int(x), int(y))


def _code(name: str) -> int:
    if name not in ITEM_CODES:
        raise BBAError(f"scripted planner: the prompt names an unknown item {name!r}")
    return ITEM_CODES[name]


def _tag(name: str) -> int:
    if name not in TAGS:
        raise BBAError(f"scripted planner: the prompt names an unknown state {name!r} of an item")
    return TAGS.index(name)


@lru_cache(maxsize=64)
def _kitchen(text: str) -> Stations:
    """Parses the stations; cached, because they stay the same for a whole game."""
    found = _STATIONS.findall(text)
    return stations_at([(kind, tuple(_position(x, y) for x, y in _POSITION.findall(where))) for kind, where in found])


def _position(x: str, y: str) -> Position:
    _place(x, y)
    return int(x), int(y)
