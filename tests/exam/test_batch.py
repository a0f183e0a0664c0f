"""An exam as a batch: sent once, fetched by the same command, also after a kill, at half the price, within limits."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

import bba
from bba.exam import answers as exam_answers
from bba.exam import situations
from bba.exam.situations import load_situations
from bba.llm import model_clients
from bba.llm.pipeline import cached_backend, shared_ledger
from bba.planner import ScriptedBackend
from bba.planner.ledger import Ledger
from benchmarks.exam_situations import as_text
from tests.exam.conftest import forget
from tests.helpers.fake_endpoint import KEY, Server, completion
from tests.helpers.model_backends import clear_environment
from tui.cli import main

USED = {"prompt_tokens": 2000, "completion_tokens": 40}
HALF = (2000 * 2.5 + 40 * 10) / 2e6
pytestmark = pytest.mark.usefixtures("no_figure")
SITUATIONS, COUNT = ("open-clear-1", "open-hazard-1", "ring-idle-1"), 5


class Provider(BaseHTTPRequestHandler):
    """Takes files and batches, and gives the scripted planner's answers when a batch is done."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self):
        state, body = self.server.state, self.rfile.read(int(self.headers["Content-Length"]))
        state.seen += [self.path, self.headers["Authorization"]]
        if self.path.endswith("/files"):
            state.files.append([json.loads(line) for line in re.findall(rb"^\{.*\}(?=\r?$)", body, re.M)])
            self.reply({"id": f"file-{len(state.files)}", "object": "file"})
        elif self.path.endswith("/batches"):
            state.created(self)
        else:
            self.reply({"error": {"message": "asked directly"}}, 400)

    def do_GET(self):
        state, number = self.server.state, int(re.findall(r"-([0-9]+)", self.path)[0])
        if "/batches/" in self.path:
            state.looked.set()
            status = state.status_of(number)
            done = {"output_file_id": f"out-{number}"} if status in ("completed", "expired") else {}
            counts = {"completed": 0, "failed": 0, "total": len(state.files[number - 1])}
            errors = {"data": [{"message": f"the queue of {KEY} is full"}]} if status == "failed" else None
            told = {"id": f"batch-{number}", "object": "batch", "status": status, "request_counts": counts}
            self.reply(told | done | {"errors": errors})
            return
        lines = [
            {"custom_id": one["custom_id"]} | state.answer(one["body"])
            for one in state.files[number - 1][: state.answered]
        ]
        self.send_body("".join(json.dumps(line) + "\n" for line in reversed(lines)).encode() + b"not JSON\n")

    def reply(self, data, status=200):
        self.send_body(json.dumps(data).encode(), status)

    def send_body(self, body, status=200):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "application/json" if body.startswith(b'{"id"') else "text/plain")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Logs nothing."""


def scripted(body):
    text = ScriptedBackend().complete(body["messages"]).text
    return {"response": {"status_code": 200, "body": json.loads(completion(text, usage=USED))}}


def refused(body, message="no", code=None, param=None):
    error = {"message": message, "code": code, "param": param}
    return {"response": {"status_code": 400, "body": {"error": error}}}


class State:
    """What the provider was sent, and what it does: `status_of` a batch by number, `answer` to a body, `created`."""

    def __init__(self):
        self.files, self.seen, self.looked = [], [], threading.Event()
        self.answered, self.status_of, self.answer, self.created = None, lambda number: "completed", scripted, accepts

    @property
    def batches(self):
        return sum(path.endswith("/batches") for path in self.seen)

    @property
    def asked(self):
        return [len(file) for file in self.files]


def accepts(handler):
    handler.reply({"id": f"batch-{handler.server.state.batches}", "object": "batch", "status": "validating"})


def hangs_up(handler):
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def running():
    server = Server(("127.0.0.1", 0), Provider)
    server.state = State()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield server.state, f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.state.status_of = lambda number: "cancelled"  # so that nobody goes on waiting
        server.shutdown()
        server.server_close()


@pytest.fixture
def provider(monkeypatch, tmp_path):
    """A provider, and an exam of five questions."""
    chosen = [one for one in load_situations() if one.name in SITUATIONS]
    (tmp_path / "few.json").write_text(as_text(chosen))
    monkeypatch.setattr(situations, "SHIPPED_SITUATIONS", tmp_path / "few.json")
    forget()
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(model_clients, "POLL", 0.01)
    with running() as (state, url):
        state.arguments = ["exam", "--planner", "openai", "--model", "gpt-4o", "--base-url", url, "--out", "kept"]
        yield state
    forget()


@pytest.fixture
def hasty(monkeypatch):
    """Few questions are not waited for with."""
    monkeypatch.setattr(model_clients, "QUIET", 0.2)


def take(state, *more):
    cached_backend.cache_clear()  # as in another process
    shared_ledger.cache_clear()
    return main([*state.arguments, "--batch", *more])


KEPT, BATCH = Path("kept/openai-gpt-4o.exam.json"), Path("kept/openai-gpt-4o.batch.json")


def spent():
    return Ledger(Path("kept/spending.sqlite")).spent()


def test_all_questions_are_one_batch_at_half_the_price(provider, capsys):
    assert take(provider, "--json") == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert (found["answers"], found["marks"]["agrees"]["value"], provider.asked) == (COUNT, 1, [COUNT])
    assert found["used"]["dollars"] == spent().dollars == pytest.approx(COUNT * HALF)
    assert (spent().reserved, spent().requests) == (0, COUNT)
    assert "batch batch-1: completed, 0 of 5 answered" in captured.err
    assert {(line["method"], line["url"], line["body"]["model"]) for line in provider.files[0]} == {
        ("POST", "/v1/chat/completions", "gpt-4o")
    }
    assert {"temperature", "max_tokens", "messages", "model"} == {*provider.files[0][0]["body"]}
    assert provider.seen == ["/v1/files", f"Bearer {KEY}", "/v1/batches", f"Bearer {KEY}"]
    assert not BATCH.exists()


def test_the_estimate_is_half_the_price(provider, capsys):
    (Path() / "dear.toml").write_text("[gpt-4o]\nprompt = 100\ncompletion = 100\nbatch = 0.5\n")
    said = []
    for more in ([], ["--batch"]):
        assert main([*provider.arguments, "--prices", "dear.toml", "--dry-run", *more]) == 0
        said.append(float(re.search(r"about ([0-9.]+) US", capsys.readouterr().out)[1]))
    assert said[1] == pytest.approx(said[0] / 2, abs=0.01)
    assert not provider.seen


PROGRAM = """
import sys
from pathlib import Path
from bba.exam import situations
from bba.llm import model_clients
from tui.cli import main
situations.SHIPPED_SITUATIONS, model_clients.POLL = Path("few.json"), 0.01
sys.exit(main(sys.argv[1:]))
"""


def begin(state):
    same_code = {**os.environ, "PYTHONPATH": str(Path(bba.__file__).parents[1])}
    command = [sys.executable, "-c", PROGRAM, *state.arguments, "--batch"]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=same_code)


@pytest.mark.exhaustive
@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGKILL])
def test_what_a_program_sent_before_it_was_ended_is_fetched_by_the_same_command(provider, capsys, ends):
    provider.status_of = lambda number: "in_progress"
    process = begin(provider)
    assert provider.looked.wait(60)
    process.send_signal(ends)
    said = process.communicate(timeout=20)[1]
    assert process.returncode == (-signal.SIGKILL if ends == signal.SIGKILL else 130)
    if ends == signal.SIGINT:
        # What was learned of the batch meanwhile may be said after it.
        assert "interrupted: the same command goes on, and fetches what was sent as a batch" in said.splitlines()
    assert "Traceback" not in said
    assert (spent().dollars, KEPT.exists()) == (0, False)
    assert spent().reserved > COUNT * HALF
    assert KEY not in BATCH.read_text()
    provider.status_of = lambda number: "completed"
    assert main([*provider.arguments, "--json"]) == 0  # what was sent is not asked again without the option, either
    assert json.loads(capsys.readouterr().out)["answers"] == COUNT
    assert (provider.asked, provider.batches) == ([COUNT], 1)
    assert (spent().dollars, spent().reserved, spent().requests) == (pytest.approx(COUNT * HALF), 0, COUNT)


@pytest.mark.parametrize("status", ["expired", "failed", "cancelled"])
def test_a_batch_that_ends_without_all_answers_is_one_line_and_the_rest_is_sent_again(provider, capsys, status):
    provider.status_of, provider.answered = lambda number: status, 2
    assert take(provider) == 2
    said = capsys.readouterr().err
    reason = ": the queue of [key] is full" if status == "failed" else ""
    assert said.splitlines()[-1] == (
        f"bba-tui: batch batch-1: {status}{reason}, 0 of 5 answered; the same command sends what is left again"
    )
    paid = 2 if status == "expired" else 0
    assert (spent().dollars, spent().reserved) == (pytest.approx(paid * HALF), 0)
    assert not BATCH.exists()
    provider.status_of, provider.answered = lambda number: "completed", None
    assert take(provider) == 0
    assert provider.asked == [COUNT, COUNT - paid]


def test_an_endpoint_without_batches_is_one_line(provider, capsys):
    provider.created = lambda handler: handler.reply({"error": {"message": f"no batches with {KEY}"}}, 404)
    assert take(provider) == 2
    assert "the endpoint refuses (404: no batches with [key])" in capsys.readouterr().err.splitlines()[-1]
    assert (spent().dollars, spent().reserved, BATCH.exists()) == (0, 0, False)


def test_a_batch_that_may_have_been_sent_stays_reserved_until_somebody_has_looked(provider, capsys):
    provider.created = hangs_up
    for _ in range(2):
        assert take(provider) == 2
        assert "nobody knows whether this batch was sent" in capsys.readouterr().err.splitlines()[-1]
        assert (spent().dollars, provider.batches) == (0, 1)
        assert spent().reserved > COUNT * HALF
    BATCH.write_text(BATCH.read_text().replace("sending file-1", "batch-1"))
    assert take(provider) == 0
    assert (spent().dollars, spent().reserved, provider.batches) == (pytest.approx(COUNT * HALF), 0, 1)


def test_a_look_that_the_endpoint_does_not_answer_is_repeated_and_one_that_it_refuses_leaves_the_batch(
    provider, capsys, monkeypatch
):
    looks = iter(
        [lambda handler: hangs_up(handler), lambda handler: handler.reply({"error": {"message": "gone"}}, 404)]
    )
    usual = Provider.do_GET
    monkeypatch.setattr(Provider, "do_GET", lambda handler: next(looks, usual)(handler))
    assert take(provider) == 2
    *_, lost, refused = capsys.readouterr().err.splitlines()
    assert "batch batch-1: connection lost" in lost
    assert f"{BATCH}: batch batch-1: planner openai: the endpoint refuses (404: gone)" in refused
    assert spent().reserved > COUNT * HALF
    assert take(provider) == 0
    assert (provider.batches, spent().reserved) == (1, 0)


def test_a_limit_on_cost_holds_before_anything_is_sent(provider, capsys):
    assert take(provider, "--max-cost", "0.001") == 2
    assert "--max-cost: the limit of 0.001 US dollars is reached" in capsys.readouterr().err
    assert not provider.batches


@pytest.mark.usefixtures("hasty")
def test_what_a_limit_leaves_out_of_a_batch_is_in_the_next_one(provider, capsys, monkeypatch):
    monkeypatch.setattr("bba.llm.budget.BATCH_CHECK", 0.01)
    assert take(provider, "--max-cost", "0.03") == 0
    assert len(provider.asked) > 1
    assert sum(provider.asked) == COUNT
    assert spent().dollars == pytest.approx(COUNT * HALF)


@pytest.mark.usefixtures("hasty")
def test_what_the_endpoint_refuses_or_answers_badly_is_asked_again_in_another_batch(provider, capsys):
    first = set()

    def answer(body):
        if "max_tokens" in body:
            return refused(body, "Unsupported parameter: use max_completion_tokens", param="max_tokens")
        if body["messages"][-1]["content"] not in first and len(first) < 3:
            first.add(body["messages"][-1]["content"])
            return [{"error": {"code": "server_error", "message": "try later"}}, {}, {"response": "x"}][len(first) - 1]
        return scripted(body)

    provider.answer = answer
    assert take(provider, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["answers"], found["marks"]["agrees"]["value"]) == (COUNT, 1)
    assert provider.asked[:2] == [COUNT, COUNT]
    assert sum(provider.asked[2:]) == 3
    assert spent().dollars == pytest.approx(COUNT * HALF)


@pytest.mark.usefixtures("hasty")
def test_an_answer_without_a_plan_is_sent_back_in_another_batch(provider, capsys):
    def answer(body):
        if len(body["messages"]) == 2:
            return {
                "response": {"status_code": 200, "body": json.loads(completion("I would rather talk.", usage=USED))}
            }
        return scripted(body)

    provider.answer = answer
    assert take(provider, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["answers"], found["used"]["dollars"]) == (COUNT, pytest.approx(2 * COUNT * HALF))
    assert provider.asked[0] == sum(provider.asked[1:]) == COUNT


@pytest.mark.parametrize("planner", ["scripted", "rollout", "local", "litellm"])
def test_only_openai_has_batches(provider, capsys, planner):
    if planner == "litellm":
        pytest.importorskip("litellm")
    assert main(["exam", "--planner", planner, "--batch"]) == 2
    assert capsys.readouterr().err


def test_a_file_that_holds_something_else_is_one_line(provider, capsys):
    BATCH.parent.mkdir()
    BATCH.write_text("[]")
    assert take(provider) == 2
    assert f"{BATCH}: Input should be" in capsys.readouterr().err
    assert not provider.seen
    assert exam_answers.read_results(BATCH.parent) == []
