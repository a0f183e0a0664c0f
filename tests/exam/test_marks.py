"""The marks: of answers that were made up, so that each mark has a known value."""

import pytest

from bba.belief import COMPLEMENTS, ROLE_OF_SKILL, ROLE_SKILLS
from bba.bench.statistics import share_of
from bba.exam.answers import Answer, ExamConditions, Result
from bba.exam.marks import EXAM_MARKS, items_of, mark_text, marks_by, marks_of, reference_answers
from bba.exam.report import all_marks, as_markdown
from bba.exam.situations import load_situations, questions
from bba.kitchen.constants import N_SKILLS, SKILL_STAY
from bba.planner import Message, Usage


def result(choose, **fields):
    """The answers of a planner that chooses a skill for each question."""
    asked = questions(load_situations())
    given = [Answer(question=one.key, skill=choose(one), **fields) for one in asked]
    return Result(
        planner="made-up", version="1", asked=ExamConditions(exam="x"), total=len(asked), answers=tuple(given)
    )


def complement(question):
    """A feasible skill that complements what the prompt believes; without a belief, a skill of its own role."""
    feasible = question.situation.observation().feasible()
    shown = question.belief
    role = question.situation.belief.role if shown is None else shown.role
    wanted = {skill for other in COMPLEMENTS[role] for skill in ROLE_SKILLS[other]} if shown else ROLE_SKILLS[role]
    return next((skill for skill in feasible if skill in wanted), SKILL_STAY)


def duplicate(question):
    feasible = question.situation.observation().feasible()
    role = question.situation.belief.role if question.belief is None else question.belief.role
    return next((skill for skill in feasible if ROLE_OF_SKILL[skill] == role), SKILL_STAY)


def marks(choose, **fields):
    return marks_of(items_of(result(choose, **fields)))


def test_who_complements_every_belief_follows_it_and_duplicates_nothing(few):
    found = marks(complement)
    assert found["complementary"].mean > marks(duplicate)["complementary"].mean
    assert found["duplicates"].mean == 0
    assert found["follows"].mean > 0
    assert found["changed"].mean > 0


def test_a_skill_without_a_value_loses_as_much_as_the_worst_that_has_one():
    def infeasible(question):
        return next(skill for skill in range(N_SKILLS) if skill not in question.offered)

    values = [one.situation.values[one.variant].values() for one in questions(load_situations())]
    worst = [max(found) - min(found) for found in values]
    assert marks(infeasible)["lost"].mean == pytest.approx(sum(worst) / len(worst))


def test_who_always_waits_follows_nothing(few):
    found = marks(lambda _: SKILL_STAY)
    assert found["follows"].mean == found["changed"].mean == found["changed_clear"].mean == found["heeded"].mean == 0
    assert found["complementary"].mean == found["fits_truth"].mean == 0
    assert found["waits"].mean == 1


def test_who_answers_as_the_scripted_planner_agrees_with_it(few):
    reference = reference_answers()
    found = marks(lambda question: reference[question.key])
    assert found["agrees"].mean == found["usable"].mean == found["usable_at_once"].mean == 1
    assert found["changed_clear"].mean == 0


def test_the_best_skills_by_the_rollout_planner_lose_no_points(few):
    def best(question):
        values = question.situation.values[question.variant]
        return max(values, key=values.__getitem__)

    assert marks(best)["lost"].mean == 0
    assert marks(duplicate)["lost"].mean > 0


def test_usable_answers_are_told_from_those_that_needed_a_re_ask_and_from_none(few):
    assert marks(complement, attempts=2)["usable_at_once"].mean == 0
    assert marks(complement, attempts=2)["usable"].mean == 1
    assert marks(complement, problem="prose")["usable"].mean == 0


def test_nothing_to_count_is_no_mark():
    assert set(marks_of([]).values()) == {None}
    assert mark_text(None, EXAM_MARKS[0]) == "–"


def test_groups_are_those_of_the_questions(few):
    items = items_of(result(complement))
    assert set(marks_by(items, lambda item: item.situation.kitchen)) == {"open", "ring"}


@pytest.mark.parametrize(
    ("hits", "total", "low", "high"), [(0, 10, 0.0, 0.278), (10, 10, 0.722, 1.0), (50, 100, 0.404, 0.596)]
)
def test_a_share_has_wilsons_interval(hits, total, low, high):
    found = share_of([True] * hits + [False] * (total - hits))
    assert (found.mean, found.n) == (hits / total, total)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.001)


def test_tables_hold_every_mark_and_planner(few):
    table = all_marks(items_of(result(complement)))
    assert len(table.rows) == len(EXAM_MARKS)
    assert {len(row) for row in table.rows} == {len(table.columns)}
    text = as_markdown([result(complement), result(duplicate).model_copy(update={"planner": "another"})])
    assert "| made-up" in text
    assert "| another" in text


def test_an_answer_is_the_plan_that_it_was_in_a_game(few):
    question = questions(load_situations())[0]
    answer = Answer(question=question.key, skill=8, problem="no skill", attempts=2, text="rice", usage=Usage(5, 2))
    prompt = (Message(role="system", content="rules"), Message(role="user", content="what now?"))
    call = answer.as_call(prompt)
    assert call.messages == prompt
    assert (call.kind, call.skill, call.response) == ("plan", 8, "rice")
    assert (call.problem, call.attempts, call.usage) == ("no skill", 2, Usage(5, 2))
    assert answer.as_call().messages == ()
