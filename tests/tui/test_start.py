"""The start screen: what to do and with which game, by keys and by mouse, and the ways out and back."""

import pytest

from human.keymap import START_KEYS, remapped
from tests.helpers.app import paused_app
from tests.helpers.footer import footer
from tests.helpers.notifications import notified
from tests.helpers.samples import few
from tests.helpers.start_screen import SIZE, config
from tui.app.app import BBAApp
from tui.preferences import AppState
from tui.results.recordings_screen import RecordingsScreen
from tui.results.screens import ResultFoldersScreen
from tui.screens.help import HelpScreen
from tui.screens.play import PlayScreen
from tui.screens.start import CHOICES, FirstChoice, StartScreen
from tui.screens.watch import WatchScreen
from tui.widgets.form_fields import NumberField, OptionSelect


@pytest.mark.thorough
async def test_enter_starts_the_default_game_at_once(app):
    async with app.run_test(size=SIZE) as pilot:
        assert isinstance(app.screen, StartScreen)
        await pilot.press("enter")
        await pilot.pause()
        game = config(app)
        assert (game.layout.name, game.agents, game.seed, game.horizon) == ("open", ("bayes", "switching"), 0, 2400)
        assert app.game_screen.clock.speed == 10


@pytest.mark.thorough
async def test_arrows_choose_and_enter_starts_from_any_field(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["down"] * len(CHOICES))  # past the first choices, to the kitchen
        await pilot.press("right", "down", "right", "right", "left", "down", "right", "down", "7", "enter")
        await pilot.pause()
        game = config(app)
        assert (game.layout.name, game.agents, game.seed) == ("ring", ("bayes-no-prompt", "chance"), 7)


@pytest.mark.thorough
async def test_space_unfolds_a_list_and_enter_takes_from_it_without_starting(app):
    async with app.run_test(size=SIZE) as pilot:
        app.screen.query_one("#layout").focus()
        await pilot.press("space", "up", "enter")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        assert app.screen.query_one("#layout", OptionSelect).chosen == "forced_coordination"


async def test_the_mouse_alone_chooses_and_starts(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click("#agent")
        await pilot.click("#agent SelectOverlay", offset=(2, 5))
        await pilot.click("#layout")
        await pilot.click("#layout SelectOverlay", offset=(2, 3))
        for number in app.screen.query(NumberField):
            await pilot.click(number.query_one(".more"))
        await pilot.click("#more")
        await pilot.pause()
        await pilot.click(app.screen.query_one(NumberField).query_one(".less"))
        await pilot.click("#take")
        await pilot.click("#watch")
        await pilot.pause()
        game = config(app)
        assert (game.layout.name, game.agents[0], game.seed, game.horizon) == ("ring", "completion-held", 1, 2300)
        assert app.game_screen.clock.speed == 15


@pytest.mark.thorough
async def test_escape_leads_back_to_the_start_screen_and_from_there_to_another_game(app):
    async with app.run_test(size=SIZE) as pilot:
        for layout in ("open", "ring"):
            app.screen.query_one("#layout", OptionSelect).value = layout
            await pilot.press("enter")
            await pilot.pause()
            assert config(app).layout.name == layout
            await pilot.press("escape")
            await pilot.pause()
            assert isinstance(app.screen, StartScreen)
            assert app.screen.query_one("#layout", OptionSelect).chosen == layout


@pytest.mark.thorough
async def test_from_a_game_that_was_asked_for_directly_escape_leads_to_the_start_screen_and_on(tmp_path):
    app = paused_app(app={"state": AppState(tmp_path / "start.json")})
    async with app.run_test(size=SIZE) as pilot:
        first = app.game_screen
        await pilot.pause()
        assert "menu" in footer(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert app.screen is not first


async def test_a_visitor_in_the_browser_gets_no_menu_if_the_server_chose_the_game(monkeypatch):
    monkeypatch.setattr(BBAApp, "is_web", property(lambda app: True))
    app = paused_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "quit" in footer(app)
        assert "menu" not in footer(app)
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is app.game_screen


@pytest.mark.thorough
async def test_help_opens_over_the_start_screen_and_escape_closes_it(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, StartScreen)


@pytest.mark.thorough
async def test_quit_ends_the_app(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("q")
    assert app.return_code == 0


OPENED = {"watch": WatchScreen, "replay": RecordingsScreen, "results": ResultFoldersScreen, "play": PlayScreen}


@pytest.mark.parametrize("how", few(["key", "enter", "space", "mouse"]))
async def test_every_first_choice_can_be_taken_in_every_way(app, how):
    async with app.run_test(size=SIZE) as pilot:
        for choice, opened in OPENED.items():
            app.screen.query_one(f"#{next(iter(CHOICES))}").focus()
            if how == "key":
                await pilot.press(next(entry.keys[0] for entry in START_KEYS if entry.action == choice))
            elif how == "mouse":
                await pilot.click(f"#{choice}")
            else:
                await pilot.press(*["down"] * list(CHOICES).index(choice), how)
            await pilot.pause()
            assert isinstance(app.screen, opened), choice
            if opened is not PlayScreen:  # the last: it is not left at once
                await pilot.press("escape")
                await pilot.pause()
                assert isinstance(app.screen, StartScreen), choice
    app.session.close()


async def test_starting_twice_at_once_opens_one_game_and_a_person_chosen_as_the_ego_plays_and_is_not_watched(app):
    async with app.run_test(size=SIZE) as pilot:
        app.screen.action_start()
        app.screen.action_start()
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        app.screen.query_one("#agent", OptionSelect).value = "human"
        await pilot.press("w")
        assert await notified(app, pilot, "a person is chosen as a cook")
        assert isinstance(app.screen, StartScreen)
        app.screen.query_one("#agent").focus()
        await pilot.press("enter")
        await pilot.pause()
        assert app.session.trace.config.agents == ("human", "switching")
    app.session.close()


@pytest.mark.thorough
async def test_the_wish_to_learn_reaches_the_app_once(app, monkeypatch):
    began = []
    monkeypatch.setattr(BBAApp, "_learn", lambda app: began.append("learn"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("l")
        await pilot.pause()
    assert began == ["learn"]


async def test_play_gives_a_person_the_partners_seat_and_remembers_the_cooks(app, app_state):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("p")
        await pilot.pause()
        assert app.session.trace.config.agents == ("bayes", "human")
        assert app_state.recall().partner == "switching"
    app.session.close()


@pytest.mark.thorough
async def test_every_choice_is_told_in_two_lines_that_fit(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for choice in app.screen.query(FirstChoice):
            lines = str(choice.label).splitlines()
            assert len(lines) == choice.content_size.height == 2
            assert max(map(len, lines)) <= choice.content_size.width


@pytest.mark.thorough
async def test_a_key_of_ones_own_stands_beside_its_choice(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), keymap=remapped({"watch": "x"}, "mine.toml"))
    async with app.run_test(size=SIZE):
        assert str(app.screen.query_one("#watch", FirstChoice).label).startswith("x Watch")
