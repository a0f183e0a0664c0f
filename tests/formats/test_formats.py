"""Files of every format as they were once written: later versions of this program read them.

The stored files are never written anew. A format grows by optional fields only; one that changes otherwise gets another
version, and a file of its own here.
"""

import shutil
from pathlib import Path

import pytest

from bba.agents import load_agent
from bba.agents.learned.weights import load_weights
from bba.bench.results_reader import load_results
from bba.bench.tables import table_blocks
from bba.bundle import opened_bundle
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.files import data_dir
from bba.play import Replay, load
from human.study import StudyFolder
from human.study.tables import tables_of
from tui.cli import main

HERE = Path(__file__).parent
WEIGHTS = data_dir("assets/weights")


def test_a_recording_of_version_3_replays():
    recording = load(HERE / "recording-v3.bba")
    replay = Replay(recording)
    while not replay.done:
        replay.step()
    assert recording.version == 3
    assert [profile.agent for profile in recording.config.seats] == ["bayes", "switching"]
    assert (recording.config.layout.name, recording.config.seed, recording.config.horizon) == ("open", 0, 60)
    assert recording.config.seats[0].belief_config == BeliefConfig()  # with the options that came later
    assert len(replay.trace.ticks) == recording.steps == 60
    assert replay.trace.score == 0
    assert replay.trace.bookmarks == {}  # it was written before there were bookmarks


def test_a_recording_of_version_2_is_refused_in_one_line(capsys):
    file = HERE / "recording-v2.bba"
    with pytest.raises(BBAError, match="version 2"):
        load(file)
    assert main(["--headless", "--replay", str(file)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_results_of_version_2_are_read(tmp_path):
    shutil.copytree(HERE / "sweep", tmp_path / "sweep")
    results = load_results(tmp_path / "sweep")
    (run,) = results.sweeps
    assert (run.sweep.title, run.sweep.seeds, run.sweep.horizon) == ("A tiny sweep", 2, 60)
    episodes = [results.episodes[entry.key].episode for entry in run.entries]
    assert [(episode.seed, episode.layout.name) for episode in episodes] == [(0, "open"), (1, "open")]
    measures = [result.measures for result in run.results.values()]
    assert [found["reward"] for found in measures] == [0, 0]
    assert measures[0]["skill_accuracy"] == pytest.approx(0.9166666666666666)


def test_a_bundle_of_results_of_version_1_is_opened(tmp_path):
    shutil.copy(HERE / "results-bundle-v1.zip", tmp_path / "paid.zip")
    results, there = load_results(opened_bundle(tmp_path / "paid.zip", "results")), load_results(HERE / "sweep")
    assert results.episodes == there.episodes
    assert [run.entries for run in results.sweeps] == [run.entries for run in there.sweeps]


def test_a_bundle_of_a_recording_of_version_1_is_opened_with_what_it_cost(tmp_path):
    shutil.copy(HERE / "recording-bundle-v1.zip", tmp_path / "game.zip")
    trace = Replay(load(opened_bundle(tmp_path / "game.zip", "recording"))).run()
    calls = [call for tick in trace.ticks for call in tick.decisions[0].calls]
    assert len(trace.ticks) == 30
    assert calls
    assert all((call.usage.prompt_tokens, call.usage.completion_tokens) == (100, 10) for call in calls)


def test_measures_that_results_lack_are_empty_cells(tmp_path):
    shutil.copytree(HERE / "sweep", tmp_path / "sweep")
    (run,) = load_results(tmp_path / "sweep").sweeps
    assert all("reached_30" not in result.measures for result in run.results.values())
    sweep = run.sweep.changed({"table": {**run.sweep.table.model_dump(), "measures": ("reward", "reached_30")}})
    cells = [cell for block in table_blocks(sweep, run.entries, run.results) for row in block.cells for cell in row]
    assert [cell.ours is None for cell in cells] == [False, True]


def test_a_study_of_version_1_is_read_and_its_tables_are_made(tmp_path):
    shutil.copytree(HERE / "study", tmp_path / "study")
    tables = tables_of(StudyFolder.open(tmp_path / "study"))
    assert [(row["participant"], row["complete"]) for row in tables["participants"]] == [("P1", True)]
    assert [(row["steps"], row["given_up"]) for row in tables["games"]] == [(30, False)] * 2
    assert [(row["score"], row["words"]) for row in tables["answers"]] == [(4, None), (None, "well")] * 2


def test_the_shipped_weights_are_read_and_play():
    weights = load_weights(WEIGHTS / "bp-G1-1-open.safetensors")
    assert (weights.name, weights.layout) == ("bp:G1-1", "open")
    assert load_agent("bp:G1-1").profile.agent == "bp:G1-1"


def test_the_record_of_a_training_is_read():
    read_record = pytest.importorskip("bba.learning.runs.run", reason="needs the extra `learn`").read_record
    record = read_record(WEIGHTS / "bp-G1-1-open.json")
    assert (record.policy, record.layout, record.steps) == ("bp:G1-1", "open", 3127989)
