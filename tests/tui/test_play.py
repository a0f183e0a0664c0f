"""People at the keyboard: keys reach the game, nothing queues up, and the game can be looked back on."""

import pytest
from textual.widgets import OptionList, Select

from bba.agents import Controls, HumanAgent, load_agent
from bba.agents.registry import BACKENDS
from bba.kitchen import Action, Skill, constants
from bba.kitchen.state import HELD
from bba.play import Game, Replay, load
from human.session import SAVE_EVERY, Session
from tests.helpers.app import texts
from tests.helpers.footer import footer
from tests.helpers.slow_planners import SlowBackend, wait_for_answer
from tui.app.app import BBAApp
from tui.arguments import parse
from tui.config import AppState
from tui.game_factory import SessionRequest, session_request
from tui.screens.debrief import NOTHING, DebriefScreen
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play import PlayScreen
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.widgets.commitment import CommitmentPanel
from tui.widgets.gate import GatePanel
from tui.widgets.how_to import HowToPanel
from tui.widgets.kitchen_view import KitchenView, picture_size
from tui.widgets.player_status import PlayerPanel, clock
from tui.widgets.posterior import PosteriorPanel
from tui.widgets.recipe_cards import PARTS, RecipePanel
from tui.widgets.skill_list import HOW_TO, NumberPad, SkillsPanel
from tui.widgets.stations import StationsPanel

SIZE = (120, 40)


def session(tmp_path, *, ego="switching", partner="human", horizon=600, layout="open"):
    controls = {seat: Controls() for seat, name in enumerate((ego, partner)) if name == "human"}
    agents = [
        HumanAgent(controls[seat]) if seat in controls else load_agent(name) for seat, name in enumerate((ego, partner))
    ]
    mobility = tuple(1.0 if name == "human" else 0.35 for name in (ego, partner))
    return Session(Game(layout, *agents, 0, horizon=horizon, mobility=mobility), controls, tmp_path / "game.bba")


class Playing(BBAApp):
    """The app on a game of people turn by turn, without a countdown."""

    def __init__(self, tmp_path, *, countdown=0, speed=None, request=None, **game):
        make = request.make if request else lambda keymap: session(tmp_path, **game)
        super().__init__(request=SessionRequest(make, speed))
        self._countdown_from = countdown

    def _play(self, request, first=None):
        self._request, self.session = request, request.make(self.keymap)
        self.push_screen(PlayScreen(self.session, speed=request.speed, countdown=self._countdown_from))


def actions(app, seat=1):
    return [tick.actions[seat] for tick in app.session.trace.ticks]


@pytest.mark.parametrize(
    ("key", "action"),
    [
        ("up", Action.NORTH),
        ("w", Action.NORTH),
        ("down", Action.SOUTH),
        ("s", Action.SOUTH),
        ("right", Action.EAST),
        ("d", Action.EAST),
        ("left", Action.WEST),
        ("a", Action.WEST),
        ("space", Action.INTERACT),
        ("enter", Action.INTERACT),
        (".", Action.STAY),
    ],
)
async def test_turn_by_turn_a_key_is_a_step(tmp_path, key, action):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(key)
        assert actions(app) == [action]


async def test_every_step_takes_a_key_while_the_agent_thinks(tmp_path, monkeypatch):
    backend = SlowBackend()
    monkeypatch.setitem(BACKENDS, "openai", lambda _: backend)
    monkeypatch.setenv("BBA_BASE_URL", "http://127.0.0.1:9/v1")
    match = session_request(
        parse(["--planner", "openai", "--partner", "human", "--record", str(tmp_path / "game.bba")])
    )
    app = Playing(tmp_path, request=match, speed=0.001)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        for key in ("left", "up", "right"):
            await pilot.press(key)
            app.screen._on_beat()
        assert actions(app) == [Action.WEST, Action.NORTH, Action.EAST]
        assert all(tick.decisions[0].thinking for tick in app.session.trace.ticks)
        backend.free.set()
        wait_for_answer(app.session.game.agents[0])
        app.screen._on_beat()
        assert app.session.trace.ticks[-1].decisions[0].plan is not None


