"""The planner's protocol: history, re-asking, fallback."""

from collections.abc import Sequence

import pytest

from bba.errors import BBAError
from bba.planner import Message, Planner, Reply
from tests.helpers.planner_scenes import PROMPTS, cook, situation

FETCH_OR_STAY = situation(cook(1, 1), cook(2, 1), feasible=(4, 8))


class Told:
    """A backend that gives prepared answers and keeps what it was sent."""

    name = "told"

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.sent: list[list[Message]] = []

    def complete(self, messages: Sequence[Message]) -> Reply:
        self.sent.append([*messages])
        return Reply(self.answers.pop(0))


def test_a_usable_answer_is_taken_at_once() -> None:
    backend = Told("8")
    call = Planner(backend, PROMPTS, kind="base").decide(FETCH_OR_STAY)
    assert (call.skill, call.attempts, call.fallback, call.problem) == (8, 1, False, None)
    assert [message["role"] for message in call.messages] == ["system", "user"]
    assert call.messages[1]["content"] == PROMPTS.user(FETCH_OR_STAY)


def test_an_infeasible_answer_is_sent_back_with_the_feasible_skills() -> None:
    backend = Told("11", "8")
    call = Planner(backend, PROMPTS, kind="base").decide(FETCH_OR_STAY)
    assert (call.skill, call.attempts, call.fallback) == (8, 2, False)
    assert call.messages[-2:] == (
        {"role": "assistant", "content": "11"},
        {"role": "user", "content": PROMPTS.retry("11", "11:GRAB_RICE cannot run now", (4, 8))},
    )


def test_a_plan_for_the_teammate_is_sent_back_with_what_is_wrong() -> None:
    backend = Told("Plan for Player 1: 8", "Plan for Player 0: 8")
    assert Planner(backend, PROMPTS, kind="base").decide(FETCH_OR_STAY).attempts == 2
    said = backend.sent[1][-1]["content"]
    assert said.startswith('Your answer "Plan for Player 1: 8" cannot be used: it plans for Player 1, and not for Play')


def test_after_the_last_retry_it_stays_and_says_that_this_is_a_fallback() -> None:
    backend = Told("11", "what?", "", "GRAB_RICE")
    call = Planner(backend, PROMPTS, kind="base", retries=3).decide(FETCH_OR_STAY)
    assert (call.skill, call.attempts, call.fallback) == (4, 4, True)
    assert (call.response, call.problem) == ("GRAB_RICE", "11:GRAB_RICE cannot run now")


def test_the_last_three_turns_are_sent_along_without_their_retries() -> None:
    backend = Told("11", "8", "4", "8", "4", "8")
    planner = Planner(backend, PROMPTS, kind="base")
    for _ in range(5):
        planner.commit(planner.decide(FETCH_OR_STAY))
    last = backend.sent[-1]
    assert [message["role"] for message in last] == ["system", *["user", "assistant"] * 3, "user"]
    assert [message["content"] for message in last if message["role"] == "assistant"] == ["4", "8", "4"]


def test_a_choice_that_is_not_committed_is_not_remembered() -> None:
    backend = Told("8", "8")
    planner = Planner(backend, PROMPTS, kind="base")
    planner.decide(FETCH_OR_STAY)
    planner.decide(FETCH_OR_STAY)
    assert len(backend.sent[-1]) == 2


def test_no_history_is_sent_where_none_is_wanted() -> None:
    backend = Told("8", "8")
    planner = Planner(backend, PROMPTS, kind="base", history_turns=0)
    planner.commit(planner.decide(FETCH_OR_STAY))
    planner.decide(FETCH_OR_STAY)
    assert len(backend.sent[-1]) == 2


def test_hypotheses_stand_above_the_scene() -> None:
    question = PROMPTS.with_hypotheses(FETCH_OR_STAY, hypotheses="  1. (+0.00) it cooks", events="  none yet")
    above, _, scene = question.partition("=\nLayout=")
    assert "  1. (+0.00) it cooks" in above
    assert PROMPTS.user(FETCH_OR_STAY) == f"Layout={scene}"


def test_what_is_asked_may_be_said_otherwise() -> None:
    backend = Told("8")
    Planner(backend, PROMPTS, kind="base").decide(FETCH_OR_STAY, user_message="HYPOTHESES")
    assert backend.sent[0][-1]["content"] == "HYPOTHESES"


def test_the_three_line_answer_is_kept_with_its_intention() -> None:
    backend = Told('Teammate role belief: serve\nIntention for Player 1: "7"\nPlan for Player 0: "8"')
    call = Planner(backend, PROMPTS, kind="bayes").decide(FETCH_OR_STAY)
    assert (call.skill, call.intention, call.belief_text) == (8, 7, "serve")


def test_negative_settings_are_refused() -> None:
    with pytest.raises(BBAError, match="retries=-1"):
        Planner(Told(), PROMPTS, kind="base", retries=-1)
