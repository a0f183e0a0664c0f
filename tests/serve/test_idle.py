"""A visitor who does nothing is warned, then leaves the place to others."""

import threading
from types import SimpleNamespace

import pytest
from textual import events

from tui.serve.driver import VisitorDriver
from tui.serve.session import IDLE_VARIABLE, limit_of


class Loop:
    """A loop whose time a test sets."""

    def __init__(self):
        self.time, self.waiting = 0.0, []

    def call_later(self, seconds, then, *arguments):
        entry = (self.time + seconds, then, arguments)
        self.waiting.append(entry)
        return SimpleNamespace(cancel=lambda: entry in self.waiting and self.waiting.remove(entry))

    def call_soon_threadsafe(self, then):
        then()

    def wait(self, seconds):
        self.time += seconds
        for entry in [entry for entry in self.waiting if entry[0] <= self.time]:
            self.waiting.remove(entry)
            entry[1](*entry[2])


@pytest.fixture
def visit():
    """Begins a visit with a limit in seconds; returns what the driver does, its loop, and a way to press a key."""

    def begin(limit):
        driver, said = object.__new__(VisitorDriver), []
        driver._loop, driver._limit, driver._app = Loop(), limit, SimpleNamespace()
        driver.cursor_origin, driver.send_message = None, lambda _: None  # as Textual wants them
        driver._warn, driver._leave = lambda: said.append("warned"), said.append
        driver._set_timers()
        return said, driver._loop.wait, lambda: driver.process_message(events.Paste("x"))

    return begin


def test_a_visitor_is_warned_once_and_then_leaves_unless_something_is_done(visit):
    said, wait, paste = visit(300)
    wait(239)
    assert said == []
    wait(1)
    wait(30)
    assert said == ["warned"]
    paste()
    wait(200)
    assert said == ["warned"]
    wait(60)
    assert said == ["warned", "warned"]
    wait(40)
    assert said == ["warned", "warned", "idle"]


def test_the_limit_is_the_servers():
    assert limit_of({}) == 900
    assert limit_of({IDLE_VARIABLE: "0.5"}) == 30


def test_a_short_limit_warns_half_way(visit):
    said, wait, _ = visit(30)
    wait(14)
    assert said == []
    wait(1)
    assert said == ["warned"]


def test_a_form_is_something_that_a_visitor_does_and_reaches_the_app_of_a_study_alone(visit):
    said, _, _ = visit(300)
    driver, filled = object.__new__(VisitorDriver), []
    driver._loop, driver._set_timers = (
        SimpleNamespace(call_soon_threadsafe=lambda then: then()),
        lambda: said.append("set"),
    )
    driver._app = SimpleNamespace(call_later=lambda then, about: then(about), fill_in=filled.append)
    driver.on_meta("form", {"page": 7})
    assert (said, filled) == (["set"], [{"page": 7}])
    driver._app = SimpleNamespace()  # another app than that of a study has none
    driver.on_meta("form", {"page": 7})
    assert (said, filled) == (["set"], [{"page": 7}])


@pytest.fixture
def ended():
    """Ends a visit to an app with such attributes, after `leave`; returns what the server is told, and the app."""

    def end(leave=lambda driver: None, **app):
        driver, said = object.__new__(VisitorDriver), []
        driver.exit_event, driver._input_reader = threading.Event(), SimpleNamespace(close=lambda: None)
        driver._app = SimpleNamespace(**{"return_code": None, "post_message": lambda _: None} | app)
        driver.write_meta = said.append
        leave(driver)
        driver.stop_application_mode()
        return said, driver._app

    return end


@pytest.mark.parametrize(
    ("ending", "why"), [("left-study", "idle"), (None, "idle"), ("finished", "finished"), ("declined", "declined")]
)
def test_who_does_nothing_on_the_page_of_an_ending_has_had_that_one(ended, ending, why):
    about = {} if ending is None else {"study_end": ending}
    said, app = ended(lambda driver: driver._leave("idle"), **about)
    assert said == [{"type": "exit", "why": why}]
    assert vars(app).get("study_end") == (None if ending is None else why), "the app notes its ending"


@pytest.mark.parametrize(
    ("ending", "why"), [("left-study", "fault"), (None, "fault"), ("finished", "finished"), ("idle", "idle")]
)
def test_an_app_that_failed_ends_with_a_fault_unless_an_ending_was_shown(ended, ending, why):
    assert ended(study_end=ending, return_code=1)[0] == [{"type": "exit", "why": why}]
