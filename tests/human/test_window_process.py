"""The window's process and its messages, with SDL's dummy driver in the place of a display."""

import json
import subprocess
import sys
from queue import SimpleQueue
from threading import Event

import pytest

from bba.agents import Controls
from bba.kitchen import Kitchen
from human.keymap import DEFAULT
from human.window_client import WindowClient

pytest.importorskip("pygame", reason="the extra 'window' is not installed")


def test_the_window_shows_the_states_that_it_is_sent_and_stays_open(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    kitchen = Kitchen("open")
    window, ended = WindowClient(kitchen.layout, {1: Controls()}, DEFAULT), Event()
    try:
        window.listen(print, print, lambda _: ended.set())
        window.show(kitchen.state, ["0:00", "orders: none"])
        assert not ended.wait(0.3)
    finally:
        window.close()
    window.show(kitchen.state, ["0:01"])  # too late, but no harm


SAYS = [{"press": [1, 2]}, {"hold": [1, 3]}, {"hold": [1, None]}, {"do": "pause"}, {"do": "rest"}, {"closed": True}]
STAND_IN = """
import sys
sys.stdin.readline()  # what to open
print('{"ready": true}', flush=True)
sys.stdin.readline()  # a state
print(sys.argv[1], flush=True)
"""


def test_what_the_window_says_reaches_controls_and_callbacks(monkeypatch):
    command = [sys.executable, "-c", STAND_IN, "\n".join(map(json.dumps, SAYS))]
    popen, heard, controls, kitchen = subprocess.Popen, [], Controls(), Kitchen("open")
    monkeypatch.setattr(subprocess, "Popen", lambda _, **options: popen(command, **options))
    monkeypatch.setattr(controls, "hold", lambda action: heard.append(("hold", action)))
    window = WindowClient(kitchen.layout, {1: controls}, DEFAULT)
    ended = SimpleQueue()
    window.listen(lambda seat, action: heard.append((seat, action)), heard.append, ended.put)
    window.show(kitchen.state, ["0:00"])
    assert ended.get(timeout=10)  # the user closed it
    window.close()
    assert heard == [(1, 2), ("hold", 3), ("hold", None), "pause"]
