"""What the start screen looks like, as a picture. `make snapshots` draws it anew after a change that is meant."""

from tests.helpers.wait_for_idle import drawn
from tui.app.app import BBAApp
from tui.config import AppState


def test_the_start_screen(snap_compare, tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"))
    assert snap_compare(app, terminal_size=(120, 40), run_before=drawn)