async def test_two_people_share_the_keyboard(tmp_path):
    app = Playing(tmp_path, ego="human")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "left")
        assert (actions(app, 0), actions(app, 1)) == ([Action.EAST, Action.STAY], [Action.STAY, Action.WEST])


async def test_the_egos_seat_can_be_had_too(tmp_path):
    app = Playing(tmp_path, ego="human", partner="switching")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "left")
        assert actions(app, 0) == [Action.EAST, Action.WEST]


async def test_in_real_time_quick_taps_are_steps_one_after_the_other(tmp_path):
    app = Playing(tmp_path, speed=0.001)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "up", "left")
        assert actions(app) == []
        for _ in range(4):
            app.screen._on_beat()
        assert actions(app) == [Action.NORTH, Action.NORTH, Action.WEST, Action.STAY]


async def test_while_counting_down_and_while_paused_keys_do_nothing(tmp_path):
    app = Playing(tmp_path, countdown=1000)  # the test counts
    async with app.run_test(size=SIZE) as pilot:
        assert app.screen.query_one("#countdown").display
        await pilot.press("left")
        assert actions(app) == []
        app.screen._countdown = 1
        app.screen._count_on()
        assert not app.screen.query_one("#countdown").display
        await pilot.press("p", "left")
        assert (actions(app), app.screen.status) == ([], "paused")
        await pilot.press("p", "left")
        assert actions(app) == [Action.WEST]


async def test_skill_mode_walks_the_skill_whose_number_is_typed(tmp_path):
    app = Playing(tmp_path, speed=0.001)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("8")
        app.screen._on_beat()
        assert app.session.trace.ticks[-1].skills[1] == constants.NO_SKILL
        await pilot.press("k", "8")
        app.screen._on_beat()
        assert app.session.trace.ticks[-1].skills[1] == Skill.GRAB_MEAT
        app.screen._offer_skills()
        listed = texts(app.screen._skills.lines(app.screen.snapshot, 30))
        assert any(text.startswith("▶ 08 get meat") for text in listed)
        await pilot.press("1", "1")
        app.screen._on_beat()
        assert app.session.trace.ticks[-1].skills[1] == Skill.GRAB_RICE
        await pilot.press("k")
        assert not app.screen._skills.display


