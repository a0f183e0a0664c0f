"""Annexes can be taken away: games, sweeps and the watch screen go on, and a command says what is not there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bba.annexes import ANNEXES

ROOT = Path(__file__).parents[2]
GROUPS = {
    "language models": ("bba.llm", "bba.exam"),
    "learning": ("bba.learning",),
    "publishing": ("bba.report", "bba.film", "bba.notebook", "bba.bundle"),
    "studies": ("human.study", "tui.study", "tui.serve"),
    "the designer": ("tui.design",),
}
COMMANDS = {  # a command of each annex that has one, and needs nothing that is not installed
    "bba.llm": "headless open --planner openai",
    "bba.exam": "exam",
    "bba.report": "report results",
    "bba.film": "export game.gif",
    "bba.bundle": "bundle game.zip --replay game.bba",
    "human.study": "study check example",
    "tui.serve": "serve",
    "tui.design": "design mine.toml",
}


def done_without(packages, tasks, folder):
    """Returns the output of these tasks in a process without these packages."""
    home = {name: str(folder) for name in ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")}
    words = [sys.executable, "-m", "tests.helpers.without_annexes", ",".join(packages), *tasks]
    environment = {**os.environ, **home, "PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "sk-none"}
    process = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=240, check=False
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_the_groups_are_all_annexes():
    assert {package for group in GROUPS.values() for package in group} == set(ANNEXES)


def test_without_any_annex_a_game_a_sweep_and_the_watch_screen_are_there(tmp_path):
    said = done_without(ANNEXES, ["game", "sweep", "watch", "headless open --horizon 20"], tmp_path)
    assert "played 40 steps" in said
    assert "failed []" in said
    assert "shown WatchScreen" in said
    assert "status 0" in said


@pytest.mark.thorough
@pytest.mark.parametrize("group", GROUPS)
def test_without_one_annex_a_game_a_sweep_and_the_watch_screen_are_there(group, tmp_path):
    said = done_without(GROUPS[group], ["game", "sweep", "watch", "headless open --horizon 20"], tmp_path)
    assert ("played 40 steps" in said, "shown WatchScreen" in said, "status 0" in said) == (True, True, True)


def test_a_command_of_an_annex_that_is_not_there_says_so_in_a_line(tmp_path):
    said = done_without(ANNEXES, COMMANDS.values(), tmp_path).splitlines()
    assert said == [
        line
        for package in COMMANDS
        for line in (f"bba-tui: {ANNEXES[package]}: this installation has none ({package} is not there)", "status 2")
    ]
