"""Results as text: decimals and headings are those of the table of measures."""

from types import SimpleNamespace

import pytest

from bba.analysis.measures import EPISODE_MEASURES, MEASURES
from bba.bench.formatting import (
    NONE,
    cell_text,
    column_text,
    duration,
    heading_text,
    measure_meaning,
    seeds_text,
    summary_text,
    thousands,
    value_text,
)
from bba.bench.statistics import Summary
from bba.bench.table_spec import TableSpec
from bba.bench.tables import TableCell
from bba.tables import Cell


@pytest.mark.parametrize(
    ("value", "measure", "text"),
    [(None, "recovery", NONE), (12, "reward", "12"), (0.456, "gap_rate", "0.46"), (7.66, "recovery", "7.7")],
)
def test_a_value_has_the_decimals_of_its_measure(value, measure, text):
    assert value_text(value, measure) == text


@pytest.mark.parametrize(
    ("summary", "measure", "text"),
    [
        (Summary(2131.4, 5, sd=187.2), "reward", "2131 ± 187"),
        (Summary(0.416, 5, sd=0.061), "gap_rate", "0.42 ± 0.06"),
        (Summary(1.024, 20), "br_prox", "1.02"),
        (Summary(-4.2, 20, low=-14.4, high=7.3), "reward", "-4 [-14, 7]"),
        (Summary(-0.001, 20, low=-0.004, high=0.003), "gap_rate", "+0.00 [0.00, 0.00]"),
    ],
)
def test_a_summary_has_its_spread_and_no_negative_zero(summary, measure, text):
    assert summary_text(summary, measure) == text


def test_an_empty_cell_is_a_dash_with_what_is_missing():
    assert cell_text(TableCell(None, 2, None), "reward") == Cell(NONE, "2 missing")


def test_headings_name_measures_by_their_labels():
    assert heading_text({"agent": "bayes", "measure": "comp_at_3"}, ", ") == "bayes, Comp@3"
    assert column_text({}, TableSpec(measures=("gap_rate",))) == "gap rate"


def test_a_meaning_says_which_direction_is_better():
    assert measure_meaning("reward") == "the team's reward; more is better"
    assert measure_meaning("gap_rate").endswith("; less is better")
    assert measure_meaning("replans") == MEASURES["replans"].meaning


@pytest.mark.parametrize(("seconds", "text"), [(48.4, "48 s"), (192, "3 min 12 s"), (3900, "1 h 5 min")])
def test_a_duration_has_two_units(seconds, text):
    assert duration(seconds) == text


@pytest.mark.parametrize(("seeds", "text"), [(1, "7"), (3, "7 to 9")])
def test_seeds_are_named_from_the_first_to_the_last(seeds, text):
    assert seeds_text(SimpleNamespace(first_seed=7, seeds=seeds)) == text


def test_large_numbers_are_grouped():
    assert thousands(16389.2) == "16 389"


def test_labels_and_meanings_of_measures_are_unique():
    for values in ([one.label for one in MEASURES.values()], [one.meaning for one in MEASURES.values()]):
        assert len(set(values)) == len(MEASURES)
    assert set(MEASURES) - set(EPISODE_MEASURES) == {"br_prox"}
