"""Reads in a prompt what it shows: the facts of a scene, the belief, the hypotheses about the teammate.

This is for where a prompt is all there is: prompts of one's own, the layout "strict", and whoever asks the scripted
planner as a language model. Games and the exam go by the state (`bba.agents.scripted_planner`).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.errors import BBAError
from bba.kitchen import ACTION_NAMES, DISHES, ITEM_CODES, LARGEST_SIDE, NO_SKILL, NOTHING, SKILL_NAMES, Position
from bba.planner.scripted.answers import role_named
from bba.planner.scripted.scene_facts import (
    CONFIDENT,
    IDLE,
    IDLE_STEPS,
    MATE,
    ME,
    NEVER_READY,
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

SCENE_MARK = "VALID ACTIONS ->"
# How the advice begins if the belief is confident; otherwise it says to go by the state of the kitchen.
CONFIDENT_ADVICE = "→ Teammate in"
_STATIONS = re.compile(r"(\w+):((?:\(\d+,\d+\),?)+)")
_POSITION = re.compile(r"\((\d+),(\d+)\)")
_HEAD = re.compile(r"^Layout=\S+\. (.*) Scene (\d+)\.$", re.MULTILINE)
_COOK = re.compile(r"^P(\d) pos=\((\d+),(\d+)\) or=(\w+) hold=([\w-]+)\.$", re.MULTILINE)
_ORDER = re.compile(r"(\w+?)(?:_dish\b| left=\d)")
_LISTED_OBJECT = re.compile(r"\(([\w-]+)@\((\d+),(\d+)\)(?: \[([A-Za-z/]+)(?: (?:left=|x)?(\d+))?[^\]]*\])?\)")
_ACTION = re.compile(r"(\d+):")
_BELIEF_LINE = re.compile(r"^ {4}(\w+): ([01]\.\d+)", re.MULTILINE)
_BEST = re.compile(r"^(?:  1\. \(\+|- h\d+: value=)([01]\.\d\d)(?:\) |, strategy=)(.*)$", re.MULTILINE)
_TAG_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}


def parse_prompt(prompt: str, earlier: Sequence[str] = ()) -> SceneFacts:
    """Returns the facts in a user message; `earlier` are the scenes before it, oldest first.

    Raises:
        BBAError: a line of the scene is missing or cannot be read.
    """
    head = _matched_line(_HEAD, prompt, "Layout=")
    cooks = _COOK.findall(prompt)
    if len(cooks) != 2:
        raise BBAError(f"scripted planner: the prompt must have two lines 'P0 pos=...'; it has {len(cooks)}")
    actions = _rest_of_line(SCENE_MARK, prompt)
    items = _LISTED_OBJECT.findall(_rest_of_line("objects:", prompt))
    orders = _ORDER.findall(_rest_of_line("orders:", prompt))[:ORDERS_AHEAD]
    facts = new_facts(_kitchen(head[1]), len(items))
    for row, (_, x, y, facing, held) in zip((ME, MATE), cooks, strict=True):
        if facing not in ACTION_NAMES[:4]:
            raise BBAError(f"scripted planner: the prompt says that a cook faces {facing!r}, which is no direction")
        code = NOTHING if held == "nothing" else _item_code(held)
        set_cook(facts, row, _place_named(x, y), ACTION_NAMES.index(facing), code)
    for name, x, y, tag, digits in items:
        code = _item_code(name)
        if tag not in _TAG_NUMBERS:
            raise BBAError(f"scripted planner: the prompt names an unknown state {tag!r} of an item")
        number = int(digits) if digits else NEVER_READY
        add_item(facts, code, _place_named(x, y), _TAG_NUMBERS[tag], number)
    facts.numbers[ORDERS] = len(orders)
    for rank, dish in enumerate(orders):
        facts.dishes[rank] = DISHES.index(dish) if dish in DISHES else 1
    for skill in _ACTION.findall(actions):
        facts.feasible[int(skill)] = 1
    posterior = _posterior_in(prompt)
    for role, probability in posterior.items():
        facts.posterior[ROLE_NAMES.index(role)] = probability
    facts.numbers[CONFIDENT] = bool(posterior)
    facts.numbers[IDLE] = _stood_still(cooks[1], int(head[2]), earlier)
    return facts


def _posterior_in(prompt: str) -> Mapping[str, float]:
    """Returns the probability of each role if the belief block above a scene is confident.

    Of listed hypotheses the first counts if it names a role; its value, if above 0, is the probability.
    """
    best = _BEST.search(prompt)
    if best:
        role = role_named(best[2])
        if role != NO_ROLE:
            return {ROLE_NAMES[role]: float(best[1])}
    if CONFIDENT_ADVICE not in prompt:
        return {}
    return {role: float(probability) for role, probability in _BELIEF_LINE.findall(prompt)}


def _stood_still(cook: tuple[str, ...], step: int, earlier: Sequence[str]) -> bool:
    """Whether a cook's position, facing and held item are unchanged for at least `IDLE_STEPS` steps."""
    for scene in reversed(earlier):
        scene_step, cooks = _cooks_in(scene)
        if scene_step is None or cook not in cooks:
            return False
        if step - scene_step >= IDLE_STEPS:
            return True
    return False


