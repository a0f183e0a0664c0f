"""What is sent besides messages: sampling, structured answers, bodies and headers of the user's own."""

import json

import pytest

from bba.errors import BBAError
from bba.planner import Planner, parse_response, scores_of
from bba.planner.model_options import more_sampling, sampling_parameters
from tests.helpers.fake_endpoint import answers, refuses
from tests.helpers.model_backends import FETCH_OR_STAY, HELLO, backend, decision, options
from tests.helpers.planner_scenes import PROMPTS

SECRET = "gateway-0123456789"


def test_only_what_is_given_is_sent(endpoint):
    assert sampling_parameters(options(endpoint)) == {"temperature": 0, "max_tokens": 1024}
    assert more_sampling(options(endpoint)) == '{"conversation": "grow"}'
    assert more_sampling(options(endpoint, conversation="roll")) is None


def test_options_of_sampling_reach_the_endpoint(endpoint):
    decision(endpoint, top_p=0.5, model_seed=7, reasoning_effort="low", extra_body='{"top_k": 3}')
    sent = endpoint.requests[0]
    assert (sent["top_p"], sent["seed"], sent["reasoning_effort"], sent["top_k"]) == (0.5, 7, "low", 3)


def test_a_parameter_that_is_refused_is_left_out_from_then_on(endpoint):
    endpoint.behaviours = [
        refuses(400, "Unsupported parameter: 'reasoning_effort'", param="reasoning_effort"),
        answers("8"),
    ]
    assert decision(endpoint, reasoning_effort="low").skill == 8
    assert "reasoning_effort" not in endpoint.requests[1]


PLAN = '{"teammate_role_belief": "serve", "intention": "4:STAY", "plan": "8:GRAB_MEAT"}'


def test_a_structured_plan_is_read_with_belief_and_intention(endpoint):
    endpoint.behaviours = [answers(PLAN)]
    call = decision(endpoint, structured=True)
    assert (call.skill, call.intention, call.belief_text) == (8, 4, "serve")
    schema = endpoint.requests[0]["response_format"]["json_schema"]["schema"]
    assert "plan" in schema["required"]


def test_where_no_form_of_answers_is_supported_it_is_text(endpoint):
    endpoint.behaviours = [refuses(400, "'response_format' is not supported by this model"), answers("8")]
    assert decision(endpoint, structured=True).skill == 8
    assert "response_format" not in endpoint.requests[1]


def test_side_queries_are_asked_for_text(endpoint):
    endpoint.behaviours = [answers("Verdict: CONTINUE")]
    planner = Planner(backend(endpoint, structured=True), PROMPTS, kind="base")
    planner.ask("judge", FETCH_OR_STAY, lambda _: None, skill="8", age=1, before="")
    assert "response_format" not in endpoint.requests[0]


def test_a_header_takes_its_secret_from_the_environment_and_nothing_repeats_it(endpoint, monkeypatch, tmp_path):
    monkeypatch.setenv("GATEWAY", SECRET)
    seen = []

    def repeats(handler):
        seen.append(handler.headers["X-Gateway-Key"])
        answers(f"8 {SECRET}")(handler)

    endpoint.behaviours = [repeats]
    log, headers = tmp_path / "log.jsonl", json.dumps({"X-Gateway-Key": "$GATEWAY", "X-Team": "blue"})
    reply = backend(endpoint, extra_headers=headers, model_log=log).complete(HELLO)
    assert seen == [SECRET]
    assert SECRET not in reply.text + log.read_text()
    assert SECRET not in str(more_sampling(options(endpoint, extra_headers=headers)))


@pytest.mark.parametrize(
    ("headers", "problem"),
    [
        ("x", "--extra-headers: must be a JSON object"),
        ('{"X": 3}', "'X': a header has a name and a text"),
        ('{"X-Api-Key": "written out"}', "X-Api-Key: name a variable of the environment for it, as "),
        ('{"X-Team": "$NOT_SET"}', "X-Team: the environment has no NOT_SET"),
        ('{"X\\n": "y"}', "a header has a name and a text"),
    ],
)
def test_other_headers_are_refused_in_one_line(endpoint, headers, problem):
    with pytest.raises(BBAError) as caught:
        options(endpoint, extra_headers=headers)
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "written out" not in str(caught.value)


