"""Starting quickly: what may be imported when."""

import json
import subprocess
import sys

import pytest


def modules_after(program: str) -> set[str]:
    """The top-level modules that are loaded after a program."""
    report = "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    full = f"import json, sys, contextlib, io\n{program}\n{report}"
    done = subprocess.run([sys.executable, "-c", full], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


HELP = """
from tui.cli import main
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main(["--help"])
"""
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
        (PLAIN_GAME, {"numba", "textual", "openai", "pygame"}),
        ("import tui.app.app, tui.playback.source", {"numba", "openai", "pygame"}),
        ("import bba", {"numpy", "pydantic"}),
        (EVERYTHING_BUT_LEARNING, {"torch", "stable_baselines3", "sb3_contrib", "sklearn"}),
    ],
    ids=["help", "a plain game", "the app", "the package", "everything but learning"],
)
def test_nothing_slow_is_imported_before_it_is_needed(program, unwanted):
    assert not unwanted & modules_after(program)
