"""The programs in examples/ that train a policy: what they train plays by its name."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def run(tmp_path):
    """Runs Python in a folder of its own, which holds a copy of the examples; returns exit code, output, errors."""

    def run(*arguments):
        environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
        done = subprocess.run(
            [sys.executable, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout, done.stderr

    for name in ("train_policy", "torch_partner"):
        shutil.copy(ROOT / "examples" / f"{name}.py", tmp_path)
    return run


def headless(run, *seat):
    return run("-m", "tui.cli", "--headless", "--json", "--horizon", "60", *seat)


@pytest.mark.parametrize(
    ("program", "size", "agent", "told", "file"),
    [
        (
            "train_policy.py",
            "2048",
            "Trained",
            r"^trained and bayes-no-belief earned -?\d+ in 400 steps$",
            "policy.zip",
        ),
        (
            "torch_partner.py",
            "1",
            "Cloned",
            r"^bayes and cloned earned -?\d+ in 1200 steps$",
            "torch_partner.safetensors",
        ),
    ],
)
def test_a_policy_is_trained_and_plays_by_its_name(program, size, agent, told, file, run, tmp_path):
    code, out, err = headless(run, "--agent", f"{program}:{agent}")
    assert (code, out) == (2, "")
    assert err.endswith(f"{file}: cannot be read: No such file or directory\n")
    assert err.count("\n") == 1

    code, out, err = run(program, size)
    assert code == 0, err
    assert re.search(told, out, re.MULTILINE)
    assert (tmp_path / file).stat().st_size > 10_000

    code, out, err = run("-m", "tui.cli", "check-agent", f"{program}:{agent}")
    assert (code, out.count("FAILED")) == (0, 0), out

    code, out, err = headless(run, "--partner", f"{program}:{agent}")
    assert code == 0, err
    assert json.loads(out)["partner"] == f"{program}:{agent}"
