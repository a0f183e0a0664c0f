"""The scripted planner as a chat backend: it reads a prompt and answers in the requested format."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from bba.errors import BBAError
from bba.kernels import in_use, maybe_compiled
from bba.kitchen.constants import SKILL_NAMES
from bba.planner.chat import Message, Reply
from bba.planner.scripted.policy import choose_skill
from bba.planner.scripted.prompt_parser import parse_prompt, role_shown, seat_of
from bba.planner.scripted.side_queries import ANSWERS

SCENE_MARK = "VALID ACTIONS ->"
FORMAT_MARK = "Plan for Player"
_KITCHEN = re.compile(r"^Layout=\S+\. .*$", re.MULTILINE)
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
        users = [
            _whole(message["content"], messages[0]["content"]) for message in messages if message["role"] == "user"
        ]
        for mark, answer in ANSWERS.items():
            if users and mark in users[-1]:
                return Reply(answer(users[-1]))
        scenes = [text for text in users if SCENE_MARK in text]
        if not scenes:
            raise BBAError(f"scripted planner: no message holds a scene (a line {SCENE_MARK!r})")
        facts, system = parse_prompt(scenes[-1], scenes[:-1]), messages[0]["content"]
        role = role_shown(scenes[-1])
        skill, expected = maybe_compiled(choose_skill, fast=in_use(), allocates=False)(facts)
        return Reply(answer_text(shape_of(system), seat_of(scenes[-1]), int(skill), int(expected), role))


@lru_cache(maxsize=64)  # earlier scenes are sent along again
def _whole(text: str, system: str) -> str:
    """Returns a user message with the kitchen's stations, which another layout of prompts has in the system prompt."""
    kitchen = _KITCHEN.search(system)
    return _SHORT_HEAD.sub(lambda head: f"{kitchen[0]} {head[0]}", text) if kitchen else text


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
        skill: what it chooses.
        expected: what its teammate probably does.
        role: the teammate's probable role; None if that is not shown.
    """
    if shape == "number":
        return str(skill)
    other, intention = 1 - player, SKILL_NAMES[expected]
    if shape == "strategy":
        first, second = f"{STRATEGY_MARK} {role or UNCLEAR}", f"Predicted next behavior for Player {other}: {intention}"
    else:
        first, second = f"Teammate role belief: {role or UNCLEAR}", f'Intention for Player {other}: "{intention}"'
    return f'{first}\n{second}\nPlan for Player {player}: "{skill}:{SKILL_NAMES[skill]}"'
