"""A language model as the planner, from the command line."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from bba.play import Replay, load
from tests.helpers.command_line import parsed
from tests.helpers.fake_endpoint import KEY, answers, plays, refuses, running
from tests.helpers.model_backends import clear_environment
from tui.cli import main


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def endpoint():
    with running() as endpoint:
        endpoint.behaviours = [plays]
        yield endpoint


def run(capsys, endpoint, *arguments):
    common = ["--headless", "--planner", "openai", "--base-url", endpoint.url, "--model", "x", "--horizon", "60"]
    code = main([*common, *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_a_model_plays_and_the_summary_names_it(capsys, endpoint):
    code, out, err = run(capsys, endpoint)
    assert (code, err) == (0, "")
    assert "bayes (openai:x planner)" in out
    assert endpoint.requests[0]["model"] == "x"


def test_a_run_can_be_had_again_without_the_endpoint(capsys, endpoint, tmp_path):
    kept = ["--cache-file", "answers.sqlite", "--seeds", "2"]
    assert run(capsys, endpoint, *kept, "--cache", "write", "--record", "a.bba", "--seeds", "1")[0] == 0
    assert run(capsys, endpoint, *kept, "--cache", "write")[0] == 0
    sent = len(endpoint.requests)
    code, out, _ = run(capsys, endpoint, *kept, "--cache", "only", "--json")
    assert code == 0
    assert json.loads(out)["seeds"] == [0, 1]
    assert len(endpoint.requests) == sent
    code, _, err = run(capsys, endpoint, *kept, "--cache", "only", "--seed", "7")
    assert code == 2
    assert err.startswith("bba-tui: --cache only: answers.sqlite has no answer of x to ")
    assert err.count("\n") == 1


@pytest.mark.thorough
def test_the_key_is_in_no_file_and_no_output(capsys, endpoint, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    endpoint.behaviours = [answers(f"8 {KEY}"), refuses(500, f"Bearer {KEY}"), plays]
    told = ["--cache", "write", "--cache-file", "a.sqlite", "--model-log", "m.jsonl", "--record", "g.bba", "--json"]
    outputs = run(capsys, endpoint, *told)
    assert outputs[0] == 0
    assert endpoint.keys[0] == f"Bearer {KEY}"
    endpoint.behaviours = [refuses(401, f"wrong key: {KEY}")]
    outputs += run(capsys, endpoint, "--seed", "5")
    assert outputs[3] == 2
    assert KEY not in "".join(map(str, outputs))
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"a.sqlite", "m.jsonl", "g.bba"} <= {path.name for path in files}
    for path in files:
        data = path.read_bytes()
        assert KEY.encode() not in (gzip.decompress(data) if path.suffix == ".bba" else data), path


@pytest.mark.parametrize(
    ("arguments", "behaviour", "message"),
    [
        ([], refuses(401, "who are you?"), "planner openai: the endpoint refuses (401: who are you?); set OPENAI_API"),
        (["--max-calls", "1"], plays, "--max-calls: the limit of 1 calls is reached"),
        (["--cache", "only"], plays, "--cache only: "),
        (["--max-cost", "1"], plays, "--max-cost: "),
        (["--prices", "none.toml"], plays, "none.toml: cannot be read"),
        (["--model-log", "no/where"], plays, "--model-log: "),
        (["--base-url", "nowhere"], plays, "--base-url: must be http(s)://"),
        (["--deadline", "nan"], plays, "--deadline: got 'nan'"),
        (["--cache", "sometimes"], plays, "--cache: got 'sometimes'; it should be 'off', 'read', 'write' or 'only'"),
    ],
)
def test_what_ends_a_run_is_one_line_and_exit_code_2(capsys, endpoint, arguments, behaviour, message):
    endpoint.behaviours = [behaviour]
    code, out, err = run(capsys, endpoint, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"bba-tui: {message}")
    assert err.count("\n") == 1


def test_decisions_without_an_answer_are_marked_and_the_game_goes_on(capsys, endpoint):
    endpoint.behaviours = [lambda handler: (refuses(500) if len(endpoint.requests) % 2 else plays)(handler)]
    code, out, err = run(capsys, endpoint, "--attempts", "1", "--record", "game.bba", "--json")
    lost = json.loads(out)["planner_fallbacks"]
    assert (code, lost > 1) == (0, True)
    recorded, words = err.splitlines()[:2]
    assert recorded == "recorded in game.bba; watch it: bba-tui replay game.bba"
    assert words.startswith(f"{lost} decisions in 1 of 1 game had no usable answer")
    ticks = Replay(load(Path("game.bba"))).run().ticks
    calls = [call for tick in ticks for call in tick.decisions[0].calls]
    assert [call.problem for call in calls if call.fallback] == ["500"] * lost


def test_an_endpoint_that_answers_nothing_useful_ends_the_game_and_the_recording_is_kept(capsys, endpoint):
    endpoint.behaviours = [plays, refuses(500, "no GPU is free")]
    code, out, err = run(capsys, endpoint, "--attempts", "1", "--record", "game.bba", "--json")
    recorded, problem = err.splitlines()
    assert (code, out, recorded.partition(";")[0]) == (2, "", "recorded in game.bba")
    assert "no usable answer for 3 decisions in a row" in problem
    assert "500: no GPU is free" in problem
    assert Replay(load(Path("game.bba"))).run().ticks


@pytest.mark.exhaustive
@pytest.mark.parametrize("screen", [[], ["--headless"]], ids=["screen", "headless"])
def test_without_a_key_one_line_says_so_before_anything_opens(capsys, screen):
    code = main([*screen, "--planner", "openai"])
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.startswith("bba-tui: planner openai: there is no key; set OPENAI_API_KEY or BBA_API_KEY")
    assert captured.err.count("\n") == 1


def test_a_key_comes_from_the_environment_only_and_our_own_name_first(monkeypatch, endpoint, capsys, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-theirs")
    monkeypatch.setenv("BBA_API_KEY", "sk-ours")
    run(capsys, endpoint)
    assert endpoint.keys[0] == "Bearer sk-ours"
    assert "sk-" not in f"{parsed([])!r} {parsed([]).model_dump()}"
    assert main(["--headless", "--api-key", "x"]) == 2
    (tmp_path / "mine.toml").write_text(f'api_key = "{KEY}"\n')
    assert main(["--headless", "--config", "mine.toml"]) == 2
    assert KEY not in capsys.readouterr().err


def test_an_endpoint_without_a_key_gets_none_of_anybody(endpoint, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "")
    assert run(capsys, endpoint)[0] == 0
    assert endpoint.keys[0] == "Bearer none"


@pytest.mark.thorough
def test_a_cache_that_cannot_be_used_is_one_line_on_stderr_and_the_game_goes_on(endpoint, tmp_path):
    (tmp_path / "a.sqlite").write_bytes(b"no database" * 500)
    arguments = ["--headless", "--planner", "openai", "--base-url", endpoint.url, "--horizon", "20", "--model", "x"]
    command = [sys.executable, "-m", "tui.cli", *arguments, "--cache", "write", "--cache-file", "a.sqlite"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stderr == "cache: a.sqlite cannot be used: file is not a database\n"


@pytest.mark.thorough
def test_the_client_is_imported_with_the_first_question_and_not_before(endpoint):
    program = f"""
import sys
from bba.agents import SeatSpec, load_agent
from bba.planner.model_options import ModelOptions
from bba.play import Game
options = SeatSpec(planner="openai", model=ModelOptions(model="x", base_url={endpoint.url!r}))
game = Game("open", load_agent("bayes", options), "switching", horizon=1)
print("openai" in sys.modules)
game.run()
print("openai" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.thorough
def test_the_address_of_the_environment_is_used_unless_an_option_gives_another(endpoint, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_BASE_URL", endpoint.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert main(["--headless", "--planner", "openai", "--model", "x", "--horizon", "20"]) == 0
    assert endpoint.requests
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    assert run(capsys, endpoint, "--seed", "3")[0] == 0
