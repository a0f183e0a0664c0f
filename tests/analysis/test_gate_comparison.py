"""How a gate follows the partner's switches: simulated on a game, and against the game itself."""

import pytest

from bba.analysis.human_choices import role_changes
from bba.belief import CommitmentGate, Gate, hypothesis_space
from bba.config import CommitmentConfig, GateConfig
from bba.play import Game
from bba.play.ticks import step_arrays
from benchmarks.gates import GateTally, openings, replans, summaries, tally


@pytest.fixture(scope="module")
def watched():
    """A game in which no gate decides, so that a simulated gate has every opening to itself."""
    return Game("open", "bayes-no-replan", "switching", 20, horizon=400).run()


@pytest.fixture(scope="module")
def committed():
    return Game("open", "bayes-commit", "switching", 20, horizon=400).run()


def test_a_simulated_gate_opens_where_the_watching_one_did(watched):
    gates = Gate.of(GateConfig()), CommitmentGate.of(CommitmentConfig(), hypothesis_space("roles"))
    opened = [
        [index for index, tick in enumerate(watched.ticks) if of(tick.decisions[0]) and of(tick.decisions[0]).opens]
        for of in (lambda decision: decision.gate, lambda decision: decision.commitment_gate)
    ]
    assert [openings(watched.ticks, gate) for gate in gates] == opened
    assert opened[1]


def test_what_is_reached_and_what_is_needless(watched):
    changes = role_changes(step_arrays(watched.ticks))
    assert changes
    last = changes[-1].start
    always = tally(watched.ticks, range(len(watched.ticks)))
    assert (always.changes, always.soon, always.later) == (len(changes),) * 3
    assert always.replans == len(watched.ticks)
    never, late = tally(watched.ticks, []), tally(watched.ticks, [last + 31])
    assert (late.soon, late.later, late.needless) == (never.soon, never.later, 1)
    assert tally(watched.ticks, [last + 30]).needless == 0
    assert tally(watched.ticks, [last]).needless == 0
    assert never.soon <= never.later < len(changes)


def test_a_decision_of_its_own_reaches_a_change_only_with_the_right_map(watched):
    found = 0
    for change in role_changes(step_arrays(watched.ticks)):
        window = watched.ticks[change.start + 1 : change.start + 31]
        chosen = [tick.decisions[0].belief.map_index for tick in window if tick.decisions[0].chosen]
        found += change.role in chosen
    assert tally(watched.ticks, []).later == found


def test_in_play_the_replans_are_those_of_the_trace(committed):
    found = replans(committed.ticks)
    assert found == [index for index, tick in enumerate(committed.ticks) if tick.decisions[0].replanned] != []
    counted = tally(committed.ticks, found)
    assert counted.replans == len(found)
    assert counted.later >= tally(committed.ticks, []).later


def test_the_measures_of_a_gate_are_shares_and_means_over_games():
    tallies = [GateTally(10, 1, 10, 3, 0), GateTally(10, 1, 0, 3, 2)]
    found = summaries("open", [5, 6], tallies)
    assert (found["later"].mean, found["replans"].mean, found["needless"].mean) == (0.5, 3.0, 1.0)
    assert (found["replans"].low, found["replans"].high) == (3.0, 3.0)
    assert found["later"].low < 0 < 1 < found["later"].high, "two games tell nearly nothing"
    assert summaries("open", [5], [GateTally(0, 0, 0, 0, 0)])["later"].mean == 0.0
