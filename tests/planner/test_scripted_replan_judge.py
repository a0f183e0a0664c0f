"""The scripted replan judge drops duplicated work and useless work, from the prompt alone."""

import pytest

from bba.errors import BBAError
from bba.kitchen.constants import SKILL_NAMES, Skill
from bba.planner import Message, Prompts, ScriptedBackend
from tests.helpers.planner_scenes import PROMPTS, belief, cook, on, situation

BEFORE = "P1 pos=(2,1) or=north hold=nothing."


def verdict(running: Skill, planner_input) -> str:
    question = PROMPTS.query("judge", planner_input, skill=f"{running}:{SKILL_NAMES[running]}", age=5, before=BEFORE)
    messages = [
        Message(role="system", content=PROMPTS.system("side_query", planner_input)),
        Message(role="user", content=question),
    ]
    return ScriptedBackend().complete(messages).text.removeprefix("Verdict: ")


def test_useful_work_continues_while_the_teammate_does_other_work():
    assert verdict(Skill.GRAB_MEAT, situation(cook(4, 4), cook(8, 3, "dirty_plate"))) == "CONTINUE"


def test_the_same_role_as_the_teammates_is_dropped():
    assert verdict(Skill.GRAB_MEAT, situation(cook(4, 4), cook(3, 1, "mushroom"))) == "REPLAN"
    assert verdict(Skill.GRAB_RICE, situation(cook(4, 4), cook(3, 5, "rice"))) == "REPLAN"


def test_a_confident_belief_predicts_a_teammate_with_free_hands():
    walking = cook(6, 2, facing="north")
    sure = situation(cook(4, 4), walking, belief=belief("plate_hygiene", 0.8, confident=True))
    assert verdict(Skill.GRAB_DIRTY_PLATE, sure) == "REPLAN"
    assert verdict(Skill.GRAB_RICE, sure) == "CONTINUE"


def test_useless_work_is_dropped():
    boards = (on("board", "meat", 2, 0, "unready", 0, 2), on("board", "mushroom", 3, 0, "unready", 0, 2))
    assert verdict(Skill.GRAB_MEAT, situation(cook(4, 4), cook(8, 3, "dirty_plate"), *boards)) == "REPLAN"


def test_a_held_item_is_finished_and_waiting_is_never_dropped():
    assert (
        verdict(Skill.GO_TO_POT_AND_BOIL_RICE, situation(cook(3, 4, "rice"), cook(8, 3, "dirty_plate"))) == "CONTINUE"
    )
    assert verdict(Skill.STAY, situation(cook(4, 4), cook(3, 1, "mushroom"))) == "CONTINUE"


def test_a_query_without_the_running_skill_is_a_one_line_error():
    question = Prompts.load().query("judge", situation(cook(1, 1), cook(2, 1)), skill="something", age=5, before=BEFORE)
    with pytest.raises(BBAError, match="does not say 'the skill"):
        ScriptedBackend().complete([Message(role="user", content=question)])
