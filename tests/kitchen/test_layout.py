"""Layout files: the shipped ones are correct, and each mistake gives one line that says where it is."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from bba.errors import BBAError
from bba.files import data_dir
from bba.kitchen import Kitchen, Layout, constants, state_digest
from bba.kitchen.layout import UNREACHABLE, grid_of
from tests.helpers.random_kitchens import layouts

OPEN = (data_dir("configs/layouts") / "open.toml").read_text()
FORCED = (data_dir("configs/layouts") / "forced_coordination.toml").read_text()

MISTAKES = {
    "unknown character": (OPEN.replace("RZMT", "RZQT"), "map row 4, column 6: unknown character 'Q'"),
    "short row": (OPEN.replace("X  1     W", "X  1    W"), "map row 3, column 10: ragged, 9 tiles where row 1 has 10"),
    "long row": (OPEN.replace("X  1     W", "X  1      W"), "map row 3, column 11: ragged, 11 tiles"),
    "no start": (OPEN.replace("X  1  ", "X     "), "no start for cook 1 anywhere"),
    "two starts": (OPEN.replace("U     2  X", "U  2  2  X"), "map row 5, column 7: a second start for player 1"),
    "no window": (OPEN.replace("DSSXX", "DXXXX"), "no window anywhere"),
    "station out of reach": (
        OPEN.replace("XXBBXDSSXX", "GXBBXDSSXX"),
        "map row 1, column 1: nobody can reach this grill",
    ),
    "empty map": ('name = "a"\nmap = ""\nextinguisher = [0, 0]', "map row 1, column 1: the map is empty"),
    "too large": (f'name = "a"\nmap = "{"X" * 41}"\nextinguisher = [0, 0]', "map: 41x1 tiles; at most 40x40"),
    "pass counter on one side": (
        FORCED.replace("[[4, 3], [4, 6]]", "[[4, 3], [4, 4]]"),
        "pass_counters: map row 5, column 5: not a counter that both players' floors touch",
    ),
    "extinguisher on floor": (OPEN.replace("[9, 5]", "[1, 1]"), "extinguisher: map row 2, column 2: not a counter"),
    "extinguisher out of reach": (OPEN.replace("[9, 5]", "[0, 0]"), "extinguisher: map row 1, column 1: not a counter"),
    "extinguisher off the board": (
        OPEN.replace("[9, 5]", "[90, 5]"),
        "extinguisher: map row 6, column 91: not a counter",
    ),
    "unknown key": (OPEN.replace("plates = 4", "plate = 4"), "plate: unknown key"),
    "unknown key, near another": (OPEN.replace("plates = 4", "plate = 4"), "plate: unknown key; the nearest is plates"),
    "unknown key in a table": (
        OPEN.replace("rinses = 3", "rinse = 3"),
        "timing.rinse: unknown key; the nearest is rinses",
    ),
    "unknown key, near none": (OPEN.replace("plates = 4", "zebra = 4"), "zebra: unknown key"),
    "wrong type": (OPEN.replace("plates = 4", 'plates = "many"'), "plates: "),
    "out of range": (OPEN.replace("rinses = 3", "rinses = 0"), "timing.rinses: "),
    "missing": (OPEN.replace("extinguisher = [9, 5]", ""), "extinguisher: missing"),
    "orders that begin late": (OPEN.replace("[[0, 2]", "[[5, 2]"), "orders.active must start at step 0"),
    "orders that fall": (OPEN.replace("[551, 3]", "[551, 1]"), "its steps must ascend and its numbers not fall"),
    "orders in the far future": (OPEN.replace("[701, 4]", "[3000000000, 4]"), "orders.active"),
    "no multipliers": (OPEN.replace("[1, 2, 2, 2, 5]", "[]"), "orders.multipliers must name at least one number"),
    "not TOML": ("name = open", "not valid TOML: "),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_layout_file_is_one_line_with_file_and_place(mistake: str, tmp_path: Path) -> None:
    text, message = MISTAKES[mistake]
    assert text not in (OPEN, FORCED)
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(BBAError) as caught:
        Layout.load(file)
    line = str(caught.value)
    assert line.startswith(f"{file}: ")
    assert message in line
    assert "\n" not in line
    assert "Value error" not in line


def test_a_file_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BBAError, match=r"none\.toml: cannot be read: No such file or directory$"):
        Layout.load(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BBAError, match=r"binary\.toml: not a text file"):
        Layout.load(tmp_path / "binary.toml")
    with pytest.raises(BBAError, match="cannot be read"):
        Layout.load(tmp_path)


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(
        BBAError,
        match=r"^layout: no layout named 'opne'; the nearest is open; there are burrito, forced_coordination, open, ",
    ):
        Layout.load("opne")


def test_a_layout_from_a_file_is_the_one_that_ships(tmp_path: Path) -> None:
    (tmp_path / "copy.toml").write_text(OPEN)
    assert Layout.load(tmp_path / "copy.toml") == Layout.load("open")
    assert state_digest(Kitchen(Layout.load(tmp_path / "copy.toml")).state) == state_digest(Kitchen("open").state)


@pytest.mark.parametrize(
    ("name", "size", "starts", "extinguisher", "is_pass_counter"),
    [
        ("open", (10, 7), ((3, 2), (6, 4)), (9, 5), ()),
        ("ring", (10, 8), ((4, 1), (6, 1)), (0, 4), ()),
        ("forced_coordination", (8, 10), ((1, 2), (6, 2)), (0, 3), ((4, 3), (4, 6))),
        ("burrito", (12, 10), ((1, 2), (6, 2)), (0, 3), ((5, 1), (5, 2), (5, 3))),
    ],
)
def test_a_shipped_layout_is_the_published_one(
    name: str, size: tuple[int, int], starts: object, extinguisher: object, is_pass_counter: object
) -> None:
    layout = Layout.load(name)
    assert (layout.name, layout.width, layout.height) == (name, *size)
    assert (layout.starts, layout.extinguisher, layout.pass_counters) == (starts, extinguisher, is_pass_counter)
    assert layout.plates == 4
    assert layout.timing.model_dump() == {"chops": 2, "rinses": 3, "cooking": 80, "ready": 80, "warning": 60}
    assert layout.orders.active == ((0, 2), (551, 3), (701, 4))


def test_in_forced_coordination_each_player_reaches_only_its_own_stations() -> None:
    layout, grid = Layout.load("forced_coordination"), grid_of(Layout.load("forced_coordination"))
    reached = []
    for x, y in layout.starts:
        near = grid.distance_to_adjacent[:, y * layout.width + x] < UNREACHABLE
        reached.append(
            {constants.TILE_CHARS[tile] for tile in np.unique(grid.kind[near & (grid.kind != constants.FLOOR)])}
        )
    assert reached[0] - {"X"} == set("ZMTRGPWU")
    assert reached[1] - {"X"} == set("BSDU")


@given(layouts())
def test_distances_are_walking_distances(layout: Layout) -> None:
    grid = grid_of(layout)
    floor = np.flatnonzero(grid.kind == constants.FLOOR)
    walk = grid.distance[np.ix_(floor, floor)]
    assert (walk == walk.T).all()
    assert (np.diag(walk) == 0).all()
    for here in floor.tolist():
        beside = [
            there for there in grid.neighbour[here].tolist() if there >= 0 and grid.kind[there] == constants.FLOOR
        ]
        assert set(np.flatnonzero(grid.distance[here] == 1).tolist()) == set(beside)
        for there in floor.tolist():
            if here != there:
                assert grid.distance[here, there] == min([grid.distance[b, there] + 1 for b in beside] + [UNREACHABLE])
