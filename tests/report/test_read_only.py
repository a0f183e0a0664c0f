"""Folders of results that cannot be written to: they are shown, and reported to another place."""

import sqlite3
from contextlib import closing

import pytest

from bba.agents import SeatSpec
from bba.bench import results_store
from bba.bench.plan import plan_sweep
from bba.bench.results_reader import load_results
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from bba.errors import BBAError
from bba.report import page
from tests.helpers.tiny_sweeps import outcome, sweep


@pytest.fixture
def folder(tmp_path):
    plan = plan_sweep(sweep(), SeatSpec())
    with ResultsStore(tmp_path / "out") as store:
        store.register("tiny", plan.sweep.model_dump_json(), plan.entries)
        for number, episode in enumerate(plan.episodes.values()):
            store.save(episode, outcome(reward=number) if number else outcome_with_recording())
    return tmp_path / "out"


def outcome_with_recording():
    return type(outcome())(measures=outcome().measures, recording=b"a game")


def test_where_nothing_can_be_written_and_no_lock_taken_results_are_read(folder, monkeypatch):
    expected = load_results(folder)
    monkeypatch.setattr(results_store.os, "access", lambda *_: False)
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **options, timeout=0.01))
    assert load_results(folder) == expected
    with closing(connect(folder / RESULTS_FILE, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")  # stands for a file system on which no lock can be had
        assert load_results(folder) == expected


def test_a_report_is_written_elsewhere(folder, tmp_path, monkeypatch):
    before = set(folder.rglob("*"))
    for name, stand_in in (("check_drawing", lambda: None), ("page", lambda *_: "the page")):
        monkeypatch.setattr(page, name, stand_in)
    (tmp_path / "there").mkdir()
    path = page.write_report(folder, tmp_path / "there" / "mine.html")
    assert path.read_text() == "the page"
    assert {file.name for file in path.parent.iterdir()} == {"mine.html", "tables", "recordings"}
    assert set(folder.rglob("*")) == before
    with pytest.raises(BBAError, match=r"a report is a \.html file; the name must end so"):
        page.write_report(folder, tmp_path / "there")
