"""The scripted planner as a chat backend: it reads a prompt and answers in the requested format.

Only what the scene and the belief block say is known. Side queries ask whether to drop a running skill, and for
hypotheses on the teammate's strategy. The skill is dropped if the teammate is probably at work in the same role, or if
it has become useless: a cook with the same held item, which leaves the teammate's probable task to the teammate, would
not start it any more. Each hypothesis is that the teammate keeps to one role.

- Generate: proposes the role of the teammate's latest completed skills.
- Predict: the use of what the teammate holds if that is work of the role, else the role's most valuable task.
- Evaluate: a prediction came true if work of the same role was observed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from bba.belief import NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.errors import BBAError
from bba.kernels import in_use, maybe_compiled
from bba.kitchen import ACTION_NAMES, DISHES, ITEM_CODES, LARGEST_SIDE, NOTHING, SKILL_NAMES, Position
from bba.planner.chat import Message, Reply
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
from bba.planner.scripted.skill_choice import choose_skill, is_superseded, mates_skill

SCENE_MARK = "VALID ACTIONS ->"
# How the advice begins if the belief is confident; otherwise it says to go by the state of the kitchen.
CONFIDENT_ADVICE = "→ Teammate in"
_STATIONS = re.compile(r"(\w+):((?:\(\d+,\d+\),?)+)")
_POSITION = re.compile(r"\((\d+),(\d+)\)")
_HEAD = re.compile(r"^Layout=\S+\. (.*) Scene (\d+)\.$", re.MULTILINE)
_COOK = re.compile(r"^P(\d) pos=\((\d+),(\d+)\) or=(\w+) hold=([\w-]+)\.$", re.MULTILINE)
_ORDER_WORDS = re.compile(r"(\w+) left=(\d+)")
_LISTED_OBJECT = re.compile(r"\(([\w-]+)@\((\d+),(\d+)\)(?: \[([A-Za-z/]+)(?: (?:left=|x)?(\d+))?[^\]]*\])?\)")
_ACTION = re.compile(r"(\d+):")
_BELIEF_LINE = re.compile(r"^ {4}(\w+): ([01]\.\d+)", re.MULTILINE)
_BEST = re.compile(r"^(?:  1\. \(\+|- h\d+: value=)([01]\.\d\d)(?:\) |, strategy=)(.*)$", re.MULTILINE)
_TAG_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}
ROLE_NAMED = re.compile("|".join(ROLE_NAMES))


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
    orders = _ORDER_WORDS.findall(_rest_of_line("orders:", prompt))[:ORDERS_AHEAD]
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
    for rank, (dish, _) in enumerate(orders):
        facts.dishes[rank] = DISHES.index(dish) if dish in DISHES else 1
    for skill in _ACTION.findall(actions):
        facts.feasible[int(skill)] = 1
    posterior = _posterior_in(prompt[: head.start()])
    for role, probability in posterior.items():
        facts.posterior[ROLE_NAMES.index(role)] = probability
    facts.numbers[CONFIDENT] = bool(posterior)
    facts.numbers[IDLE] = _stood_still(cooks[1], int(head[2]), earlier)
    return facts


def _posterior_in(block: str) -> Mapping[str, float]:
    """Returns the probability of each role if the belief block is confident.

    Of listed hypotheses the first counts if it names a role; its value, if above 0, is the probability.
    """
    best = _BEST.search(block)
    if best:
        role_name = ROLE_NAMED.search(best[2])
        if role_name:
            return {role_name[0]: float(best[1])}
    if CONFIDENT_ADVICE not in block:
        return {}
    return {role: float(probability) for role, probability in _BELIEF_LINE.findall(block)}


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


# The text that marks each query.
JUDGE = "Verdict: <"
EVALUATE = "1: <TRUE or FALSE>"
GENERATE = "Hypothesis: <"
PREDICT = "1: <index or name of the next skill>"
# The same in the preprint.
EVALUATE_IN_WORDS = "h1: <True or False>"
GENERATE_IN_WORDS = "one concise strategy"
PREDICT_IN_WORDS = "one concise next behavior"

_RUNNING = re.compile(rf"the skill \d+:({'|'.join(SKILL_NAMES)}) has been running")
_NUMBERED_HYPOTHESIS = re.compile(
    r"^(?:  |- )(h?\d+)[.:] (?:\(|value=)[+-]?\d\.\d\d(?:\) |, strategy=)(.*)$", re.MULTILINE
)
_SEEN = re.compile(r"^  step \d+: (?:completed|went on with) (\d+):", re.MULTILINE)
_EXPECTS = re.compile(r"(?:-> expects |predicted_next_behavior=)(\d+)")


def judge(question: str) -> str:
    """Answers REPLAN or CONTINUE in the requested format.

    Raises:
        BBAError: the question does not say which skill is running.
    """
    running = _RUNNING.search(question)
    if running is None:
        raise BBAError("scripted planner: the prompt does not say 'the skill <index>:<name> has been running'")
    facts = parse_prompt(question)
    return verdict(is_superseded(facts, SKILL_NAMES.index(running[1])))


def verdict(replans: bool) -> str:
    """Returns the judge's answer in the requested format."""
    return "Verdict: REPLAN" if replans else "Verdict: CONTINUE"


def evaluate(question: str) -> str:
    """Answers whether each prediction came true."""
    seen_roles = _roles_seen(question)
    lines = []
    for number, hypothesis in _NUMBERED_HYPOTHESIS.findall(question):
        expected = _EXPECTS.search(hypothesis)
        came_true = expected is not None and ROLE_OF_SKILL[int(expected[1])] in seen_roles
        lines.append(f"{number}: TRUE" if came_true else f"{number}: FALSE")
    return "\n".join(lines)


