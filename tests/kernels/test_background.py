"""Kernels that are compiled in the background while what calls them computes plain."""

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest
from numba.core.codegen import JITCPUCodegen

from bba import kernels
from bba.kernels import background, compile_process, kernel_files
from bba.kernels.background import Compiling, ProgressLine, described, locked
from bba.kernels.numba_compiler import types_of
from bba.play import Game, record
from tests.helpers.full_disk import full_disk, read_only, unprivileged
from tests.helpers.tiny_kernels import broken, compilers, environment, halved, quartered


class FakeCompiler:
    """A compiler that ends at once."""

    def __init__(self, said):
        self.said = said

    def __call__(self, *_, **__):
        return self

    def poll(self):
        return 0

    def communicate(self):
        return "", self.said


@pytest.fixture
def no_pause(monkeypatch):
    monkeypatch.setattr(background, "LOOK", 0.0)
    monkeypatch.setattr(compile_process, "LOOK", 0.0)
    monkeypatch.setattr(compile_process, "LINGER", 0.05)


@pytest.fixture
def compiling(tmp_path, no_pause, monkeypatch):
    """A process that waits, in the empty folder of tests."""
    folder = tmp_path / "kernels"
    monkeypatch.setattr(kernels, "kernel_folder", lambda: folder)
    monkeypatch.setattr(kernels, "_COMPILED", {})
    return Compiling(kernels.is_compiled, lambda: folder)


def wish(compiling, kernel=halved):
    """Asks for a kernel, of which nobody compiles anything."""
    with locked(kernels.kernel_folder()):
        assert not compiling.is_ready(kernel, (1.0,))


@pytest.fixture
def uncompiled(monkeypatch):
    """No kernel is at hand; those that tests have loaded are when a game changes to them."""
    loaded = dict(kernels._COMPILED)

    def dispatcher(function):
        if function not in loaded:
            loaded[function] = load(function)
            kernels._COMPILED.clear()
        return loaded[function]

    load = kernels.dispatcher
    monkeypatch.setattr(kernels, "_COMPILED", {})
    monkeypatch.setattr(kernels, "_is_at_hand", lambda _: False)
    monkeypatch.setattr(kernels, "_UNCOMPILED", {})
    monkeypatch.setattr(kernels, "dispatcher", dispatcher)


GAMES = [("bayes", "switching", 100), ("llm-judge", "bayes", 60), ("hypothetical-minds", "gamma", 60)]


@pytest.mark.parametrize(("ego", "partner", "horizon"), GAMES)
def test_a_game_is_the_same_to_the_last_bit_whenever_it_changes_to_compiled_kernels(
    ego, partner, horizon, uncompiled, monkeypatch
):
    plain = record(Game("ring", ego, partner, 2, horizon=horizon).run())
    for step in (0, 1, 2, 7, 30, horizon - 1):
        game = Game("ring", ego, partner, 2, horizon=horizon, fast=True)
        monkeypatch.setattr(kernels, "is_ready", lambda *_, game=game, step=step: game.kitchen.steps >= step)
        assert record(game.run()) == plain, f"after a change at step {step}"


@pytest.mark.parametrize("step", [pytest.param(step, marks=pytest.mark.thorough) for step in range(1, 60)])
def test_it_is_the_same_with_the_change_at_any_step(step, uncompiled, monkeypatch):
    games = [Game("open", "bayes", "bayes-commit", 4, horizon=60, fast=fast) for fast in (False, True)]
    monkeypatch.setattr(kernels, "is_ready", lambda *_: games[1].kitchen.steps >= step)
    plain, changed = (record(game.run()) for game in games)
    assert changed == plain


def test_a_wish_is_granted_once_and_leaves_nothing_else(compiling):
    wish(compiling, quartered)
    (name,) = (path.name for path in kernels.kernel_folder().glob("*.wanted"))
    assert name.startswith("quartered-")
    compile_process.compile_wishes(kernels.kernel_folder())
    assert compiling.is_ready(quartered, (1.0,))
    files = {path.suffix for path in kernels.kernel_folder().rglob("*") if path.is_file()}
    assert files == {".lock", ".nbc"}
    assert kernels.dispatcher(quartered)(8.0) == 2.0


