"""The page of public names: made from the code, whole, and with examples that run."""

import re
import runpy
from pathlib import Path

import pytest

import bba

ROOT = Path(__file__).parents[2]
PUBLIC_NAMES = runpy.run_path(str(ROOT / "docs" / "public_names.py"))
EXAMPLES = PUBLIC_NAMES["EXAMPLES"]
PAGE = (ROOT / "docs/reference/names.md").read_text(encoding="utf-8")
# They play sweeps, draw figures, or need numbers of steps.
LONG = {"crossplay", "load_results", "run_sweep", "sweep_figures", "write_report"}


def test_every_public_name_has_a_part_and_an_example():
    assert sorted(EXAMPLES) == sorted(bba.__all__)
    parts = re.findall(r"^## `(\w+)`$", PAGE, re.MULTILINE)
    assert sorted(parts) == sorted(bba.__all__)


def test_a_function_has_its_signature_its_parameters_and_its_errors():
    assert "\nload_data(name: str) -> DataSet\n" in PAGE
    assert '- `name`: "pairs", games of six pairs of agents' in PAGE
    assert "- `BBAError`: there is no such set." in PAGE
    (long,) = re.findall(r"^gym_env\(\n.*?^\) -> SeatEnv$", PAGE, re.MULTILINE | re.DOTALL)
    assert "    level: str = 'skill',\n" in long


def test_a_class_has_its_fields_and_members():
    assert "- `theta_obs: float = 0.04`: gate: product of likelihoods" in PAGE
    assert "- `skills: tuple[int, int]`" in PAGE
    assert "\nLayout.load(name_or_path: str | Path | Layout) -> Layout\n" in PAGE
    assert "`NORTH` 0, `SOUTH` 1" in PAGE


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough) if name in LONG else name for name in sorted(EXAMPLES)]
)
def test_an_example_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    exec(compile(EXAMPLES[name], name, "exec"), {"bba": bba, "__name__": "__main__"})
