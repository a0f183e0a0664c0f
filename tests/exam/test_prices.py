"""What games and benchmarks cost, judged by an exam: as the estimate of sweeps, for answers as long as expected."""

import pytest

from bba.agents import SeatSpec
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.price_estimate import estimate, usage_table
from bba.exam.answers import Answer, ExamConditions, Result, exam_usage, prices, used
from bba.exam.situations import load_situations, questions
from bba.planner import Prompts, Usage
from bba.planner.model_options import ModelOptions


def result(asked, factor=1.0, longer=0):
    expected = exam_usage(asked, Prompts.load()).prompt_tokens / len(asked)
    received = round(usage_table()["bayes"].completion_tokens) + longer
    usage = Usage(round(expected * factor), received, cost=0.01)
    answers = tuple(Answer(question=one.key, skill=4, usage=usage) for one in asked)
    return Result(
        planner="openai:gpt-4o", version="1", asked=ExamConditions(exam="x"), total=len(asked), answers=answers
    )


def test_a_benchmark_costs_what_its_own_estimate_says(few):
    asked = questions(load_situations())
    model = ModelOptions(model="gpt-4o", base_url="http://127.0.0.1:1")
    plan = plan_sweep(load_sweep("quick"), SeatSpec(planner="openai", model=model), one_model=True)
    found = prices(result(asked), asked)
    assert found.sweeps["quick"] == pytest.approx(estimate(plan.episodes.values()).dollars, rel=0.01)


def test_more_tokens_and_longer_answers_cost_more(few):
    asked = questions(load_situations())
    usual, dear, long = (prices(result(asked, *how), asked).games["bayes"] for how in ((1,), (2,), (1, 1000)))
    assert dear > 1.5 * usual
    assert long > 1.5 * usual


def test_the_time_of_a_question_is_the_median():
    answers = tuple(Answer(question=str(number), skill=4, seconds=number) for number in (9, 1, 5, 3, 2))
    asked = Result(planner="openai:gpt-4o", version="1", asked=ExamConditions(exam="x"), total=5, answers=answers)
    assert used(asked).seconds == 3


def test_without_a_price_or_usage_there_is_none(few):
    asked = questions(load_situations())
    assert prices(result(asked).model_copy(update={"planner": "scripted"}), asked) is None
