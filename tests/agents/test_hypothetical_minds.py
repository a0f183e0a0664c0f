"""Hypothetical minds: what it asks and when, what it learns of the answers, and how its past is taken over."""

import re

import pytest

from bba.agents import SeatSpec, load_agent, reconfigure
from bba.agents.planning_agent import HYPOTHETICAL_MINDS
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.kitchen import constants
from bba.planner import NoAnswer, Reply, ScriptedBackend
from bba.planner.scripted import prompt_reader
from bba.planner.scripted.hypotheses import MOST_EVENTS
from bba.planner.scripted.scripted_chat import EVALUATE, GENERATE, PREDICT
from bba.play import Game
from tests.helpers.planner_scenes import side_queries
from tests.helpers.planning_agents import planning_agent

STEPS = 300
MARKS = {
    "evaluate": EVALUATE,
    "generate": GENERATE,
    "predict": PREDICT,
}


class Prepared(ScriptedBackend):
    """The scripted planner, but with answers of our own to some questions, used up one by one."""

    def __init__(self, **answers):
        self.answers = {kind: list(given) for kind, given in answers.items()}
        self.asked = []

    def complete(self, messages):
        question = messages[1]["content"]
        kind = next((kind for kind, mark in MARKS.items() if mark in question), "plan")
        self.asked.append((kind, [dict(message) for message in messages]))
        answer = self.answers[kind].pop(0) if self.answers.get(kind) else None
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer) if answer is not None else super().complete(messages)


def played(backend=None, steps=STEPS, seed=0):
    agent = planning_agent(HYPOTHETICAL_MINDS.name, backend or Prepared())
    return Game("open", agent, "switching", seed, horizon=steps).run(), agent


@pytest.fixture(scope="module")
def game():
    backend = Prepared()
    trace, _ = played(backend)
    return trace, backend


def test_it_asks_at_most_four_things_a_decision_and_in_their_order(game):
    trace, backend = game
    order = ["evaluate", "generate", "predict"]
    for tick in trace.ticks:
        kinds = [call.kind for call in side_queries(tick.decisions[0])]
        assert kinds == sorted(set(kinds), key=order.index)
    calls = sum(len(tick.decisions[0].calls) for tick in trace.ticks)
    assert len(backend.asked) == calls
    assert {kind for kind, _ in backend.asked} == {*order, "plan"}


def test_it_thinks_only_when_it_has_to_choose(game):
    trace, _ = game
    for tick in trace.ticks:
        decision = tick.decisions[0]
        assert not decision.replanned
        assert decision.chosen or not decision.calls
        assert tick.ended[0] != constants.INTERRUPTED


def test_with_nothing_seen_it_only_plans():
    backend = Prepared()
    played(backend, steps=1)
    assert [kind for kind, _ in backend.asked] == ["plan"]
    assert "none yet" in backend.asked[0][1][-1]["content"]


def test_the_planner_is_told_the_best_hypotheses_their_values_and_the_last_events(game):
    _, backend = game
    kind, messages = backend.asked[-1]
    told = messages[-1]["content"]
    assert kind == "plan"
    assert told.startswith("=== HYPOTHESES ABOUT PLAYER 1 ===")
    assert "  1. (+" in told
    assert "-> expects " in told
    assert told.count("\n  step ") == MOST_EVENTS
    lines = [line.partition(":")[0] for line in messages[0]["content"].splitlines()[-3:]]
    assert lines == ["Teammate strategy hypothesis", "Predicted next behavior for Player 1", "Plan for Player 0"]
    assert "Bayesian" not in messages[0]["content"]
    seen = [line for line in told.splitlines() if line.startswith("  step ")]
    assert all(re.fullmatch(r"  step \d+: .*, holds [\w-]+, at \(\d+,\d+\)", line) for line in seen)


def test_values_follow_the_verdicts_of_the_model_and_a_sure_hypothesis_ends_the_search():
    always = Prepared(evaluate=["1: TRUE"] * 99, generate=["Hypothesis: it does one thing"] * 99)
    trace, agent = played(always)
    asked = [call.kind for tick in trace.ticks for call in tick.decisions[0].calls]
    scored = asked.count("evaluate")
    assert agent._planner._hypotheses.ranked[0].value == pytest.approx(1 - 0.7**scored)
    assert scored > 4
    while_unsure = asked[: [i for i, kind in enumerate(asked) if kind == "evaluate"][3]]
    assert asked.count("generate") == while_unsure.count("generate"), "none after the fourth truth: 0.76 > 0.7"


