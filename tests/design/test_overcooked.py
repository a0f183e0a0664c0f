"""Layouts of Overcooked-AI as kitchens: what is taken, what is missing, what is refused; nothing in a file is run."""

import pytest

from bba.analysis.kitchen_structure import can_deliver
from bba.errors import BBAError
from bba.kitchen.overcooked_layout import read_grid
from tui.design.draft import Draft
from tui.design.kitchen_file import kitchen_text, named_kitchen, read_kitchen
from tui.design.overcooked import filled, imported, missing

ROOM = '''{
    "grid":  """XXXPXXXXX
                O       X
                X 1   2 T
                X       X
                XXDXSXXXX""",
    "start_bonus_orders": [],
    "start_all_orders": [{"ingredients": ["onion", "onion"]}],  # and a remark
    "rew_shaping_params": None,
    "cook_time": 20
}'''
TWO_ROOMS = '{"grid": """XXPXXXXXX\n O 1 X 2 X\n X   X   S\n T   X   X\n XXXXXXXDX"""}'
STATIONS = ["rice dispenser", "meat dispenser", "mushroom dispenser", "tortilla dispenser"]
STATIONS += ["board", "grill", "sink", "trash"]


@pytest.fixture
def layout(tmp_path):
    def written(text: str, name: str = "room.layout"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return written


def test_walls_floor_starts_and_what_both_kitchens_have_are_taken(layout):
    kitchen = imported(layout(ROOM))
    assert kitchen.draft.rows == ("XXXPXXXXX", "X       X", "X 1   2 X", "X       X", "XXDXSXXXX")
    assert kitchen.vacant == ((0, 1), (8, 2))
    assert "2 dispensers of onions and tomatoes became counters" in kitchen.in_words
    assert [*missing(kitchen.draft)] == [*STATIONS, "fire extinguisher"]


def test_what_is_missing_can_be_placed_dispensers_where_onions_and_tomatoes_were(layout):
    draft, placed = filled(imported(layout(ROOM)))
    assert [*missing(draft)] == []
    assert {*placed} == {*STATIONS, "fire extinguisher"}
    assert (placed["rice dispenser"], placed["meat dispenser"]) == ((0, 1), (8, 2))
    assert len({*placed.values()}) == len(placed)
    assert can_deliver(draft.layout("room"))


def test_counters_between_two_rooms_become_pass_counters_and_the_kitchen_works(layout):
    kitchen = imported(layout(TWO_ROOMS))
    assert kitchen.draft.pass_counters == {(4, 1), (4, 2), (4, 3)}
    draft, _ = filled(kitchen)
    assert draft.pass_counters
    assert can_deliver(draft.layout("rooms"))


def test_a_cook_without_a_start_is_missing_and_is_placed(layout):
    kitchen = imported(layout(ROOM.replace("2", " ")))
    assert "start of cook 2" in [*missing(kitchen.draft)]
    draft, placed = filled(kitchen)
    assert draft.layout("alone").starts[1] == placed["cook 2"]


def test_a_station_that_nobody_can_reach_becomes_a_counter(layout):
    kitchen = imported(layout(ROOM.replace('XXDXSXXXX"', 'PXDXSXXXX"')))
    assert kitchen.draft.rows[-1] == "XXDXSXXXX"


@pytest.mark.parametrize(
    "text",
    [
        '{ "grid": """XPX\n X1X\n XSX""" }',
        '{"grid": "XPX\\nX1X\\nXSX", "orders": null, "counted": true}',  # as JSON
        "# theirs\n{'grid': ['XPX', 'X1X', 'XSX']}\n",
        '\ufeff{"grid": """XPX\r\nX1X\r\nXSX"""}',
        '{"grid": ("XPX\\n"  # the north\n "X1X\\nXSX")}',
        '{"grid": """\n\n   XPX \n   X1X\n   XSX\n\n"""}',
    ],
)
def test_the_grid_is_read_however_it_is_written(layout, text):
    assert read_grid(layout(text.lstrip("\ufeff"))) == ("XPX", "X1X", "XSX")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not a layout of Overcooked-AI"),
        ("XXPXX\nO  2O", "not a layout of Overcooked-AI"),
        ('name = "mine"', "not a layout of Overcooked-AI"),
        ("[" * 9000, "not a layout of Overcooked-AI"),
        ("{" + "(" * 9000, "not a layout of Overcooked-AI"),
        ("-" * 60_000 + "1", "not a layout of Overcooked-AI"),
        ("{'grid': \x00}", "not a layout of Overcooked-AI"),
        ("[1, 2]", "not a layout of Overcooked-AI"),
        ("{}", "grid: missing"),
        ('{"grid": __import__("os").abort()}', "grid: should be a text of several lines"),
        ('{"grid": "X" * 10**9}', "grid: should be a text of several lines"),
        ('{"grid": 3}', "grid: should be a text of several lines"),
        ('{"grid": ["XX", 3]}', "grid: should be a text of several lines"),
        ('{"grid": ""}', "grid: empty"),
        ('{"grid": "XXX\\nXX"}', "grid row 2: 2 tiles where row 1 has 3"),
        ('{"grid": "XXX\\nX1Q"}', "grid row 2, column 3: unknown character 'Q'"),
        ('{"grid": "X1X\\nX1X"}', "the start '1' should be 1 or 2, and each once"),
        ('{"grid": "X1X\\nX2X\\nX3X\\nX4X"}', "grid: 4 cooks; kitchens have two"),
        ('{"grid": "X1X2X5"}', "grid: 3 cooks; kitchens have two"),
        ('{"grid": "' + "X" * 41 + '"}', "more than 40 tiles long"),
        (" " * 70_000, "larger than 64 KiB"),
    ],
)
def test_what_is_no_such_layout_is_one_line_and_nothing_is_run(layout, text, problem):
    path = layout(text)
    with pytest.raises(BBAError) as caught:
        imported(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert problem in str(caught.value)
    assert "\n" not in str(caught.value)


def test_too_few_counters_are_said_with_their_number(layout):
    small = '{"grid": """XXPXX\n O  2O\n X1  X\n XDXSX"""}'
    with pytest.raises(BBAError, match="--fill: 9 things are missing, and 7 counters can hold them"):
        filled(imported(layout(small)))


def test_the_designer_opens_one_under_a_name_of_its_own(layout):
    path = layout(ROOM, "my room.layout")
    kitchen, target = named_kitchen(str(path))
    assert (kitchen.name, str(target)) == ("my_room", "my_room.toml")
    assert "a layout of Overcooked-AI" in kitchen.mended
    assert kitchen.draft.mistake.startswith("map row 1, column 1: no meat_dispenser anywhere")
    assert read_kitchen(path) == kitchen


def test_the_draft_is_written_and_read_again(layout, tmp_path):
    draft = imported(layout(TWO_ROOMS)).draft
    file = tmp_path / "rooms.toml"
    file.write_text(kitchen_text(draft, "rooms"))
    again = read_kitchen(file).draft
    assert isinstance(again, Draft)
    assert (again.rows, again.pass_counters, again.extinguisher) == (draft.rows, draft.pass_counters, None)
