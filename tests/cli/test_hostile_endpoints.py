"""Every misbehaviour of an endpoint ends in a played game, or in one line and exit code 2; the key is nowhere."""

import gzip
import sqlite3
import zlib

import pytest

from tests.helpers.fake_endpoint import KEY, running
from tests.helpers.hostile_endpoints import DEAD, PLAYING
from tests.helpers.model_backends import clear_environment
from tests.helpers.planner_scenes import choice, cook, situation
from tui.cli import main

HURRY = ["--attempts", "2", "--deadline", "2", "--give-up-after", "2"]
FILES = ["--record", "g.bba", "--model-log", "m.jsonl", "--cache", "write", "--cache-file", "a.sqlite"]


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch, tmp_path):
    # So that neither loading the client nor compiling the scripted planner takes a part of a short deadline.
    import openai  # noqa: F401

    choice(situation(cook(1, 1), cook(4, 5)))
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr("bba.planner.llm.request.MAX_BACKOFF", 0.0)


@pytest.fixture
def endpoint():
    with running() as endpoint:
        yield endpoint


def play(endpoint, capsys, caplog, *more):
    common = ["--headless", "--planner", "openai", "--base-url", endpoint.url, "--model", "x", "--horizon", "60"]
    code = main([*common, *HURRY, *more])
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


@pytest.mark.parametrize("behaviour", PLAYING.values(), ids=PLAYING)
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
