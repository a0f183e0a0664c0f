"""Two futures side by side: one clock and every key for both, nothing of the original lost, and the way back."""

import re

import pytest
from textual.actions import parse
from textual.events import MouseScrollUp
from textual.widgets import Static

from bba.agents import Decision
from bba.agents.base import THINKING
from bba.analysis.timeline import TimelineData
from bba.errors import BBAError
from bba.planner.chat import QuestionProgress
from bba.play import Game, Replay, fork, record
from bba.play.trace import EGO
from human.keymap import COMPARISON_KEYS, TRAVEL_KEYS
from tests.helpers.app import fresh_source, slow_source, texts
from tests.helpers.footer import footer
from tests.helpers.forks import SIZE, fork_it, live, panel_lines, same, steps, still, traces
from tests.helpers.games import BEFORE, REPLAN, game, parting_game
from tests.helpers.notifications import notified
from tests.helpers.slow_planners import SlowBackend, wait_for_answer
from tests.helpers.snapshots import thinking
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.screens import comparison
from tui.screens.comparison import MEASURE_ROWS, ComparisonPanel, ComparisonScreen
from tui.screens.watch import WatchScreen
from tui.widgets.cooks import skill_name
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import TitleBar
from tui.widgets.timeline import TwinTimeline
from tui.widgets.timeline_drawing import GUTTER


@pytest.fixture(scope="module")
def recording():
    return record(live(60).trace)


# --- both futures ----------------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_with_nothing_changed_both_sides_are_the_same_for_200_steps():
    app = still(live())
    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot)
        for _ in range(5):
            screen._play(40)
            await pilot.pause()
            one, other = panel_lines(screen)
            assert one == other
        assert steps(screen) == (240, 240)
        original, forked = traces(screen)
        assert original is app.game_screen.source.trace
        assert all(same(*pair) for pair in zip(original.ticks, forked.ticks, strict=True))
        assert "nothing changed" in str(screen._title.visual)
        assert "same so far" in str(screen._below_boards.visual)


@pytest.mark.parametrize(
    ("differs", "said"),
    [
        ("x" * 50, " step 40, parted at 40" + " " * 7 + "x" * 50),
        ("x" * 69, " step 40  " + "x" * 69),
        ("x" * 90, " step 40 " + "x" * 70 + "…"),
    ],
)
async def test_what_differs_is_told_in_full_before_where_the_games_parted(monkeypatch, differs, said):
    monkeypatch.setattr(ComparisonScreen, "_parting", lambda *_: differs)
    app = still(live())
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await fork_it(pilot)
        await pilot.pause()
        assert str(screen._below_boards.visual).rstrip() == said


@pytest.mark.thorough
async def test_each_side_says_what_the_gate_judges_that_decides():
    app = still(live(80, lambda: Game("open", "bayes-commit", "switching", 5, fast=True)))
    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot)
        screen._play(40)
        await pilot.pause()
        judged = [snapshot.belief_state.commitment_gate for snapshot in screen.snapshots]
        for side, result in zip(panel_lines(screen), judged, strict=True):
            assert not any("ℓ" in row for row in side), "the preprint's gate does not decide here"
            assert result.opens or any(row.startswith("keeps its plan: ") for row in side)


