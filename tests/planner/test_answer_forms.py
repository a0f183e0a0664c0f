"""The forms of an answer: a choice of what is feasible, and scores that sum to one over it."""

import json
import math

import pytest

from bba.planner import Planner, Reply, ScriptedBackend, parse_response
from bba.planner.short_answers import LETTERS, answer_format, entropy, of_letter, rank, scored_answer, scores_of
from tests.helpers.planner_scenes import PROMPTS, cook, situation

OFFERED = (4, 8, 11)
TOKENS = [("A", math.log(0.5)), (" C", math.log(0.2)), ("C", math.log(0.05)), ("Team", math.log(0.2))]


def test_a_choice_offers_exactly_what_is_feasible():
    properties = answer_format(OFFERED)["json_schema"]["schema"]["properties"]
    assert [int(name.partition(":")[0]) for name in properties["plan"]["enum"]] == list(OFFERED)
    for plan in properties["plan"]["enum"]:
        answer = json.dumps({"teammate_role_belief": "serve", "intention": "unclear", "plan": plan})
        assert parse_response(answer, OFFERED).skill == int(plan.partition(":")[0])


def test_scores_are_normalised_over_the_feasible_skills_and_sum_to_one():
    answer = scored_answer(TOKENS, OFFERED, 0.0, "seed")
    scores = scores_of(answer)
    assert scores == pytest.approx({4: 0.5 / 0.75, 8: 0.0, 11: 0.25 / 0.75})
    assert sum(scores.values()) == pytest.approx(1.0, abs=1e-9)
    assert parse_response(answer, OFFERED).skill == 4
    assert entropy(scores) == pytest.approx(0.918, abs=1e-3)
    assert [rank(scores, skill) for skill in (*OFFERED, 20)] == [1, 3, 2, None]


def test_a_temperature_flattens_the_scores_and_draws_the_same_from_the_same_question():
    answers = {scored_answer(TOKENS, OFFERED, 5.0, "one question") for _ in range(5)}
    assert len(answers) == 1
    flat = scores_of(answers.pop())
    assert 0.4 < flat[11] < flat[4] < 0.6
    drawn = [json.loads(scored_answer(TOKENS, OFFERED, 5.0, f"{n}"))["plan"].partition(":")[0] for n in range(200)]
    assert set(drawn) == {"4", "11"}
    assert 60 < drawn.count("11") < 130


@pytest.mark.parametrize("tokens", [[], [("Team", -0.1)], [("A", -math.inf)], [("A", math.nan)]])
def test_without_a_letter_there_is_no_score(tokens):
    assert scored_answer(tokens, OFFERED, 0.0, "seed") == ""


def test_a_bare_letter_is_read_where_an_endpoint_tells_no_probabilities():
    assert parse_response(of_letter(" B\n", OFFERED), OFFERED).skill == 8
    assert of_letter("D", OFFERED) == "D"


@pytest.mark.parametrize(
    "text", ["11", '{"scores": 3}', '{"scores": {"4:STAY": 0.5}}', '{"scores": {"?": 1}}', '{"scores": {}}', '"scores"']
)
def test_what_is_no_distribution_is_no_score(text):
    assert scores_of(text) is None


def test_there_is_a_letter_for_each_skill():
    assert len(set(LETTERS)) >= 27


class Recorder(ScriptedBackend):
    """Keeps what it is sent, and answers with these texts in turn."""

    def __init__(self, *answers):
        self.sent, self._answers = [], list(answers)

    def complete(self, messages):
        self.sent.append([message["content"] for message in messages])
        return Reply(self._answers.pop(0) if len(self._answers) > 1 else self._answers[0])


def asked(planner, times):
    for step in range(times):
        planner.commit(planner.decide(situation(cook(1, 1), cook(2, 1), feasible=OFFERED, step=step)))


def test_a_scored_question_shows_letters_and_later_turns_say_the_letter_alone():
    backend = Recorder(scored_answer(TOKENS, OFFERED, 0.0, "seed"))
    asked(Planner(backend, PROMPTS, kind="base", answer="scores"), 2)
    assert "A = 4:STAY; B = 8:" in backend.sent[0][-1]
    assert backend.sent[1][2] == "A"


def test_a_conversation_that_grows_only_appends_until_its_limit_and_then_begins_anew():
    backend = Recorder("4")
    asked(Planner(backend, PROMPTS, kind="base", history_turns=3, conversation="grow"), 9)
    assert [(len(sent) - 2) // 2 for sent in backend.sent] == [0, 1, 2, 3, 1, 2, 3, 1, 2]
    for earlier, later in zip(backend.sent, backend.sent[1:], strict=False):
        if len(later) > len(earlier):
            assert later[: len(earlier)] == earlier


def test_a_conversation_that_rolls_drops_its_oldest_turn_each_time():
    backend = Recorder("4")
    asked(Planner(backend, PROMPTS, kind="base", history_turns=3, conversation="roll"), 6)
    assert [(len(sent) - 2) // 2 for sent in backend.sent] == [0, 1, 2, 3, 3, 3]
    assert backend.sent[5][1] == backend.sent[2][-1]
