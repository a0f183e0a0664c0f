"""Tests of training: skipped as a whole if its libraries are not installed. Evaluations play short games."""

from importlib.util import find_spec

import pytest

INSTALLED = bool(find_spec("torch") and find_spec("sb3_contrib"))
collect_ignore_glob = [] if INSTALLED else ["test_*.py"]


@pytest.fixture(autouse=True)
def short_evaluations(monkeypatch):
    import torch

    torch.set_num_threads(1)
    monkeypatch.setattr("bba.learning.rl.trainer.HORIZON", 300)
