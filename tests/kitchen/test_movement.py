"""Moving, turning, collisions, and mobility noise."""

import pytest

from bba.kitchen import Action, Kitchen, constants
from bba.kitchen.constants import FACING
from tests.helpers.kitchen_states import place_player, position_of

N, S, E, W, STAY, USE = Action


def kitchen_with(first: tuple[int, int], second: tuple[int, int], seed: int = 0) -> Kitchen:
    kitchen = Kitchen("open", seed=seed)
    place_player(kitchen, 0, first)
    place_player(kitchen, 1, second)
    return kitchen


def places(kitchen: Kitchen) -> tuple[tuple[int, int], tuple[int, int]]:
    return position_of(kitchen, 0), position_of(kitchen, 1)


@pytest.mark.parametrize(("action", "there"), [(N, (2, 4)), (S, (2, 5)), (E, (3, 5)), (W, (1, 5)), (STAY, (2, 5))])
def test_a_direction_moves_one_tile_and_walls_stop(action: Action, there: tuple[int, int]) -> None:
    kitchen = kitchen_with((2, 5), (8, 1))
    kitchen.step((action, STAY))
    assert position_of(kitchen, 0) == there


def test_walking_into_a_wall_still_turns() -> None:
    kitchen = kitchen_with((2, 5), (8, 1))
    kitchen.step((S, STAY))
    assert kitchen.state[FACING] == constants.SOUTH


def test_two_players_cannot_swap() -> None:
    kitchen = kitchen_with((3, 2), (4, 2))
    kitchen.step((E, W))
    assert places(kitchen) == ((3, 2), (4, 2))
    assert kitchen.state[FACING : FACING + 2].tolist() == [constants.EAST, constants.WEST]


@pytest.mark.parametrize("leader", [0, 1])
def test_a_player_may_enter_the_tile_that_the_other_leaves(leader: int) -> None:
    spots = [(3, 2), (3, 2)]
    spots[leader] = (4, 2)
    kitchen = kitchen_with(*spots)
    kitchen.step((E, E))
    assert places(kitchen)[leader] == (5, 2)
    assert places(kitchen)[1 - leader] == (4, 2)


@pytest.mark.parametrize("blocked", [0, 1])
def test_no_player_enters_the_tile_of_one_that_stays_or_is_stopped_by_a_wall(blocked: int) -> None:
    for stay in (STAY, E, USE):  # east of (8, 3) is a counter
        spots = [(7, 3), (7, 3)]
        spots[blocked] = (8, 3)
        kitchen = kitchen_with(*spots)
        actions = [E, E]
        actions[blocked] = stay
        kitchen.step(actions)
        assert places(kitchen) == tuple(spots)


def test_a_tie_for_one_tile_goes_either_way_and_the_loser_still_turns() -> None:
    winners = set()
    for seed in range(40):
        kitchen = kitchen_with((3, 2), (5, 2), seed)
        kitchen.step((E, W))
        assert kitchen.state[FACING : FACING + 2].tolist() == [constants.EAST, constants.WEST]
        winners.add(places(kitchen))
    assert winners == {((4, 2), (5, 2)), ((3, 2), (4, 2))}


def test_a_tie_is_fair() -> None:
    first = 0
    for seed in range(1000):
        kitchen = kitchen_with((3, 2), (5, 2), seed)
        kitchen.step((E, W))
        first += position_of(kitchen, 0) == (4, 2)
    assert 450 <= first <= 550  # 3 standard deviations


@pytest.mark.thorough
def test_a_failed_move_neither_moves_nor_turns_and_moves_succeed_with_the_mobility() -> None:
    moved = 0
    for seed in range(2000):
        kitchen = Kitchen("open", seed=seed, mobility=(0.35, 1.0))
        place_player(kitchen, 0, (2, 1))
        kitchen.step((S, STAY))
        if position_of(kitchen, 0) == (2, 2):
            moved += 1
            assert kitchen.state[FACING] == constants.SOUTH
        else:
            assert kitchen.state[FACING] == constants.NORTH
    assert 636 <= moved <= 764  # 0.35 of 2000 within 3 standard deviations


def test_interactions_and_moves_at_full_mobility_never_fail() -> None:
    for seed in range(50):
        kitchen = Kitchen("open", seed=seed, mobility=(0.0, 1.0))
        place_player(kitchen, 0, (5, 1))
        place_player(kitchen, 1, (2, 4))
        result = kitchen.step((USE, E))
        assert len(result.events) == 1
        assert position_of(kitchen, 1) == (3, 4)


def test_the_moves_of_the_two_players_fail_independently() -> None:
    seen = set()
    for seed in range(60):
        kitchen = Kitchen("open", seed=seed, mobility=(0.5, 0.5))
        place_player(kitchen, 0, (2, 1))
        place_player(kitchen, 1, (7, 1))
        kitchen.step((S, S))
        seen.add((position_of(kitchen, 0)[1], position_of(kitchen, 1)[1]))
    assert seen == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_without_chance_and_collision_the_seed_does_not_matter() -> None:
    games = [Kitchen("open", seed=seed) for seed in (1, 2)]
    for action in (S, E, USE, N, W, STAY) * 3:
        for game in games:
            game.step((action, STAY))
    assert games[0].scene() == games[1].scene()


@pytest.mark.parametrize("actions", [(6, 0), (0, -1)])
def test_an_action_that_does_not_exist_is_an_error(actions: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="each must be 0 to 5"):
        Kitchen("open").step(actions)
