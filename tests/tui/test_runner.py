"""Stepping a feed: at once, or in a thread whose late answers are dropped."""

import threading
import time

import pytest

from bba.errors import BBAError
from tests.tui.support import fresh_feed
from tui.feed import LiveFeed
from tui.runner import Runner


class Slow(LiveFeed):
    """A feed whose steps wait until they are let go."""

    def __init__(self, error: Exception | None = None) -> None:
        super().__init__(lambda: fresh_feed()._game, blocking=True)
        self.gate = threading.Event()
        self.error = error

    def step(self):
        game = self._game
        assert self.gate.wait(5)
        if self.error:
            raise self.error
        return game.step()


class Post:
    """Keeps what threads post until the screen's own thread gets round to it."""

    def __init__(self) -> None:
        self.posted = []

    def __call__(self, function, *arguments) -> None:
        self.posted.append((function, arguments))

    def deliver(self) -> None:
        until = time.monotonic() + 5
        while not self.posted and time.monotonic() < until:
            time.sleep(0.001)
        function, arguments = self.posted.pop(0)
        function(*arguments)


def test_a_quick_feed_is_stepped_at_once_and_not_beyond_its_end():
    feed, told = fresh_feed(horizon=5), []
    runner = Runner(feed, told.append, Post())
    runner.step(3)
    assert (len(feed.trace.ticks), told) == (3, [None])
    runner.step(3)
    assert (len(feed.trace.ticks), told) == (5, [None, None])
    runner.step()
    assert told == [None, None]


def test_what_people_should_read_is_passed_on():
    feed, told = fresh_feed(), []
    feed.step = lambda: (_ for _ in ()).throw(BBAError("the model is away"))
    Runner(feed, told.append, Post()).step()
    assert told == ["the model is away"]


def test_a_slow_step_returns_at_once_and_only_one_is_under_way():
    feed, told, post = Slow(), [], Post()
    runner = Runner(feed, told.append, post)
    runner.step()
    runner.step()
    assert runner.busy
    assert not told
    feed.gate.set()
    post.deliver()
    assert (told, runner.busy, len(feed.trace.ticks), post.posted) == ([None], False, 1, [])


def test_an_answer_for_a_game_that_was_restarted_is_dropped():
    feed, told, post = Slow(), [], Post()
    runner = Runner(feed, told.append, post)
    runner.step()
    runner.restart()
    assert not runner.busy
    feed.gate.set()
    post.deliver()
    assert (told, len(feed.trace.ticks)) == ([], 0)


def test_a_late_answer_does_not_end_the_wait_for_the_new_games_step():
    feed, post = Slow(), Post()
    runner = Runner(feed, lambda problem: None, post)
    runner.step()
    runner.restart()
    runner.step()
    feed.gate.set()
    post.deliver()
    post.deliver()
    assert (runner.busy, len(feed.trace.ticks)) == (False, 1)


def test_a_mistake_in_the_thread_is_raised_in_the_screens_own():
    feed, post = Slow(RuntimeError("a bug")), Post()
    runner = Runner(feed, lambda problem: None, post)
    runner.step()
    feed.gate.set()
    with pytest.raises(RuntimeError, match="a bug"):
        post.deliver()


def test_a_slow_steps_problem_is_passed_on():
    feed, told, post = Slow(BBAError("no answer")), [], Post()
    runner = Runner(feed, told.append, post)
    runner.step()
    feed.gate.set()
    post.deliver()
    assert told == ["no answer"]
