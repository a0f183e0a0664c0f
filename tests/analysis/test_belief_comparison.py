"""How good a belief is, on games whose truth is known."""

import numpy as np
import pytest

from bba.agents.partner_models import partner_model
from bba.analysis.belief_comparison import BINS, LONGEST_DELAY, belief_tally, calibration_error, posteriors, reliability
from bba.analysis.role_changes import role_changes
from bba.belief import NO_ROLE, ROLE_NAMES
from bba.config import BeliefConfig
from bba.play import Game
from bba.play.ticks import step_arrays
from bba.play.trace import EGO, PARTNER


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
    config = trace.config.belief_config
    found = posteriors(trace, partner_model(trace.config.context(EGO, fast=True), config))
    believed = np.array([tick.decisions[EGO].belief.posterior for tick in trace.ticks])
    assert found == pytest.approx(believed)


def test_a_belief_over_skills_is_summed_up_to_roles(trace):
    model = partner_model(trace.config.context(EGO, fast=True), BeliefConfig.of({"psi": "skills"}))
    found = posteriors(trace, model)
    assert found.shape == (len(trace.ticks), len(ROLE_NAMES))
    assert found.sum(axis=1) == pytest.approx(np.ones(len(found)))


def test_who_knows_the_truth_is_always_right_and_calibrated(trace):
    tally = belief_tally(trace, sure(np.maximum(truth(trace), 0)))
    scored = int((truth(trace) != NO_ROLE).sum())
    assert (tally.steps, tally.right) == (scored, scored)
    assert tally.log_loss == pytest.approx(0)
    assert calibration_error([tally]) == pytest.approx(0)
    assert reliability([tally]) == [(1.0, 1.0, scored)]
    assert tally.switches == len(role_changes(step_arrays(trace.ticks)))


def test_who_is_sure_and_wrong_is_neither(trace):
    tally = belief_tally(trace, sure((truth(trace) + 1) % len(ROLE_NAMES), 0.95))
    assert tally.right == 0
    assert tally.log_loss / tally.steps == pytest.approx(-np.log(0.01))
    assert calibration_error([tally]) == pytest.approx(0.95)


def test_the_delay_is_that_of_the_belief(trace):
    late = 7
    roles = np.maximum(truth(trace), 0)
    changes = role_changes(step_arrays(trace.ticks))
    beliefs = np.concatenate([sure(roles[:1].repeat(late), 0.9), sure(roles, 0.9)])[: len(roles)]
    best = beliefs.argmax(axis=1).tolist()
    waits = [[*best[one.start : one.start + LONGEST_DELAY], one.role].index(one.role) for one in changes]
    tally = belief_tally(trace, beliefs)
    assert tally.delays == sum(waits) > 0


def test_bins_hold_every_step_once(trace):
    tally = belief_tally(trace, posteriors(trace, partner_model(trace.config.context(EGO, fast=True), BeliefConfig())))
    assert tally.bins.shape == (BINS, 3)
    assert tally.bins[:, 0].sum() == tally.steps
    assert tally.bins[:, 2].sum() == tally.right
