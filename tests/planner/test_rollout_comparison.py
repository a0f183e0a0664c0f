"""The comparison of skills by futures: reproducible, the same compiled and plain, right where the answer is known."""

import json
import os
import subprocess
import sys
from functools import partial

import numpy as np
import pytest

from bba.agents.learned.weights import planning_networks
from bba.belief.partner_types import ADAPTS, HAZARDS, LOCKED, NO_SAMPLES, OracleKnowledge, TypeBelief
from bba.belief.roles import PLATE_HYGIENE, PREP_RICE, hypothesis_space
from bba.belief.tendencies import SHARE, Tendencies
from bba.config import RolloutOptions
from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.constants import KEY, NO_SKILL
from bba.planner import BehaviourNetwork, SkillComparer
from bba.planner.rollout.choices import weigh
from bba.planner.rollout.futures import CERTAIN, Partners, role_at, settle
from bba.planner.rollout.networks import PROBABILITY_PARTS
from bba.planner.rollout.skill_comparison import choice_weights, draw_partners
from bba.play import Game
from tests.helpers import tiny_policies
from tests.helpers.decisions import decisions
from tests.helpers.kitchen_states import give

SMALL = RolloutOptions(futures=4, future_steps=10, margin=0.5, prior_weight=0)
TIMEOUT = 30


def comparer(options=SMALL, *, layout="open", fast=True, networks=None):
    networks = networks or tiny_policies.planning_networks(layout)
    return SkillComparer(networks, options, timeout=TIMEOUT, fast=fast)


def played(layout="open", steps=60, seed=3):
    """A kitchen in the middle of a game in which both cooks move at random."""
    kitchen, rng = Kitchen(layout, seed, mobility=(0.35, 0.35), fast=True), np.random.default_rng(seed)
    for _ in range(steps):
        kitchen.step(rng.integers(0, constants.N_ACTIONS, 2))
    return kitchen


def surely(skill):
    probabilities = np.zeros(constants.N_SKILLS)
    probabilities[skill] = 1
    return probabilities


@pytest.mark.long
def test_twenty_decisions_are_the_same_compiled_and_plain():
    compiled, plain = comparer(), comparer(fast=False)
    for seed in range(20):
        state, partner = played(seed=seed, steps=20 + 7 * seed).state, surely(seed % 23)
        arguments = (state, seed % 2, NO_SKILL, 0, partner if seed % 3 else None, seed)
        assert compiled.compare(*arguments) == plain.compare(*arguments)


def test_a_decision_is_the_same_compiled_and_plain():
    options = RolloutOptions(futures=2, future_steps=6, candidates=2, prior_weight=0)
    arguments = (played().state, 0, NO_SKILL, 0, None, 5)
    assert comparer(options).compare(*arguments) == comparer(options, fast=False).compare(*arguments)


@pytest.mark.long
def test_twenty_decisions_are_the_same_compiled_for_this_processor_and_for_any(tmp_path):
    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-m", "tests.helpers.decisions"]
    elsewhere = subprocess.run(command, env=os.environ | generic, capture_output=True, text=True, check=True)
    assert list(tmp_path.rglob("*.nbc")), "it compiled for itself"
    assert json.loads(elsewhere.stdout) == json.loads(json.dumps(decisions()))


def test_a_comparison_depends_on_its_key_only_and_leaves_the_state_alone():
    kitchen = played()
    before = kitchen.state.copy()
    first, again, other = (comparer().compare(kitchen.state, 0, NO_SKILL, 0, None, key) for key in (1, 1, 2))
    assert first == again
    assert first.options != other.options
    assert (kitchen.state == before).all()


def test_the_randomness_of_the_game_itself_is_not_known_to_the_planner():
    kitchen = played()
    before = comparer().compare(kitchen.state, 0, NO_SKILL, 0, None, 1)
    kitchen.state[KEY] += 1
    assert comparer().compare(kitchen.state, 0, NO_SKILL, 0, None, 1) == before


def test_the_running_skill_is_the_default_and_is_compared_with_the_likeliest_others():
    kitchen = played()
    feasible = np.flatnonzero(kitchen.mask(0)).tolist()
    running = feasible[0]
    comparison = comparer(RolloutOptions(futures=4, future_steps=5, candidates=3)).compare(
        kitchen.state, 0, running, 4, None, 1
    )
    assert comparison.options[0].skill == running
    assert (comparison.options[0].gain, comparison.options[0].error) == (0, 0)
    assert 3 <= len(comparison.options) <= 4
    assert {option.skill for option in comparison.options} <= set(feasible)


def test_another_skill_is_taken_only_if_it_is_better_by_the_margin():
    kitchen = played()
    for margin in (0, 1, 10):
        options = RolloutOptions(futures=8, future_steps=20, margin=margin, prior_weight=0)
        comparison = comparer(options).compare(kitchen.state, 0, NO_SKILL, 0, None, 1)
        default, *others = comparison.options
        clear = [option for option in others if option.gain > margin * option.error]
        best = max(clear, key=lambda option: option.gain, default=default)
        assert comparison.chosen == best.skill


