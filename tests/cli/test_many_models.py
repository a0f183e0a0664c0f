"""Several language models in one exam and in one sweep, each with its own endpoint, and each asked several times."""

import json

import pytest

from tests.exam.conftest import few, no_figure  # noqa: F401 - fixtures
from tests.helpers.fake_endpoint import KEY, completion, running
from tests.helpers.hostile_endpoints import scripted
from tests.helpers.model_backends import clear_environment
from tui.cli import main

TINY = """
title = "A tiny sweep"
agents = ["bayes"]
models = ["scripted", "a"]
layouts = ["open"]
seeds = 1
horizon = 12
[partners]
models = ["bayes@*"]
[table]
rows = ["agent"]
columns = ["group"]
"""


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    clear_environment(monkeypatch)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "tiny.toml").write_text(TINY)
    return tmp_path


def plays(handler):
    handler.send(200, completion(scripted(handler), usage={"prompt_tokens": 2000, "completion_tokens": 40}))


@pytest.fixture
def endpoints():
    with running() as first, running() as second:
        for one in (first, second):
            one.behaviours = [plays]
        yield first, second


def models(folder, endpoints):
    first, second = endpoints
    text = f'[a]\nbase-url = "{first.url}"\nkey-env = "FIRST_KEY"\n[b]\nbase-url = "{second.url}"\nmax-calls = 3\n'
    (folder / "models.toml").write_text(
        text.replace("base-url", "base_url").replace("key-env", "key_env").replace("max-calls", "max_calls")
    )
    return "models.toml"


@pytest.mark.usefixtures("few", "no_figure")
def test_each_model_of_an_exam_has_its_own_endpoint_key_and_limits(folder, endpoints, monkeypatch, capsys):
    monkeypatch.setenv("FIRST_KEY", "sk-of-the-first")
    first, second = endpoints
    assert main(["exam", "--models", models(folder, endpoints), "--out", "kept", "--concurrency", "1", "--json"]) == 2
    captured = capsys.readouterr()
    assert "--max-calls: the limit of 3 calls is reached" in captured.err
    found = {one["planner"]: one["answers"] for one in json.loads(captured.out)["exams"]}
    assert found == {"openai:a": 32, "openai:b": 3}
    assert (len(first.requests), len(second.requests)) == (32, 3)
    assert set(first.keys) == {"Bearer sk-of-the-first"}
    assert KEY not in str(second.keys)
    table = (folder / "kept" / "exam.md").read_text()
    assert "| openai:a " in table
    assert "| 3 of 32 " in table


@pytest.mark.usefixtures("few", "no_figure")
def test_repeats_of_an_exam_are_asked_anew_and_kept_apart(folder, endpoints, capsys):
    command = ["exam", "--models", "gpt-4o", "--base-url", endpoints[0].url, "--repeats", "2", "--out", "kept"]
    assert main([*command, "--shuffle"]) == 0
    assert len(endpoints[0].requests) == 64
    assert "openai:gpt-4o, 2 times: points lost" in capsys.readouterr().out
    assert len(list((folder / "kept").glob("*.exam.json"))) == 2
    assert main([*command, "--shuffle"]) == 0
    assert len(endpoints[0].requests) == 64
    assert main(command) == 2
    assert "asked for with another shuffled" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.usefixtures("few", "no_figure")
def test_a_shuffled_list_is_what_a_model_is_sent(endpoints):
    def lists(*more):
        endpoints[0].requests.clear()
        command = ["exam", "--planner", "openai", "--model", "m", "--base-url", endpoints[0].url, "--concurrency", "1"]
        assert main([*command, *more]) == 0
        asked = [body["messages"][-1]["content"] for body in endpoints[0].requests]
        texts = [text.rpartition("VALID ACTIONS -> ")[2].splitlines()[0] for text in asked]
        return [[int(part.split(":")[0]) for part in text.strip().split("; ")] for text in texts]

    plain, shuffled = lists("--out", "plain"), lists("--out", "shuffled", "--shuffle")
    assert all(one == sorted(one) for one in plain)
    assert [sorted(one) for one in shuffled] == plain != shuffled


