"""Every key does what the help says, at every size, and nothing holds the keys up."""

import threading

import pytest
from textual.widgets import Static

from human.keymap import APP_KEYS, BACK_KEYS, CHOICE_KEYS, START_KEYS, WATCH_KEYS
from tests.tui.support import fresh_feed, game, still_app
from tui.app import BBAApp
from tui.bindings import shown
from tui.feed import LiveFeed
from tui.screens.help import HelpScreen
from tui.screens.watch import WatchScreen
from tui.widgets.events import EventsPanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import Panel
from tui.widgets.posterior import PosteriorPanel


class Thinking(LiveFeed):
    """A game whose planner answers when it is told to."""

    def __init__(self) -> None:
        super().__init__(game, blocking=True)
        self.answer = threading.Event()

    def step(self):
        asked = self._game
        assert self.answer.wait(10)
        return asked.step()


def steps(app: BBAApp) -> int:
    return app.game_screen.moment.step


async def test_every_key_of_the_table_reaches_its_action(monkeypatch):
    names = {".": "full_stop", "+": "plus", "=": "equals_sign", "-": "minus", "_": "underscore"}
    reached = []
    for entry in WATCH_KEYS:
        monkeypatch.setattr(WatchScreen, f"action_{entry.action}", lambda self, name=entry.action: reached.append(name))
    async with still_app().run_test() as pilot:
        for entry in WATCH_KEYS:
            await pilot.press(*(names.get(key, key) for key in entry.keys))
    assert reached == [entry.action for entry in WATCH_KEYS for _ in entry.keys]


@pytest.mark.parametrize("key", ["full_stop", "right"])
async def test_step_plays_one_step_and_pauses(key):
    app = BBAApp(fresh_feed(), speed=1.0)
    async with app.run_test() as pilot:
        before = steps(app)
        await pilot.press(key)
        assert steps(app) == before + 1
        assert not app.game_screen.playing


async def test_space_pauses_and_goes_on():
    app = BBAApp(fresh_feed(horizon=2400), speed=50.0)
    async with app.run_test() as pilot:
        await pilot.pause(0.3)
        await pilot.press("space")
        paused = steps(app)
        assert paused > 0
        await pilot.pause(0.2)
        assert steps(app) == paused
        await pilot.press("space")
        await pilot.pause(0.3)
        assert steps(app) > paused


async def test_plus_and_minus_change_the_speed_and_the_title_says_so():
    app = still_app()
    async with app.run_test() as pilot:
        await pilot.press("plus", "plus", "plus")
        assert app.game_screen.clock.speed == 50
        assert app.game_screen.status == "paused (50/s)"
        await pilot.press("minus")
        assert app.game_screen.clock.speed == 20
        assert not app.game_screen.playing


async def test_r_restarts_the_same_game_and_empties_the_log():
    app = still_app(60)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.game_screen.status == "finished"
        assert app.screen.query_one(EventsPanel).lines
        await pilot.press("r")
        await pilot.pause()
        assert steps(app) == 0
        assert app.game_screen.status != "finished"
        assert not app.screen.query_one(EventsPanel).lines


async def test_a_restart_while_the_clock_runs_goes_on_running():
    app = BBAApp(fresh_feed(30), speed=50.0)
    async with app.run_test() as pilot:
        await pilot.press("r")
        await pilot.pause(0.3)
        assert app.game_screen.playing
        assert steps(app) > 0


async def test_t_hides_the_truth_from_every_panel_and_shows_it_again():
    app = still_app(200, horizon=400)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        log = app.screen.query_one(EventsPanel)
        told = len(log.lines)
        await pilot.press("t")
        await pilot.pause()
        assert not any(panel.moment.truth for panel in app.screen.query(Panel))
        assert len(log.lines) < told
        await pilot.press("t")
        await pilot.pause()
        assert all(panel.moment.truth for panel in app.screen.query(Panel))
        assert len(log.lines) == told


@pytest.mark.parametrize("key", ["question_mark", "f1"])
async def test_help_opens_and_the_same_key_closes_it(key):
    app = still_app()
    async with app.run_test() as pilot:
        await pilot.press(key)
        assert isinstance(app.screen, HelpScreen)
        await pilot.press(key)
        assert app.screen is app.game_screen