def test_a_skill_that_the_network_doubts_has_to_be_better_by_more():
    kitchen, changed = played(), []
    for weight in (0, 30):
        planner = comparer(RolloutOptions(futures=8, future_steps=20, margin=0, prior_weight=weight))
        found = [planner.compare(kitchen.state, 0, NO_SKILL, 0, None, key) for key in range(10)]
        changed.append([one for one in found if one.chosen != one.options[0].skill])
    freely, doubting = changed
    assert len(doubting) < len(freely)
    for one in doubting:
        assert one.best.gain > 30 * np.log(one.options[0].probability / one.best.probability)


def test_the_partner_does_in_the_futures_what_it_tends_to():
    state, eye = played().state, np.eye(constants.N_SKILLS)
    everything, nothing = np.ones(constants.N_SKILLS), np.full(constants.N_SKILLS, 1e-9)
    waits = Tendencies(everything, nothing + eye[constants.SKILL_STAY], 0.0)
    plain = comparer().compare(state, 0, NO_SKILL, 0, None, 1)
    as_expected = comparer().compare(state, 0, NO_SKILL, 0, None, 1, Tendencies(everything, everything, 0.0))
    waiting = comparer().compare(state, 0, NO_SKILL, 0, None, 1, waits)
    assert waiting.options != plain.options
    assert [one.skill for one in as_expected.options] == [one.skill for one in plain.options]


