"""Decisions without a usable answer are counted over games; none are not spoken of."""

from bba.bench.formatting import fallback_note


def test_games_without_fallbacks_or_without_measures_say_nothing():
    assert fallback_note([]) == []
    assert fallback_note([{"planner_fallbacks": 0}, {"planner_fallbacks": None}, {}, None]) == []


def test_decisions_and_games_are_counted():
    (line,) = fallback_note([{"planner_fallbacks": 3}, {"planner_fallbacks": 0}, {"planner_fallbacks": 2}, None])
    assert line.startswith("5 decisions in 2 of 3 games had no usable answer")
    assert fallback_note([{"planner_fallbacks": 1}])[0].startswith("1 decision in 1 of 1 game had")
