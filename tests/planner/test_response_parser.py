"""The parser takes an answer in any dress, and nothing that is not the answer."""

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
