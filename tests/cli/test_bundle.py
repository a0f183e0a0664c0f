"""Bundles: one file of results or of a recording, read without a key, the same bytes each time, and no secret in it."""

import json
import shutil
import sqlite3
import zipfile
from contextlib import redirect_stderr, redirect_stdout

import pytest

from bba.bench.results_reader import load_results
from bba.bench.results_store import ResultsStore
from tests.helpers.fake_endpoint import KEY, refuses, running
from tests.helpers.hostile_endpoints import every_other, plays
from tests.helpers.model_backends import clear_environment
from tests.helpers.old_results import begin_file_of_version_2
from tests.helpers.secrets_search import assert_nowhere
from tui.cli import main

TINY = """
title = "A tiny sweep"
agents = ["bayes"]
layouts = ["open"]
seeds = 2
horizon = 30
[partners]
switching = ["switching"]
"""
ACCOUNT = "c0ffee0123456789c0ffee0123456789"  # in the address, as some gateways have it
CANARIES = {
    "OPENAI_API_KEY": KEY,
    "OPENAI_ORG_ID": "org-CanaryOrganisation",
    "OPENAI_PROJECT_ID": "proj_CanaryProject",
    "OPENAI_CUSTOM_HEADERS": "X-Team: canary of the headers",
}
SAID = "req_canary0123456789"
SECRETS = [KEY, KEY[:12], ACCOUNT, SAID, "CanaryOrganisation", "CanaryProject", "canary of the headers"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with a paid sweep, a recorded game, logs and answers; the endpoint names every secret at times."""
    folder = tmp_path_factory.mktemp("paid")
    (folder / "tiny.toml").write_text(TINY)
    with pytest.MonkeyPatch.context() as changed, running() as endpoint, (folder / "printed.txt").open("w") as printed:
        clear_environment(changed)
        changed.chdir(folder)
        for name, value in CANARIES.items():
            changed.setenv(name, value)
        with redirect_stdout(printed), redirect_stderr(printed):
            _play_and_pay(endpoint)
    return folder


def _play_and_pay(endpoint) -> None:
    complaint = f"content_filter {' '.join(CANARIES.values())} {KEY[:12]}***abcd request {SAID} account {ACCOUNT}"
    told = {"x_request_id": SAID, "openai_organization": CANARIES["OPENAI_ORG_ID"]}
    endpoint.behaviours = [every_other(plays, refuses(400, complaint, **told))]
    url = f"{endpoint.url.removesuffix('/v1')}/{ACCOUNT}/v1"
    model = ["--planner", "openai", "--base-url", url, "--model", "gpt-4o", "--model-log", "log.jsonl"]
    model += ["--cache-file", "answers.sqlite", "--headless"]
    assert main([*model, "--sweep", "tiny.toml", "--out", "out", "--workers", "1"]) == 0
    assert main([*model, "--json", "--horizon", "40", "--record", "game.bba"]) == 0
    endpoint.behaviours = [refuses(401, complaint)]
    assert main([*model, "--sweep", "tiny.toml", "--out", "out", "--seed", "7", "--seeds", "1"]) == 2


@pytest.fixture
def paid(made, monkeypatch, tmp_path):
    """A copy of that folder, as the working folder, with the same secrets in the environment."""
    clear_environment(monkeypatch)
    shutil.copytree(made, tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    for name, value in CANARIES.items():
        monkeypatch.setenv(name, value)
    return tmp_path / "here"


def run(capsys, *arguments) -> tuple[int, str, str]:
    code = main(list(arguments))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_results_become_one_file_that_shows_the_same_tables_for_ever_without_a_key(paid, capsys, monkeypatch):
    code, out, _ = run(capsys, "bundle", "one.zip", "--results", "out")
    assert (code, "written to one.zip" in out) == (0, True)
    assert run(capsys, "bundle", "two.zip", "--results", "out")[0] == 0
    assert (paid / "one.zip").read_bytes() == (paid / "two.zip").read_bytes()
    clear_environment(monkeypatch)
    here, there = load_results(paid / "out"), None
    assert run(capsys, "report", "one.zip")[:2] == (
        0,
        f"written to {paid.joinpath('one').relative_to(paid)}/report.html\n",
    )
    there = load_results(paid / "one")
    assert [run.entries for run in there.sweeps] == [run.entries for run in here.sweeps]
    assert {key: episode.result for key, episode in there.episodes.items()} == {
        key: episode.result for key, episode in here.episodes.items()
    }
    assert there.spent == here.spent
    assert there.spent.dollars > 0
    games = sorted((paid / "one" / "recordings").glob("*.bba"))
    assert len(games) == 2, "the answers of a paid sweep are kept"
    assert run(capsys, "--headless", "--json", "--replay", str(games[0]))[0] == 0
    assert run(capsys, "bundle", "three.zip", "--results", "one.zip")[0] == 0
    assert (paid / "three.zip").read_bytes() == (paid / "one.zip").read_bytes()


@pytest.mark.thorough
def test_the_tables_stand_in_the_file_for_those_without_this_program(paid, capsys):
    run(capsys, "bundle", "one.zip", "--results", "out")
    run(capsys, "report", "out")
    with zipfile.ZipFile(paid / "one.zip") as packed:
        tables = {name: packed.read(name) for name in packed.namelist() if name.startswith("tables/")}
    written = sorted((paid / "out" / "tables").iterdir())
    assert {f"tables/{file.name}" for file in written} == set(tables)
    csvs = [file for file in written if file.suffix == ".csv"]
    assert csvs
    assert all(tables[f"tables/{file.name}"] == file.read_bytes() for file in csvs)


def test_a_recording_becomes_one_file_that_replays_without_a_key(paid, capsys, monkeypatch):
    assert run(capsys, "bundle", "game.zip", "--replay", "game.bba")[0] == 0
    clear_environment(monkeypatch)
    (paid / "game.bba").rename(paid / "moved.bba")
    (paid / "game.usage.json").rename(paid / "moved.usage.json")
    there = run(capsys, "--headless", "--json", "--replay", "game.zip")
    assert there[0] == 0
    assert there[1] == run(capsys, "--headless", "--json", "--replay", "moved.bba")[1]
    assert json.loads(there[1])["planner_cost"] > 0
    assert run(capsys, "--headless", "--json", "--replay", "game.zip") == there, "opened once, and again"


def test_no_secret_stands_in_any_file_or_bundle(paid, capsys):
    run(capsys, "report", "out")
    run(capsys, "bundle", "one.zip", "--results", "out")
    run(capsys, "bundle", "game.zip", "--replay", "game.bba")
    run(capsys, "report", "one.zip")
    run(capsys, "--headless", "--replay", "game.zip")
    searched = assert_nowhere(paid, SECRETS)
    assert {"one.zip", "game.zip", "game.bba", "log.jsonl", "answers.sqlite", "printed.txt"} <= searched
    assert b"127.0.0.1" not in b"".join(zipfile.ZipFile(paid / "one.zip").read(name) for name in ("results.json",))


def test_what_an_older_program_stored_is_cleaned_in_the_bundle(paid, capsys):
    begin_file_of_version_2(paid / "old")
    run(capsys, "merge", "out", "--out", "old")
    with sqlite3.connect(paid / "old" / "results.sqlite") as database:
        database.execute("UPDATE episodes SET failure = ? WHERE failure IS NOT NULL", (f"refused {KEY} {SAID}",))
        database.execute("UPDATE episodes SET checksum = NULL")
        database.execute("UPDATE episodes SET spec = replace(spec, '…', ?)", (ACCOUNT,))
    database.close()
    run(capsys, "bundle", "one.zip", "--results", "old")
    (paid / "old" / "results.sqlite").unlink()
    assert "one.zip" in assert_nowhere(paid, SECRETS)


MISTAKES = [
    (["bundle", "x.zip"], "bundle: say of what: --results FOLDER, or --replay FILE"),
    (["bundle", "x.zip", "--results", "none"], "none"),
    (["bundle", "x.zip", "--results", "empty"], "bba-tui: empty/results.sqlite: holds no results yet"),
    (["bundle", "none/x.zip", "--results", "out"], "bundle: none is not a folder"),
    (["--replay", "one.zip", "--headless"], "one.zip: holds results, not a recording"),
    (["--report", "game.zip"], "game.zip: holds a recording, not results"),
    (["bundle"], "bundle: needs a FILE"),
]


def test_mistakes_are_one_line(paid, capsys):
    run(capsys, "bundle", "one.zip", "--results", "out")
    run(capsys, "bundle", "game.zip", "--replay", "game.bba")
    ResultsStore(paid / "empty").close()
    for arguments, message in MISTAKES:
        code, out, err = run(capsys, *arguments)
        assert (code, out, err.count("\n")) == (2, "", 1), arguments
        assert message in err
    (paid / "one").mkdir()
    assert "one.zip: cannot be opened at one: something else is there" in run(capsys, "report", "one.zip")[2]
    assert not list((paid / "one").iterdir())
