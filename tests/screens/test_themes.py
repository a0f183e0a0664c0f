"""What another theme looks like, as a picture. `make snapshots` draws it anew after a change that is meant."""

import pytest

from tests.helpers.app import paused_app
from tests.helpers.wait_for_idle import drawn


@pytest.mark.thorough
def test_the_light_theme_in_the_middle_of_a_game(snap_compare):
    app = paused_app(515, {"theme": "light"}, horizon=2400)
    assert snap_compare(app, terminal_size=(100, 36), run_before=drawn)