def test_weights_move_the_partners_choices_and_what_it_declines_it_waits():
    parts, feasible = np.zeros(constants.N_SKILLS, np.int64), np.zeros(constants.N_SKILLS, np.bool_)
    chosen = [constants.CHOP, constants.BOIL, constants.SKILL_STAY]
    feasible[chosen], parts[chosen] = True, (PROBABILITY_PARTS, PROBABILITY_PARTS // 2, 0)
    weights, acceptance = np.ones(constants.N_SKILLS), np.ones(constants.N_SKILLS)
    weights[constants.BOIL], acceptance[constants.CHOP] = 4, 0.25
    given = choice_weights(Tendencies(weights, acceptance, 0.0), 0)
    ego, total = parts.copy(), weigh(partner := parts.copy(), feasible, 1, given)
    assert weigh(ego, feasible, 0, given) == parts.sum()
    assert (ego == parts).all()
    assert total == partner.sum()
    assert partner[constants.BOIL] == pytest.approx(PROBABILITY_PARTS * (0.5 + SHARE), rel=1e-3)
    assert partner[constants.CHOP] == pytest.approx(PROBABILITY_PARTS * (1 + SHARE) / 4 * 0.25, rel=1e-3)
    assert partner[constants.SKILL_STAY] == pytest.approx(
        PROBABILITY_PARTS * ((1 + SHARE) / 4 * 0.75 + SHARE / 4), rel=1e-3
    )
    assert (partner[~feasible] == 0).all()


# --- partners of a type -----------------------------------------------------------------------------------------------


def type_belief(state, chooser, role, layout="open"):
    """A belief that is sure of a type, whose partner chooses its skill now."""
    layout = Layout.load(layout)
    network = BehaviourNetwork(tiny_policies.planning_networks(layout.name), fast=True)
    choices, known = partial(network.choices_of_types, player=1), OracleKnowledge((chooser,), role)
    belief = TypeBelief(layout, choices, 1, 0.35, hypothesis_space("skills"), fast=True, truth=lambda _: known)
    belief.expected(None, state)
    return belief


def test_futures_carry_who_the_partner_is():
    state, long = played().state, RolloutOptions(futures=8, future_steps=60, candidates=2, prior_weight=0)
    values = {}
    for name, chooser, role in (("rice", LOCKED, PREP_RICE), ("plates", LOCKED, PLATE_HYGIENE), ("adapts", ADAPTS, 0)):
        found = comparer(long).compare(state, 0, NO_SKILL, 0, type_belief(state, chooser, role), 1)
        values[name] = tuple(option.value for option in found.options)
    assert len(set(values.values())) == 3


def test_who_the_partner_is_is_drawn_as_it_is_believed():
    belief = type_belief(played().state, LOCKED, PREP_RICE)
    belief.joint[:] = 0
    one, other = (np.flatnonzero((belief.types.choosers == LOCKED) & (belief.types.roles == r))[0] for r in (0, 1))
    belief.joint[one, constants.CHOP], belief.joint[other, constants.BOIL] = 0.25, 0.75
    drawn = draw_partners(belief, 8, 0.5)
    assert sorted(drawn.roles.tolist()) == [0, 0, 1, 1, 1, 1, 1, 1]
    assert ((drawn.skills == constants.CHOP) == (drawn.roles == 0)).all()
    assert (drawn.choosers == LOCKED).all()
    assert drawn.hazards == pytest.approx(np.round(HAZARDS[0] * CERTAIN), abs=1)


def test_the_role_of_a_partner_changes_by_its_hazard_or_its_schedule():
    nobody = np.zeros(1, np.int32)
    schedule = np.zeros((0, 2), np.int32)
    partners = Partners(nobody, nobody, nobody, np.array([round(CERTAIN / 100)]), schedule, NO_SAMPLES)
    changes = [role_at(t, key, 0, partners, 0, 5) for key in range(20) for t in range(100)]
    assert 5 <= sum(role != 0 for role in changes) <= 50
    assert set(changes) == set(range(5))
    never = partners._replace(hazards=np.zeros(1, np.int64))
    assert not any(role_at(t, 3, 0, never, 0, 5) for t in range(300))
    known = never._replace(schedule=np.array([[-20, 1], [5, 3], [9, 2]], np.int32))
    assert [role_at(t, 3, 0, known, 0, 5) for t in (0, 4, 5, 8, 9, 99)] == [1, 1, 3, 3, 2, 2]


def test_a_skill_that_falls_behind_by_more_than_chance_is_played_no_more():
    rng = np.random.default_rng(0)
    luck = rng.normal(0, 3, 16)
    returns = np.array([luck, luck + 5 + rng.normal(0, 1, 16), luck - 9 + rng.normal(0, 1, 16), luck + 5.1])
    open_skills, doubts = np.ones(4, np.bool_), np.zeros(4)
    assert not settle(returns, doubts, open_skills)  # two skills are equally good
    assert open_skills.tolist() == [True, True, False, True]
    assert settle(returns[:3], doubts[:3], open_skills[:3])  # one is clearly the best
    everything_is_worse = np.ones(4, np.bool_)
    assert settle(returns, np.array([0.0, 20, 20, 20]), everything_is_worse)
    assert everything_is_worse.tolist() == [True, False, False, False]


def test_ranks_that_are_settled_end_a_comparison():
    kitchen = Kitchen("open", 0, mobility=(1, 1), fast=True)
    give(kitchen, 0, constants.STEAK_BURRITO)
    found = shipped().compare(kitchen.state, 0, NO_SKILL, 0, None, 1)
    assert found.chosen == constants.SERVE
    assert found.futures < RolloutOptions().futures


def test_to_wait_is_never_the_default_where_other_work_is_likely():
    for seed in range(12):
        found = comparer().compare(played(seed=seed).state, 0, NO_SKILL, 0, None, 1)
        assert found.options[0].skill != constants.SKILL_STAY or len(found.options) == 1


# --- situations with a known answer, with the networks that ship ------------------------------------------------------


def shipped(layout="open"):
    return comparer(RolloutOptions(futures=48), layout=layout, networks=planning_networks(Layout.load(layout)))


FETCHING = (constants.GRAB_MEAT, constants.GRAB_MUSHROOM, constants.GRAB_RICE)


@pytest.fixture(scope="module")
def answers():
    """What the planner chooses in the situations of a game: of itself, and if the partner is already doing that."""
    trace, planner = Game("open", "proagent", "proagent", 20, horizon=1200, fast=True).run(), shipped()
    found = []
    for tick in trace.ticks:
        if tick.decisions[0].chosen:
            own = planner.compare(tick.state, 0, NO_SKILL, 0, None, 1).chosen
            found.append((own, planner.compare(tick.state, 0, NO_SKILL, 0, surely(own), 1).chosen))
    return found


@pytest.mark.thorough
def test_what_the_partner_is_already_fetching_is_mostly_not_fetched_a_second_time(answers):
    told = [chosen != own for own, chosen in answers if own in FETCHING]
    assert len(told) >= 8
    assert sum(told) >= 0.6 * len(told)


def test_work_with_what_the_cook_holds_goes_on_whatever_the_partner_does(answers):
    held = (constants.CHOP, constants.FRY, constants.BOIL, constants.SERVE, constants.GET_BOILED_RICE)
    told = [chosen == own for own, chosen in answers if own in held]
    assert len(told) >= 10
    assert all(told)


def test_a_cook_serves_the_burrito_that_it_holds():
    kitchen = Kitchen("open", 0, mobility=(1, 1), fast=True)
    give(kitchen, 0, constants.STEAK_BURRITO)
    assert shipped().compare(kitchen.state, 0, NO_SKILL, 0, None, 1).chosen == constants.SERVE


def test_nobody_fetches_what_the_partner_is_carrying_to_the_pot():
    kitchen = Kitchen("open", 0, mobility=(1, 1), fast=True)
    give(kitchen, 1, constants.RICE)
    comparison = shipped().compare(kitchen.state, 0, NO_SKILL, 0, surely(constants.BOIL), 1)
    assert comparison.chosen != constants.GRAB_RICE
