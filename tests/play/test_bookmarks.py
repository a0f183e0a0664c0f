"""Bookmarks are kept with the game: in its recording, in its tables, and on the way from one to the other."""

import pytest
from pydantic import ValidationError

from bba.analysis.trace_table import rows
from bba.errors import BBAError
from bba.play import Replay, load, record, save
from tests.helpers.games import played
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback

NOTES = {0: "the start", 7: "", 12: "why does it wait?"}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.bba"
    save(record(played(20)), path)
    return path


def test_a_recording_keeps_them_in_order_and_a_replay_has_them():
    trace = played(20)
    trace.bookmarks |= dict(reversed(NOTES.items()))
    recording = record(trace)
    assert recording.notes == tuple(NOTES.items())
    assert Replay(recording).run().bookmarks == NOTES


@pytest.mark.parametrize("note", ["two\nlines", "\x1b[31m"])
def test_a_note_that_a_terminal_would_obey_is_refused(note):
    with pytest.raises(ValidationError):
        record(played(5)).with_bookmarks({1: note})


def test_the_table_has_them_after_their_steps():
    trace = played(20)
    trace.bookmarks |= NOTES
    assert {row["step"]: row["note"] for row in rows(trace) if row["note"] is not None} == {7: "", 12: NOTES[12]}


def test_a_source_writes_them_to_the_recording_and_nothing_else_of_it_changes(file):
    before = load(file)
    trace = Replay(before).run()
    source = PlaybackSource(lambda: TracePlayback(trace), file=file)
    source.bookmark(12, "here")
    source.bookmark(3, "gone")
    source.bookmark(3, None)
    assert load(file) == before.with_bookmarks({12: "here"})
    assert source.trace.bookmarks == {12: "here"}


def test_where_the_file_cannot_be_written_the_bookmark_counts_while_the_game_is_open(file):
    source = PlaybackSource(lambda: TracePlayback(played(20)), file=file)
    file.unlink()
    with pytest.raises(BBAError, match=r"game\.bba"):
        source.bookmark(4, "kept in mind")
    assert source.trace.bookmarks == {4: "kept in mind"}
