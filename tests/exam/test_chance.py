"""The exam knows chance: it is computed exactly, and a planner that draws its answers is not told apart from it."""

import random
from statistics import fmean

import pytest

from bba.exam.answers import Answer, ExamConditions, Result, ask, read_result
from bba.exam.marks import EXAM_MARKS, MARK, items_of, marks_of, places
from bba.exam.report import (
    AT_RANDOM,
    NOT_TOLD_APART,
    SHIPPED_ANSWERS,
    as_markdown,
    between_repeats,
    figure,
    references,
    rows_of,
    verdict,
)
from bba.exam.report import verdicts as all_verdicts
from bba.exam.situations import digest, load_situations, questions
from bba.kitchen.constants import SKILL_STAY


def result(choose, planner="drawn", **asked):
    """The answers of a planner that chooses a skill for each question."""
    how = ExamConditions(exam=digest(load_situations()), **asked)
    given = [Answer(question=one.key, skill=choose(one)) for one in questions(load_situations(), how.order)]
    return Result(planner=planner, version="1", asked=how, total=len(given), answers=tuple(given))


def drawn(seed, **asked):
    rng = random.Random(seed)
    return result(lambda one: rng.choice(one.offered), **asked)


def than_chance(items, name="lost"):
    return verdict(items, [item.at_random() for item in items], name)


def test_a_planner_that_draws_its_answers_is_called_chance_under_nine_of_ten_seeds():
    found = [than_chance(items_of(drawn(seed))) for seed in range(10)]
    assert found.count(NOT_TOLD_APART) >= 9


def test_the_scripted_and_the_rollout_planner_are_told_apart_from_chance():
    rows = {row.name: row.items for row in references()}
    assert than_chance(rows["scripted"]) == than_chance(rows["rollout"]) == "better"


@pytest.mark.thorough
def test_chance_is_the_mean_of_many_drawn_exams(few):
    exact = marks_of(next(row.items for row in references() if row.name == AT_RANDOM))
    many = [marks_of(items_of(drawn(seed))) for seed in range(200)]
    for mark in EXAM_MARKS:
        if mark.name != "most_frequent":  # of few answers, chance makes one more frequent than it is on average
            mean = fmean(of[mark.name].mean for of in many)
            assert mean == pytest.approx(exact[mark.name].mean, abs=0.8 if mark.points else 0.05)
        assert exact[mark.name].low is None


@pytest.mark.thorough
def test_every_table_and_picture_has_chance_constant_answers_and_both_embedded_planners(few):
    text, drawing = as_markdown([drawn(0)]), figure([drawn(0)])
    for name in (AT_RANDOM, "always the first", "always STAY", "scripted", "rollout", "drawn"):
        assert f"| {name} " in text
        assert f">{name}</text>" in drawing


def test_a_planner_that_was_asked_stands_in_the_place_of_its_reference(few):
    names = [row.name for row in rows_of([result(lambda one: one.offered[-1], planner="scripted")])]
    assert names.count("scripted") == 1
    assert names[-1] == "scripted"


def test_one_answer_to_everything_is_said(few):
    items = items_of(result(lambda _: SKILL_STAY))
    assert marks_of(items)["most_frequent"].mean == 1
    assert "one answer to 100 % of the questions: STAY" in list(all_verdicts(items))


def test_a_model_that_only_talks_is_chance_though_its_cook_waits(few):
    talks = result(lambda _: SKILL_STAY)
    given = tuple(answer.model_copy(update={"problem": "prose"}) for answer in talks.answers)
    items = items_of(talks.model_copy(update={"answers": given}))
    assert than_chance(items) == NOT_TOLD_APART
    assert "in these comparisons an unusable answer counts as one at random" in list(all_verdicts(items))


def test_places_in_the_list_are_counted(few):
    first, chance = items_of(result(lambda one: one.offered[0])), items_of(drawn(1))
    assert places(first)[0] == MARK["first"].of(first).mean == 1
    assert sum(places([item.at_random() for item in chance])) == pytest.approx(1)
    assert any("place in the list" in said for said in all_verdicts(first))


def test_a_drawn_order_is_that_of_its_question_and_repeat_and_is_what_the_planner_is_told(few):
    plain, shuffled, again = (questions(few, order) for order in (None, 1, 2))
    assert all(one.offered == tuple(sorted(one.offered)) == one.observation().feasible() for one in plain)
    assert [one.offered for one in shuffled] == [one.offered for one in questions(few, 1)]
    assert {one.key for one in shuffled if one.offered != one.observation().feasible()} == set()
    assert [one.offered for one in shuffled] != [one.offered for one in plain] != [one.offered for one in again]
    assert [one.offered for one in shuffled] != [one.offered for one in again]
    assert all(sorted(one.offered) == sorted(other.offered) for one, other in zip(plain, shuffled, strict=True))


def test_whoever_always_takes_the_first_place_is_chance_where_the_order_is_drawn():
    assert than_chance(items_of(result(lambda one: one.offered[0], shuffled=True)), "agrees") == NOT_TOLD_APART


def test_repeats_are_compared_with_each_other(few):
    (said,) = between_repeats([drawn(0, repeat=1), drawn(1, repeat=2)])
    assert said.startswith("drawn, 2 times: points lost ")
    (same,) = between_repeats([drawn(0, repeat=1), drawn(0, repeat=2)])
    assert "0.0 between repeats" in same
    assert "100 % of the answers always the same" in same


def test_the_answers_of_the_rollout_planner_that_ship_are_those_to_this_exam():
    shipped = read_result(SHIPPED_ANSWERS)
    assert shipped.complete
    assert shipped.planner == "rollout"
    assert shipped.asked.exam == digest(load_situations())


@pytest.mark.thorough
def test_the_rollout_planner_still_answers_so():
    from bba.agents import SeatSpec, skill_planner

    shipped = {answer.question: answer.skill for answer in read_result(SHIPPED_ANSWERS).answers}
    planner = skill_planner("bayes", SeatSpec(planner="rollout"))
    asked = questions(load_situations())[::20]
    assert [ask(planner, one).skill for one in asked] == [shipped[one.key] for one in asked]
