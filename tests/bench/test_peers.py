"""Other kitchens and libraries are measured where they can be installed, and left out with a line where not."""

import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import reference
from benchmarks.__main__ import rates_table
from benchmarks.array_readers import JaxReader, PyTorchReader, Reader, answer
from benchmarks.reference import JAXMARL, PEERS, PYTORCH, RunningPeer, Unavailable
from benchmarks.timing import Subject

PLAYER = 'import sys\nprint("ready", flush=True)\nfor line in sys.stdin:\n    print("done", flush=True)'


def test_a_peer_plays_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "_python", lambda peer: sys.executable)
    with RunningPeer(replace(JAXMARL, player=PLAYER)) as peer:
        subject = peer.subject()
        assert subject.run() == JAXMARL.steps
    assert (subject.name, subject.how) == ("jaxmarl 0.2.0, random primitives, observed", "batch of 1024, all cores")


def test_one_that_does_not_start_says_so_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "_python", lambda peer: sys.executable)
    with pytest.raises(Unavailable, match=r"^jaxmarl 0\.2\.0 does not run \(exit status 3\)$"):
        RunningPeer(replace(JAXMARL, player="raise SystemExit(3)"))


def test_one_that_says_why_it_cannot_play_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "_python", lambda peer: sys.executable)
    with pytest.raises(Unavailable, match=r"^torch 2\.13\.0 does not run \(it copies\)$"):
        RunningPeer(replace(PYTORCH, player='print("it copies")'))


@pytest.mark.parametrize("peer", PEERS, ids=str)
def test_one_that_cannot_be_installed_says_so_in_a_line(
    peer: reference.Peer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = list[Any]()

    def install(command: list[str], **_: object) -> None:
        asked.append(command)
        raise subprocess.CalledProcessError(1, command, stderr="a warning\nERROR: no network\n")

    monkeypatch.setattr("benchmarks.reference.platformdirs.user_cache_path", lambda _: tmp_path)
    monkeypatch.setattr("benchmarks.reference.venv.create", lambda folder, **_: None)
    monkeypatch.setattr("benchmarks.reference.subprocess.run", install)
    with pytest.raises(Unavailable, match=rf"^{peer} cannot be installed: ERROR: no network$"):
        RunningPeer(peer)
    assert f"{peer.name}=={peer.version}" in asked[0]
    assert not list(tmp_path.rglob("complete"))


class _Counted:
    """A reader that counts its steps."""

    games = 10

    def __init__(self, *, copies: bool) -> None:
        self.copies = copies
        self.steps = 0

    def shows_a_copy(self) -> bool:
        return self.copies

    def play(self) -> None:
        self.steps += 1


def test_a_reader_plays_as_many_steps_as_it_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("20\n30\n"))
    reader = _Counted(copies=False)
    answer(reader)
    assert reader.steps == 5
    assert capsys.readouterr().out.split() == ["ready", "done", "done"]


def test_a_reader_that_is_shown_a_copy_does_not_play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("20\n"))
    reader = _Counted(copies=True)
    answer(reader)
    assert reader.steps == 0
    assert capsys.readouterr().out == "it copies what it reads\n"


@pytest.mark.parametrize(("library", "reader"), [("torch", PyTorchReader), ("jax", JaxReader)])
def test_a_library_shows_the_array_of_the_batch(library: str, reader: Callable[[int], Reader]) -> None:
    pytest.importorskip(library)
    playing = reader(3)
    assert not playing.shows_a_copy()
    playing.play()
    assert not playing.shows_a_copy()


def test_rates_are_compared_with_overcooked_ai_where_it_is() -> None:
    ours, theirs = (Subject(name, "how", lambda: 1, [rate]) for name, rate in (("ours", 30.0), ("theirs", 10.0)))
    assert rates_table(theirs, [theirs, ours]).rows[1][-1].text == "3.0"
    assert rates_table(None, [ours]).rows[0][-1].text == "-"
