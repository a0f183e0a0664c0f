"""The scripted answers to side queries about hypotheses, in the requested format."""

import pytest

from bba.belief import ROLE_NAMES
from bba.kitchen.constants import SKILL_NAMES, Skill
from bba.planner import Message, ScriptedBackend
from bba.planner.scripted.prompt_reader import parse_prompt
from bba.planner.short_answers import read_hypothesis, read_skills, read_truths
from tests.helpers.planner_scenes import PROMPTS, cook, situation

PLATES = (
    "  step 12: completed 12:GRAB_DIRTY_PLATE, holds dirty_plate\n  step 20: went on with 5:GO_TO_SINK_TO_WASH_PLATE"
)
RICE = "  step 31: completed 11:GRAB_RICE, holds rice"
FIRE = "  step 40: completed 14:GRAB_FIRE_EXT, holds fire_ext"


def listed(*roles, expects=()):
    ends = [f" -> expects {skill}:{SKILL_NAMES[skill]}" for skill in expects] or [""] * len(roles)
    return "\n".join(
        f"  {number}. (+0.10) the teammate keeps to the role {role}.{end}"
        for number, (role, end) in enumerate(zip(roles, ends, strict=True), 1)
    )


def answer(kind, planner_input=None, **words):
    planner_input = planner_input or situation(cook(4, 4), cook(8, 3))
    question = PROMPTS.query(kind, planner_input, **words)
    return ScriptedBackend().complete([Message(role="user", content=question)]).text


def test_a_prediction_is_true_if_work_of_its_role_was_observed():
    predictions = listed("plate_hygiene", "prep_rice", expects=(Skill.GRAB_CLEAN_PLATE, Skill.GRAB_RICE))
    assert read_truths(answer("evaluate", predictions=predictions, seen=PLATES), 2) == (True, False)
    assert read_truths(answer("evaluate", predictions=predictions, seen=f"{PLATES}\n{RICE}"), 2) == (True, True)
    assert read_truths(answer("evaluate", predictions=predictions, seen=FIRE), 2) == (False, False)


@pytest.mark.parametrize(
    ("events", "known", "role"),
    [
        (PLATES, (), "plate_hygiene"),
        (f"{PLATES}\n{RICE}", (), "prep_rice"),
        (f"{PLATES}\n{RICE}", ("prep_rice",), "plate_hygiene"),
        (f"{PLATES}\n{RICE}", ("prep_rice", "plate_hygiene"), "prep_rice"),
        (f"{RICE}\n{FIRE}", (), "prep_rice"),
        (FIRE, (), "prep_protein"),
    ],
)
def test_the_latest_observed_role_without_a_hypothesis_is_proposed(events, known, role):
    proposed = read_hypothesis(answer("generate", events=events, hypotheses=listed(*known) or "  none yet"))
    assert proposed == f"the teammate keeps to the role {role}."


def test_each_hypothesis_expects_a_skill_of_its_role():
    roles = ("prep_protein", "prep_rice", "plate_hygiene", "assemble", "serve", "stage_pass")
    skills = read_skills(answer("predict", events=PLATES, hypotheses=listed(*roles)), len(roles))
    assert skills[:3] in ((8, 11, 12), (9, 11, 12))
    assert skills[5] == Skill.PASS_OBJECT


def test_the_held_item_predicts_the_next_skill_if_that_is_work_of_the_role():
    carrying = situation(cook(4, 4), cook(8, 3, "dirty_plate"))
    skills = read_skills(answer("predict", carrying, events=PLATES, hypotheses=listed("plate_hygiene", "prep_rice")), 2)
    assert skills == (Skill.GO_TO_SINK_TO_WASH_PLATE, Skill.GRAB_RICE)


def facts_with(value, text="the teammate keeps to the role assemble."):
    block = PROMPTS.templates["hypotheses"].fill(other_id=1, hypotheses=f"  1. ({value}) {text}", events=RICE)
    return parse_prompt(f"{block}\n{PROMPTS.user(situation(cook(4, 4), cook(8, 3)))}")


def test_a_new_hypothesis_is_named_although_it_has_no_value_yet():
    block = PROMPTS.templates["hypotheses"].fill(
        other_id=1, hypotheses="  1. (+0.00) it keeps to the role serve.", events=RICE
    )
    scene = situation(cook(4, 4), cook(8, 3))
    system = Message(role="system", content=PROMPTS.system("hypothetical", scene))
    user = Message(role="user", content=f"{block}\n{PROMPTS.user(scene)}")
    assert ScriptedBackend().complete([system, user]).text.startswith("Teammate strategy hypothesis: serve\n")


def test_the_value_of_the_best_hypothesis_is_its_probability():
    assert facts_with("+0.51").posterior.tolist() == [0.51 * (role == "assemble") for role in ROLE_NAMES]
    assert not facts_with("-0.30").posterior.any()
    assert not facts_with("+0.51", "it does what it likes").posterior.any()
