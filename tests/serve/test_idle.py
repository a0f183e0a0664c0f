"""A visitor who does nothing is warned, then leaves the place to others."""

import threading
from types import SimpleNamespace

import pytest

from tui.serve.driver import VisitorDriver
from tui.serve.session import IDLE_VARIABLE, IdleWatch, limit_of


def test_a_visitor_is_warned_once_and_then_leaves_unless_something_is_done():
    time, said = [0.0], []
    watch = IdleWatch(lambda: said.append("warned"), lambda: said.append("ended"), limit=300, now=lambda: time[0])

    def after(seconds):
        time[0] += seconds
        watch.look()
        return said[:]

    assert after(239) == []
    assert after(1) == ["warned"]
    assert after(30) == ["warned"]
    watch.note()
    assert after(200) == ["warned"]
    assert after(60) == ["warned", "warned"]
    assert after(40) == ["warned", "warned", "ended"]


def test_the_limit_is_the_servers():
    assert limit_of({}) == 900
    assert limit_of({IDLE_VARIABLE: "0.5"}) == 30


def test_a_short_limit_warns_half_way():
    time, said = [0.0], []
    watch = IdleWatch(lambda: said.append("warned"), lambda: said.append("ended"), limit=30, now=lambda: time[0])
    time[0] = 14
    watch.look()
    assert said == []
    time[0] = 15
    watch.look()
    assert said == ["warned"]


@pytest.mark.parametrize(
    ("ending", "why"), [("left-study", "idle"), (None, "idle"), ("finished", "finished"), ("declined", "declined")]
)
def test_who_does_nothing_on_the_page_of_an_ending_has_had_that_one(ending, why):
    driver, said = object.__new__(VisitorDriver), []
    driver.exit_event, driver._input_reader = threading.Event(), SimpleNamespace(close=lambda: None)
    driver._app, driver._why, driver.write_meta = SimpleNamespace(study_end=ending), "idle", said.append
    driver.stop_application_mode()
    assert said == [{"type": "exit", "why": why}]