ROOT = Path(__file__).parents[2]
Pair = namedtuple("Pair", "one other")
ARGUMENTS = (
    *(1, 2.5, True, None, np.int32(3), np.float32(0.5), np.bool_(True), (1, (2.0, np.zeros(3)))),
    *(np.zeros((2, 3), np.int16, order) for order in "CF"),
    *(
        np.zeros((6, 6))[::2, ::2],
        np.broadcast_to(np.zeros(1, np.int64), (3,)),
        np.zeros(2, [("a", "i4"), ("b", "f8", (2,))]),
    ),
    Pair(np.zeros(2, np.uint8), 4),
)


@pytest.mark.parametrize("argument", ARGUMENTS, ids=repr)
def test_a_wish_is_text_that_names_the_types_of_the_arguments(argument):
    found = compile_process.example(json.loads(json.dumps(described(argument))))
    assert types_of((found,)) == types_of((argument,))


def test_nothing_of_ours_unpickles_but_what_this_program_sends_to_its_own_processes():
    sources = {file: file.read_text() for folder in ("bba", "tui", "human") for file in (ROOT / folder).rglob("*.py")}
    assert len(sources) > 300
    unpickling = re.compile(r"pickle\.loads?\b|Unpickler")
    handing_over = ROOT / "bba/plugins/handing_over.py"
    assert [file for file, source in sources.items() if unpickling.search(source)] == [handing_over]
    assert len(unpickling.findall(sources[handing_over])) == 1
    callers = [file for file, source in sources.items() if "with_luggage" in source and file != handing_over]
    assert callers == [ROOT / "bba/bench/runner.py"]
    assert re.findall(r"\bluggage = (\w+)", sources[callers[0]]) == ["packed"]
    assert re.findall(r"\(with_luggage, ([\w.]+)", sources[callers[0]]) == ["luggage.content"]


