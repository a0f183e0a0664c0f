"""The parser takes an answer in any dress, and nothing that is not the answer."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.kitchen.constants import N_SKILLS, SKILL_NAMES
from bba.planner import parse_response
from tests.helpers.planner_scenes import EVERYTHING

GRAB_MEAT, WASH, STAY = 8, 5, 4

READ = {
    "8": 8,
    " 8 \n": 8,
    "08": 8,
    '"8"': 8,
    "**8**": 8,
    "`8`.": 8,
    "[8]": 8,
    "- 8": 8,
    "GRAB_MEAT": 8,
    "grab_meat": 8,
    "Grab Meat": 8,
    "grab-meat!": 8,
    "8:GRAB_MEAT": 8,
    "8 (grab meat)": 8,
    "GRAB_MEAT (8)": 8,
    "GRAB_MEAT = 8": 8,
    "The first order needs 1 steak and P0 stands at (3,4).\n\n8": 8,
    "We have 2 orders, so GRAB_MEAT is best; 3 plates are left.": 8,
    "stay": 4,
    'Plan for Player 0: "8"': 8,
    "Plan for Player 0: GRAB_MEAT": 8,
    "plan for player 1 : '8:GRAB_MEAT'": 8,
    '**Plan for Player 0:** "8"': 8,
    '3. Plan for Player 0: "grab meat".': 8,
    "Plan for Player 0 -> 8": 8,
    'Plan for Player 0: "8" (meat for the first order)': 8,
    "Plan for Player 0: GRAB_MEAT, as 2 orders wait": 8,
    "Plan for Player 0: 8 - fetch meat": 8,
    'Plan for Player 0:\n"8"': 8,
    'Plan for Player 0: "11"\nNo, wait.\nPlan for Player 0: "8"': 8,
}

NOT_READ = [
    "",
    "   \n",
    "27",
    "99",
    "-5",
    "8.5",
    "8/80",
    "(3,4)",
    "Player 0",
    "I would wait 8 steps.",
    "We need meat, then rice.",
    "We should stay out of the way and fetch meat.",
    "8 or 11",
    "8\n11",
    "GRAB_MEAT or GRAB_RICE",
    "8: GRAB_RICE",
    "XGRAB_MEAT",
    "GRAB_MEAT_NOW",
    "1. GRAB_MEAT\n2. GRAB_RICE",
    'Intention for Player 1: "8"',
    'Teammate role belief: prep_rice\nIntention for Player 1: "11"\n8',
    "Intention for Player 1:\n8",
    "Plan for Player 0: wait 8 steps",
    "Plan for Player 0: 8 steps of waiting",
    "Plan for Player 0: 8 or 11",
    "Plan for Player 0: something else\n8",
    "Plan for Player 0: 8\nPlan for Player 1: 11",
    "Plan for Player 0: 27",
]


@pytest.mark.parametrize(("text", "skill"), READ.items())
def test_an_answer_is_read_whatever_its_dress(text: str, skill: int) -> None:
    assert parse_response(text, EVERYTHING).skill == skill


@pytest.mark.parametrize("text", NOT_READ)
def test_a_number_or_name_that_is_not_the_answer_is_not_taken(text: str) -> None:
    answer = parse_response(text, EVERYTHING)
    assert answer.skill is None
    assert answer.problem


PHRASINGS = {
    "a bare label": "Plan: 8",
    "another noun": "Action: 8",
    "a final answer": "**Final Answer:** 8",
    "an answer that is said": "The answer is GRAB_MEAT.",
    "P0": 'Plan for P0: "8"',
    "an aside": 'Plan for Player 0 (me): "8"',
    "the player in brackets": "Plan (Player 0): 8",
    "me and the player": 'Plan for me (Player 0): "8"',
    "the player first": "Player 0's plan: 8",
    "only the player": "P0: GRAB_MEAT",
    "is": 'My plan for Player 0 is "8".',
    "a heading": "## Plan for Player 0\n8",
    "a heading in bold and a reason below": "**Plan for Player 0**\nGRAB_MEAT: the first order needs it.",
    "JSON on one line": '{"plan": 8}',
    "JSON with a name": '{"action": "GRAB_MEAT"}',
    "JSON with number and name": '{"skill_index": 8, "skill_name": "GRAB_MEAT"}',
    "JSON with a reason": '{"reasoning": "2 orders wait, 11 is far", "action": "8"}',
    "JSON with the three lines": '{"Teammate role belief": "serve", "Intention for Player 1": "11", '
    '"Plan for Player 0": "8"}',
    "JSON in a fence": 'Here it is:\n```json\n{"plan": {"index": 8, "name": "GRAB_MEAT"}}\n```',
    "JSON in Python's spelling": "{'plan': 8, 'sure': True}",
    "JSON by player": '{"player_0": {"plan": 8}, "player_1": {"plan": 11}}',
    "three lines in one": 'Teammate role belief: serve; Intention for Player 1: "11"; Plan for Player 0: "8"',
    "a word before the index": "Plan for Player 0: index 8",
    "the word skill": 'Plan for Player 0: "skill 8 (GRAB_MEAT)"',
    "an index twice": "Plan for Player 0: 8 - 8 is the nearest",
    "index, name and index": "Plan for Player 0: 8:GRAB_MEAT (index 8)",
    "an index twice without a label": "I choose 8 because 8 is near.",
    "a number with a reason": "8, because the first order needs meat",
    "a quoted number with a reason that counts": 'Plan for Player 0: "8" because 2 orders wait',
    "a box": r"$\boxed{8}$",
    "tags": "<think>11?</think> Meat is needed. <answer>8</answer>",
    "a tag after the label": "Plan for Player 0: <action>8</action>",
    "an arrow": "Plan for Player 0 → 8",
    "a wide colon": "Plan for Player 0：8",
    "a list of both": "- Player 1: GRAB_RICE\n- Player 0: GRAB_MEAT",
    "both plans": 'Plan for Player 1: "11"\nPlan for Player 0: "8"',
    "both plans, own first": "Plan for Player 0: 8\nPlan for Player 1: 11",
    "headings": "Player 1:\nPlan: 11\n\nPlayer 0:\nPlan: 8",
    "the teammate's plan beside it": "Teammate plan: 11\nMy plan: 8",
    "a first person": "I'll go with action 8.",
    "a clause about the teammate": "Player 1 is boiling rice, so GRAB_MEAT is best.",
    "thoughts that name others": "Plan: get meat, then chop it.\nAction: 8",
}

NOT_OWN = {
    "a plan for the other": 'Plan for Player 1: "8"',
    "P1": "Plan for P1: 8",
    "the other's action": "Player 1's action: 8",
    "the teammate": "Teammate plan: GRAB_MEAT",
    "the partner": "My partner's next action: 8",
    "JSON": '{"teammate_plan": 8}',
    "JSON by player": '{"player_1": {"plan": 8}}',
    "a heading": "Player 1:\n8",
    "a heading with a label": "## Player 1\nAction: 8",
    "both in one": "Plan for Player 0 and Player 1: 8",
    "an intention": 'Intention for Player 1: "8"',
    "a prediction": "Predicted next behavior for Player 1: 8",
    "prose": "Player 1 should GRAB_MEAT",
    "prose about the teammate": "I think my teammate will GRAB_MEAT next",
    "a value below": "Plan for Player 1:\n8",
    "a player that there is not": "Plan for Player 2: 8",
}

NO_ANSWER = ["Step 1: GRAB_MEAT\nStep 2: GRAB_RICE", "Action 1: 8", "1. Chop the meat.", "Plan for Player 0:\n1. Chop."]


@pytest.mark.parametrize("text", PHRASINGS.values(), ids=PHRASINGS)
def test_the_phrasings_of_real_models_are_read(text: str) -> None:
    assert parse_response(text, EVERYTHING, player=0).skill == 8


@pytest.mark.parametrize("text", PHRASINGS.values(), ids=PHRASINGS)
def test_the_same_phrasings_are_read_in_the_other_seat(text: str) -> None:
    mirrored = re.sub(r"(?i)(player[ _]|\bp)([01])", lambda found: f"{found[1]}{1 - int(found[2])}", text)
    assert parse_response(mirrored, EVERYTHING, player=1).skill == 8


@pytest.mark.thorough
@pytest.mark.parametrize("text", ["{", "[", " ", "Plan: ", "<plan>", "P0: ", "\n", "(", "I choose "])
def test_a_long_answer_without_a_plan_is_read_in_linear_time(text: str) -> None:
    assert parse_response(text * 200_000, EVERYTHING, player=0).skill is None


@pytest.mark.parametrize(("text", "skill"), [("1. ", 1), ('"8" ', 8), ("8, ", 8)])
def test_a_long_answer_that_says_the_same_all_along_is_read_in_linear_time(text: str, skill: int) -> None:
    assert parse_response(text * 200_000, EVERYTHING, player=0).skill == skill


@pytest.mark.parametrize("text", NOT_OWN.values(), ids=NOT_OWN)
def test_what_is_said_of_the_other_player_is_never_ones_own_plan(text: str) -> None:
    answer = parse_response(text, EVERYTHING, player=0)
    assert answer.skill is None
    assert answer.problem


@pytest.mark.parametrize("text", NO_ANSWER)
def test_lists_are_not_read(text: str) -> None:
    assert parse_response(text, EVERYTHING, player=0).skill is None


PROBLEMS = {
    "Plan for Player 1: 8": "it plans for Player 1, and not for Player 0",
    "Teammate plan: 8": "it plans for the teammate, and not for Player 0",
    "Plan for Player 0: 27": "there is no skill 27; they are 0 to 26",
    "8: GRAB_RICE": "GRAB_RICE is number 11, not 8",
    "GRAB_MEAT or GRAB_RICE": "it names several skills (GRAB_MEAT, GRAB_RICE), not one",
    "Intention for Player 1: 8": "it has no readable line with the plan for Player 0",
    "Hello!": "no single skill can be read from it",
}


@pytest.mark.parametrize(("text", "problem"), PROBLEMS.items())
def test_the_problem_says_what_is_wrong(text: str, problem: str) -> None:
    assert parse_response(text, EVERYTHING, player=0).problem == problem


def test_a_sentence_that_begins_like_the_line_of_the_belief_is_none_of_it() -> None:
    answer = parse_response('Teammate role belief\nmay be anything.\nPlan for Player 0: "4"', (4,))
    assert (answer.skill, answer.belief_text) == (4, None)


def test_the_three_lines_give_belief_intention_and_plan() -> None:
    answer = parse_response(
        "Teammate role belief: prep_rice, it carries 1 rice\n"
        'Intention for Player 1: "GO_TO_POT_AND_BOIL_RICE"\n'
        'Plan for Player 0: "8"',
        EVERYTHING,
    )
    assert (answer.skill, answer.intention, answer.problem) == (8, 1, None)
    assert answer.belief_text == "prep_rice, it carries 1 rice"


def test_an_infeasible_plan_is_refused_by_name_and_nothing_else_is_taken_for_it() -> None:
    answer = parse_response('Intention for Player 1: "5"\nPlan for Player 0: "8"', (STAY, WASH))
    assert (answer.skill, answer.intention) == (None, WASH)
    assert answer.problem == "8:GRAB_MEAT cannot run now"


@pytest.mark.thorough
@given(st.text(max_size=200), st.sets(st.integers(0, N_SKILLS - 1)))
def test_no_text_yields_an_infeasible_skill(text: str, feasible: set[int]) -> None:
    answer = parse_response(text, feasible)
    assert (answer.skill in feasible) if answer.problem is None else (answer.skill is None)


mangled = st.builds(
    lambda words, ends: " ".join(words) + ends,
    st.lists(
        st.sampled_from(["Player 0", "8", "GRAB_RICE", "(3,4)", "Plan for Player 0:", "stay", "\n", "**", '"']),
        max_size=9,
    ),
    st.sampled_from(["", ".", "\n8", '"']),
)


@given(mangled, st.sets(st.integers(0, N_SKILLS - 1)))
def test_no_mixture_of_fragments_yields_an_infeasible_skill(text: str, feasible: set[int]) -> None:
    answer = parse_response(text, feasible)
    assert (answer.skill in feasible) if answer.problem is None else (answer.skill is None)


letters = st.text(alphabet="abcdefgh ", min_size=2, max_size=12).map(lambda text: f"x{text}x")
aside = st.builds("{} {} {}".format, letters, st.integers(0, 99), letters)


@given(st.lists(aside, min_size=1, max_size=5), st.sampled_from(["\n", ". ", ", ", "\n- ", "\n\n> "]))
def test_numbers_within_prose_are_never_taken_for_the_answer(asides: list[str], joint: str) -> None:
    assert parse_response(joint.join(asides), EVERYTHING).skill is None
    assert parse_response("Plan for Player 0: " + joint.join(asides), EVERYTHING).skill is None


@given(st.lists(aside, max_size=5), st.integers(0, N_SKILLS - 1), st.integers(0, N_SKILLS - 1))
def test_an_answer_on_a_line_of_its_own_is_taken_unless_another_stands_beside_it(
    asides: list[str], skill: int, other: int
) -> None:
    assert parse_response("\n".join([*asides, str(skill)]), EVERYTHING).skill == skill
    both = parse_response("\n".join([str(other), *asides, str(skill)]), EVERYTHING).skill
    assert both == (skill if skill == other else None)


dress = st.sampled_from(["{}", '"{}"', "**{}**", "`{}`", " {} ", "{}.", "[{}]", "*'{}'*"])
spelling = st.sampled_from([str.upper, str.lower, str.title, lambda name: name.replace("_", " "), lambda name: name])
noise = st.text(alphabet="abc xyz0123456789,.()\n", max_size=60).map(lambda text: f"Thinking: {text.strip()} done\n")


@given(st.integers(0, N_SKILLS - 1), dress, spelling, st.booleans(), noise)
def test_every_skill_is_read_from_a_plan_line_whatever_stands_above_it(
    skill: int, dress: str, spelling: Callable[[str], str], by_number: bool, noise: str
) -> None:
    value = str(skill) if by_number else spelling(SKILL_NAMES[skill])
    text = f'{noise}Intention for Player 1: "{(skill + 1) % N_SKILLS}"\nPlan for Player 0: {dress.format(value)}'
    assert parse_response(text, EVERYTHING).skill == skill


@given(st.integers(0, N_SKILLS - 1), dress, spelling, st.booleans())
def test_every_skill_is_read_when_it_stands_alone(
    skill: int, dress: str, spelling: Callable[[str], str], by_number: bool
) -> None:
    value = str(skill) if by_number else spelling(SKILL_NAMES[skill])
    assert parse_response(dress.format(value), EVERYTHING).skill == skill


def test_control_characters_of_an_answer_do_not_reach_the_terminal() -> None:
    answer = parse_response('Teammate role belief: \x1b[2Jserve\x07\nPlan for Player 0: "4"', (4,))
    assert answer.skill == 4
    assert answer.belief_text == "2Jserve"
