"""Every misbehaviour of an endpoint ends in a played game, or in one line and exit code 2; the key is nowhere."""

import gzip
import sqlite3
import subprocess
import sys
import zlib

import pytest

from tests.helpers.fake_endpoint import KEY, running
from tests.helpers.hostile_endpoints import DEAD, PLAYING
from tests.helpers.misbehaviours import MISBEHAVIOURS
from tests.helpers.model_backends import clear_environment
from tui.cli import main

HURRY = ["--attempts", "2", "--deadline", "2", "--give-up-after", "2"]
FILES = ["--record", "g.bba", "--model-log", "m.jsonl", "--cache", "write", "--cache-file", "a.sqlite"]


@pytest.fixture(scope="module", autouse=True)
def warm():
    """A first game with time enough: loading the client and compiling take no part of the short deadlines."""
    with running() as endpoint, pytest.MonkeyPatch.context() as environment:
        clear_environment(environment)
        environment.setenv("OPENAI_API_KEY", KEY)
        endpoint.behaviours = [PLAYING["parts"]]
        assert main([*options(endpoint), "--deadline", "120", "--give-up-after", "5"]) == 0


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("bba.llm.pipeline.MAX_BACKOFF", 0.0)


@pytest.fixture
def endpoint():
    with running() as endpoint:
        yield endpoint


def options(endpoint) -> list[str]:
    return ["--headless", "--planner", "openai", "--base-url", endpoint.url, "--model", "x", "--horizon", "60"]


def play(endpoint, capsys, caplog, *more):
    code = main([*options(endpoint), *HURRY, *more])
    captured = capsys.readouterr()
    return code, captured.out, captured.err, "\n".join(caplog.messages)


def content(path) -> bytes:
    """The bytes of a file, unpacked."""
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        return gzip.decompress(data)
    if path.suffix == ".sqlite":
        with sqlite3.connect(path) as database:
            rows = list(database.iterdump())
        return data + "\n".join(rows).encode() + b"".join(map(_unpacked, rows))
    return data


def _unpacked(row: str) -> bytes:
    try:
        return zlib.decompress(bytes.fromhex(row.partition("X'")[2].partition("'")[0]), wbits=47)
    except (ValueError, zlib.error):
        return b""


def assert_no_key(folder, *outputs):
    assert KEY not in "".join(outputs)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert KEY.encode() not in content(path), path


QUICK = ("parts", "an event stream", "no system role", "resets at times")  # the others are asked without a game, too


@pytest.mark.parametrize(
    "behaviour",
    [pytest.param(PLAYING[name], id=name, marks=() if name in QUICK else pytest.mark.thorough) for name in PLAYING],
)
def test_an_odd_endpoint_plays_a_whole_game(endpoint, capsys, caplog, tmp_path, behaviour):
    endpoint.behaviours = [behaviour]
    code, out, err, said = play(endpoint, capsys, caplog, *FILES)
    assert code == 0, err
    assert "planner calls" in out
    assert_no_key(tmp_path, out, err, said)


@pytest.mark.thorough
@pytest.mark.parametrize("behaviour", DEAD.values(), ids=DEAD)
def test_a_dead_endpoint_ends_the_game_with_one_line(endpoint, capsys, caplog, tmp_path, behaviour):
    endpoint.behaviours = [behaviour]
    code, out, err, said = play(endpoint, capsys, caplog, *FILES)
    assert (code, out) == (2, "")
    *recorded, problem = err.splitlines()
    assert problem.startswith("bba-tui: planner openai")
    assert len(recorded) == (tmp_path / "g.bba").exists()
    assert len(endpoint.requests) <= 8
    assert_no_key(tmp_path, out, err, said)


@pytest.mark.long
@pytest.mark.parametrize("name", ["a bomb", "a flood", "an endless error", "four million spaces", "words for ever"])
def test_a_whole_command_takes_no_more_memory_than_300_mib(endpoint, tmp_path, name):
    endpoint.behaviours = [MISBEHAVIOURS[name].behaviours[0]]
    program = "import resource, sys; from tui.cli import main; main(sys.argv[1:]); "
    program += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    done = subprocess.run([sys.executable, "-c", program, *options(endpoint), *HURRY], capture_output=True, text=True)
    assert KEY not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert int(done.stdout.split()[-1]) <= 300 * 2**10, done.stderr
