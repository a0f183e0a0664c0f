"""The start screen, which several files of tests open."""

import pytest

from tui.app.app import BBAApp
from tui.preferences import AppState


@pytest.fixture(autouse=True)
def _preprints_pair(monkeypatch):
    """The cooks that the start screen has at first are those that need no compiled planner, but where tests ask."""
    for name, value in (("AGENT", "bayes"), ("PARTNER", "switching"), ("SEED", "0")):
        monkeypatch.setenv(f"BBA_{name}", value)


@pytest.fixture
def shown_pair(_preprints_pair, monkeypatch):
    """The cooks and the seed are those that everybody has at first: nothing is said of them outside."""
    for name in ("AGENT", "PARTNER", "SEED"):
        monkeypatch.delenv(f"BBA_{name}")


@pytest.fixture
def app_state(tmp_path):
    return AppState(tmp_path / "config" / "start.json")


@pytest.fixture
def app(app_state, monkeypatch, tmp_path):
    """The start screen with nothing remembered, in an empty working folder, and no recorded games elsewhere."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return BBAApp(state=app_state, autostart=False)
