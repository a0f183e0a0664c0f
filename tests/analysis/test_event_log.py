"""The event log has one line for each event that matters, and marks those that depend on the truth."""

from itertools import pairwise

import pytest

from bba.agents import Decision
from bba.analysis.event_log import log_entries
from bba.analysis.snapshot import Snapshot, switched_to
from bba.kitchen import constants
from bba.kitchen.state import EXPIRED, FIRES
from bba.play import Trace
from tests.helpers.games import played
from tests.helpers.snapshots import belief, plan_call, reading, thinking


@pytest.fixture(scope="module")
def trace() -> Trace:
    return played(700, horizon=2400)


def log(trace: Trace) -> list:
    return [one for step in range(len(trace.ticks) + 1) for one in log_entries(Snapshot(trace, step))]


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


def test_switches_are_those_of_the_schedule_and_marked_as_truth(trace):
    pursued = [tick.decisions[1].scheduled_role for tick in trace.ticks]
    switches = [step for step, (a, b) in enumerate(pairwise(pursued), 2) if a != b]
    assert len(switches) > 2
    assert [one.step for one in log(trace) if one.truth] == switches


def test_waiting_in_between_is_no_switch_for_a_partner_without_a_schedule():
    trace = played(3)
    skills = (constants.FRY, constants.SKILL_STAY, constants.FRY, constants.SERVE)
    ticks = [trace.ticks[0]._replace(skills=(0, skill), decisions=(Decision(0), Decision(skill))) for skill in skills]
    made_up = Trace(trace.config, trace.start, ticks)
    assert [switched_to(made_up, step) for step in (1, 2, 3, 4)] == [-1, -1, -1, 4]


def test_replans_and_fallbacks_of_the_planner_are_logged():
    failed = plan_call(problem="no skill named")
    snapshot = thinking(Decision(4, chosen=True, replanned=True, belief=belief(), gate=reading(), calls=(failed,)))
    texts = [one.text for one in log_entries(snapshot)]
    assert "replans: not serve" in texts
    assert "planner fell back: no skill named" in texts
