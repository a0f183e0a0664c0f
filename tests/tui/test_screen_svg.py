"""A screen as SVG: cells in their places, blocks and frames as shapes."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from rich.segment import Segment
from rich.style import Style

from tui.export.screen_capture import BLOCK_BOXES, CORNER_ARCS, DRAWN_CHARACTERS, HEIGHT, LINE_ARMS, WIDTH, screen_svg

NAMESPACE = "{http://www.w3.org/2000/svg}"
SNAPSHOTS = Path(__file__).parents[1] / "screens" / "__snapshots__"


def drawn(*lines):
    """The group of the screen in a picture of these lines."""
    picture = ET.fromstring(screen_svg(lines, "a <title>", ink="#ffffff", ground="#000000"))
    return picture.find(f"{NAMESPACE}g")


def paths(group):
    return {path.get("fill"): path.get("d") for path in group.iter(f"{NAMESPACE}path") if path.get("fill") != "none"}


def texts(group):
    return [(text.text, text.get("x"), text.get("textLength")) for text in group.iter(f"{NAMESPACE}text")]


def test_letters_take_the_width_of_their_cells_and_begin_in_their_column():
    group = drawn([Segment("  ab  "), Segment("饭x", Style(bold=True))])
    assert texts(group) == [("ab", f"{2 * WIDTH:g}", f"{2 * WIDTH:g}"), ("饭x", f"{6 * WIDTH:g}", f"{3 * WIDTH:g}")]
    assert [text.get("font-weight") for text in group.iter(f"{NAMESPACE}text")] == [None, "bold"]


def test_what_svg_reserves_is_escaped():
    assert texts(drawn([Segment("a<b&c")]))[0][0] == "a<b&c"


def test_equal_blocks_beside_each_other_are_one_shape():
    group = drawn([], [Segment("x▀▀▀", Style(color="#ff0000"))])
    assert paths(group) == {"#ff0000": f"M{WIDTH:g} {HEIGHT:g}h{3 * WIDTH:g}v{HEIGHT / 2:g}h-{3 * WIDTH:g}z"}
    assert [text for text, *_ in texts(group)] == ["x"]


def test_a_ground_is_painted_where_it_differs_from_that_of_the_screen():
    assert paths(drawn([Segment(" ", Style(bgcolor="#000000")), Segment("  ", Style(bgcolor="#00ff00"))])) == {
        "#00ff00": f"M{WIDTH:g} 0h{2 * WIDTH:g}v{HEIGHT:g}h-{2 * WIDTH:g}z"
    }


def test_reversed_text_changes_places_with_its_ground():
    group = drawn([Segment("a", Style(color="#111111", bgcolor="#eeeeee", reverse=True))])
    assert next(group.iter(f"{NAMESPACE}text")).get("fill") == "#eeeeee"
    assert set(paths(group)) == {"#111111"}


def test_dim_text_is_half_way_to_its_ground():
    group = drawn([Segment("a", Style(color="#ff0080", bgcolor="#000000", dim=True))])
    assert next(group.iter(f"{NAMESPACE}text")).get("fill") == "#7f0040"


@pytest.mark.parametrize("char", [*LINE_ARMS, *CORNER_ARCS])
def test_frames_reach_the_edges_of_their_cells(char):
    (path,) = drawn([Segment(char)]).iter(f"{NAMESPACE}path")
    numbers = [
        float(number) for number in path.get("d").replace("M", " ").translate(str.maketrans("QHV", "   ")).split()
    ]
    assert {0, WIDTH, HEIGHT} & set(numbers), "a frame that ends within its cell leaves a gap"
    assert path.get("fill") == "none"


@pytest.mark.parametrize("char", BLOCK_BOXES)
def test_a_block_lies_within_its_cell(char):
    x, y, width, height = BLOCK_BOXES[char]
    assert 0 <= x < x + width <= 1
    assert 0 <= y < y + height <= 1


def test_no_block_or_frame_of_a_screen_is_left_to_the_readers_font():
    shown = {char for file in SNAPSHOTS.rglob("*.svg") for char in file.read_text(encoding="utf-8")}
    assert {char for char in shown if "\u2500" <= char <= "\u259f"} <= DRAWN_CHARACTERS
