"""The log holds every request to the endpoint, one whole line each, and never the key."""

import json
import logging
from concurrent.futures import ThreadPoolExecutor

import pytest

from bba.errors import BBAError
from tests.helpers.fake_endpoint import KEY, answers, completion, refuses, sends
from tests.helpers.full_disk import full_disk
from tests.helpers.model_backends import HELLO, backend


def entries(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_request_is_a_line_with_messages_answer_usage_and_failures(endpoint, tmp_path):
    path = tmp_path / "model.jsonl"
    endpoint.behaviours = [refuses(500, f"oops {KEY}"), answers("8")]
    backend(endpoint, model_log=path).complete(HELLO)
    (entry,) = entries(path)
    assert (entry["model"], entry["base_url"]) == ("test-model", endpoint.url)
    assert (entry["messages"], entry["answer"], entry["problem"]) == (HELLO, "8", None)
    assert (entry["attempts"], entry["failures"]) == (2, ["500: oops [key]"])
    assert entry["usage"]["prompt_tokens"] == 100
    assert entry["time"].endswith("+00:00")
    assert KEY not in path.read_text()


@pytest.mark.parametrize("status", [500, 401])
def test_a_request_without_an_answer_is_a_line_too(endpoint, tmp_path, status):
    path = tmp_path / "model.jsonl"
    endpoint.behaviours = [refuses(status, "no")]
    with pytest.raises(BBAError) as caught:
        backend(endpoint, model_log=path).complete(HELLO)
    (entry,) = entries(path)
    assert (entry["answer"], entry["usage"], entry["problem"]) == (None, None, str(caught.value))
    assert entry["attempts"] == len(endpoint.requests)


def test_lines_are_appended_and_an_unfinished_one_damages_no_other(endpoint, tmp_path):
    path = tmp_path / "model.jsonl"
    path.write_text('{"earlier": 1}\n{"cut off')
    backend(endpoint, model_log=path).complete(HELLO)
    lines = path.read_text().splitlines()
    assert lines[:2] == ['{"earlier": 1}', '{"cut off']
    assert json.loads(lines[2])["answer"] == "4"


def test_threads_do_not_mix_their_lines(endpoint, tmp_path):
    path = tmp_path / "model.jsonl"
    models = [backend(endpoint, model_log=path), backend(endpoint, model_log=path)]
    questions = [[{"role": "user", "content": f"{number} " + "x" * 20_000}] for number in range(20)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda i: models[i % 2].complete(questions[i]), range(20)))
    assert {entry["messages"][0]["content"].split()[0] for entry in entries(path)} == {str(i) for i in range(20)}


def test_a_log_that_cannot_be_written_is_reported_at_once(endpoint, tmp_path):
    for path in (tmp_path, tmp_path / "no" / "where.jsonl"):
        with pytest.raises(BBAError, match="--model-log: "):
            backend(endpoint, model_log=path)


def test_on_a_full_disk_the_game_continues_with_one_warning(endpoint, tmp_path, caplog):
    path = tmp_path / "model.jsonl"
    model = backend(endpoint, model_log=path)
    model.complete(HELLO)
    with full_disk(path.stat().st_size + 50), caplog.at_level(logging.WARNING, "bba"):
        for number in range(3):
            assert model.complete([{"role": "user", "content": f"{number}"}]).text == "4"
    assert [record.message.split(":")[0] for record in caplog.records] == ["model-log"]
    model.complete([*HELLO, *HELLO])
    assert json.loads(path.read_text().splitlines()[-1])["messages"] == [*HELLO, *HELLO]


def test_stored_answers_are_not_logged_again(endpoint, tmp_path):
    path = tmp_path / "model.jsonl"
    model = backend(endpoint, model_log=path)
    assert model.complete(HELLO).text == model.complete(HELLO).text
    assert len(entries(path)) == 1


def test_a_line_says_what_was_sent_and_who_answered_and_why_it_ended(endpoint, tmp_path):
    path = tmp_path / "model.jsonl"
    used = {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 64}}
    body = json.loads(completion("8", usage=used)) | {"model": f"test-model-2024 {KEY}"}
    endpoint.behaviours = [refuses(400, "temperature is not supported"), sends(json.dumps(body))]
    backend(endpoint, model_log=path, max_tokens=77).complete(HELLO)
    (entry,) = entries(path)
    assert entry["sampling"] == {"max_tokens": 77}
    assert (entry["finish_reason"], entry["model_served"]) == ("stop", "test-model-2024 [key]")
    assert entry["usage"]["cached_tokens"] == 64
