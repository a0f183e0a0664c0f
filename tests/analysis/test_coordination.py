"""How belief and ego follow switches, on traces short enough to work out by hand."""

from bba.analysis.coordination import (
    NEEDLESS_AFTER,
    SwitchResponse,
    detection_delays,
    needless_replans,
    reach_delays,
    recoveries,
    share_reached,
    switch_responses,
    switches,
)
from bba.analysis.human_choices import RoleChange
from bba.belief import COMPLEMENTARY, ROLE_NAMES
from bba.kitchen import Skill
from bba.play import play_game
from bba.play.ticks import step_arrays
from tests.helpers.traces import PLATES, PROTEIN, RICE, tick


def test_recovery_and_notice_are_counted_from_the_switch_to_the_next():
    ticks = [
        *[tick(PLATES, PROTEIN)] * 10,
        tick(PLATES, PLATES, believed=0),  # a switch
        tick(PLATES, PLATES, believed=2),  # noticed after one step
        tick(RICE, PLATES, believed=2),  # complemented after two
        *[tick(RICE, PLATES, believed=2)] * 7,
        *[tick(RICE, RICE, believed=2)] * 12,  # a switch, never noticed, never complemented: twelve steps to the end
    ]
    responses = switch_responses(step_arrays(ticks))
    assert responses == [SwitchResponse(10, 20, 2, 1, 2), SwitchResponse(20, 32, 1, None, None)]
    assert recoveries(responses) == [2, 12]
    assert detection_delays(responses) == [1]


def test_the_new_role_counts_during_an_excursion_from_it():
    ticks = [*[tick(PLATES, PROTEIN)] * 10, *[tick(PLATES, PLATES)] * 10, tick(RICE, RICE, believed=2)]
    assert switch_responses(step_arrays(ticks)) == [SwitchResponse(10, 21, 2, 10, 10)]


def test_the_switches_of_a_trace_have_steps_and_names():
    trace = play_game("open", "bayes", "switching", 2, horizon=400, fast=False)
    found, responses = switches(trace), switch_responses(step_arrays(trace.ticks))
    assert [trace.ticks[one.step - 1].step for one in found] == [one.start + 1 for one in responses] != []
    assert [ROLE_NAMES.index(one.role) for one in found] == [one.role for one in responses]
    delays = [None if one.detected_at is None else one.detected_at - one.step for one in found]
    assert delays == [one.noticed for one in responses]
    for one in found:
        if one.detected_at is not None:
            assert ROLE_NAMES[trace.ticks[one.detected_at - 1].observer.map_index] == one.role
        if one.complemented_at is not None:
            ego = trace.ticks[one.complemented_at - 1].role(0)
            assert COMPLEMENTARY[ego, ROLE_NAMES.index(one.role)]


def reached(*ticks, ego=RICE, chosen=False):
    """The delay of a switch to plates, followed by these ticks; [] if it is left out."""
    span = [tick(PROTEIN, PROTEIN), tick(ego, PLATES, chosen=chosen), *ticks]
    return reach_delays(step_arrays(span), [SwitchResponse(1, len(span), 2, None, None)])


def test_a_switch_reaches_an_ego_that_replans_or_decides_with_the_right_map():
    goes_on = tick(RICE, PLATES, believed=2)
    decides = tick(RICE, PLATES, believed=2, chosen=True)
    assert reached(goes_on, goes_on) == [None]
    assert reached(goes_on, decides) == [2]
    assert reached(tick(RICE, PLATES, believed=0, chosen=True), decides) == [2]  # the first one has a wrong MAP
    assert reached(goes_on, goes_on, tick(RICE, PLATES, believed=0, chosen=True, replanned=True)) == [3]


def test_a_switch_reaches_the_ego_before_the_next_one_or_not_at_all():
    ticks = [tick(RICE, PLATES)] * 5 + [tick(RICE, PLATES, replanned=True)]
    assert reach_delays(step_arrays(ticks), [SwitchResponse(0, 5, 2, None, None)]) == [None]
    assert reach_delays(step_arrays(ticks), [SwitchResponse(0, 6, 2, None, None)]) == [5]


def test_a_switch_while_the_ego_chooses_or_waits_is_left_out():
    assert reached(chosen=True) == reached(ego=Skill.STAY) == []
    assert reached(ego=Skill.GO_TO_PUT_OUT_FIRE) == [None]


def test_the_share_that_is_reached_counts_the_last_of_its_steps():
    assert share_reached([], 10) is None
    assert share_reached([10, 11, None, 0], 10) == 0.5


def test_a_replan_is_needless_without_a_switch_in_the_steps_before():
    ticks = [
        tick(RICE, PROTEIN, replanned=i in (3, 20, 21, 20 + NEEDLESS_AFTER, 21 + NEEDLESS_AFTER)) for i in range(60)
    ]
    steps = step_arrays(ticks)
    assert needless_replans(steps, [RoleChange(20, 25, 1)]) == [3, 20, 21 + NEEDLESS_AFTER]
    assert needless_replans(steps, [RoleChange(-5, 0, 1), RoleChange(20, 25, 1)]) == [21 + NEEDLESS_AFTER]
