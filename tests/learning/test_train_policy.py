"""The programs in examples/ that train a policy: what they train plays by its name."""

import json
import re
import runpy
import shutil
import sys
from pathlib import Path

import pytest

from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401 - a fixture that is used by itself

EXAMPLES = Path(__file__).parents[2] / "examples"


def headless(capsys, *seat):
    return run(capsys, "--headless", "--json", "--horizon", "60", *seat)


@pytest.mark.parametrize(
    ("program", "size", "agent", "told", "file"),
    [
        (
            "train_policy.py",
            "512",
            "Trained",
            r"^trained/train_policy.py:Trained and switching\+locked earned -?\d+ in 400 steps, the mean of ten games$",
            "policy.zip",
        ),
        (
            "torch_partner.py",
            "1",
            "Cloned",
            r"^bayes and trained/torch_partner.py:Cloned earned -?\d+ in 1200 steps$",
            "torch_partner.safetensors",
        ),
    ],
)
def test_a_policy_is_trained_and_plays_by_its_name(program, size, agent, told, file, capsys, tmp_path, monkeypatch):
    shutil.copy(EXAMPLES / program, tmp_path)
    code, out, err = headless(capsys, "--agent", f"{program}:{agent}")
    assert (code, out) == (2, "")
    assert err.endswith(": cannot be read: No such file or directory\n")
    assert err.count("\n") == 1

    monkeypatch.setattr(sys, "argv", [program, size, "trained"])
    runpy.run_path(program, run_name="__main__")
    assert re.search(told, capsys.readouterr().out, re.MULTILINE)
    assert (tmp_path / "trained" / file).stat().st_size > 10_000
    assert not (tmp_path / file).exists()

    program = f"trained/{program}"
    code, out, err = run(capsys, "check-agent", f"{program}:{agent}")
    assert (code, out.count("FAILED")) == (0, 0), out

    code, out, err = headless(capsys, "--partner", f"{program}:{agent}")
    assert code == 0, err
    assert json.loads(out)["partner"] == f"{program}:{agent}"


@pytest.mark.thorough
def test_options_earn_more_than_twice_the_points_of_skills_in_as_many_decisions(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    points = {}
    for level in ("option", "skill"):
        monkeypatch.setattr(sys, "argv", ["train_policy.py", "4096", level, level])
        runpy.run_path(str(EXAMPLES / "train_policy.py"), run_name="__main__")
        points[level] = int(re.search(r"earned (-?\d+) in", capsys.readouterr().out)[1])
    assert points["option"] > max(2 * points["skill"], 0), points
