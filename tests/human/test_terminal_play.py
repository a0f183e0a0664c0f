"""Playing in a real terminal: keys arrive as a terminal sends them, and a dish is served with them."""

import re
import sys
import time

import pytest

from bba.kitchen import constants
from bba.play import Replay, load
from tests.helpers.terminal import terminal
from tests.helpers.typist import actions_until_a_dish
from tui.preferences import AppState

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")

SENT = {
    constants.NORTH: "\x1b[A",
    constants.SOUTH: "\x1b[B",
    constants.EAST: "\x1b[C",
    constants.WEST: "\x1b[D",
    constants.INTERACT: " ",
}


@pytest.fixture
def path(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    AppState().note(taught=True)  # no newcomer, to whom the lesson is offered
    return tmp_path / "game.bba"


@pytest.mark.thorough
def test_a_dish_is_served_by_keys_turn_by_turn(path):
    actions = actions_until_a_dish()
    options = ["--play", "--turns", "--agent", "proagent", "--layout", "open", "--record", str(path)]
    with terminal(*options) as screen:
        screen.wait_for("your turn")
        for action in actions:
            screen.send(SENT.get(action, "."))
        screen.wait_for(f"{len(actions)}/2400")
        leave(screen)
        assert screen.end() == 0
        assert f"recorded in {path}" in screen.text().replace("\n", "")
    recording = load(path)
    assert (recording.steps, recording.config.agents) == (len(actions), ("proagent", "human"))
    assert Replay(recording).run().score > 0


def leave(screen):
    """End a running game, and leave from its debrief."""
    screen.send("q")
    screen.wait_for("End the game here?")
    screen.send("\x1b[D\r")  # the other button is in focus at first
    screen.wait_for("go there")
    screen.send("q")


def passed(text: str) -> int:
    """The seconds that have passed in a game of four minutes, as its clock on the screen says."""
    left = re.search(r"\b([0-3]):([0-5]\d)\b", text)
    return 240 - 60 * int(left[1]) - int(left[2]) if left else 0


@pytest.mark.long
def test_in_real_time_a_held_key_moves_the_cook_and_nothing_is_left_over(path):
    with terminal("--play", "--layout", "open", "--agent", "switching", "--record", str(path)) as screen:
        screen.wait_until(lambda text: passed(text) > 0, "a running clock")
        for _ in range(40):  # as a terminal repeats a key that is held: faster than the game's steps
            screen.send(SENT[constants.WEST])
            time.sleep(0.01)
        let_go = passed(screen.catch_up())
        screen.wait_until(lambda text: passed(text) >= let_go + 2, "a later time")
        leave(screen)
        screen.end()
    actions = [tick.actions[1] for tick in Replay(load(path)).run().ticks]
    assert set(actions) == {constants.WEST, constants.ACTION_STAY}
    assert set(actions[-5:]) == {constants.ACTION_STAY}  # a step for each of 40 presses would take 4 s
