"""Every response of an endpoint leads to a correct decision, a marked fallback or a one-line error."""

import json
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest

from bba.errors import BBAError
from bba.kitchen.constants import SKILL_STAY
from bba.llm import pipeline
from bba.llm.endpoint import PROGRESS, STREAM, UNLOGGED
from bba.llm.model_clients import OpenAIClient
from bba.llm.request import retry_after
from bba.planner import NoAnswer, Planner, Usage
from tests.helpers.fake_endpoint import (
    KEY,
    answers,
    completion,
    drips,
    floods,
    hangs_up,
    refuses,
    resets,
    running,
    sends,
)
from tests.helpers.model_backends import FETCH_OR_STAY, HELLO, backend, decision
from tests.helpers.planner_scenes import PROMPTS
from tests.helpers.slow_planners import PATIENCE

READ = {
    "a number": "8",
    "prose": "Player 0 stands at (1,1) and 2 orders wait, so GRAB_MEAT is best.",
    "markdown": "**Answer:**\n\n```\n8\n```",
    "another case": "grab meat",
    "three lines": 'Teammate role belief: serve\nIntention for Player 1: "4"\nPlan for Player 0: "8"',
    "thoughts": "<think>4 or 11?\n4</think>\n8",
}


def test_what_a_client_imports_counts_towards_no_deadline(monkeypatch):
    happened = []
    monkeypatch.setattr(OpenAIClient, "load", lambda _: happened.append("load"), raising=False)
    monkeypatch.setattr(pipeline, "ChatRequest", lambda *_: happened.append("the clock of the request"))
    with running() as endpoint:
        asked = backend(endpoint)
        monkeypatch.setattr(asked._stage, "send", lambda _: happened.append("send"))
        asked.complete(HELLO)
    assert happened == ["load", "the clock of the request", "send"]


