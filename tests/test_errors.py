"""What a message offers instead of a wrong name."""

from bba.errors import instead, nearest


def test_the_nearest_names_come_first_and_equals_in_the_given_order():
    assert nearest("humn", ["serve", "human", "huma", "rice"]) == ["human", "huma", "serve"]
    assert nearest("b9", ["b1", "b3", "b2", "c"]) == ["b1", "b3", "b2"]


def test_a_few_names_are_all_listed():
    assert instead("opn", ["ring", "open"]) == "there are ring, open"
    assert instead("opn", ["ring", "open", "a", "b", "c"]).startswith("the nearest are open, ")
