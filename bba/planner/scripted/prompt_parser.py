"""Parses a prompt into facts. Only what the scene and the belief block say is known."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bba.belief import ROLE_NAMES
from bba.errors import BBAError
from bba.kitchen.constants import ITEM_CODES, NOTHING
from bba.planner.scripted.scene_facts import (
    NEVER,
    Cook,
    KitchenGeometry,
    SceneFacts,
    SceneItem,
    geometry_of,
    occupied_passes,
)

IDLE_STEPS = 8  # a walking cook moves within so many steps with probability 0.97, although two of three moves fail
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
        occupied_passes=occupied_passes(items, geometry),
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
    return geometry_of(
        tuple(
            (letter, tuple((int(x), int(y)) for x, y in _POSITION.findall(positions)))
            for letter, positions in _STATIONS.findall(text)
        )
    )
