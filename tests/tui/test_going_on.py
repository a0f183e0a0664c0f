"""A game that goes on from its recording is one recording, with its bookmarks, and a long one is written meanwhile."""

from dataclasses import replace

import pytest

from bba.errors import BBAError
from bba.play import Game, load, record, save
from human.recordings import ContinuedRecording, keep_watched, watched_folder
from tests.helpers.app import fresh_source
from tests.helpers.games import played
from tests.helpers.notifications import notified
from tui.app.app import BBAApp
from tui.game_factory import resumed_source
from tui.playback import source as playback
from tui.playback.source import PlaybackSource


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setattr("human.recordings.user_data_path", lambda app: tmp_path / app)


def made() -> Game:
    return Game("open", "switching", "switching", 0, horizon=60)


def kept(steps: int = 20, **notes: str):
    trace = replace(played(steps), bookmarks={int(step[1:]): note for step, note in notes.items()})
    return keep_watched(trace)


def test_a_game_that_goes_on_keeps_its_bookmarks_and_replaces_its_forerunner():
    path = kept(20, s12="look here", s0="a note")
    source = resumed_source(path)
    assert source.trace.bookmarks == {0: "a note", 12: "look here"}
    source.play(10)
    source.bookmark(25, "and here")
    assert keep_watched(source.trace, continues=source.continues) == path
    assert load(path).steps == 30
    again = resumed_source(path)
    assert again.trace.bookmarks == {0: "a note", 12: "look here", 25: "and here"}
    again.play(5)
    assert keep_watched(again.trace, continues=again.continues) == path
    assert [file.name for file in watched_folder().glob("*.bba")] == [path.name]
    assert load(path).steps == 35


@pytest.mark.parametrize("meanwhile", ["changed", "deleted", "damaged"])
def test_a_forerunner_that_changed_meanwhile_is_not_written_over(meanwhile):
    path = kept(20)
    source = resumed_source(path)
    source.play(10)
    match meanwhile:
        case "changed":
            save(load(path).with_bookmarks({3: "new"}), path)
        case "deleted":
            path.unlink()
        case "damaged":
            path.write_bytes(b"other")
    before = path.read_bytes() if path.exists() else None
    new = keep_watched(source.trace, continues=source.continues)
    assert load(new).steps == 30
    assert (path.read_bytes() if path.exists() else None) == before or (new == path and before is None)


def test_the_forerunner_stays_where_the_new_recording_cannot_be_written(monkeypatch):
    path = kept(20, s3="kept")
    source = resumed_source(path)
    source.play(10)

    def full(*_):
        raise BBAError("no space left")

    monkeypatch.setattr("human.recordings.save", full)
    with pytest.raises(BBAError):
        keep_watched(source.trace, continues=source.continues)
    assert load(path).steps == 20
    assert dict(load(path).notes) == {3: "kept"}


def test_nothing_new_holds_the_forerunner():
    forerunner = ContinuedRecording(kept(20, s3="kept"))
    trace = replace(played(20), bookmarks={3: "kept"})
    assert forerunner.holds(trace)
    assert not forerunner.holds(replace(trace, bookmarks={3: "other"}))
    assert not forerunner.holds(replace(played(21), bookmarks={3: "kept"}))


async def test_keys_lead_to_bookmarks_whose_notes_are_shown_and_that_they_are_kept_is_said():
    source = PlaybackSource(made)
    source.play(40)
    app = BBAApp(source, autostart=False, motion=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("B", *"odd", "enter")
        assert await notified(app, pilot, "the bookmark at step 40 is kept")
        source.bookmark(10, "early")
        await pilot.press("{")
        assert app.screen.snapshot.step == 10
        assert "⚑ early" in app.screen._title.status
        await pilot.press("{")
        assert await notified(app, pilot, "no bookmark before step 10; B sets one")
        await pilot.press("}")
        assert app.screen.snapshot.step == 40
        assert "⚑ odd" in app.screen._title.status
        await pilot.press("left")
        assert "⚑" not in app.screen._title.status


def test_a_game_with_a_file_is_written_from_time_to_time_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(playback, "SAVE_EVERY", 10)
    source = PlaybackSource(made, file=tmp_path / "game.bba")
    source.restart()
    source.play(9)
    assert list(tmp_path.glob("*.bba")) == []
    source.play(1)
    part = tmp_path / "game.part.bba"
    assert load(part) == record(source.trace)
    source.play(25)
    assert load(part).steps == 35
    assert not (tmp_path / "game.bba").exists()  # what may come there meanwhile is not touched
    source.forget_so_far()
    assert list(tmp_path.iterdir()) == []


def test_where_it_cannot_be_written_the_game_says_so_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(playback, "SAVE_EVERY", 10)
    source = PlaybackSource(made, file=tmp_path / "gone" / "game.bba")
    source.restart()
    assert "cannot be written" in (source.play(10) or "")
    assert source.play(5) is None
    assert len(source.trace.ticks) == 15


async def test_in_a_game_that_is_over_the_bookmarks_go_round():
    source = fresh_source(60)
    for step in (10, 40):
        source.bookmark(step, "")
    app = BBAApp(source, autostart=False, motion=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("}")
        assert app.screen.snapshot.step == 10
        await pilot.press("{")
        assert app.screen.snapshot.step == 40
