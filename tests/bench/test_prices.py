"""What `python -m benchmarks.prices` plays and writes: at another price than the shipped one other games are played."""

import sys

import pytest
from scipy import stats

from bba.agents import planners
from bba.agents.scripted_planner import ScriptedPlanner
from bba.planner.scripted import skill_choice
from benchmarks import prices
from benchmarks.prices import FILTER, SHIPPED, Case, _outcomes, main, priced, rows
from benchmarks.summaries import read_rows

CASES = [Case("switching", seed) for seed in range(3)]


def believing(price, horizon=300):
    with priced(price):
        return _outcomes(prices.KNOWS[FILTER], prices.EGO, "open", CASES, horizon)


def test_another_price_makes_other_games_and_the_shipped_one_the_same_by_plain_rules(monkeypatch):
    shipped = believing(SHIPPED)
    assert believing(20 * SHIPPED) != shipped
    monkeypatch.setattr(prices, "SHIPPED", -1.0)  # no price is: so plain rules play
    assert believing(SHIPPED) == shipped


def test_the_price_is_the_shipped_one_again_whatever_happens(monkeypatch):
    monkeypatch.setattr(prices, "Outcome", lambda *_: skill_choice.OVERLAP_PENALTY.hex.nothing)
    with pytest.raises(AttributeError):
        believing(0.0, horizon=2)
    assert SHIPPED == skill_choice.OVERLAP_PENALTY
    assert planners.ScriptedPlanner is ScriptedPlanner


def test_a_row_has_its_seeds_and_scipys_interval_of_them(monkeypatch):
    monkeypatch.setattr(
        prices,
        "_outcomes",
        lambda play, ego, layout, cases, _: [
            prices.Outcome(100.0 + case.seed**2 * (ego == prices.EGO) + 7 * (case.partner == "switching"), 0.1)
            for case in cases
        ],
    )
    row, _ = rows("open", range(4), [SHIPPED], 10)
    assert (row["seeds"], row["pairs"]) == ("4", "8")
    low, high = stats.ttest_1samp([0, 1, 4, 9], 0).confidence_interval()
    assert (float(row["difference_low"]), float(row["difference_high"])) == pytest.approx((low, high), abs=0.05)
    assert float(row["percent"]) == pytest.approx(100 * 3.5 / 103.5, abs=0.05)
    assert row["duplicates"] == "0.000"


def test_the_table_is_written(tmp_path, monkeypatch, capsys):
    file = tmp_path / "new" / "oracle.csv"
    words = ["--prices", "12", "--layouts", "burrito", "--seeds", "1", "--horizon", "400", "--out", str(file)]
    monkeypatch.setattr(sys, "argv", ["prices", *words])
    main()
    found = read_rows(file)
    assert [(row["layout"], row["knows"], row["seeds"]) for row in found] == [
        ("burrito", "true role", "1"),
        ("burrito", "filter", "1"),
    ]
    assert found[0]["difference_low"] == "", "a single seed has no interval"
    assert len(capsys.readouterr().out.splitlines()) == 2
