"""A measure is declared once: a new entry of the table of measures appears wherever measures are shown.

The entry is inserted into a copy of the one source file that declares measures; all other files are links to ours.
"""

import csv
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = Path("bba") / "analysis" / "measures.py"
ENTRY = '    Measure("dummy", "a dummy heading", "what the dummy is", lambda span: len(span.ticks) + 700),\n'
SWEEP = """
title = "A tiny sweep"
agents = ["bayes"]
layouts = ["open"]
seeds = 1
horizon = 30
[partners]
switching = ["switching"]
[table]
blocks = []
rows = ["layout"]
columns = ["measure"]
measures = ["reward", "dummy"]
"""
TELL = """
import contextlib, io, json, sys
sys.path.insert(0, "docs")
from pages import measure_table
from human.study.table_columns import STUDY_TABLES
from tests.helpers.immediate_engine import ImmediateEngine
from tui.cli import main
from tui.commands import sweep_playing

sweep_playing.ProcessEngine = lambda *_: ImmediateEngine()

def printed(*arguments):
    with contextlib.redirect_stdout(io.StringIO()) as text:
        assert main(["--headless", *arguments]) == 0
    return text.getvalue()

told = {
    "summary": printed("--horizon", "30"),
    "json": printed("--horizon", "30", "--json"),
    "sweep": printed("--sweep", "tiny.toml", "--out", "out", "--export", "results.csv"),
    "study": STUDY_TABLES["games"]["dummy"].description,
    "documentation": measure_table(),
}
assert main(["--report", "out"]) == 0
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project with one more entry in the table of measures, and a small sweep."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in (Path(), Path("bba"), Path("bba/analysis")):
        (copy / folder).mkdir(exist_ok=True)
        for file in (ROOT / folder).iterdir():
            if file.name not in ("bba", "analysis", "measures.py", "__pycache__") and not file.name.startswith("."):
                (copy / folder / file.name).symlink_to(file)
    text = (ROOT / SOURCE).read_text(encoding="utf-8")
    assert text.count("\n_TABLE = (\n") == 1
    (copy / SOURCE).write_text(text.replace("\n_TABLE = (\n", f"\n_TABLE = (\n{ENTRY}"), encoding="utf-8")
    (copy / "tiny.toml").write_text(SWEEP, encoding="utf-8")
    return copy


@pytest.fixture(scope="module")
def told(copy):
    """What a process in the copy tells; the results of its sweep, with their report, are in the folder ``out``."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BBA_")}
    done = subprocess.run(
        [sys.executable, "-c", TELL],
        cwd=copy,
        # The games are short; compiled kernels would be cached by the path of the copy, which no other run has.
        env=environment | {"PYTHONPATH": str(copy), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_it_is_in_the_summary_and_json_of_a_headless_game(told):
    assert "a dummy heading 730" in " ".join(told["summary"].split())
    assert json.loads(told["json"])["dummy"] == 730


def test_it_is_in_the_stored_results_and_table_of_a_sweep(copy, told):
    database = sqlite3.connect(copy / "out" / "results.sqlite")
    (measures,) = database.execute("SELECT measures FROM episodes").fetchone()
    assert json.loads(measures)["dummy"] == 730
    assert "a dummy heading" in told["sweep"]
    assert "730.0" in told["sweep"]


@pytest.mark.usefixtures("told")
def test_it_is_in_the_export_of_a_sweep(copy):
    with (copy / "results.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    assert row["dummy"] == "730"


@pytest.mark.usefixtures("told")
def test_it_is_in_the_tables_and_page_of_a_report(copy):
    assert "| open | " in (copy / "out" / "tables" / "tiny.md").read_text()
    assert "a dummy heading" in (copy / "out" / "tables" / "tiny.md").read_text()
    assert "<dt>a dummy heading</dt><dd>what the dummy is</dd>" in (copy / "out" / "report.html").read_text()


def test_it_is_a_column_of_the_tables_of_studies(told):
    assert told["study"] == "what the dummy is"


def test_it_is_in_the_table_of_the_documentation(told):
    assert "| `dummy` | a dummy heading |" in told["documentation"]
