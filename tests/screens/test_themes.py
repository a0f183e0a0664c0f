"""What another theme looks like, as a picture. `make snapshots` draws it anew after a change that is meant."""

from tests.screens.test_snapshots import settled
from tests.tui.support import still_app


def test_the_light_theme_in_the_middle_of_a_game(snap_compare):
    app = still_app(515, {"theme": "light"}, horizon=2400)
    assert snap_compare(app, terminal_size=(100, 36), run_before=settled)
