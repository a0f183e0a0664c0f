"""The pixel canvas shows an RGB array with half blocks and redraws no more than what changed."""

import numpy as np
import pytest
from rich.segment import Segment
from rich.style import Style
from textual.app import App, ComposeResult
from textual.geometry import Region

from tui.widgets.pixels import HALF_BLOCK, PixelCanvas, cells_of, segments_of

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


class CanvasApp(App[None]):
    """A canvas and nothing else."""

    CSS = "PixelCanvas { padding: 0; }"

    def compose(self) -> ComposeResult:
        yield PixelCanvas()


def picture(*rows: list[tuple[int, int, int]]) -> np.ndarray:
    return np.array(rows, dtype=np.uint8)


def row(image: np.ndarray, labels: dict[int, tuple[str, Style]]) -> list[Segment]:
    """The only row of a picture as segments."""
    return segments_of(cells_of(image)[0].tolist(), labels)


def described(segments: list[Segment]) -> list[tuple[str, str, str]]:
    """Each segment as text, foreground, background."""
    return [(text, *_colours(style)) for text, style, _ in segments]


def _colours(style: Style | None) -> tuple[str, str]:
    assert style is not None
    fore, back = (colour.get_truecolor().hex if colour else "" for colour in (style.color, style.bgcolor))
    return fore, back


def test_a_cell_is_the_upper_pixel_before_the_lower_and_equal_cells_are_one_segment():
    segments = row(picture([RED, RED, GREEN], [BLUE, BLUE, GREEN]), {})
    assert described(segments) == [
        (HALF_BLOCK * 2, "#ff0000", "#0000ff"),
        (" ", "#00ff00", "#00ff00"),
    ]


def test_below_a_last_single_row_of_pixels_there_is_no_colour():
    assert described(row(picture([RED]), {})) == [(HALF_BLOCK, "#ff0000", "")]
    labelled = row(picture([RED]), {0: ("A", Style.parse("#ffffff"))})
    assert described(labelled) == [("A", "#ffffff", "#ff0000")]


async def test_below_a_last_single_row_of_pixels_the_widget_shows():
    app = CanvasApp()
    async with app.run_test(size=(10, 5)) as pilot:
        canvas = app.query_one(PixelCanvas)
        canvas.styles.background = "#123456"
        canvas.show(picture([RED], [BLUE], [GREEN]))
        await pilot.pause()
        row = canvas.render_line(canvas.origin.y + 1)
        assert (HALF_BLOCK, "#00ff00", "#123456") in described(list(row))


def test_a_label_breaks_the_run_and_lies_on_the_mean_of_the_two_pixels():
    segments = row(picture([RED] * 3, [BLUE] * 3), {1: ("M", Style.parse("bold #ffffff"))})
    assert described(segments) == [
        (HALF_BLOCK, "#ff0000", "#0000ff"),
        ("M", "#ffffff", "#7f007f"),
        (HALF_BLOCK, "#ff0000", "#0000ff"),
    ]


def test_a_label_keeps_its_own_background_and_one_outside_the_picture_is_not_drawn():
    labels = {0: ("A", Style.parse("#ffffff on #00ff00")), 9: ("B", Style())}
    assert described(row(picture([RED], [RED]), labels)) == [("A", "#ffffff", "#00ff00")]


async def test_the_picture_stands_in_the_middle_of_a_larger_widget():
    app = CanvasApp()
    async with app.run_test(size=(10, 5)) as pilot:
        canvas = app.query_one(PixelCanvas)
        canvas.show(picture([RED, RED], [BLUE, BLUE]))
        await pilot.pause()
        assert tuple(canvas.origin) == (4, 2)
        assert canvas.render_line(1).text == " " * 10
        assert canvas.render_line(2).text == " " * 4 + HALF_BLOCK * 2 + " " * 4


async def test_a_picture_larger_than_the_widget_is_cut_off():
    app = CanvasApp()
    async with app.run_test(size=(3, 2)) as pilot:
        canvas = app.query_one(PixelCanvas)
        canvas.show(np.zeros((20, 20, 3), dtype=np.uint8))
        await pilot.pause()
        assert [canvas.render_line(y).cell_length for y in range(2)] == [3, 3]


@pytest.fixture
def refreshed(monkeypatch) -> list[tuple[Region, ...]]:
    """The regions of every refresh that canvases ask for."""
    calls: list[tuple[Region, ...]] = []
    refresh = PixelCanvas.refresh

    def spy(self, *regions, **how):
        calls.append(regions)
        return refresh(self, *regions, **how)

    monkeypatch.setattr(PixelCanvas, "refresh", spy)
    return calls


async def test_only_rows_with_changed_pixels_and_changed_labels_are_drawn_again(refreshed):
    app = CanvasApp()
    async with app.run_test(size=(8, 6)) as pilot:
        canvas = app.query_one(PixelCanvas)
        image = np.zeros((8, 4, 3), dtype=np.uint8)
        kept = {(0, 0): ("k", Style())}
        canvas.show(image, kept)
        await pilot.pause()
        refreshed.clear()
        image[3:5, 1:3] = RED
        canvas.show(image, kept | {(3, 3): ("n", Style())})
        canvas.show(image.copy(), kept | {(3, 3): ("n", Style())})
        # The picture's first row is the second one; pixel rows 3 and 4 touch text rows 1 and 2.
        assert [set(regions) for regions in refreshed] == [{Region(0, 2, 8, 3)}]


async def test_a_subtitle_appears_as_it_is_and_is_written_once(refreshed):
    app = CanvasApp()
    async with app.run_test(size=(20, 6)) as pilot:
        canvas = app.query_one(PixelCanvas)
        canvas.styles.border = ("round", "red")
        for text in ("[b]grill", "sink", ""):
            canvas.subtitle = text
            await pilot.pause()
            assert text in app.export_screenshot()
        refreshed.clear()
        canvas.subtitle = ""
        assert refreshed == []


async def test_an_auto_sized_canvas_takes_the_pictures_size():
    app = CanvasApp()
    async with app.run_test(size=(20, 10)) as pilot:
        canvas = app.query_one(PixelCanvas)
        canvas.styles.width = canvas.styles.height = "auto"
        canvas.show(np.zeros((6, 5, 3), dtype=np.uint8))
        await pilot.pause()
        assert tuple(canvas.size) == (5, 3)