def test_a_client_is_loaded_when_it_is_asked_and_not_before():
    program = (
        "import sys\n"
        "from bba.llm.model_clients import OpenAIClient\n"
        "from bba.planner.model_options import ModelOptions\n"
        "client = OpenAIClient(ModelOptions(model='x', base_url='http://127.0.0.1:1/v1'))\n"
        "print('openai' in sys.modules)\n"
        "client.load()\n"
        "print('openai' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.thorough
@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_an_answer_is_read_in_every_form(endpoint, text):
    endpoint.behaviours = [answers(text)]
    exchange = decision(endpoint)
    assert (exchange.skill, exchange.fallback, exchange.attempts) == (8, False, 1)
    assert len(endpoint.requests) == 1


def test_a_request_holds_the_model_the_messages_and_greedy_sampling(endpoint):
    exchange = decision(endpoint, max_tokens=77)
    (sent,) = endpoint.requests
    asked = {"model": "test-model", "messages": list(exchange.messages), "temperature": 0, "max_tokens": 77}
    assert sent == asked | STREAM | PROGRESS
    assert endpoint.paths == ["/v1/chat/completions"]
    assert endpoint.keys == [f"Bearer {KEY}"]


@pytest.mark.parametrize("text", ["8 or 11", "11", "Plan for Player 0: 27"], ids=["several", "infeasible", "none"])
def test_an_answer_that_names_no_feasible_skill_is_asked_again(endpoint, text):
    endpoint.behaviours = [answers(text), answers("8")]
    exchange = decision(endpoint)
    assert (exchange.skill, exchange.fallback, exchange.attempts) == (8, False, 2)
    assert endpoint.requests[1]["messages"][-2] == {"role": "assistant", "content": text}


TEMPORARY = {
    "too many": refuses(429, "slow down"),
    "server error": refuses(500, "oops"),
    "page of a proxy": sends("<html>Bad gateway</html>", 502),
    "time-out": refuses(408),
    "conflict": refuses(409),
    "reset in the body": resets,
    "hung up": hangs_up,
    "no JSON": sends("certainly! 8"),
    "half of a JSON": sends(completion("8")[:50]),
    "not UTF-8": sends(b'\xff\xff{"choices'),
    "nested too deeply": sends("[" * 50_000),
    "another shape": sends('{"reply": "8"}'),
    "a list": sends("[8]"),
    "an error with 200": sends('{"error": {"message": "overloaded"}}'),
    "no choices": sends('{"choices": []}'),
    "null choices": sends('{"choices": null}'),
    "no message": sends('{"choices": [{"message": null}]}'),
    "a number for a text": sends('{"choices": [{"message": {"content": 8}}]}'),
    "empty": answers(""),
    "null": answers(None),
    "only thoughts": answers("<think>hm</think> \n"),
}


@pytest.mark.parametrize("behaviour", TEMPORARY.values(), ids=TEMPORARY)
def test_temporary_failures_are_retried(endpoint, behaviour):
    endpoint.behaviours = [behaviour, behaviour, answers("8")]
    exchange = decision(endpoint)
    assert (exchange.skill, exchange.fallback, exchange.problem) == (8, False, None)
    assert len(endpoint.requests) == 3


@pytest.mark.thorough
@pytest.mark.parametrize("behaviour", TEMPORARY.values(), ids=TEMPORARY)
def test_lasting_failures_of_a_model_that_has_answered_end_in_a_marked_fallback(endpoint, behaviour):
    planner = Planner(backend(endpoint), PROMPTS, kind="base", retries=2)
    planner.decide(FETCH_OR_STAY)
    endpoint.behaviours = [behaviour]
    endpoint.requests.clear()
    exchange = planner.decide(FETCH_OR_STAY, "Another question.")
    assert (exchange.skill, exchange.fallback) == (SKILL_STAY, True)
    assert exchange.problem
    assert "\n" not in exchange.problem
    assert exchange.problem.endswith("(attempt 3)")
    assert len(endpoint.requests) == 3


REPEATING = {
    "refusal": answers(None, refusal="I cannot help with that."),
    "filter": answers("8", finish="content_filter"),
    "cut off": answers("Plan for Player 0: 8", finish="length"),
    "too long": refuses(400, "too long", code="context_length_exceeded"),
    "too large": sends("too large", 413),
}


@pytest.mark.parametrize("behaviour", REPEATING.values(), ids=REPEATING)
def test_failures_that_would_repeat_are_a_fallback_without_retries(endpoint, behaviour):
    endpoint.behaviours = [behaviour]
    exchange = decision(endpoint)
    assert (exchange.skill, exchange.fallback) == (SKILL_STAY, True)
    assert len(endpoint.requests) == 1


FINAL = [
    (401, None, "set OPENAI_API_KEY or BBA_API_KEY"),
    (403, None, "check the key (OPENAI_API_KEY or BBA_API_KEY), --base-url and --model"),
    (404, None, "check --base-url and --model"),
    (400, None, "refuses (400: no way)"),
    (429, "insufficient_quota", "nothing is left on the account"),
]


@pytest.mark.parametrize(("status", "code", "advice"), FINAL)
def test_permanent_errors_end_the_run_with_one_line(endpoint, status, code, advice):
    endpoint.behaviours = [refuses(status, "no\n way", code=code)]
    with pytest.raises(BBAError) as caught:
        decision(endpoint)
    assert not isinstance(caught.value, NoAnswer)
    assert advice in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(endpoint.requests) == 1


def test_an_endpoint_never_reached_ends_the_run_but_one_that_disappears_does_not(endpoint):
    with running() as other:
        asked = backend(other)
        asked.complete(HELLO)
        nobody = backend(other)
    with pytest.raises(NoAnswer, match=rf"no connection to {other.url}: .* \(attempt 3\)"):
        asked.complete([*HELLO, *HELLO])
    with pytest.raises(BBAError, match=rf"no connection to {other.url}: .*; check --base-url") as caught:
        nobody.complete(HELLO)
    assert not isinstance(caught.value, NoAnswer)


STARTS = {
    "in the headers": b"HTTP/1.1 200 OK\r\nX-Padding: ",
    "in the body": b"HTTP/1.1 200 OK\r\n\r\n" + completion("8")[:-1],
    "in an error": b"HTTP/1.1 500 Oops\r\n\r\n",
}


@pytest.mark.thorough
@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_an_answer_that_never_ends_is_cut_off_at_the_deadline(endpoint, start):
    asked = backend(endpoint)
    asked.complete(HELLO)  # the library is loaded and the connection made, however busy the machine is
    endpoint.behaviours = [drips(start)]
    with pytest.raises(NoAnswer, match="no answer came within"):
        asked.complete([*HELLO, *HELLO], 0.4)
    assert endpoint.disconnected.wait(PATIENCE), "the connection is closed"
    assert len(endpoint.requests) == 2


def test_an_endless_answer_is_not_kept_in_memory(endpoint):
    endpoint.behaviours = [floods, answers("8")]
    assert decision(endpoint).skill == 8


def test_pauses_grow_at_random_and_end_at_the_cap(endpoint):
    slept = []
    endpoint.behaviours = [refuses(500)]
    with pytest.raises(NoAnswer):
        backend(endpoint, slept, attempts=12, deadline=1000.0).complete(HELLO)
    assert len(slept) == 11
    assert all(0 <= pause <= min(2**number, 20) for number, pause in enumerate(slept))
    assert len(set(slept)) > 5


@pytest.mark.parametrize("asked", ["7", "7.0", "a date"])
def test_the_pause_that_the_endpoint_asks_for_is_kept(endpoint, asked):
    slept, least = [], 7
    if asked == "a date":
        asked, least = format_datetime(datetime.now(UTC) + timedelta(seconds=900), usegmt=True), 800
    endpoint.behaviours = [refuses(429, "slow down", Retry_After=asked), answers("8")]
    assert backend(endpoint, slept, deadline=5000.0).complete(HELLO).text == "8"
    assert slept[0] >= least


@pytest.mark.parametrize("asked", ["3600", "inf", "1e300"])
def test_a_pause_beyond_the_deadline_is_not_started(endpoint, asked):
    slept = []
    endpoint.behaviours = [refuses(429, "slow down", Retry_After=asked)]
    with pytest.raises(NoAnswer, match="429: slow down"):
        backend(endpoint, slept).complete(HELLO)
    assert slept == []


@pytest.mark.parametrize(("asked", "seconds"), [(None, None), ("soon", None), ("nan", None), ("-5", 0.0), ("5", 5.0)])
def test_an_invalid_retry_after_is_ignored_and_none_is_negative(asked, seconds):
    assert retry_after({} if asked is None else {"retry-after": asked}) == seconds


def test_unsupported_parameters_are_left_out_from_then_on(endpoint):
    endpoint.behaviours = [
        refuses(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", param="max_tokens"),
        refuses(400, "Unsupported value: 'temperature' does not support 0 with this model."),
        answers("8"),
    ]
    asked = backend(endpoint, attempts=1)
    assert asked.complete(HELLO).text == "8"
    asked.complete([*HELLO, *HELLO])
    sent = [sorted(request.keys() - {"model", "messages"} - UNLOGGED.keys()) for request in endpoint.requests]
    adapted = ["max_completion_tokens"]
    assert sent == [["max_tokens", "temperature"], ["max_completion_tokens", "temperature"], adapted, adapted]
    assert endpoint.requests[-1]["max_completion_tokens"] == 1024


def test_a_model_without_supported_parameters_gets_none(endpoint):
    def picky(handler):
        for name in ("temperature", "max_tokens", "max_completion_tokens"):
            if name in handler.request_body:
                return refuses(400, f"unknown field {name}")(handler)
        return answers("8")(handler)

    endpoint.behaviours = [picky]
    assert decision(endpoint).skill == 8


def test_a_parameter_that_is_only_too_large_ends_the_run_with_the_reason(endpoint):
    endpoint.behaviours = [refuses(400, "max_tokens is too large: 9 is the most")]
    with pytest.raises(BBAError, match="max_tokens is too large"):
        decision(endpoint)


THOUGHTS = {
    "said beside": answers("", "length", reasoning_content="first the meat, then"),
    "in tags": answers("<think>first the meat, then", "length"),
    "hidden": answers(None, "length"),
}


@pytest.mark.parametrize("spent", THOUGHTS.values(), ids=THOUGHTS)
def test_a_model_that_spends_its_tokens_on_thoughts_is_allowed_more_once(endpoint, spent):
    endpoint.behaviours = [spent, answers("8")]
    asked = backend(endpoint)
    assert asked.complete(HELLO).text == "8"
    asked.complete([*HELLO, *HELLO])
    assert [request["max_tokens"] for request in endpoint.requests] == [1024, 4096, 4096]

    endpoint.behaviours = [spent, answers("8")]
    with pytest.raises(NoAnswer, match="allow more --max-tokens"):
        asked.complete([*HELLO, *HELLO, *HELLO])
    assert [request["max_tokens"] for request in endpoint.requests[3:]] == [4096]


@pytest.mark.parametrize("length", [512, 2048])
def test_a_length_that_the_user_has_set_is_kept(endpoint, length):
    endpoint.behaviours = [THOUGHTS["hidden"], answers("8")]
    with pytest.raises(NoAnswer, match="allow more --max-tokens"):
        backend(endpoint, max_tokens=length).complete(HELLO)
    assert [request["max_tokens"] for request in endpoint.requests] == [length]


def test_usage_sums_up_all_attempts_of_a_decision(endpoint):
    endpoint.behaviours = [answers(""), answers("what?"), answers("8")]
    usage = decision(endpoint).usage
    assert isinstance(usage, Usage)
    assert (usage.prompt_tokens, usage.completion_tokens, usage.cost, usage.cached) == (300, 30, None, 0)
    assert usage.seconds > 0


@pytest.mark.parametrize("usage", [{}, {"prompt_tokens": None}, {"prompt_tokens": 3, "completion_tokens": None}])
def test_an_endpoint_need_not_report_usage(endpoint, usage):
    endpoint.behaviours = [answers("8", usage=usage)]
    assert decision(endpoint).skill == 8


def test_a_key_repeated_by_the_endpoint_is_redacted(endpoint):
    for behaviour in (answers(f"8 {KEY}"), refuses(400, f"bad key {KEY}"), sends(json.dumps({"detail": KEY}), 422)):
        endpoint.behaviours = [behaviour]
        try:
            said = backend(endpoint).complete(HELLO).text
        except BBAError as error:
            said = str(error)
        assert "[key]" in said
        assert KEY not in said


def test_a_redirect_to_another_host_gets_no_key(endpoint):
    with running() as other:
        endpoint.behaviours = [sends("", 307, Location=f"{other.url}/chat/completions")]
        assert backend(endpoint).complete(HELLO).text == "4"
        assert (endpoint.keys, other.keys) == ([f"Bearer {KEY}"], [None])


@pytest.mark.thorough
def test_many_threads_can_send_requests_concurrently(endpoint):
    from concurrent.futures import ThreadPoolExecutor

    endpoint.behaviours = [lambda handler: answers(handler.request_body["messages"][-1]["content"])(handler)]
    asked = backend(endpoint, concurrency=8)
    questions = [[{"role": "user", "content": f"q{number}"}] for number in range(40)]
    with ThreadPoolExecutor(8) as pool:
        said = [reply.text for reply in pool.map(asked.complete, questions)]
    assert said == [f"q{number}" for number in range(40)]


ACCOUNT = {"OPENAI_ORG_ID": "org-1", "OPENAI_PROJECT_ID": "proj-1", "OPENAI_CUSTOM_HEADERS": "X-Team: kitchen"}
SENT = ("OpenAI-Organization", "OpenAI-Project", "X-Team")


def account_headers(endpoint) -> list[list[str | None]]:
    """Lets an endpoint answer and note the account's headers of each request."""
    seen: list[list[str | None]] = []

    def notes(handler):
        seen.append([handler.headers[name] for name in SENT])
        answers("4")(handler)

    endpoint.behaviours = [notes]
    return seen


@pytest.mark.parametrize(
    ("environment", "sent"),
    [
        ({"OPENAI_API_KEY": KEY}, ["org-1", "proj-1", "kitchen"]),
        ({"OPENAI_API_KEY": "sk-another-key-entirely"}, [None] * 3),
        ({}, [None] * 3),
    ],
    ids=["the account's key", "a key of another account", "no account's key"],
)
def test_the_accounts_headers_go_only_where_its_key_goes(endpoint, monkeypatch, environment, sent):
    for name, value in (ACCOUNT | environment).items():
        monkeypatch.setenv(name, value)
    seen = account_headers(endpoint)
    backend(endpoint).complete(HELLO)
    assert seen == [sent]


def test_a_redirect_to_another_host_gets_no_account_either(endpoint, monkeypatch):
    for name, value in (ACCOUNT | {"OPENAI_API_KEY": KEY}).items():
        monkeypatch.setenv(name, value)
    with running() as other:
        seen = account_headers(other)
        endpoint.behaviours = [sends("", 307, Location=f"{other.url}/chat/completions")]
        backend(endpoint).complete(HELLO)
    assert seen == [[None] * 3]


def test_a_redirect_to_another_host_gets_none_of_the_users_headers(endpoint, monkeypatch):
    monkeypatch.setenv("GATEWAY_KEY", KEY)
    seen = []

    def notes(handler):
        seen.append(str(handler.headers))
        answers("4")(handler)

    with running() as other:
        other.behaviours = [notes]
        endpoint.behaviours = [sends("", 307, Location=f"{other.url}/chat/completions")]
        backend(endpoint, extra_headers='{"X-Gateway-Key": "$GATEWAY_KEY"}').complete(HELLO)
    assert len(seen) == 1
    assert KEY not in seen[0]


def test_what_is_paid_for_is_asked_for_whole_and_what_is_not_as_a_stream(endpoint, tmp_path):
    (tmp_path / "prices.toml").write_text("[test-model]\nprompt = 1\ncompletion = 1\n")
    backend(endpoint, prices=tmp_path / "prices.toml", cache="off").complete(HELLO)
    backend(endpoint).complete(HELLO)
    assert [request.get("stream") for request in endpoint.requests] == [None, True]


def test_only_one_module_imports_a_client_of_language_models():
    """So that no feature has a way past reserving, paying, redacting, logging and limiting."""
    root = Path(__file__).parents[2]
    found = {
        path.relative_to(root).as_posix()
        for folder in ("bba", "human", "tui")
        for path in (root / folder).rglob("*.py")
        if re.search(
            r"^\s*(?:import|from) (?:openai|litellm|httpx\d?|requests|urllib3?\.request)\b",
            path.read_text(),
            re.M,
        )
    }
    asks_no_model = {"bba/llm/local_download.py"}  # fetches files of a table that ships, and has no key
    assert found == {"bba/llm/endpoint.py", "bba/llm/model_clients.py"} | asks_no_model
