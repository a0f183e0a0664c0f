"""The scripts of the shell in examples/ that are a researcher's tasks: of a language model, and of a whole study."""

import csv
import re

import pytest

from bba import load, load_results
from tests.helpers.shell_scripts import ROOT, run_in

EXAMPLES = ROOT / "examples"
NO_KEY = {"OPENAI_API_KEY": "", "BBA_API_KEY": "", "OPENAI_BASE_URL": ""}


@pytest.mark.thorough
def test_a_model_plays_a_game_and_a_sweep_takes_the_exam_and_what_was_said_is_exported(tmp_path):
    script = EXAMPLES / "model" / "ask_a_model.sh"
    homes = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = ["python", EXAMPLES / "model" / "endpoint.py", "bash", script, "stand-in", "kept"]
    said = run_in(tmp_path, command, **NO_KEY, **homes)
    assert "stand-in" in said
    kept = tmp_path / "kept"
    assert load(kept / "game.bba").steps == 60
    (stored,) = load_results(kept / "sweep").sweeps
    assert [row["failure"] for row in stored.rows] == [None]
    assert stored.rows[0]["planner_fallbacks"] == 0
    assert (kept / "exam" / "exam.md").is_file()
    assert list((kept / "exam").rglob("*.json")), "logs of inspect_ai"


@pytest.mark.thorough
def test_a_study_goes_from_its_file_to_a_package_whose_tables_are_those_of_its_data(tmp_path):
    script = EXAMPLES / "study" / "whole_study.sh"
    said = run_in(tmp_path, ["bash", script, EXAMPLES / "study" / "short.toml", "kept", "6"])
    kept = tmp_path / "kept"
    assert re.search(r"\d+ participants", said), "how many people the effect needs"
    assert "Beside bayes the score is higher" in (kept / "preregistration.txt").read_text("utf-8")
    with (kept / "tables" / "games.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == 6 * 2
    assert (kept / "package" / "study" / "preregistration.txt").is_file()
    assert said.splitlines()[-1].startswith("the tables are those of tables.md")


def test_the_table_of_tasks_names_every_program_and_every_program_is_there():
    page = (EXAMPLES / "README.md").read_text("utf-8")
    named = {word for word in re.findall(r"`([\w./-]+)`", page) if (EXAMPLES / word).exists()}
    programs = [
        file.relative_to(EXAMPLES)
        for pattern in ("*.py", "*.ipynb", "*.toml", "*/*.sh")
        for file in EXAMPLES.glob(pattern)
    ]
    assert [str(file) for file in programs if str(file) not in named and f"{file.parent}/" not in named] == []
    files = re.findall(r"`([\w/-]+\.(?:py|sh|toml|ipynb))`", page)
    assert [name for name in files if not (EXAMPLES / name).is_file()] == []
    rows = [line for line in page.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 11
    for target in re.findall(r"\]\(([^)#]+)", page):
        assert (EXAMPLES / target).exists()
