"""Work beside the screen: it holds nothing up, and what arrives too late is dropped."""

import threading
import time

import pytest

from bba.errors import BBAError
from tests.helpers.wait_for_idle import PATIENCE
from tui.style.base_screen import BackgroundTask


class Post:
    """Keeps what threads post until the screen's own thread gets round to it."""

    def __init__(self) -> None:
        self.posted = []

    def __call__(self, function, *arguments) -> None:
        self.posted.append((function, arguments))

    def deliver(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self.posted and time.monotonic() < deadline:
            time.sleep(0.001)
        function, arguments = self.posted.pop(0)
        function(*arguments)


def fails(error):
    raise error


def test_what_is_found_is_handed_in_by_the_screens_own_thread():
    post, told, goes_on = Post(), [], threading.Event()
    aside = BackgroundTask(post)
    aside.begin(lambda: goes_on.wait(PATIENCE), told.append)
    assert (aside.busy, told) == (True, [])
    goes_on.set()
    post.deliver()
    assert (aside.busy, told) == (False, [True])


def test_what_arrives_after_it_was_given_up_is_dropped_and_does_not_end_the_wait_for_what_came_after_it():
    post, told, goes_on = Post(), [], threading.Event()
    aside = BackgroundTask(post)
    aside.begin(lambda: goes_on.wait(PATIENCE), told.append)
    aside.cancel()
    assert not aside.busy
    aside.begin(lambda: goes_on.wait(PATIENCE) and "new", told.append)
    goes_on.set()
    post.deliver()
    post.deliver()
    assert (aside.busy, told) == (False, ["new"])


def test_what_people_should_read_is_handed_in_and_a_mistake_is_raised():
    post, told, problem = Post(), [], BBAError("no answer")
    aside = BackgroundTask(post)
    aside.begin(lambda: fails(problem), told.append, told.append)
    post.deliver()
    assert told == [problem]
    aside.begin(lambda: fails(RuntimeError("a bug")), told.append, told.append)
    with pytest.raises(RuntimeError, match="a bug"):
        post.deliver()
