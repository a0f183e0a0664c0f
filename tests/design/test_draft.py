"""A kitchen while it is drawn: tiles, marks, rows and columns, undo, and every mistake that a map can have."""

import inspect
from dataclasses import replace

import pytest

from bba.errors import BBAError
from bba.kitchen import Layout
from bba.kitchen.layout import REQUIRED_STATIONS
from tui.design.draft import EMPTY_ROOM, EXTINGUISHER, OFF_THE_MAP, PASS, Draft, Drawing
from tui.design.panels import mistake_at

OPEN = Draft.of(Layout.load("open"))
FORCED = Draft.of(Layout.load("forced_coordination"))


def with_rows(draft: Draft, **rows: str) -> Draft:
    """The draft with other rows, by their number, as `r2="X  X"`."""
    return replace(draft, rows=tuple(rows.get(f"r{y}", row) for y, row in enumerate(draft.rows)))


# --- mistakes --------------------------------------------------------------------------------------------------
# For each kind of mistake that a layout can name: a map that has it, the message, and the tile that it names.
KINDS = {
    "empty": (replace(OPEN, rows=("",)), "map row 1, column 1: the map is empty", (0, 0)),
    "too large": (replace(OPEN, rows=("X" * 41,)), "map: 41x1 tiles; at most 40x40", None),
    "ragged": (with_rows(OPEN, r2="X  1"), "map row 3, column 5: ragged, 4 tiles where row 1 has 10", (4, 2)),
    "unknown": (OPEN.drawn((5, 5), "Q"), "map row 6, column 6: unknown character 'Q'", (5, 5)),
    "no start": (OPEN.drawn((6, 4), " "), "no start for cook 2 anywhere", None),
    "two starts": (with_rows(OPEN, r1="X       1X"), "map row 3, column 4: a second start for player 0", (3, 2)),
    "out of reach": (OPEN.drawn((0, 0), "G"), "map row 1, column 1: nobody can reach this grill", (0, 0)),
    "missing": (OPEN.drawn((9, 2), "X"), "no sink anywhere ('W'); every kitchen needs one", None),
    "pass counter": (FORCED.drawn((7, 1), PASS), "pass_counters: map row 2, column 8: not a counter that both", (7, 1)),
    "extinguisher": (OPEN.drawn((0, 0), EXTINGUISHER), "extinguisher: map row 1, column 1: not a counter", (0, 0)),
}


def test_every_kind_of_mistake_that_a_layout_names_is_here():
    assert inspect.getsource(Layout).count("raise ValueError") == len(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_every_mistake_is_named_with_its_tile(kind):
    draft, message, tile = KINDS[kind]
    assert message in draft.mistake
    assert mistake_at(draft.mistake) == tile
    with pytest.raises(BBAError):
        draft.layout("mine")


@pytest.mark.parametrize("station", REQUIRED_STATIONS)
def test_every_station_that_a_kitchen_lacks_is_named(station):
    lacking = replace(OPEN, rows=tuple(row.replace(station, "X") for row in OPEN.rows))
    assert f"({station!r}); every kitchen needs one" in lacking.mistake


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"extinguisher": None}, "no extinguisher anywhere; every kitchen needs one on a counter"),
        ({"extinguisher": (1, 1)}, "extinguisher: map row 2, column 2: not a counter"),
        ({"extinguisher": (90, 5)}, "extinguisher: map row 6, column 91: not a counter"),
        ({"pass_counters": frozenset({(50, 0)})}, "pass_counters: map row 1, column 51: not a counter"),
    ],
)
def test_marks_in_a_wrong_place_are_named(changes, message):
    assert message in replace(OPEN, **changes).mistake


def test_a_kitchen_without_mistakes_is_the_layout_that_it_was():
    assert OPEN.mistake == ""
    assert OPEN.layout("open") == Layout.load("open")
    assert FORCED.layout("forced_coordination") == Layout.load("forced_coordination")


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"empty", "ragged"}))
def test_a_map_with_mistakes_can_be_sketched(kind):
    sketch = KINDS[kind][0].sketch()
    assert (sketch.width, sketch.height) == (KINDS[kind][0].width, KINDS[kind][0].height)


def test_marks_outside_of_the_map_are_not_in_the_sketch():
    sketch = replace(OPEN, extinguisher=(90, 5), pass_counters=frozenset({(50, 0), (0, 0)})).sketch()
    assert (sketch.extinguisher, sketch.pass_counters) == (OFF_THE_MAP, ((0, 0),))


def test_an_empty_room_has_both_cooks_and_lacks_the_stations():
    draft = EMPTY_ROOM
    assert {len(row) for row in draft.rows} == {draft.width}
    assert (draft.number_of("1"), draft.number_of("2")) == (1, 1)
    assert "no meat_dispenser anywhere" in draft.mistake


