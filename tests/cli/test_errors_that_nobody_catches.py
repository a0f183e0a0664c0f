"""No command ends in a traceback: what nobody has caught is a line and a report; errors of files name these."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.command_line import no_settings_from_outside, run
from tests.helpers.crashes import CANARY, WAYS, reports
from tests.helpers.samples import crossed
from tests.helpers.secrets_search import assert_nowhere
from tests.helpers.terminal import terminal
from tui import cli, crash

__all__ = ["no_settings_from_outside"]
ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """An empty home, where the reports are, with a key in the environment of what is started."""
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv(crash.FOLDER_VARIABLE, str(tmp_path / "log"))
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def in_a_shell(words: str, redirection: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """The command in a shell."""
    command = f'"$PYTHON" -m tui.cli {words} {redirection}'
    environment = os.environ | {"PYTHON": sys.executable} | variables
    return subprocess.run(["/bin/sh", "-c", command], env=environment, capture_output=True, text=True, check=False)


# --- errors of the system --------------------------------------------------------------------------------------
SAID = [
    (FileNotFoundError(2, "No such file or directory", "/x/y"), 2, "bba-tui: /x/y: No such file or directory"),
    (PermissionError(13, "Permission denied", "a\nb"), 2, r"bba-tui: a\nb: Permission denied"),
    (OSError(28, "No space left on device"), 2, "bba-tui: No space left on device"),
    (OSError(24, "Too many open files"), 2, "bba-tui: Too many open files"),
    (OSError(28, "No space left on device", "standard output"), 2, "bba-tui: standard output: No space left on device"),
    (FileNotFoundError(2, "No such file or directory"), 1, "bba-tui: an error in the program: FileNotFoundError: "),
    (ConnectionResetError(104, "Connection reset"), 1, "bba-tui: an error in the program: ConnectionResetError: "),
    (BrokenPipeError(32, "Broken pipe"), 1, "bba-tui: an error in the program: BrokenPipeError: "),
    (OSError(12, "Cannot allocate memory"), 1, "bba-tui: there is not enough memory"),
    (MemoryError(), 1, "bba-tui: there is not enough memory"),
    (RuntimeError(f"with {CANARY}"), 1, "bba-tui: an error in the program: RuntimeError: with [key]; report: "),
    (KeyError("x"), 1, "bba-tui: an error in the program: KeyError: 'x'; report: "),
]


@pytest.mark.parametrize(("error", "status", "line"), SAID, ids=lambda value: str(value)[:40])
def test_an_error_that_a_command_does_not_catch_is_one_line(home, capsys, monkeypatch, error, status, line):
    def fails(_) -> None:
        raise error

    monkeypatch.setattr(cli, "run", fails)
    monkeypatch.setattr(cli, "discard_output", lambda: None)
    code, out, err = run(capsys, "list")
    assert (code, out) == (status, "")
    assert err.startswith(line)
    assert err.count("\n") == 1
    assert len(reports(home)) == (status == 1)
    assert_nowhere(home, [CANARY])


@pytest.mark.parametrize(("code", "status"), [(129, 129), (None, 0), ("text", 1), (0, 0)])
def test_a_command_that_has_a_status_of_its_own_ends_with_it(home, capsys, monkeypatch, code, status):
    def ends(_) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(cli, "run", ends)
    assert run(capsys, "list") == (status, "", "")


@posix
@pytest.mark.exhaustive
@pytest.mark.parametrize("words", ["list", "help", "headless open --horizon 3 --json", "man"])
def test_only_errors_of_writing_to_standard_output_are_called_that(home, words):
    done = in_a_shell(words, ">/dev/full")
    assert (done.returncode, done.stderr[-50:]) == (2, "bba-tui: standard output: No space left on device\n"[-50:])
    assert in_a_shell(words, "| head -c 1").stderr.count("Traceback") == 0


@posix
def test_a_library_that_finds_no_memory_is_one_line(home):
    (home / "numba").mkdir()
    (home / "numba" / "__init__.py").write_text("raise MemoryError\n")
    path = os.pathsep.join(map(str, (home, ROOT)))
    done = in_a_shell("headless open --horizon 3", PYTHONPATH=path, COMPILE_KERNELS_HERE="1")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"bba-tui: there is not enough memory; report: \S+\n", done.stderr)


@posix
def test_an_error_that_ends_a_thread_or_a_task_is_one_line(home):
    program = """
import asyncio, sys, threading
from tui.crash import catch_everywhere
from tests.helpers.crashes import fail, fail_later
catch_everywhere()
threading.Thread(target=fail).start()
async def main():
    asyncio.create_task(fail_later())
    await asyncio.sleep(0)
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT)
    lines = done.stderr.splitlines()
    assert [line.partition(" no answer")[0] for line in lines] == [
        "bba-tui: an error in the program: RuntimeError:"
    ] * 2
    assert "canary" not in done.stderr
    assert len(reports(home)) == 2
    assert_nowhere(home, [CANARY])


# --- without standard error ------------------------------------------------------------------------------------
@posix
@pytest.mark.parametrize(
    ("words", "made", "redirection"),
    crossed(
        [
            ("headless open --horizon 5 --json --record game.bba", "game.bba"),
            ("bench quick --seeds 1 --horizon 5 --workers 1 --yes --out results", "results/results.sqlite"),
            ("export film.svg --horizon 5", "film.svg"),
            (
                "study-simulate example --participants 1 --out study; study-tables study",
                "study/tables/participants.csv",
            ),
        ],
        [("2>&-",), ("2>/dev/full",), ("0<&- 2>&-",)],
    ),
)
def test_without_standard_error_a_command_does_its_work(home, monkeypatch, words, made, redirection):
    monkeypatch.chdir(home)
    for command in words.split("; "):
        done = in_a_shell(command, redirection)
        assert (done.returncode, done.stderr) == (0, "")
    assert (home / made).is_file()
    assert reports(home) == []


@posix
def test_no_file_takes_the_number_of_a_closed_stream(home):
    program = (
        "import os; from tui.streams import open_standard_streams as begin; begin();"
        "print(os.open('/dev/zero', os.O_RDONLY) > 2, [os.get_inheritable(number) for number in range(3)])"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec {sys.executable} -c "{program}" 0<&- 2>&-'], capture_output=True, text=True, check=True
    )
    assert done.stdout == "True [True, True, True]\n"


# --- the app in a real terminal --------------------------------------------------------------------------------
@posix
@pytest.mark.exhaustive
@pytest.mark.parametrize("way", WAYS)
def test_a_crash_in_a_terminal_ends_with_status_1_a_line_and_no_key(home, way):
    with terminal(
        way,
        "watch",
        "open",
        "--agent",
        "bayes",
        "--horizon",
        "500",
        command=(sys.executable, "-m", "tests.helpers.crashes"),
    ) as screen:
        assert screen.end() == 1
    after = screen.sent.decode().rpartition("\x1b[?1049l")[2]
    assert re.search(r"bba-tui: an error in the program: RuntimeError: .*; report: \S+; send it to .+\r\n", after)
    assert "Traceback" not in after
    assert b"canary" not in screen.sent
    assert len(reports(home)) == 1
    assert_nowhere(home, [CANARY])
