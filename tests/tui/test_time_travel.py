"""Time travel: every key and the mouse lead where they should, and a past moment is the moment as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.events import MouseScrollDown, MouseScrollUp

from bba.analysis.timeline import TimelineData, TimelineMark, nearest
from bba.play import Game, Replay, Trace, record
from tests.helpers.app import fresh_source, paused_app, texts, with_panels
from tests.helpers.footer import footer
from tests.helpers.games import game
from tests.helpers.notifications import notified, said
from tests.helpers.wait_for_idle import drawn, until
from tui.app.app import BBAApp
from tui.playback.playhead import Playhead
from tui.playback.source import PlaybackSource
from tui.screens.watch import WatchScreen
from tui.widgets.events import EventsPanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import Panel, TitleBar
from tui.widgets.timeline import Timeline
from tui.widgets.timeline_drawing import GUTTER

STEPS, SIZE = 300, (120, 40)


def bayes_source(steps: int, horizon: int = 2400, *, agent: str = "bayes", seed: int = 2) -> PlaybackSource:
    source = PlaybackSource(lambda: Game("open", agent, "switching", seed, horizon=horizon, fast=True))
    for _ in range(steps):
        source.step()
    return source


def recorded_source(steps: int) -> PlaybackSource:
    played = game(horizon=steps)
    recording = record(played.run())
    return PlaybackSource(lambda: Replay(recording))


def at(app: BBAApp) -> int:
    return app.game_screen.snapshot.step


async def everything_shown(app: BBAApp, pilot) -> tuple:
    """All that a person sees of the moment, in the panels that have room."""
    await drawn(pilot)
    panels = {panel.id: texts(panel.lines(panel.snapshot, 60)) for panel in app.screen.query(Panel) if panel.display}
    assert {"orders", "posterior", "gate", "cooks"} <= {*panels}
    log = texts(app.screen.query_one(EventsPanel).lines)
    return at(app), panels, log, app.screen.query_one(KitchenView)._buffer.tobytes()


# --- the playhead ----------------------------------------------------------------------------------------------
@given(st.integers(-50, 400), st.integers(0, 300))
def test_a_seek_stays_within_the_game(step, newest):
    for follows in (True, False):
        playhead = Playhead(follows)
        playhead.seek(step, newest)
        assert playhead.step(newest) == max(0, min(step, newest))


def test_only_a_game_that_is_played_goes_on_from_its_newest_step():
    played, recorded = Playhead(follows=True), Playhead(follows=False)
    played.seek(10, 10)
    recorded.seek(10, 10)
    assert (played.step(11), recorded.step(11)) == (11, 10)
    recorded.at = None
    assert recorded.step(11) == 11


# --- the keys --------------------------------------------------------------------------------------------------
JOURNEYS = [
    (["left"], 299),
    ([","], 299),
    (["left", "left", "right"], 299),
    ([",", ",", "."], 299),
    (["shift+left"], 280),
    (["["], 280),
    (["[", "[", "shift+right"], 280),
    (["[", "[", "]"], 280),
    (["[", "]", "]"], 300),
    (["home"], 0),
    (["home", "left"], 0),
    (["home", "right"], 1),
    (["home", "end"], 300),
]


@pytest.mark.thorough
async def test_keys_step_leap_and_go_to_the_ends_without_touching_the_game():
    app = paused_app(STEPS, horizon=2400)
    async with app.run_test(size=SIZE) as pilot:
        for keys, step in JOURNEYS:
            await pilot.press(*keys)
            assert at(app) == step, keys
            if step < STEPS:
                await pilot.press("end")
        assert len(app.game_screen.source.trace.ticks) == STEPS


@pytest.mark.thorough
async def test_right_plays_a_step_only_at_the_newest():
    app = paused_app(STEPS, horizon=2400)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", "right")
        assert (at(app), app.game_screen.newest) == (STEPS, STEPS)
        await pilot.press("right")
        assert (at(app), app.game_screen.newest) == (STEPS + 1, STEPS + 1)


MARKS = [("n", "N", TimelineMark.REPLAN), ("c", "C", TimelineMark.CONTRADICTION), ("d", "D", TimelineMark.DELIVERY)]


def changing_source(horizon: int = 2400) -> PlaybackSource:
    """A game of 360 steps with several replans that changed the plan, contradictions and deliveries."""
    return bayes_source(360, horizon, agent="bayes-value", seed=0)


async def test_letters_go_from_mark_to_mark_and_stay_at_the_last():
    app = BBAApp(changing_source(), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        track = TimelineData(app.game_screen.source.trace)
        track.extend()
        for forward, back, mark in MARKS:
            marked = track.marks[mark]
            assert len(marked) > 1
            await pilot.press("home")
            visited = []
            for _ in (*marked, None):
                await pilot.press(forward)
                visited.append(at(app))
            assert visited == [*marked, marked[-1]]
            await pilot.press("end")
            await pilot.press(*[back] * len(marked))
            assert at(app) == marked[0]


async def test_where_no_replan_changed_the_plan_the_key_goes_to_one_that_kept_it_and_says_so():
    app = BBAApp(bayes_source(120), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        track = TimelineData(app.game_screen.source.trace)
        track.extend()
        kept = track.marks[TimelineMark.KEPT_PLAN]
        assert kept
        assert not track.marks[TimelineMark.REPLAN]
        await pilot.press("home", "n")
        assert at(app) == kept[0]
        await notified(app, pilot, "no replan after step 0 changed the plan; this one kept it")
        await pilot.press("end", "N")
        assert at(app) == kept[-1]


NOWHERE = [
    (["n"], "no replan after step 300 so far"),
    (["N", "N", "N"], "no replan before step 300"),
    (["home", "C"], "no contradiction before step 0"),
    (["home", "D"], "no delivery before step 0"),
    (["home", "G"], "no gap before step 0"),
    (["t", "g"], "a gap is not told while the truth is hidden"),
    (["home", "left"], "this is the start of the game"),
    (["end"], "this is the newest step"),
    (["home", "shift+left"], "this is the start of the game"),
    (["shift+right"], "this is the newest step"),
    (["home", "home"], "this is the start of the game"),
]


async def test_a_key_that_leads_nowhere_says_so_and_back_and_forth_lead_to_the_same_step():
    app = with_panels(paused_app(STEPS, horizon=2400))
    async with app.run_test(size=SIZE) as pilot:
        for keys, words in NOWHERE:
            before = len(said(app))
            await pilot.press(*keys)
            await until(pilot, lambda before=before: len(said(app)) > before)
            assert {*said(app)[before:]} == {words}, keys
            if at(app) != STEPS:
                await pilot.press("end")
            if keys[0] == "t":
                await pilot.press("t")

        await pilot.press("[", "[")
        before = await everything_shown(app, pilot)
        await pilot.press("left", "left", "left")
        assert await everything_shown(app, pilot) != before
        await pilot.press("right", "right", "right")
        assert await everything_shown(app, pilot) == before


async def test_in_a_game_that_is_over_the_jumps_go_round():
    app = BBAApp(changing_source(horizon=360), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        track = TimelineData(app.game_screen.source.trace)
        track.extend()
        for forward, back, mark in MARKS:
            first, *_, last = track.marks[mark]
            await pilot.press("end", forward)
            assert at(app) == first, mark
            assert said(app)[-1] == f"no {mark.value} is left: back to the first one, in step {first}"
            await pilot.press("home", back)
            assert at(app) == last, mark
            assert said(app)[-1] == f"no {mark.value} is left: back to the last one, in step {last}"


async def test_where_all_replans_kept_the_plan_the_jumps_go_round_among_these():
    app = BBAApp(bayes_source(360, horizon=360), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        track = TimelineData(app.game_screen.source.trace)
        track.extend()
        first, *_, last = track.marks[TimelineMark.KEPT_PLAN]
        assert not track.marks[TimelineMark.REPLAN]
        await pilot.press("end", "n")
        assert at(app) == first
        assert said(app)[-1] == f"no replan is left: back to the first one, in step {first}"
        await pilot.press("home", "N")
        assert at(app) == last


@pytest.mark.thorough
async def test_at_the_end_of_a_game_nothing_is_there_to_pause_and_the_way_on_says_so():
    app = paused_app(60)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "pause" not in footer(app)
        await pilot.press("right")
        assert await notified(app, pilot, "this is the end of the game")
        await pilot.press("left")
        await pilot.pause()
        assert "pause" in footer(app)


async def test_a_recording_can_be_paused_until_its_end():
    app = BBAApp(recorded_source(60), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await until_known(app, pilot)
        assert "pause" in footer(app)
        await pilot.press("end")
        await pilot.pause()
        assert "pause" not in footer(app)
        await pilot.press("r", "r")
        assert await notified(app, pilot, "this is the start of the game")
        assert len(said(app)) == 1


async def test_space_in_the_past_plays_the_recorded_steps_and_then_goes_on_live():
    app = BBAApp(fresh_source(40, horizon=2400), speed=0.001, autostart=False)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "space")
        assert app.game_screen.playing
        seen = []
        for _ in range(44):
            app.game_screen._on_tick()
            seen.append((at(app), app.game_screen.newest))
        assert seen == [(step, max(step, 40)) for step in range(1, 45)]


async def test_space_lets_the_clock_run_in_the_past_too():
    app = BBAApp(fresh_source(40, horizon=2400), speed=50.0, autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("home", "space")
        await until(pilot, lambda: at(app) > 0)
        assert app.game_screen.playing


@pytest.mark.thorough
async def test_going_back_pauses_a_running_game():
    app = BBAApp(fresh_source(40, horizon=2400), speed=50.0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause(0.1)
        await pilot.press("left")
        step, newest = at(app), app.game_screen.newest
        await pilot.pause(0.2)
        assert (at(app), app.game_screen.newest, app.game_screen.playing) == (step, newest, False)
        assert step == newest - 1


@pytest.mark.thorough
async def test_the_title_says_where_in_the_past_one_is():
    app = paused_app(STEPS, horizon=2400)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("[")
        assert "step 280 of 300, in the past" in app.screen.query_one(TitleBar).render().plain
        await pilot.press("end")
        assert "past" not in app.screen.query_one(TitleBar).render().plain


@pytest.mark.thorough
async def test_a_restart_comes_back_from_the_past():
    app = paused_app(STEPS, horizon=2400)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("[", "r", "left", "enter", "right", "right")
        assert (at(app), app.game_screen.newest) == (2, 2)


# --- the mouse -------------------------------------------------------------------------------------------------
def cell(timeline: Timeline, column: int) -> tuple[int, int]:
    """The offset within the widget of a column of the bands."""
    return 1 + GUTTER + column, 2


@pytest.mark.thorough
async def test_a_click_on_the_timeline_goes_there():
    app = paused_app(STEPS, horizon=2400)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        timeline = app.screen.query_one(Timeline)
        await pilot.click(timeline, offset=cell(timeline, 10))
        await pilot.pause()
        assert at(app) == 11 * timeline.window.per
        assert timeline.window.column(at(app)) == 10


async def test_keys_and_the_wheel_zoom_the_timeline_and_the_mouse_drags_along_it_and_beyond_its_edge():
    app = paused_app(STEPS, horizon=2400)
    async with app.run_test(size=SIZE) as pilot:
        timeline = app.screen.query_one(Timeline)
        await pilot.press("[", "[", "[", "[", "[")
        whole = timeline.window
        await pilot.press("z")
        assert timeline.window.per < whole.per
        assert 0 <= timeline.window.column(200) < timeline.window.width, "it zooms in around the step shown"
        await pilot.press("Z")
        assert timeline.window == whole

        await pilot._post_mouse_events([MouseScrollUp], widget=timeline, offset=cell(timeline, 5))
        await pilot.pause()
        assert timeline.window.per < whole.per
        await pilot._post_mouse_events([MouseScrollDown], widget=timeline, offset=cell(timeline, 5))
        await pilot.pause()
        assert timeline.window.per == whole.per

        await pilot.mouse_down(timeline, offset=cell(timeline, 10))
        for column in (20, 15):
            await pilot.hover(timeline, offset=cell(timeline, column))
            await pilot.pause()
            assert timeline.window.column(at(app)) == column
        await pilot.mouse_up(timeline, offset=cell(timeline, 15))
        await pilot.hover(timeline, offset=cell(timeline, 30))
        await pilot.pause()
        assert timeline.window.column(at(app)) == 15, "it was let go"

        await pilot.press("end", "z", "z", "z")
        first = timeline.window.first
        assert first > 0
        await pilot.mouse_down(timeline, offset=cell(timeline, 0))
        await pilot.hover(timeline, offset=cell(timeline, -6))
        await pilot.pause()
        assert timeline.window.first == first - 6
        assert timeline.window.column(at(app)) == 0


# --- the moment ------------------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_everything_at_a_past_step_is_as_it_was_when_that_step_was_the_newest():
    live = with_panels(BBAApp(bayes_source(0), autostart=False))
    seen = {}
    async with live.run_test(size=SIZE) as pilot:
        for step in range(1, 61):
            await pilot.press("right")
            if step in (15, 37, 60):
                seen[step] = await everything_shown(live, pilot)
        for step in (37, 15, 60):
            live.game_screen._seek(step)
            assert await everything_shown(live, pilot) == seen[step]


@given(st.integers(0, 300), st.lists(st.integers(1, 40)))
def test_as_many_steps_back_as_forth_lead_to_the_same_step(start, leaps):
    playhead = Playhead(follows=True)
    playhead.seek(start, 300)
    for leap in leaps:
        here = playhead.step(300)
        leap = min(leap, here)
        playhead.seek(here - leap, 300)
        playhead.seek(playhead.step(300) + leap, 300)
        assert playhead.step(300) == here


# --- recordings ------------------------------------------------------------------------------------------------
async def until_known(app: BBAApp, pilot) -> Trace:
    await until(pilot, lambda: app.game_screen.source.done)
    return app.game_screen.source.trace


@pytest.mark.thorough
async def test_a_recording_is_worked_out_ahead_while_its_start_is_shown():
    app = BBAApp(recorded_source(200), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        trace = await until_known(app, pilot)
        assert (at(app), len(trace.ticks)) == (0, 200)
        await pilot.press("end")
        assert (at(app), app.game_screen.status) == (200, "finished")
        await pilot.press("[", "left")
        assert at(app) == 179
        assert app.game_screen.status == "step 179 of 200, paused"


@pytest.mark.thorough
async def test_a_recording_plays_from_its_start_at_the_clocks_speed_and_stops_at_its_end():
    app = BBAApp(recorded_source(60), speed=50.0, autostart=False)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        await until_known(app, pilot)
        app.game_screen.clock.paused = False  # and no timer beats
        seen = []
        for _ in range(32):
            app.game_screen._on_tick()
            seen.append(at(app))
        assert seen == [*range(2, 61, 2), 60, 60]
        assert app.game_screen.status == "finished"


@pytest.mark.thorough
async def test_the_clock_of_a_recording_runs_from_the_start_and_to_the_end():
    app = BBAApp(recorded_source(20), speed=50.0)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.game_screen.status == "finished")
        assert at(app) == 20


@pytest.mark.thorough
async def test_r_winds_a_recording_back_without_working_it_out_again():
    app = BBAApp(recorded_source(60), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        trace = await until_known(app, pilot)
        await pilot.press("end", "r")
        assert at(app) == 0
        assert app.game_screen.source.trace is trace


@pytest.mark.thorough
async def test_what_lies_in_steps_that_are_not_read_yet_is_looked_for_and_found(monkeypatch):
    monkeypatch.setattr(WatchScreen, "_compute_ahead", lambda self: None)
    app = BBAApp(recorded_source(300), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        whole = TimelineData(recorded_source(300)._game.run())
        whole.extend()
        wanted = nearest(whole.marks[TimelineMark.CONTRADICTION], 0, forward=True)
        await pilot.press("c")
        await until(pilot, lambda: said(app) == ["looking for the next contradiction …"])
        assert app.game_screen.status == "looking for the next contradiction: 0 % computed"
        app.game_screen.source.play(30)
        assert app.game_screen.status == "looking for the next contradiction: 10 % computed"
        assert at(app) == 0
        app.game_screen.source.play(300)
        app.game_screen._refresh()
        assert (at(app), app.game_screen.playing) == (wanted, False)


async def test_what_is_looked_for_and_is_not_there_is_said_once_everything_is_read(monkeypatch):
    monkeypatch.setattr(WatchScreen, "_compute_ahead", lambda self: None)
    app = BBAApp(recorded_source(60), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("n")
        app.game_screen.source.play(60)
        app.game_screen._refresh()
        await until(pilot, lambda: said(app) == ["looking for the next replan …", "this game has no replan"])
        await pilot.press("n")
        app.game_screen._refresh()
        assert at(app) == 0