async def test_a_fork_without_replans_parts_from_there_and_is_kept_played_on_forked_again_and_left_for_the_original():
    horizon = REPLAN + 30
    app = still(source := live(BEFORE, lambda: parting_game(horizon)))
    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot, "right", "right")
        screen._play(REPLAN - BEFORE - 1)
        await pilot.pause()
        assert "same so far" in str(screen._below_boards.visual)
        screen._play(24)
        await pilot.pause()
        newest = REPLAN + 23
        assert "agent bayes → bayes-no-replan" in str(screen._title.visual)
        assert str(screen._below_boards.visual).strip().endswith(f"from step {REPLAN}")
        original, forked = panel_lines(screen)
        assert ("replans 1" in original[1], "replans 0" in forked[1]) == (True, True)
        await pilot.press("N")
        assert steps(screen) == (REPLAN, REPLAN)
        assert re.match(r"reward \d+ ", panel_lines(screen)[0][0])
        says_why_in_one_row_at_every_width(screen._panels[0])
        await pilot.press("r")
        assert steps(screen) == (BEFORE, BEFORE)
        assert "reward –" in panel_lines(screen)[0][0]

        # kept, and played on
        await pilot.press("right", "k")
        await until(pilot, lambda: type(app.screen) is WatchScreen and app.screen is not app.game_screen)
        both, kept = screen, app.screen
        await until(pilot, lambda: "what if at" in str(kept.query_one(TitleBar).render()))
        assert f"what if at {BEFORE}: agent bayes → bayes-no" in str(kept.query_one(TitleBar).render())
        await pilot.press("end", "right", "right")
        assert kept.snapshot.step == newest + 2
        assert kept.source.trace.config_at(BEFORE + 1).agents[0] == "bayes-no-replan"
        await pilot.press("r")
        assert (kept.snapshot.step, kept.newest) == (BEFORE, newest + 2)

        # forked again, with nothing changed, to the end
        screen = await fork_it(pilot)
        assert traces(screen)[0] is kept.source.trace
        screen._play(horizon - BEFORE)
        await pilot.pause()
        assert "no difference up to the end" in str(screen._below_boards.visual)
        rows = [texts(panel.lines(panel.snapshot, 40)) for panel in screen.query(ComparisonPanel)]
        assert all(row[0].endswith(f"since step {BEFORE}") for row in rows), "what the measures count from"
        await pilot.press("r", "right", "escape")
        await until(pilot, lambda: app.screen is kept)
        assert kept.snapshot.step == BEFORE, "where it was left"
        await pilot.press("right", "k")
        await until(pilot, lambda: app.screen is both)
        assert steps(both) == (BEFORE + 1, BEFORE + 1), "side by side, at the step at which the fork was left"
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.game_screen)
        assert (app.game_screen.snapshot.step, len(source.trace.ticks)) == (BEFORE, newest)


def says_why_in_one_row_at_every_width(panel: ComparisonPanel):
    """The sentence of the gate is whole where it fits, else in brief, and never cut off."""
    sentences = set()
    for width in (30, 40, 60, 100):
        rows = texts(panel.lines(panel.snapshot, width))
        assert len(rows) == 1 + len(MEASURE_ROWS) + 2
        assert rows[-1].startswith("replanned: ")
        sentences.add(rows[-1])
    assert len(sentences) == 2


@pytest.mark.thorough
async def test_where_one_game_is_over_it_is_said_that_it_ends():
    app = still(live(3, lambda: game(horizon=6)))
    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot)
        screen._play(2)
        await pilot.pause()
        assert str(screen._below_boards.visual).strip().endswith("same so far")
        whole = screen.sources[0].trace.ticks
        screen.sources[0]._game.trace.ticks = whole[:4]
        screen._stuck[0] = True
        screen._show_title()
        assert str(screen._below_boards.visual).strip().endswith("same so far; original ends at step 4")


@pytest.mark.thorough
async def test_the_smallest_terminal_offers_the_next_difference():
    app = still(live(3))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: "replan" in footer(app))
        await fork_it(pilot)
        await until(pilot, lambda: "differs" in footer(app))
        assert {"pause", "back", "alone", "help", "quit"} <= set(footer(app))


@pytest.mark.thorough
async def test_every_key_of_the_table_reaches_its_action(monkeypatch):
    names = {".": "full_stop", "+": "plus", "=": "equals_sign", "-": "minus", "_": "underscore"}
    reached = []
    for entry in (*TRAVEL_KEYS, *COMPARISON_KEYS):
        _, action, _ = parse(entry.action)
        monkeypatch.setattr(
            ComparisonScreen, f"action_{action}", lambda self, *said, name=action: reached.append((name, said))
        )
    app = still(live(3))
    async with app.run_test(size=SIZE) as pilot:
        await fork_it(pilot)
        for entry in (*TRAVEL_KEYS, *COMPARISON_KEYS):
            await pilot.press(*(names.get(key, key) for key in entry.keys))
    assert reached == [parse(entry.action)[1:] for entry in (*TRAVEL_KEYS, *COMPARISON_KEYS) for _ in entry.keys]


@pytest.mark.thorough
async def test_the_help_names_the_keys_of_the_two_futures_and_says_what_is_shown():
    app = still(live(3))
    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot)
        await pilot.press("f1")
        text = "\n".join(str(part.visual) for part in app.screen.query(Static))
        assert TwinTimeline.ABOUT in text
        assert all(entry.description in " ".join(text.split()) for entry in COMPARISON_KEYS)
        await pilot.press("escape")
        assert app.screen is screen


def test_what_a_cook_does_is_worded_as_on_every_other_screen():
    snapshot = thinking(Decision(0, note=THINKING))
    assert str(comparison.skills_line(snapshot)).startswith("1 thinking ")
    assert skill_name(snapshot, EGO) == "thinking"


