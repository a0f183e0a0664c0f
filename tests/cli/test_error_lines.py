"""Error lines: variables of the environment are named as such, and long values are cut."""

import pytest
from pydantic import BaseModel

from bba.errors import BBAError
from bba.files import read_toml
from tests.helpers.command_line import no_settings_from_outside, run

__all__ = ["no_settings_from_outside"]
LONG = "y" * 3000


class Some(BaseModel):
    layouts: tuple[str, ...] = ()
    orders: dict[str, int] = {}
    map: list[str] = []


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


def test_a_wrong_value_in_a_file_is_named_with_its_file(capsys, monkeypatch, tmp_path):
    (tmp_path / "mine.toml").write_text('seed = "x"\n')
    line = "bba-tui: mine.toml: seed: got 'x'; it should be a valid integer\n"
    assert run(capsys, "--headless", "--config", "mine.toml")[2] == line
    monkeypatch.setenv("BBA_CONFIG", "mine.toml")
    assert run(capsys, "--headless")[2] == line
    assert run(capsys, "--headless", "--seed", "y")[2].startswith("bba-tui: --seed: got 'y'")


def test_an_option_is_named_as_one_although_there_is_a_variable(capsys, monkeypatch):
    monkeypatch.setenv("BBA_SEED", "5")
    assert run(capsys, "--headless", "--seed", "x")[2] == "bba-tui: --seed: got 'x'; it should be a valid integer\n"


def test_an_empty_word_is_an_argument_that_is_not_known(capsys):
    code, _, err = run(capsys, "--headless", "")
    assert code == 2
    assert err.startswith("bba-tui: '': no such command; bba-tui help lists them")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("layouts = 'open'", "layouts: Input should be a list"),
        ("orders = 1", "orders: Input should be a table of keys and values"),
        ("map = ['XXX', 1]", "map.1: Input should be text"),
    ],
)
def test_mistakes_in_files_are_in_the_words_of_the_file(tmp_path, text, said):
    (tmp_path / "mine.toml").write_text(text)
    with pytest.raises(BBAError, match=f"mine.toml: {said}$"):
        read_toml(tmp_path / "mine.toml", Some)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--withdraw", "P1"], "--withdraw: goes with study tables, which is not given"),
        (["--anonymous", "--report", "results"], "--anonymous: is no option of report, but of study tables"),
        (["--exclude", "P1", "--serve"], "--exclude: is no option of serve, but of study"),
        (["--check"], "--check: goes with study, prompt, which is not given"),
        (["--participant", "P1", "--play"], "--participant: is no option of play, but of study"),
        (["--layout", "open", "--monitor"], "--monitor: goes with serve, which is not given"),
        (["--from", "results/s", "--headless"], "--from: is no option of headless, but of study power, train"),
    ],
)
def test_an_option_that_would_do_nothing_alone_is_refused(capsys, options, said):
    code, out, err = run(capsys, *options)
    assert (code, out) == (2, "")
    assert err.startswith(f"bba-tui: {said}; see bba-tui ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("option", ["--seed", "--layout", "--agent", "--replay", "--config"])
def test_a_long_value_is_cut(capsys, option):
    code, _, err = run(capsys, "--headless", option, LONG)
    assert code == 2
    assert "…" in err
    assert len(err) < 500


@pytest.mark.parametrize("option", ["--report", "--replay", "--layout", "--config"])
def test_a_path_that_is_too_long_is_named(capsys, option):
    code, _, said = run(capsys, "--headless", option, "x" * 5000)
    assert code == 2
    assert "standard output" not in said
    assert said.count("\n") == 1
    assert "xxx" in said
    assert len(said) < 400
