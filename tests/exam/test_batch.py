"""An exam as a batch: sent once, fetched by the same command later, at half the price, from a scripted server."""

import json
import re
import socket
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from bba.planner import ScriptedBackend
from bba.planner.llm.ledger import Ledger
from bba.planner.llm.pipeline import cached_backend
from tests.helpers.fake_endpoint import KEY, completion
from tests.helpers.model_backends import clear_environment
from tui.cli import main

USED = {"prompt_tokens": 2000, "completion_tokens": 40}
PRICE = (2000 * 2.5 + 40 * 10) / 1e6
pytestmark = pytest.mark.usefixtures("few")


class Provider(BaseHTTPRequestHandler):
    """Takes a file and a batch, and gives the scripted planner's answers when the batch is done."""

    protocol_version = "HTTP/1.1"
    server: "ThreadingHTTPServer"

    def do_POST(self):
        state, body = self.server.state, self.rfile.read(int(self.headers["Content-Length"]))
        state["keys"].add(self.headers["Authorization"])
        if self.path.endswith("/files"):
            state["lines"] = [json.loads(line) for line in re.findall(rb"^\{.*\}(?=\r?$)", body, re.M)]
            self.reply({"id": "file-1", "object": "file"})
        elif self.path.endswith("/batches"):
            state["batches"] += 1
            if state["refuses"] == "drops":
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            accepted = {"id": "batch-1", "object": "batch", "status": "validating"}
            refused = {"error": {"message": "no batches here"}}
            self.reply(*((refused, 404) if state["refuses"] else (accepted, 200)))
        else:
            state["live"] += 1
            self.answer(completion(ScriptedBackend().complete(json.loads(body)["messages"]).text, usage=USED))

    def do_GET(self):
        state = self.server.state
        if "/batches/" in self.path:
            done = {"output_file_id": "file-2"} if state["status"] in ("completed", "expired") else {}
            self.reply({"id": "batch-1", "object": "batch", "status": state["status"], **done})
            return
        lines = [
            {"custom_id": line["custom_id"], "response": {"status_code": 200, "body": json.loads(self.body_of(line))}}
            for line in state["lines"][: state["answers"]]
        ]
        self.answer("".join(json.dumps(line) + "\n" for line in reversed(lines)).encode() + b"not JSON\n")

    def body_of(self, line):
        return completion(ScriptedBackend().complete(line["body"]["messages"]).text, usage=USED)

    def reply(self, data, status=200):
        self.answer(json.dumps(data).encode(), status)

    def answer(self, body, status=200):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        """Logs nothing."""


@contextmanager
def running():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    server.daemon_threads = True
    server.state = {"lines": [], "batches": 0, "live": 0, "status": "in_progress", "answers": None, "keys": set()}
    server.state["refuses"] = False
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", server.state
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def provider(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with running() as found:
        yield found


def command(url, *more):
    cached_backend.cache_clear()  # as in another process
    return main(["exam", "--planner", "openai", "--model", "gpt-4o", "--base-url", url, "--out", "kept", *more])


def test_a_batch_is_sent_once_and_fetched_by_the_same_command_when_it_is_done(provider, capsys, tmp_path):
    url, state = provider
    assert command(url, "--batch") == 0
    assert "batch batch-1: 32 questions are sent" in capsys.readouterr().err
    assert len(state["lines"]) == 32
    assert all(line["url"] == "/v1/chat/completions" and line["body"]["model"] == "gpt-4o" for line in state["lines"])
    kept = (tmp_path / "kept" / "openai-gpt-4o.batch.json").read_text()
    assert KEY not in kept
    assert command(url, "--batch") == 0
    assert "32 questions, in_progress" in capsys.readouterr().err
    state["status"] = "completed"
    assert command(url, "--json") == 0  # what was sent is fetched without the option, too
    found = json.loads(capsys.readouterr().out)
    assert (found["answers"], found["marks"]["agrees"]["value"]) == (32, 1)
    assert found["used"]["dollars"] == pytest.approx(32 * PRICE / 2)
    assert (state["batches"], state["live"]) == (1, 0)
    assert not list((tmp_path / "kept").glob("*.batch.json"))
    spent = Ledger(tmp_path / "kept" / "spending.sqlite").spent()
    assert (spent.dollars, spent.reserved) == (pytest.approx(32 * PRICE / 2), 0)
    assert state["keys"] == {f"Bearer {KEY}"}


def test_what_a_batch_leaves_without_an_answer_is_asked_directly(provider, capsys):
    url, state = provider
    state |= {"status": "expired", "answers": 20}
    assert command(url, "--batch") == 0
    assert command(url, "--batch", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["answers"], state["live"]) == (32, 12)
    assert found["used"]["dollars"] == pytest.approx(20 * PRICE / 2 + 12 * PRICE)


def test_a_batch_that_was_refused_or_has_failed_costs_nothing_and_can_be_sent_again(provider, capsys, tmp_path):
    url, state = provider
    state["refuses"] = True
    assert command(url, "--batch") == 2
    assert "404: no batches here" in capsys.readouterr().err.splitlines()[-1]
    state |= {"refuses": False, "status": "failed"}
    assert command(url, "--batch") == 0
    assert command(url, "--batch") == 2
    assert "batch batch-1: failed without answers" in capsys.readouterr().err.splitlines()[-1]
    spent = Ledger(tmp_path / "kept" / "spending.sqlite").spent()
    assert (spent.dollars, spent.reserved) == (0, 0)


def test_a_cap_holds_for_a_batch_before_it_is_sent(provider, capsys):
    url, state = provider
    assert command(url, "--batch", "--max-cost", "0.01") == 2
    assert "--max-cost: the limit of 0.01 US dollars is reached" in capsys.readouterr().err
    assert command(url, "--batch", "--max-calls", "31") == 2
    assert "--max-calls: the limit of 31 calls leaves too few for 32" in capsys.readouterr().err
    assert state["batches"] == 0


def test_a_batch_whose_sending_was_cut_off_stays_reserved_until_somebody_has_looked(provider, capsys, tmp_path):
    url, state = provider
    state["refuses"] = "drops"
    assert command(url, "--batch") == 2
    assert Ledger(tmp_path / "kept" / "spending.sqlite").spent().reserved > 0
    state["refuses"] = False
    assert command(url, "--batch") == 2
    assert "it is not known whether this batch was sent" in capsys.readouterr().err
    assert state["batches"] == 1


def test_a_batch_that_may_have_been_sent_or_was_asked_otherwise_is_one_line(provider, capsys, tmp_path):
    url, state = provider
    assert command(url, "--batch") == 0
    path = tmp_path / "kept" / "openai-gpt-4o.batch.json"
    assert command(url, "--batch", "--max-tokens", "77") == 2
    assert "this batch was asked for in another way" in capsys.readouterr().err
    path.write_text(path.read_text().replace("batch-1", ""))
    assert command(url, "--batch") == 2
    assert "it is not known whether this batch was sent" in capsys.readouterr().err
    assert state["batches"] == 1