def test_what_a_process_is_sent_is_read_from_no_file():
    tree = ast.parse((ROOT / "bba/plugins/handing_over.py").read_text())
    calls = [ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert "cloudpickle.loads" in calls
    assert not [call for call in calls if re.search(r"\b(open|fdopen|load|recv|connect|read\w*)$", call)]


@pytest.mark.parametrize(("is_optimised", "level"), [(False, 1), (True, 3)])
def test_a_kernel_says_itself_how_much_it_is_optimised(compiling, monkeypatch, is_optimised, level):
    levels = []
    passes = JITCPUCodegen._module_pass_manager
    monkeypatch.setattr(kernels, "_OPTIMISED", {quartered} if is_optimised else set())
    monkeypatch.setattr(
        JITCPUCodegen,
        "_module_pass_manager",
        lambda *its, opt, **more: levels.append(opt) or passes(*its, opt=opt, **more),
    )
    with kernels.compiling_here():
        assert kernels.compiled(quartered)(8.0) == 2.0
    assert levels == [level]


def test_kernels_are_compiled_in_the_order_in_which_they_are_called_first(compiling):
    for number, kernel in enumerate((quartered, halved)):
        wish(compiling, kernel)
        (path,) = kernels.kernel_folder().glob(f"{kernel.__name__}-*.wanted")
        os.utime(path, (number, number))
    compile_process.compile_wishes(kernels.kernel_folder())
    made = sorted(kernels.kernel_folder().rglob("*.nbc"), key=lambda path: path.stat().st_mtime_ns)
    assert [path.name.partition("-")[0].rpartition(".")[2] for path in made] == ["quartered", "halved"]


def test_while_one_compiles_no_other_does(compiling, monkeypatch):
    monkeypatch.setattr(compile_process, "PATIENCE", 0.05)
    monkeypatch.setattr(subprocess, "Popen", None)
    monkeypatch.setattr(sys, "argv", ["", str(kernels.kernel_folder())])
    with locked(kernels.kernel_folder()) as first:
        assert first
        assert not compiling.is_ready(halved, (1.0,))
        compile_process.main()
    assert list(kernels.kernel_folder().glob("*.wanted"))
    assert not list(kernels.kernel_folder().rglob("*.nbc"))


def test_who_comes_later_loads_what_is_compiled(compiling, monkeypatch):
    wish(compiling)
    compile_process.compile_wishes(kernels.kernel_folder())
    monkeypatch.setattr(kernels, "_COMPILED", {})
    assert kernels.compiled(halved)(8.0) == 4.0
    assert not kernels.dispatcher(halved).stats.cache_misses


def cut_to(size):
    return lambda path: path.write_bytes(path.read_bytes()[:size])


def altered(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def folder_with(*names):
    def damage(path):
        path.unlink()
        path.mkdir()
        for name in names:
            (path / name).write_text("")

    return damage


DAMAGES = {
    "empty": cut_to(0),
    "40 bytes": cut_to(40),
    "100 bytes": cut_to(100),
    "a byte less": cut_to(-1),
    "without its seal": cut_to(-kernel_files.SEAL),
    "one bit": altered,
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "text": lambda path: path.write_text("<html>502 Bad Gateway</html>"),
    "a line more": lambda path: path.write_bytes(path.read_bytes() + b"\n"),
    "absent": Path.unlink,
    "a folder": folder_with(),
    "a folder of files": folder_with("a", "b"),
    "a link to nothing": lambda path: (path.unlink(), path.symlink_to("nothing")),
}


FILE: dict[str, bytes] = {}  # of `halved`, compiled once for all tests


@pytest.fixture
def compiled_once(compiling, monkeypatch):
    """The file of a kernel that is compiled, and a process that does not compile here and has not loaded it."""
    if not FILE:
        wish(compiling)
        compile_process.compile_wishes(kernels.kernel_folder())
        FILE.update((path.name, path.read_bytes()) for path in kernels.kernel_folder().glob("*.nbc"))
    monkeypatch.setenv(kernels.HERE, "0")
    monkeypatch.setattr(kernels, "_COMPILED", {})
    monkeypatch.setattr(kernels, "_UNCOMPILED", {})
    kernels.kernel_folder().mkdir(exist_ok=True)
    ((name, content),) = FILE.items()
    path = kernels.kernel_folder() / name
    path.write_bytes(content)
    return path


@pytest.fixture
def read_by_all(compiled_once, monkeypatch):
    """The same file where another user reads it, too."""
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)
        folder = shutil.copytree(kernels.kernel_folder(), Path(home) / "kernels")
        monkeypatch.setattr(kernels, "kernel_folder", lambda: folder)
        yield folder / compiled_once.name


def test_a_whole_file_is_loaded_and_nothing_compiled(compiled_once):
    assert kernels.is_compiled(halved)
    assert not kernels.is_plain(kernels.compiled(halved))
    assert kernels.compiled(halved)(8.0) == 4.0
    assert not kernels.dispatcher(halved).stats.cache_misses


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_as_good_as_none_and_written_anew_in_the_background(compiled_once, monkeypatch, damage):
    damage(compiled_once)
    assert not kernels.is_compiled(halved)
    assert kernels.compiled_kernels() == 0
    assert kernels.is_plain(kernels.compiled(halved))
    monkeypatch.setattr(kernels, "_COMPILED", {})
    wish(Compiling(kernels.is_compiled, kernels.kernel_folder))
    compile_process.compile_wishes(kernels.kernel_folder())
    assert len(kernels.dispatcher(halved).stats.cache_misses) == 1
    monkeypatch.setattr(kernels, "_COMPILED", {})
    assert kernels.is_compiled(halved)
    assert kernels.compiled(halved)(8.0) == 4.0
    assert not kernels.dispatcher(halved).stats.cache_misses


def test_a_file_that_its_owner_alone_may_read_is_as_good_as_none_to_others(read_by_all):
    with unprivileged():
        assert kernels.is_compiled(halved)
    read_by_all.chmod(0o000)
    with unprivileged():
        assert not kernels.is_compiled(halved)


def test_a_read_only_folder_serves_whole_files(read_by_all):
    with read_only(kernels.kernel_folder()):
        assert kernels.compiled(halved)(8.0) == 4.0
        assert not kernels.dispatcher(halved).stats.cache_misses


def test_a_damaged_file_in_a_read_only_folder_leaves_the_game_plain_and_one_line_says_why(
    read_by_all, monkeypatch, capsys
):
    cut_to(40)(read_by_all)
    monkeypatch.setattr(subprocess, "Popen", None)
    waiting = Compiling(kernels.is_compiled, kernels.kernel_folder)
    with read_only(kernels.kernel_folder()), waiting.told(sys.stderr):
        assert not waiting.is_ready(halved, (1.0,))
    assert capsys.readouterr().err == f"playing uncompiled: {kernels.kernel_folder()}: Permission denied\n"


@pytest.mark.parametrize("age", [compile_process.ABANDONED + 60, -compile_process.ABANDONED - 60])
def test_what_killed_writers_left_is_swept_also_after_the_clock_was_set_back(compiling, age):
    kernels.kernel_folder().mkdir()
    left, new = (kernels.kernel_folder() / f"halved{number}.nbc.tmp.{number}" for number in range(2))
    for path, since in ((left, age), (new, 1)):
        path.write_bytes(b"half")
        os.utime(path, (time.time() - since,) * 2)
    compile_process.sweep(kernels.kernel_folder())
    assert list(kernels.kernel_folder().iterdir()) == [new]


def test_a_writer_that_finishes_while_its_file_is_swept_does_no_harm(compiling, monkeypatch):
    kernels.kernel_folder().mkdir()
    gone = kernels.kernel_folder() / "halved.nbc.tmp.1"
    monkeypatch.setattr(Path, "glob", lambda *_: iter([gone]))
    compile_process.sweep(kernels.kernel_folder())


def test_a_folder_in_the_place_of_a_wish_keeps_no_other_from_being_granted(compiling):
    kernels.kernel_folder().mkdir()
    (kernels.kernel_folder() / f"halved-0{background.WISH}").mkdir()
    wish(compiling, quartered)
    compile_process.compile_wishes(kernels.kernel_folder())
    assert kernels.is_compiled(quartered)


@pytest.mark.parametrize(
    ("said", "problem", "attempts"),
    [("", "the compiler was ended", background.ATTEMPTS), ("a warning\nkernels: full\n", "kernels: full", 1)],
)
def test_a_compiler_that_ends_in_vain_is_started_a_few_times_and_then_no_more(
    compiling, monkeypatch, said, problem, attempts
):
    monkeypatch.setattr(subprocess, "Popen", FakeCompiler(said))
    for _ in range(attempts):
        assert not compiling.is_ready(halved, (1.0,))
        assert compiling.problem is None
    assert not compiling.is_ready(halved, (1.0,))
    assert compiling.problem == problem


def test_a_kernel_that_cannot_be_compiled_keeps_no_other_from_it(compiling, capsys):
    wish(compiling, broken)
    wish(compiling, halved)
    compile_process.compile_wishes(kernels.kernel_folder())
    assert capsys.readouterr().err.startswith("broken-")
    assert kernels.is_compiled(halved)
    assert not list(kernels.kernel_folder().glob("*.wanted"))


def test_sources_that_have_changed_are_not_compiled_in_the_place_of_those_before(compiling, tmp_path):
    wish(compiling)
    folder = kernels.kernel_folder().rename(tmp_path / "before")
    with pytest.raises(OSError, match="the code has changed"):
        compile_process.compile_wishes(folder)


@pytest.mark.parametrize("place", ["full disk", "read-only home"])
def test_where_nothing_can_be_written_it_stays_plain_and_says_why(compiling, monkeypatch, capsys, place):
    monkeypatch.setattr(subprocess, "Popen", None)
    kernels.kernel_folder().parent.mkdir(exist_ok=True)
    with ExitStack() as stack:
        stack.enter_context(full_disk(5) if place == "full disk" else read_only(kernels.kernel_folder().parent))
        with compiling.told(sys.stderr):
            for _ in range(3):
                assert not compiling.is_ready(halved, (1.0,))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"playing uncompiled: {kernels.kernel_folder()}: ")
    assert not list(kernels.kernel_folder().parent.rglob("*.tmp.*"))


