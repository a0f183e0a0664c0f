"""The program in examples/ that trains a policy beside a named agent, and plays it."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_policy_is_trained_beside_a_named_agent_and_played(tmp_path):
    program = [sys.executable, ROOT / "examples/train_policy.py", "2048"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(program, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^trained and bayes-no-belief earned -?[0-9]+ in 400 steps$", done.stdout, re.MULTILINE)
    assert (tmp_path / "policy.zip").stat().st_size > 10_000
