"""What the start screen looks like. `make snapshots` draws it anew after a change that is meant."""

import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from tests.helpers.wait_for_idle import drawn, until
from tui.app.app import BBAApp
from tui.preferences import AppState

GAMES = ("bayes-open.bba", "bayes-ring-replans.bba")


@pytest.fixture
def app(monkeypatch, tmp_path):
    """The start screen of somebody who has two recorded games."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for day, name in enumerate(GAMES, start=1):
        shutil.copy(Path(__file__).parent / "recordings" / name, tmp_path / name)
        then = datetime(2025, 1, day, 20, 41).timestamp()
        os.utime(tmp_path / name, (then, then))
    return BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)


async def found(pilot) -> None:
    """Wait until the last game is shown."""
    await until(pilot, lambda: pilot.app.screen.query_one("#last").display)
    await drawn(pilot)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_the_start_screen(snap_compare, app, size):
    assert snap_compare(app, terminal_size=size, run_before=found)


@pytest.mark.thorough
def test_more_settings_of_a_language_model(snap_compare, app, monkeypatch):
    monkeypatch.delenv("BBA_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary-0123456789")

    async def choose(pilot) -> None:
        await found(pilot)
        await pilot.press("plus", "right")
        await drawn(pilot)

    assert snap_compare(app, terminal_size=(80, 24), run_before=choose)