def test_a_disk_that_is_full_later_ends_the_compiler_and_leaves_nothing_half_written(compiling):
    wish(compiling)
    with full_disk(100), pytest.raises(OSError, match="too large"):
        compile_process.compile_wishes(kernels.kernel_folder())
    assert not kernels.is_compiled(halved)
    assert not list(kernels.kernel_folder().rglob("*.tmp.*"))


@pytest.mark.parametrize("problem", [None, "the disk is full"])
def test_a_patient_kernel_waits_and_is_compiled_here_where_no_other_process_can(uncompiled, monkeypatch, problem):
    compiling, looks = kernels.COMPILING, []
    monkeypatch.setattr(compiling, "problem", problem)
    monkeypatch.setattr(kernels, "LOOK", 0.0)
    monkeypatch.setattr(kernels, "is_ready", lambda *_: looks.append(compiling.waits) or len(looks) > 2)
    kernel = kernels.compiled(halved, patient=True)
    assert kernel(8.0) == 4.0
    assert not kernels.is_plain(kernel)
    assert looks == ([True] if problem else [True] * 3)


class Stream(list):
    """A stream that remembers what was written."""

    def __init__(self, terminal):
        self.terminal, self.write, self.flush = terminal, self.append, lambda: None

    def isatty(self):
        return self.terminal