@pytest.mark.thorough
async def test_all_travel_moves_both_and_one_key_leads_back_to_the_original_where_it_was_left():
    app = still(source := live())
    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot, "right", "right")
        for key, step in (("right", 41), ("right", 42), ("left", 41), ("[", 21), ("]", 41), ("home", 0), ("end", 42)):
            await pilot.press(key)
            assert steps(screen) == (step, step)
        await pilot.press("t", "P", "z")
        assert not any(panel.snapshot.truth for panel in screen.query(ComparisonPanel))
        assert all(board.plan for board in screen.query(KitchenView))
        await pilot.press("right", "left", "b")
        await pilot.pause()
        assert (app.screen, app.game_screen.snapshot.step) == (app.game_screen, 40)
        assert app.game_screen.status == "step 40 of 43, in the past, paused"
        assert len(source.trace.ticks) == 43
        assert source.trace.config.agents[0] == "bayes"
        assert source.trace.changes == []
        await pilot.press("end", "right")
        assert app.game_screen.snapshot.step == 44


@pytest.mark.thorough
async def test_one_clock_plays_both():
    app = BBAApp(live(10), autostart=False, speed=50.0)
    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot)
        await pilot.press("space")
        await until(pilot, lambda: screen.snapshot.step > 20)
        await pilot.press("space")
        await until(pilot, lambda: not screen._stale)
        one, other = steps(screen)
        assert one == other
        assert [len(trace.ticks) for trace in traces(screen)] == [one, one]


@pytest.mark.thorough
async def test_a_click_and_the_wheel_on_the_timelines_move_both():
    app = still(live(200))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await fork_it(pilot)
        timeline = screen.query_one(TwinTimeline)
        for row in (1, timeline.content_size.height):
            await pilot.click(timeline, offset=(1 + GUTTER + 10 + row, row))
            await pilot.pause()
            here = (11 + row) * timeline.window.per
            assert steps(screen) == (here, here)
        per = timeline.window.per
        await pilot._post_mouse_events([MouseScrollUp], widget=timeline, offset=(20, 2))
        await pilot.pause()
        assert timeline.window.per < per


@pytest.mark.thorough
async def test_the_past_of_a_live_game_can_be_forked_and_its_future_stays_where_it_was():
    app = still(live(60))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("[", "left")
        screen = await fork_it(pilot)
        assert (steps(screen), screen.newest) == ((39, 39), 39)
        await pilot.press("right", "right")
        assert steps(screen) == (41, 41)
        assert [len(trace.ticks) for trace in traces(screen)] == [60, 41]


@pytest.mark.thorough
async def test_a_recording_stays_as_long_as_it_is_while_the_fork_goes_on(recording):
    app = still(PlaybackSource(lambda: Replay(recording)))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.game_screen.source.done)
        await pilot.press("end", "left", "left")
        screen = await fork_it(pilot)
        await pilot.press("right", "right", "right", "right")
        assert steps(screen) == (60, 62)
        assert (screen.newest, len(app.game_screen.source.trace.ticks)) == (62, 60)
        await pilot.press("b")
        await pilot.pause()
        assert (app.screen, app.game_screen.snapshot.step) == (app.game_screen, 58)


# --- slow planners ---------------------------------------------------------------------------------------------
async def test_no_key_waits_for_a_slow_planner_and_both_go_on(monkeypatch):
    monkeypatch.setattr(QuestionProgress, "seconds", 3.2)
    backend = SlowBackend()
    original = slow_source(monkeypatch, backend)
    trace, options = original.trace, original.options
    forked = PlaybackSource(lambda: fork(trace, 0, trace.config.seats, options), options=options)
    screen = ComparisonScreen(original, TimelineData(trace), forked, 0, speed=10.0, show_truth=True, alone=WatchScreen)
    app = BBAApp(first=screen, autostart=False, motion=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right", "right", "right")
        assert (screen.status, steps(screen)) == ("thinking 3 s, paused (10/s), real time", (3, 3))
        backend.free.set()
        for source in screen.sources:
            wait_for_answer(source._game.agents[0])
        await pilot.press("right")
        assert (screen.status, steps(screen)) == ("paused (10/s), real time", (4, 4))
        assert all(trace.ticks[-1].decisions[0].plan for trace in traces(screen))
        await until(pilot, lambda: "real time, cost $0.5" in str(screen.query_one("#changed", Static).visual))


@pytest.mark.thorough
async def test_a_fork_of_a_game_whose_planner_is_asked_asks_it_anew(monkeypatch):
    backend = SlowBackend()
    app = still(slow_source(monkeypatch, backend))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right", "right")
        screen = await fork_it(pilot)
        await until(pilot, lambda: len(backend.asked) == 1)
        await pilot.press("right", "b")
        await until(pilot, lambda: app.screen is app.game_screen)
        assert [len(trace.ticks) for trace in traces(screen)] == [3, 3]
        await until(pilot, lambda: len(backend.asked) == 2)
        backend.free.set()


@pytest.mark.thorough
async def test_a_game_that_cannot_go_on_pauses_both_and_says_why(monkeypatch):
    app = BBAApp(source := live(5), autostart=False, speed=50.0)

    def fail():
        raise BBAError("the model is away")

    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot)
        monkeypatch.setattr(source, "step", fail)
        await pilot.press("space")
        assert await notified(app, pilot, "the model is away")
        assert not screen.playing