def test_a_body_that_is_no_object_is_refused(endpoint):
    with pytest.raises(BBAError, match="--extra-body: must be a JSON object"):
        options(endpoint, extra_body="[1]")


def test_answers_to_other_sampling_are_stored_apart(endpoint, tmp_path):
    kept = {"cache": "write", "cache_file": tmp_path / "answers.sqlite"}
    for fields in ({}, {"top_p": 0.5}, {"model_seed": 1}, {"extra_headers": '{"X-Team": "blue"}'}, {}):
        backend(endpoint, **kept, **fields).complete(HELLO)
    assert len(endpoint.requests) == 4


def test_a_choice_is_sent_as_a_schema_of_the_feasible_skills_and_other_questions_without(endpoint):
    made = backend(endpoint, answer="choice")
    endpoint.behaviours = [answers('{"teammate_role_belief": "serve", "intention": "unclear", "plan": "11:WASH"}')]
    made.complete(HELLO, 20.0, skills=(4, 11))
    made.complete([*HELLO, *HELLO], 20.0)
    sent, aside = endpoint.requests
    plans = sent["response_format"]["json_schema"]["schema"]["properties"]["plan"]["enum"]
    assert [name.partition(":")[0] for name in plans] == ["4", "11"]
    assert "response_format" not in aside


def test_an_endpoint_that_refuses_the_form_is_asked_without_it_and_one_line_says_so(endpoint, caplog):
    refusal = b'{"error": {"message": "response_format is not supported by this model", "param": "response_format"}}'
    endpoint.behaviours = [lambda handler: handler.send(400, refusal), answers("11")]
    made = backend(endpoint, answer="choice")
    assert made.complete(HELLO, 20.0, skills=(4, 11)).text == "11"
    assert made.complete([*HELLO, *HELLO], 20.0, skills=(4, 11)).text == "11"
    assert ["response_format" in request for request in endpoint.requests] == [True, False, False]
    (said,) = [record.getMessage() for record in caplog.records]
    assert said.endswith("does not take response_format; it is left out")


def test_scores_are_read_from_the_log_probabilities_of_one_token(endpoint):
    top = [{"token": "B", "logprob": -0.1}, {"token": " A", "logprob": -2.0}, {"token": "The", "logprob": "x"}]
    choice = {"message": {"content": "B"}, "finish_reason": "length", "logprobs": {"content": [{"top_logprobs": top}]}}
    body = json.dumps({"choices": [choice]}).encode()
    endpoint.behaviours = [lambda handler: handler.send(200, body)]
    made = backend(endpoint, answer="scores")
    scores = scores_of(made.complete(HELLO, 20.0, skills=(4, 11, 12)).text)
    assert sum(scores.values()) == pytest.approx(1.0)
    assert max(scores, key=scores.get) == 11
    assert scores[12] == 0
    assert endpoint.requests[0]["max_tokens"] == 1
    endpoint.behaviours = [answers("verdict: replan")]
    made.complete([*HELLO, *HELLO], 20.0)
    assert "logprobs" not in endpoint.requests[1]
    assert endpoint.requests[1]["max_tokens"] == 1024


def test_where_no_probabilities_are_told_the_letter_is_the_plan(endpoint):
    endpoint.behaviours = [answers("B")]
    text = backend(endpoint, answer="scores").complete(HELLO, 20.0, skills=(4, 11)).text
    assert parse_response(text, (4, 11)).skill == 11


def test_scores_are_read_from_a_stream(endpoint):
    top = [{"token": "A", "logprob": -0.1}, {"token": "B", "logprob": -2.0}]
    first = {"choices": [{"delta": {"content": "A"}, "logprobs": {"content": [{"top_logprobs": top}]}}]}
    last = {"choices": [{"delta": {}, "finish_reason": "length"}]}
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in (first, last)) + "data: [DONE]\n\n"
    endpoint.behaviours = [lambda handler: handler.send(200, body.encode())]
    scores = scores_of(backend(endpoint, answer="scores").complete(HELLO, 20.0, skills=(4, 11)).text)
    assert scores[4] > scores[11] > 0
