"""The scripted planner as a chat backend: it reads a prompt and answers in the requested format."""

import re
from collections.abc import Sequence
from functools import lru_cache

from bba.errors import BBAError
from bba.kitchen.constants import SKILL_NAMES
from bba.planner.chat import Message, Reply
from bba.planner.scripted.policy import choose_skill, likely_skill, likely_task
from bba.planner.scripted.prompt_parser import parse_prompt
from bba.planner.scripted.scene_facts import SceneFacts
from bba.planner.scripted.side_queries import ANSWERS

SCENE_MARK = "VALID ACTIONS ->"
FORMAT_MARK = "Plan for Player"
_KITCHEN = re.compile(r"^Layout=\S+\. .*$", re.MULTILINE)
_SHORT_HEAD = re.compile(r"^Scene \d+\.$", re.MULTILINE)
STRATEGY_MARK = "Teammate strategy hypothesis:"


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
        facts = parse_prompt(scenes[-1], scenes[:-1])
        return Reply(_response_text(facts, messages[0]["content"]))


@lru_cache(maxsize=64)  # earlier scenes are sent along again
def _whole(text: str, system: str) -> str:
    """Returns a user message with the kitchen's stations, which another layout of prompts has in the system prompt."""
    kitchen = _KITCHEN.search(system)
    return _SHORT_HEAD.sub(lambda head: f"{kitchen[0]} {head[0]}", text) if kitchen else text


def _response_text(facts: SceneFacts, system: str) -> str:
    """Returns the answer in the format that the system prompt asks for."""
    likely = likely_task(facts)
    skill = choose_skill(facts, likely)
    if FORMAT_MARK not in system:
        return str(skill)
    other, intention = 1 - facts.seat, SKILL_NAMES[likely_skill(facts, likely)]
    role = max(facts.posterior, key=facts.posterior.__getitem__, default="unclear")
    if STRATEGY_MARK in system:
        first, second = f"{STRATEGY_MARK} {role}", f"Predicted next behavior for Player {other}: {intention}"
    else:
        first, second = f"Teammate role belief: {role}", f'Intention for Player {other}: "{intention}"'
    return f'{first}\n{second}\nPlan for Player {facts.seat}: "{skill}:{SKILL_NAMES[skill]}"'
