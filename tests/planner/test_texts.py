"""Texts are written when they are read, once, and are then those of a tuple."""

import pickle
from copy import deepcopy
from dataclasses import replace

from bba.agents import load_agent
from bba.planner import LLMCall, Prompts, Texts
from bba.play import Game, record


def test_they_are_written_once_when_they_are_read():
    written = []
    texts = Texts(lambda: written.append(1) or ("a", "b"))
    call = LLMCall("plan", texts, "7")
    assert not written
    assert (call.texts[0], call.question) == ("a", "b")
    assert [message["role"] for message in call.messages] == ["system", "user"]
    assert written == [1]


def test_they_are_as_a_tuple():
    texts, written = Texts(lambda: iter("ab")), ("a", "b")
    assert texts == written
    assert written == texts
    assert texts == Texts(lambda: written)
    assert texts != ("a",)
    assert (len(texts), texts[1], texts[:1], hash(texts), repr(texts)) == (2, "b", ("a",), hash(written), repr(written))
    assert [type(copied(texts)) for copied in (deepcopy, lambda one: pickle.loads(pickle.dumps(one)))] == [tuple] * 2
    assert replace(LLMCall("plan", texts, "7"), skill=7) == LLMCall("plan", written, "7", skill=7)


def test_a_game_writes_no_prompt_that_nobody_reads(monkeypatch):
    asked = []
    user = Prompts.user
    monkeypatch.setattr(Prompts, "user", lambda *arguments: asked.append(1) or user(*arguments))
    trace = Game("open", load_agent("bayes"), "switching", 3, horizon=60).run()
    plans = [plan for tick in trace.ticks if (plan := tick.decisions[0].plan) is not None]
    assert len(plans) > 3
    assert not asked
    assert plans[-1].question.startswith("=== TEAMMATE BELIEF")
    assert len(asked) == plans[-1].turns + 1, "the earlier questions that are sent along, too"
    recorded = [call for _, call in record(trace).players[0].calls]
    assert recorded == plans
    assert all(type(call.texts) is tuple for call in recorded)
    assert len(asked) == len(plans), "each question is written once"


def test_the_system_prompt_of_all_questions_of_a_game_is_one_object():
    trace = Game("open", load_agent("bayes"), "switching", 3, horizon=60).run()
    plans = [plan for tick in trace.ticks if (plan := tick.decisions[0].plan) is not None]
    assert len({id(plan.texts[0]) for plan in plans}) == 1 < len(plans)