# --- space -----------------------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_everything_is_in_view_at_every_size_while_it_plays():
    source = PlaybackSource(lambda: Game("burrito", "bayes", "switching", 4))
    app = BBAApp(source, autostart=False, speed=50.0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("right", "right")
        screen = await fork_it(pilot)
        await pilot.press("space")
        for size in (SIZE, (100, 30), (120, 40), (200, 60), SIZE):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            for widget in screen.query("KitchenView, FuturePanel, TwinTimeline, #parting"):
                assert screen.region.contains_region(widget.region), (size, widget)
                assert widget.content_size.height > 0
            boards = list(screen.query(KitchenView))
            assert all(board.picture_size.width <= board.content_size.width for board in boards)
            assert all(board.picture_size.height == board.content_size.height for board in boards)
            assert screen.query_one(TwinTimeline).content_size.height >= 5
            assert {panel.content_size.height for panel in screen.query(ComparisonPanel)} == {6}
        await pilot.resize_terminal(79, 24)
        await pilot.pause()
        assert not screen.query_one("#body").display


# --- presets and differences -----------------------------------------------------------------------------------
async def test_a_difference_that_a_late_game_shows_between_two_beats_is_not_missed(monkeypatch):
    monkeypatch.setattr(
        ComparisonScreen, "_set_playing", lambda self, playing: setattr(self.clock, "paused", not playing)
    )
    app = BBAApp(fresh_source(30, horizon=140), autostart=False, motion=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w", "7")
        await until(pilot, lambda: isinstance(app.screen, ComparisonScreen))
        screen = app.screen
        for source in screen.sources:
            source.play(1)
        assert screen.snapshot.step == 31
        screen._on_tick()
        assert screen._differences.steps[0] == screen.snapshot.step == 31


async def test_a_preset_plays_on_by_itself_to_the_first_difference_and_v_leads_through_them(monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(ComparisonScreen, "hint", lambda _, text: said.append(text))
    app = BBAApp(fresh_source(30, horizon=140), autostart=False, motion=False, speed=25.0)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w", "7")
        await until(pilot, lambda: isinstance(app.screen, ComparisonScreen))
        screen = app.screen
        assert screen.source.changes.startswith("the partner turns to preparing rice")
        await until(pilot, lambda: not screen.playing)
        first = screen.snapshot.step
        assert screen._differences.steps[0] == first
        assert said == [f"step {first}: {screen._differences.describe(first)}"]
        assert said[0].partition(": ")[2] in str(screen.query_one("#parting", Static).render())
        await pilot.press("v")  # nothing is known beyond: it plays on
        assert said[-1].startswith("no difference after this step so far")
        await until(pilot, lambda: not screen.playing)
        second = screen.snapshot.step
        assert [first, second] == screen._differences.steps
        screen._play(140)  # both to their end
        screen._differences.extend()
        last = screen._differences.steps[-1]
        screen._seek(last)
        await pilot.press("v")
        assert said[-1] == f"no difference after step {last}"
        assert (screen.snapshot.step, screen.playing) == (last, False)
        screen._seek(second)
        await pilot.press("V")
        assert screen.snapshot.step == first
        await pilot.press("v")
        assert screen.snapshot.step == second
        await pilot.press("V", "V")
        assert screen.snapshot.step == first
        assert said[-1] == f"no difference before step {first}"


@pytest.mark.thorough
async def test_a_fork_of_chosen_parameters_waits_to_be_played():
    app = still(live())
    async with app.run_test(size=SIZE) as pilot:
        screen = await fork_it(pilot)
        assert not screen.playing
