"""`bba-tui --train` where nothing is trained: what it does not take, and what it says without torch."""

import os

import pytest

from tui.cli import main


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    for name in [name for name in os.environ if name.startswith("BBA_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (
            ["train", "bp", "--agent", "bayes"],
            "--agent: is no option of train, but of watch, duel, play; see bba-tui train --help",
        ),
        (["train", "--sweep", "quick"], "--sweep: is no option of train, but of bench"),
        (["train", "bp", "--from", "results/s"], "--from: does not go with train, which takes --train-steps, "),
        (["train", "bp", "--check-partners"], "--check-partners: is no option of train"),
        (["--train-steps", "100"], "--train-steps: goes with train, which is not given"),
        (["train", "--train-steps", "0"], "--train-steps: got '0'; it should be greater than or equal to 1"),
    ],
)
def test_only_what_goes_with_it_is_taken(capsys, given, problem):
    code = main(given)
    err = capsys.readouterr().err
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith(f"bba-tui: {problem}")


def test_without_torch_one_line_says_how_to_get_it(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("tui.commands.training.find_spec", lambda name: None if name == "torch" else name)
    assert main(["train"]) == 2
    assert capsys.readouterr().err == "bba-tui: train: training needs torch: pip install 'bba-tui[learn]'\n"
    assert not list(tmp_path.iterdir())
