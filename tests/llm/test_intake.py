"""An answer is taken in whatever shape it comes, and requests are adapted to what an endpoint takes."""

import json
import logging

import pytest

from bba.errors import BBAError
from bba.llm.intake import read_completion
from bba.llm.request import AttemptFailed
from bba.llm.shapes import read_usage
from bba.planner import Usage
from tests.helpers.fake_endpoint import KEY, answers, completion, refuses, sends
from tests.helpers.model_backends import backend, decision

ASKED = [{"role": "system", "content": "Rules."}, {"role": "user", "content": "What now?"}]


def events(*deltas: dict, finish: str = "stop", end: str = "data: [DONE]\n\n") -> bytes:
    """A stream of events, the last of which says why it ended."""
    chunks = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    chunks.append({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 10}})
    return (": a comment\n\n" + "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + end).encode()


def calls(name: str, arguments: object) -> dict:
    return {"tool_calls": [{"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}]}


SHAPES = {
    "parts": answers([{"type": "text", "text": "Plan for "}, {"type": "text", "text": "Player 0: 8"}]),
    "parts with reasoning": answers([{"type": "reasoning", "summary": []}, {"type": "text", "text": "8"}]),
    "one part": answers({"type": "text", "text": "8"}),
    "a stream that nobody asked for": sends(events({"content": "Plan for Player 0"}, {"content": ': "8"'})),
    "a stream with reasoning": sends(events({"reasoning_content": "11?"}, {"content": "8"})),
    "a stream without its end": sends(events({"content": "8"}, end="")),
    "reasoning beside null": answers(None, reasoning_content='Meat is needed.\nPlan for Player 0: "8"'),
    "reasoning by another name": answers("", reasoning='Plan for Player 0: "8"'),
    "a tool call": answers(None, **calls("choose", '{"action": 8}')),
    "a tool call with an object": answers(None, **calls("choose", {"skill": "GRAB_MEAT"})),
    "a tool by the skill's name": answers(None, **calls("GRAB_MEAT", "{}")),
    "a function call of old": answers(None, function_call={"name": "act", "arguments": '{"plan": 8}'}),
    "a whole plan line, then cut off": answers('Plan for Player 0: "8"', finish="length"),
    "a plan line and a reason that is cut off": answers("Plan for Player 0: 8\nBecause the fir", finish="length"),
    "an answer and a reason that is cut off": answers("8\nBecause the fir", finish="length"),
    "the end of thoughts only": answers("8 or 11?\n4 perhaps.\n</think>\n8"),
    "an old completion": sends('{"choices": [{"text": "8", "finish_reason": "stop"}]}'),
    "an odd reason to end": answers("8", finish=7),
    "an error beside an answer": sends(json.dumps(json.loads(completion("8")) | {"error": {"message": "slow"}})),
    "a wrong usage": answers("8", usage={"prompt_tokens": -3, "completion_tokens": "many"}),
    "a usage that is a list": answers("8", usage=[1, 2]),
}


@pytest.mark.parametrize("behaviour", SHAPES.values(), ids=SHAPES)
def test_an_answer_in_another_shape_is_read_at_once(endpoint, behaviour):
    endpoint.behaviours = [behaviour]
    exchange = decision(endpoint)
    assert (exchange.skill, exchange.fallback, exchange.problem) == (8, False, None)
    assert len(endpoint.requests) == 1


CUT_OFF = {
    "in the number": "Plan for Player 0: 1",
    "in the quotation": 'Plan for Player 0: "1',
    "before the plan": 'Teammate role belief: serve\nIntention for Player 1: "8"\nPlan for',
    "while it thinks": '<think>\nPlan for Player 0: "8"\n',
    "in JSON": '{"plan": 8, "reason": "the fir',
}


@pytest.mark.parametrize("text", CUT_OFF.values(), ids=CUT_OFF)
def test_a_plan_that_is_cut_off_is_not_guessed(text):
    with pytest.raises(AttemptFailed, match="cut off; allow more --max-tokens"):
        read_completion(completion(text, finish="length"))


SAID = {
    "an error with 200": ('{"error": {"message": "model overloaded"}}', "answered with an error: model overloaded"),
    "an error as a text": ('{"error": "no GPU is free"}', "answered with an error: no GPU is free"),
    "no JSON": ("Welcome to nginx!", "no JSON: 'Welcome to nginx!'"),
    "another shape": ('{"reply": "8"}', 'no choices: \'{"reply": "8"}\''),
    "nothing": ("", "no JSON: nothing"),
    "half a stream": ('data: {"choices": [{"delta": {"content": "8"}}]}\n\n', "the answer broke off"),
}


@pytest.mark.parametrize(("body", "words"), SAID.values(), ids=SAID)
def test_what_is_no_answer_is_said_in_the_endpoints_own_words(body, words):
    with pytest.raises(AttemptFailed) as caught:
        read_completion(body.encode())
    assert words in str(caught.value)
    assert caught.value.retryable


def test_an_error_with_status_200_whose_code_is_final_ends_the_run(endpoint):
    endpoint.behaviours = [sends(json.dumps({"error": {"message": f"bad key {KEY}", "code": 401}}))]
    with pytest.raises(BBAError, match=r"refuses \(401: bad key \[key\]\); set OPENAI_API_KEY"):
        decision(endpoint)
    assert len(endpoint.requests) == 1


FILTERS = {
    "by its code": refuses(400, "blocked", code="content_filter"),
    "behind a gateway": refuses(400, "litellm.ContentPolicyViolationError: the content management policy of Azure"),
    "as forbidden": refuses(403, "The prompt was flagged as unsafe by moderation"),
    "as a finish": answers("8", finish="SAFETY"),
}


@pytest.mark.parametrize("behaviour", FILTERS.values(), ids=FILTERS)
def test_a_content_filter_costs_one_decision_and_not_the_game(endpoint, behaviour):
    endpoint.behaviours = [behaviour, answers("8")]
    exchange = decision(endpoint)
    assert (exchange.fallback, len(endpoint.requests)) == (True, 1)


def no_more_than(limit: int):
    def behaviour(handler):
        if handler.request_body["max_tokens"] > limit:
            return refuses(400, f"max_tokens is too large: this model supports at most {limit}")(handler)
        return answers("8")(handler)

    return behaviour


def streams_only(handler):
    if not handler.request_body.get("stream"):
        return refuses(400, "This endpoint answers only if stream is set to true")(handler)
    return sends(events({"content": "8"}))(handler)


def no_system(handler):
    if handler.request_body["messages"][0]["role"] == "system":
        return refuses(400, "System role not supported")(handler)
    return answers("8")(handler)


def no_temperature(handler):
    if "temperature" in handler.request_body:
        return refuses(400, "temperature: only the default (1) value is accepted")(handler)
    return answers("8")(handler)


ADAPTED = {
    "length": (no_more_than(300), "takes fewer max_tokens; 256 are sent", 3),
    "stream": (streams_only, "answers as a stream only; it is read as one", 2),
    "system role": (no_system, "takes no system role; that prompt is in the first user message", 2),
    "temperature": (no_temperature, "does not take temperature; it is left out", 2),
}


@pytest.mark.parametrize(("behaviour", "words", "requests"), ADAPTED.values(), ids=ADAPTED)
def test_a_refused_form_is_adapted_once_and_said_once(endpoint, caplog, tmp_path, behaviour, words, requests):
    endpoint.behaviours = [behaviour]
    (tmp_path / "prices.toml").write_text("[test-model]\nprompt = 1\ncompletion = 1\n")  # which is asked for no stream
    asked = backend(endpoint, prices=tmp_path / "prices.toml", cache="off")
    with caplog.at_level(logging.WARNING, "bba"):
        assert asked.complete(ASKED).text == "8"
        assert asked.complete([*ASKED, *ASKED]).text == "8"
    assert len(endpoint.requests) == requests + 1
    assert caplog.messages.count(f"planner openai: test-model {words}") == 1


def test_a_system_prompt_that_is_refused_comes_first_in_the_users_message(endpoint):
    endpoint.behaviours = [no_system]
    backend(endpoint).complete(ASKED)
    assert endpoint.requests[-1]["messages"] == [{"role": "user", "content": "Rules.\n\nWhat now?"}]


@pytest.mark.parametrize(
    ("reported", "usage"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 2}, Usage(9, 2)),
        ({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 5}}, (9, 2, 5)),
        ({"prompt_tokens": 9, "completion_tokens": 2, "prompt_cache_hit_tokens": 50}, (9, 2, 9)),
        ({"prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": "?"}, Usage(9, 2)),
        ({"prompt_tokens": 10**12, "completion_tokens": 2}, None),
        ({"prompt_tokens": True, "completion_tokens": 2}, None),
        ({"prompt_tokens": 9}, None),
        (None, None),
        ("free", None),
    ],
)
def test_a_usage_is_believed_only_if_it_can_be(reported, usage):
    expected = Usage(usage[0], usage[1], cached_tokens=usage[2]) if type(usage) is tuple else usage
    assert read_usage(reported) == expected
