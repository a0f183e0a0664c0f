"""Other kitchens are measured beside ours where they can be installed, and left out with a line where not."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from benchmarks import reference
from benchmarks.__main__ import rates_table
from benchmarks.reference import JAXMARL, OVERCOOKED_AI, RunningPeer, Unavailable
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


@pytest.mark.parametrize("peer", [OVERCOOKED_AI, JAXMARL], ids=str)
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


def test_rates_are_compared_with_overcooked_ai_where_it_is() -> None:
    ours, theirs = (Subject(name, "how", lambda: 1, [rate]) for name, rate in (("ours", 30.0), ("theirs", 10.0)))
    assert rates_table(theirs, [theirs, ours]).rows[1][-1].text == "3.0"
    assert rates_table(None, [ours]).rows[0][-1].text == "-"
