"""The event log has one line for each event that matters, and marks those that depend on the truth."""

import pytest

from bba.agents import Decision
from bba.analysis import names
from bba.analysis.event_log import log_entries
from bba.analysis.human_choices import role_changes
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from bba.kitchen.constants import EXPIRED, FIRES
from bba.play import Trace
from bba.play.ticks import step_arrays
from tests.helpers.games import played
from tests.helpers.snapshots import belief, plan_call, reading, thinking


@pytest.fixture(scope="module")
def trace() -> Trace:
    return played(700, horizon=2400)


def log(trace: Trace) -> list:
    switches = {change.known + 1: change for change in role_changes(step_arrays(trace.ticks))}
    steps = range(len(trace.ticks) + 1)
    return [one for step in steps for one in log_entries(Snapshot(trace, step), switches.get(step))]


def test_nothing_has_happened_before_the_first_step(trace):
    assert list(log_entries(Snapshot(trace, 0))) == []


def test_every_delivery_is_logged_with_its_dish_and_reward(trace):
    delivered = [one for one in log(trace) if one.text.startswith("+")]
    paid = [(tick.step, tick.reward) for tick in trace.ticks if tick.reward]
    assert paid
    assert [(one.step, int(one.text.split()[0])) for one in delivered] == paid
    assert all("burrito" in one.text for one in delivered)


def test_fires_and_orders_that_ran_out_are_logged_as_often_as_the_kitchen_counts_them(trace):
    texts = [one.text for one in log(trace)]
    last = trace.ticks[-1].state
    assert last[FIRES] > 0
    assert last[EXPIRED] > 0
    assert texts.count("food burns: fire!") == last[FIRES]
    assert texts.count("an order ran out") == last[EXPIRED]


def test_every_finished_skill_is_logged_for_its_cook(trace):
    finished = [
        (tick.step, event.player)
        for tick in trace.ticks
        for event in tick.events
        if event.complete and event.skill != constants.SERVE
    ]
    assert [(one.step, one.cook) for one in log(trace) if not one.colour] == finished


def test_switches_are_logged_when_they_are_known_with_the_step_in_which_they_began_and_marked_as_truth(trace):
    switches = role_changes(step_arrays(trace.ticks))
    assert len(switches) > 2
    expected = [
        (change.known + 1, f"turned to {names.role_work(change.role)} at {change.start + 1}") for change in switches
    ]
    assert [(one.step, one.text) for one in log(trace) if one.truth] == expected


def test_replans_and_fallbacks_of_the_planner_are_logged():
    failed = plan_call(problem="no skill named")
    snapshot = thinking(Decision(4, chosen=True, replanned=True, belief=belief(), gate=reading(), calls=(failed,)))
    texts = [one.text for one in log_entries(snapshot)]
    assert "△ replans: not serving; keeps its plan" in texts
    assert "planner fell back: no skill named" in texts
