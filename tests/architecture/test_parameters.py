"""A parameter is declared in one place: with one more line there, it is everywhere."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bba.config import PARAMETERS, BeliefConfig


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    """Where one more parameter, `dummy`, is found."""
    program = [sys.executable, "-m", "tests.helpers.one_more_parameter", str(tmp_path_factory.mktemp("dummy"))]
    done = subprocess.run(program, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_it_is_an_option_with_its_range_default_and_help(found):
    assert "--dummy X gate: a dummy (default: 0.5)" in found["help"]
    assert found["command line"] == 0.4
    assert found["mistake"] == "--dummy: got '2'; it should be less than or equal to 1"


def test_it_is_a_variable_of_the_environment_and_a_key_of_a_file(found):
    assert (found["environment"], found["file"]) == (0.3, 0.2)


def test_it_is_in_a_recording_and_in_the_exported_columns(found):
    assert found["recording"] == 0.4
    assert found["columns"] == [0.4, 0.4]
    assert "| `p0_dummy`, `p1_dummy` | float | δ in this step (gate: a dummy) |" in found["dictionary"]


def test_it_is_a_setting_of_a_sweep_and_a_heading_of_its_tables(found):
    assert (found["heading"], found["episode"]) == ("dummy 0.1", 0.1)
    assert "--dummy 0.1" in found["command"]


def test_it_is_a_slider_and_a_change_of_it_is_noted(found):
    assert found["sliders"][0] == "δ dummy"
    assert found["change"] == "δ 0.5 → 0.6"
    assert found["problem"] == "takes 1 or less"


def test_it_is_in_the_document(found):
    assert "| δ | `--dummy` | 0.5 | ≥ 0, ≤ 1 | gate: a dummy |" in found["document"]


def test_every_parameter_has_a_symbol_a_help_text_and_a_default_within_its_range():
    assert len({parameter.info.symbol for parameter in PARAMETERS}) == len(PARAMETERS)
    assert all(parameter.field.description for parameter in PARAMETERS)
    assert BeliefConfig.of(BeliefConfig().values) == BeliefConfig()
