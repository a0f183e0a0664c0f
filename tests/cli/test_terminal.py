"""The real command in a real pseudo-terminal: what it draws, how it ends."""

import pytest

from tests.helpers.terminal import terminal
from tui.preferences import AppState


@pytest.fixture(autouse=True)
def somebody_who_was_shown_around(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("HOME", str(tmp_path))
    AppState().note(toured=True)


@pytest.mark.thorough
def test_the_watch_screen_opens_plays_pauses_and_quits():
    with terminal("--layout", "open", "--seed", "0") as screen:
        screen.wait_for("open", "posterior", "gate")
        screen.send(" ")
        screen.wait_for("paused")
        screen.send("q")
        assert screen.end() == 0


@pytest.mark.thorough
def test_a_recording_made_on_the_screen_can_be_shown_again(tmp_path):
    file = tmp_path / "game.bba"
    with terminal("--layout", "open", "--horizon", "5", "--speed", "50", "--record", str(file)) as screen:
        screen.wait_for("finished")
        screen.send("q")
        assert screen.end() == 0
        assert "recorded in" in screen.text()
    with terminal("--layout", "open", "--record", str(file)) as screen:
        assert screen.end() == 2
        assert "--forcewritesoverit" in "".join(screen.text().split())
    with terminal("--replay", str(file), "--speed", "50") as screen:
        screen.wait_for("finished", "5/5")
        screen.send("q")
        assert screen.end() == 0


@pytest.mark.thorough
@pytest.mark.parametrize(("columns", "lines"), [(79, 24), (80, 23)])
def test_too_small_a_terminal_is_one_line(columns, lines):
    with terminal("--layout", "open", columns=columns, lines=lines) as screen:
        assert screen.end() == 2
        said = " ".join(screen.text().split())
    assert said == f"bba-tui: the terminal is too small: {columns}x{lines}; the screen needs 80x24"


@pytest.mark.thorough
def test_a_terminal_that_cannot_draw_is_one_line():
    with terminal(term="dumb") as screen:
        assert screen.end() == 2
        assert "the screen needs a terminal; without one use --headless" in " ".join(screen.text().split())
