"""`bba-tui --check-partners`: its tables, its JSON, and what it does not take."""

import json
import os

import pytest

from bba.agents.learned.families import LEARNED_PARTNERS
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.tiny_policies import write
from tui.cli import main

CHECK = ["check-partners", "--horizon", "200", "--seeds", "1"]


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    for name in [name for name in os.environ if name.startswith("BBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tui.commands.partner_check.ProcessEngine", lambda *_: ImmediateEngine())
    monkeypatch.setattr("bba.bench.partner_check.LEARNED_PARTNERS", LEARNED_PARTNERS[:2])
    for name in ("open", "forced_coordination"):
        write(tmp_path, *LEARNED_PARTNERS[:2], layout=name)
    return tmp_path


def test_tables_for_people(capsys):
    assert main([*CHECK, "--weights", ".", "--layouts", "open,forced_coordination"]) == 0
    out = capsys.readouterr().out
    titles = [line for line in out.splitlines() if "the partner in seat" in line]
    assert titles == [f"{name}, the partner in seat {seat}" for name, seat in PLACES]
    assert "−" in out.split("bp:G1-2", 1)[1].splitlines()[0]
    lines = [line.split() for line in out.splitlines()]
    assert [words[-1] for words in lines if words[:4] == ["forced_coordination", "1", "G1", "washing"]] == ["cannot"]
    assert out.splitlines()[-1].endswith("proagent beside it, 200 steps, seeds 0 to 0")


PLACES = [("open", 1), ("forced_coordination", 1), ("forced_coordination", 0)]


def test_json_is_one_object(capsys):
    assert main([*CHECK, "--weights", ".", "--layout", "forced_coordination", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["ego"], data["seeds"], data["horizon"]) == ("proagent", [0], 200)
    assert [(line["partner"], line["seat"]) for line in data["partners"]] == [
        (partner, seat) for partner in LEARNED_PARTNERS[:2] for seat in (1, 0)
    ]
    washing = data["partners"][0]["features"]["washing"]
    assert (washing["weight"], washing["able"], washing["rate"]) == (20, False, 0)
    assert [contrast["able"] for contrast in data["contrasts"]] == [False, False, True, True]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["--agent", "bayes"], "--agent: is no option of check-partners, but of watch, duel, play; see "),
        (["--layout", "open", "--layouts", "ring"], "--layout: names one kitchen, --layouts several; take one of them"),
        (["--layout", "burrito"], "bp:G1-1: has no weights for the layout burrito"),
        (["--record", "a.bba"], "--record: is no option of check-partners"),
    ],
)
def test_mistakes_are_one_line(capsys, given, problem):
    assert main([*CHECK, "--weights", ".", *given]) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"bba-tui: {problem}")
    assert err.count("\n") == 1
