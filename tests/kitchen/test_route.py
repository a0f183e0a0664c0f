"""A route is the path of the controller: to the same target, over floor, and shortest."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.constants import POSITION
from bba.kitchen.controller import (
    AGE,
    SKILL,
    TARGET,
    Route,
    check_completion,
    new_skill_runs,
    next_actions,
    route_of,
    start_skill,
)
from bba.kitchen.layout import Position
from tests.helpers.kitchen_states import feasible, find, give, place_player, tile_number
from tests.helpers.random_kitchens import layouts


def check_route(kitchen: Kitchen, player: int, route: Route) -> None:
    """It starts at the player, goes over floor tile by tile, has the length in the grid, and ends beside the target."""
    grid, layout = kitchen.grid, kitchen.layout
    here, target = int(kitchen.state[POSITION + player]), tile_number(kitchen, route.target)
    assert tile_number(kitchen, route.path[0]) == here
    assert all(layout.is_floor(tile) for tile in route.path)
    assert all(apart(one, other) == 1 for one, other in pairwise(route.path))
    assert len(route.path) - 1 == grid.distance_to_adjacent[target, here]
    assert apart(route.path[-1], route.target) == 1


def apart(one: Position, other: Position) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


@pytest.mark.thorough
@given(layouts(), st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_in_random_play_the_route_is_that_of_the_controller(layout: Layout, seed: int) -> None:
    kitchen, rng = Kitchen(layout, seed, mobility=(0.35, 0.35), fast=False), np.random.default_rng(seed)
    runs, actions = new_skill_runs(), np.zeros(2, np.int32)
    states = [kitchen.state.copy()]
    skills = [constants.SKILL_STAY, constants.SKILL_STAY]
    for _ in range(60):
        for player in (0, 1):
            check_completion(kitchen.grid, kitchen.state, runs, player, 30)
            if runs[player, SKILL] == constants.NO_SKILL:
                skills[player] = int(rng.choice(feasible(kitchen.grid, kitchen.state, player)))
                assert start_skill(kitchen.grid, kitchen.state, runs, player, skills[player])
        next_actions(kitchen.grid, kitchen.state, runs, actions)
        kitchen.advance(*actions.tolist())
        states.append(kitchen.state.copy())
        ahead = runs.copy()
        for player in (0, 1):
            since = states[-2 - int(runs[player, AGE]) :]
            route = route_of(layout, since, player, skills[player])
            check_completion(kitchen.grid, kitchen.state, ahead, player, 1000)
            assert (route is None) == (ahead[player, SKILL] == constants.NO_SKILL)
            if route is not None:
                assert tile_number(kitchen, route.target) == ahead[player, TARGET]
                check_route(kitchen, player, route)


@pytest.fixture
def kitchen() -> Kitchen:
    return Kitchen("open", fast=False)


def test_a_player_beside_its_target_has_a_path_of_one_tile(kitchen):
    rice = find(kitchen.layout, "R")
    place_player(kitchen, 0, (rice[0], rice[1] + 1))
    assert route_of(kitchen.layout, [kitchen.state], 0, constants.GRAB_RICE) == Route(rice, ((rice[0], rice[1] + 1),))


def test_the_path_avoids_the_other_player_where_that_is_no_longer(kitchen):
    place_player(kitchen, 0, (1, 1))
    give(kitchen, 0, constants.RICE)
    for other in ((1, 3), (1, 5)):
        place_player(kitchen, 1, other)
        route = route_of(kitchen.layout, [kitchen.state], 0, constants.BOIL)
        assert route is not None
        check_route(kitchen, 0, route)
        assert other not in route.path


@pytest.mark.parametrize("skill", [constants.NO_SKILL, constants.SKILL_STAY, constants.SERVE])
def test_no_skill_staying_and_an_infeasible_skill_have_no_route(kitchen, skill):
    assert route_of(kitchen.layout, [kitchen.state], 0, skill) is None


def test_a_completed_skill_has_no_route_although_it_is_feasible_again(kitchen):
    stack = find(kitchen.layout, "D")
    place_player(kitchen, 0, (stack[0], stack[1] + 1), constants.NORTH)
    states = [kitchen.state.copy()]
    kitchen.advance(constants.INTERACT, constants.ACTION_STAY)
    states.append(kitchen.state.copy())
    give(kitchen, 0, constants.NOTHING)
    assert route_of(kitchen.layout, states[:1], 0, constants.GRAB_DIRTY_PLATE) is not None
    assert route_of(kitchen.layout, states, 0, constants.GRAB_DIRTY_PLATE) is None


def test_a_target_is_kept_although_another_has_become_nearer(kitchen):
    """Two boards side by side: a player on the way to one keeps it when pushed nearer to the other."""
    boards = [position for position, char in kitchen.layout.tiles() if char == "B"]
    give(kitchen, 0, constants.MEAT)
    states = []
    for x in (boards[0][0], boards[1][0]):
        place_player(kitchen, 0, (x, 1))
        states.append(kitchen.state.copy())
    kept = route_of(kitchen.layout, states, 0, constants.CHOP)
    fresh = route_of(kitchen.layout, states[-1:], 0, constants.CHOP)
    assert kept is not None
    assert fresh is not None
    assert (kept.target, fresh.target) == tuple(boards)
    assert len(kept.path) == 2
