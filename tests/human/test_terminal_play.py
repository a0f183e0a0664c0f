"""Playing in a real terminal: keys arrive as a terminal sends them, and a dish is served with them."""

import re
import sys
import time

import pytest

from bba.kitchen import codes
from bba.play import Replay, load
from tests.cli.test_terminal import terminal
from tests.play.people import actions_to_a_dish

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

SENT = {codes.NORTH: "\x1b[A", codes.SOUTH: "\x1b[B", codes.EAST: "\x1b[C", codes.WEST: "\x1b[D", codes.INTERACT: " "}


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "game.bba"


def test_a_dish_is_served_by_keys_turn_by_turn(path):
    actions = actions_to_a_dish()
    options = ["--play", "--turns", "--agent", "proagent", "--layout", "open", "--record", str(path)]
    with terminal(*options) as screen:
        screen.wait_for("your turn")
        for action in actions:
            screen.send(SENT.get(action, "."))
        screen.wait_for(f"{len(actions)}/2400")
        screen.send("q")
        assert screen.end() == 0
        assert f"recorded in {path}" in screen.text().replace("\n", "")
    recording = load(path)
    assert (recording.steps, recording.setup.agents) == (len(actions), ("proagent", "human"))
    assert Replay(recording).run().score > 0


def test_in_real_time_a_held_key_moves_one_tile_a_tick_and_nothing_is_left_over(path):
    with terminal("--play", "--layout", "open", "--agent", "switching", "--record", str(path)) as screen:
        screen.wait_for("3:59")
        for _ in range(40):  # as a terminal repeats a key that is held: faster than the game's steps
            screen.send(SENT[codes.WEST])
            time.sleep(0.01)
        screen.wait_for("3:57")
        screen.send("q")
        screen.end()
    actions = "".join(str(tick.actions[1]) for tick in Replay(load(path)).run().ticks)
    held = re.search(f"{int(codes.WEST)}+", actions)
    assert held is not None
    assert 2 <= len(held[0]) < 20  # some 0.4 s of holding, not 40 presses
    assert set(actions[held.end() :]) == {str(int(codes.WAIT))}
