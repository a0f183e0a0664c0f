"""What each difference between our reading and the preprint's changes, on games of their own."""

import csv

import pytest
from scipy import stats

from bba.analysis.coordination import observer_tally
from bba.config import NAMED_GROUPS, BeliefConfig
from bba.play import Game
from benchmarks.readings import READINGS, ReadingTally, Row, as_csv, tally


@pytest.fixture(scope="module")
def trace():
    return Game("open", "bayes", "switching", 20, horizon=400, fast=True).run()


def test_each_difference_stands_alone_and_together_they_are_the_preprints():
    alone = [values for values in READINGS.values() if len(values) == 1 and "reading" not in values]
    together = {name: value for values in alone for name, value in values.items()}
    whole = NAMED_GROUPS["reading"]["preprint"]
    assert BeliefConfig.of(whole) == BeliefConfig.of(
        {name: value for name, value in together.items() if name not in ("stability", "posterior_actions")}
    )
    assert len({str(BeliefConfig.of(values)) for values in READINGS.values()}) == len(READINGS)


def test_the_counts_are_those_of_the_egos_own_belief_and_gate(trace):
    found = tally(trace)
    gates = [tick.decisions[0].gate for tick in trace.ticks[1:]]
    assert found.contradictions == sum(gate.contradiction for gate in gates) > 0
    assert found.openings == sum(tick.decisions[0].replanned for tick in trace.ticks)
    assert found.belief.right == observer_tally(trace).right  # its parameters are the observer's
    assert found.delays
    assert max(found.delays) <= 30


def test_a_reward_is_held_against_ours_in_the_same_games(trace):
    found = tally(trace)
    games = [(partner, seed) for partner in ("switching", "bp:G1-1") for seed in range(3)]
    rewards = {"ours": [10, 20, 30, 40, 50, 60], "no floor": [11, 22, 36, 42, 53, 66]}  # leads of seeds: 1.5, 2.5, 6
    rows = [
        Row("open", name, games, [found._replace(reward=reward) for reward in values])
        for name, values in rewards.items()
    ]
    ours, other = csv.DictReader(as_csv(rows).splitlines())
    ends = stats.ttest_1samp([1.5, 2.5, 6], 0).confidence_interval()
    columns = [f"reward_minus_ours{end}" for end in ("", "_low", "_high")]
    assert [float(other[column]) for column in columns] == pytest.approx([10 / 3, *ends], abs=1e-3)
    assert {ours[column] for column in columns} == {"0.000"}


def test_the_table_has_a_line_for_each_row(trace):
    found: ReadingTally = tally(trace)
    lines = as_csv([Row("open", "ours", [("switching", 1), ("switching", 2)], [found, found])]).splitlines()
    assert lines[0].startswith("layout,reading,games,seeds,contradictions,")
    assert lines[1].startswith(f"open,ours,2,2,{found.contradictions:.3f},")
    assert lines[0].count(",") == lines[1].count(",")
