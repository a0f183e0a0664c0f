"""The server of a model on this machine: shared, waited for, and gone with its parent, however that ends."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from bba.errors import BBAError
from bba.llm import local_server
from bba.llm.local_models import located, read_header
from bba.llm.local_server import LocalServer, sizes_of
from bba.llm.pipeline import model_backend
from bba.planner import ModelUnusable, parse_response
from bba.planner.chat import QuestionProgress, follow
from bba.planner.model_options import ModelOptions
from bba.processes import is_running
from tests.helpers.model_files import gguf, scripted_llama

HELLO = [{"role": "user", "content": "hello"}]
SOON = 60.0  # seconds; on a busy machine even the end of a process takes a while


@pytest.fixture
def started(tmp_path, monkeypatch):
    """The file with the numbers of the servers that were started."""
    monkeypatch.setattr("bba.llm.local_models.user_cache_path", lambda _: tmp_path)
    monkeypatch.setattr(local_server, "_SERVERS", {})
    yield scripted_llama(tmp_path, monkeypatch)
    for server in local_server._SERVERS.values():
        server.stop()


def local(tmp_path, **fields) -> ModelOptions:
    path = gguf(tmp_path / "toy.gguf")
    return located(ModelOptions(model=str(path), provider="local", cache="off", **fields))


def numbers(started: Path) -> list[int]:
    return [int(line) for line in started.read_text().split()] if started.exists() else []


def until(holds) -> bool:
    ends = time.monotonic() + SOON
    while not holds() and time.monotonic() < ends:
        time.sleep(0.02)
    return holds()


def test_all_games_of_a_run_share_one_server_and_get_a_feasible_skill(tmp_path, started):
    options = local(tmp_path)
    one, other = model_backend(options), model_backend(options)
    first = one.complete(HELLO, 60.0, skills=(8, 11))
    assert parse_response(first.text, (8, 11)).skill == 8
    assert parse_response(other.complete(HELLO, 60.0, skills=(11,)).text, (11,)).skill == 11
    assert (first.usage.cached_tokens, first.usage.cost) == (90, 0.0)
    assert len(numbers(started)) == 1


def test_loading_is_told_to_whoever_waits(tmp_path, started, monkeypatch):
    monkeypatch.setenv("LOADS", "0.5")
    said, question = [], QuestionProgress()
    monkeypatch.setattr(local_server.time, "sleep", lambda seconds: said.append(question.doing))
    follow(question)
    try:
        server = LocalServer(local(tmp_path))
        server.wait()
    finally:
        follow(None)
        server.stop()
    assert set(said) == {"being loaded: toy"}
    assert question.doing is None


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ("llama_model_load: tensor data is not within the file bounds, model is corrupted", "model is corrupted"),
        ("llama_init: failed to allocate buffer for kv cache", "not enough memory"),
    ],
)
def test_a_model_that_cannot_be_loaded_gives_one_line(tmp_path, started, monkeypatch, said, says):
    monkeypatch.setenv("SAID", said)
    with pytest.raises(ModelUnusable, match=says) as caught:
        model_backend(local(tmp_path)).complete(HELLO)
    assert str(caught.value).startswith("planner local: llama.cpp's server of toy has ended")
    assert "\n" not in str(caught.value)


def test_a_model_that_is_larger_than_the_memory_is_not_loaded(tmp_path, started, monkeypatch):
    monkeypatch.setattr(local_server, "free_memory", lambda: 10)
    with pytest.raises(BBAError, match="GiB of memory"):
        model_backend(local(tmp_path)).complete(HELLO)
    assert not numbers(started)


def test_without_its_package_it_says_how_to_get_it_before_a_game_begins(tmp_path, monkeypatch):
    monkeypatch.setattr("bba.llm.local_models.user_cache_path", lambda _: tmp_path)
    monkeypatch.setattr(local_server, "find_spec", lambda _: None)
    with pytest.raises(BBAError, match=r"pip install 'bba-tui\[local\]'"):
        model_backend(local(tmp_path))


def test_threads_slots_and_context_follow_from_the_machine_or_are_set(tmp_path, started, monkeypatch):
    header = read_header(gguf(tmp_path / "toy.gguf"))
    monkeypatch.setattr(local_server.os, "sched_getaffinity", lambda _: range(16), raising=False)
    assert sizes_of(local(tmp_path), header) == {"threads": 16, "slots": 4, "context": 4096}
    told = {"threads": 3, "slots": 2, "context": 1000}
    assert sizes_of(local(tmp_path, **told), header) == told


PARENT = """
import sys
from bba.llm.local_models import located
from bba.llm.local_server import server_of
from bba.planner.model_options import ModelOptions
import bba.llm.local_models as models
from pathlib import Path
models.user_cache_path = lambda _: Path(sys.argv[2])
server = server_of(located(ModelOptions(model=sys.argv[1], provider="local")))
print("started", flush=True)
server.wait()
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("moment", ["loading", "ready"])
def test_the_server_is_gone_when_its_parent_is_killed(tmp_path, started, monkeypatch, moment):
    monkeypatch.setenv("LOADS", "600" if moment == "loading" else "0")
    command = [sys.executable, "-c", textwrap.dedent(PARENT), str(gguf(tmp_path / "toy.gguf")), str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert until(lambda: numbers(started))
        while moment == "ready" and parent.stdout.readline() != "ready\n":
            pass
        os.kill(parent.pid, signal.SIGKILL)
    (child,) = numbers(started)
    assert until(lambda: not is_running(child))


def test_a_run_ends_with_one_line_when_its_server_is_killed(tmp_path, started):
    backend = model_backend(local(tmp_path, attempts=3))
    backend.complete(HELLO, 60.0, skills=(11,))
    os.kill(numbers(started)[0], signal.SIGKILL)
    with pytest.raises(ModelUnusable, match="killed by signal 9"):
        backend.complete([*HELLO, *HELLO], 60.0, skills=(11,))
