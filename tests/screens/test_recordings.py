"""What the list of recorded games looks like. `make snapshots` draws it anew after a change that is meant."""

import os
import shutil
from datetime import datetime
from pathlib import Path

import pytest

from tests.helpers.wait_for_idle import drawn, until
from tui.app.app import BBAApp
from tui.preferences import AppState
from tui.results.recordings_screen import RecordingsScreen

GAMES = ("bayes-open.bba", "bayes-ring-replans.bba")


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "height"), [(80, 24), (120, 40), (200, 60)])
def test_the_recorded_games(snap_compare, monkeypatch, tmp_path, width, height):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for day, name in enumerate(GAMES, start=1):
        shutil.copy(Path(__file__).parent / "recordings" / name, tmp_path / name)
        then = datetime(2025, 1, day, 20, 41).timestamp()
        os.utime(tmp_path / name, (then, then))
    app = BBAApp(first=RecordingsScreen(10.0), state=AppState(tmp_path / "start.json"), autostart=False)

    async def listed(pilot) -> None:
        await until(pilot, lambda: isinstance(app.screen, RecordingsScreen) and len(app.screen.entries) == len(GAMES))
        await drawn(pilot)

    assert snap_compare(app, terminal_size=(width, height), run_before=listed)
