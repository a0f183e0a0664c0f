"""SIGTERM, SIGHUP and a closed terminal lose no step of a person's game, and leave the terminal in order."""

import os
import signal
import sys

import pytest

from bba.play import load
from tests.helpers.samples import few
from tests.helpers.terminal import terminal
from tui.preferences import AppState

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

STUDY = """
name = "s"
title = "A study"
consent = "Do you agree?"
layouts = ["open"]
agents = ["switching"]
tutorial = false
turns = true
horizon = 40
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    AppState().note(taught=True)
    return tmp_path


def study_under_way(place, screen):
    """Types seven steps of the first game of a study."""
    screen.wait_for("Do you agree?")
    screen.send("\t\r")
    screen.wait_for("Begin")
    screen.send("\r")
    screen.wait_for("your turn")
    screen.send("d" * 7)
    screen.wait_for("7/40")
    return place / "kept" / "recordings" / "P1-game-1.bba"


def arguments(place):
    (place / "study.toml").write_text(STUDY)
    return "study", str(place / "study.toml"), "--out", str(place / "kept"), "--participant", "P1"


@pytest.mark.thorough
@pytest.mark.parametrize("number", few([signal.SIGTERM, signal.SIGHUP]))
def test_a_signal_loses_no_step_of_a_study_and_restores_the_terminal(place, number):
    with terminal(*arguments(place)) as screen:
        recording = study_under_way(place, screen)
        screen.process.send_signal(number)
        assert screen.end() == 128 + number
        assert "kept in" in screen.text()  # the ordinary screen of the terminal is back
        assert "your turn" not in screen.text()
    assert load(recording).steps == 7


@pytest.mark.thorough
def test_a_closed_terminal_loses_no_step(place):
    with terminal(*arguments(place)) as screen:
        recording = study_under_way(place, screen)
        os.close(screen._master)
        screen.process.send_signal(signal.SIGHUP)  # as the kernel does for who has the terminal
        screen.process.wait(60)
        screen._master = os.open(os.devnull, os.O_RDWR)
    assert load(recording).steps == 7


@pytest.mark.thorough
def test_an_app_ends_with_the_shell_that_ran_it(place):
    with terminal("watch", "open", "--agent", "switching", "--speed", "50") as screen:
        screen.wait_for("posterior")
        os.close(screen._master)
        for number in (signal.SIGHUP, signal.SIGCONT):  # as the kernel does
            screen.process.send_signal(number)
        assert screen.process.wait(60) == 128 + signal.SIGHUP
        screen._master = os.open(os.devnull, os.O_RDWR)


@pytest.mark.long
def test_a_game_of_ones_own_is_saved_too(place):
    file = place / "game.bba"
    with terminal("--play", "--turns", "--agent", "switching", "--record", str(file)) as screen:
        screen.wait_for("your turn")
        screen.send("d" * 5)
        screen.wait_for("5/2400")
        screen.process.send_signal(signal.SIGTERM)
        assert screen.end() == 128 + signal.SIGTERM
    assert load(file).steps == 5
