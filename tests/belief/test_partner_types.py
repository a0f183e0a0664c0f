"""The belief over who the partner is: exact, sure of a locked partner soon, and never of one that adapts."""

from functools import partial
from itertools import pairwise

import numpy as np
import pytest

from bba.agents import EpisodeContext
from bba.agents.learned.weights import planning_networks
from bba.agents.planning_agent import partner_model
from bba.belief.likelihood import StayModel
from bba.belief.partner_model import PartnerModel
from bba.belief.partner_types import (
    ADAPTS,
    DROPS,
    LOCKED,
    NO_SAMPLES,
    RETYPED,
    ROLE_FIRST,
    SURPRISE,
    OracleKnowledge,
    TypeScratch,
    TypeSpace,
    action_probability,
    skill_likelihoods,
    update_types,
)
from bba.belief.roles import PREP_RICE, ROLE_NAMES, ROLE_OF_SKILL, SERVING
from bba.config import BeliefConfig, FilterConfig
from bba.kitchen import Layout
from bba.kitchen.constants import ACTION_STAY, BOIL, COMPLETED, EVENT, INTERACT, N_SKILLS, SKILL_STAY
from bba.kitchen.controller import completes
from bba.kitchen.layout import grid_of
from bba.kitchen.skills import nearest_target
from bba.planner import BehaviourNetwork
from bba.play import Game

TYPES = BeliefConfig(filter=FilterConfig(psi="skills", prior="types"))
MOBILITY = 0.35


def model_of(layout="open", truth=None):
    context = EpisodeContext(0, Layout.load(layout), 3, StayModel.NOISY, fast=True, partner_mobility=MOBILITY)
    return partner_model(context, TYPES, truth=truth)


def states_of(partner, steps, layout="open", seed=30):
    trace = Game(layout, "proagent", partner, seed, horizon=steps, fast=True).run()
    return trace, [trace.start, *(tick.state for tick in trace.ticks)]


def observed(partner, steps, layout="open", seed=30, truth=None):
    """The model after a game's steps, and how sure it was of a locked partner after each."""
    model, (trace, states) = model_of(layout, truth), states_of(partner, steps, layout, seed)
    model.observe(None, states[0], mid_skill=False)
    locked = []
    for before, after in pairwise(states):
        model.observe(before, after, mid_skill=True)
        locked.append(model.types.locked)
    return model, np.array(locked), trace, states


@pytest.mark.parametrize("layout", ["open", "ring"])
@pytest.mark.parametrize("partner", ["switching+locked", "bp:G1-1+locked"])
def test_a_locked_partner_is_known_after_two_decisions(layout, partner):
    _, locked, _, states = observed(partner, 200, layout)
    decided = np.cumsum([state[COMPLETED + 1] for state in states[1:]])
    assert decided[np.argmax(locked > 0.95)] <= 2
    assert (locked > 0.95).any()


@pytest.mark.parametrize("partner", ["switching", "bp:G1-1"])
def test_one_that_adapts_is_not_called_locked(partner):
    _, locked, _, _ = observed(partner, 300)
    assert locked[-1] < 0.05


def test_what_a_model_says_names_the_rule_and_that_of_the_preprint_does_not():
    model, locked, _, states = observed("switching+locked", 60)
    assert model.observe(states[-2], states[-1], mid_skill=True).belief.locked == pytest.approx(locked[-1], abs=0.05)
    assert PartnerModel("open", 1).observe(None, states[0], mid_skill=True).belief.locked is None


def test_the_role_of_a_locked_partner_is_known():
    model, _, trace, _ = observed("switching+locked", 75)
    by_role = [model.types.joint[model.types.types.roles == role].sum() for role in range(len(ROLE_NAMES))]
    assert np.argmax(by_role) == trace.ticks[-1].decisions[1].scheduled_role
    assert sum(by_role) == pytest.approx(1, abs=0.05)  # the rest adapts


def test_the_belief_over_skills_is_that_over_types():
    model, _, _, states = observed("switching", 40)
    shown = model.observe(states[-2], states[-1], mid_skill=True).belief.posterior
    scored = [skill for skill in range(N_SKILLS) if ROLE_OF_SKILL[skill] >= 0]
    assert np.array(shown) == pytest.approx(model.types.by_skill[scored] / model.types.by_skill[scored].sum(), abs=0.01)


def test_an_update_is_that_of_a_hidden_markov_model():
    """Against matrices over type × skill, written out without a thought of speed."""
    layout = Layout.load("ring")
    grid, types = grid_of(layout), TypeSpace.of(layout)
    network = BehaviourNetwork(planning_networks(layout), fast=True)
    _, states = states_of("switching", 80, "ring")
    rng, size = np.random.default_rng(0), len(types.rows)
    completions = 0
    for before, after in pairwise(states):
        joint = rng.dirichlet(np.full(size * N_SKILLS, 0.1)).reshape(size, N_SKILLS)
        choices = network.choices_of_types(after, NO_SAMPLES, 1)
        scratch = TypeScratch(np.zeros((2, N_SKILLS), np.int32), np.zeros(N_SKILLS), np.zeros((size, N_SKILLS)))
        skill_likelihoods(grid, before, after, 1, MOBILITY, scratch)
        expected = filtered(grid, after, types, choices, joint, scratch.likelihood)
        update_types(grid, before, after, 1, MOBILITY, types, choices, joint, scratch)
        assert joint == pytest.approx(expected, abs=1e-12)
        assert joint.sum() == pytest.approx(1)
        completions += int(after[COMPLETED + 1])
    assert completions > 2


