"""Highlights, in hand-made games and in a played one."""

import pytest

from bba.analysis.coordination import switch_responses
from bba.analysis.human_choices import role_changes, with_inferred_skills
from bba.analysis.replans import MIN_DUPLICATE_STEPS, MOST_OF_A_KIND, REPLAN_SHOWN_STEPS, highlights
from bba.belief import is_complementary
from bba.play.ticks import step_arrays
from tests.helpers.traces import PLATES, PROTEIN, RICE, tick, trace
from tests.helpers.typist import played_by_hand


def kinds(found):
    return [(highlight.kind, highlight.step, highlight.steps) for highlight in found]


def test_a_switch_that_the_belief_detects_late_or_never_is_a_highlight():
    ticks = [tick(RICE, PROTEIN)] * 10 + [tick(RICE, PLATES)] * 9 + [tick(RICE, PLATES, believed=2)]
    ticks += [tick(PLATES, RICE, believed=0)] * 10
    assert kinds(highlights(trace(*[t._replace(state=t.state.copy()) for t in ticks]))) == [
        ("slow", 11, 9),
        ("unnoticed", 21, 10),
    ]


def test_long_duplicate_work_is_a_highlight():
    ticks = [tick(RICE, RICE, believed=1)] * MIN_DUPLICATE_STEPS + [tick(RICE, PLATES, believed=2)]
    found = highlights(trace(*[t._replace(state=t.state.copy()) for t in ticks]))
    assert ("duplicate", 1, MIN_DUPLICATE_STEPS) in kinds(found)


def test_each_kind_has_at_most_three_highlights():
    ticks = ([tick(RICE, PROTEIN, replanned=True)] + [tick(RICE, PROTEIN)] * (REPLAN_SHOWN_STEPS - 1)) * 5
    found = highlights(trace(*[t._replace(state=t.state.copy()) for t in ticks]))
    kinds_of_replans = [highlight.kind for highlight in found if highlight.kind in ("replan", "kept plan")]
    assert kinds_of_replans == ["kept plan"] * MOST_OF_A_KIND


def test_of_replans_close_together_the_one_that_changed_the_plan_is_a_highlight():
    ticks = [tick(RICE, PROTEIN, replanned=True)] * 4 + [tick(PLATES, PROTEIN, replanned=True)] * 4
    found = highlights(trace(*[t._replace(state=t.state.copy()) for t in ticks]))
    assert [highlight.step for highlight in found if highlight.kind == "replan"] == [5]


@pytest.mark.exhaustive
@pytest.mark.parametrize("layout", ["open", "ring"])
def test_the_delays_of_a_persons_switches_are_those_that_the_trace_shows(layout):
    ticks = with_inferred_skills(played_by_hand(500, layout=layout)).ticks
    changes = role_changes(step_arrays(ticks))
    assert len(changes) > 5
    ends = [*(change.start for change in changes[1:]), len(ticks)]
    for reaction, (start, _, role), end in zip(switch_responses(step_arrays(ticks)), changes, ends, strict=True):
        noticed = [i for i in range(start, end) if ticks[i].observer.map_index == role]
        complemented = [i for i in range(start, end) if is_complementary(ticks[i].role(0), role)]
        assert (reaction.start, reaction.end, reaction.role) == (start, end, role)
        assert reaction.noticed == (noticed[0] - start if noticed else None)
        assert reaction.complemented == (complemented[0] - start if complemented else None)
