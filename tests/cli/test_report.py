"""The report and the results on the command line: what is written and said."""

import sys

import pytest

from bba.agents import SeatSpec
from bba.bench.episode import play
from bba.bench.plan import plan_sweep
from bba.bench.results_store import RESULTS_FILE, ResultsStore
from tests.helpers.tiny_sweeps import sweep
from tui.cli import main


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A tiny sweep that was really played."""
    folder = tmp_path_factory.mktemp("results")
    made = plan_sweep(sweep(agents=["bayes"], seeds=1, table={"measures": ["reward"]}), SeatSpec())
    with ResultsStore(folder) as store:
        store.register("tiny", made.sweep.model_dump_json(), made.entries)
        for episode in made.episodes.values():
            store.save(episode, play(episode, SeatSpec()))
    return folder


@pytest.mark.thorough
def test_a_report_is_written_and_its_place_is_printed(folder, capsys):
    assert main(["--report", str(folder)]) == 0
    assert capsys.readouterr().out == f"written to {folder / 'report.html'}\n"
    assert (folder / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert sorted(file.name for file in (folder / "tables").iterdir()) == ["tiny.csv", "tiny.md"]
    assert "bba-tui --layout open --agent bayes --partner switching --seed 0" in (folder / "report.html").read_text()


@pytest.mark.parametrize("option", ["--report", "results"])
def test_a_folder_without_results_is_one_line(tmp_path, capsys, option):
    assert main([option, str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"bba-tui: {tmp_path}: no results here: there is no {RESULTS_FILE} in it\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("option", ["--report", "results"])
def test_an_empty_store_is_one_line(tmp_path, capsys, option):
    ResultsStore(tmp_path).close()
    assert main([option, str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "holds no results yet" in said


def test_a_report_that_cannot_be_written_leaves_nothing_half_done(folder, capsys, tmp_path):
    (tmp_path / RESULTS_FILE).write_bytes((folder / RESULTS_FILE).read_bytes())
    (tmp_path / "report.html").mkdir()
    assert main(["--report", str(tmp_path)]) == 2
    assert "report.html: " in capsys.readouterr().err
    assert not [file for file in tmp_path.rglob("*") if file.is_file() and file.name != RESULTS_FILE]


def test_without_the_libraries_it_says_what_to_install(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["--report", str(folder)]) == 2
    assert "pip install 'bba-tui[report]'" in capsys.readouterr().err
