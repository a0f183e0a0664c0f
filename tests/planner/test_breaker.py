"""A game ends when its model gives no usable answer any more; one answer, and the count begins anew."""

import pytest

from bba.planner import ModelUnusable, NoAnswer, Planner, Reply, ScriptedBackend
from bba.planner.chat_planner import FallibleBackend, Patience
from tests.helpers.planner_scenes import PROMPTS, cook, situation

FETCH_OR_STAY = situation(cook(1, 1), cook(2, 1), feasible=(4, 8))


class Failing(ScriptedBackend):
    """Gives prepared answers, or raises those that are errors; each takes so many seconds by the test's clock."""

    name = "openai:some-model"

    def __init__(self, clock, answers, decisions=3, seconds=45.0, takes=1.0):
        self.patience, self.limits = Patience(decisions, seconds), []
        self._clock, self._answers, self._takes = clock, list(answers), takes

    def complete(self, messages, seconds, *, skills=()):
        self.limits.append(seconds)
        self._clock[0] += self._takes
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer)


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("bba.planner.chat_planner.time.monotonic", lambda: now[0])
    return now


def fallbacks_before_the_end(planner) -> tuple[int, str]:
    for count in range(100):
        try:
            assert planner.decide(FETCH_OR_STAY).fallback
        except ModelUnusable as error:
            return count, str(error)
    raise AssertionError("it never ended")


def test_three_decisions_without_an_answer_end_the_game_in_the_endpoints_words(clock):
    backend = Failing(clock, [NoAnswer("500: no GPU is free")] * 9)
    count, line = fallbacks_before_the_end(Planner(backend, PROMPTS, kind="base"))
    assert count == 2
    assert line.startswith(
        "planner openai:some-model: no usable answer for 3 decisions in a row and 3 s: 500: no GPU is free"
    )
    assert "\n" not in line


def test_until_the_first_response_the_question_is_asked_again_in_the_place_of_a_fallback(clock):
    lost = NoAnswer("503: busy", retryable=True)
    planner = Planner(Failing(clock, [lost, lost, "8", lost, "8", lost]), PROMPTS, kind="base")
    first, *later = (planner.decide(FETCH_OR_STAY) for _ in range(4))
    assert (first.skill, first.attempts, first.fallback) == (8, 3, False)
    assert [call.fallback for call in later] == [True, False, True]


def test_an_endpoint_that_never_responds_ends_the_first_decision(clock):
    backend = Failing(clock, [NoAnswer("500: no GPU is free", retryable=True)] * 9)
    count, line = fallbacks_before_the_end(Planner(backend, PROMPTS, kind="base"))
    assert (count, len(backend.limits)) == (0, 3)
    assert "for 3 decisions in a row and 3 s: 500" in line


def test_a_first_question_that_no_later_attempt_can_answer_is_a_fallback(clock):
    planner = Planner(Failing(clock, [NoAnswer("400: content_filter"), "8"]), PROMPTS, kind="base")
    assert [planner.decide(FETCH_OR_STAY).fallback for _ in range(2)] == [True, False]


def test_answers_that_cannot_be_read_count_and_are_quoted(clock):
    backend = Failing(clock, ["I am\na teapot\x1b[2J"] * 9)
    count, line = fallbacks_before_the_end(Planner(backend, PROMPTS, kind="base", retries=0))
    assert count == 2
    assert "no single skill can be read from it; it said 'I am a teapot [2J'" in line


def test_a_usable_answer_begins_the_count_anew(clock):
    lost = NoAnswer("500")
    planner = Planner(Failing(clock, [lost, lost, "8", lost, lost, "8", lost, lost, lost]), PROMPTS, kind="base")
    skills = [planner.decide(FETCH_OR_STAY).skill for _ in range(8)]
    assert skills == [4, 4, 8, 4, 4, 8, 4, 4]
    with pytest.raises(ModelUnusable):
        planner.decide(FETCH_OR_STAY)


def test_seconds_without_an_answer_end_the_game_and_no_request_outlasts_them(clock):
    backend = Failing(clock, [NoAnswer("no answer came")] * 9, decisions=99, takes=20.0)
    count, line = fallbacks_before_the_end(Planner(backend, PROMPTS, kind="base"))
    assert (count, backend.limits) == (2, [45.0, 25.0, 5.0])
    assert "for 3 decisions in a row and 60 s" in line


def test_side_queries_without_an_answer_take_of_the_seconds_but_are_no_decisions(clock):
    planner = Planner(Failing(clock, [NoAnswer("500")] * 9, decisions=1, takes=20.0), PROMPTS, kind="base")
    values = {"skill": "8:GRAB_MEAT", "age": 1, "before": "?"}
    for _ in range(2):
        assert planner.ask("judge", FETCH_OR_STAY, lambda _: None, **values).problem == "500"
    with pytest.raises(ModelUnusable, match="no usable answer for 60 s: 500"):
        planner.ask("judge", FETCH_OR_STAY, lambda _: None, **values)


def test_a_copy_of_a_planner_counts_along_and_a_new_episode_begins_anew(clock):
    planner = Planner(Failing(clock, [NoAnswer("500")] * 9), PROMPTS, kind="base")
    for one in (planner.copy(), planner.copy()):
        one.decide(FETCH_OR_STAY)
    with pytest.raises(ModelUnusable):
        planner.decide(FETCH_OR_STAY)
    planner.decide(FETCH_OR_STAY)
    planner.reset()
    assert fallbacks_before_the_end(planner)[0] == 2


def test_the_scripted_planner_is_not_fallible():
    assert not isinstance(ScriptedBackend(), FallibleBackend)
