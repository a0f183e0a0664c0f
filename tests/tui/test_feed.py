"""Playing a feed on: as far as it goes, and a line where it does not."""

from bba.errors import BBAError
from tests.tui.support import fresh_feed
from tui.playback.source import play_on


def test_a_feed_is_not_played_beyond_its_end():
    feed = fresh_feed(horizon=5)
    assert (play_on(feed, 3), len(feed.trace.ticks)) == (None, 3)
    assert (play_on(feed, 3), len(feed.trace.ticks)) == (None, 5)
    assert play_on(feed, 1) is None


def test_what_people_should_read_is_passed_on(monkeypatch):
    feed = fresh_feed()
    step = feed.step

    def fail():
        if len(feed.trace.ticks) == 2:
            raise BBAError("the model is away")
        return step()

    monkeypatch.setattr(feed, "step", fail)
    assert (play_on(feed, 9), len(feed.trace.ticks)) == ("the model is away", 2)
