"""Error lines: variables of the environment are named as such, and long values are cut."""

import pytest

from tests.helpers.command_line import no_settings_from_outside, run

__all__ = ["no_settings_from_outside"]
LONG = "y" * 3000


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("BBA_SEED", "x", "BBA_SEED: got 'x'; it should be a valid integer"),
        ("BBA_THETA_OBS", "7", "BBA_THETA_OBS: got '7'; it should be less than or equal to 1"),
        ("BBA_AGENT_OPTION", "x", 'BBA_AGENT_OPTION: takes JSON, as {"words": ["a", "b"]}'),
    ],
)
def test_a_wrong_variable_is_named_as_one(capsys, monkeypatch, variable, value, said):
    monkeypatch.setenv(variable, value)
    code, _, err = run(capsys, "--headless")
    assert (code, err) == (2, f"bba-tui: {said}\n")


def test_an_option_is_named_as_one_although_there_is_a_variable(capsys, monkeypatch):
    monkeypatch.setenv("BBA_SEED", "5")
    assert run(capsys, "--headless", "--seed", "x")[2] == "bba-tui: --seed: got 'x'; it should be a valid integer\n"


def test_an_empty_word_is_an_argument_that_is_not_known(capsys):
    code, _, err = run(capsys, "--headless", "")
    assert code == 2
    assert err.startswith("bba-tui: unrecognized arguments: ; the nearest are ")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--withdraw", "P1"], "--withdraw: goes with --study-tables"),
        (["--anonymous", "--report", "results"], "--anonymous: goes with --study-tables"),
        (["--exclude", "P1", "--serve"], "--exclude: goes with --study"),
        (["--check"], "--check: goes with --study"),
        (["--participant", "P1", "--play"], "--participant: goes with --study"),
        (["--study", "s.toml", "--monitor"], "--monitor: goes with --serve"),
        (["--from", "results/s", "--headless"], "--from: goes with --train"),
    ],
)
def test_an_option_that_would_do_nothing_alone_is_refused(capsys, options, said):
    assert run(capsys, *options) == (2, "", f"bba-tui: {said}, which is not given\n")


@pytest.mark.parametrize("option", ["--seed", "--layout", "--agent", "--replay", "--config"])
def test_a_long_value_is_cut(capsys, option):
    code, _, err = run(capsys, "--headless", option, LONG)
    assert code == 2
    assert "…" in err
    assert len(err) < 500