@pytest.mark.parametrize(
    ("terminal", "moving", "said"),
    [
        (False, True, ["playing uncompiled; 0 of 2 kernels ready\n", "playing compiled\n"]),
        (True, False, ["playing uncompiled; 0 of 2 kernels ready\n", "playing compiled\n"]),
        (True, True, [f"playing uncompiled; {n} of 2 kernels ready (0 s)" for n in (0, 1)] + ["", ""]),
    ],
)
def test_one_line_says_how_far_it_is(terminal, moving, said):
    stream = Stream(terminal)
    line = ProgressLine(stream, moving=moving)
    for ready in range(3):
        line.show(ready, 2, None, waits=False)
    line.clear()
    assert [text.replace(background.ERASE, "") for text in stream if text] == said


def test_who_waits_says_so():
    stream = Stream(False)
    ProgressLine(stream, moving=True).show(0, 1, None, waits=True)
    assert stream == ["waiting for the compiler; 0 of 1 kernels ready\n"]


@pytest.mark.thorough
@pytest.mark.parametrize("kills", [0, 1])
def test_several_programs_share_a_compiler_and_take_over_from_one_that_was_killed(tmp_path, kills):
    command = [sys.executable, "-c", "from tests.helpers.tiny_kernels import main; main()"]
    programs = [
        subprocess.Popen(command, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    for _ in range(kills):
        assert programs[0].stdout.readline() == "started\n"
        for compiler in compilers(tmp_path):
            os.kill(compiler, signal.SIGKILL)
    for program in programs:
        out, err = program.communicate(timeout=120)
        assert out.splitlines()[-1] == "compiled 2.0", err
        assert err.splitlines()[0] == "playing uncompiled; 0 of 1 kernels ready"
        assert err.splitlines()[-1] == "playing compiled"
    assert len(list(tmp_path.rglob("*.nbc"))) == 1
