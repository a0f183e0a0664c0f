"""The nine event features: what counts, and that no item counts twice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bba.kitchen import Kitchen, Layout, constants
from bba.kitchen.batch import KitchenBatch
from bba.kitchen.observation import (
    CHOPPING,
    DELIVERING,
    FEATURE_NAMES,
    GRILLING_MEAT,
    N_FEATURES,
    NO_FEATURE,
    PLATING,
    POTTING_RICE,
    TAKING_MEAT,
    TAKING_MUSHROOM,
    TAKING_RICE,
    WASHING,
    event_feature,
    feature_of,
    reachable_features,
)
from benchmarks.kitchens import random_skills
from tests.helpers.kitchen_states import find, give, place_player, put_item


def interact(kitchen: Kitchen, position: tuple[int, int]) -> int:
    """Player 0 uses what is north of where it stands; returns the feature."""
    place_player(kitchen, 0, position)
    before = kitchen.state.copy()
    kitchen.step((constants.INTERACT, constants.ACTION_STAY))
    return feature_of(kitchen.grid, before, kitchen.state, 0)


def below(layout: Layout, char: str) -> tuple[int, int]:
    """The floor south of the first such tile that has some."""
    found = [(x, y + 1) for (x, y), tile in layout.tiles() if tile == char and layout.is_floor((x, y + 1))]
    return found[0]


def test_taking_from_a_dispenser_counts_and_picking_up_from_a_counter_does_not() -> None:
    kitchen = Kitchen("open")
    counter = below(kitchen.layout, "X")
    put_item(kitchen, (counter[0], counter[1] - 1), constants.MEAT)
    assert interact(kitchen, counter) == NO_FEATURE
    assert kitchen.state.tolist() != Kitchen("open").state.tolist()
    x, y = find(kitchen.layout, "M")
    side = next(
        (dx, facing)
        for dx, facing in ((1, constants.WEST), (-1, constants.EAST), (0, constants.NORTH))
        if kitchen.layout.is_floor((x + dx, y + (dx == 0)))
    )
    give(kitchen, 0, constants.NOTHING)
    place_player(kitchen, 0, (x + side[0], y + (side[0] == 0)), side[1])
    before = kitchen.state.copy()
    kitchen.step((constants.INTERACT, constants.ACTION_STAY))
    assert feature_of(kitchen.grid, before, kitchen.state, 0) == TAKING_MEAT


@pytest.mark.parametrize(
    ("tile", "held", "event", "expected"),
    [
        (constants.GRILL, constants.PLATE, constants.GET_STEAK, PLATING),
        (constants.GRILL, constants.PLATE, constants.GET_MUSHROOM, PLATING),
        (constants.POT, constants.PLATE, constants.GET_BOILED_RICE, PLATING),
        (constants.SINK, constants.DIRTY_PLATE, constants.WASH, WASHING),
        (constants.WINDOW, constants.STEAK_BURRITO, constants.SERVE, DELIVERING),
        (constants.BOARD, constants.NOTHING, constants.CHOP, CHOPPING),
        (constants.POT, constants.RICE, constants.BOIL, POTTING_RICE),
        (constants.GRILL, constants.CHOPPED_MEAT, constants.FRY, GRILLING_MEAT),
        (constants.GRILL, constants.CHOPPED_MUSHROOM, constants.FRY, NO_FEATURE),
        (constants.MUSHROOM_DISPENSER, constants.NOTHING, constants.GRAB_MUSHROOM, TAKING_MUSHROOM),
        (constants.RICE_DISPENSER, constants.NOTHING, constants.GRAB_RICE, TAKING_RICE),
        (constants.COUNTER, constants.NOTHING, constants.GRAB_RICE, NO_FEATURE),
        (constants.TORTILLA_DISPENSER, constants.NOTHING, constants.GRAB_TORTILLA, NO_FEATURE),
        (constants.TRASH, constants.MEAT, constants.THROW, NO_FEATURE),
    ],
)
def test_each_feature_is_an_event_at_its_station(tile: int, held: int, event: int, expected: int) -> None:
    assert event_feature(tile, held, event) == expected


@settings(max_examples=6)
@given(st.sampled_from(["open", "ring", "forced_coordination"]), st.integers(0, 2**31))
def test_no_feature_counts_more_items_than_exist(layout: str, seed: int) -> None:
    """However a game goes, what is chopped was taken before, what is plated was cooked before, each item once."""
    batch, rng = KitchenBatch(layout, 4, seed), np.random.default_rng(seed)
    counts = np.zeros((4, N_FEATURES), np.int64)
    for _ in range(300):
        before = batch.states.copy()
        batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
        for game, player in np.ndindex(4, 2):
            did = feature_of(batch.grid, before[game], batch.states[game], player)
            if did != NO_FEATURE:
                counts[game, did] += 1
    plating, _, delivering, chopping, potting, grilling, mushroom, rice, meat = counts.T
    assert (chopping <= meat + mushroom).all()
    assert (grilling <= np.minimum(chopping, meat)).all()
    assert (potting <= rice).all()
    assert (plating <= potting + chopping).all()
    assert (2 * delivering <= plating).all()
    assert counts.any()


def test_the_reachable_features_depend_on_the_map() -> None:
    def names(layout: str, player: int) -> set[str]:
        can = reachable_features(Layout.load(layout), player)
        return {name for name, able in zip(FEATURE_NAMES, can, strict=True) if able}

    assert names("open", 0) == names("open", 1) == set(FEATURE_NAMES)
    assert names("forced_coordination", 1) == {"delivering", "chopping"}
    assert names("forced_coordination", 0) == set(FEATURE_NAMES) - {"delivering", "chopping"}