def generate(question: str) -> str:
    """Answers with the latest role observed that no hypothesis names yet; if all are named, with the latest role."""
    seen = [ROLE_NAMES[role] for role in reversed(_roles_seen(question))]
    named = {_role_in(hypothesis) for _, hypothesis in _NUMBERED_HYPOTHESIS.findall(question)}
    unnamed = [role for role in seen if role not in named]
    candidates = unnamed or seen
    role = candidates[0] if candidates else ROLE_NAMES[0]
    return f"Hypothesis: the teammate keeps to the role {role}."


def predict(question: str) -> str:
    """Answers with the next skill that each hypothesis implies, by its number, or the only strategy that is named."""
    facts = parse_prompt(question)
    next_skill = maybe_compiled(mates_skill, fast=in_use())
    lines = []
    for number, hypothesis in _NUMBERED_HYPOTHESIS.findall(question):
        skill = next_skill(facts, ROLE_NAMES.index(_role_in(hypothesis)))
        lines.append(f"{number}: {skill}")
    if lines:
        return "\n".join(lines)
    strategy = question.rpartition("Its strategy: ")[2]
    return str(next_skill(facts, ROLE_NAMES.index(_role_in(strategy))))


def _roles_seen(question: str) -> list[int]:
    """Returns the roles of the skills that the teammate was observed to do, oldest first."""
    roles = [ROLE_OF_SKILL[int(skill)] for skill in _SEEN.findall(question)]
    return [role for role in roles if role != NO_ROLE]


def _role_in(hypothesis: str) -> str:
    """Returns the role that a hypothesis names first; the first of all roles if it names none."""
    match = ROLE_NAMED.search(hypothesis)
    return match[0] if match else ROLE_NAMES[0]


ANSWERED_BY: dict[str, Callable[[str], str]] = {
    JUDGE: judge,
    EVALUATE: evaluate,
    GENERATE: generate,
    PREDICT: predict,
    EVALUATE_IN_WORDS: evaluate,
    GENERATE_IN_WORDS: generate,
    PREDICT_IN_WORDS: predict,
}


FORMAT_MARK = "Plan for Player"
_STATIONS_LINE = re.compile(r"^Layout=\S+\. .*$", re.MULTILINE)
_SHORT_HEAD = re.compile(r"^Scene \d+\.$", re.MULTILINE)
STRATEGY_MARK = "Teammate strategy hypothesis:"
UNCLEAR = "unclear"
AnswerShape = Literal["number", "role", "strategy"]


class ScriptedBackend:
    """A deterministic and stateless chat backend: the same messages give the same answer."""

    name = "scripted"

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Answers a side query, or chooses a skill for the last scene in the chat.

        The skill is given in three lines if the system prompt asks for them, otherwise as a number.

        Raises:
            BBAError: no message holds a scene, or a scene cannot be read.
        """
        system = messages[0]["content"] if messages else ""
        questions = [_with_stations(message["content"], system) for message in messages if message["role"] == "user"]
        if questions:
            for mark, answer in ANSWERED_BY.items():
                if mark in questions[-1]:
                    return Reply(answer(questions[-1]))
        scenes = [question for question in questions if SCENE_MARK in question]
        if not scenes:
            raise BBAError(f"scripted planner: no message holds a scene (a line {SCENE_MARK!r})")
        scene = scenes[-1]
        facts = parse_prompt(scene, scenes[:-1])
        belief_block = scene[: _matched_line(_HEAD, scene, "Layout=").start()]
        posterior = _posterior_in(belief_block)
        role = max(posterior, key=posterior.__getitem__, default=None)
        player = int(_COOK.findall(scene)[0][0])
        choose = maybe_compiled(choose_skill, fast=in_use())
        skill, expected = choose(facts)
        return Reply(answer_text(shape_of(system), player, int(skill), int(expected), role))


@lru_cache(maxsize=64)  # earlier scenes are sent along again
def _with_stations(text: str, system: str) -> str:
    """Returns a user message with the kitchen's stations, which another layout of prompts has in the system prompt."""
    stations = _STATIONS_LINE.search(system)
    if stations is None:
        return text
    line = stations[0]
    return _SHORT_HEAD.sub(lambda head: f"{line} {head[0]}", text)


def shape_of(system: str) -> AnswerShape:
    """Returns the shape of answers that a system prompt asks for."""
    if FORMAT_MARK not in system:
        return "number"
    return "strategy" if STRATEGY_MARK in system else "role"


def answer_text(shape: AnswerShape, player: int, skill: int, expected: int, role: str | None) -> str:
    """Returns the answer that names a skill.

    Args:
        shape: the number alone, or three lines, of which the first names the teammate's role or a strategy.
        player: who chooses, 0 or 1.
        skill: the skill that the player chooses.
        expected: the skill that the teammate probably runs.
        role: the teammate's probable role; None if that is not shown.
    """
    if shape == "number":
        return str(skill)
    mate = 1 - player
    intention = SKILL_NAMES[expected]
    if shape == "strategy":
        first = f"{STRATEGY_MARK} {role or UNCLEAR}"
        second = f"Predicted next behavior for Player {mate}: {intention}"
    else:
        first = f"Teammate role belief: {role or UNCLEAR}"
        second = f'Intention for Player {mate}: "{intention}"'
    return f'{first}\n{second}\nPlan for Player {player}: "{skill}:{SKILL_NAMES[skill]}"'