# --- drawing ---------------------------------------------------------------------------------------------------
def test_a_start_is_moved_and_leaves_floor():
    moved = OPEN.drawn((1, 1), "1")
    assert moved.layout("mine").starts == ((1, 1), (6, 4))
    assert moved.rows[2][3] == " "


def test_a_mark_makes_its_tile_a_counter_and_goes_with_it():
    marked = FORCED.drawn((4, 4), PASS)
    assert (4, 4) in marked.pass_counters
    assert (4, 4) not in marked.drawn((4, 4), "B").pass_counters
    assert marked.drawn((4, 4), "X").pass_counters == marked.pass_counters
    on_floor = OPEN.drawn((5, 5), EXTINGUISHER)
    assert (on_floor.extinguisher, on_floor.rows[5][5]) == ((5, 5), "X")
    assert on_floor.drawn((5, 5), "G").extinguisher is None


def test_a_pass_mark_drawn_twice_is_gone():
    assert FORCED.drawn((4, 3), PASS).pass_counters == {(4, 6)}
    assert FORCED.drawn((4, 3), PASS).drawn((4, 3), PASS) == FORCED


def test_a_new_column_moves_what_lies_east_of_it_and_taking_it_out_undoes_it():
    wider = FORCED.resized("with_column", 2)
    assert (wider.width, wider.height) == (FORCED.width + 1, FORCED.height)
    assert wider.pass_counters == {(5, 3), (5, 6)}
    assert wider.extinguisher == (0, 3)
    assert wider.mistake == ""
    assert wider.resized("without_column", 3) == FORCED


def test_a_new_row_moves_what_lies_south_of_it_and_taking_it_out_undoes_it():
    taller = FORCED.resized("with_row", 3)
    assert taller.pass_counters == {(4, 3), (4, 7)}
    assert taller.extinguisher == (0, 3)
    assert taller.resized("without_row", 4) == FORCED
    assert FORCED.resized("without_row", 3).extinguisher is None
    assert FORCED.resized("without_row", 3).pass_counters == {(4, 5)}


# --- undo and redo ---------------------------------------------------------------------------------------------
def test_strokes_are_undone_whole_and_drawn_again():
    drawing = Drawing(OPEN)
    drawing.tool, drawing.cursor = "X", (1, 1)
    drawing.draw()
    drawing.move(1, 0)
    drawing.draw(same_stroke=True)
    both = drawing.draft
    drawing.tool = "G"
    drawing.draw()
    assert [drawing.travel(-1), drawing.draft == both] == [True, True]
    assert [drawing.travel(-1), drawing.draft == OPEN, drawing.travel(-1)] == [True, True, False]
    assert [drawing.travel(1), drawing.draft == both] == [True, True]
    drawing.draw()
    assert not drawing.travel(1)


def test_a_stroke_that_begins_with_nothing_new_is_undone_by_itself():
    drawing = Drawing(OPEN)
    drawing.tool = "X"
    drawing.draw()
    once = drawing.draft
    drawing.stroke(1, 0)
    assert drawing.draft != once
    drawing.travel(-1)
    assert drawing.draft == once


def test_drawing_what_is_there_is_nothing_to_undo():
    drawing = Drawing(OPEN)
    drawing.draw()
    assert not drawing.travel(-1)
    assert not drawing.unsaved


def test_what_is_undone_back_to_the_saved_draft_is_saved():
    drawing = Drawing(OPEN)
    drawing.tool = "X"
    drawing.draw()
    assert drawing.unsaved
    drawing.saved()
    assert not drawing.unsaved
    drawing.travel(-1)
    assert drawing.unsaved
    drawing.travel(1)
    assert not drawing.unsaved


def test_the_cursor_stays_on_the_map_when_that_shrinks():
    drawing = Drawing(OPEN)
    drawing.move(50, 50)
    assert drawing.cursor == (9, 6)
    assert drawing.resize("without_column")
    assert drawing.cursor == (8, 6)
    drawing.travel(-1)
    drawing.move(50, 0)
    drawing.travel(1)
    assert drawing.cursor == (8, 6)


def test_a_map_stays_between_three_and_forty_tiles():
    drawing = Drawing(replace(OPEN, rows=("XXX",) * 40))
    assert not drawing.resize("without_column")
    assert not drawing.resize("with_row")
    assert drawing.resize("with_column")
    assert drawing.resize("without_row")


def test_a_line_draws_both_tiles_in_one_stroke():
    drawing = Drawing(OPEN)
    drawing.tool = "X"
    drawing.stroke(1, 0)
    assert drawing.draft.rows[1] == "XXX      X"
    drawing.travel(-1)
    assert drawing.draft == OPEN


def test_a_line_of_marks_into_the_edge_keeps_the_mark():
    drawing = Drawing(OPEN)
    drawing.tool, drawing.cursor = PASS, (0, 0)
    drawing.stroke(-1, 0)
    assert (0, 0) in drawing.draft.pass_counters
