"""What people who wait are told of a question: which attempt it is, and how long nothing usable has come."""

import json
import threading
import time

import pytest

from bba.llm.pipeline import model_backend
from bba.planner import Planner, Reply
from bba.planner.chat import QuestionProgress, follow, progress
from bba.planner.chat_planner import Patience
from tests.helpers.fake_endpoint import answers, refuses, running, unreachable
from tests.helpers.misbehaviours import chunk
from tests.helpers.model_backends import FETCH_OR_STAY, HELLO, backend, options
from tests.helpers.planner_scenes import PROMPTS
from tests.helpers.slow_planners import PATIENCE


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


def test_what_the_endpoint_does_is_told_while_it_does_it(followed):
    told = []

    def looks(handler):
        handler.close_connection = True
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
        for event in ({"prompt_progress": {"total": 50, "processed": 20}}, chunk("8"), chunk(finish="stop")):
            before, until = followed.heard_at, time.monotonic() + PATIENCE
            handler.wfile.write(f"data: {json.dumps(event)}\n\n".encode())
            while followed.heard_at == before and time.monotonic() < until:
                time.sleep(0.001)
            told.append(followed.doing)

    with running() as endpoint:
        endpoint.behaviours = [looks]
        backend(endpoint).complete(HELLO)
    assert told[:2] == ["reading the question, 40 %", "writing, 1 characters"]


@pytest.mark.thorough
def test_an_answer_that_takes_longer_than_the_patience_is_no_silence(followed):
    class Slow:
        name, patience = "slow", Patience(decisions=9, seconds=0.05)

        def complete(self, messages, seconds, *, skills=()):
            time.sleep(0.1)
            followed.hear("writing")
            return Reply("what?")

    call = Planner(Slow(), PROMPTS, kind="base", retries=2).decide(FETCH_OR_STAY)
    assert call.attempts == 3, "it was asked again in the place of being given up"
