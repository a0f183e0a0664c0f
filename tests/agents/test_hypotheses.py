"""The hypotheses and what they are worth, worked out by hand."""

import pytest

from bba.agents.hypothesis_store import Hypothesis, HypothesisStore, updated
from bba.planner.scripted.hypotheses import SURE, TOP


@pytest.mark.parametrize(
    ("truths", "values"),
    [
        ("TTTT", [0.3, 0.51, 0.657, 0.7599]),
        ("FFF", [-0.3, -0.51, -0.657]),
        ("TFTT", [0.3, -0.09, 0.237, 0.4659]),
        ("FT", [-0.3, 0.09]),
    ],
)
def test_a_value_follows_v_plus_three_tenths_of_the_surprise(truths, values):
    value, course = 0.0, []
    for truth in truths:
        value = updated(value, came_true=truth == "T")
        course.append(value)
    assert course == pytest.approx(values)


def store(**values):
    held = HypothesisStore()
    for text, value in values.items():
        held = HypothesisStore((*held.ranked, Hypothesis(text, value)))
    return held


def test_a_new_hypothesis_is_worth_nothing_and_comes_before_older_ones_of_the_same_value():
    held = store(a=0.3, b=0.0, c=-0.3).after("generate", "new", 0)
    assert [known.text for known in held.ranked] == ["a", "new", "b", "c"]
    assert held.ranked[1] == Hypothesis("new", 0.0)


def test_what_is_proposed_again_is_held_once_and_starts_anew_where_it_had_failed():
    assert store(a=0.3, b=-0.5).after("generate", "b", 0).ranked == (Hypothesis("a", 0.3), Hypothesis("b", 0.0))
    assert store(a=0.3, b=-0.5).after("generate", "a", 0).ranked == (Hypothesis("a", 0.3), Hypothesis("b", -0.5))


def test_only_those_that_predicted_are_scored_once_and_then_ranked_anew():
    held = store(a=0.2, b=0.1, c=0.0).predicted([8, 11])
    assert [known.text for known in held.predicting] == ["a", "b"]
    scored = held.after("evaluate", "1: FALSE\n2: TRUE", 0)
    assert [known.text for known in scored.ranked] == ["b", "c", "a"]
    assert [known.value for known in scored.ranked] == pytest.approx([0.1 + 0.27, 0.0, 0.2 - 0.36])
    assert scored.predicting == ()
    assert scored.after("evaluate", "", 0) == scored


def test_new_predictions_take_the_place_of_all_earlier_ones():
    held = store(a=0.2, b=0.1).predicted([8, 11]).predicted([5])
    assert [known.prediction for known in held.ranked] == ["5:GO_TO_SINK_TO_WASH_PLATE", ""]
    assert held.predicted(()).predicting == ()


def test_only_the_best_count_and_none_is_looked_for_once_one_is_sure():
    held = store(**{f"h{i}": 0.1 for i in range(TOP + 2)})
    assert held.prompt_values(0)["hypotheses"].count("\n") == TOP - 1
    assert not store(a=SURE).sure
    assert store(a=SURE + 0.01).sure
    assert not HypothesisStore().sure
