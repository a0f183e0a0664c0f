"""Starting quickly: what may be imported when."""

import json
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.helpers.immediate_engine import ImmediateEngine
from tui.cli import main


def modules_after(program: str) -> set[str]:
    """The modules that are loaded after a program."""
    report = "print(json.dumps(sorted(sys.modules)))"
    full = f"import json, sys, contextlib, io\n{program}\n{report}"
    done = subprocess.run([sys.executable, "-c", full], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


HELP = """
from tui.cli import main
with contextlib.redirect_stdout(io.StringIO()):
    main(["--help"])
"""
MODELS = """
from tui.arguments.commands import COMMANDS, START
assert all([command.model for command in (START, *COMMANDS.values())])
"""
COMMAND = """
from tui.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    assert not main({arguments})
"""
GAME = COMMAND.format(arguments=["--headless", "--horizon", "5"])
SCREENS = {"textual", "openai", "pygame", "PIL", "matplotlib", "bba.film.film", "tui.screens"}
TINY = """
title = "One short game"
agents = ["bayes"]
layouts = ["open"]
seeds = 1
horizon = 5
[partners]
switching = ["switching"]
[table]
rows = ["group"]
measures = ["reward"]
"""
NOTEBOOK = "import types; sys.modules['IPython'] = types.ModuleType('IPython'); import bba"
PLAIN_GAME = "from bba.play import Game; Game('open', 'bayes', 'switching', horizon=5).run()"


EVERYTHING_BUT_LEARNING = """
import importlib, pkgutil, bba
for module in pkgutil.walk_packages(bba.__path__, "bba.", onerror=print):
    if not module.name.startswith("bba.learning"):
        importlib.import_module(module.name)
"""


@pytest.mark.parametrize(
    ("program", "unwanted"),
    [
        (HELP, {"numpy", "numba", "textual", "openai", "pygame"}),
        (MODELS, {"numpy", "numba", "textual", "rich", "openai", "pygame"}),
        (PLAIN_GAME, {"numba", "textual", "openai", "pygame"}),
        (GAME, SCREENS | {"scipy.linalg", "multiprocessing", "bba.analysis.trace_table", "bba.bench.runner"}),
        ("import tui.app.app, tui.playback.source", {"numba", "openai", "pygame", "scipy"}),
        ("import bba", {"numpy", "pydantic"}),
        (NOTEBOOK, {"PIL", "matplotlib", "jinja2", "pyarrow", "textual"}),
        (EVERYTHING_BUT_LEARNING, {"torch", "stable_baselines3", "sb3_contrib", "sklearn"}),
    ],
    ids=[
        "help",
        "the options of all commands",
        "a plain game",
        "a game without a screen",
        "the app",
        "the package",
        "a notebook",
        "everything but learning",
    ],
)
def test_nothing_slow_is_imported_before_it_is_needed(program, unwanted):
    assert not unwanted & modules_after(program)


def test_a_finished_sweep_is_shown_without_what_plays_one(tmp_path, monkeypatch):
    (tmp_path / "tiny.toml").write_text(TINY, encoding="utf-8")
    sweep = ["--headless", "--sweep", str(tmp_path / "tiny.toml"), "--out", str(tmp_path / "out"), "--workers", "1"]
    monkeypatch.setattr("tui.commands.sweep_playing.ProcessEngine", lambda *_: ImmediateEngine())
    assert main(sweep) == 0
    shown = modules_after(COMMAND.format(arguments=sweep))
    players = {"loky", "bba.bench.runner", "bba.bench.engines", "tui.commands.sweep_playing", "rich.live"}
    assert all(find_spec(name) for name in players)
    assert not shown & (players | SCREENS | {"numba", "scipy", "multiprocessing", "rich._emoji_codes"})


def test_plug_ins_of_pydantic_are_not_looked_for(tmp_path):
    """One that breaks when it is imported does not break the command."""
    package = tmp_path / "broken-1.0.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: broken\nVersion: 1.0\n")
    (package / "entry_points.txt").write_text("[pydantic]\nbroken = nowhere_at_all:plugin\n")
    program = f"import sys; sys.path.append({str(tmp_path)!r}); from tui.cli import main; sys.exit(main(['--version']))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_a_command_ends_without_a_last_look_through_all_its_objects():
    """A function registered before the command's own runs after them: all that is there is frozen by then."""
    program = (
        "import atexit, gc, sys\n"
        "atexit.register(lambda: print(gc.get_freeze_count() > 10_000, len(gc.get_objects()) < 1_000))\n"
        "from tui.cli import main\n"
        "sys.exit(main(['--version']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "True True"
