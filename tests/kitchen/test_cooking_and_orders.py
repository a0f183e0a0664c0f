"""Cooking, orders, tips and streaks, exact to the step."""

import pytest

from bba.kitchen import Kitchen, Skill, constants
from bba.kitchen.constants import (
    DELIVERED_IN_ORDER,
    DISH,
    EXPIRED,
    FIRES,
    N_ORDERS,
    REWARD,
    SCORE,
    STEP,
    STREAK,
    TIME_LEFT,
)
from tests.helpers.kitchen_states import find, give, held, place_player, put_item

STEAK, MUSHROOM = 0, 1


def wait(kitchen: Kitchen, steps: int) -> None:
    for _ in range(steps):
        kitchen.advance(constants.ACTION_STAY, constants.ACTION_STAY)


def state_at(kitchen: Kitchen, position: tuple[int, int]) -> str:
    return next(item.state for item in kitchen.scene().objects if item.position == position)


def orders(kitchen: Kitchen) -> list[tuple[int, int]]:
    n = int(kitchen.state[N_ORDERS])
    dishes, left = kitchen.state[DISH : DISH + n], kitchen.state[TIME_LEFT : TIME_LEFT + n]
    return list(zip(dishes.tolist(), left.tolist(), strict=True))


def deliver(kitchen: Kitchen, dish: int) -> int:
    """Player 0 delivers a burrito: the reward of the step."""
    place_player(kitchen, 0, (6, 1))
    give(kitchen, 0, (constants.STEAK_BURRITO, constants.MUSHROOM_BURRITO)[dish])
    return kitchen.step((constants.INTERACT, constants.ACTION_STAY)).reward


@pytest.mark.parametrize(
    ("steps", "state"),
    [
        (1, "cooking"),
        (79, "cooking"),
        (80, "ready"),
        (159, "ready"),
        (160, "warning"),
        (219, "warning"),
        (220, "burning"),
    ],
)
@pytest.mark.parametrize(("char", "food"), [("G", constants.CHOPPED_MEAT), ("P", constants.RICE)])
def test_the_step_of_putting_food_in_counts_as_the_first(char: str, food: int, steps: int, state: str) -> None:
    kitchen = Kitchen("open")
    x, y = find(kitchen.layout, char)
    place_player(kitchen, 0, (x, y - 1), constants.SOUTH)
    give(kitchen, 0, food)
    kitchen.step((constants.INTERACT, constants.ACTION_STAY))
    wait(kitchen, steps - 1)
    assert state_at(kitchen, (x, y)) == state


def test_a_fire_burns_until_it_is_put_out_and_counts_once() -> None:
    kitchen = Kitchen("open")
    x, y = find(kitchen.layout, "P")
    put_item(kitchen, (x, y), constants.BOILED_RICE, 1)
    wait(kitchen, 500)
    assert state_at(kitchen, (x, y)) == "burning"
    assert kitchen.state[FIRES] == 1
    place_player(kitchen, 0, (x, y - 1), constants.SOUTH)
    give(kitchen, 0, constants.FIRE_EXT)
    assert kitchen.step((constants.INTERACT, constants.ACTION_STAY)).events[0].skill == Skill.GO_TO_PUT_OUT_FIRE
    wait(kitchen, 300)
    assert [item.name for item in kitchen.scene().objects if item.position == (x, y)] == ["charcoal"]


def test_food_swapped_for_charcoal_cooks_from_its_first_step() -> None:
    kitchen = Kitchen("open")
    x, y = find(kitchen.layout, "G")
    put_item(kitchen, (x, y), constants.CHARCOAL)
    place_player(kitchen, 0, (x, y - 1), constants.SOUTH)
    give(kitchen, 0, constants.CHOPPED_MUSHROOM)
    kitchen.step((constants.INTERACT, constants.ACTION_STAY))
    assert held(kitchen, 0) == constants.CHARCOAL
    wait(kitchen, 78)
    assert state_at(kitchen, (x, y)) == "cooking"
    wait(kitchen, 1)
    assert state_at(kitchen, (x, y)) == "ready"


