"""What people who wait are told of a question: which attempt it is, and how long nothing usable has come."""

import threading

import pytest

from bba.planner import Planner
from bba.planner.chat import QuestionProgress, follow, progress
from bba.planner.llm.pipeline import model_backend
from tests.helpers.fake_endpoint import answers, refuses, running, unreachable
from tests.helpers.model_backends import FETCH_OR_STAY, HELLO, backend, options
from tests.helpers.planner_scenes import PROMPTS


@pytest.fixture
def followed():
    """The progress of this thread's decision."""
    now = QuestionProgress()
    follow(now)
    yield now
    follow(None)


def watched(endpoint, now, **fields):
    """A backend that notes the retry that is shown in each pause between two attempts."""
    seen = []
    return model_backend(options(endpoint, **fields), sleep=lambda _: seen.append(now.retry)), seen


def test_a_retry_says_which_attempt_comes_and_why(followed):
    with running() as endpoint:
        endpoint.behaviours = [refuses(503, "overloaded"), refuses(429, "slow down"), answers("4")]
        model, seen = watched(endpoint, followed, attempts=5)
        model.complete(HELLO)
    assert [(retry.number, retry.most, retry.reached) for retry in seen] == [(2, 5, True), (3, 5, True)]
    assert [retry.problem for retry in seen] == ["503: overloaded", "429: slow down"]


def test_an_endpoint_that_was_never_reached_is_said_to_be_away(followed):
    with unreachable() as url:
        model, seen = watched(type("Gone", (), {"url": url}), followed)
        with pytest.raises(Exception, match="no connection"):
            model.complete(HELLO)
    assert [(retry.number, retry.most, retry.reached) for retry in seen] == [(2, 2, False)]


def test_silence_goes_on_over_decisions_until_an_answer_can_be_used(followed):
    with running() as endpoint:
        endpoint.behaviours = [answers("no plan"), answers("no plan"), answers("4")]
        planner = Planner(backend(endpoint, give_up_after=9), PROMPTS, kind="base", retries=0)
        planner.decide(FETCH_OR_STAY, "once")
        planner._breaker._seconds = 30.0  # as if asking had taken so long
        planner.decide(FETCH_OR_STAY, "twice")
        assert followed.silence >= 30.0 > followed.seconds
        planner.decide(FETCH_OR_STAY, "now it answers")
        planner.decide(FETCH_OR_STAY, "and again")
        assert followed.silence < 30.0


def test_a_new_question_is_a_first_attempt(followed):
    with running() as endpoint:
        endpoint.behaviours = [refuses(503), answers("4")]
        planner = Planner(backend(endpoint), PROMPTS, kind="base", retries=0)
        planner.decide(FETCH_OR_STAY)
        assert followed.retry.number == 2
        planner.decide(FETCH_OR_STAY)
        assert followed.retry is None


def test_each_thread_has_a_progress_of_its_own_and_nobody_needs_one(followed):
    others = []
    thread = threading.Thread(target=lambda: others.append(progress()))
    thread.start()
    thread.join()
    assert progress() is followed
    assert others[0] is not followed
