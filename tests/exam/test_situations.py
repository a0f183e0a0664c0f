"""The situations that ship: from games of the program, of every kind in every kitchen, and what they say they are."""

from collections import Counter

import numpy as np
import pytest

from bba.belief import NO_ROLE
from bba.errors import BBAError
from bba.exam.answers import ask, scripted
from bba.exam.marks import heeding
from bba.exam.situations import SITUATION_KINDS, load_situations, questions
from bba.kitchen import Layout
from bba.kitchen.constants import SKILL_STAY
from bba.play import Game
from benchmarks.exam_situations import is_example, moments

SHIPPED = load_situations()


def of_kind(kind):
    return [one for one in SHIPPED if one.kind == kind]


def test_there_are_200_questions_about_every_kind_in_every_kitchen():
    assert len(questions(SHIPPED)) == len({question.key for question in questions(SHIPPED)}) == 200
    cells = Counter((one.kitchen, one.kind) for one in SHIPPED)
    full = {(kitchen, kind) for kitchen in Layout.names() for kind in SITUATION_KINDS}
    assert full - cells.keys() == {("forced_coordination", "wrong")}  # no belief was wrong in those games
    assert min(cells.values()) >= 3


def test_no_game_has_the_seed_of_a_sweep_or_of_a_measurement_that_must_stay_unseen():
    assert all(one.seed >= 20 and one.seed not in range(100, 120) for one in SHIPPED)


def test_a_situation_is_a_step_of_its_game():
    one = min((one for one in SHIPPED if one.partner == "switching"), key=lambda one: one.step)
    trace = Game(one.kitchen, "bayes", one.partner, one.seed, horizon=2400, fast=True)
    while trace.kitchen.steps <= one.step + 30:  # a switch is known some steps later
        trace.step()
    assert tuple(trace.trace.ticks[one.step - 1].state.tolist()) == one.state
    (moment,) = (moment for moment in moments(trace.trace) if moment.index == one.step)
    assert moment.belief.posterior == one.belief.posterior
    assert moment.belief.commitment == one.belief.commitment + 1  # the exam was written when u counted from 0
    assert moment.truth == one.truth
    assert is_example(moment, one.kind)


@pytest.mark.parametrize("one", SHIPPED, ids=lambda one: one.name)
def test_what_can_be_done_in_it_is_valued(one):
    feasible = one.observation().feasible()
    assert SKILL_STAY in feasible
    for variant in one.variants:
        assert one.values[variant].keys() == set(feasible)


def test_beliefs_are_what_the_kinds_say():
    assert all(one.belief.confident and one.belief.role == one.truth for one in of_kind("right"))
    assert all(one.belief.confident and one.truth not in (NO_ROLE, one.belief.role) for one in of_kind("wrong"))
    assert not any(one.belief.confident for one in of_kind("uncertain"))
    assert all(one.other.role != one.belief.role for one in SHIPPED if one.other)


def test_hazards_can_be_dealt_with_and_other_things_done():
    for one in of_kind("hazard"):
        scene, feasible = one.observation().scene(), set(one.observation().feasible())
        skills = heeding(scene)
        assert skills & feasible
        assert feasible - skills


def test_where_the_need_is_clear_the_scripted_planner_answers_the_same_whatever_is_believed():
    planner = scripted()
    for one in of_kind("clear"):
        asked = questions((one,))
        assert len({ask(planner, question).skill for question in asked}) == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{}", "valid array"),
        ('[{"name": "x"}]', "0.kind: missing"),
        ("[", "Invalid JSON"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_in_one_line(tmp_path, text, problem):
    path = tmp_path / "exam.json"
    path.write_text(text)
    with pytest.raises(BBAError, match=problem) as caught:
        load_situations(path)
    assert "\n" not in str(caught.value)


def test_a_state_of_another_kitchen_is_refused():
    one = SHIPPED[0].model_copy(update={"kitchen": "open" if SHIPPED[0].kitchen != "open" else "ring"})
    with pytest.raises(BBAError, match="has another size than its state"):
        one.observation()


def test_the_state_is_one_of_32_bit_numbers():
    assert all(np.array(one.state).dtype.kind == "i" and max(map(abs, one.state)) < 2**31 for one in SHIPPED)