def test_a_reply_that_must_be_asked_for_again_scores_once():
    clumsy = Prepared(evaluate=["1: TRUE and FALSE", "1: TRUE"], generate=["Hypothesis: it does one thing"] * 99)
    trace, _ = played(clumsy)
    first = next(call for tick in trace.ticks for call in tick.decisions[0].calls if call.kind == "evaluate")
    assert (first.attempts, first.problem) == (2, None)
    after = next(messages for kind, messages in clumsy.asked if kind == "plan" and "(+0.30)" in messages[-1]["content"])
    assert "(+0.51)" not in after[-1]["content"]


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(("layout", "ask"), [("open", "changed"), ("forced_coordination", "always")])
def test_by_the_state_it_plays_and_answers_as_in_prompts_which_nobody_reads(layout, ask, fast, monkeypatch):
    in_prompts = planning_agent(HYPOTHETICAL_MINDS.name, ScriptedBackend(), ask=ask)
    read = Game(layout, in_prompts, "switching", 3, horizon=STEPS, fast=fast).run()
    read_ticks = list(read.ticks)
    monkeypatch.setattr(prompt_reader, "parse_prompt", lambda *_: pytest.fail("a prompt was read"))
    by_state = load_agent(HYPOTHETICAL_MINDS.name, SeatSpec(ask=ask))
    trace = Game(layout, by_state, "switching", 3, horizon=STEPS, fast=fast).run()
    for tick, other in zip(trace.ticks, read_ticks, strict=True):
        assert (tick.state == other.state).all()
        assert tick.decisions == other.decisions
    kinds = {call.kind for tick in trace.ticks for call in tick.decisions[0].calls}
    assert kinds == {"evaluate", "generate", "predict", "plan"}


@pytest.mark.thorough
@pytest.mark.parametrize("unusable", ["dunno", NoAnswer("time is up")])
def test_what_cannot_be_used_changes_nothing_and_is_marked(unusable):
    lost = Prepared(evaluate=[unusable] * 999, generate=["Hypothesis: it does one thing"] * 99)
    trace, agent = played(lost)
    calls = [call for tick in trace.ticks for call in tick.decisions[0].calls if call.kind == "evaluate"]
    assert calls
    assert all(call.problem for call in calls)
    assert [known.value for known in agent._planner._hypotheses.ranked] == [0.0]


def test_without_usable_predictions_nothing_is_evaluated():
    trace, _ = played(Prepared(predict=["no idea"] * 999), steps=150)
    kinds = {call.kind for tick in trace.ticks for call in side_queries(tick.decisions[0])}
    assert kinds == {"generate", "predict"}


def test_a_prediction_is_evaluated_with_what_was_seen_after_it_was_made(game):
    _, backend = game
    made = 0
    for kind, messages in backend.asked:
        question = messages[1]["content"]
        if kind == "predict":
            made = int(question.partition("Scene ")[2].partition(".")[0])
        elif kind == "evaluate":
            assert all(int(part.partition(":")[0]) > made for part in question.split("\n  step ")[1:])


def asked_of_partner(ask):
    """The number of questions about the partner in a game, and those decisions in which they were asked needlessly."""
    backend = Prepared()
    trace = Game("open", planning_agent(HYPOTHETICAL_MINDS.name, backend, ask=ask), "switching", 0, horizon=STEPS).run()
    needless, told = 0, None
    for tick in trace.ticks:
        queries = [call for call in tick.decisions[0].calls if call.kind in ("generate", "predict")]
        events = re.findall(r"^  step .*", queries[-1].question, re.MULTILINE) if queries else None
        needless += queries != [] and events == told
        told = events if queries else told
    return sum(kind != "plan" for kind, _ in backend.asked), needless


@pytest.mark.thorough
def test_it_generates_and_predicts_only_after_new_events_unless_it_is_to_ask_always():
    few, none_needless = asked_of_partner("changed")
    many, needless = asked_of_partner("always")
    assert none_needless == 0
    assert needless > 0
    assert 0 < few < many


def test_it_has_nothing_to_tune_and_needs_a_planner():
    agent = load_agent("hypothetical-minds")
    assert (agent.profile.agent, agent.profile.planner, agent.profile.belief_config) == (
        "hypothetical-minds",
        "scripted",
        None,
    )
    with pytest.raises(BBAError, match="no belief and no gate"):
        reconfigure(agent, BeliefConfig())
