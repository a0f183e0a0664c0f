import numpy as np
import pytest

from bba.belief import ROLE_NAMES, StayModel, hypothesis_space
from bba.belief.filter import filter_params
from bba.belief.likelihood import acceptable_actions, likelihoods, new_scratch, observed_action
from bba.config import FilterConfig
from bba.kitchen import constants
from bba.kitchen.constants import STATE_HEADER
from tests.helpers.belief_filter import act, kitchen

EPSILON = 0.3
PARAMS = filter_params(FilterConfig(), StayModel.NOISY)


def likelihood(made, action, params=PARAMS):
    """(likely, relative) by role name after one action of the partner."""
    before, after = act(made, action)
    scratch, relative = new_scratch(6), np.empty(6)
    likelihoods(made.grid, before, after, 1, hypothesis_space("roles").hypothesis_of_skill, params, scratch, relative)
    return dict(zip(ROLE_NAMES, scratch.likelihood, strict=True)), dict(zip(ROLE_NAMES, relative, strict=True))


@pytest.mark.parametrize("action", range(5))
def test_a_move_or_turn_is_seen_as_its_direction_and_nothing_as_stay(action):
    made = kitchen(ego=(1, 5), partner=(8, 2))
    before, after = act(made, action)
    assert observed_action(before, after, 1) == action


def test_an_event_is_seen_as_interact_and_a_vain_interaction_as_stay():
    made = kitchen(ego=(1, 5), partner=(5, 1))  # below the stack of dirty plates
    before, after = act(made, constants.INTERACT)
    assert observed_action(before, after, 1) == constants.INTERACT
    before, after = act(made, constants.INTERACT)  # hands are full now
    assert observed_action(before, after, 1) == constants.ACTION_STAY


def test_acceptable_are_all_directions_that_shorten_the_way():
    made = kitchen(ego=(1, 5), partner=(7, 3))
    stack = 5  # tile (5, 0): from (7, 3) both west and north lead nearer, but west is the island
    assert acceptable_actions(made.grid, made.state, 1, stack) == 1 << constants.NORTH
    made = kitchen(ego=(1, 5), partner=(7, 2))
    assert acceptable_actions(made.grid, made.state, 1, stack) == 1 << constants.NORTH | 1 << constants.WEST


def test_beside_the_target_only_the_turn_and_then_only_the_interaction_is_acceptable():
    made = kitchen(ego=(1, 5), partner=(5, 1))
    assert acceptable_actions(made.grid, made.state, 1, 5) == 1 << constants.INTERACT
    act(made, constants.EAST, constants.WEST)  # away and back again: now it faces west
    assert acceptable_actions(made.grid, made.state, 1, 5) == 1 << constants.NORTH


def test_where_the_other_cook_stands_in_the_way_yielding_is_acceptable_too():
    made = kitchen("ring", ego=(8, 4), partner=(8, 5))
    window = 5  # tile (5, 0), north of the corridor
    actions = acceptable_actions(made.grid, made.state, 1, window)
    assert actions == 1 << constants.NORTH | 1 << constants.SOUTH | 1 << constants.ACTION_STAY


def test_one_feasible_skill_shares_one_minus_epsilon_over_its_acceptable_actions():
    made = kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE)
    likely, relative = likelihood(made, constants.SOUTH)  # the sink is at (9, 2): only east leads nearer
    assert likely["plate_hygiene"] == pytest.approx(EPSILON / 6)
    assert relative["plate_hygiene"] == pytest.approx(EPSILON / 6 / (1 - EPSILON + EPSILON / 6))
    made = kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE)
    likely, relative = likelihood(made, constants.EAST)
    assert likely["plate_hygiene"] == pytest.approx(1 - EPSILON + EPSILON / 6)
    assert relative["plate_hygiene"] == 1.0


def test_a_role_without_a_feasible_skill_gets_epsilon_over_six_at_every_step_stay_included():
    for action in (constants.ACTION_STAY, constants.EAST):
        likely, relative = likelihood(kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE), action)
        assert likely["prep_rice"] == relative["prep_rice"] == pytest.approx(EPSILON / 6)


def test_putting_down_carries_the_weight_of_035():
    likely, relative = likelihood(kitchen(ego=(1, 5), partner=(8, 2), held=constants.DIRTY_PLATE), constants.NORTH)
    assert likely["stage_pass"] < 0.35
    assert relative["stage_pass"] <= 1.0


def test_staying_says_nothing_about_a_walker_that_is_held_back_but_counts_if_it_is_not():
    made = kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE)
    likely, relative = likelihood(made, constants.ACTION_STAY)
    assert likely["plate_hygiene"] == relative["plate_hygiene"] == 1.0
    free = PARAMS.copy()
    free[3] = 0.0
    likely, _ = likelihood(kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE), constants.ACTION_STAY, free)
    assert likely["plate_hygiene"] == pytest.approx(EPSILON / 6)


def test_a_persons_pause_counts_for_the_belief_but_contradicts_no_role_that_it_could_pursue():
    person = PARAMS.copy()
    person[3] = StayModel.HUMAN_PAUSES
    likely, relative = likelihood(
        kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE), constants.ACTION_STAY, person
    )
    assert likely["plate_hygiene"] == pytest.approx(EPSILON / 6)
    assert relative["plate_hygiene"] == 1.0
    assert relative["prep_rice"] == pytest.approx(EPSILON / 6)
    _, moving = likelihood(kitchen(ego=(1, 5), partner=(7, 2), held=constants.DIRTY_PLATE), constants.WEST, person)
    assert moving["plate_hygiene"] < 0.2


def test_staying_counts_against_who_would_interact_for_that_is_never_held_back():
    made = kitchen(ego=(1, 5), partner=(8, 2), held=constants.DIRTY_PLATE)
    act(made, constants.EAST)  # faces the sink
    likely, relative = likelihood(made, constants.ACTION_STAY)
    assert likely["plate_hygiene"] == pytest.approx(EPSILON / 6)
    assert relative["plate_hygiene"] == 1.0  # it waits; that contradicts nothing


@pytest.mark.parametrize("held", [constants.CHARCOAL, constants.FIRE_EXT])
def test_fire_handling_is_never_evidence(held):
    likely, relative = likelihood(kitchen(ego=(1, 5), partner=(7, 2), held=held), constants.WEST)
    assert set(likely.values()) == set(relative.values()) == {1.0}


def test_the_scale_is_a_power_of_every_likelihood():
    scaled = PARAMS.copy()
    scaled[2] = 1.5
    one, _ = likelihood(kitchen(ego=(1, 5), partner=(7, 2)), constants.WEST)
    other, _ = likelihood(kitchen(ego=(1, 5), partner=(7, 2)), constants.WEST, scaled)
    for role in ROLE_NAMES:
        assert other[role] == pytest.approx(one[role] ** 1.5)


def test_the_state_row_has_room_for_every_tile():
    made = kitchen(ego=(1, 5), partner=(7, 2))
    assert len(made.state) == STATE_HEADER + 2 * len(made.grid.kind)
