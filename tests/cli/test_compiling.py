"""Games that are played before their kernels are compiled, and the command that compiles all."""

import ast
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bba import kernels
from bba.bench import warming
from bba.kernels import COMPILING, background
from bba.kernels.background import Compiling
from tests.helpers.command_line import no_settings_from_outside, run  # noqa: F401
from tests.helpers.full_disk import full_disk
from tests.helpers.tiny_kernels import compilers, environment, halved
from tui.commands.compiling import compiling_told

GAME = ("headless", "--horizon", "60", "--json")
PROGRAM = [sys.executable, "-m", "tui.cli"]


@pytest.fixture
def nothing_at_hand(monkeypatch, tmp_path):
    """No kernel is compiled, and the folder for them is as good as full or read-only."""
    folder = tmp_path / "file" / "kernels"
    folder.parent.write_text("no folder")
    monkeypatch.setattr(kernels, "_COMPILED", {})
    monkeypatch.setattr(kernels, "_is_at_hand", lambda _: False)
    monkeypatch.setattr(kernels, "_UNCOMPILED", {})
    compiling = Compiling(lambda _: False, lambda: folder)
    monkeypatch.setattr(kernels, "COMPILING", compiling)
    monkeypatch.setattr(kernels, "is_ready", compiling.is_ready)
    monkeypatch.setattr("tui.commands.compiling.COMPILING", compiling)
    return folder


def test_where_no_kernel_can_be_stored_the_game_is_the_same_and_one_line_says_why(capsys, nothing_at_hand):
    code, out, err = run(capsys, *GAME)
    assert (code, err) == (0, f"playing uncompiled: {nothing_at_hand}: Not a directory\n")
    kernels._is_at_hand = lambda _: True
    assert run(capsys, *GAME) == (0, out, "")


@pytest.mark.parametrize("verbose", [True, False])
def test_a_game_that_goes_on_while_kernels_are_compiled_is_spoken_of_only_with_verbose(capsys, verbose):
    with compiling_told(verbose=verbose):
        line = COMPILING._line
        line.show(0, 1, None, waits=False)
        line.show(1, 1, None, waits=False)
        assert (
            capsys.readouterr().err.splitlines()
            == ["playing uncompiled; 0 of 1 kernels ready", "playing compiled"] * verbose
        )
        line.show(0, 1, None, waits=True)
        line.show(0, 1, "no room", waits=False)
    assert "playing uncompiled: no room" in capsys.readouterr().err


def test_warm_compiles_all_and_says_so(capsys, monkeypatch):
    """What tests have compiled already it only loads."""
    monkeypatch.setattr(warming, "PAIRS", warming.PAIRS[:1])
    code, out, err = run(capsys, "warm")
    first, last = out.splitlines()
    assert (code, err) == (0, "")
    assert first == f"compiling the kernels into {kernels.kernel_folder()}"
    assert re.fullmatch(r"\d+ kernels are there, \d+ of them compiled now, in \d+ s", last)


def test_warm_says_in_one_line_that_nothing_can_be_stored(capsys, nothing_at_hand, monkeypatch):
    monkeypatch.setattr(warming, "kernel_folder", lambda: nothing_at_hand)
    monkeypatch.setattr(kernels, "kernel_folder", lambda: nothing_at_hand)
    code, _, err = run(capsys, "warm")
    assert (code, err) == (2, f"bba-tui: {nothing_at_hand}: Not a directory\n")


def test_warm_says_so_when_the_disk_becomes_full(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(kernels, "kernel_folder", lambda: tmp_path / "kernels")
    monkeypatch.setattr(warming, "kernel_folder", lambda: tmp_path / "kernels")
    monkeypatch.setattr(warming, "PAIRS", ())
    monkeypatch.setattr(warming, "play_batches", lambda: kernels.compiled(halved)(1.0))
    monkeypatch.setattr(kernels, "_COMPILED", {})
    with full_disk(100):
        code, _, err = run(capsys, "warm")
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith(f"bba-tui: {tmp_path / 'kernels'}: ")
    assert not list(tmp_path.rglob("*.tmp.*"))


def called_from_python() -> set[str]:
    """The names of all kernels of the project that are called from Python."""
    names = set()
    for file in (Path(kernels.__file__).parents[1]).rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("compiled", "maybe_compiled"):
                names.add(ast.unparse(call.args[0]).rpartition(".")[2])
    return names - {"function", "kernel"} | {"feasible_targets"}


@pytest.mark.long
def test_warm_leaves_nothing_to_be_compiled_and_compiles_nothing_for_other_arguments(tmp_path):
    out = subprocess.check_output([*PROGRAM, "warm"], env=environment(tmp_path), text=True)
    files = {path.name.partition("-")[0].rpartition(".")[2] for path in tmp_path.rglob("*.nbc")}
    assert files == called_from_python()
    assert f"{len(files)} kernels are there" in out
    assert len(list(tmp_path.rglob("*.nbc"))) == len(files)


@pytest.mark.long
def test_compilers_that_are_killed_leave_no_game_hung_or_wrong_and_no_cache_that_fails_later(tmp_path):
    chance, game = random.Random(0), [*PROGRAM, "headless", "--horizon", "600", "--json"]
    want = json.loads(subprocess.check_output(game, env=os.environ | {"NUMBA_DISABLE_JIT": "1"}))
    kills = 0
    while kills < 20:
        playing = subprocess.Popen(game, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(chance.uniform(1.0, 8.0))
        for compiler in compilers(tmp_path):
            os.kill(compiler, signal.SIGKILL)
            kills += 1
        out, err = playing.communicate(timeout=300)
        assert json.loads(out) == want, err
        files = list(tmp_path.rglob("*.nbc"))
        if len(files) > 1 and not list(tmp_path.rglob(f"*{background.WISH}")) and not compilers(tmp_path):
            for file in files:  # all is compiled: begin anew
                file.unlink()
    subprocess.check_call([*PROGRAM, "warm"], env=environment(tmp_path))
    again = subprocess.run(game, env=environment(tmp_path), capture_output=True, check=True)
    assert (json.loads(again.stdout), again.stderr) == (want, b"")
