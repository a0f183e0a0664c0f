"""The kitchen takes the largest tiles that fit, slides cooks, and puts letters over small tiles."""

import numpy as np
import pytest
from textual.geometry import Size

from bba.kitchen import Layout, codes
from bba.kitchen.painter import Painter
from tests.tui.support import played, still_app
from tui.widgets.kitchen_view import FLICKER, KitchenView, abbreviation, labels_of, tile_size


@pytest.mark.parametrize(
    ("layout", "room", "size"),
    [
        ("open", (48, 20), 4),
        ("open", (81, 30), 8),
        ("open", (136, 50), 12),
        ("open", (79, 28), 7),
        ("forced_coordination", (81, 30), 6),
        ("burrito", (48, 20), 4),
        ("burrito", (10, 4), 1),
    ],
)
def test_tiles_are_as_large_as_the_room_allows(layout, room, size):
    assert tile_size(Layout.load(layout), Size(*room)) == size


def test_every_item_has_a_short_name_of_its_own_kind():
    assert {name: abbreviation(name) for name in ("meat", "chopped_meat", "clean_plate", "dirty_plate")} == {
        "meat": "M",
        "chopped_meat": "m",
        "clean_plate": "o",
        "dirty_plate": "d",
    }
    assert abbreviation("boiled_rice-tortilla-plate") == "ort"
    assert abbreviation("steak_burrito") == "osrt"
    assert all(1 <= len(abbreviation(name)) <= 4 for name in codes.ITEM_NAMES.values())


def test_letters_lie_over_small_tiles_only_and_cooks_over_all_else():
    trace = played(40)
    layout, scene = trace.setup.layout, trace.scene(40)
    assert labels_of(layout, scene, 8) == {}
    labels = labels_of(layout, scene, 4)
    for number, player in enumerate(scene.players, 1):
        x, y = player.position
        assert labels[4 * x + 1, 2 * y][0] == str(number)
    first = labels_of(layout, scene, 2)
    assert all(0 <= x < 2 * layout.width and 0 <= y < layout.height for x, y in first)


def moving_scenes():
    """Two scenes in a row in which the first cook moves one tile."""
    trace = played(60)
    step = next(s for s in range(60) if trace.scene(s).players[0].position != trace.scene(s + 1).players[0].position)
    return trace.scene(step), trace.scene(step + 1)


async def test_a_cook_appears_half_way_and_then_arrives():
    before, after = moving_scenes()
    app = still_app()
    async with app.run_test(size=(120, 40)) as pilot:
        view = app.screen.query_one(KitchenView)
        painter = Painter(Layout.load("open").rows, 8)
        view.show_scene(before)
        view.show_scene(after, slide=0.05)
        assert (view._picture != painter.paint(after)).any()
        await pilot.pause(0.3)
        assert np.array_equal(view._picture, painter.paint(after))


async def test_a_jump_in_time_never_slides():
    before, after = moving_scenes()
    app = still_app()
    async with app.run_test(size=(120, 40)):
        view = app.screen.query_one(KitchenView)
        view.show_scene(after)
        view.show_scene(before, slide=0.05)
        assert np.array_equal(view._picture, Painter(Layout.load("open").rows, 8).paint(before))


async def test_fire_flickers_only_while_the_clock_runs():
    app = still_app(515, horizon=2400)
    async with app.run_test(size=(120, 40)) as pilot:
        view = app.screen.query_one(KitchenView)
        assert any(item.state == "burning" for item in app.game_screen.moment.scene.objects)
        still = view._picture.copy()
        await pilot.pause(2 * FLICKER)
        assert np.array_equal(view._picture, still)
        view.play(True)
        await pilot.pause(1.5 * FLICKER)
        assert (view._picture != still).any()