async def test_a_skill_that_is_not_possible_now_is_named_and_not_begun(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        said = []
        app.screen.hint = said.append
        await pilot.press("k", "0", "7")
        assert (actions(app), said) == ([], ["serve a dish: not possible now"])


def test_every_number_is_a_skill_and_the_same_one_at_any_time():
    pad = NumberPad()
    for skill in range(constants.N_SKILLS):
        first, second = f"{skill:02}"
        assert pad.digit(first) is None
        assert (pad.typed, pad.digit(second), pad.typed) == (first, skill, "")
    assert [pad.digit(digit) for digit in "3456789"] == [3, 4, 5, 6, 7, 8, 9]
    assert [pad.digit(digit) for digit in "27"] == [None, None]
    assert pad.typed == ""


@pytest.fixture
def walked_by_the_test(monkeypatch):
    """A skill that goes on by itself does so only when the test says so."""
    monkeypatch.setattr("tui.screens.skill_mode.SKILL_PACE", 1000.0)


async def test_turn_by_turn_a_skill_goes_on_by_itself_until_it_has_ended(tmp_path, walked_by_the_test):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("k", "8")
        screen = app.screen
        assert len(actions(app)) == 1
        while screen._walk is not None:
            assert screen.status == "any key stops it"
            screen._walk_on()
        assert app.session.trace.ticks[-1].state[HELD + 1] == constants.MEAT
        assert screen.status == "your turn"
        assert len(actions(app)) > 1


@pytest.mark.parametrize("key", ["left", "p", "z", ".", "escape", "m", "h", "k", "f5"])
async def test_any_key_stops_a_skill_that_goes_on_and_does_nothing_else(tmp_path, key, walked_by_the_test):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("k", "8")
        screen = app.screen
        await pilot.press(key)
        assert (app.screen, screen._walk, screen.paused, len(actions(app))) == (screen, None, False, 1)
        assert (screen.show_belief, screen.show_hint, screen.skill_mode) == (False, True, True)
        await pilot.press(".")  # the skill still runs: a step passes
        assert app.session.trace.ticks[-1].skills[1] == Skill.GRAB_MEAT


async def test_a_layer_over_the_game_stops_a_skill_that_goes_on(tmp_path, walked_by_the_test):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("k", "8")
        screen = app.screen
        await pilot.press("question_mark")
        await pilot.pause()
        assert (app.screen is screen, screen._walk) == (False, None)


async def test_the_agents_belief_is_hidden_until_it_is_asked_for(tmp_path):
    app = Playing(tmp_path, ego="bayes")
    async with app.run_test(size=SIZE) as pilot:
        assert [app.screen.query_one(panel).display for panel in (PosteriorPanel, GatePanel)] == [False, False]
        await pilot.press("m")
        assert [app.screen.query_one(panel).display for panel in (PosteriorPanel, GatePanel)] == [True, True]


async def test_a_declared_role_is_shown_and_recorded(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        said = []
        app.screen.hint = said.append
        await pilot.press("f9", "left")
        assert app.session.trace.ticks[-1].decisions[1].declared_role == 4
        you = next(panel for panel in app.screen._panels if panel.TITLE == "you")
        assert "  you say: I serve" in texts(you.lines(app.screen.snapshot, 34))
        assert said == ["Noted: I serve. Your partner is not told; the debrief says whether it believed so."]


async def test_giving_up_asks_first_and_leads_to_the_debrief_with_a_recording(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", "escape")
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press("enter")
        assert isinstance(app.screen, PlayScreen)
        assert not app.screen.paused
        await pilot.press("escape", "tab", "tab", "left")
        await pilot.click("#yes")
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        assert load(tmp_path / "game.bba").steps == 1


async def test_the_end_of_the_game_leads_to_the_debrief_and_from_there_to_any_step_and_to_another_game(tmp_path):
    app = Playing(tmp_path, ego="bayes", horizon=SAVE_EVERY - 10)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["."] * (SAVE_EVERY - 10))
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        assert "back" in footer(app)
        assert "menu" not in footer(app)
        await pilot.press("escape")
        assert isinstance(app.screen, DebriefScreen)
        await pilot.click("#timeline", offset=(60, 3))
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)
        await pilot.press("escape", "r")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        assert app.session.trace.ticks == []


async def test_from_the_debrief_of_a_game_that_was_asked_for_directly_escape_leads_to_the_menu(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left")
        app.screen._surrender(True)
        await pilot.pause()
        assert "menu" in footer(app)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


async def test_a_whole_burrito_by_keys(tmp_path):
    """The keys of somebody who knows the kitchen: what the controller walks for the scripted partner, typed."""
    from tests.helpers.typist import Typist

    app = Playing(tmp_path, ego="proagent", horizon=2400)
    names = {
        constants.NORTH: "up",
        constants.SOUTH: "down",
        constants.EAST: "right",
        constants.WEST: "left",
        constants.INTERACT: "space",
    }
    async with app.run_test(size=SIZE) as pilot:
        typed = Controls()
        typist = Typist(app.session.game, typed, ((0, 4),))
        while app.session.trace.score == 0 and len(app.session.trace.ticks) < 700:
            typist.press()
            await pilot.press(names.get(typed.take().action, "."))
        served = [event for tick in app.session.trace.ticks for event in tick.events if event.skill == constants.SERVE]
        assert app.session.trace.score > 0
        assert [event.player for event in served] == [1]


async def test_what_was_played_is_on_the_disk_even_if_the_program_is_killed(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["."] * (SAVE_EVERY + 5))
        assert load(tmp_path / "game.bba").steps == SAVE_EVERY
    assert Replay(load(tmp_path / "game.bba")).run().config.agents == ("switching", "human")


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (200, 60)])
async def test_it_fits_every_size(tmp_path, size):
    app = Playing(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("k", "m", "left")
        await pilot.resize_terminal(60, 20)
        await pilot.resize_terminal(*size)
        assert app.screen.query_one("#body").display


def test_the_clock_is_in_minutes_and_seconds_of_the_games_own_speed():
    assert [clock(steps, 10.0) for steps in (2400, 605, 0)] == ["4:00", "1:00", "0:00"]
    assert [clock(2400, speed) for speed in (5.0, 20.0, None)] == ["8:00", "2:00", "2400"]


@pytest.mark.parametrize(
    ("speed", "left", "status"), [(5.0, "time left  0:11", "0:11"), (None, "steps left   57", "your turn")]
)
async def test_the_time_left_follows_the_speed_of_the_game_in_panel_title_and_debrief(tmp_path, speed, left, status):
    app = Playing(tmp_path, speed=speed, horizon=60)
    async with app.run_test(size=SIZE) as pilot:
        for _ in range(3):
            app.screen._step()
        you = app.screen.query_one(PlayerPanel)
        assert texts(you.lines(app.screen.snapshot, 15))[0] == left
        assert app.screen.status == status
        app.screen._surrender(True)
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        assert app.screen._speed == speed


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_the_countdown_stands_in_the_middle_of_the_kitchen(tmp_path, size):
    app = Playing(tmp_path, countdown=1000)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        digits, kitchen = app.screen.query_one("#countdown").region, app.screen.query_one(KitchenView).region
        for low, high in (
            (digits.x - kitchen.x, kitchen.right - digits.right),
            (digits.y - kitchen.y, kitchen.bottom - digits.bottom),
        ):
            assert abs(low - high) <= 1


async def test_the_start_screen_leads_to_play_and_back(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    app = BBAApp(state=AppState(tmp_path / "start.json"))
    async with app.run_test(size=SIZE) as pilot:
        app.screen.query_one("#partner", Select).value = "human"
        await pilot.press("p")
        await pilot.pause()
        assert isinstance(app.screen, PlayScreen)
        assert app.session.people == (1,)
        assert app.session.game.kitchen.mobility == (0.35, 1.0)
        app.session.give_up()
        app.screen._end()
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        await pilot.press("escape")
        assert isinstance(app.screen, StartScreen)


async def test_a_debrief_says_where_the_game_is_as_far_as_there_is_space(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("left")
        app.session.give_up()
        app.screen._end()
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        shown = "".join(part.text for part in app.screen._compositor.render_strips()[0])
        start, path = shown.rstrip().removesuffix("…").split("   recorded in ")
        assert start == " bba-tui  open with switching, human"
        assert path
        assert str(tmp_path).startswith(path)


# --- the space beside the kitchen ------------------------------------------------------------------------------
PEOPLE = pytest.mark.parametrize("ego", ["switching", "human"])
SIZES = pytest.mark.parametrize("size", [(80, 24), (80, 28), (100, 34), (100, 38), (120, 47)])


def fully_shown(app, panel):
    """Whether a panel is shown with all its lines, in the column of panels."""
    widget = app.screen.query_one(panel)
    lines = len(list(widget.lines(app.screen.snapshot, widget.content_size.width)))
    within = app.screen.query_one("#side").region.contains_region(widget.region)
    return widget.display and within and widget.content_size.height >= min(lines, LEAST[panel])


LEAST = {
    SkillsPanel: 10,
    PosteriorPanel: 7,
    GatePanel: 5,
    CommitmentPanel: 5,
}  # lines that matter; the gate's last one is on the past


@PEOPLE
@SIZES
async def test_what_the_agent_believes_is_in_view_at_every_size(tmp_path, ego, size):
    app = Playing(tmp_path, ego=ego, horizon=60)
    async with app.run_test(size=size) as pilot:
        await pilot.press(".", ".", "k", "m")
        await pilot.pause()
        assert fully_shown(app, PosteriorPanel)
        assert fully_shown(app, GatePanel)


@SIZES
async def test_the_gate_that_decides_for_the_agent_is_the_one_in_view(tmp_path, size):
    app = Playing(tmp_path, ego="bayes-commit", horizon=60)
    async with app.run_test(size=size) as pilot:
        assert not app.screen.query_one(CommitmentPanel).display
        await pilot.press(".", ".", "m")
        await pilot.pause()
        assert fully_shown(app, PosteriorPanel)
        assert fully_shown(app, CommitmentPanel)


async def test_a_smaller_terminal_keeps_the_list_of_skills_that_was_shown_beside_belief_and_gate(tmp_path):
    app = Playing(tmp_path, ego="bayes")
    async with app.run_test(size=(200, 60)) as pilot:
        await pilot.press(".", "m", "k")
        assert fully_shown(app, PosteriorPanel)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert fully_shown(app, SkillsPanel)


@PEOPLE
@SIZES
async def test_the_list_of_skills_is_in_view_at_every_size(tmp_path, ego, size):
    app = Playing(tmp_path, ego=ego, horizon=60)
    async with app.run_test(size=size) as pilot:
        await pilot.press(".", ".", "m", "k")
        await pilot.pause()
        assert fully_shown(app, SkillsPanel)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_debrief_gives_its_words_the_width_of_their_box(tmp_path, size):
    app = Playing(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("left")
        app.screen._surrender(True)
        await pilot.pause()
        box, words = app.screen.query_one("#went"), app.screen.query_one("#standing")
        assert words.size.width >= box.size.width - 4
        assert app.screen.query_one(OptionList).option_count == 1
        assert str(app.screen.query_one(OptionList).get_option_at_index(0).prompt) == NOTHING
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, WatchScreen)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_kitchen_and_stations_fill_their_column_with_the_picture_in_the_middle(tmp_path, size):
    app = Playing(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        kitchen, stations = app.screen.query_one(KitchenView), app.screen.query_one(StationsPanel)
        picture = picture_size(app.session.trace.config.layout, kitchen._painter.size)
        assert stations.region.bottom == app.screen.size.height - 1
        assert stations.region.y == kitchen.region.bottom
        above = kitchen.origin.y
        assert abs(kitchen.content_size.height - picture.height - 2 * above) <= 1


async def test_the_recipe_stands_beside_the_lesson_where_there_is_room(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"), learn=True)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.screen.query_one(HowToPanel).display
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert not app.screen.query_one(HowToPanel).display


async def test_in_skill_mode_spare_rows_go_to_the_orders_and_say_how_to_choose(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("k")
        await pilot.pause()
        orders, skills = app.screen.query_one(RecipePanel), app.screen.query_one(SkillsPanel)
        assert orders.content_size.height > 2 * PARTS + 2  # two orders with every part
        assert skills.content_size.height >= len(skills.feasible)
        words = " ".join(said.strip() for said in texts(skills.lines(app.screen.snapshot, 34)))
        assert words.endswith(HOW_TO)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert len(texts(skills.lines(app.screen.snapshot, 26))) <= skills.content_size.height


async def test_the_countdown_is_not_seen_before_it_has_its_place(tmp_path, monkeypatch):
    place = PlayScreen._centre_countdown
    monkeypatch.setattr(PlayScreen, "_centre_countdown", lambda self: None)
    app = Playing(tmp_path, countdown=1000)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        countdown = app.screen.query_one("#countdown")
        assert (countdown.display, countdown.visible) == (True, False)
        place(app.screen)
        assert countdown.visible
