"""The commands `score` and `verify`: a card is written, holds, and is refused once it was changed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401
from tests.helpers.immediate_engine import ImmediateEngine
from tests.helpers.plugin_files import write_plugins
from tests.helpers.tiny_benchmarks import install_tiny_benchmark
from tui.commands import sweep_playing

ROOT = Path(__file__).parents[2]
CARDS = sorted((ROOT / "docs" / "results" / "data" / "cards").glob("*.json"))


@pytest.fixture(autouse=True)
def tiny(monkeypatch, tmp_path_factory):
    monkeypatch.setattr(sweep_playing, "engine_of", lambda settings: ImmediateEngine())
    return install_tiny_benchmark(monkeypatch, tmp_path_factory.mktemp("protocols"))


def test_a_card_is_written_holds_and_is_refused_when_changed(capsys, tmp_path):
    code, out, err = run(capsys, "score", "v1", "--agent", "bayes-no-replan", "--out", "cards")
    assert code == 0, err
    card = tmp_path / "cards" / "bayes-no-replan-scripted-v1-quick.json"
    assert f"check it: bba-tui verify {Path('cards') / card.name}" in out
    assert "bayes-no-replan (scripted planner): A tiny benchmark" in out
    assert "its belief: MAP right" in out
    assert "2 of 2 episodes" in err

    code, out, err = run(capsys, "verify", str(card))
    assert (code, err) == (0, "")
    assert out == (
        f"{card}: holds: bayes-no-replan (scripted planner) in v1 quick, all means follow from its 2 games; "
        "2 of them played again, the same to the bit\n"
    )
    assert "; 1 of them played again" in run(capsys, "verify", str(card), "--again", "1")[1]

    text = card.read_text("utf-8")
    card.write_text(text.replace('"seed":100', '"seed":101'), "utf-8")
    code, out, err = run(capsys, "verify", str(card))
    assert (code, out) == (2, "")
    assert err == f"bba-tui: {card}: the card was changed after it was written: its checksum is another one\n"


def test_the_same_command_again_plays_nothing_and_the_card_says_the_same(capsys, tmp_path):
    first = json.loads(run(capsys, "score", "--agent", "proagent", "--json", "--out", "cards")[1])
    code, out, err = run(capsys, "score", "v1", "--agent", "proagent", "--json", "--out", "cards")
    again = json.loads(out)
    assert code == 0
    assert "episodes," not in err
    changing = {"checksum", "made"}
    assert {k: v for k, v in first.items() if k not in changing} == {
        k: v for k, v in again.items() if k not in changing
    }


def test_a_plug_ins_card_names_its_source_and_its_games_are_played_again(capsys, tmp_path):
    name = f"{write_plugins(tmp_path)}:Random"
    code, out, err = run(capsys, "score", "--agent", name, "--agent-option", "temperature=0.5", "--json")
    assert code == 0, err
    agent = json.loads(out)["agent"]
    (used,) = agent["profile"]["plugins"]
    assert agent["name"] == f"{name} temperature=0.5"
    assert agent["source"] == f"{name}, source {used['digest']}"
    (card,) = (tmp_path / "results" / "benchmark-v1").glob("*.json")
    assert run(capsys, "verify", str(card), "--plugins", name.partition(":")[0])[0] == 0


def test_an_agent_that_fails_gets_no_card(capsys, tmp_path):
    name = f"{write_plugins(tmp_path)}:Failing"
    code, _, err = run(capsys, "score", "--agent", name, "--out", "cards")
    assert code == 2
    assert "2 of 2 episodes failed: " in err
    assert not [*(tmp_path / "cards").glob("*.json")]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("score", "v2"), "no benchmark is named 'v2'; there are v1"),
        (("score", "--size", "huge"), "no size 'huge'; there are quick, full"),
        (("score", "--horizon", "9"), "--horizon: is no option of score, but of watch"),
        (("score", "--partners", "switching"), "--partners: is no option of score, but of bench"),
        (("score", "--agent", "bp"), "bp is another agent beside each partner"),
        (("score", "--agent", "human"), "no agent named 'human'"),
        (("score", "--planner", "rollout", "--budget-ms", "5"), "budget-ms: not in benchmarks"),
        (("verify",), "verify: needs a CARD"),
        (("verify", "nothing.json"), "nothing.json: cannot be read: No such file"),
        (("verify", "card.json", "--seed", "1"), "--seed: is no option of verify"),
        (("verify", "card.json", "--again", "some"), "--again: got 'some'"),
    ],
)
def test_a_mistake_is_one_line(arguments, problem, capsys):
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert problem in err
    assert err.count("\n") == 1


@pytest.mark.long
@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.stem)
def test_another_process_finds_that_the_published_cards_hold(card, tmp_path):
    command = [sys.executable, "-m", "tui.cli", "verify", str(card), "--again", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "2 of them played again, the same to the bit" in done.stdout
