"""What a partner prefers, and whether it is idle."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bba.belief import ROLE_OF_SKILL
from bba.belief.tendencies import (
    DECLINED_WEIGHT,
    HALF_LIFE,
    ROLE_WEIGHT,
    SHARE,
    SKILL_WEIGHT,
    SkillPreferences,
    idle_after,
)
from bba.kitchen.constants import BOIL, CHOP, FRY, GRAB_MEAT, GRAB_RICE, N_SKILLS, SERVE, SKILL_STAY, WASH

SKILLS = range(N_SKILLS)


def probabilities(shares):
    """The network's probabilities of some skills; the others are infeasible."""
    return np.array([shares.get(skill, 0.0) for skill in SKILLS])


def reference_weights(choices):
    """w by its definition: every sum from the beginning."""
    lifted = [(skill, np.where(p > 0, p + SHARE, 0)) for skill, p in choices]
    lifted = [(skill, p / (p.sum() or 1)) for skill, p in lifted]
    weights = np.ones(N_SKILLS)
    for s in SKILLS:
        done, expected = sum(skill == s for skill, _ in lifted), sum(p[s] for _, p in lifted)
        same = [other for other in SKILLS if ROLE_OF_SKILL[other] == ROLE_OF_SKILL[s]]
        kept = [0.5 ** ((len(lifted) - 1 - i) / HALF_LIFE) for i in range(len(lifted))]
        role_done = sum(k * (skill in same) for k, (skill, _) in zip(kept, lifted, strict=True))
        role_expected = sum(k * p[same].sum() for k, (_, p) in zip(kept, lifted, strict=True))
        by_skill = (SKILL_WEIGHT + done) / (SKILL_WEIGHT + expected)
        weights[s] = by_skill * (ROLE_WEIGHT + role_done) / (ROLE_WEIGHT + role_expected)
    weights[SKILL_STAY] = 1.0
    return weights


choices = st.lists(
    st.tuples(
        st.integers(0, N_SKILLS - 2),
        st.lists(st.floats(0, 1), min_size=N_SKILLS, max_size=N_SKILLS).map(lambda p: np.array(p) / max(sum(p), 1e-9)),
    ),
    max_size=12,
)


@given(choices)
def test_weights_are_what_their_definition_says(made):
    preferences = SkillPreferences()
    for skill, expected in made:
        preferences.observe_choice(skill, expected)
    assert preferences.weights == pytest.approx(reference_weights(made))


def test_a_partner_that_does_what_is_expected_has_no_preferences():
    preferences = SkillPreferences()
    for _ in range(50):
        preferences.observe_choice(CHOP, probabilities({CHOP: 1.0}))
    assert preferences.weights[CHOP] == pytest.approx(1)
    assert preferences.expected(probabilities({CHOP: 0.5, GRAB_RICE: 0.5}))[CHOP] == pytest.approx(0.5)


def test_what_it_does_against_expectation_becomes_likelier_and_what_it_leaves_less_likely():
    preferences, expected = SkillPreferences(), probabilities({CHOP: 0.1, GRAB_RICE: 0.9})
    for _ in range(5):
        preferences.observe_choice(CHOP, expected)
    weighted = preferences.weighted(expected)
    assert weighted[CHOP] > 0.9
    assert weighted.sum() == pytest.approx(1)
    assert preferences.weights[FRY] > preferences.weights[BOIL]  # frying is of the same role as chopping


def test_the_role_is_forgotten_sooner_than_the_skill():
    preferences, expected = SkillPreferences(), probabilities({CHOP: 0.2, WASH: 0.2, SERVE: 0.6})
    for _ in range(8):
        preferences.observe_choice(CHOP, expected)
    for _ in range(8):
        preferences.observe_choice(WASH, expected)
    assert preferences.weights[WASH] > preferences.weights[CHOP] > preferences.weights[GRAB_MEAT]


def test_an_idle_partner_declines_what_it_could_do_until_it_completes_something():
    preferences, expected = SkillPreferences(), probabilities({CHOP: 0.8, GRAB_RICE: 0.2})
    for _ in range(10):
        preferences.observe_idleness(1.0, expected)
    assert preferences.acceptance[CHOP] == pytest.approx(DECLINED_WEIGHT / (DECLINED_WEIGHT + 8), abs=0.01)
    assert preferences.acceptance[CHOP] < preferences.acceptance[GRAB_RICE] < preferences.acceptance[WASH] == 1
    assert preferences.acceptance[SKILL_STAY] == 1
    assert preferences.expected(expected)[GRAB_RICE] > 0.2
    preferences.observe_choice(WASH, probabilities({WASH: 1.0}))
    assert preferences.acceptance == pytest.approx(np.ones(N_SKILLS))


@given(choices, st.lists(st.floats(0, 1), max_size=5))
def test_what_is_infeasible_stays_so_and_the_rest_is_a_distribution(made, idle):
    preferences, feasible = SkillPreferences(), probabilities({CHOP: 0.7, BOIL: 0.3})
    for skill, expected in made:
        preferences.observe_choice(skill, expected)
    for share in idle:
        preferences.observe_idleness(share, feasible)
    expected = preferences.expected(feasible)
    assert expected.sum() == pytest.approx(1)
    assert {*np.flatnonzero(expected)} <= {CHOP, BOIL}


def test_a_copy_learns_for_itself():
    preferences = SkillPreferences()
    other = deepcopy(preferences)
    other.observe_choice(CHOP, probabilities({BOIL: 1.0}))
    other.observe_idleness(1.0, probabilities({BOIL: 1.0}))
    assert preferences.weights == pytest.approx(np.ones(N_SKILLS))
    assert preferences.acceptance == pytest.approx(np.ones(N_SKILLS))


def stayed(times, *, acts=0.35):
    idle = 0.0
    for _ in range(times):
        idle = idle_after(idle, acts, stayed=True, completed=False)
    return idle


def test_who_stays_for_long_is_idle_and_who_often_stands_still_only_after_longer():
    assert stayed(3) < 0.5 < stayed(15)
    assert stayed(15, acts=0.2) < stayed(15)


def test_who_acts_is_busy_and_who_completes_something_even_more_so():
    acting = idle_after(stayed(30), 0.35, stayed=False, completed=False)
    completing = idle_after(stayed(30), 0.35, stayed=False, completed=True)
    assert completing < acting < stayed(30)


@given(st.lists(st.tuples(st.booleans(), st.booleans())), st.floats(0.05, 0.95))
def test_the_probability_of_being_idle_stays_one(steps, acts):
    idle = 0.0
    for still, completed in steps:
        idle = idle_after(idle, acts, stayed=still, completed=completed)
        assert 0 <= idle <= 1
