"""What language models were asked and answered can be listed, searched, compared, and read by inspect_ai."""

import json

import pytest

from tests.exam.conftest import few  # noqa: F401 - a fixture
from tests.helpers.fake_endpoint import KEY, answers, running
from tests.helpers.hostile_endpoints import plays
from tests.helpers.model_backends import clear_environment
from tui.cli import main

QUESTION = "open-clear-1/own"
pytestmark = pytest.mark.usefixtures("few")
SWEEP = """
title = "A tiny sweep"
agents = ["bayes"]
layouts = ["open"]
seeds = 1
horizon = 12
[partners]
switching = ["switching"]
"""


@pytest.fixture
def kept(monkeypatch, tmp_path):
    """A folder with the exams of a model that plays and of one that talks, a recording, and a sweep."""
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "tiny.toml").write_text(SWEEP)
    with running() as endpoint:
        model = ["--planner", "openai", "--base-url", endpoint.url, "--retries", "0", "--model"]
        endpoint.behaviours = [plays]
        assert main(["exam", *model, "plays", "--out", "kept"]) == 0
        assert main(["headless", *model, "plays", "--horizon", "12", "--record", "kept/game.bba"]) == 0
        assert main(["bench", "tiny.toml", *model, "plays", "--out", "kept", "--workers", "1"]) == 0
        endpoint.behaviours = [answers("\x1b[2J I would rather talk.")]
        assert main(["exam", *model, "talks", "--out", "kept"]) == 0
    return tmp_path / "kept"


def transcripts(capsys, *more):
    capsys.readouterr()
    code = main(["transcripts", "kept", *more])
    captured = capsys.readouterr()
    return code, captured.out + captured.err


@pytest.mark.thorough
def test_exams_games_and_sweeps_are_listed_searched_and_filtered(kept, capsys):
    _, listed = transcripts(capsys)
    assert listed.count("openai:talks") == 32
    assert "game, step 1, P0" in listed
    assert "episode 0, step 1, P0" in listed
    assert "\x1b" not in listed
    _, unusable = transcripts(capsys, "--problem")
    assert "32 exchanges" in unusable
    assert "openai:plays" not in unusable
    _, said = transcripts(capsys, "--search", "RATHER talk", "--json")
    assert {one["planner"] for one in json.loads(said)} == {"openai:talks"}
    assert KEY not in listed + said


@pytest.mark.thorough
def test_the_answers_to_one_question_are_compared(kept, capsys):
    code, shown = transcripts(capsys, "--show", QUESTION)
    assert code == 0
    assert shown.count("VALID ACTIONS ->") == 1  # of the same question, the second time nothing differs
    assert f"── openai:plays, {QUESTION}: " in shown
    assert f"── openai:talks, {QUESTION}: STAY (unusable: " in shown
    assert "\x1b" not in shown
    _, two = transcripts(capsys, "--show", "1,2")
    assert "--- before\n+++ now" in two


def test_what_there_is_not_is_one_line(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert transcripts(capsys) == (2, "bba-tui: transcripts: there is no kept\n")
    (tmp_path / "kept").mkdir()
    assert main(["exam", "--out", "kept"]) == 0
    assert "holds no such exchange" in transcripts(capsys, "--search", "no such words")[1]
    assert "--export: of transcripts is inspect" in transcripts(capsys, "--export", "x.json")[1]


def test_a_log_for_inspect_ai_is_written_for_each_planner(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["exam", "--out", "kept"]) == 0
    code, said = transcripts(capsys, "--export", "inspect")
    (path,) = (tmp_path / "kept" / "inspect").iterdir()
    assert (code, said) == (0, f"written to kept/inspect/{path.name}\n")
    log = json.loads(path.read_text())
    assert (log["version"], log["status"], len(log["samples"])) == (2, "success", 32)
    assert log["samples"][0]["scores"]["usable"]["value"] == "C"
    assert [message["role"] for message in log["samples"][0]["messages"]] == ["system", "user", "assistant"]


@pytest.mark.thorough
def test_inspect_ai_reads_what_is_exported(kept, capsys):
    reader = pytest.importorskip("inspect_ai.log", reason="inspect_ai is not installed: pip install inspect_ai")
    transcripts(capsys, "--export", "inspect")
    logs = {log.name.rpartition("_")[2]: log for log in reader.list_eval_logs(str(kept / "inspect"))}
    assert logs.keys() == {"openai-plays.json", "openai-talks.json"}
    log = reader.read_eval_log(logs["openai-talks.json"])
    assert (log.status, log.eval.model, len(log.samples)) == ("success", "openai/talks", 32)
    first = next(sample for sample in log.samples if sample.id == QUESTION)
    assert first.output.completion.endswith("I would rather talk.")
    assert first.scores["usable"].value == "I"
    assert log.results.scores[0].metrics["accuracy"].value == 0
