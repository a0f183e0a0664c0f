"""The timeline: sums that agree with the ticks, columns that never shimmer, bands and marks, zoom and pan."""

from functools import partial

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bba.agents import Decision
from bba.analysis import timeline
from bba.analysis.coordination import belief_action_gap, decision_points
from bba.analysis.human_choices import role_changes
from bba.analysis.snapshot import Snapshot, belief_snapshot, role_posterior
from bba.analysis.timeline import COMPLEMENTARY, DUPLICATE, RunningSums, TimelineData, TimelineMark, nearest
from bba.belief import NO_ROLE, is_complementary
from bba.kitchen.constants import DELIVERIES, FIRES
from bba.palette import DARK, rgb
from bba.play import Game, Trace
from bba.play.ticks import step_arrays
from bba.scratch_file import ScratchFile
from tests.helpers.app import paused_app
from tests.helpers.games import played
from tests.helpers.samples import few
from tests.helpers.snapshots import belief, reading, thinking
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.timeline import TIMELINE_MARKS, WATCHING, Timeline, words_of
from tui.widgets.timeline_drawing import GUTTER, TimelineWindow, TimelineZoom, band_layout, draw_timeline
from tui.widgets.timeline_style import GLYPHS

STEPS = 700


@pytest.fixture(scope="module")
def trace() -> Trace:
    return played(STEPS, horizon=2400)


def timeline_data_of(trace: Trace) -> TimelineData:
    data = TimelineData(trace)
    data.extend()
    return data


# --- what is read from the ticks -------------------------------------------------------------------------------
def test_one_step_a_run_gives_back_what_each_tick_says(trace):
    stretch = timeline_data_of(trace).over(np.arange(STEPS + 1))
    assert stretch.true.tolist() == [tick.role(1) for tick in trace.ticks]
    assert stretch.ego.tolist() == [tick.role(0) for tick in trace.ticks]
    posteriors = np.array([role_posterior(belief_snapshot(trace, step).belief) for step in range(1, STEPS + 1)])
    assert np.allclose(stretch.posterior, posteriors)
    assert stretch.believed.tolist() == posteriors.argmax(axis=1).tolist()
    assert stretch.matched.tolist() == (stretch.believed == stretch.true).tolist()


def test_coordination_separates_complements_from_duplicates(trace):
    stretch = timeline_data_of(trace).over(np.arange(STEPS + 1))
    for ego, true, fit in zip(stretch.ego, stretch.true, stretch.coordination, strict=True):
        assert (fit == COMPLEMENTARY) == is_complementary(ego, true)
        assert (fit == DUPLICATE) == (ego == true != NO_ROLE)
    assert {DUPLICATE, COMPLEMENTARY} <= set(stretch.coordination.tolist())


def test_a_longer_run_gives_the_mean_belief_and_the_commonest_role(trace):
    data = timeline_data_of(trace)
    single, whole = data.over(np.arange(101)), data.over(np.array([0, 100]))
    assert np.allclose(whole.posterior[0], single.posterior.mean(axis=0))
    counts = np.bincount(single.true + 1)
    assert counts[whole.true[0] + 1] == counts.max()


def test_marks_are_counted_as_the_kitchen_and_the_gate_count_them(trace):
    marks, last = timeline_data_of(trace).marks, trace.ticks[-1].state
    assert len(marks[TimelineMark.DELIVERY]) == last[DELIVERIES] > 0
    assert len(marks[TimelineMark.FIRE]) == last[FIRES] > 0
    steps = step_arrays(trace.ticks)
    assert marks[TimelineMark.SWITCH] == [change.start + 1 for change in role_changes(steps)] != []
    gaps = decision_points(steps) & belief_action_gap(steps)
    assert marks[TimelineMark.GAP] == (1 + np.flatnonzero(gaps)).tolist() != []
    gates = ((tick.step, tick.observer_gate) for tick in trace.ticks)
    assert marks[TimelineMark.CONTRADICTION] == [step for step, gate in gates if gate and gate.contradiction] != []


def test_reading_tick_by_tick_and_at_once_give_the_same(trace):
    growing = Trace(trace.config, trace.start)
    data = TimelineData(growing)
    for tick in trace.ticks:
        growing.ticks.append(tick)
        data.extend()
    edges = np.arange(0, STEPS + 1, 7)
    assert data.marks == timeline_data_of(trace).marks
    assert np.array_equal(data.over(edges).posterior, timeline_data_of(trace).over(edges).posterior)


