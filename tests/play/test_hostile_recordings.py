"""Recordings with numbers out of range, or too large to be read: one line, and little memory."""

import gzip
import json
from pathlib import Path

import pytest

from bba.errors import BBAError
from bba.play import recording_io
from bba.play.recording_io import unpack

STORED = gzip.decompress((Path(__file__).parents[1] / "formats" / "recording-v3.bba").read_bytes())
CALL = {"kind": "plan", "texts": [0, 1], "response": 2, "attempts": 1, "turns": 0, "skill": 3, "intention": 4}


def packed(**changes):
    data = json.loads(STORED)
    data["players"][0]["calls"] = [[0, CALL | changes]]
    data["texts"] = ["system", "question", "answer"]
    return gzip.compress(json.dumps(data).encode())


def test_such_a_call_is_read():
    assert unpack(packed(), "game.bba").players[0].calls[0][1].intention == 4


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *[("turns", value) for value in (-1, 1, 10**30, float("nan"))],
        *[("intention", value) for value in (-1, 27, 10**30)],
        *[("attempts", value) for value in (0, 10**30)],
        *[("usage", {"prompt_tokens": value}) for value in (-1, 10**30)],
        *[("usage", {"cost": value}) for value in (float("inf"), float("nan"))],
        *[("texts", value) for value in ([0, 3], [], [-1, -1], [0, [0]])],
    ],
)
def test_a_number_out_of_range_is_one_line(name, value):
    with pytest.raises(BBAError, match=r"game\.bba: the recording is damaged: ") as error:
        unpack(packed(**{name: value}), "game.bba")
    assert "\n" not in str(error.value)


def test_what_is_too_large_is_not_unpacked_to_its_end(monkeypatch):
    monkeypatch.setattr(recording_io, "LARGEST_RECORDING", 3 * 2**20)
    read = []
    monkeypatch.setattr(gzip.GzipFile, "read", lambda _, size: read.append(size) or b" " * size)
    with pytest.raises(BBAError, match="too large for a recording: more than 3 MiB unpacked"):
        unpack(b"", "game.bba")
    assert len(read) == 4


def test_more_values_than_a_game_has_are_not_made(monkeypatch):
    monkeypatch.setattr(recording_io, "CHUNK", 100)
    monkeypatch.setattr(recording_io, "MOST_VALUES", 1000)
    with pytest.raises(BBAError, match="too large for a recording: more than 1,000 values"):
        unpack(gzip.compress(b'{"a": [' + b"1," * 1100 + b"1]}"), "game.bba")
    with pytest.raises(BBAError, match="not a recording of this program"):
        unpack(gzip.compress(b'{"a": "' + b"1," * 1100 + b'1"}'), "game.bba")
