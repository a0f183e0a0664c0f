"""Bookmarks are set, changed, deleted, seen on the timeline and found in the palette."""

import pytest
from textual.widgets import Input

from bba.play import load, record, save
from tests.helpers.app import fresh_source, paused_app
from tests.helpers.games import played
from tests.helpers.wait_for_idle import drawn, until
from tui.app.app import BBAApp
from tui.app.navigation import CommandProvider
from tui.game_factory import make_replay
from tui.playback.source import PlaybackSource
from tui.screens.dialogs import BookmarkDialog
from tui.widgets.timeline import Timeline
from tui.widgets.timeline_drawing import BOOKMARK, GUTTER

SIZE = (120, 40)


def signs(app: BBAApp) -> list[int]:
    """The columns of the timeline that carry a bookmark."""
    labels = app.screen.query_one(Timeline)._labels
    return sorted(column - GUTTER for row in labels.values() for column, (char, _) in row.items() if char == BOOKMARK)


async def test_b_sets_a_bookmark_at_the_shown_step_changes_and_deletes_it():
    app = paused_app(60, horizon=400)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", "left", "B")
        assert isinstance(app.screen, BookmarkDialog)
        await pilot.press(*"why", "space", *"this?", "enter")
        await drawn(pilot)
        notes = app.game_screen.source.trace.bookmarks
        assert notes == {58: "why this?"}
        assert signs(app) == [app.screen.query_one(Timeline).window.column(58)]
        await pilot.press("B")
        assert app.screen.query_one(Input).value == "why this?"
        await pilot.press("end", "!", "enter")
        assert notes == {58: "why this?!"}
        await pilot.press("B", "escape")
        assert notes == {58: "why this?!"}
        await pilot.press("B")
        await pilot.click("#delete")
        await drawn(pilot)
        assert notes == {}
        assert signs(app) == []


async def test_the_palette_lists_them_and_goes_there():
    app = paused_app(60, horizon=400)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", "B", *"odd", "enter", "home")
        provider = CommandProvider(app.screen)
        (found,) = [command for command in provider._commands() if command.name == "bookmark 59"]
        assert "odd" in found.description
        found.run()
        await pilot.pause()
        assert app.game_screen.snapshot.step == 59


@pytest.mark.thorough
async def test_in_a_replayed_recording_they_are_written_to_its_file(tmp_path):
    file = tmp_path / "game.bba"
    save(record(played(40)), file)
    app = BBAApp(PlaybackSource(make_replay(file), file=file), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.game_screen.newest == 40)
        await pilot.press("end", "B", *"end", "enter")
        await pilot.pause()
        assert load(file).notes == ((40, "end"),)


@pytest.mark.thorough
async def test_a_visitor_in_the_browser_has_none(monkeypatch):
    monkeypatch.setattr(BBAApp, "is_web", True)
    app = BBAApp(fresh_source(5), autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("B")
        assert app.screen is app.game_screen
