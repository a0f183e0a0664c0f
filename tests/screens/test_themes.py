"""What the screens look like in every theme, and without colours. `make snapshots` draws them anew after a change that
is meant.
"""

from pathlib import Path

import pytest

from tests.helpers.app import paused_app
from tests.helpers.recordings import source_of
from tests.helpers.wait_for_idle import drawn
from tui.app.app import BBAApp
from tui.preferences import AppState

REPLAN = Path(__file__).parent / "recordings" / "bayes-ring-replans.bba"
SIZES = [(80, 24), (120, 40), (200, 55)]
LOOKS = ["dark", "light", "contrast", "no-colours"]


@pytest.fixture(params=LOOKS)
def theme(request, monkeypatch) -> str:
    """A theme; the dark one where there are no colours."""
    if request.param in LOOKS[:3]:
        monkeypatch.delenv("NO_COLOR", raising=False)
        return request.param
    monkeypatch.setenv("NO_COLOR", "1")
    return LOOKS[0]


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
def test_the_watch_screen_at_a_replan_with_its_sentence(snap_compare, size, theme):
    app = BBAApp(source_of(REPLAN), autostart=False, motion=False, theme=theme)
    app.panels = ("gate",)
    assert snap_compare(app, terminal_size=size, run_before=drawn)


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
def test_the_settings(snap_compare, size, theme, tmp_path, monkeypatch):
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):  # paths are shown from there, and no game is in sight
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False, motion=False, theme=theme)
    assert snap_compare(app, press=["f4"], terminal_size=size, run_before=drawn)


@pytest.mark.thorough
def test_the_light_theme_in_the_middle_of_a_game(snap_compare):
    app = paused_app(515, {"theme": "light"}, horizon=2400)
    assert snap_compare(app, terminal_size=(100, 36), run_before=drawn)
