"""Recipe cards: every item in the kitchen counts for the right order, once."""

from dataclasses import replace

import pytest

from bba.kitchen import Kitchen, constants
from bba.kitchen.constants import ON_MUSHROOM, ON_RICE, ON_STEAK, ON_TORTILLA, PLATE
from tests.helpers.kitchen_states import find, give, put_item
from tui.widgets.recipe_cards import MISSING_PART, ON_PLATE, RecipeCard, RecipePart, Stage, recipe_cards


@pytest.fixture
def kitchen() -> Kitchen:
    """The kitchen `open` before the first step: steak is ordered, then mushroom."""
    return Kitchen("open", 0)


def cards(kitchen: Kitchen) -> tuple[RecipeCard, RecipeCard]:
    steak, mushroom = recipe_cards(kitchen.scene())
    assert (steak.order.dish, mushroom.order.dish) == ("steak_burrito", "mushroom_burrito")
    return steak, mushroom


def test_at_first_everything_is_missing(kitchen):
    for card in cards(kitchen):
        assert [*card.parts.values()] == [MISSING_PART] * 4
        assert not card.begun
        assert not card.complete


@pytest.mark.parametrize(
    ("char", "item", "progress", "field", "expected"),
    [
        ("X", constants.MEAT, 0, "protein", (Stage.TAKEN, None)),
        ("B", constants.CHOPPED_MEAT, 1, "protein", (Stage.TAKEN, None)),
        ("B", constants.CHOPPED_MEAT, 2, "protein", (Stage.CHOPPED, None)),
        ("G", constants.CHOPPED_STEAK, 20, "protein", (Stage.COOKING, 60)),
        ("G", constants.CHOPPED_STEAK, 80, "protein", (Stage.READY, None)),
        ("G", constants.CHOPPED_STEAK, 165, "protein", (Stage.READY, 55)),
        ("G", constants.CHOPPED_STEAK, 220, "protein", None),
        ("G", constants.CHARCOAL, 0, "protein", None),
        ("X", constants.RICE, 0, "rice", (Stage.TAKEN, None)),
        ("P", constants.BOILED_RICE, 1, "rice", (Stage.COOKING, 79)),
        ("P", constants.BOILED_RICE, 90, "rice", (Stage.READY, None)),
        ("X", constants.TORTILLA, 0, "tortilla", (Stage.TAKEN, None)),
        ("W", constants.DIRTY_PLATE, 1, "plate", (Stage.TAKEN, None)),
        ("W", PLATE, 3, "plate", (Stage.READY, None)),
    ],
)
def test_an_item_on_a_tile_is_a_part_of_the_first_order(kitchen, char, item, progress, field, expected):
    at = find(kitchen.layout, char)
    put_item(kitchen, at, item, progress)
    steak, mushroom = cards(kitchen)
    found = MISSING_PART if expected is None else RecipePart(*expected)
    assert steak.parts[field] == found
    assert [part for part in steak.parts.values() if part != MISSING_PART] == ([] if expected is None else [found])
    assert not mushroom.begun


def test_what_a_cook_holds_counts_too(kitchen):
    give(kitchen, 0, constants.CHOPPED_MUSHROOM)
    give(kitchen, 1, constants.DIRTY_PLATE)
    steak, mushroom = cards(kitchen)
    assert (steak.parts["protein"], mushroom.parts["protein"]) == (MISSING_PART, RecipePart(Stage.CHOPPED))
    assert (steak.parts["plate"], mushroom.parts["plate"]) == (RecipePart(Stage.TAKEN), MISSING_PART)


def test_the_first_order_gets_the_furthest_portion_and_the_next_order_the_other(kitchen):
    near, far = (position for position, char in kitchen.layout.tiles() if char == "P")
    put_item(kitchen, near, constants.BOILED_RICE, 10)
    put_item(kitchen, far, constants.BOILED_RICE, 50)
    steak, mushroom = cards(kitchen)
    assert (steak.parts["rice"], mushroom.parts["rice"]) == (
        RecipePart(Stage.COOKING, 30),
        RecipePart(Stage.COOKING, 70),
    )


def test_a_filled_plate_goes_to_the_order_that_its_protein_is_for(kitchen):
    give(kitchen, 1, PLATE | ON_MUSHROOM | ON_RICE)
    give(kitchen, 0, PLATE)
    steak, mushroom = cards(kitchen)
    assert (mushroom.parts["protein"], mushroom.parts["rice"], mushroom.parts["tortilla"]) == (
        ON_PLATE,
        ON_PLATE,
        MISSING_PART,
    )
    assert (mushroom.parts["plate"], steak.parts["plate"]) == (RecipePart(Stage.READY), RecipePart(Stage.READY))


def test_a_plate_without_protein_goes_to_the_first_order_and_a_burrito_is_complete(kitchen):
    give(kitchen, 1, PLATE | ON_RICE | ON_TORTILLA)
    assert cards(kitchen)[0].parts["tortilla"] == ON_PLATE
    give(kitchen, 1, PLATE | ON_STEAK | ON_RICE | ON_TORTILLA)
    steak, mushroom = cards(kitchen)
    assert steak.complete
    assert not mushroom.begun


def test_a_second_plate_for_the_same_dish_is_nobodys(kitchen):
    give(kitchen, 0, PLATE | ON_STEAK)
    give(kitchen, 1, PLATE | ON_STEAK | ON_RICE)
    steak, mushroom = cards(kitchen)
    assert (steak.parts["plate"], steak.parts["rice"]) == (RecipePart(Stage.READY), ON_PLATE)
    assert not mushroom.begun


def test_without_orders_there_are_no_cards(kitchen):
    assert recipe_cards(replace(kitchen.scene(), orders=())) == ()
