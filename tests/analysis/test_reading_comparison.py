"""What each difference between our reading and the preprint's changes, on games of their own."""

import pytest

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


def test_the_table_has_a_line_for_each_row(trace):
    found: ReadingTally = tally(trace)
    lines = as_csv([Row("open", "ours", [("switching", 1), ("switching", 2)], [found, found])]).splitlines()
    assert lines[0].startswith("layout,reading,games,contradictions,")
    assert lines[1].startswith(f"open,ours,2,{found.contradictions:.3f},")
    assert lines[0].count(",") == lines[1].count(",")
