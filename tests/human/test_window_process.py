"""The window's process and its messages, with SDL's dummy driver in the place of a display."""

import pytest

from bba.agents import Controls
from bba.kitchen import Kitchen
from human.keymap import DEFAULT
from human.window_client import WindowClient

pytest.importorskip("pygame", reason="the extra 'window' is not installed")


def test_the_window_shows_the_states_that_it_is_sent_and_stays_open(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    kitchen = Kitchen("open")
    window = WindowClient(kitchen.layout, {1: Controls()}, DEFAULT)
    try:
        window.show(kitchen.state, "0:00")
        assert not window.gone.wait(1.0)
    finally:
        window.close()