async def test_help_names_every_key_and_closes_with_escape():
    app = still_app()
    async with app.run_test() as pilot:
        await pilot.press("f1")
        text = "\n".join(table.visual.plain for table in app.screen.query(".keys").results(Static))
        for entry in (*WATCH_KEYS, *APP_KEYS, *BACK_KEYS, *START_KEYS, *CHOICE_KEYS):
            assert entry.description in text
            assert all(shown(key) in text for key in entry.keys)
        await pilot.press("escape")
        assert app.screen is app.game_screen


async def test_keys_of_the_game_do_nothing_under_the_help():
    app = still_app()
    async with app.run_test() as pilot:
        await pilot.press("f1", "full_stop", "t")
        assert steps(app) == 0
        assert app.game_screen.moment.truth


@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_quit_leaves(key):
    app = still_app()
    async with app.run_test() as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert app._exit


async def test_a_focused_log_takes_no_key():
    app = still_app()
    async with app.run_test(size=(120, 40)) as pilot:
        app.screen.query_one(EventsPanel).focus()
        await pilot.press("right")
        assert steps(app) == 1


async def test_the_clock_stops_at_the_end_and_says_finished():
    app = BBAApp(fresh_feed(horizon=5), speed=50.0)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause(0.5)
        assert steps(app) == 5
        assert app.game_screen.status == "finished"
        assert app.screen.query_one(PosteriorPanel).moment.step == 5


async def test_no_key_waits_for_a_slow_planner():
    app = BBAApp(feed := Thinking(), speed=50.0)
    async with app.run_test() as pilot:
        await pilot.pause(0.1)
        assert app.game_screen.status == "thinking"
        await pilot.press("space")
        assert app.game_screen.status == "paused (50/s)"
        feed.answer.set()
        await pilot.pause(0.2)
        assert steps(app) == 1


async def test_what_a_planner_answers_after_a_restart_is_dropped():
    app = BBAApp(feed := Thinking(), autostart=False)
    async with app.run_test() as pilot:
        await pilot.press("full_stop", "r")
        feed.answer.set()
        await pilot.pause(0.2)
        assert steps(app) == 0
        await pilot.press("full_stop")
        await pilot.pause(0.2)
        assert steps(app) == 1


async def test_a_game_that_cannot_go_on_pauses_and_says_why():
    feed = fresh_feed()

    def fail():
        from bba.errors import BBAError

        raise BBAError("the model is away")

    feed.step = fail
    app = BBAApp(feed, speed=50.0)
    async with app.run_test() as pilot:
        await pilot.pause(0.2)
        assert not app.game_screen.playing
        assert [note.message for note in app._notifications] == ["the model is away"]


@pytest.mark.parametrize(("size", "fits"), [((80, 24), True), ((79, 24), False), ((80, 23), False)])
async def test_below_the_smallest_size_one_line_says_so(size, fits):
    app = still_app()
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert app.screen.query_one("#room").display == fits
        notice = app.screen.query_one("#too-small", Static)
        assert notice.display != fits
        assert notice.visual.plain == f"needs 80x24, has {size[0]}x{size[1]}"


@pytest.mark.parametrize("layout", ["open", "ring", "forced_coordination", "burrito"])
@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40), (200, 60)])
async def test_at_every_size_everything_that_is_shown_lies_within_the_screen(layout, size):
    app = still_app(5, layout=layout)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = app.screen.region
        shown_widgets = [w for w in app.screen.query("KitchenView, Timeline, Panel, EventsPanel") if w.display]
        assert {"kitchen", "orders", "posterior", "gate"} <= {widget.id for widget in shown_widgets}
        for widget in shown_widgets:
            assert screen.contains_region(widget.region), widget.id
            assert widget.content_size.height > 0, widget.id
        kitchen = app.screen.query_one(KitchenView)
        assert kitchen.content_size == kitchen.picture_size


async def test_the_kitchen_is_fitted_anew_when_the_terminal_changes():
    app = still_app(5)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        kitchen = app.screen.query_one(KitchenView)
        small = kitchen.picture_size
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert kitchen.picture_size.width == 2 * small.width
        assert kitchen.content_size == kitchen.picture_size


async def test_the_log_is_filled_when_a_larger_terminal_makes_room_for_it():
    async with still_app(horizon=100).run_test(size=(80, 24)) as pilot:
        await pilot.press(*["full_stop"] * 60)
        await pilot.pause()
        await pilot.resize_terminal(140, 45)
        await pilot.pause()
        log = pilot.app.screen.query_one(EventsPanel)
        shown = [line.text.strip() for line in log.lines]
        assert len(shown) > 3
        assert all(shown)
