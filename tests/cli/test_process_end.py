"""A process ends with its status while threads work in the background, whatever they are at."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import atexit, os, sys, threading
from tui import cli

leave = os._exit

def at_once(status):
    os.write(1, b"without Python's own end\\n")
    leave(status)

def ends(_):
    atexit.register(print, "a handler")
    if {working}:
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    print("output")
    {ending}

os._exit = at_once
sys.argv = ["bba-tui", "list"]
cli.run = ends
sys.exit(cli.main())
"""
CRASH = """
import ssl, sys, threading, time
import certifi
from tui import cli

def load_certificates():
    while True:
        ssl.create_default_context(cafile=certifi.where())

def ends(_):
    threading.Thread(target=load_certificates, daemon=True).start()
    time.sleep({seconds})
    raise RuntimeError("crash")

sys.argv = ["bba-tui", "list"]
cli.run = ends
sys.exit(cli.main())
"""


def ended(program: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own, whose reports of crashes are in a folder."""
    environment = {"BBA_TUI_REPORTS": str(folder), "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, cwd=ROOT
    )


@pytest.mark.parametrize(
    ("ending", "status"), [("pass", 0), ("raise cli.BBAError('a mistake')", 2), ("raise RuntimeError('crash')", 1)]
)
def test_a_thread_that_still_works_is_left_to_its_end_with_the_process(tmp_path, ending, status):
    done = ended(PROGRAM.format(working=True, ending=ending), tmp_path)
    assert (done.returncode, done.stdout) == (status, "output\na handler\nwithout Python's own end\n")


def test_without_such_a_thread_the_end_is_python_s_own(tmp_path):
    done = ended(PROGRAM.format(working=False, ending="pass"), tmp_path)
    assert (done.returncode, done.stdout) == (0, "output\na handler\n")


@pytest.mark.long
def test_a_crash_while_certificates_are_loaded_has_its_status_every_time(tmp_path):
    """Python's own end was a segmentation fault in one of three tries."""
    delays = [0.1 + 0.007 * number for number in range(60)]
    assert Counter(ended(CRASH.format(seconds=delay), tmp_path).returncode for delay in delays) == {1: len(delays)}
