"""The belief over what one partner tends to do: near the exact posterior, calibrated, and quick to know a refusal."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from bba.agents import EpisodeContext, SeatSpec
from bba.agents.learned.weights import planning_networks
from bba.agents.planning_agent import partner_model
from bba.belief.likelihood import StayModel
from bba.belief.partner_types import BY_PROPENSITY
from bba.belief.propensities import (
    SAMPLES,
    WEIGHTS,
    PopulationNetwork,
    PropensityBelief,
    factorise,
    solve_lower,
    solve_upper,
)
from bba.config import BeliefConfig, FilterConfig
from bba.kitchen import Layout
from bba.kitchen.constants import BOIL, CHOP, GRAB_CLEAN_PLATE, GRAB_MUSHROOM, GRAB_RICE, N_SKILLS, NO_SKILL, SKILL_STAY
from bba.planner import BehaviourNetwork
from bba.play import Game

VARIANCE = 4.0
PROPENSITIES = BeliefConfig(filter=FilterConfig(psi="skills", prior="propensities"))
MOBILITY = 0.35


def new_belief():
    belief = PropensityBelief(PopulationNetwork((), np.full(N_SKILLS, VARIANCE, np.float32)), fast=True)
    belief.begin(np.full(N_SKILLS, 1 / N_SKILLS))
    return belief


def expected_of(belief, base):
    """What is expected of a choice: the mean over the samples."""
    weighed = base * belief.weights
    return (weighed / weighed.sum(axis=1, keepdims=True)).mean(axis=0)


def see(belief, skill, base, upcoming):
    """The partner completes a skill that it chose where `base` was likely; then `upcoming` is."""
    belief.observe(np.eye(N_SKILLS)[skill], skill, expected_of(belief, upcoming))


def chosen_of(base, log_propensities, rng):
    weighed = base * np.exp(log_propensities)
    return int(rng.choice(N_SKILLS, p=weighed / weighed.sum()))


def test_equations_are_solved_as_numpy_does():
    rng = np.random.default_rng(0)
    root = rng.standard_normal((9, 9))
    matrix, lower, vector = root @ root.T + np.eye(9), np.zeros((9, 9)), rng.standard_normal(9)
    factorise(matrix, lower)
    assert lower @ lower.T == pytest.approx(matrix)
    solution = vector.copy()
    solve_lower(lower, solution)
    solve_upper(lower, solution)
    assert matrix @ solution == pytest.approx(vector)


def test_samples_have_the_mean_and_about_the_spread_of_the_belief():
    belief = new_belief()
    base = np.zeros(N_SKILLS)
    base[[3, 8]] = 0.5
    belief.begin(base)
    for _ in range(5):
        see(belief, 8, base, base)
    logs = np.log(belief.weights / WEIGHTS)
    assert belief.weights.shape == (SAMPLES, N_SKILLS)
    assert belief.weights.max(axis=1).tolist() == [WEIGHTS] * SAMPLES
    difference = (logs[:, 8] - logs[:, 3]).mean()
    assert difference == pytest.approx(belief.mean[8] - belief.mean[3], abs=1e-3)
    assert belief.covariance[8, 8] < VARIANCE
    assert belief.covariance[20, 20] == pytest.approx(VARIANCE)  # a skill that was never possible says nothing


@pytest.mark.parametrize("chosen", [[0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0, 1, 1, 1, 1]])
def test_between_two_skills_it_is_near_the_exact_posterior(chosen):
    """The difference of two log-propensities has variance 2 σ²; its posterior is summed on a grid."""
    base = np.zeros(N_SKILLS)
    base[[2, 5]] = (0.6, 0.4)
    belief = new_belief()
    belief.begin(expected_of(belief, base))
    grid = np.linspace(-15, 15, 3001)
    first = 1 / (1 + np.exp(-grid) * base[5] / base[2])
    density = np.exp(-(grid**2) / (4 * VARIANCE))
    for choice in chosen:
        see(belief, (2, 5)[choice], base, base)
        density *= first if choice == 0 else 1 - first
    exact = (density * first).sum() / density.sum()
    assert expected_of(belief, base)[2] == pytest.approx(exact, abs=0.08)


def test_what_is_expected_of_partners_from_the_prior_comes_true_as_often_as_it_says():
    rng = np.random.default_rng(5)
    said, came = [], []
    for _ in range(60):
        log_propensities = rng.normal(0, np.sqrt(VARIANCE), N_SKILLS)
        belief = new_belief()
        base = rng.dirichlet(np.full(N_SKILLS, 0.3))
        belief.begin(expected_of(belief, base))
        for _ in range(25):
            said.append(expected_of(belief, base))
            skill = chosen_of(base, log_propensities, rng)
            came.append(np.eye(N_SKILLS)[skill])
            upcoming = rng.dirichlet(np.full(N_SKILLS, 0.3))
            see(belief, skill, base, upcoming)
            base = upcoming
    said, came = np.array(said), np.array(came)
    sure, right = said.max(axis=1), came[np.arange(len(came)), said.argmax(axis=1)]
    bins = np.digitize(sure, np.linspace(0, 1, 11)[1:-1])
    assert sum(abs((sure - right)[bins == number].sum()) for number in range(10)) / len(sure) < 0.05
    likelihood = np.log((said * came).sum(axis=1).reshape(60, 25))
    assert likelihood[:, 15:].mean() > likelihood[:, :5].mean() + 0.3


def test_a_refusal_is_known_after_few_missed_opportunities():
    """Washing is as likely as the rest together, and never done."""
    belief = new_belief()
    base = np.zeros(N_SKILLS)
    base[[5, 8, 11]] = (0.5, 0.25, 0.25)
    belief.begin(expected_of(belief, base))
    shares = []
    for missed in range(6):
        see(belief, (8, 11)[missed % 2], base, base)
        shares.append(expected_of(belief, base)[5])
    assert shares[2] < 0.2
    assert shares[-1] < 0.12
    assert all(later < earlier for earlier, later in pairwise(shares))


def test_a_habit_is_told_once_it_is_sure():
    """One skill is never done, the second as often as expected of others, the third in its place."""
    belief = new_belief()
    base = np.zeros(N_SKILLS)
    base[[5, 8, 11]] = (0.5, 0.25, 0.25)
    belief.begin(expected_of(belief, base))
    assert (belief.seldom, belief.often) == ((), ())
    for choice in range(40):
        see(belief, 8 if choice % 4 == 0 else 11, base, base)
    assert (belief.seldom, belief.often) == ((5,), (11,))


@pytest.mark.parametrize(("partner", "told"), [("scratch:G1-1", True), ("switching", False)])
def test_habits_are_told_of_a_partner_that_probably_has_some(partner, told):
    seat = SeatSpec("bayes", belief_changes={"belief": "propensities"})
    trace = Game("open", seat, partner, 620, horizon=400, fast=True).run()
    beliefs = [tick.decisions[0].belief for tick in trace.ticks]
    assert any(belief.often for belief in beliefs) == told
    assert all(belief.by_propensity > 0.5 for belief in beliefs if belief.often or belief.seldom)
    if told:  # it likes to wash plates, and to take clean ones
        assert GRAB_CLEAN_PLATE in beliefs[-1].often


def test_waiting_counts_by_its_probability():
    base = np.zeros(N_SKILLS)
    base[[SKILL_STAY, 8]] = 0.5
    means = []
    for waited in (1.0, 0.3, 0.0):
        belief = new_belief()
        belief.begin(expected_of(belief, base))
        running = np.zeros(N_SKILLS)
        running[SKILL_STAY], running[8] = waited, 1 - waited
        for _ in range(4):
            belief.observe(running, NO_SKILL, expected_of(belief, base))
        means.append(belief.mean[SKILL_STAY])
    assert means[0] > means[1] > means[2] == 0


def test_a_copy_is_independent():
    belief = new_belief()
    clone = belief.copy()
    see(clone, 8, np.full(N_SKILLS, 1 / N_SKILLS), np.full(N_SKILLS, 1 / N_SKILLS))
    assert belief.mean.tolist() == [0] * N_SKILLS
    assert clone.mean[8] > 0


def observed(partner, steps, layout="open", fast=True, seed=31):
    """The belief over who a partner is after a game beside the scripted planner."""
    context = EpisodeContext(0, Layout.load(layout), 3, StayModel.NOISY, fast=fast, partner_mobility=MOBILITY)
    model = partner_model(context, PROPENSITIES)
    trace = Game(layout, "proagent", partner, seed, horizon=steps, fast=True).run()
    states = [trace.start, *(tick.state for tick in trace.ticks)]
    model.observe(None, states[0], mid_skill=False)
    for before, after in pairwise(states):
        model.observe(before, after, mid_skill=True)
    return model.types, states


@pytest.mark.parametrize("layout", ["open", "ring"])
@pytest.mark.parametrize(("partner", "is_one"), [("scratch:G1-4", True), ("switching", False)])
def test_a_partner_from_nothing_is_told_from_one_with_roles(layout, partner, is_one):
    types, _ = observed(partner, 300, layout)
    share = types.by_propensity
    assert share > 0.9 if is_one else share < 0.1
    assert types.joint.sum() == pytest.approx(1)
    assert types.locked < 0.1


def test_what_a_partner_never_does_is_expected_of_it_no_more():
    """scratch:G2-4 dislikes chopping and potting rice."""
    types, states = observed("scratch:G2-4", 600)
    network = BehaviourNetwork(planning_networks(Layout.load("open")), fast=True)
    even = np.full((1, N_SKILLS), WEIGHTS)
    population, own = [], []
    for state in states[::20]:
        population.append(network.choices_of_types(state, even, 1)[-1])
        own.append(network.choices_of_types(state, types.propensities.weights, 1)[-1])
    disliked = [BOIL, CHOP, GRAB_MUSHROOM, GRAB_RICE]
    assert np.mean(own, axis=0)[disliked].sum() < 0.5 * np.mean(population, axis=0)[disliked].sum()


def test_plain_and_compiled_kernels_believe_the_same():
    compiled, _ = observed("scratch:G2-1", 30)
    plain, _ = observed("scratch:G2-1", 30, fast=False)
    assert plain.joint == pytest.approx(compiled.joint, abs=1e-9)
    assert (plain.propensities.weights == compiled.propensities.weights).all()


def test_where_no_population_is_known_the_belief_is_over_types_alone():
    context = EpisodeContext(
        0, Layout.load("forced_coordination"), 3, StayModel.NOISY, fast=True, partner_mobility=MOBILITY
    )
    types = partner_model(context, PROPENSITIES).types
    assert types.propensities is None
    assert BY_PROPENSITY not in types.types.choosers


def test_a_copied_belief_over_types_learns_alone():
    types, states = observed("scratch:G1-1", 40)
    clone = types.copy()
    mean = types.propensities.mean
    partial(clone.expected, states[-2])(states[-1])
    assert types.propensities.mean == pytest.approx(mean)
    assert clone.propensities is not types.propensities


def test_a_belief_that_does_not_watch_expects_in_each_state_what_it_would_at_first():
    trace = Game("open", "proagent", "scratch:G1-1", 5, horizon=80, fast=True).run()
    context = trace.config.context(0, fast=True)
    unwatching = BeliefConfig(filter=FilterConfig(psi="skills", prior="population"))
    model = partner_model(context, unwatching)
    watching = partner_model(context, PROPENSITIES)
    before = None
    for state in [trace.start, *(tick.state for tick in trace.ticks)]:
        for each in (model, watching):
            each.observe(before, state, mid_skill=True)
        before = state
    first = partner_model(context, PROPENSITIES)
    first.observe(None, state, mid_skill=True)
    assert model.types.joint == pytest.approx(first.types.joint)
    assert not model.types.propensities.mean.any()
    assert watching.types.propensities.mean.any()
