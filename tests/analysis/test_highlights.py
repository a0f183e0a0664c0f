"""Highlights, in hand-made games and in a played one."""

import pytest

from bba.analysis.coordination import complements, map_correct, switch_responses, switch_steps
from bba.analysis.highlights import MIN_DUPLICATE_STEPS, MOST_OF_A_KIND, highlights
from bba.analysis.human_labels import with_inferred_skills
from bba.play.trace import PARTNER
from tests.helpers.traces import PLATES, PROTEIN, RICE, tick, trace
from tests.helpers.typist import played_by_hand


def kinds(found):
    return [(highlight.kind, highlight.step, highlight.steps) for highlight in found]


def test_a_switch_that_the_belief_detects_late_or_never_is_a_highlight():
    ticks = [tick(RICE, PROTEIN)] * 3 + [tick(RICE, PLATES)] * 4 + [tick(RICE, PLATES, believed=2)]
    ticks += [tick(PLATES, RICE, believed=0)] * 2
    assert kinds(highlights(trace(*[t._replace(state=t.state.copy()) for t in ticks]))) == [
        ("slow", 4, 4),
        ("unnoticed", 9, 2),
    ]


def test_long_duplicate_work_is_a_highlight():
    ticks = [tick(RICE, RICE, believed=1)] * MIN_DUPLICATE_STEPS + [tick(RICE, PLATES, believed=2)]
    found = highlights(trace(*[t._replace(state=t.state.copy()) for t in ticks]))
    assert ("duplicate", 1, MIN_DUPLICATE_STEPS) in kinds(found)


def test_each_kind_has_at_most_three_highlights():
    ticks = [tick(RICE, PROTEIN, replanned=True)] * 10
    found = highlights(trace(*[t._replace(state=t.state.copy()) for t in ticks]))
    assert len([highlight for highlight in found if highlight.kind == "replan"]) == MOST_OF_A_KIND


@pytest.mark.parametrize("layout", ["open", "ring"])
def test_the_delays_of_a_persons_switches_are_those_that_the_trace_shows(layout):
    ticks = with_inferred_skills(played_by_hand(500, layout=layout)).ticks
    starts = switch_steps(ticks)
    assert len(starts) > 5
    for reaction, start, end in zip(switch_responses(ticks), starts, [*starts[1:], len(ticks)], strict=True):
        noticed = [i for i in range(start, end) if ticks[i].observer.map_index == ticks[i].role(PARTNER)]
        complemented = [i for i in range(start, end) if complements(ticks[i])]
        assert reaction.role == ticks[start].role(PARTNER) != ticks[start - 1].role(PARTNER)
        assert reaction.noticed == (noticed[0] - start if noticed else None)
        assert reaction.complemented == (complemented[0] - start if complemented else None)
        assert all(not map_correct(ticks[i]) for i in range(start, noticed[0] if noticed else end))
