"""The start screen: what to do and with which game, by keys and by mouse; nothing chosen wrongly gets far."""

import os

import pytest
from textual.widgets import Input, OptionList, Static

from bba.agents import DESCRIPTIONS, PLANNERS, agent_names
from bba.agents.registry import KEYLESS
from bba.errors import BBAError
from bba.kitchen import Layout
from bba.play import record, save
from bba.settings import Settings
from human.keymap import START_KEYS
from human.remapping import remapped
from tests.helpers.app import paused_app
from tests.helpers.footer import footer
from tests.helpers.games import played
from tests.helpers.notifications import notified
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.config import AppState
from tui.results.folders_screen import ResultFoldersScreen
from tui.results.recordings_screen import RecordingsScreen
from tui.screens.dialogs import PathDialog
from tui.screens.first_choices import CHOICES, FirstChoice
from tui.screens.game_form import GameForm
from tui.screens.help import HelpScreen
from tui.screens.more_settings import MoreSettings
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.widgets.form_fields import NumberField, OptionSelect, problem_of
from tui.widgets.layout_picture import LayoutPicture

SIZE = (80, 24)


@pytest.fixture
def app_state(tmp_path):
    return AppState(tmp_path / "config" / "start.json")


@pytest.fixture
def app(app_state, monkeypatch, tmp_path):
    """The start screen with nothing remembered, in an empty working folder, and no recorded games elsewhere."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return BBAApp(state=app_state, autostart=False)


def config(app: BBAApp):
    assert isinstance(app.screen, WatchScreen)
    return app.game_screen.source.config


def problem(screen, under: str = "") -> str:
    return str(screen.query_one(f"{under} .problem", Static).visual)


async def test_enter_starts_the_default_game_at_once(app):
    async with app.run_test(size=SIZE) as pilot:
        assert isinstance(app.screen, StartScreen)
        await pilot.press("enter")
        await pilot.pause()
        game = config(app)
        assert (game.layout.name, game.agents, game.seed, game.horizon) == ("open", ("bayes", "switching"), 0, 2400)
        assert app.game_screen.clock.speed == 10


async def test_arrows_choose_and_enter_starts_from_any_field(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["down"] * len(CHOICES))  # past the first choices, to the kitchen
        await pilot.press("right", "down", "left", "down", "right", "down", "7", "enter")
        await pilot.pause()
        game = config(app)
        assert (game.layout.name, game.agents, game.seed) == ("ring", ("switching", "bayes"), 7)


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
        await pilot.click("#agent SelectOverlay", offset=(2, 4))
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
        assert (game.layout.name, game.agents[0], game.seed, game.horizon) == ("ring", "proagent", 1, 2300)
        assert app.game_screen.clock.speed == 15


async def test_the_buttons_beside_a_number_stop_at_its_bounds(app):
    async with app.run_test(size=SIZE) as pilot:
        seed = app.screen.query(NumberField).first()
        await pilot.click(seed.query_one(".less"))
        assert (seed.input.value, seed.problem) == ("0", None)


async def test_every_layout_is_pictured_and_fits(app):
    async with app.run_test(size=SIZE) as pilot:
        for name in Layout.names():
            app.screen.query_one("#layout", OptionSelect).value = name
            await pilot.pause()
            picture = app.screen.query_one(LayoutPicture)
            assert picture.border_title == f"kitchen: {name}"
            assert 0 < picture.picture_size.width <= picture.content_size.width
            assert 0 < picture.picture_size.height <= picture.content_size.height


async def test_the_picture_grows_with_the_terminal(app):
    async with app.run_test(size=SIZE) as pilot:
        picture = app.screen.query_one(LayoutPicture)
        small = picture.picture_size.width
        await pilot.resize_terminal(160, 50)
        await pilot.pause()
        assert picture.picture_size.width > small


WRONG = [
    ("seed", "x", "takes a whole number"),
    ("seed", "-1", "takes 0 or more"),
    ("seed", str(2**63), "too large"),
    ("speed", "51", "takes 50 or less"),
    ("speed", "nan", "takes 50 or less"),
    ("speed", "quick", "takes a number"),
]


async def test_a_wrong_number_is_named_in_the_form_and_keeps_the_game_from_starting(app):
    async with app.run_test(size=SIZE) as pilot:
        choice, form = app.focused, app.screen.query_one("#form")
        for name, text, complaint in WRONG:
            field = app.screen.query_one(f"#{name}", Input)
            field.value = text
            await pilot.pause()
            assert str(form.border_subtitle) == f"{name} {complaint}"
            assert len(f"{name} {complaint}") <= form.content_size.width
            await pilot.press("enter")
            await pilot.pause()
            assert isinstance(app.screen, StartScreen)
            assert app.focused is field
            field.value = "10"
            app.screen.set_focus(choice)
            await pilot.pause()
            assert str(form.border_subtitle) == ""


async def test_a_wrong_number_of_steps_is_named_and_not_taken(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m")
        first, field = app.focused, app.screen.query_one("#horizon", Input)
        wrong = {"0": "takes 1 or more", "": "takes a whole number", "1000001": "takes 1000000 or less"}
        for text, said in wrong.items():
            app.screen.set_focus(first)
            field.value = text
            await pilot.pause()
            assert problem(app.screen) == said
            await pilot.press("enter")
            assert isinstance(app.screen, MoreSettings)
            assert app.focused is field


async def test_what_is_typed_into_a_field_is_no_key_but_ctrl_c_still_leaves(app):
    async with app.run_test(size=SIZE) as pilot:
        app.screen.query_one("#seed").focus()
        await pilot.press("q", "question_mark", "o")
        assert app.screen.query_one("#seed", Input).value == "q?o"
        assert isinstance(app.screen, StartScreen)
        await pilot.press("ctrl+c")
    assert app.return_code == 0


async def test_the_choice_is_remembered_when_a_game_starts_and_only_then(app, app_state):
    async with app.run_test(size=SIZE) as pilot:
        app.screen.query_one("#layout", OptionSelect).value = "ring"
        app.screen.query_one("#speed", Input).value = "2.5"
        await pilot.pause()
        assert not app_state.path.exists()
        await pilot.press("enter")
        await pilot.pause()
    again = BBAApp(state=app_state)
    async with again.run_test(size=SIZE):
        assert again.screen.query_one("#layout", OptionSelect).chosen == "ring"
        assert again.screen.query_one("#speed", Input).value == "2.5"


async def test_a_remembered_name_that_is_gone_gives_way_to_the_first(app_state):
    app_state.keep(Settings(layout="gone", agent="nobody"))
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE):
        assert app.screen.query_one("#layout", OptionSelect).chosen == Layout.names()[0]
        assert app.screen.query_one("#agent", OptionSelect).chosen == "bayes"


async def test_a_damaged_layout_is_one_line_and_no_crash(app, monkeypatch):
    async with app.run_test(size=SIZE) as pilot:

        def damaged(name):
            raise BBAError("ring.toml: map row 1, column 1: the map is empty")

        monkeypatch.setattr(Layout, "load", damaged)
        app.screen.query_one("#layout", OptionSelect).value = "ring"
        await pilot.pause()
        assert "the map is empty" in str(app.screen.query_one("#about", Static).visual)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


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


async def test_starting_twice_at_once_opens_one_game(app):
    async with app.run_test(size=SIZE) as pilot:
        app.screen.action_start()
        app.screen.action_start()
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


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


async def test_help_opens_over_the_start_screen_and_escape_closes_it(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f1")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, StartScreen)


async def test_quit_ends_the_app(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("q")
    assert app.return_code == 0


# --- what there is to do ---------------------------------------------------------------------------------------
OPENED = {"watch": WatchScreen, "play": PlayScreen, "replay": RecordingsScreen, "results": ResultFoldersScreen}


@pytest.mark.parametrize("how", few(["key", "enter", "space", "mouse"]))
@pytest.mark.parametrize("choice", OPENED)
async def test_every_first_choice_can_be_taken_in_every_way(app, choice, how):
    async with app.run_test(size=SIZE) as pilot:
        if how == "key":
            await pilot.press(next(entry.keys[0] for entry in START_KEYS if entry.action == choice))
        elif how == "mouse":
            await pilot.click(f"#{choice}")
        else:
            await pilot.press(*["down"] * list(CHOICES).index(choice), how)
        await pilot.pause()
        assert isinstance(app.screen, OPENED[choice])


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


async def test_a_person_chosen_as_the_ego_plays_and_is_not_watched(app):
    async with app.run_test(size=SIZE) as pilot:
        app.screen.query_one("#agent", OptionSelect).value = "human"
        await pilot.press("w")
        await notified(app, pilot, "a person is chosen as a cook")
        assert isinstance(app.screen, StartScreen)
        app.screen.query_one("#agent").focus()
        await pilot.press("enter")
        await pilot.pause()
        assert app.session.trace.config.agents == ("human", "switching")
    app.session.close()


async def test_every_choice_is_told_in_two_lines_that_fit(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        for choice in app.screen.query(FirstChoice):
            lines = str(choice.visual).splitlines()
            assert len(lines) == choice.content_size.height == 2
            assert max(map(len, lines)) <= choice.content_size.width


async def test_a_key_of_ones_own_stands_beside_its_choice(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), keymap=remapped({"watch": "x"}, "mine.toml"))
    async with app.run_test(size=SIZE):
        assert str(app.screen.query_one("#watch", FirstChoice).visual).startswith(" x Watch")


# --- more ------------------------------------------------------------------------------------------------------
async def test_more_takes_planner_model_address_and_steps_and_says_so(app, app_state):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m", "right")
        assert app.screen.query_one("#model-settings").display
        await pilot.press("down", *["backspace"] * 6, *"tiny", "down", *"http://localhost:1/v1", "down")
        app.screen.query_one("#horizon", Input).value = "300"
        await pilot.press("enter")
        await pilot.pause()
        assert str(app.screen.query_one("#more").label) == "more: planner openai tiny, 300 steps"
        settings = app.screen.query_one(GameForm).settings()
        assert (settings.planner, settings.model, settings.horizon) == ("openai", "tiny", 300)
        assert settings.base_url == "http://localhost:1/v1"
        await pilot.press("w")
        await pilot.pause()
    again = app_state.recall()
    assert (again.model, again.base_url, again.horizon) == ("tiny", "http://localhost:1/v1", 300)
    assert "key" not in app_state.path.read_text()


async def test_a_planner_without_a_model_asks_for_none(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m")
        await pilot.pause()
        assert not app.screen.query_one("#model-settings").display


async def test_escape_leaves_more_as_it_was(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m", "right", "escape")
        await pilot.pause()
        assert app.screen.query_one(GameForm).settings().planner == "scripted"


async def test_a_visitor_in_the_browser_cannot_choose_what_the_server_connects_to(app, monkeypatch):
    monkeypatch.setattr(BBAApp, "is_web", property(lambda app: True))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("m")
        await pilot.pause()
        offered = {app.screen.query_one("#planner", OptionSelect).chosen}
        for _ in PLANNERS:
            await pilot.press("right")
            offered.add(app.screen.query_one("#planner", OptionSelect).chosen)
        assert offered == set(KEYLESS)


def test_what_an_older_version_remembered_still_counts(app_state):
    app_state.path.parent.mkdir(parents=True)
    app_state.path.write_text('{"layout": "ring", "agent": "proagent", "seed": 3}')
    assert (app_state.recall().layout, app_state.recall().seed, app_state.recall().model) == ("ring", 3, "gpt-4o")


# --- the last games --------------------------------------------------------------------------------------------
async def recorded(pilot, number: int):
    await until(pilot, lambda: f"{number} game" in str(pilot.app.screen.query_one("#replay", FirstChoice).visual))
    await pilot.pause()
    return [str(button.label) for button in pilot.app.screen.query("#last Button") if button.display]


async def test_the_last_games_stand_there_with_their_score_and_open_by_key_and_mouse(app, tmp_path):
    for number, layout in enumerate(("open", "ring"), start=1):
        save(record(played(10, layout=layout)), tmp_path / f"{layout}.bba")
        os.utime(tmp_path / f"{layout}.bba", (number, number))
    (tmp_path / "noise.bba").write_bytes(b"noise")
    async with app.run_test(size=(120, 40)) as pilot:
        assert await recorded(pilot, 3) == ["ring switching+switching 0", "open switching+switching 0"]
        await pilot.click("#game-0")
        await pilot.pause()
        assert config(app).layout.name == "ring"
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, StartScreen))
        await pilot.press("right", "enter")
        await pilot.pause()
        assert config(app).layout.name == "open"


async def test_as_many_of_the_last_games_are_shown_as_fit_whole(app, tmp_path):
    for number in range(6):
        save(record(played(3)), tmp_path / f"{number}.bba")
    async with app.run_test(size=SIZE) as pilot:
        few = len(await recorded(pilot, 6))
        assert 0 < few < 4
        for button in app.screen.query("#last Button"):
            assert not button.display or app.screen.query_one("#last").region.contains_region(button.region)
        await pilot.resize_terminal(200, 60)
        await pilot.pause()
        assert len(await recorded(pilot, 6)) == 4


async def test_a_game_that_is_gone_by_now_is_one_line(app, tmp_path):
    save(record(played(3)), tmp_path / "game.bba")
    async with app.run_test(size=SIZE) as pilot:
        await recorded(pilot, 1)
        (tmp_path / "game.bba").unlink()
        await pilot.click("#game-0")
        await notified(app, pilot, "cannot be read")
        assert isinstance(app.screen, StartScreen)


async def test_a_game_that_was_recorded_meanwhile_is_there_on_coming_back(app, tmp_path):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o")
        save(record(played(3)), tmp_path / "game.bba")
        await pilot.press("escape")
        assert len(await recorded(pilot, 1)) == 1


# --- recordings ------------------------------------------------------------------------------------------------
async def test_a_recording_is_watched_at_the_chosen_speed(app, tmp_path):
    save(record(played(10, layout="ring", seed=3)), tmp_path / "ring.bba")
    async with app.run_test(size=SIZE) as pilot:
        app.screen.query_one("#speed", Input).value = "20"
        await pilot.press("o", "o")
        await pilot.press(*"ring", "full_stop", *"bba", "enter")
        await pilot.pause()
        assert (config(app).layout.name, config(app).seed) == ("ring", 3)
        assert app.game_screen.clock.speed == 20
        await pilot.press("escape", "escape")
        assert isinstance(app.screen, StartScreen)


async def test_recordings_that_lie_here_can_be_picked_with_the_mouse(app, tmp_path):
    save(record(played(5)), tmp_path / "game.bba")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.click("#replay")
        await pilot.pause()
        await pilot.press("o")
        await pilot.click("#here", offset=(3, 1))
        await pilot.pause()
        assert config(app).horizon == 60


@pytest.mark.parametrize(
    ("name", "complaint"),
    [("", "no file is named"), ("gone.bba", "cannot be read"), ("noise.bba", "noise.bba: "), ("cut.bba", "cut.bba: ")],
)
async def test_a_file_that_cannot_be_played_is_one_line_and_another_may_be_given(app, tmp_path, name, complaint):
    (tmp_path / "noise.bba").write_bytes(b"\x00\xff not a recording")
    save(record(played(20)), tmp_path / "cut.bba")
    whole = (tmp_path / "cut.bba").read_bytes()
    (tmp_path / "cut.bba").write_bytes(whole[: len(whole) // 2])
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o", "o")
        app.screen.query_one(Input).value = name
        await pilot.click("#open")
        await pilot.pause()
        assert isinstance(app.screen, PathDialog)
        assert complaint in problem(app.screen)
        assert "\n" not in problem(app.screen)
        (tmp_path / "good.bba").write_bytes(whole)
        app.screen.query_one(Input).value = "good.bba"
        app.screen.query_one(Input).focus()
        await pilot.press("enter")
        await pilot.pause()
        assert config(app).horizon == 60


async def test_the_home_of_nobody_is_a_line_too(app):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o", "o")
        app.screen.query_one(Input).value = "~nobody-of-this-name/game.bba"
        await pilot.press("enter")
        assert problem(app.screen)


@pytest.mark.parametrize("how", ["key", "mouse"])
async def test_the_question_for_a_recording_can_be_closed(app, how):
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("o", "o")
        assert isinstance(app.screen, PathDialog)
        assert not app.screen.query_one(OptionList).display
        if how == "key":
            await pilot.press("escape")
        else:
            await pilot.click("#cancel")
        await pilot.pause()
        assert isinstance(app.screen, RecordingsScreen)


# --- space -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("size", few([(80, 24), (120, 40), (200, 60)]))
async def test_everything_is_in_view_at_every_size(app, size):
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        room = app.screen.query_one("#first").content_region
        fields = (app.screen.query(kind) for kind in (FirstChoice, OptionSelect, Input, "#more"))
        for widget in (one for several in fields for one in several):
            assert widget.region.area, widget
            assert room.contains_region(widget.region), widget


async def test_every_cook_is_described_in_full_and_leaves_room_for_the_picture(app):
    async with app.run_test(size=SIZE) as pilot:
        cooks = [app.screen.query_one(seat, OptionSelect) for seat in ("#agent", "#partner")]
        for name in agent_names():
            cooks[0].value = cooks[1].value = name
            await pilot.pause()
            assert app.screen.query_one("#about").content_size.height <= 8, name
            assert app.screen.query_one(LayoutPicture).picture_size.height >= 7, name
            assert str(app.screen.query_one("#about", Static).visual).count(DESCRIPTIONS[name]) == 2


async def test_a_terminal_that_has_become_too_small_says_so(app):
    async with app.run_test(size=(79, 24)) as pilot:
        await pilot.pause()
        assert not app.screen.query_one("#body").display
        assert "needs 80x24, has 79x24" in str(app.screen.query_one("#too-small", Static).visual)


def test_a_number_that_will_do_has_no_problem():
    assert problem_of("seed", "12") is None
