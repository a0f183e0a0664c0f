"""What is ready, about to burn or on fire is told by a sign, whatever the colours."""

import pytest

from bba.kitchen import Kitchen, constants
from tests.helpers.app import paused_app
from tests.helpers.kitchen_states import find, put_item
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.tile_text import ITEM_MARKS, labels_of, mark_labels


def marked(char: str, item: int, progress: int, size: int) -> dict[tuple[int, int], str]:
    """The marks of a kitchen with one item, by cell within the item's tile."""
    kitchen = Kitchen("open", fast=False)
    x, y = find(kitchen.layout, char)
    put_item(kitchen, (x, y), item, progress)
    labels = mark_labels(kitchen.scene(), size)
    return {(column - x * size, row - y * size // 2): sign for (column, row), (sign, _) in labels.items()}


@pytest.mark.parametrize("size", [2, 4, 6, 8, 12])
@pytest.mark.parametrize(
    ("char", "item", "progress", "sign"),
    [
        ("G", constants.CHOPPED_STEAK, 79, None),
        ("G", constants.CHOPPED_STEAK, 80, "✓"),
        ("P", constants.BOILED_RICE, 200, "!"),
        ("P", constants.BOILED_RICE, 220, "✶"),
        ("B", constants.CHOPPED_MEAT, 1, None),
        ("B", constants.CHOPPED_MEAT, 2, "✓"),
    ],
)
def test_the_upper_right_corner_of_a_tile_says_how_its_item_is(char, item, progress, sign, size):
    assert marked(char, item, progress, size) == ({(size - 1, 0): sign} if sign else {})


def test_tiles_of_a_single_pixel_have_no_room_for_marks():
    assert marked("G", constants.CHOPPED_STEAK, 80, 1) == {}


def test_the_mark_leaves_the_letters_of_station_and_item():
    kitchen = Kitchen("open", fast=False)
    x, y = find(kitchen.layout, "P")
    put_item(kitchen, (x, y), constants.BOILED_RICE, 100)
    scene = kitchen.scene()
    for size in (4, 6):
        letters = labels_of(kitchen.layout, scene, size)
        assert not letters.keys() & mark_labels(scene, size).keys()


@pytest.mark.thorough
async def test_the_board_shows_marks_in_a_game_and_the_cooks_have_numbers_without_colours(monkeypatch):
    for no_colour in (False, True):
        if no_colour:
            monkeypatch.setenv("NO_COLOR", "1")
        app = paused_app(515, horizon=2400)
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.pause()
            view = app.screen.query_one(KitchenView)
            states = {item.state for item in app.game_screen.snapshot.scene.objects} & ITEM_MARKS.keys()
            signs = {sign for row in view._labels.values() for sign, _ in row.values()}
            assert {ITEM_MARKS[state][0] for state in states} <= signs
            assert ({"1", "2"} <= signs) is no_colour
