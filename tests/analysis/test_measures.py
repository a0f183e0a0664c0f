"""The measures on traces short enough to work out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.analysis import coordination, measures
from bba.analysis.human_choices import RoleChange, role_changes
from bba.kitchen import Skill
from bba.kitchen.constants import STREAK
from bba.planner import LLMCall, Usage
from bba.play.ticks import step_arrays
from tests.helpers.traces import PLATES, PROTEIN, RICE, ROLE, tick, trace


def test_skill_accuracy_counts_scored_steps_only():
    ticks = [tick(RICE, PROTEIN), tick(RICE, PLATES), tick(RICE, Skill.STAY), tick(RICE, PROTEIN, sure=0.5)]
    steps = step_arrays(ticks)
    assert coordination.skill_accuracy(steps) == pytest.approx(2 / 3)
    assert coordination.skill_accuracy(steps, 0.65) == pytest.approx(1 / 2)
    assert coordination.skill_accuracy(step_arrays([tick(RICE, Skill.STAY)])) is None


def test_duplicates_are_equal_skills_on_scored_steps():
    ticks = [
        tick(RICE, RICE),
        tick(RICE, PROTEIN),
        tick(Skill.STAY, Skill.STAY),
        tick(Skill.GO_TO_POT_AND_BOIL_RICE, RICE),
    ]
    assert coordination.duplicate_rate(step_arrays(ticks)) == pytest.approx(1 / 3)
    assert coordination.same_role_rate(step_arrays(ticks)) == pytest.approx(2 / 3)


def test_the_gap_rate_looks_at_decision_points_with_a_right_belief():
    ticks = [
        tick(RICE, PROTEIN, chosen=True),  # a selection, right belief, complementary
        tick(RICE, PROTEIN),  # no decision point
        tick(PROTEIN, PROTEIN, contradiction=True),  # goes on in spite of a contradiction with a duplicate: a gap
        tick(PROTEIN, PLATES, believed=0),  # the partner switches, but the belief is wrong
        tick(PLATES, PLATES, believed=2, chosen=True),  # a selection, right belief, duplicate: a gap
    ]
    steps = step_arrays(ticks)
    assert coordination.decision_points(steps).tolist() == [True, False, False, False, True]
    assert coordination.gap_rate(steps) == pytest.approx(1 / 2)
    points = coordination.all_points(steps, [RoleChange(3, 4, 2), RoleChange(-1, 2, 0)])
    assert points.tolist() == [True, False, True, True, True]
    assert coordination.gap_rate_all_points(steps, points) == pytest.approx(2 / 3)
    assert coordination.all_points(steps, []).tolist() == [True, False, True, False, True]


def test_comp_at_3_asks_for_a_complement_within_three_steps_of_a_contradiction():
    late = [tick(PROTEIN, PROTEIN, contradiction=True), *[tick(PROTEIN, PROTEIN)] * 2, tick(RICE, PROTEIN)]
    soon = [tick(PROTEIN, PROTEIN, contradiction=True), tick(PROTEIN, PROTEIN), tick(RICE, PROTEIN)]
    assert coordination.comp_at(step_arrays(late), 3) == 0.0
    assert coordination.comp_at(step_arrays(soon), 3) == 1.0
    assert coordination.comp_at(step_arrays([tick(RICE, PROTEIN)]), 3) is None


def test_counts_come_from_the_ego_and_the_last_state():
    result = measures.measure(trace(tick(RICE, PROTEIN, chosen=True), tick(RICE, PROTEIN, chosen=True, replanned=True)))
    assert result["reward"] == 88
    assert result["replans"] == 1
    assert (result["planner_calls"], result["planner_retries"], result["planner_fallbacks"]) == (4, 2, 0)
    since = measures.measure(trace(tick(RICE, PROTEIN, chosen=True, replanned=True), tick(RICE, PROTEIN)), since=1)
    assert (since["reward"], since["replans"], since["planner_calls"]) == (0, 0, 0)
    assert set(result) >= {
        "reward",
        "deliveries",
        "skill_accuracy",
        "gap_rate",
        "comp_at_3",
        "duplicate_rate",
    }


def test_a_span_knows_which_role_was_pursued_before_it():
    game = trace(*[tick(RICE, PROTEIN)] * 12, *[tick(RICE, PLATES)] * 12)
    assert [measures.measure(game, since)["switches"] for since in (0, 8, 12, 13)] == [1, 1, 1, 0]
    late = tick(RICE, PLATES, replanned=True)
    game = trace(*[tick(RICE, PROTEIN)] * 12, *[tick(RICE, PLATES)] * 12, late)
    assert measures.measure(game, since=20)["needless_replans"] == 0  # the switch before the span explains it


def test_what_planning_took_counts_every_question_and_is_none_where_it_is_not_known():
    free = tick(RICE, PROTEIN, chosen=True)
    assert measures.measure(trace(free))["planner_prompt_tokens"] is None
    judged = (LLMCall("judge", (), "", 3, "unreadable", Usage(100, 2, 0.5)), LLMCall("judge", (), ""))
    paid = tick(RICE, PROTEIN)
    paid = paid._replace(decisions=(paid.decisions[0]._replace(calls=judged), paid.decisions[1]))
    plan = LLMCall("plan", (), "", usage=Usage(50, 1, 0.25, cost=0.01), skill=int(RICE))
    dear = tick(RICE, PROTEIN, chosen=True)
    dear = dear._replace(decisions=(dear.decisions[0]._replace(calls=(plan,)), dear.decisions[1]))
    result = measures.measure(trace(paid, dear))
    assert (result["planner_calls"], result["planner_retries"], result["planner_fallbacks"]) == (5, 2, 0)
    assert (result["planner_prompt_tokens"], result["planner_completion_tokens"]) == (150, 3)
    assert (result["planner_seconds"], result["planner_cost"]) == (0.75, 0.01)


def test_the_streak_is_the_longest_one():
    game = trace(*[tick(RICE, PROTEIN) for _ in range(4)])
    for each, streak in zip(game.ticks, (1, 3, 0, 2), strict=True):
        each.state[STREAK] = streak
    assert measures.measure(game)["streak"] == 3
    assert measures.measure(game, since=2)["streak"] == 2


SOME = st.builds(
    tick,
    st.sampled_from([*ROLE, Skill.STAY]),
    st.sampled_from([*ROLE, Skill.STAY]),
    believed=st.integers(0, 3),
    sure=st.sampled_from([0.5, 0.9]),
    contradiction=st.booleans(),
    chosen=st.booleans(),
    replanned=st.booleans(),
    completes=st.booleans(),
)


@given(st.lists(SOME, min_size=1, max_size=30))
def test_shares_are_shares_and_counts_fit_together(ticks):
    found = measures.measure(trace(*ticks))
    for name in ("skill_accuracy", "skill_accuracy_confident", "gap_rate", "gap_rate_confident"):
        assert found[name] is None or 0 <= found[name] <= 1
    for name in ("comp_at_3", "duplicate_rate", "reached_10", "reached_30"):
        assert found[name] is None or 0 <= found[name] <= 1
    assert found["comp_at_3"] is None or found["contradictions"] > 0
    assert (found["comp_at_3_all_points"] is None) == (found["contradictions"] == 0)
    for name in ("gap_rate_all_points", "comp_at_3_all_points", "same_role_rate", "observer_calibration"):
        assert found[name] is None or 0 <= found[name] <= 1
    assert found["observer_log_loss"] is None or found["observer_log_loss"] >= 0
    assert found["switches_detected"] <= found["switches"] < len(ticks)
    assert found["recovery"] is None or 0 <= found["recovery"] < len(ticks)
    assert found["detection_delay"] is None or found["switches_detected"] > 0
    assert found["needless_replans"] <= found["replans"]
    assert found["reached_10"] is None or found["reached_10"] <= found["reached_30"]
    assert found["planner_retries"] <= found["planner_calls"]


@given(st.lists(SOME, min_size=1, max_size=20))
def test_the_gap_and_the_duplicates_never_count_a_step_twice(ticks):
    steps = step_arrays(ticks)
    points = coordination.all_points(steps, role_changes(steps))
    assert not (coordination.decision_points(steps) & ~points).any()
    gaps, right = coordination.belief_action_gap(steps), coordination.map_correct(steps)
    assert len(points) == len(ticks)
    assert not (gaps & ~right).any()
    assert not (gaps & coordination.complements(steps)).any()
