"""Benchmarks on the command line: what is printed, kept and said, and what a killed run leaves."""

import csv
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from rich.text import Text

from bba.agents import KEYLESS, SeatSpec
from bba.bench.engines import ThreadEngine
from bba.bench.plan import plan_sweep
from bba.bench.presets import load_sweep
from bba.bench.results_store import COMMAND_FILE, RESULTS_FILE, ResultsStore
from bba.bench.schema import STORE_VERSION
from tests.helpers.command_line import in_a_terminal, parsed
from tests.helpers.fake_endpoint import KEY, plays, running
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.old_results import begin_file_of_version_2
from tests.helpers.tiny_sweeps import outcome
from tui.cli import main
from tui.commands.output import print_sweep_json, print_sweep_tables
from tui.commands.sweep import wanted_sweep
from tui.commands.sweep_playing import engine_of

TINY = """
title = "A tiny sweep"
agents = ["bayes", "bayes-no-replan"]
layouts = ["open"]
seeds = 2
horizon = 30
[partners]
switching = ["switching"]
"""
SWEEP = ["--headless", "--sweep", "tiny.toml", "--out", "out"]


@pytest.fixture(autouse=True)
def tiny(monkeypatch, tmp_path):
    for name in [name for name in os.environ if name.startswith("BBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tui.commands.sweep_playing.ProcessEngine", lambda *_: ImmediateEngine())
    (tmp_path / "tiny.toml").write_text(TINY)
    return tmp_path


def run(capsys, *arguments):
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_title_is_printed_as_it_is_written(capsys, tiny):
    (tiny / "tiny.toml").write_text(TINY.replace("A tiny sweep", "on :fire: [bold]"))
    assert run(capsys, *SWEEP)[1].startswith("on :fire: [bold]\n")


def test_the_table_is_printed_and_says_once_what_planned_and_how_to_look_at_the_results(capsys):
    code, out, err = run(capsys, *SWEEP)
    assert code == 0
    assert out.startswith("A tiny sweep\n\nreward\n")
    assert "layout  group      bayes  bayes-no-replan\n" in out
    assert out.count("scripted planner") == 1
    counted = "mean ± standard deviation, seeds 0 to 1; 30 steps; 4 of 4 episodes"
    asked = "scripted planner (no language model)\na cook that waits is asked again when something has changed"
    look = "results in out; browse them: bba-tui results out; a page with figures: bba-tui report out"
    assert out.endswith(f"{counted}\n{asked}\n{look}\n")
    assert err.splitlines()[-1].startswith("4 of 4 episodes, ")
    assert "0 failed; mean reward: bayes 0" in err


def test_in_a_terminal_of_80_columns_no_name_or_number_is_cut(capsys, tiny, monkeypatch):
    in_a_terminal(monkeypatch, 80)
    agents = ["bayes", "bayes-no-prompt", "bayes-no-replan", "bayes-no-belief", "bayes-commit", "proagent"]
    (tiny / "tiny.toml").write_text(TINY.replace('["bayes", "bayes-no-replan"]', json.dumps(agents)))
    out = Text.from_ansi(run(capsys, *SWEEP)[1]).plain.partition("mean ±")[0]
    assert [sum(line.split().count(agent) for line in out.splitlines()) for agent in agents] == [1] * 6
    assert (out.count("0 ± 0"), max(map(len, out.splitlines())) <= 80) == (6, True)


def test_marks_and_margins_stand_in_what_is_printed(capsys):
    preset = load_sweep("crossplay").changed({"layouts": ["open"], "partners": {"bayes": ["bayes"]}, "seeds": 1})
    plan = plan_sweep(preset, SeatSpec())
    results = {entry.key: outcome(reward=100.0 if entry.agent == "gamma" else 50.0) for entry in plan.entries}
    print_sweep_tables(plan, results, Path("out"), [])
    out = capsys.readouterr().out
    assert re.search(r"^gamma +★ 100 ± 0 +★ 100 ± 0$", out, re.MULTILINE)
    assert re.search(r"^bayes +50 ± 0 +50 ± 0\n +preprint 720 ± 257 +preprint 720, computed$", out, re.MULTILINE)
    assert re.search(r"^Mean over P0 +62 ± 0", out, re.MULTILINE)
    assert "\n★ best mean of all; perhaps by chance\npreprint: " in out
    print_sweep_json(plan, results, [])
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    best = [{cell.get("best") for cell in row} for row in table["cells"]]
    assert best == [{None}, {None}, {"all"}, {None}, {None}]
    assert table["cells"][0][-1]["preprint"] == {"model": "gpt-4o", "mean": 720.3, "computed": True}


def test_json_is_one_object_for_machines(capsys):
    code, out, _ = run(capsys, *SWEEP, "--json")
    data = json.loads(out)
    assert (code, out.count("\n")) == (0, 1)
    assert data["episodes"] == {"asked": 4, "done": 4, "failed": 0}
    assert data["agents"] == ["bayes (scripted planner)", "bayes-no-replan (scripted planner)"]
    (table,) = data["tables"]
    assert table["columns"][1] == {"agent": "bayes-no-replan (scripted planner)"}
    assert table["cells"][0][0] == {"n": 2, "missing": 0, "mean": 0.0, "sd": 0.0}
    assert [len(curve["share"]) in (0, 61) for curve in data["recovery"]] == [True, True]


def test_the_same_command_again_plays_nothing_and_says_the_same(capsys, monkeypatch):
    _, first, _ = run(capsys, *SWEEP)
    monkeypatch.setattr("tui.commands.sweep_playing.Runner", None)
    code, second, err = run(capsys, *SWEEP)
    assert (code, second, err) == (0, first, "")


@pytest.mark.thorough
def test_asked_for_recordings_it_plays_those_without_one_again(capsys, tiny):
    _, first, _ = run(capsys, *SWEEP)
    code, second, _ = run(capsys, *SWEEP, "--keep-recordings")
    assert (code, second) == (0, first)
    database = sqlite3.connect(tiny / "out" / RESULTS_FILE)
    recordings = database.execute("SELECT recording FROM episodes").fetchall()
    assert [recording[:2] for (recording,) in recordings] == [b"\x1f\x8b"] * 4


def test_results_go_to_a_folder_named_for_the_sweep(capsys, tiny):
    run(capsys, *SWEEP[:3])
    folder = tiny / "results" / "tiny"
    assert (folder / RESULTS_FILE).exists()


def test_until_it_is_played_to_its_end_the_command_that_goes_on_stands_beside_the_results(capsys, tiny, monkeypatch):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("tui.commands.sweep_playing.play_episodes", stopped)
        code, _, _ = run(capsys, *SWEEP, "--yes", "--workers", "1", "--extra-headers", '{"X-Key": "secret"}')
    assert code == 130
    assert (tiny / "out" / COMMAND_FILE).read_text() == "bba-tui bench tiny.toml --out out\n"
    run(capsys, *SWEEP)
    assert not (tiny / "out" / COMMAND_FILE).exists()


@pytest.mark.thorough
def test_a_bare_sweep_is_the_quick_one():
    assert parsed(["--headless", "--sweep"]).benchmark == "quick"
    assert parsed(["--sweep", "--json"]).benchmark == "quick"
    assert parsed(["--sweep", "ablation"]).benchmark == "ablation"


def test_options_replace_parts_of_the_sweep():
    options = (
        "--agents proagent,bayes --partners switching,G2 --layouts ring --seeds 3 --seed 4 --horizon 99 --mobility 1"
    )
    sweep = wanted_sweep(parsed(["--sweep", "ablation", *options.split()]))
    assert [ego.agent for ego in sweep.agents] == ["proagent", "bayes"]
    assert list(sweep.partners) == ["switching", "G2"]
    assert len(sweep.partners["G2"]) == 4
    assert (sweep.layouts, sweep.seeds, sweep.first_seed, sweep.horizon, sweep.mobility) == (("ring",), 3, 4, 99, 1.0)
    assert [ego.model for ego in wanted_sweep(parsed(["--sweep", "backbones", "--agents", "bayes"])).agents] == [
        "gpt-5.2"
    ]
    assert wanted_sweep(parsed(["--sweep", "ablation"])).seeds == 5


def test_gate_options_reach_every_episode(capsys, tiny):
    run(capsys, *SWEEP, "--theta-obs", "0.06")
    database = sqlite3.connect(tiny / "out" / RESULTS_FILE)
    specs = [json.loads(spec) for (spec,) in database.execute("SELECT spec FROM episodes")]
    assert {spec["seats"][0]["belief_config"]["gate"]["theta_obs"] for spec in specs} == {0.06}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_results_are_exported_as_one_row_a_case(capsys, tiny, suffix):
    code, _, err = run(capsys, *SWEEP, "--export", f"results.{suffix}")
    assert (code, err.splitlines()[-1]) == (0, f"wrote results.{suffix}")
    if suffix == "csv":
        rows = list(csv.DictReader((tiny / "results.csv").open()))
    else:
        from pyarrow import parquet

        rows = parquet.read_table(tiny / "results.parquet").to_pylist()
    assert [(row["agent"], str(row["seed"])) for row in rows[:2]] == [("bayes", "0"), ("bayes", "1")]
    assert {row["planner"] for row in rows} == {"scripted"}
    assert {str(row["reward"]) for row in rows} == {"0"}
    assert len({row["key"] for row in rows}) == len(rows) == 4
    code, out, err = run(capsys, *SWEEP, "--export", f"results.{suffix}")
    assert (code, out) == (2, "")
    assert err == f"bba-tui: --export: results.{suffix} exists; --force writes over it\n"
    assert run(capsys, *SWEEP, "--export", f"results.{suffix}", "--force")[0] == 0


def fail_on(monkeypatch, seed):
    """Let the games of one seed go wrong."""
    from bba.play import Game

    advance = Game.advance

    def broken(game):
        if game.trace.config.seed == seed:
            raise ZeroDivisionError("a bug")
        return advance(game)

    monkeypatch.setattr(Game, "advance", broken)


@pytest.mark.thorough
def test_a_failed_episode_is_told_of_and_tried_again(capsys, monkeypatch):
    with monkeypatch.context() as patched:
        fail_on(patched, 1)
        code, out, err = run(capsys, *SWEEP)
    assert code == 2
    assert "[1 missing]" in out
    assert "2 of 4 episodes, 2 failed" in out
    last = "bba-tui: 2 of 4 episodes failed: ZeroDivisionError: a bug (2); the same command tries them again\n"
    assert err.endswith(last)
    code, out, _ = run(capsys, *SWEEP)
    assert code == 0
    assert "4 of 4 episodes" in out


def test_with_fail_fast_the_first_failure_ends_the_sweep(capsys, monkeypatch):
    fail_on(monkeypatch, 1)
    code, out, _ = run(capsys, *SWEEP, "--fail-fast", "--json")
    assert code == 2
    assert json.loads(out)["episodes"] == {"asked": 4, "done": 1, "failed": 1}


def test_interrupted_before_its_first_episode_it_names_no_results(capsys, monkeypatch, tiny):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("tui.commands.sweep.play_missing", interrupted)
    code, _, said = run(capsys, *SWEEP)
    assert code == 130
    assert said.endswith("stopped; 0 of 4 episodes are kept, and the same command goes on from there\n")


@pytest.mark.parametrize("form", [[], ["--json"]])
@pytest.mark.parametrize(("number", "expected"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_it_says_how_to_go_on_and_keeps_what_is_finished_and_frees_the_rest(
    capsys, monkeypatch, tiny, number, expected, form
):
    from bba.play import Game

    step, played = Game.step, []

    def interrupted(game):
        played.append(game)
        if len(played) > 75:
            signal.raise_signal(number)
        return step(game)

    with monkeypatch.context() as patched:
        patched.setattr(Game, "step", interrupted)
        patched.setattr(Game, "_run_kernel", lambda *_: 0)  # step by step, so that one can be interrupted
        code, out, said = run(capsys, *SWEEP, *form)
    assert code == expected
    assert "stopped; 2 of 4 episodes are kept, and the same command goes on from there\nresults in " in said
    assert json.loads(out)["episodes"]["done"] == 2 if form else out == "", "a table would be full of gaps"
    with closing(sqlite3.connect(tiny / "out" / RESULTS_FILE)) as database:
        assert database.execute("SELECT count(*) FROM claims").fetchone() == (0,)
    assert run(capsys, *SWEEP)[0] == 0


WRONG = [
    (["--sweep", "moon"], "no benchmark is named 'moon'; there are ablation, "),
    (["--sweep", "none.toml"], "none.toml: cannot be read: No such file or directory"),
    (["--sweep", "tiny.toml", "--agents", "bayse"], "tiny, as changed by options: agents: no agent named 'bayse'"),
    (["--sweep", "paired", "--agents", "bayes"], "paired, as changed by options: table.paired: bayes-no-replan is not"),
    (["--sweep", "tiny.toml", "--layouts", "moon"], "tiny, as changed by options: layouts: layout: no layout named"),
    (["--sweep", "tiny.toml", "--layout", "ring"], "--layout: is no option of bench, but of watch, "),
    (["--sweep", "tiny.toml", "--record", "x.bba"], "--record: is no option of bench, but of watch, "),
    (["--sweep", "tiny.toml", "--workers", "0"], "--workers: got '0'; it should be greater than or equal to 1"),
    (["--sweep", "tiny.toml", "--engine", "moon"], "--engine: got 'moon'; it should be 'local' or 'ray'"),
    (["--sweep", "tiny.toml", "--planner", "openai", "--engine", "ray"], "--engine ray: takes no --planner openai, "),
    (["--sweep", "tiny.toml", "--export", "x.xls"], "--export: x.xls: results are written as .csv or .parquet"),
    (["--sweep", "tiny.toml", "--planner", "oracle"], "planner: no planner named 'oracle'"),
    (["--sweep", "tiny.toml", "--out", "tiny.toml"], "tiny.toml: cannot be used: File exists"),
    (["--sweep", "ablation", "--weights", "."], "ablation: nothing to play; left out, no weights for open: bp:G1-1"),
    (["--sweep", "tiny.toml", "--agents", "bayes,"], "--agents: got 'bayes,'; it should be names, with commas between"),
    (["--sweep", "tiny.toml", "--partners", ""], "--partners: got ''; it should be names, with commas between them"),
    (["--sweep", "tiny.toml", "--merge", "a,b"], "--merge: is no option of bench; it is the command bba-tui merge"),
    (["--sweep", "tiny.toml", "--report", "a"], "--report: is no option of bench, but of report"),
    (["--sweep", "tiny.toml", "--address", "far:1"], "--address: is for --engine ray"),
    (["--sweep", "tiny.toml", "--accept-code", "x"], "--accept-code: got 'x'; it should be digests of 16 hex digits"),
    (
        ["--sweep", "tiny.toml", "--partners", "scratch"],
        "tiny: has no learned partners; so it has none of the ",
    ),
    (["--sweep", "knowledge", "--partners", "scratch"], "knowledge, as changed by options: partners: no agent named "),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=lambda value: value if isinstance(value, str) else "")
def test_a_mistake_is_one_line_on_stderr_and_exit_code_2(capsys, tiny, arguments, message):
    code, out, err = run(capsys, "--headless", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"bba-tui: {message}")
    assert err.count("\n") == 1
    assert [file.name for file in tiny.iterdir()] == ["tiny.toml"]


def engine_for(*arguments):
    return engine_of(parsed([*SWEEP, *arguments]))


def test_games_of_keyless_planners_run_in_processes_and_those_of_a_language_model_in_threads(monkeypatch):
    monkeypatch.setattr("tui.commands.sweep_playing.RayEngine", lambda *_: "ray")
    for planner in KEYLESS:
        assert isinstance(engine_for("--planner", planner), ImmediateEngine)  # in the place of processes
        assert engine_for("--planner", planner, "--engine", "ray") == "ray"
    assert isinstance(engine_for("--planner", "openai"), ThreadEngine)


def test_a_store_from_a_newer_version_is_one_line(capsys, tiny):
    ResultsStore(tiny / "out").close()
    sqlite3.connect(tiny / "out" / RESULTS_FILE).execute("PRAGMA user_version = 99")
    code, out, err = run(capsys, *SWEEP)
    assert (code, out) == (2, "")
    assert (
        err == f"bba-tui: out/{RESULTS_FILE}: its schema is version 99; this program knows "
        f"{STORE_VERSION}: update bba-tui\n"
    )


def test_results_of_other_code_are_told_of_and_not_counted(capsys, tiny):
    begin_file_of_version_2(tiny / "out")
    run(capsys, *SWEEP)
    database = sqlite3.connect(tiny / "out" / RESULTS_FILE)
    database.execute(
        "UPDATE episodes SET key = substr(key || 'f', 2), code = 'old', measures = '{\"reward\": 999}', checksum = NULL"
    )
    database.commit()
    _, out, err = run(capsys, *SWEEP)
    assert "999" not in out
    said = "holds episodes played by other code, too; they are not counted (--accept-code old counts them)"
    assert err.startswith(f"out/{RESULTS_FILE}: {said}\n")


def test_the_list_names_the_sweeps(capsys):
    _, out, _ = run(capsys, "--list")
    assert "benchmarks\n  ablation" in out


def command(*arguments):
    return [sys.executable, "-m", "tui.cli", *SWEEP, "--workers", "1", "--json", *arguments]


@pytest.mark.parametrize(
    "kills", [pytest.param(n, marks=mark) for n, mark in ((1, pytest.mark.thorough), (6, pytest.mark.long))]
)
def test_killed_and_run_again_it_gives_the_table_of_a_run_that_was_not(capsys, tiny, kills):
    """Killed whenever something more is stored, and then run twice at once on the same folder."""
    (tiny / "tiny.toml").write_text(TINY.replace("seeds = 2", "seeds = 8").replace("horizon = 30", "horizon = 60"))
    _, expected, _ = run(capsys, *SWEEP[:-1], "reference", "--json")
    store = ResultsStore(tiny / "out")
    for _ in range(kills):
        before = len(store.finished())
        with subprocess.Popen(command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as killed:
            while len(store.finished()) == before and killed.poll() is None:
                time.sleep(0.005)
            killed.send_signal(signal.SIGKILL)
        assert store.finished()
        with closing(sqlite3.connect(tiny / "out" / RESULTS_FILE, isolation_level=None)) as database:
            database.execute("UPDATE claims SET seen = 0")
    store.close()
    both = [subprocess.Popen(command(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for _ in range(2)]
    assert [process.communicate()[0] for process in both] == [expected, expected]


def test_a_language_models_games_share_its_limits_and_leave_no_key_behind(capsys, monkeypatch, tiny):
    with running() as endpoint:
        endpoint.behaviours = [plays]
        monkeypatch.setenv("BBA_API_KEY", KEY)
        options = ["--planner", "openai", "--model", "mine", "--base-url", endpoint.url, "--workers", "3"]
        code, out, err = run(capsys, *SWEEP, *options, "--max-calls", "2")
        assert code == 2
        assert "episodes failed" in err
        assert ": --max-calls: the limit of 2 calls is reached" in err
        code, out, _ = run(capsys, *SWEEP, *options, "--keep-recordings")
    assert code == 0
    assert "bayes (mine)  bayes-no-replan (mine)" in out
    assert "scripted" not in out
    database = sqlite3.connect(tiny / "out" / RESULTS_FILE)
    measured = [json.loads(text) for (text,) in database.execute("SELECT measures FROM episodes")]
    assert sum(measures["planner_prompt_tokens"] for measures in measured) > 0, "the same question is paid once"
    database.close()
    assert KEY.encode() not in (tiny / "out" / RESULTS_FILE).read_bytes()


def test_a_table_of_scored_measures_says_by_which_rule(capsys, tiny):
    rule = "scored by rule 2 (docs/reference/measures.md)"
    assert rule not in run(capsys, *SWEEP)[1]
    (tiny / "tiny.toml").write_text(TINY + '[table]\nmeasures = ["gap_rate"]\n')
    assert rule in run(capsys, *SWEEP)[1]
    assert rule in json.loads(run(capsys, *SWEEP, "--json")[1])["notes"]
