"""Every key does what the help says, at every size, and nothing holds the keys up."""

import pytest
from textual.actions import parse
from textual.widgets import Static

from bba.errors import BBAError
from bba.planner.chat import QuestionProgress
from human.keymap import ENTRIES, WATCH_KEYS
from tests.helpers.app import fresh_source, paused_app, slow_source, texts, with_panels
from tests.helpers.notifications import notified, said
from tests.helpers.samples import few
from tests.helpers.slow_planners import SlowBackend, wait_for_answer
from tests.helpers.wait_for_idle import PATIENCE, until
from tui.app.app import BBAApp
from tui.screens.dialogs import ConfirmDialog
from tui.screens.help import HELP_COLUMNS, KEYS, HelpScreen
from tui.screens.watch import WatchScreen
from tui.style.base_app import shown
from tui.widgets.cooks import CooksPanel
from tui.widgets.events import EventsPanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import Panel
from tui.widgets.posterior import PosteriorPanel


def steps(app: BBAApp) -> int:
    return app.game_screen.snapshot.step


@pytest.mark.thorough
async def test_every_key_of_the_table_reaches_its_action(monkeypatch):
    names = {".": "full_stop", "+": "plus", "=": "equals_sign", "-": "minus", "_": "underscore"}
    reached = []
    entries = [entry for entry in WATCH_KEYS if entry.name != "debrief"]  # which is for a game that is over
    for entry in entries:
        _, action, _ = parse(entry.action)
        monkeypatch.setattr(
            WatchScreen, f"action_{action}", lambda self, *said, name=action: reached.append((name, said))
        )
    async with paused_app().run_test() as pilot:
        for entry in entries:
            await pilot.press(*(names.get(key, key) for key in entry.keys))
    assert reached == [parse(entry.action)[1:] for entry in entries for _ in entry.keys]


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["full_stop", "right"])
async def test_step_plays_one_step_and_pauses(key):
    app = BBAApp(fresh_source(), speed=0.001)  # no beat comes in between
    async with app.run_test() as pilot:
        assert app.game_screen.playing
        await pilot.press(key)
        assert steps(app) == 1
        assert not app.game_screen.playing


@pytest.mark.thorough
async def test_space_pauses_and_goes_on():
    app = BBAApp(fresh_source(horizon=2400), speed=50.0)
    async with app.run_test() as pilot:
        await until(pilot, lambda: steps(app) > 0)
        await pilot.press("space")
        paused = steps(app)
        await pilot.pause(0.2)
        assert steps(app) == paused
        await pilot.press("space")
        await until(pilot, lambda: steps(app) > paused)


