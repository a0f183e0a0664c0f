"""What counts as one of the nine features, and that no item counts for one twice."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bba.kitchen import Kitchen, Layout, codes, features
from bba.kitchen.batch import KitchenBatch, random_skills
from bba.kitchen.features import FEATURE_NAMES, N_FEATURES, NO_FEATURE, doable, feature, feature_of
from tests.kitchen.support import find, give, lay, stand


def interact(kitchen: Kitchen, position: tuple[int, int]) -> int:
    """Player 0 uses what is north of where it stands; returns the feature."""
    stand(kitchen, 0, position)
    before = kitchen.row.copy()
    kitchen.step((codes.INTERACT, codes.WAIT))
    return feature_of(kitchen.grid, before, kitchen.row, 0)


def below(layout: Layout, char: str) -> tuple[int, int]:
    """The floor south of the first such tile that has some."""
    found = [(x, y + 1) for (x, y), tile in layout.tiles() if tile == char and layout.is_floor((x, y + 1))]
    return found[0]


def test_taking_from_a_dispenser_counts_and_taking_up_again_does_not() -> None:
    kitchen = Kitchen("open")
    counter = below(kitchen.layout, "X")
    lay(kitchen, (counter[0], counter[1] - 1), codes.MEAT)
    assert interact(kitchen, counter) == NO_FEATURE
    assert kitchen.row.tolist() != Kitchen("open").row.tolist()
    x, y = find(kitchen.layout, "M")
    side = next(
        (dx, facing)
        for dx, facing in ((1, codes.WEST), (-1, codes.EAST), (0, codes.NORTH))
        if kitchen.layout.is_floor((x + dx, y + (dx == 0)))
    )
    give(kitchen, 0, codes.NOTHING)
    stand(kitchen, 0, (x + side[0], y + (side[0] == 0)), side[1])
    before = kitchen.row.copy()
    kitchen.step((codes.INTERACT, codes.WAIT))
    assert feature_of(kitchen.grid, before, kitchen.row, 0) == features.TAKING_MEAT


@pytest.mark.parametrize(
    ("tile", "held", "event", "expected"),
    [
        (codes.GRILL, codes.PLATE, codes.GET_STEAK, features.PLATING),
        (codes.GRILL, codes.PLATE, codes.GET_MUSHROOM, features.PLATING),
        (codes.POT, codes.PLATE, codes.GET_BOILED_RICE, features.PLATING),
        (codes.SINK, codes.DIRTY_PLATE, codes.WASH, features.WASHING),
        (codes.WINDOW, codes.STEAK_BURRITO, codes.SERVE, features.DELIVERING),
        (codes.BOARD, codes.NOTHING, codes.CHOP, features.CHOPPING),
        (codes.POT, codes.RICE, codes.BOIL, features.POTTING_RICE),
        (codes.GRILL, codes.CHOPPED_MEAT, codes.FRY, features.GRILLING_MEAT),
        (codes.GRILL, codes.CHOPPED_MUSHROOM, codes.FRY, NO_FEATURE),
        (codes.MUSHROOM_SOURCE, codes.NOTHING, codes.GRAB_MUSHROOM, features.TAKING_MUSHROOM),
        (codes.RICE_SOURCE, codes.NOTHING, codes.GRAB_RICE, features.TAKING_RICE),
        (codes.COUNTER, codes.NOTHING, codes.GRAB_RICE, NO_FEATURE),
        (codes.TORTILLA_SOURCE, codes.NOTHING, codes.GRAB_TORTILLA, NO_FEATURE),
        (codes.TRASH, codes.MEAT, codes.THROW, NO_FEATURE),
    ],
)
def test_each_feature_is_an_event_at_its_station(tile: int, held: int, event: int, expected: int) -> None:
    assert feature(tile, held, event) == expected


@settings(max_examples=6)
@given(st.sampled_from(["open", "ring", "forced_coordination"]), st.integers(0, 2**31))
def test_nothing_is_done_to_more_items_than_there_are(layout: str, seed: int) -> None:
    """However a game goes, what is chopped was taken before, what is plated was cooked before, each item once."""
    batch, rng = KitchenBatch(layout, 4, seed), np.random.default_rng(seed)
    counts = np.zeros((4, N_FEATURES), np.int64)
    for _ in range(600):
        before = batch.rows.copy()
        batch.step_skills(random_skills(batch.masks(batch.waiting), rng))
        for game, player in np.ndindex(4, 2):
            did = feature_of(batch.grid, before[game], batch.rows[game], player)
            if did != NO_FEATURE:
                counts[game, did] += 1
    plating, _, delivering, chopping, potting, grilling, mushroom, rice, meat = counts.T
    assert (chopping <= meat + mushroom).all()
    assert (grilling <= np.minimum(chopping, meat)).all()
    assert (potting <= rice).all()
    assert (plating <= potting + chopping).all()
    assert (2 * delivering <= plating).all()
    assert counts.any()


def test_what_a_player_can_do_is_a_matter_of_the_map() -> None:
    def names(layout: str, player: int) -> set[str]:
        can = doable(Layout.load(layout), player)
        return {name for name, able in zip(FEATURE_NAMES, can, strict=True) if able}

    assert names("open", 0) == names("open", 1) == set(FEATURE_NAMES)
    assert names("forced_coordination", 1) == {"delivering", "chopping"}
    assert names("forced_coordination", 0) == set(FEATURE_NAMES) - {"delivering", "chopping"}