@lru_cache(maxsize=64)  # earlier scenes are sent along again
def _cooks_in(scene: str) -> tuple[int | None, tuple[tuple[str, ...], ...]]:
    """Returns the step of a scene, None if it says none, and the words about its cooks."""
    head = _HEAD.search(scene)
    step = int(head[2]) if head else None
    return step, tuple(_COOK.findall(scene))


def _rest_of_line(start: str, prompt: str) -> str:
    """Returns what follows the first words of a line of the scene."""
    return _matched_line(re.compile(rf"^{start} (.*)$", re.MULTILINE), prompt, start)[1]


def _matched_line(pattern: re.Pattern[str], prompt: str, start: str) -> re.Match[str]:
    match = pattern.search(prompt)
    if match is None:
        raise BBAError(f"scripted planner: the prompt has no line {start!r} in the shape that scene.md ships with")
    return match


def _place_named(x: str, y: str) -> int:
    column = int(x)
    row = int(y)
    if column >= LARGEST_SIDE or row >= LARGEST_SIDE:
        raise BBAError(f"scripted planner: the prompt names ({x},{y}), outside a map of {LARGEST_SIDE}x{LARGEST_SIDE}")
    return place_at(column, row)


def _item_code(name: str) -> int:
    if name not in ITEM_CODES:
        raise BBAError(f"scripted planner: the prompt names an unknown item {name!r}")
    return ITEM_CODES[name]


@lru_cache(maxsize=64)
def _kitchen(text: str) -> Stations:
    """Parses the stations; cached, because they stay the same for a whole game."""
    stations = []
    for kind, places in _STATIONS.findall(text):
        positions = [_position(x, y) for x, y in _POSITION.findall(places)]
        stations.append((kind, tuple(positions)))
    return stations_at(stations)


def _position(x: str, y: str) -> Position:
    _place_named(x, y)  # raises if it is outside the map
    return int(x), int(y)


_STATIONS_LINE = re.compile(r"^Layout=\S+\. .*$", re.MULTILINE)
_SHORT_HEAD = re.compile(r"^Scene \d+\.$", re.MULTILINE)


@lru_cache(maxsize=64)  # earlier scenes are sent along again
def with_stations(text: str, system: str) -> str:
    """Returns a user message with the kitchen's stations, which another layout of prompts has in the system prompt."""
    stations = _STATIONS_LINE.search(system)
    if stations is None:
        return text
    line = stations[0]
    return _SHORT_HEAD.sub(lambda head: f"{line} {head[0]}", text)


def player_in(scene: str) -> int:
    """Returns the player that a scene is shown to."""
    return int(_COOK.findall(scene)[0][0])


def role_shown(scene: str) -> str | None:
    """Returns the teammate's likeliest role, if the belief beside a scene is confident; else None."""
    posterior = _posterior_in(scene)
    return max(posterior, key=posterior.__getitem__, default=None)


_RUNNING = re.compile(rf"the skill \d+:({'|'.join(SKILL_NAMES)}) has been running")
_NUMBERED_HYPOTHESIS = re.compile(
    r"^(?:  |- )(h?\d+)[.:] (?:\(|value=)[+-]?\d\.\d\d(?:\) |, strategy=)(.*)$", re.MULTILINE
)
_SEEN = re.compile(r"^  step \d+: (?:completed|went on with) (\d+):", re.MULTILINE)
_EXPECTS = re.compile(r"(?:-> expects |predicted_next_behavior=)(\d+)")


def running_skill(question: str) -> int:
    """Returns the skill that a judge is asked about.

    Raises:
        BBAError: the question does not say which skill is running.
    """
    running = _RUNNING.search(question)
    if running is None:
        raise BBAError("scripted planner: the prompt does not say 'the skill <index>:<name> has been running'")
    return SKILL_NAMES.index(running[1])


def hypotheses_in(question: str) -> list[tuple[str, str]]:
    """Returns the number and the text of each hypothesis that is listed."""
    return _NUMBERED_HYPOTHESIS.findall(question)


def predicted_skill(hypothesis: str) -> int:
    """Returns the skill that a listed hypothesis expects; NO_SKILL if it expects none."""
    expected = _EXPECTS.search(hypothesis)
    return NO_SKILL if expected is None else int(expected[1])


def strategy_in(question: str) -> str:
    """Returns the only strategy that a question names, if it lists no hypotheses."""
    return question.rpartition("Its strategy: ")[2]


def roles_seen(question: str) -> list[int]:
    """Returns the roles of the skills that the teammate was observed to do, oldest first."""
    roles = [ROLE_OF_SKILL[int(skill)] for skill in _SEEN.findall(question)]
    return [role for role in roles if role != NO_ROLE]