def test_sums_over_many_blocks_are_those_of_one_step_after_the_other_to_the_last_bit(monkeypatch):
    monkeypatch.setattr(timeline, "ScratchFile", partial(ScratchFile, in_memory=0))
    monkeypatch.setattr(timeline, "_REMEMBERED", 50)
    rng, steps = np.random.default_rng(0), 900
    posteriors = rng.random((steps, 6))
    columns = np.stack([rng.integers(0, 7, steps) + first for first in (0, 7, 14)] + [rng.integers(21, 24, steps)], 1)
    matched, sums = rng.random(steps) < 0.5, RunningSums()
    counts, means = np.zeros((steps + 1, 25), int), np.zeros((steps + 1, 6))
    for step, (where, posterior, match) in enumerate(zip(columns.tolist(), posteriors, matched.tolist(), strict=True)):
        sums.add(tuple(where), tuple(posterior), matched=match)
        counts[step + 1], means[step + 1] = counts[step], means[step] + posterior
        counts[step + 1, [*where, *[24] * match]] += 1
    for until in (0, 1, 255, 256, 300, 768, steps):
        first, edges = sums.first(until), np.arange(until + 1)
        for one in (first, sums):
            found, added = one.at(edges)
            assert np.array_equal(found, counts[edges])
            assert np.array_equal(added, means[edges])
    first = sums.first(300)
    first.add((0, 7, 14, 21), (1.0,) * 6, matched=False)
    assert np.array_equal(first.at(np.array([301]))[1][0], means[300] + 1.0)
    assert np.array_equal(sums.at(np.array([301]))[1][0], means[301])


@pytest.mark.thorough
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(step=st.integers(0, STEPS))
def test_a_branch_knows_of_switches_what_was_known_at_its_first_step(trace, step):
    shared = Trace(trace.config, trace.start, trace.ticks[:step])
    branched, alone = timeline_data_of(trace).branch(shared, step), timeline_data_of(shared)
    assert (branched.marks, branched.switches) == (alone.marks, alone.switches)
    branched.trace = trace
    branched.extend()
    assert branched.marks == timeline_data_of(trace).marks


@given(st.integers(0, STEPS))
def test_the_next_and_the_previous_mark_are_the_nearest_on_their_side(step):
    data = TimelineData(played(0))
    data.marks[TimelineMark.REPLAN] = [3, 4, 90, 400]
    assert nearest(data.marks[TimelineMark.REPLAN], step, forward=True) == min(
        (m for m in (3, 4, 90, 400) if m > step), default=None
    )
    assert nearest(data.marks[TimelineMark.REPLAN], step, forward=False) == max(
        (m for m in (3, 4, 90, 400) if m < step), default=None
    )


# --- zoom and pan ----------------------------------------------------------------------------------------------
@given(st.integers(1, 5000), st.integers(1, 200))
def test_at_first_the_whole_game_is_shown_and_most_of_the_room_is_used(newest, width):
    window = TimelineZoom().window(newest, newest, width)
    assert window.edges(newest)[-1] == newest
    assert window.per == 1 or (window.per * width) <= 2 * newest + window.per


@given(st.integers(1, 2400), st.integers(10, 100), st.lists(st.booleans(), max_size=8), st.data())
def test_at_every_zoom_the_step_shown_is_in_view_and_its_column_leads_back_to_it(newest, width, zooms, data):
    timeline_zoom = TimelineZoom()
    step = data.draw(st.integers(1, newest))
    for inward in zooms:
        timeline_zoom.zoom(inward, step, newest, width)
    window = timeline_zoom.window(step, newest, width)
    column = window.column(step)
    assert 0 <= column < width
    assert 0 <= window.step(column, newest) - step < window.per
    assert (np.diff(window.edges(newest)) > 0).all()
    assert window.edges(newest)[column] < step <= window.edges(newest)[column + 1]


def test_zooming_out_ends_with_the_whole_game_again():
    timeline_zoom = TimelineZoom()
    timeline_zoom.zoom(True, 500, 1000, 50)
    assert (timeline_zoom.per, timeline_zoom.window(500, 1000, 50).per) == (16, 16)
    timeline_zoom.zoom(False, 500, 1000, 50)
    assert timeline_zoom.per is None


def test_the_view_moves_only_as_far_as_it_must():
    timeline_zoom = TimelineZoom(per=2, first=100)
    assert timeline_zoom.window(260, 1000, 50).first == 100
    assert timeline_zoom.window(302, 1000, 50).first == 101
    assert timeline_zoom.window(198, 1000, 50).first == 98


def test_columns_beside_the_window_are_steps_too_and_the_ends_hold():
    window = TimelineWindow(10, 4, 20)
    assert window.step(-1, 1000) == 40
    assert window.step(-50, 1000) == 0
    assert window.step(500, 1000) == 1000


# --- the picture -----------------------------------------------------------------------------------------------
def bands_of(snapshot: Snapshot, height: int, width: int = 60):
    data = timeline_data_of(snapshot.trace)
    window = TimelineZoom().window(snapshot.step, len(data), width)
    picture, labels = draw_timeline(data, snapshot, window, height, DARK)
    return picture[:, GUTTER:], labels


@pytest.mark.thorough
@pytest.mark.parametrize("height", [1, 2, 3, 4, 5, 6, 9, 10, 14])
def test_every_height_has_all_four_bands_under_the_strip(trace, height):
    picture, _ = bands_of(Snapshot(trace, STEPS), height)
    assert picture.shape == (2 * height, 60, 3)
    rows = band_layout(height)
    tops = [2 * rows.strip + band * rows.thick for band in range(4)]
    ground = rgb(DARK.panel)
    assert all((picture[top, :50] != ground).any(axis=1).all() for top in tops if top < 2 * height)


