"""The room of the watch screen: sharp tiles, readable panels, a timeline under everything where it is wide."""

import pytest
from textual.geometry import Size

from bba.kitchen import Layout
from tests.helpers.app import paused_app, with_panels
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import drawn
from tui.screens.watch_view import COLUMN, STRIP, watch_room
from tui.style.base_screen import BARS, FRAME
from tui.widgets.cooks import CooksPanel
from tui.widgets.events import EventsPanel
from tui.widgets.kitchen_view import KitchenView, picture_size
from tui.widgets.timeline import Timeline

KITCHENS = ["open", "ring", "forced_coordination", "burrito"]
LAYOUTS = pytest.mark.parametrize("layout", KITCHENS)
SHOWN = pytest.mark.parametrize("layout", few(KITCHENS))
SIZES = [(80, 24), (100, 32), (120, 40), (140, 45), (160, 50), (200, 60)]


@LAYOUTS
@pytest.mark.parametrize("size", SIZES)
def test_the_kitchen_fits_into_its_room_and_panels_and_timeline_keep_theirs(layout, size):
    kitchen, terminal = Layout.load(layout), Size(*size)
    room = watch_room(kitchen, terminal)
    picture, frame = picture_size(kitchen, room.tile), FRAME if room.framed else 0
    assert picture.width + frame <= room.kitchen.width
    assert picture.height + frame <= room.kitchen.height
    assert terminal.width - room.kitchen.width >= 30 * room.columns
    below = terminal.height - BARS - room.kitchen.height
    assert below >= (STRIP if room.wide else 2)


@LAYOUTS
@pytest.mark.parametrize("width", [160, 200, 240, 300])
def test_on_wide_terminals_no_column_of_panels_is_wider_than_one_can_read(layout, width):
    room = watch_room(Layout.load(layout), Size(width, 60))
    assert room.wide
    column = (width - room.kitchen.width) / room.columns
    assert COLUMN[0] <= column <= COLUMN[1]


@pytest.mark.parametrize(
    ("layout", "size", "tile", "columns"),
    [
        ("open", (80, 24), 4, 1),
        ("open", (100, 32), 6, 1),
        ("ring", (120, 40), 6, 1),
        ("open", (160, 50), 8, 2),
        ("burrito", (160, 51), 8, 1),
        ("open", (200, 60), 12, 2),
        ("open", (240, 70), 16, 2),
    ],
)
def test_larger_tiles_come_before_a_second_column(layout, size, tile, columns):
    room = watch_room(Layout.load(layout), Size(*size))
    assert (room.tile, room.columns) == (tile, columns)


@pytest.mark.thorough
@SHOWN
@pytest.mark.parametrize("size", few([(160, 50), (200, 60)]))
async def test_the_timeline_lies_under_kitchen_and_panels_and_the_board_in_the_middle_of_the_kitchen(layout, size):
    async with paused_app(40, layout=layout).run_test(size=size) as pilot:
        await drawn(pilot)
        screen = pilot.app.screen
        timeline, kitchen = screen.query_one(Timeline), screen.query_one(KitchenView)
        assert timeline.region.width == size[0]
        assert timeline.region.y == screen.query_one("#side").region.bottom == kitchen.region.bottom
        spare, at = kitchen.content_size - kitchen.picture_size, kitchen.origin
        assert abs(spare.width - 2 * at.x) <= 1
        assert abs(spare.height - 2 * at.y) <= 1


@pytest.mark.thorough
@SHOWN
@pytest.mark.parametrize("size", few([(80, 24), (90, 28), (100, 32)]))
async def test_in_small_terminals_both_cooks_are_in_view_and_the_events_are_a_line(layout, size):
    async with with_panels(paused_app(60, layout=layout), "cooks", "events").run_test(size=size) as pilot:
        await drawn(pilot)
        cooks, log = pilot.app.screen.query_one(CooksPanel), pilot.app.screen.query_one(EventsPanel)
        rows = [line.plain for line in cooks.lines(cooks.snapshot, cooks.content_size.width)]
        assert len(rows) <= cooks.content_size.height
        assert [any(row.startswith(number) for row in rows) for number in "12"] == [True, True]
        assert log.content_size.height == 1
        assert log.render_line(0).text.strip() == log.lines[-1].plain.strip()[: log.content_size.width].strip()


@pytest.mark.thorough
async def test_a_single_line_of_a_cook_says_what_it_does_and_holds_and_hides_what_the_truth_tells():
    async with with_panels(paused_app(60), "cooks", "gate").run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        cooks = pilot.app.screen.query_one(CooksPanel)
        first, second = (line.plain for line in cooks.lines(cooks.snapshot, 38))
        await pilot.press("t")
        await drawn(pilot)
        hidden = [line.plain for line in cooks.lines(cooks.snapshot, 38)]
        assert hidden[0] == first
        assert hidden[1].startswith("2 its skill is hidden")
        assert "hidden" not in second