def test_models_play_with_each_other_and_with_the_scripted_planner(folder, endpoints, capsys):
    command = ["bench", "tiny.toml", "--models", models(folder, endpoints), "--workers", "1", "--out", "kept"]
    (folder / "models.toml").write_text(
        (folder / "models.toml").read_text().replace("max_calls = 3", "max_calls = 999")
    )
    assert main([*command, "--json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    rows = [row["agent"] for row in table["rows"]]
    assert rows == ["bayes (scripted planner)", "bayes (a)", "bayes (b)"]
    assert [column["group"] for column in table["columns"]] == ["scripted", "a", "b"]
    assert all(cell["n"] == 1 for row in table["cells"] for cell in row)
    assert all({body["model"] for body in one.requests} == {name} for one, name in zip(endpoints, "ab", strict=True))
    sent = [len(one.requests) for one in endpoints]
    assert main(command) == 0
    assert [len(one.requests) for one in endpoints] == sent


def test_without_a_language_model_the_sweep_of_models_is_that_of_the_scripted_planner(capsys):
    assert main(["bench", "tiny.toml", "--workers", "1", "--json"]) == 0
    (table,) = json.loads(capsys.readouterr().out)["tables"]
    assert [row["agent"] for row in table["rows"]] == ["bayes (scripted planner)"]
    assert [column["group"] for column in table["columns"]] == ["scripted"]


def test_repeats_of_a_sweep_are_games_of_their_own_and_their_spread_stands_beside_that_of_seeds(
    folder, endpoints, capsys
):
    command = ["bench", "tiny.toml", "--partners", "switching", "--base-url", endpoints[0].url, "--workers", "1"]
    assert main([*command, "--models", "x", "--repeats", "2", "--seeds", "2", "--out", "kept", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["episodes"]["done"] == 2 + 2 * 2  # the scripted planner's are the same each time
    (spread,) = found["repeats"]
    assert (spread["agent"], spread["repeats"], spread["between_repeats"]) == ("bayes (x)", 2, 0)
    assert main([*command, "--models", "x", "--repeats", "2", "--seeds", "2", "--out", "kept"]) == 0
    assert "2 repeats; standard deviation of the reward 0 between repeats" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("named", "problem"),
    [
        ("a,,b", "--models: got 'a,,b'; it should be names, with commas between them"),
        ("none.toml", "none.toml"),
        ("bad.toml", "bad.toml: a.colour"),
    ],
)
def test_what_names_no_models_is_one_line(folder, capsys, named, problem):
    (folder / "bad.toml").write_text('[a]\ncolour = "red"\n')
    assert main(["exam", "--models", named]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert len(error.splitlines()) == 1


def of_seats(folder, endpoints, *more):
    command = ["headless", "open", "--horizon", "12", "--json", "--models", models(folder, endpoints), *more]
    return main(command)


def test_each_seat_of_a_game_has_its_own_endpoint_key_and_limits(folder, endpoints, monkeypatch, capsys):
    monkeypatch.setenv("FIRST_KEY", "sk-of-the-first")
    first, second = endpoints
    assert of_seats(folder, endpoints, "--agent", "bayes@a", "--partner", "proagent@b") == 0
    assert set(first.keys) == {"Bearer sk-of-the-first"}
    assert KEY not in str(second.keys)
    assert [{body["model"] for body in one.requests} for one in endpoints] == [{"a"}, {"b"}]
    config = folder / "seats.toml"
    config.write_text('agent = "bayes@scripted"\npartner = "proagent@b"\n')
    (folder / "models.toml").write_text(f'[b]\nbase_url = "{second.url}"\nmax_calls = 1\n')
    command = ["headless", "open", "--horizon", "60", "--models", "models.toml", "--config", str(config)]
    assert main(command) == 2
    assert "--max-calls: the limit of 1 calls is reached" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("seats", "problem"),
    [
        (["--partner", "bayes@gpt-4o"], "--partner: --planner scripted asks no gpt-4o; take --planner openai, or"),
        (["--agent", "bays@scripted"], "--agent: no agent named 'bays'"),
    ],
)
def test_a_seat_whose_model_cannot_be_asked_is_one_line(capsys, seats, problem):
    assert main(["headless", "open", "--horizon", "5", *seats]) == 2
    error = capsys.readouterr().err
    assert problem in error
    assert len(error.splitlines()) == 1