def test_two_orders_at_the_start_that_alternate() -> None:
    assert orders(Kitchen("open")) == [(STEAK, 600), (MUSHROOM, 600)]


def test_orders_are_added_at_steps_551_and_701() -> None:
    kitchen = Kitchen("open")
    wait(kitchen, 550)
    assert len(orders(kitchen)) == 2
    wait(kitchen, 1)
    assert orders(kitchen) == [(STEAK, 49), (MUSHROOM, 49), (STEAK, 599)]
    wait(kitchen, 149)
    assert len(orders(kitchen)) == 3
    wait(kitchen, 1)
    assert len(orders(kitchen)) == 4


def test_a_new_order_counts_down_in_its_first_step() -> None:
    kitchen = Kitchen("open")
    deliver(kitchen, STEAK)
    assert orders(kitchen) == [(MUSHROOM, 599), (STEAK, 599)]


def test_an_expired_order_ends_the_streak_and_is_replaced() -> None:
    kitchen = Kitchen("open")
    kitchen.state[STREAK] = 3
    kitchen.state[TIME_LEFT] = 1
    wait(kitchen, 1)
    assert orders(kitchen) == [(MUSHROOM, 599), (STEAK, 599)]
    assert (kitchen.state[STREAK], kitchen.state[EXPIRED]) == (0, 1)


def test_an_order_lasts_exactly_600_steps() -> None:
    kitchen = Kitchen("open")
    wait(kitchen, 599)
    assert kitchen.state[EXPIRED] == 0
    wait(kitchen, 1)
    assert kitchen.state[EXPIRED] == 2


@pytest.mark.parametrize(("left", "tip"), [(600, 8), (396, 8), (395, 5), (198, 5), (197, 3), (1, 3)])
def test_the_tip_falls_below_66_and_33_percent_of_the_time(left: int, tip: int) -> None:
    kitchen = Kitchen("open")
    kitchen.state[TIME_LEFT] = left
    assert deliver(kitchen, STEAK) == 80 + tip


def test_a_streak_multiplies_the_tip_by_1_2_2_2_5_5() -> None:
    kitchen = Kitchen("open")
    rewards = [deliver(kitchen, n % 2) for n in range(6)]
    assert rewards == [80 + factor * 8 for factor in (1, 2, 2, 2, 5, 5)]
    assert (kitchen.state[STREAK], kitchen.state[DELIVERED_IN_ORDER], kitchen.state[SCORE]) == (6, 6, sum(rewards))


def test_a_later_order_earns_80_and_its_own_tip_and_ends_the_streak() -> None:
    kitchen = Kitchen("open")
    kitchen.state[STREAK] = 4
    kitchen.state[TIME_LEFT + 1] = 100
    assert deliver(kitchen, MUSHROOM) == 83
    assert kitchen.state[STREAK] == 0
    assert orders(kitchen) == [(STEAK, 599), (STEAK, 599)]


def test_a_burrito_without_an_order_earns_40_and_ends_the_streak() -> None:
    kitchen = Kitchen("open")
    kitchen.state[STREAK] = 4
    kitchen.state[DISH : DISH + 2] = MUSHROOM
    assert deliver(kitchen, STEAK) == 40
    assert kitchen.state[STREAK] == 0
    assert [dish for dish, _ in orders(kitchen)] == [MUSHROOM, MUSHROOM]


def test_both_players_deliveries_of_one_step_are_added() -> None:
    kitchen = Kitchen("open")
    place_player(kitchen, 0, (6, 1))
    place_player(kitchen, 1, (7, 1))
    give(kitchen, 0, constants.STEAK_BURRITO)
    give(kitchen, 1, constants.MUSHROOM_BURRITO)
    assert kitchen.step((constants.INTERACT, constants.INTERACT)).reward == 88 + 96
    kitchen.advance(constants.ACTION_STAY, constants.ACTION_STAY)
    assert kitchen.state[REWARD] == 0


def test_the_step_count_counts() -> None:
    kitchen = Kitchen("open")
    wait(kitchen, 7)
    assert kitchen.state[STEP] == kitchen.steps == 7
