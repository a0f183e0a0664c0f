"""How good a belief is, on games whose truth is known."""

import numpy as np
import pytest

from bba.analysis.coordination import BINS, belief_tally, calibration_error, observer_tally, reliability
from bba.analysis.human_choices import role_changes
from bba.belief import NO_ROLE, ROLE_NAMES
from bba.config import BeliefConfig
from bba.play import Game
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, PARTNER
from benchmarks.beliefs import LONGEST_DELAY, delays_of, posteriors


@pytest.fixture(scope="module")
def trace():
    return Game("open", "bayes", "switching", 4, horizon=400, fast=True).run()


def truth(trace):
    return np.array([tick.role(PARTNER) for tick in trace.ticks])


def sure(roles, probability=1.0):
    """A belief that gives each of these roles a probability and shares the rest."""
    beliefs = np.full((len(roles), len(ROLE_NAMES)), (1 - probability) / (len(ROLE_NAMES) - 1))
    beliefs[np.arange(len(roles)), roles] = probability
    return beliefs


def test_the_agents_own_belief_is_read_again_from_its_game(trace):
    found = posteriors(trace, trace.config.belief_config)
    believed = np.array([tick.decisions[EGO].belief.posterior for tick in trace.ticks])
    assert found == pytest.approx(believed)


def test_a_belief_over_skills_is_summed_up_to_roles(trace):
    found = posteriors(trace, BeliefConfig.of({"psi": "skills"}))
    assert found.shape == (len(trace.ticks), len(ROLE_NAMES))
    assert found.sum(axis=1) == pytest.approx(np.ones(len(found)))


def test_who_knows_the_truth_is_always_right_and_calibrated(trace):
    tally = belief_tally(trace, sure(np.maximum(truth(trace), 0)))
    scored = int((truth(trace) != NO_ROLE).sum())
    assert (tally.steps, tally.right) == (scored, scored)
    assert tally.log_loss == pytest.approx(0)
    assert calibration_error(tally.bins) == pytest.approx(0)
    assert reliability(tally.bins) == [(1.0, 1.0, scored, 0.9)]


def test_who_is_sure_and_wrong_is_neither(trace):
    tally = belief_tally(trace, sure((truth(trace) + 1) % len(ROLE_NAMES), 0.95))
    assert tally.right == 0
    assert tally.log_loss / tally.steps == pytest.approx(-np.log(0.01))
    assert calibration_error(tally.bins) == pytest.approx(0.95)


def test_the_delay_is_that_of_the_belief(trace):
    late = 7
    roles = np.maximum(truth(trace), 0)
    changes = role_changes(step_arrays(trace.ticks))
    beliefs = np.concatenate([sure(roles[:1].repeat(late), 0.9), sure(roles, 0.9)])[: len(roles)]
    best = beliefs.argmax(axis=1).tolist()
    waits = [[*best[one.start : one.start + LONGEST_DELAY], one.role].index(one.role) for one in changes]
    assert list(delays_of(trace, beliefs)) == waits
    assert sum(waits) > 0


def test_bins_hold_every_step_once(trace):
    tally = observer_tally(trace)
    assert tally.bins.shape == (BINS, 3)
    assert tally.bins[:, 0].sum() == tally.steps == np.count_nonzero(truth(trace) != NO_ROLE)
    assert tally.bins[:, 2].sum() == tally.right
    for place, (steps, confidence, _) in enumerate(tally.bins):
        assert place / BINS * steps <= confidence <= (place + 1) / BINS * steps + 1e-9


def test_the_bins_of_several_games_are_added_up():
    bins = np.zeros((BINS, 3))
    bins[5], bins[9] = (10, 5.5, 5), (10, 9.5, 4)
    assert calibration_error(bins) == pytest.approx(0.3)
