"""The official checkers of SB3 and TorchRL, which need torch, have nothing against the environments at any level."""

import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "check_environments.py"


@pytest.mark.parametrize(("module", "name"), [("stable_baselines3", "SB3"), ("torchrl", "TorchRL")])
def test_the_example_asks_the_checker_where_it_is_installed(module, name, capsys):
    pytest.importorskip(module)
    runpy.run_path(str(EXAMPLE), run_name="__main__")
    told = capsys.readouterr().out
    assert [f"{level}: nor has {name}" in told for level in ("primitive", "skill", "option")] == [True] * 3