async def test_plus_and_minus_change_the_speed_and_below_the_smallest_size_one_line_says_so():
    app = paused_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("plus", "plus", "plus")
        assert app.game_screen.clock.speed == 50
        assert app.game_screen.status == "paused (50/s)"
        await pilot.press("minus")
        assert app.game_screen.clock.speed == 20
        assert not app.game_screen.playing
        for size, fits in (((80, 24), True), ((79, 24), False), ((80, 23), False)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert app.screen.query_one("#body").display == fits, size
            notice = app.screen.query_one("#too-small", Static)
            assert notice.display != fits, size
            assert notice.visual.plain == f"needs 80x24, has {size[0]}x{size[1]}"


async def test_r_restarts_the_same_game_and_empties_the_log():
    app = with_panels(paused_app(60), "events")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        assert app.game_screen.status == "finished"
        assert app.screen.query_one(EventsPanel).lines
        await pilot.press("r")
        await pilot.pause()
        assert steps(app) == 0
        assert app.game_screen.status != "finished"
        assert not app.screen.query_one(EventsPanel).lines
        assert any("the same game from its start" in notice.message for notice in app._notifications)


@pytest.mark.parametrize("answers", few([("enter", "r"), ("escape", "q")]))
async def test_r_asks_in_a_game_that_is_under_way_and_another_answer_than_yes_leaves_it_as_it_was(answers):
    app = BBAApp(source := fresh_source(30, horizon=2400), speed=0.001)
    async with app.run_test() as pilot:
        before = source.trace
        for answer in answers:
            await pilot.press("r")
            assert isinstance(app.screen, ConfirmDialog), answer
            await pilot.press(answer)
            if answer == "r":  # no answer
                await pilot.press("escape")
            await pilot.pause()
            assert app.screen is app.game_screen, answer
            assert source.trace is before, answer
            assert app.game_screen.playing, answer
        await pilot.press("space", "r", "escape")
        assert not app.game_screen.playing


async def test_a_restart_while_the_clock_runs_goes_on_running():
    app = BBAApp(source := fresh_source(30, horizon=2400), speed=50.0)
    async with app.run_test() as pilot:
        before = source.trace
        await pilot.press("r")
        assert not app.game_screen.playing
        await pilot.press("left", "enter")
        assert source.trace is not before
        await until(pilot, lambda: steps(app) > 0)
        assert app.game_screen.playing


@pytest.mark.thorough
async def test_t_hides_the_truth_from_every_panel_and_shows_it_again():
    app = with_panels(paused_app(200, horizon=400), "gate", "cooks", "events")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        log = app.screen.query_one(EventsPanel)
        told = len(log.lines)
        await pilot.press("t")
        await pilot.pause()
        assert not any(panel.snapshot.truth for panel in app.screen.query(Panel) if panel.region)
        assert len(log.lines) < told
        await pilot.press("t")
        await pilot.pause()
        assert all(panel.snapshot.truth for panel in app.screen.query(Panel) if panel.region)
        assert len(log.lines) == told


@pytest.mark.thorough
@pytest.mark.parametrize("key", few(["question_mark", "f1"]))
async def test_help_opens_and_the_same_key_closes_it(key):
    app = paused_app()
    async with app.run_test() as pilot:
        await pilot.press(key)
        assert isinstance(app.screen, HelpScreen)
        await pilot.press(key)
        assert app.screen is app.game_screen


@pytest.mark.thorough
async def test_help_names_every_key_and_closes_with_escape():
    app = paused_app()
    async with app.run_test() as pilot:
        await pilot.press("f1")
        text = "\n".join(table.visual.plain for table in app.screen.query(".keys").results(Static))
        said = " ".join(text.split())
        for entry in ENTRIES.values():
            assert entry.description in said
            assert all(shown(key) in text for key in entry.keys) or entry.name.startswith("declare_")
        assert "F5 … F10" in text
        rows = text.split("\n")
        assert max(map(len, rows)) <= KEYS + HELP_COLUMNS
        assert f"{'':{KEYS}}complemented" in rows  # what does not fit goes on below its beginning
        await pilot.press("escape")
        assert app.screen is app.game_screen


@pytest.mark.thorough
async def test_keys_of_the_game_do_nothing_under_the_help():
    app = paused_app()
    async with app.run_test() as pilot:
        await pilot.press("f1", "full_stop", "t")
        assert steps(app) == 0
        assert app.game_screen.snapshot.truth


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_quit_leaves(key):
    app = paused_app()
    async with app.run_test() as pilot:
        await pilot.press(key)
        await pilot.pause()
        assert app._exit


@pytest.mark.thorough
async def test_a_focused_log_takes_no_key():
    app = paused_app()
    async with app.run_test(size=(120, 40)) as pilot:
        app.screen.query_one(EventsPanel).focus()
        await pilot.press("right")
        assert steps(app) == 1


@pytest.mark.thorough
async def test_the_clock_stops_at_the_end_and_says_finished():
    app = BBAApp(fresh_source(horizon=5), speed=50.0)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: app.screen.query_one(PosteriorPanel).snapshot.step == 5)
        assert steps(app) == 5
        assert app.game_screen.status == "finished"


@pytest.mark.thorough
async def test_keys_and_clock_go_on_while_the_planner_thinks_and_the_screen_says_that_it_does(monkeypatch):
    monkeypatch.setattr(QuestionProgress, "seconds", 3.2)
    backend = SlowBackend()
    app = BBAApp(source := slow_source(monkeypatch, backend), speed=50.0)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: steps(app) > 5)
        assert app.game_screen.status == "thinking 3 s, 50 steps/s, real time"
        await pilot.press("space", "t")
        before = steps(app)
        assert app.game_screen.status == "thinking 3 s, paused (50/s), real time"
        assert not app.game_screen._show_truth
        await pilot.press("full_stop", "full_stop", "left")
        assert len(source.trace.ticks) == before + 2
        assert app.game_screen.status == f"step {before + 1} of {before + 2}, in the past, thinking, paused"
        cooks = texts(app.screen.query_one(CooksPanel).lines(app.game_screen.snapshot, 40))
        assert (cooks[1].split()[0], cooks[2].split()[:2]) == ("thinking", ["was:", "thinking"])
        backend.free.set()
        wait_for_answer(source._game.agents[0])
        await pilot.press("end", "full_stop")
        assert app.game_screen.status == "paused (50/s), real time"
        assert source.trace.ticks[-1].decisions[0].plan is not None


