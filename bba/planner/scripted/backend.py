"""The scripted planner as a chat backend: prompt in, answer in the asked format out."""

from collections.abc import Sequence

from bba.errors import BBAError
from bba.kitchen.constants import SKILL_NAMES
from bba.planner.chat import Message, Reply
from bba.planner.scripted import hypotheses, replan_judge
from bba.planner.scripted.policy import choose_skill
from bba.planner.scripted.prompt_parser import SceneFacts, parse_prompt
from bba.planner.scripted.teammate import likely_skill

SCENE_MARK = "VALID ACTIONS ->"
FORMAT_MARK = "Plan for Player"
ASIDES = {replan_judge.MARK: replan_judge.answer} | hypotheses.ANSWERS


class ScriptedBackend:
    """Deterministic: the same messages, the same answer. It keeps nothing between calls."""

    name = "scripted"

    def complete(self, messages: Sequence[Message]) -> Reply:
        """Answer a question beside the skill, or the last scene in the chat.

        The latter in three lines if the system prompt asks for them, else with a number.

        Raises:
            BBAError: no message holds a scene that can be read.
        """
        users = [message["content"] for message in messages if message["role"] == "user"]
        for mark, answer in ASIDES.items():
            if users and mark in users[-1]:
                return Reply(answer(users[-1]))
        scenes = [text for text in users if SCENE_MARK in text]
        if not scenes:
            raise BBAError(f"scripted planner: no message holds a scene (a line {SCENE_MARK!r})")
        facts = parse_prompt(scenes[-1], scenes[:-1])
        return Reply(_worded(facts, choose_skill(facts), messages))


def _worded(facts: SceneFacts, skill: int, messages: Sequence[Message]) -> str:
    if FORMAT_MARK not in messages[0]["content"]:
        return str(skill)
    other, intention = 1 - facts.seat, SKILL_NAMES[likely_skill(facts)]
    role = max(facts.posterior, key=facts.posterior.__getitem__, default="unclear")
    return (
        f"Teammate role belief: {role}\n"
        f'Intention for Player {other}: "{intention}"\n'
        f'Plan for Player {facts.seat}: "{skill}:{SKILL_NAMES[skill]}"'
    )
