"""The painter draws every tile and item, each in its own way, and an update equals a full painting."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from bba.errors import BBAError
from bba.kitchen.constants import ITEM_NAMES, STAGE_NAMES, TILE_CHARS
from bba.kitchen.controller import Route
from bba.kitchen.kitchen import ObjectView, PlayerView, Scene
from bba.kitchen.render.painter import BAR_COLOURS, Overlays, Painter, PathOverlay, TileOutline, path_overlays
from bba.kitchen.render.sprites import compose, doubled, item_layers, load_sprites, resize

ROWS = ("XXBPGWX", "X1 2  D", "M  X  S", "X     U", "XXXXXXX")
PLAYERS = (PlayerView((1, 1), "south", None), PlayerView((3, 1), "east", "meat"))
FACINGS = ("north", "south", "east", "west")
SIZES = (4, 8, 12, 16, 24)


def scene(*objects: ObjectView, players: tuple[PlayerView, PlayerView] = PLAYERS, dirty_plates: int = 4) -> Scene:
    return Scene("test", 0, 0, 0, 0, dirty_plates, players, objects, ())


def counter_with(name: str) -> ObjectView:
    return ObjectView(name, (0, 0), "counter")


def cooking(state: str, progress: int = 40, total: int = 80) -> ObjectView:
    return ObjectView("chopped_steak", (4, 0), "grill", state, progress, total)


def tile_of(image: np.ndarray, painter: Painter, tile: tuple[int, int]) -> np.ndarray:
    x, y = tile[0] * painter.size, tile[1] * painter.size
    return image[y : y + painter.size, x : x + painter.size]


def all_different(images: list[np.ndarray]) -> bool:
    return all((one != other).any() for one, other in combinations(images, 2))


def test_every_kind_of_tile_looks_different():
    images = [Painter((char,)).paint(scene()) for char in TILE_CHARS.replace(" ", "")]
    assert all_different(images)


@pytest.mark.parametrize("file", ["items", "held"])
def test_every_item_looks_different(file):
    assert all_different([compose(item_layers(name, file)) for name in ITEM_NAMES.values()])


def test_items_on_a_counter_paint_differently():
    painter = Painter(ROWS)
    assert all_different([painter.paint(scene(counter_with(name))) for name in ITEM_NAMES.values()])


def test_players_differ_by_seat_facing_and_what_they_hold():
    painter, alone = Painter((" ",)), PLAYERS[1]
    images = []
    for seat in range(2):
        for facing in FACINGS:
            for held in (None, *ITEM_NAMES.values()):
                # The other player stands outside the map.
                seats = [replace(alone, position=(5, 5)), replace(alone, position=(5, 5))]
                seats[seat] = PlayerView((0, 0), facing, held)
                images.append(painter.paint(scene(players=(seats[0], seats[1]))).tobytes())
    assert len(set(images)) == len(images)


@pytest.mark.parametrize("name", ["chopped_steak", "fried_mushroom", "boiled_rice"])
def test_each_cooking_stage_has_its_own_food_and_bar(name):
    painter = Painter(ROWS)
    foods = [ObjectView(name, (4, 0), "grill", stage, 40, 80) for stage in STAGE_NAMES]
    tiles = [tile_of(painter.paint(scene(food)), painter, (4, 0)) for food in foods]
    assert all_different([tile[:6] for tile in tiles])
    assert [tuple(tile[-1, 0]) for tile in tiles] == [BAR_COLOURS[stage] for stage in STAGE_NAMES]


@pytest.mark.parametrize("size", SIZES)
def test_the_bar_grows_with_the_progress_and_is_full_only_at_the_end(size):
    painter = Painter(ROWS, size)

    def filled(progress: int) -> int:
        bar = tile_of(painter.paint(scene(cooking("cooking", progress))), painter, (4, 0))[-1]
        return int((bar == BAR_COLOURS["cooking"]).all(axis=-1).sum())

    assert [filled(progress) for progress in (0, 40, 79, 80)] == [0, size // 2, size - 1, size]


def test_unready_food_on_a_board_looks_raw_until_it_is_chopped():
    painter = Painter(ROWS)
    unready, ready = (
        tile_of(painter.paint(scene(ObjectView("chopped_meat", (2, 0), "board", state, 1, 2))), painter, (2, 0))
        for state in ("unready", "ready")
    )
    raw = tile_of(painter.paint(scene(ObjectView("meat", (2, 0), "board"))), painter, (2, 0))
    assert (unready[:6] == raw[:6]).all()
    assert (ready[:6] != raw[:6]).any()


def test_fire_flickers_and_a_quiet_kitchen_does_not():
    painter = Painter(ROWS)
    burning = scene(cooking("burning"))
    assert (painter.paint(burning, frame=0) != painter.paint(burning, frame=1)).any()
    assert (painter.paint(scene(), frame=0) == painter.paint(scene(), frame=1)).all()


def test_the_stack_shows_its_number_of_plates_and_a_pass_counter_its_mark():
    painter = Painter(ROWS)
    assert all_different([painter.paint(scene(dirty_plates=plates)) for plates in range(5)])
    passing = Painter(ROWS, pass_counters={(3, 2)})
    assert (tile_of(passing.paint(scene()), passing, (3, 2)) != tile_of(painter.paint(scene()), painter, (3, 2))).any()


CHANGES = {
    "an item appears": scene(counter_with("rice")),
    "food burns": scene(cooking("burning")),
    "a player moves": scene(players=(replace(PLAYERS[0], position=(2, 1), facing="east"), PLAYERS[1])),
    "a player puts an item down": scene(players=(PLAYERS[0], replace(PLAYERS[1], held=None))),
    "a plate goes": scene(dirty_plates=3),
    "nothing": scene(cooking("warning"), counter_with("meat")),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("after", CHANGES.values(), ids=CHANGES.keys())
def test_an_update_equals_a_full_painting(after, size):
    painter = Painter(ROWS, size)
    before = scene(cooking("warning"), counter_with("meat"))
    slid, stopped = ((size // 2, 0), (0, -size)), ((-size // 4, 0), (0, size))
    image = painter.paint(before, 0, slid)
    painter.update(image, before, after, 1, stopped, previous_offsets=slid)
    assert (image == painter.paint(after, 1, stopped)).all()


BLUE, RED = (0, 0, 255), (255, 0, 0)
ROUTE = Route((2, 0), ((4, 1), (4, 2), (4, 3), (3, 3), (2, 3), (2, 2), (2, 1)))
NOBODY = scene(players=(replace(PLAYERS[0], position=(9, 9)), replace(PLAYERS[1], position=(9, 9))))


def overlays_of(*routes: tuple[int, Route]) -> Overlays:
    """The overlays of routes, each with its lane."""
    overlays: dict[tuple[int, int], tuple[PathOverlay | TileOutline, ...]] = {}
    for lane, route in routes:
        for tile, overlay in path_overlays(lane, route, (BLUE, RED)[lane]).items():
            overlays[tile] = (*overlays.get(tile, ()), overlay)
    return overlays


def connected(drawn: np.ndarray) -> np.ndarray:
    """The pixels (bool) connected with the last one in reading order."""
    reached = np.zeros_like(drawn)
    reached[tuple(np.argwhere(drawn)[-1])] = True
    while True:
        padded = np.pad(reached, 1)
        beside = padded[:-2, 1:-1] | padded[2:, 1:-1] | padded[1:-1, :-2] | padded[1:-1, 2:]
        grown = drawn & (reached | beside)
        if (grown == reached).all():
            return reached
        reached = grown


@pytest.mark.parametrize("size", [*SIZES, 6, 7])
@pytest.mark.parametrize("lane", [0, 1])
def test_a_route_is_a_connected_line_from_the_player_to_an_outline_of_its_target(size, lane):
    painter = Painter(ROWS, size)
    drawn = (painter.paint(NOBODY, overlays=overlays_of((lane, ROUTE))) == (BLUE, RED)[lane]).all(axis=-1)
    assert (connected(drawn) == drawn).all()
    assert {(int(x) // size, int(y) // size) for y, x in np.argwhere(drawn)} == {*ROUTE.path, ROUTE.target}
    frame = tile_of(drawn, painter, ROUTE.target)
    assert all(edge.all() for edge in (frame[0], frame[-1], frame[:, 0], frame[:, -1]))
    assert not frame[size // 2, size // 2]


@pytest.mark.parametrize("size", SIZES)
def test_an_outline_leaves_the_progress_bar_visible(size):
    painter, grill = Painter(ROWS, size), cooking("cooking")
    plain, framed = (
        tile_of(painter.paint(scene(grill), overlays=overlays), painter, grill.position)
        for overlays in ({}, {grill.position: (TileOutline(RED),)})
    )
    assert (framed[-1] == plain[-1]).all()
    assert (framed[0] == RED).all()


@pytest.mark.parametrize("size", SIZES)
def test_two_routes_over_the_same_tiles_are_both_seen_and_share_the_outline(size):
    painter = Painter(ROWS, size)
    image = painter.paint(NOBODY, overlays=overlays_of((0, ROUTE), (1, ROUTE)))
    for tile in (*ROUTE.path[1:], ROUTE.target):
        pixels = tile_of(image, painter, tile)
        assert (pixels == BLUE).all(axis=-1).any()
        assert (pixels == RED).all(axis=-1).any()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("before", "after"), [((), (0,)), ((0,), ()), ((0,), (0, 1))])
def test_an_update_with_other_overlays_equals_a_full_painting(size, before, after):
    painter, same = Painter(ROWS, size), scene(counter_with("meat"))
    old, new = (overlays_of(*((lane, ROUTE) for lane in lanes)) for lanes in (before, after))
    image = painter.paint(same, overlays=old)
    painter.update(image, same, same, overlays=new, previous_overlays=old)
    assert (image == painter.paint(same, overlays=new)).all()


def test_a_player_is_shifted_by_its_offset_and_is_cut_off_at_the_edge():
    painter = Painter(("   ",))
    away = replace(PLAYERS[1], position=(9, 9))
    at = [scene(players=(PlayerView((x, 0), "south", None), away)) for x in range(3)]
    assert (painter.paint(at[0], offsets=((8, 0), (0, 0))) == painter.paint(at[1])).all()
    assert painter.paint(at[2], offsets=((4, -4), (0, 0))).shape == (8, 24, 3)


def test_multiples_of_the_sprite_size_repeat_its_pixels_and_its_divisors_keep_its_mean():
    art = np.arange(64, dtype=np.uint8).reshape(8, 8, 1)
    assert (resize(art, 16)[::2, ::2] == art).all()
    for size in (1, 2, 4):
        assert resize(art, size).shape == (size, size, 1)
        assert resize(art, size).mean() == pytest.approx(art.mean())


@pytest.mark.parametrize("size", [6, 12])
def test_other_sizes_have_the_colours_of_the_sprite_alone(size):
    art = compose(("items/meat",))[..., :3]
    drawn = resize(art, size)
    assert drawn.shape == (size, size, 3)
    assert {tuple(pixel) for pixel in drawn.reshape(-1, 3)} <= {tuple(pixel) for pixel in art.reshape(-1, 3)}


def test_twice_the_size_rounds_a_diagonal_and_keeps_straight_edges():
    staircase = np.tri(4, dtype=np.uint8)[..., None]
    assert doubled(staircase)[2:6, :, 0].sum(axis=1).tolist() == [3, 5, 5, 7]  # not 4, 4, 6, 6
    bar = np.repeat([[0], [1], [1], [0]], 4, axis=1).astype(np.uint8)[..., None]
    assert (doubled(bar) == bar.repeat(2, axis=0).repeat(2, axis=1)).all()


GOOD = '[palette]\na = "#102030"\n[sprites]\ndot = """\na.\n.a\n"""\n'


def sprite_file(folder: Path, text: str) -> Path:
    (folder / "odd.toml").write_text("size = 2\n" + text)
    return folder


def test_a_sprite_file_is_a_palette_and_rows_and_may_be_recoloured(tmp_path):
    sprites = load_sprites(sprite_file(tmp_path, GOOD + '[recolour.red]\na = "#ff0000"\n[recolour.old]\n'))
    assert sprites.keys() == {"odd/red_dot", "odd/old_dot"}
    assert sprites["odd/red_dot"].tolist() == [[[255, 0, 0, 255], [0] * 4], [[0] * 4, [255, 0, 0, 255]]]
    assert sprites["odd/old_dot"][0, 0].tolist() == [16, 32, 48, 255]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (GOOD.replace(".a", "a"), "sprite 'dot' wants 2 rows of 2 characters"),
        (GOOD.replace(".a", ".b"), "sprite 'dot' uses 'b'"),
        (GOOD.replace("#102030", "blue"), "palette.a: String should match pattern"),
        (GOOD.replace("[palette]", "[colours]"), "palette: missing"),
        (GOOD + "[", "not valid TOML"),
    ],
)
def test_a_damaged_sprite_file_is_named_with_what_is_wrong(tmp_path, text, complaint):
    with pytest.raises(BBAError, match=rf"odd\.toml: .*{complaint}"):
        load_sprites(sprite_file(tmp_path, text))


def test_a_folder_without_sprites_and_an_unknown_sprite_are_clear_errors(tmp_path):
    with pytest.raises(BBAError, match="no sprite files"):
        load_sprites(tmp_path)
    with pytest.raises(BBAError, match="no sprite named 'items/gold'"):
        compose(("items/gold",))
