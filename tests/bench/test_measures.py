"""The measures on traces short enough to work out by hand."""

import numpy as np
import pytest

from bba.agents import Decision
from bba.belief import BeliefReading, GateReading
from bba.bench import measures
from bba.kitchen import Kitchen, Layout, Skill
from bba.kitchen.state import SCORE, STEP
from bba.planner import Exchange
from bba.play import Setup, Tick, Trace

PROTEIN, RICE, PLATES, FILL = Skill.GRAB_MEAT, Skill.GRAB_RICE, Skill.GRAB_DIRTY_PLATE, Skill.GET_BOILED_RICE
ROLE = {PROTEIN: 0, RICE: 1, PLATES: 2, FILL: 3}


def tick(ego, partner, *, believed=0, sure=0.9, contradiction=False, chosen=False, pursuing=None, replanned=False):
    """One step: what both ran, what the observer believed (a role) and whether it was contradicted."""
    row = Kitchen("open").row.copy()
    posterior = [(1 - sure) / 5] * 6
    posterior[believed] = sure
    reading = BeliefReading(believed, sure, 9, 0.5, 0.5, tuple(posterior), believed, 9, False)
    gate = GateReading(contradiction, True, True, True, True, 0.01 if contradiction else 0.5)
    exchange = Exchange(int(ego), (), "", 2, False, None) if chosen else None
    decisions = (
        Decision(int(ego), chosen=chosen, replanned=replanned, exchange=exchange),
        Decision(int(partner), pursuing=pursuing),
    )
    return Tick(row, (4, 4), (int(ego), int(partner)), (0, 0), (None, None), decisions, reading, gate)


def trace(*ticks):
    setup = Setup(Layout.load("open"), ("ego", "partner"), 0, len(ticks), (1.0, 1.0), 30, (None, None), (None, None))
    for step, each in enumerate(ticks, 1):
        each.row[STEP] = step
        each.row[SCORE] = 88
    return Trace(setup, np.zeros(1, np.int32), list(ticks))


def test_skill_accuracy_counts_scored_steps_only():
    ticks = [tick(RICE, PROTEIN), tick(RICE, PLATES), tick(RICE, Skill.STAY), tick(RICE, PROTEIN, sure=0.5)]
    assert measures.skill_accuracy(ticks) == pytest.approx(2 / 3)
    assert measures.skill_accuracy(ticks, 0.65) == pytest.approx(1 / 2)
    assert measures.skill_accuracy([tick(RICE, Skill.STAY)]) is None


def test_duplicates_are_equal_roles_on_scored_steps():
    ticks = [
        tick(RICE, RICE),
        tick(RICE, PROTEIN),
        tick(Skill.STAY, Skill.STAY),
        tick(Skill.GO_TO_POT_AND_BOIL_RICE, RICE),
    ]
    assert measures.duplicate_rate(ticks) == pytest.approx(2 / 3)


def test_the_gap_rate_looks_at_decision_points_with_a_right_belief():
    ticks = [
        tick(RICE, PROTEIN, chosen=True),  # a selection, right belief, complementary
        tick(RICE, PROTEIN),  # no decision point
        tick(PROTEIN, PROTEIN, contradiction=True),  # goes on in spite of a contradiction with a duplicate: a gap
        tick(PROTEIN, PLATES, believed=0),  # the partner's role changes, but the belief is wrong
        tick(PLATES, PLATES, believed=2, chosen=True),  # a selection, right belief, duplicate: a gap
    ]
    assert len(list(measures.decision_points(ticks))) == 4
    assert measures.gap_rate(ticks) == pytest.approx(2 / 3)


def test_comp_at_3_asks_for_a_complement_within_three_steps_of_a_contradiction():
    late = [tick(PROTEIN, PROTEIN, contradiction=True), *[tick(PROTEIN, PROTEIN)] * 2, tick(RICE, PROTEIN)]
    soon = [tick(PROTEIN, PROTEIN, contradiction=True), tick(PROTEIN, PROTEIN), tick(RICE, PROTEIN)]
    assert measures.comp_at(late, 3) == 0.0
    assert measures.comp_at(soon, 3) == 1.0
    assert measures.comp_at([tick(RICE, PROTEIN)], 3) is None


def test_a_true_switch_is_a_new_role_on_the_schedule_that_changes_the_work():
    ticks = [
        tick(RICE, PROTEIN, pursuing=0),
        tick(RICE, PROTEIN, pursuing=2),  # the schedule says plates, but it still finishes the meat
        tick(RICE, PLATES, pursuing=2),
        tick(RICE, FILL, pursuing=3),
    ]
    assert measures.switch_steps(ticks) == [3]
    unscheduled = [tick(RICE, PROTEIN), tick(RICE, PLATES), tick(RICE, PLATES)]
    assert measures.switch_steps(unscheduled) == [1]


def test_recovery_and_notice_are_counted_from_the_switch_to_the_next():
    ticks = [
        tick(PLATES, PROTEIN, believed=0),
        tick(PLATES, PLATES, believed=0),  # switch
        tick(PLATES, PLATES, believed=2),  # noticed after one step
        tick(RICE, PLATES, believed=2),  # complemented after two
        tick(RICE, RICE, believed=2),  # switch, never noticed, never complemented: two steps to the end
        tick(RICE, RICE, believed=2),
    ]
    assert measures.recoveries(ticks) == [2, 2]
    assert measures.catch_delays(ticks) == [1]


def test_counts_come_from_the_ego_and_the_last_state():
    result = measures.measure(trace(tick(RICE, PROTEIN, chosen=True), tick(RICE, PROTEIN, chosen=True, replanned=True)))
    assert result.reward == 88
    assert result.replans == 1
    assert (result.planner_calls, result.planner_retries, result.planner_fallbacks) == (4, 2, 0)
    assert set(result.to_dict()) >= {
        "reward",
        "deliveries",
        "skill_accuracy",
        "gap_rate",
        "comp_at_3",
        "duplicate_rate",
    }
