"""`bba-tui reproduce`: the programs behind the numbers of the documents, in a wheel too."""

import re
import sys
from pathlib import Path

import pytest

from bba.files import data_dir
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture that is used by itself
from tui.commands.reproduce import SPEED, program_names

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def path_and_words_as_before(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(sys, "argv", [*sys.argv])


def test_a_program_runs_with_its_own_options(capsys, tmp_path):
    table = tmp_path / "data" / "intervals.csv"
    code, out, err = run(capsys, "reproduce", "intervals", "--arguments", f"--experiments 3 --out '{table}'")
    assert (code, err) == (0, "")
    assert "over seeds (ours)" in out
    assert table.read_text("utf-8").startswith("kitchens,partners,seeds,")


def test_its_mistakes_are_one_line(capsys, tmp_path):
    code, _, err = run(capsys, "reproduce", "interval")
    assert (code, err) == (2, "bba-tui: reproduce: no program is named 'interval'; the nearest is intervals\n")
    code, _, err = run(capsys, "reproduce", "intervals", "--arguments", "'")
    assert (code, err.count("\n")) == (2, 1)
    code, _, err = run(capsys, "reproduce", "knowledge", "--arguments", f"--out {tmp_path}")
    assert (code, err.count("\n")) == (2, 1)
    assert "there are no games" in err


def test_the_list_says_what_each_program_does_and_where_files_lie_that_one_copies(capsys):
    code, out, err = run(capsys, "list")
    assert (code, err) == (0, "")
    assert all(f"\n  {name} " in out for name in program_names(data_dir("benchmarks")))
    assert (
        f"  {'gates':23} how the three gates follow a partner's changes of role; writes a table and a figure\n" in out
    )
    for kind, file in {"prompts": "scene.md", "studies": "example.toml", "kitchens": "open.toml"}.items():
        (folder,) = re.findall(rf"^  {kind} +(\S.*)$", out, re.M)
        assert (Path(folder) / file).is_file()
    code, _, err = run(capsys, "reproduce", "xyzzy")
    assert (code, err) == (2, "bba-tui: reproduce: no program is named 'xyzzy'; bba-tui list names them\n")


def test_what_the_documents_name_can_be_reproduced():
    names = program_names(data_dir("benchmarks"))
    assert {SPEED, "beliefs", "commitment", "findings", "gates", "intervals", "knowledge", "leaderboard"} <= set(names)
    assert 'benchmarks = "bba/data/benchmarks"' in (ROOT / "pyproject.toml").read_text("utf-8")