async def test_what_a_planner_answers_after_a_restart_is_dropped(monkeypatch):
    backend = SlowBackend()
    app = BBAApp(source := slow_source(monkeypatch, backend), autostart=False)
    async with app.run_test() as pilot:
        await pilot.press("full_stop", "r", "left", "enter")
        backend.free.set()
        assert backend.answered.wait(PATIENCE)
        assert (steps(app), source.trace.ticks) == (0, [])
        await pilot.press("full_stop")
        await until(pilot, lambda: len(backend.asked) == 2)


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["q", "ctrl+c"])
async def test_quitting_does_not_wait_for_the_planner(monkeypatch, key):
    backend = SlowBackend()
    app = BBAApp(slow_source(monkeypatch, backend), autostart=False)
    async with app.run_test() as pilot:
        await pilot.press("full_stop", key)
        await pilot.pause()
        assert app._exit
    assert not backend.answered.is_set()
    backend.free.set()


@pytest.mark.thorough
async def test_what_will_get_no_answer_any_more_stops_the_game_with_one_line(monkeypatch):
    backend = SlowBackend(BBAError("--max-calls: the limit of 1 calls is reached"))
    app = BBAApp(source := slow_source(monkeypatch, backend), speed=50.0)
    async with app.run_test() as pilot:
        await until(pilot, lambda: steps(app) > 2)
        backend.free.set()
        assert await notified(app, pilot, "--max-calls: the limit of 1 calls is reached")
        assert len(said(app)) == 1
        assert not app.game_screen.playing
        played = len(source.trace.ticks)
        await pilot.pause(0.1)
        assert len(source.trace.ticks) == played


async def test_a_game_that_cannot_go_on_pauses_and_says_why():
    source = fresh_source()

    def fail():
        raise BBAError("the model is away")

    source.step = fail
    app = BBAApp(source, speed=50.0)
    async with app.run_test() as pilot:
        assert await notified(app, pilot, "the model is away")
        assert said(app) == ["the model is away"]
        assert not app.game_screen.playing


@pytest.mark.thorough
@pytest.mark.parametrize("layout", few(["open", "ring", "forced_coordination", "burrito"]))
@pytest.mark.parametrize("size", few([(80, 24), (120, 40), (100, 30), (200, 60)], 2))
async def test_at_every_size_everything_that_is_shown_lies_within_the_screen(layout, size):
    app = paused_app(5, layout=layout)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        screen = app.screen.region
        shown_widgets = [w for w in app.screen.query("KitchenView, Timeline, Panel, EventsPanel") if w.display]
        assert {"kitchen", "orders", "posterior"} <= {widget.id for widget in shown_widgets}
        for widget in shown_widgets:
            assert screen.contains_region(widget.region), widget.id
            assert widget.content_size.height > 0, widget.id
        board, room = app.screen.query_one(KitchenView).picture_size, app.screen.query_one(KitchenView).content_size
        assert board.width <= room.width
        assert board.height <= room.height


@pytest.mark.thorough
async def test_the_kitchen_is_fitted_anew_when_the_terminal_changes():
    app = paused_app(5)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        kitchen = app.screen.query_one(KitchenView)
        small = kitchen.picture_size
        await pilot.resize_terminal(120, 40)
        await pilot.pause()
        assert kitchen.picture_size.width == 2 * small.width


@pytest.mark.thorough
async def test_the_log_is_filled_when_a_larger_terminal_makes_room_for_it():
    async with with_panels(paused_app(horizon=100), "events").run_test(size=(80, 24)) as pilot:
        await pilot.press(*["full_stop"] * 60)
        await pilot.pause()
        await pilot.resize_terminal(140, 45)
        await pilot.pause()
        log = pilot.app.screen.query_one(EventsPanel)
        shown = [line.plain.strip() for line in log.lines]
        assert len(shown) > 3
        assert all(shown)