def test_a_column_of_the_strip_is_divided_in_proportion_to_the_posterior():
    snapshot = thinking(Decision(0, belief=belief((0.5, 0.0, 0.0, 0.0, 0.5, 0.0)), gate=reading()), played(1))
    picture, _ = bands_of(snapshot, 13)
    column = picture[:11, 0]
    assert np.array_equal(np.unique(column[:5], axis=0), [rgb(DARK.roles[4])])
    assert np.array_equal(np.unique(column[6:], axis=0), [rgb(DARK.roles[0])])


def test_without_the_truth_neither_true_role_nor_coordination_nor_switches_are_drawn(trace):
    picture, labels = bands_of(Snapshot(trace, STEPS, truth=False), 6)
    ground = rgb(DARK.panel)
    strip = 2 * band_layout(6).strip
    assert (picture[[strip, strip + 2]] == ground).all()
    assert (picture[[strip + 1, strip + 3], :50] != ground).any(axis=2).all()
    assert "◆" not in [char for char, _ in labels.values()]
    assert "◆" in [char for char, _ in bands_of(Snapshot(trace, STEPS), 6)[1].values()]


@pytest.mark.parametrize(("changed", "sign"), [(True, "▲"), (False, "△")])
def test_a_replan_is_marked_in_its_column_by_whether_it_changed_the_plan(changed, sign):
    snapshot = thinking(Decision(0, chosen=True, replanned=True, belief=belief(), gate=reading()))
    ticks = snapshot.trace.ticks
    before, last = ticks[-2:]
    running = before.skills[0]
    ticks[-1] = last._replace(skills=(running + 1 if changed else running, last.skills[1]))
    _, labels = bands_of(snapshot, 6)
    assert [column - GUTTER for (column, _), (char, _) in labels.items() if char == sign] == [2]
    assert len([char for char, _ in labels.values() if char in "▲△"]) == 1


def test_in_the_past_a_line_stands_at_the_step_shown_and_the_whole_game_stays_drawn(trace):
    now, labels_now = bands_of(Snapshot(trace, STEPS), 6)
    past, labels = bands_of(Snapshot(trace, 120), 6)
    assert np.array_equal(now, past)
    line = {cell for cell, (char, _) in labels.items() if char == "┃"}
    column = TimelineZoom().window(120, STEPS, 60).column(120) + GUTTER
    assert {(column, row) for row in range(5)} <= line
    assert "┃" not in [char for char, _ in labels_now.values()]


@pytest.mark.thorough
@pytest.mark.parametrize("layout", few(["open", "ring", "forced_coordination", "burrito"]))
@pytest.mark.parametrize("size", few([(80, 24), (200, 60), (100, 30), (120, 40)], 2))
async def test_at_every_size_the_timeline_stands_under_the_kitchen_with_two_rows_or_more(layout, size):
    app = paused_app(40, layout=layout)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        timeline, kitchen = app.screen.query_one(Timeline), app.screen.query_one(KitchenView)
        assert timeline.content_size.height >= 2
        assert timeline.region.y == kitchen.region.bottom
        assert timeline.picture_size == timeline.content_size


@pytest.mark.thorough
@pytest.mark.parametrize(
    "sized", few([((80, 24), 5), ((200, 60), 8), ((160, 50), 6), ((120, 40), 6), ((100, 32), 6)], 2)
)
async def test_the_meaning_of_the_marks_stands_in_the_borders_at_every_width(sized):
    """The most important marks at least, whole words, with the scale whole in the lower border."""
    size, marks = sized
    app = paused_app(60)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        region = app.screen.query_one(Timeline).region
        strips = ["".join(part.text for part in strip) for strip in app.screen._compositor.render_strips()]
        upper, lower = (strips[row][region.x : region.right] for row in (region.y, region.bottom - 1))
        all_marks = (*TIMELINE_MARKS, *WATCHING)
        found = [mark for mark in all_marks if f"{GLYPHS[mark][0]} {words_of(mark)} " in upper + lower]
        assert len(found) >= marks
        assert found == list(all_marks[: len(found)])
        assert "column " in lower
        assert "…" not in upper + lower


@pytest.mark.parametrize(("size", "shown"), [((80, 24), False), ((160, 45), True)])
async def test_marks_of_gates_that_watch_are_drawn_only_where_the_legend_names_them(size, shown):
    trace = Game("open", "bayes-value", "switching+locked", 15, horizon=300, fast=True).run()
    data = timeline_data_of(trace)
    assert any(data.marks[mark] for mark in WATCHING)
    app = BBAApp(PlaybackSource(lambda: TracePlayback(trace)), autostart=False)
    async with app.run_test(size=size) as pilot:
        await pilot.press("end")
        await pilot.pause()
        drawn = app.screen.query_one(Timeline)
        rows = "".join(drawn.text_of(row) for row in range(drawn.content_size.height))
        glyphs = [GLYPHS[mark][0] for mark in WATCHING]
        assert any(glyph in rows for glyph in glyphs) == shown
        assert all(glyph in str(drawn.border_title) for glyph in glyphs) == shown
