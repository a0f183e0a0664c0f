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


def exported(capsys, folder) -> dict[str, dict]:
    """The logs of a folder by task and planner."""
    code, said = transcripts(capsys, "--export", "inspect")
    paths = sorted((folder / "inspect").iterdir())
    assert (code, sorted(said.splitlines())) == (0, [f"written to kept/inspect/{path.name}" for path in paths])
    return {path.stem.partition("_")[2]: json.loads(path.read_text()) for path in paths}


def test_a_log_for_inspect_ai_is_written_for_each_planner(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["exam", "--out", "kept"]) == 0
    log = exported(capsys, tmp_path / "kept")["exam_scripted"]
    assert (log["version"], log["status"], len(log["samples"])) == (2, "success", 32)
    assert log["samples"][0]["scores"]["usable"]["value"] == "C"
    assert [message["role"] for message in log["samples"][0]["messages"]] == ["system", "user", "assistant"]


def test_a_log_has_what_the_readers_of_inspect_ai_ask_for(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["exam", "--out", "kept"]) == 0
    log = exported(capsys, tmp_path / "kept")["exam_scripted"]
    # A reader of the beginning of a log takes the fields in this order.
    assert list(log) == ["version", "status", "eval", "plan", "results", "stats", "samples"]
    assert log["plan"] == {"name": "plan", "steps": [], "config": {}}
    assert (log["eval"]["task"], log["eval"]["model"]) == ("exam", "scripted")
    assert log["eval"]["metadata"]["prompt_layout"] == "preprint"
    assert log["stats"]["started_at"] <= log["stats"]["completed_at"]
    identifiers = [message["id"] for sample in log["samples"] for message in sample["messages"]]
    assert len(identifiers) == len(set(identifiers)) == 3 * 32
    for sample in log["samples"]:
        (event,) = sample["events"]
        assert [*event["input"], event["output"]["choices"][0]["message"]] == sample["messages"]


def test_a_log_holds_the_marks_of_the_exam(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["exam", "--out", "kept", "--json"]) == 0
    marks = json.loads(capsys.readouterr().out)["marks"]
    log = exported(capsys, tmp_path / "kept")["exam_scripted"]
    scores = {score["name"]: score for score in log["results"]["scores"]}
    known = {name: mark for name, mark in marks.items() if mark is not None}
    assert scores.keys() == known.keys()
    assert next(iter(scores)) == "usable"
    assert scores["usable"]["metrics"]["accuracy"]["value"] == marks["usable"]["value"]
    for name in known.keys() - {"usable"}:
        metrics = {metric: told["value"] for metric, told in scores[name]["metrics"].items()}
        assert metrics["mean"] == marks[name]["value"]
        assert metrics.get("low") == marks[name]["low"]
        assert scores[name]["scored_samples"] == marks[name]["n"]
        if name != "most_frequent":  # which is one of all answers together
            single = [sample["scores"][name]["value"] for sample in log["samples"] if name in sample["scores"]]
            assert len(single) == marks[name]["n"]
            assert sum(single) / len(single) == pytest.approx(marks[name]["value"])


def test_a_sample_says_what_was_asked(monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["exam", "--out", "kept"]) == 0
    log = exported(capsys, tmp_path / "kept")["exam_scripted"]
    (told,) = [sample["metadata"] for sample in log["samples"] if sample["id"] == QUESTION]
    assert (told["kind"], told["variant"], told["kitchen"]) == ("clear", "own", "open")


@pytest.mark.thorough
def test_exams_games_and_sweeps_are_logs_of_their_own_with_their_tokens(kept, capsys):
    logs = exported(capsys, kept)
    assert logs.keys() == {"exam_openai-plays", "exam_openai-talks", "game_openai-plays", "sweep_openai-plays"}
    for name, log in logs.items():
        assert log["eval"]["task"] == name.partition("_")[0]
        tokens = [sample["output"]["usage"]["total_tokens"] for sample in log["samples"]]
        if not name.startswith("sweep"):  # whose recordings do not keep what answers cost
            assert log["stats"]["model_usage"][log["eval"]["model"]]["total_tokens"] == sum(tokens) > 0
    assert logs["game_openai-plays"]["samples"][0]["metadata"]["kind"] == "plan"


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
    assert reader.read_eval_log(logs["openai-talks.json"], header_only=True).plan.steps == []


@pytest.mark.thorough
def test_data_frames_of_inspect_ai_hold_what_is_exported(kept, capsys):
    frames = pytest.importorskip("inspect_ai.analysis", reason="inspect_ai is not installed: pip install inspect_ai")
    transcripts(capsys, "--export", "inspect")
    logs = str(kept / "inspect")
    evals, samples, messages = (read(logs) for read in (frames.evals_df, frames.samples_df, frames.messages_df))
    assert sorted(evals["task_name"]) == ["exam", "exam", "game", "sweep"]
    assert evals["score_lost_mean"].notna().sum() == 2
    assert samples["score_lost"].notna().sum() == 2 * 32
    assert set(samples["metadata_kind"]) > {"clear", "plan"}
    assert messages["message_id"].is_unique
    assert set(messages["role"]) == {"system", "user", "assistant"}
