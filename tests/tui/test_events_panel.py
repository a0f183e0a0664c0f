"""The log of events keeps its newest line in view until somebody scrolls back, whatever covers it meanwhile."""

from dataclasses import replace

import pytest

from bba.analysis import LogEntry, RoleReader, Snapshot, log_entries, works
from bba.play import step_arrays
from tests.helpers.app import paused_app, with_panels
from tui.widgets.events import EventsPanel

SIZE = (120, 40)


def at_end(log: EventsPanel) -> bool:
    return log.scroll_offset.y == log.max_scroll_y > 0


@pytest.mark.thorough
@pytest.mark.parametrize("layer", [["f2"], ["question_mark"], ["ctrl+p"]])
async def test_the_log_follows_after_a_layer_was_open_while_events_came_in(layer):
    app = with_panels(paused_app(horizon=2400), "events")
    async with app.run_test(size=SIZE) as pilot:
        log = app.game_screen.query_one(EventsPanel)
        await pilot.press(*layer)
        assert app.screen is not app.game_screen
        for _ in range(6):
            app.game_screen._play(50)
            await pilot.pause()
        await pilot.press("escape")
        app.game_screen._play(150)
        await pilot.pause()
        assert at_end(log)


@pytest.mark.thorough
async def test_who_scrolls_back_stays_there_until_the_end_is_reached_again():
    app = with_panels(paused_app(600, horizon=2400), "events")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        log = app.game_screen.query_one(EventsPanel)
        assert at_end(log)
        log.scroll_to(y=1, animate=False)
        await pilot.pause()
        app.game_screen._play(200)
        await pilot.pause()
        assert log.scroll_offset.y == 1
        log.scroll_end(animate=False)
        await pilot.pause()
        app.game_screen._play(200)
        await pilot.pause()
        assert at_end(log)


async def test_a_longer_log_does_not_have_the_screen_laid_out_again():
    app = with_panels(paused_app(600, horizon=2400), "events")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        log = app.game_screen.query_one(EventsPanel)
        before, at = app.game_screen._compositor.full_map, log.scroll_offset.y
        app.game_screen._play(200)
        await pilot.pause()
        assert log.scroll_offset.y > at
        assert app.game_screen._compositor.full_map is before


async def test_a_line_that_is_too_long_ends_in_an_ellipsis():
    app = with_panels(paused_app(5), "events")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        log = app.game_screen.query_one(EventsPanel)
        log._entries, log._visible_rows = [LogEntry(1, "word " * 20), LogEntry(2, "short")], 2
        log.scroll_to(y=0, animate=False)
        await pilot.pause()
        assert log.render_line(0).text.endswith("…")
        assert log.render_line(1).text.rstrip().endswith("short")


async def test_entries_that_differ_by_their_steps_alone_are_kept_once_and_read_as_they_were():
    app = with_panels(paused_app(600, horizon=2400), "events")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        log, trace = app.game_screen.query_one(EventsPanel), app.game_screen.source.trace
        roles, logged = RoleReader(), list[LogEntry]()
        for step, work in enumerate(works(step_arrays(trace.ticks)), 1):
            logged += log_entries(Snapshot(trace, step), roles.read(work))
        assert [log._entries[place] for place in range(len(log._entries))] == logged
        assert len(log._entries._distinct) == len({replace(one, step=0) for one in logged}) < len(logged)
