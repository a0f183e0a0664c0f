"""What is pressed in the window is done on the screen of the game; here a stand-in takes the window's place."""

import pytest

from bba.kitchen import Action, constants
from bba.processes import in_thread
from tests.helpers.playing import SIZE, Playing, actions, session
from tests.helpers.wait_for_idle import until
from tui.game_factory import SessionRequest


class StandIn:
    """Keeps what it is given to show, and whom to tell what is pressed."""

    def __init__(self):
        self.shown = []
        self.is_closed = False

    def listen(self, press, act, ended):
        self.press, self.act, self.ended = press, act, ended

    def show(self, state, lines):
        self.shown.append((state, lines))

    def close(self):
        self.is_closed = True


@pytest.fixture
def app(tmp_path):
    def make(keymap):
        game = session(tmp_path)
        game.window = StandIn()
        return game

    return Playing(tmp_path, request=SessionRequest(make, speed=None))


async def test_keys_of_the_window_play_the_game_that_it_shows(app):
    async with app.run_test(size=SIZE) as pilot:
        window = app.session.window
        in_thread(lambda: window.press(1, constants.NORTH))
        await until(pilot, lambda: app.session.trace.ticks)
        in_thread(lambda: window.act("pause"))
        await until(pilot, lambda: app.screen.clock.paused)
        assert actions(app) == [Action.NORTH]
        state, (title, orders, cook) = window.shown[-1]
        assert (state == app.session.game.kitchen.state).all()
        assert (title, orders[:8], cook[:12]) == ("paused   score 0", "orders: ", "cook 2 holds")


@pytest.mark.parametrize("by_hand", [True, False])
async def test_a_game_ends_with_its_window_and_the_app_too_unless_it_was_closed_by_hand(app, by_hand):
    async with app.run_test(size=SIZE) as pilot:
        window = app.session.window
        in_thread(lambda: window.ended(by_hand))
        await until(pilot, lambda: window.is_closed)
        assert app.session.over
        assert app._exit is not by_hand