def filtered(grid, after, types, choices, joint, likelihood):
    chosen = choices[types.rows]
    mass = joint * likelihood
    if after[COMPLETED + 1]:
        ends = np.array([completes(skill, after[EVENT + 1]) for skill in range(N_SKILLS)])
        kept, ended = np.zeros_like(mass), np.where(ends, mass, SURPRISE * joint).sum(axis=1)
    else:
        goes = np.array([s != SKILL_STAY and nearest_target(grid, after, 1, s) >= 0 for s in range(N_SKILLS)])
        kept, ended = mass * goes * (1 - DROPS), (mass * np.where(goes, DROPS, 1.0)).sum(axis=1)
    new = kept + ended[:, None] * chosen
    moved = new * (1 - types.hazards[:, None])
    for old in range(len(new)):
        for other in range(len(new)):
            same = types.choosers[old] == types.choosers[other] and types.hazards[old] == types.hazards[other]
            if same and old != other and types.hazards[old] > 0:
                share = new[old] * types.hazards[old] / (types.n_roles - 1)
                own = np.array([role == types.roles[other] for role in ROLE_OF_SKILL])
                moved[other] += share * own + (share * ~own).sum() * chosen[other]
    return moved / moved.sum() * (1 - RETYPED) + RETYPED * types.priors[:, None] * chosen


def test_what_nobody_would_do_leaves_the_prior():
    layout = Layout.load("open")
    types, before = TypeSpace.of(layout), states_of("switching", 1)[1][0]
    choices = BehaviourNetwork(planning_networks(layout), fast=True).choices_of_types(before, NO_SAMPLES, 1)
    joint = np.zeros((len(types.rows), N_SKILLS))  # of nothing
    scratch = TypeScratch(np.zeros((2, N_SKILLS), np.int32), np.zeros(N_SKILLS), np.zeros_like(joint))
    update_types(grid_of(layout), before, before, 1, MOBILITY, types, choices, joint, scratch)
    assert joint == pytest.approx(types.priors[:, None] * choices[types.rows])


def test_a_failed_step_is_no_evidence_but_an_interaction_never_fails():
    walks = 1 << 0 | 1 << 2
    probabilities = [action_probability(action, walks, MOBILITY) for action in range(6)]
    assert probabilities[ACTION_STAY] == pytest.approx(1 - MOBILITY, abs=0.02)
    assert probabilities[0] == probabilities[2] > 10 * probabilities[1]
    assert action_probability(INTERACT, 1 << INTERACT, MOBILITY) > 0.8 > action_probability(ACTION_STAY, 1 << 5, 1)


@pytest.mark.parametrize("layout", ["open", "ring", "forced_coordination", "burrito"])
def test_the_priors_of_the_types_sum_to_one_and_every_role_has_its_row(layout):
    types = TypeSpace.of(Layout.load(layout))
    assert types.priors.sum() == pytest.approx(1)
    assert types.n_roles == (6 if Layout.load(layout).pass_counters else 5)
    rows = {(c, r): row for c, r, row in zip(types.choosers, types.roles, types.rows, strict=True)}
    assert len(set(rows.values())) == len(rows) == 1 + 3 * types.n_roles
    assert types.rows.max() == 3 * types.n_roles


def test_a_locked_cook_waits_where_its_role_has_no_work_and_others_do_not():
    layout = Layout.load("open")
    state, types = states_of("switching", 1)[1][0], TypeSpace.of(layout)
    choices = BehaviourNetwork(planning_networks(layout), fast=True).choices_of_types(state, NO_SAMPLES, 1)
    assert choices.sum(axis=1) == pytest.approx(1)
    for chooser, waits in ((ROLE_FIRST, False), (LOCKED, True)):
        (row,) = {row for c, r, row in zip(*types[:2], types.rows, strict=True) if (c, r) == (chooser, SERVING)}
        assert (choices[row].argmax() == SKILL_STAY) == waits  # there is nothing to serve yet
    assert choices[0].argmax() != SKILL_STAY


def test_an_oracle_tells_role_rule_or_skill():
    told = {"role": PREP_RICE, "choosers": (LOCKED,), "skill": BOIL}
    for name, value in told.items():
        known = OracleKnowledge(**{name: value})
        model, _, _, _ = observed("switching", 30, truth=partial(lambda known, _: known, known))
        joint, types = model.types.joint, model.types.types
        possible = {
            "role": (types.roles == PREP_RICE) | (types.choosers == ADAPTS),
            "choosers": types.choosers == LOCKED,
            "skill": np.ones(len(types.rows), np.bool_),
        }[name]
        assert joint[~possible].sum() == 0
        assert joint.sum() == pytest.approx(1)
        assert name != "skill" or model.types.by_skill[BOIL] == pytest.approx(1)


def test_the_belief_moves_from_what_the_ego_believed_at_its_choice():
    model, _, _, states = observed("switching+locked", 20)
    model.remember()
    assert model.moved == 0
    other = model.copy()
    for before, after in pairwise(states[10:21]):
        other.observe(before, after, mid_skill=True)
    assert 0 < other.moved <= 1
    assert model.moved == 0
