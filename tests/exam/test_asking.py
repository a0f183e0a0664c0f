"""Questions are asked one by one or several at a time, and a dead planner ends the exam."""

import threading

import pytest

from bba.agents.base import Decision
from bba.agents.skill_planner import PromptPlanner
from bba.errors import BBAError
from bba.exam.answers import answers, ask, scripted
from bba.exam.situations import questions
from bba.planner import LLMCall, ModelUnusable, Planner, Prompts, ScriptedBackend


class Slow:
    """Answers with a skill that is told by the question; fails from a number of questions on."""

    name, rollout, ready = "slow", None, True

    def __init__(self, counter, fails_at=None):
        self._counter, self._fails_at = counter, fails_at

    def reset(self, context):
        self.context = context

    def plan(self, observation, belief):
        with self._counter["lock"]:
            self._counter["asked"] += 1
            number = self._counter["asked"]
        if self._fails_at is not None and number >= self._fails_at:
            raise ModelUnusable("it is dead")
        call = LLMCall("plan", ("system", "question"), "4", attempts=2, skill=4)
        return Decision(4, chosen=True, calls=(call,))


@pytest.fixture
def counter():
    return {"lock": threading.Lock(), "asked": 0}


@pytest.mark.parametrize("at_once", [1, 4])
def test_every_question_is_asked_once(few, counter, at_once):
    asked = questions(few)
    given = list(answers(lambda: Slow(counter), asked, at_once=at_once))
    assert sorted(answer.question for answer in given) == sorted(question.key for question in asked)
    assert counter["asked"] == len(asked)
    assert {(answer.skill, answer.attempts, answer.problem) for answer in given} == {(4, 2, None)}


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_planner_that_will_not_answer_ends_it_and_what_was_answered_is_kept(few, counter, at_once):
    given = []
    with pytest.raises(BBAError, match="it is dead"):
        given.extend(answers(lambda: Slow(counter, fails_at=9), questions(few), at_once=at_once))
    assert counter["asked"] <= 9 + at_once
    assert len(given) == 8


def test_an_answer_depends_on_its_question_alone(few):
    forwards = {answer.question: answer.skill for answer in answers(scripted, questions(few))}
    backwards = {answer.question: answer.skill for answer in answers(scripted, questions(few)[::-1])}
    assert forwards == backwards


def test_the_prompt_holds_the_belief_of_its_variant(few):
    shown = {}

    class Reader:
        name, rollout, ready = "reader", None, True

        def reset(self, context):
            pass

        def plan(self, observation, belief):
            shown[len(shown)] = belief
            return Decision(4, chosen=True)

    one = next(one for one in few if one.other)
    for question in questions((one,)):
        ask(Reader(), question)
    assert shown[0].update.posterior == one.belief.posterior
    assert shown[1].update.posterior == one.other.posterior
    assert shown[2] is None


def test_the_scripted_planner_answers_in_the_state_as_it_answers_a_prompt(few):
    asked_in_prompts = Planner(ScriptedBackend(), Prompts.load(), kind="bayes", history_turns=0)
    by_prompt, by_state = PromptPlanner(asked_in_prompts, "scripted"), scripted()
    for question in questions(few):
        answer, expected = ask(by_state, question), ask(by_prompt, question)
        assert (answer.skill, answer.text, answer.problem) == (expected.skill, expected.text, expected.problem)
