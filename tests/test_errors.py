"""What a message offers instead of a wrong name."""

import pytest

from bba.errors import instead, nearest

MANY = ["ring", "open", "attic", "cellar", "yard"]


def test_the_nearest_names_come_first_and_equals_in_the_given_order():
    assert nearest("humn", ["serve", "human", "huma", "rice"]) == ["human", "huma"]
    assert nearest("bp9", ["bp1", "bp3", "bp2", "c"]) == ["bp1", "bp3", "bp2"]


@pytest.mark.parametrize("name", ["nonsense", "xyzzy", "hello", "banana", "q", ""])
def test_what_is_spelt_like_no_name_has_none_near(name):
    assert nearest(name, ["serve", "models", "new-agent", "bell", "score", "bench"]) == []


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("Bayes_No_Replan", "bayes-no-replan"),  # case, dashes
        ("--forced-coordination", "forced_coordination"),
        ("theta", "theta_obs"),  # the beginning
        ("obs-theta", "theta_obs"),
        ("coordination", "forced_coordination"),  # a part
        ("oepn", "open"),  # letters in another order
    ],
)
def test_case_dashes_beginnings_parts_and_swapped_letters_are_near(name, near):
    known = ["open", "bayes-no-replan", "forced_coordination", "theta_obs"]
    assert nearest(name, known)[:1] == [near]


@pytest.mark.parametrize(
    ("name", "near"),
    [("--steps", "--horizon"), ("n_episodes", "seeds"), ("map", "layout"), ("teammate", "partner"), ("fps", "speed")],
)
def test_what_the_field_calls_it_is_offered_first(name, near):
    known = ["--horizon", "--export-steps", "seeds", "layout", "partner", "speed", "mobility"]
    assert nearest(name, known)[0] == near


def test_a_few_names_are_all_listed_after_the_nearest():
    assert instead("opn", ["ring", "open"]) == "the nearest is open; there are ring, open"
    assert instead("attic", ["ring", "open"]) == "there are ring, open"


def test_of_many_names_the_near_ones_are_told_else_all_or_where_they_are_listed():
    assert instead("opn", MANY) == "the nearest is open"
    assert instead("opn", [*MANY, "opens"]) == "the nearest are open, opens"
    assert instead("zoo", MANY) == "there are ring, open, attic, cellar, yard"
    assert instead("zoo", MANY, "bba-tui list names them") == "bba-tui list names them"
    assert instead("zoo", [f"garden-{number}" for number in range(100)]) == "none of 100 is near"
