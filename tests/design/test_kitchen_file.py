"""Kitchens in files: what is written is read again, and a file with mistakes in its map can be opened and mended."""

import pytest

from bba.errors import BBAError
from bba.files import data_dir
from bba.kitchen import Layout
from tui.design.draft import EMPTY_ROOM, Draft
from tui.design.kitchen_file import kitchen_text, named_kitchen, read_kitchen, writable_path

OPEN = (data_dir("configs/layouts") / "open.toml").read_text()


@pytest.mark.parametrize("name", Layout.names())
def test_a_kitchen_that_is_written_is_the_same_when_it_is_read(name, tmp_path):
    file = tmp_path / f"{name}.toml"
    file.write_text(kitchen_text(Draft.of(Layout.load(name)), name))
    assert Layout.load(file) == Layout.load(name)
    assert read_kitchen(file) == (Draft.of(Layout.load(name)), name, "")


def test_timing_orders_and_plates_of_a_file_are_kept(tmp_path):
    file, copy = tmp_path / "mine.toml", tmp_path / "copy.toml"
    file.write_text(OPEN.replace("cooking = 80", "cooking = 7").replace("plates = 4", "plates = 9"))
    copy.write_text(kitchen_text(read_kitchen(file).draft, "copy"))
    found = Layout.load(copy)
    assert (found.name, found.plates, found.timing.cooking) == ("copy", 9, 7)


def test_a_draft_with_mistakes_is_written_and_read_as_it_is(tmp_path):
    file = tmp_path / "begun.toml"
    draft = EMPTY_ROOM.drawn((1, 1), "\\").drawn((2, 1), '"')
    file.write_text(kitchen_text(draft, "begun"))
    again = read_kitchen(file)
    assert (again.draft.rows, again.draft.extinguisher, again.mended) == (draft.rows, None, "")
    assert again.draft.mistake == draft.mistake


@pytest.mark.parametrize(
    ("text", "mended", "mistake"),
    [
        (OPEN.replace("X  1     W", "X  1    W"), "map row 3: shorter than others; filled up", "no sink anywhere"),
        (OPEN.replace("U     2  X", "U  2  2  X"), "", "map row 5, column 7: a second start"),
        (OPEN.replace("RZMT", "RZQT"), "", "map row 4, column 6: unknown character 'Q'"),
        (OPEN.replace("extinguisher = [9, 5]", ""), "", "no extinguisher anywhere"),
        (OPEN.replace("[9, 5]", "[1, 1]"), "", "extinguisher: map row 2, column 2: not a counter"),
        ('name = "a"\nmap = ""', "the map is empty; an empty room was drawn", "no meat_dispenser anywhere"),
        (f'name = "a"\nmap = "{"X" * 41}"', "", "map: 41x1 tiles; at most 40x40"),
    ],
)
def test_a_map_with_a_mistake_is_opened_and_the_mistake_named(text, mended, mistake, tmp_path):
    file = tmp_path / "mine.toml"
    assert text != OPEN
    file.write_text(text)
    found = read_kitchen(file)
    assert mended in found.mended
    assert bool(found.mended) == bool(mended)
    if "shorter" not in mended:
        assert mistake in found.draft.mistake


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = open", "not valid TOML: "),
        (OPEN.replace("plates = 4", "plate = 4"), "plate: unknown key"),
        (OPEN.replace("rinses = 3", "rinses = 0"), "timing.rinses: "),
        (OPEN.replace("pass_counters = []", "pass_counters = [[1]]"), "pass_counters.0.1: missing"),
        ('name = "a"\nextinguisher = [0, 0]', "map: missing"),
        (OPEN.replace('name = "open"', 'name = "a b"'), "name: "),
        (OPEN.replace('name = "open"', ""), "name: "),
    ],
)
def test_a_mistake_outside_of_the_map_is_one_line(text, said, tmp_path):
    file = tmp_path / "mine.toml"
    assert text != OPEN
    file.write_text(text)
    with pytest.raises(BBAError) as error:
        read_kitchen(file)
    assert str(error.value).startswith(f"{file}: ")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_what_design_names_is_a_new_room_a_shipped_kitchen_or_a_file(tmp_path):
    file = tmp_path / "mine.toml"
    assert named_kitchen("new") == ((EMPTY_ROOM, "new", ""), None)
    assert named_kitchen("ring") == ((Draft.of(Layout.load("ring")), "ring", ""), None)
    assert named_kitchen(str(file)) == ((EMPTY_ROOM, "mine", ""), file)
    file.write_text(OPEN)
    assert named_kitchen(str(file)) == ((Draft.of(Layout.load("open")), "open", ""), file)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("opne", "no layout named 'opne'"),
        ("gone/mine.toml", "gone is not a folder that can be written to"),
        ("a b.toml", "a kitchen's name has letters"),
    ],
)
def test_what_design_cannot_draw_is_one_line(name, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BBAError, match=said):
        named_kitchen(name)


def test_a_kitchen_is_written_to_a_toml_file_only(tmp_path):
    assert writable_path(tmp_path / "mine.toml") == writable_path(tmp_path / "mine") == tmp_path / "mine.toml"
    with pytest.raises(BBAError, match=r"ends in \.toml"):
        writable_path(tmp_path / "mine.txt")
