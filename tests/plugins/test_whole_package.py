"""A package from outside, made by new-agent and edited to hold one plug-in of each kind, goes through everything."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.helpers.plugin_files import SOURCE, write_plugins

ROOT = Path(__file__).parents[2]
KITCHEN = ROOT / "configs" / "layouts" / "ring.toml"

SWEEP = """
title = "One of each kind"
seeds = 1
horizon = 60
layouts = ["open", "whole.every:KITCHENS/attic"]
report_tables = ["whole.every:partners"]
report_figures = ["whole.every:square"]
agents = [
    "bayes",
    "whole.agent:Whole",
    {agent = "bayes", trigger = "whole.every:late", trigger_options = {step = 9}},
    {agent = "bayes", planner = "whole.every:First"},
    {agent = "bayes", partner_model = "whole.every:Uniform"},
    "whole.every:Failing",
]
[partners]
ours = ["switching"]
own = ["whole.every:Random"]
[partner_options."whole.every:Random"]
sloth = true
[table]
rows = ["layout", "agent"]
columns = ["measure"]
blocks = ["group"]
measures = ["reward", "whole.every:waits"]
"""

EDITED = """
title = "Played again after an edit: only what was edited"
agents = ["bayes", "whole.agent:Whole"]
layouts = ["open"]
seeds = 1
horizon = 30
[partners]
switching = ["switching"]
"""


def run(folder, *arguments, code=0):
    """Runs bba-tui as another program in a folder, and returns what it printed and said."""
    program = [sys.executable, "-m", "tui.cli", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stderr
    assert "Traceback" not in ran.stderr
    return ran.stdout + ran.stderr


@pytest.mark.long
def test_a_package_with_one_plug_in_of_each_kind_goes_through_everything(tmp_path):
    run(tmp_path, "new-agent", "whole")
    folder = tmp_path / "whole"
    write_plugins(folder / "whole", SOURCE, "every.py")
    shutil.copy(KITCHEN, folder / "whole" / "attic.toml")
    (folder / "sweep.toml").write_text(SWEEP)

    assert "FAILED" not in run(folder, "check-agent", "whole.agent:Whole")
    game = ["--agent", "whole.agent:Whole", "--agent-option", "waiting=0.4", "--measures", "whole.every:waits"]
    live = json.loads(
        run(folder, "--headless", "--json", "--horizon", "60", *game, "--record", "game.bba").splitlines()[0]
    )
    again = json.loads(run(folder, "--headless", "--json", "--replay", "game.bba", "--measures", "whole.every:waits"))
    assert live["whole.every:waits"] == again["whole.every:waits"] > 0
    assert live["reward"] == again["reward"]
    run(folder, "--export", "game.svg", "--replay", "game.bba")

    bench = ["bench", "sweep.toml", "--workers", "2"]
    told = run(folder, *bench, code=2)
    assert "4 of 24 episodes failed" in told
    assert "whole.every:Failing: decide in step 6: ZeroDivisionError" in told
    run(folder, "report", "results/sweep", "--plugins", "whole.every")
    page = (folder / "results" / "sweep" / "report.html").read_text("utf-8")
    assert "Games by partner" in page
    assert '<rect width="9" height="9"/></svg>' in page

    if find_spec("ray"):
        assert "4 of 24 episodes failed" in run(folder, *bench, "--engine", "ray", "--out", "results/ray", code=2)
        assert stored(folder, "ray") == stored(folder, "sweep")

    (folder / "edited.toml").write_text(EDITED)
    run(folder, "bench", "edited.toml", "--workers", "2")
    assert agents_stored(folder) == ["bayes", "whole.agent:Whole"]
    agent = folder / "whole" / "agent.py"
    agent.write_text(agent.read_text() + "\n# edited\n")
    run(folder, "bench", "edited.toml", "--workers", "2")
    assert agents_stored(folder) == ["bayes", "whole.agent:Whole", "whole.agent:Whole"]


def agents_stored(folder):
    return sorted(ego for ego, *_ in stored(folder, "edited"))


def stored(folder, name):
    """What is kept of every episode of a sweep, however it was played."""
    with closing(sqlite3.connect(folder / "results" / name / "results.sqlite")) as database:
        return database.execute("SELECT ego, key, measures, failure FROM episodes ORDER BY key").fetchall()
