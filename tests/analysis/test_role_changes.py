"""Which changes of the partner's role are switches: on traces made by hand, and in games whose schedule is known."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.analysis.human_choices import PURSUED_SKILLS, PURSUED_STEPS, RoleChange, role_changes
from bba.belief import NO_ROLE
from bba.belief.roles import STAGE_PASS
from bba.kitchen import Skill
from bba.play import Game
from bba.play.ticks import step_arrays
from tests.helpers.traces import FILL, PLATES, PROTEIN, RICE, ROLE, tick

LONG, SHORT = PURSUED_STEPS, PURSUED_STEPS - 1
PUT_DOWN, PASS, WAIT = Skill.PUT_DOWN_OBJECT, Skill.PASS_OBJECT, Skill.STAY


def work(*pieces):
    """The ticks of a partner that does one thing after the other, each given as (skill, steps)."""
    return [tick(RICE, skill) for skill, steps in pieces for _ in range(steps)]


def test_a_role_that_is_pursued_is_a_switch_in_its_first_step_and_known_in_its_last_that_is_needed():
    ticks = work((PROTEIN, 12), (RICE, LONG), (PLATES, 40))
    assert role_changes(step_arrays(ticks)) == [RoleChange(12, 11 + LONG, 1), RoleChange(12 + LONG, 11 + 2 * LONG, 2)]


def test_the_first_role_is_no_switch():
    assert role_changes(step_arrays(work((WAIT, 5), (PROTEIN, 40)))) == []
    assert role_changes(step_arrays(work((RICE, SHORT), (PROTEIN, 40)))) == []


def test_a_short_excursion_is_no_switch_however_often_it_is_made():
    ticks = work((PROTEIN, 40), (RICE, SHORT), (PROTEIN, 1), (RICE, SHORT), (PLATES, SHORT), (PROTEIN, 1))
    assert role_changes(step_arrays(ticks)) == []


def test_quick_work_is_no_excursion_once_it_has_completed_enough_skills():
    quick = [tick(FILL, RICE, completes=number >= 2 - PURSUED_SKILLS) for number in range(2)]
    assert role_changes(step_arrays(work((PROTEIN, 40)) + quick)) == [RoleChange(40, 41, 1)]
    assert role_changes(step_arrays(work((PROTEIN, 40)) + quick[:1] + work((PROTEIN, 9)))) == []


@pytest.mark.parametrize("between", [PUT_DOWN, PASS, WAIT, Skill.GO_TO_PUT_OUT_FIRE])
def test_what_lies_within_work_belongs_to_it(between):
    assert role_changes(step_arrays(work((PROTEIN, 40), (between, 30), (PROTEIN, 40)))) == []
    broken = work((PROTEIN, 40), (RICE, 4), (between, 30), (RICE, LONG - 4))
    assert role_changes(step_arrays(broken)) == [RoleChange(40, 69 + LONG, 1)]


def test_what_is_put_down_right_before_other_work_is_put_down_for_it():
    assert role_changes(step_arrays(work((PROTEIN, 40), (PUT_DOWN, 6), (RICE, LONG))))[0].start == 40
    assert role_changes(step_arrays(work((PROTEIN, 40), (PUT_DOWN, 6), (WAIT, 1), (RICE, LONG))))[0].start == 47
    assert role_changes(step_arrays(work((PROTEIN, 40), (PASS, 6), (RICE, LONG))))[0].start == 46


@given(st.lists(st.tuples(st.sampled_from([*ROLE, PUT_DOWN, PASS, WAIT]), st.integers(1, 14)), max_size=8), st.data())
def test_a_game_that_still_runs_has_the_switches_that_are_known_and_takes_none_back(pieces, data):
    ticks = work(*pieces)
    played = data.draw(st.integers(0, len(ticks)))
    changes = role_changes(step_arrays(ticks))
    assert role_changes(step_arrays(ticks[:played])) == [change for change in changes if change.known < played]
    assert all(change.start <= change.known for change in changes)
    assert all(one.known < other.start and one.role != other.role for one, other in pairwise(changes))
    assert {change.role for change in changes}.isdisjoint({NO_ROLE, STAGE_PASS})


@pytest.mark.thorough
@pytest.mark.parametrize("layout", ["open", "ring"])
def test_scheduled_switches_that_the_partner_takes_up_are_counted(layout):
    ticks = Game(layout, "proagent", "switching", 20, horizon=1200, fast=True).run().ticks
    counted = {(change.start, change.role) for change in role_changes(step_arrays(ticks))}
    scheduled = [tick.decisions[1].scheduled_role for tick in ticks]
    taken_up = found = 0
    for step in range(1, len(ticks)):
        role = scheduled[step]
        after = [i for i in range(step, min(step + 30, len(ticks) - 30)) if ticks[i].role(1) == role]
        before = [tick.role(1) for tick in ticks[:step] if tick.role(1) not in (NO_ROLE, STAGE_PASS)]
        if role != scheduled[step - 1] and after and before[-1:] != [role]:
            taken_up += 1
            found += any((i, role) in counted for i in range(step - 10, after[0] + 1))
    assert taken_up >= 3
    assert found >= 0.8 * taken_up
