"""A game whose agents have to compile kernels waits, says so, and answers keys meanwhile."""

import pytest

from bba.agents import Controls, HumanAgent
from bba.play import Game
from human.session import Session
from tests.helpers.notifications import notified, said
from tests.helpers.unprepared import UnpreparedPartner
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.game_factory import SessionRequest
from tui.playback.source import PlaybackSource
from tui.screens import preparation
from tui.screens.dialogs import WatchRequested
from tui.screens.example_game import EXAMPLE
from tui.screens.help import HelpScreen
from tui.screens.play import PlayScreen
from tui.screens.preparation import COMPILING, LOADING, SECONDS_FROM
from tui.screens.start import StartScreen
from tui.study.game import StudyGame
from tui.widgets import KitchenView, SentenceLine
from tui.widgets.panel import TitleBar

SIZE = (80, 24)


@pytest.fixture
def partner():
    partner = UnpreparedPartner()
    yield partner
    partner.go_on.set()


@pytest.fixture(autouse=True)
def _nothing_is_compiled(monkeypatch):
    monkeypatch.setattr(preparation, "futures_are_compiled", lambda: False)


def watching(partner, **settings) -> BBAApp:
    return BBAApp(PlaybackSource(lambda: Game("open", "switching", partner, 0, horizon=200)), **settings)


def playing(partner, tmp_path, speed=None) -> BBAApp:
    def make(_):
        controls = {0: Controls()}
        game = Game("open", HumanAgent(controls[0]), partner, 0, horizon=200, mobility=(1.0, 0.35))
        return Session(game, controls, tmp_path / "game.bba")

    return BBAApp(request=SessionRequest(make, speed))


def title(app) -> str:
    return app.screen.query_one(TitleBar).render().plain


async def test_a_watched_game_begins_when_it_is_prepared_and_says_so_and_answers_keys_until_then(partner):
    app = watching(partner, speed=50)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(".", ".")
        assert COMPILING in title(app)
        assert app.game_screen.newest == 0
        await pilot.press("?")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape", "r", "+")
        assert COMPILING in title(app)
        partner.go_on.set()
        await pilot.press("space")
        await until(pilot, lambda: app.game_screen.newest > 3)
        assert "compiling" not in title(app)


@pytest.mark.thorough
async def test_one_can_go_back_to_the_menu_while_it_waits(partner):
    app = BBAApp()
    async with app.run_test(size=SIZE) as pilot:
        source = PlaybackSource(lambda: Game("open", "switching", partner, 0, horizon=200))
        app.post_message(WatchRequested(app.screen, source, 10.0))
        await until(pilot, lambda: app.screen is app.game_screen is not None)
        await pilot.press("escape")
        assert isinstance(app.screen, StartScreen)
        partner.go_on.set()
        await until(pilot, lambda: partner.ready)
        assert (source.ready, len(source.trace.ticks)) == (True, 0)


async def test_where_it_is_only_loaded_the_screen_promises_no_minute_and_it_can_be_left_meanwhile(partner, monkeypatch):
    monkeypatch.setattr(preparation, "futures_are_compiled", lambda: True)
    app = watching(partner)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert LOADING in title(app)
        await pilot.press("q")
        assert app._exit


async def test_what_goes_wrong_is_one_line():
    partner = UnpreparedPartner("there is no compiler")
    partner.go_on.set()
    app = watching(partner)
    async with app.run_test(size=SIZE) as pilot:
        assert await notified(app, pilot, "there is no compiler")
        assert said(app) == ["there is no compiler"]
        assert "paused" in title(app)


@pytest.mark.parametrize("speed", [None, 50.0])
async def test_people_play_only_after_it_is_prepared_and_the_countdown(partner, tmp_path, speed):
    app = playing(partner, tmp_path, speed)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w", ".", "space")
        assert COMPILING in title(app)
        assert not app.screen.query_one("#countdown").display
        partner.go_on.set()
        await until(pilot, lambda: app.screen.query_one("#countdown").display)
        assert "get ready" in title(app)
        assert app.session.trace.ticks == []


async def test_people_can_give_up_while_it_is_prepared(partner, tmp_path):
    app = playing(partner, tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("escape")
        await pilot.click("#yes")
        await until(pilot, lambda: not isinstance(app.screen, PlayScreen))
        assert app.session.over
        assert not partner.ready


# --- what is shown meanwhile -------------------------------------------------------------------------------------
async def test_until_a_persons_game_is_prepared_its_board_shows_a_recorded_game_and_says_so(partner, tmp_path):
    app = playing(partner, tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        kitchen = app.screen.query_one(KitchenView)
        own_title = "kitchen: open"
        await until(pilot, lambda: kitchen._snapshot.step > 2)
        assert kitchen.border_title == EXAMPLE
        assert str(kitchen.border_subtitle).startswith("Blue ")
        assert app.session.trace.ticks == []
        partner.go_on.set()
        await until(pilot, lambda: app.screen.query_one("#countdown").display)
        assert (kitchen._snapshot.step, kitchen.border_title, str(kitchen.border_subtitle)) == (0, own_title, "")


async def test_for_how_long_a_game_has_waited_is_said_from_some_seconds_on(partner, monkeypatch):
    app = watching(partner)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "(3 s)" not in title(app)
        monkeypatch.setattr(preparation, "monotonic", lambda: app.game_screen._preparation._began + SECONDS_FROM)
        await until(pilot, lambda: f"{COMPILING} ({SECONDS_FROM} s)" in title(app))


def test_participants_of_a_study_see_no_recorded_game():
    assert not StudyGame.shows_example


async def test_a_watched_game_without_a_recording_of_its_own_shows_that_of_its_kitchen_until_it_is_prepared(partner):
    app = watching(partner, autostart=False)
    async with app.run_test(size=(120, 40)) as pilot:
        screen, kitchen = app.game_screen, app.screen.query_one(KitchenView)
        await until(pilot, lambda: kitchen._snapshot.step > 2)
        assert kitchen.border_title == EXAMPLE
        sentence = screen.query_one(SentenceLine)
        assert sentence.text.startswith("A recorded game until yours begins. Blue ")
        await pilot.press("home")
        assert kitchen._snapshot.step > 2, "no key shows the game itself, which has not begun"
        assert screen.newest == 0
        partner.go_on.set()
        await until(pilot, lambda: kitchen._snapshot.step == 0)
        assert kitchen.border_title == "kitchen: open"
        await until(pilot, lambda: sentence.text.startswith("Blue "))
