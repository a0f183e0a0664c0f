"""The kitchen takes the largest tiles that fit, slides cooks, puts letters over small tiles, and points things out."""

import numpy as np
import pytest
from textual.geometry import Size

from bba.analysis.snapshot import Snapshot
from bba.kitchen import Layout, constants
from bba.kitchen.render.painter import Painter, PathOverlay, TileOutline
from bba.play import Replay, record
from bba.play.trace import EGO, PARTNER
from tests.helpers.app import fresh_source, paused_app
from tests.helpers.games import played
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.playback.source import PlaybackSource
from tui.preferences import AppState
from tui.screens.start import StartScreen
from tui.widgets import kitchen_view
from tui.widgets.kitchen_view import CURSOR, KitchenView, overlays_of, tile_size
from tui.widgets.tile_text import abbreviation, labels_of, overlay_labels, tile_words
from tui.widgets.timeline import Timeline


@pytest.mark.parametrize(
    ("layout", "room", "size"),
    [
        ("open", (48, 20), 4),
        ("open", (81, 30), 8),
        ("open", (136, 50), 12),
        ("open", (79, 28), 6),
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
    assert all(1 <= len(abbreviation(name)) <= 4 for name in constants.ITEM_NAMES.values())


def test_letters_lie_over_small_tiles_only_and_cooks_over_all_else():
    trace = played(40)
    layout, scene = trace.config.layout, trace.scene(40)
    assert labels_of(layout, scene, 8) == {}
    labels = labels_of(layout, scene, 4)
    for number, player in enumerate(scene.players, 1):
        x, y = player.position
        assert labels[4 * x + 1, 2 * y][0] == str(number)
    first = labels_of(layout, scene, 2)
    assert all(0 <= x < 2 * layout.width and 0 <= y < layout.height for x, y in first)


def test_on_the_smallest_tiles_what_a_cook_holds_stands_beside_its_number():
    trace = played(40)
    scene = next(scene for step in range(40) if (scene := trace.scene(step)).players[0].held)
    (x, y), labels = scene.players[0].position, labels_of(trace.config.layout, scene, 2)
    assert [labels[2 * x + column, y][0] for column in (0, 1)] == ["1", abbreviation(scene.players[0].held)[0]]


def moving_moments():
    """Two moments in a row between which the first cook moves one tile."""
    trace = played(60)
    step = next(s for s in range(60) if trace.scene(s).players[0].position != trace.scene(s + 1).players[0].position)
    return Snapshot(trace, step), Snapshot(trace, step + 1)


@pytest.mark.thorough
async def test_a_cook_appears_half_way_and_then_arrives():
    before, after = moving_moments()
    app = paused_app(app={"motion": True})
    async with app.run_test(size=(120, 40)) as pilot:
        view = app.screen.query_one(KitchenView)
        painter = Painter(Layout.load("open").rows, 8)
        view.show_snapshot(before)
        view.show_snapshot(after, slide=0.05)
        assert (view._buffer != painter.paint(after.scene)).any()
        await until(pilot, lambda: np.array_equal(view._buffer, painter.paint(after.scene)))


async def test_fire_flickers_only_while_the_clock_runs_and_a_jump_in_time_never_slides(monkeypatch):
    monkeypatch.setattr(kitchen_view, "FLICKER_SECONDS", 0.05)
    app = paused_app(515, {"motion": True}, horizon=2400)
    async with app.run_test(size=(120, 40)) as pilot:
        view = app.screen.query_one(KitchenView)
        assert any(item.state == "burning" for item in app.game_screen.snapshot.scene.objects)
        still = view._buffer.copy()
        await pilot.pause(0.1)
        assert np.array_equal(view._buffer, still)
        view.play(True)
        await until(pilot, lambda: (view._buffer != still).any())
        view.play(False)
        still = view._buffer.copy()
        await pilot.pause(0.1)
        assert np.array_equal(view._buffer, still)
        before, after = moving_moments()
        view.show_snapshot(after)
        view.show_snapshot(before, slide=0.05)
        assert np.array_equal(view._buffer, Painter(Layout.load("open").rows, 8).paint(before.scene))


# --- the plan --------------------------------------------------------------------------------------------------
BUSY = 230  # a step at which both cooks are on their way


def board(app: BBAApp) -> KitchenView:
    return app.screen.query_one(KitchenView)


def changed_tiles(view: KitchenView, before: np.ndarray) -> set[tuple[int, int]]:
    size = view._painter.size
    return {(int(x) // size, int(y) // size) for y, x in np.argwhere((view._buffer != before).any(axis=-1))}


def tiles_of(route) -> set[tuple[int, int]]:
    return {*route.path, route.target}


@pytest.mark.parametrize("size", few([(80, 24), (120, 40)]))
async def test_p_draws_each_cooks_way_over_just_its_tiles_the_partners_only_with_the_truth_and_under_the_cursor(size):
    app = paused_app(BUSY, horizon=2400)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        view, routes = board(app), app.game_screen.snapshot.routes
        plain = view._buffer.copy()
        await pilot.press("P")
        under = {player.position for player in app.game_screen.snapshot.scene.players}  # a cook may hide its mark
        assert changed_tiles(view, plain) | under == tiles_of(routes[EGO]) | tiles_of(routes[PARTNER])
        await pilot.press("P")
        assert np.array_equal(view._buffer, plain)
        await pilot.press("P", "t")
        assert changed_tiles(view, plain) <= tiles_of(routes[EGO])
        await pilot.press("t")
        assert changed_tiles(view, plain) >= {routes[PARTNER].target}
        await pilot.press("i")
        view.pointed = target = routes[PARTNER].target
        colours = {tuple(pixel) for pixel in view._painter._area(view._buffer, target).reshape(-1, 3).tolist()}
        assert {CURSOR, (255, 138, 80)} <= colours


@pytest.mark.thorough
@pytest.mark.parametrize("recorded", [False, True])
async def test_in_the_past_and_in_recordings_the_plan_is_that_of_the_step_shown(recorded):
    trace = played(30)
    source = PlaybackSource(lambda: Replay(record(trace))) if recorded else fresh_source(30)
    app = BBAApp(source, autostart=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("P", *(["right"] * 3 if recorded else ["shift+left", "left"]))
        view, then = board(app), Snapshot(trace, 3 if recorded else 9)
        assert app.game_screen.snapshot.step == then.step
        assert None not in then.routes
        wanted = view._painter.paint(then.scene, overlays=overlays_of(then, plan=True, pointed=None))
        assert np.array_equal(view._buffer, wanted)


def test_nobody_has_a_way_before_the_first_step():
    assert Snapshot(played(1), 0).routes == (None, None)


def test_a_person_has_no_way():
    trace = played(BUSY, horizon=2400)
    tick = trace.ticks[-1]
    trace.ticks[-1] = tick._replace(skills=(constants.NO_SKILL, tick.skills[1]))
    assert Snapshot(trace, BUSY).routes[EGO] is None


@pytest.mark.parametrize("size", [1, 2])
def test_tiles_too_small_for_lines_have_dots_and_targets_turned_over(size):
    labels = {(4 * size, 3 * size // 2): ("G", None)}
    marks = {(2, 2): (PathOverlay(0, (1,), (9, 9, 9)),), (4, 3): (TileOutline((9, 9, 9)),)}
    marked = overlay_labels(labels, marks, size)
    assert [marked[column, 2 * size // 2][0] for column in range(2 * size, 3 * size)] == ["·"] * size
    char, style = marked[4 * size, 3 * size // 2]
    assert (char, style.bgcolor.triplet) == ("G", (9, 9, 9))
    assert overlay_labels(labels, marks, 4) == labels


# --- naming tiles ----------------------------------------------------------------------------------------------
def framed(view: KitchenView) -> set[tuple[int, int]]:
    """The tiles all of whose corners have the cursor's colour."""
    size = view._painter.size
    corners = view._buffer[:: size - 1] if size == 1 else view._buffer
    white = (corners == CURSOR).all(axis=-1)
    return {
        (x, y)
        for x in range(view._layout.width)
        for y in range(view._layout.height)
        if white[y * size : (y + 1) * size : size - 1, x * size : (x + 1) * size : size - 1].all()
    }


def subtitle(view: KitchenView) -> str:
    return view.border_subtitle or ""


@pytest.mark.parametrize("size", few([(80, 24), (120, 40)]))
async def test_arrows_move_the_cursor_from_the_first_cook_until_it_goes_and_the_mouse_names_tiles_too(size):
    app = paused_app(BUSY, horizon=2400)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        view, scene = board(app), app.game_screen.snapshot.scene
        plain, (x, y) = view._buffer.copy(), scene.players[EGO].position
        for key in ("i", "escape"):
            await pilot.press("i")
            assert "cook 1 (ego)" in subtitle(view)
            await pilot.press("right", "up", "up", "left", "left", "down")
            assert app.game_screen.snapshot.step == BUSY
            assert subtitle(view) == tile_words(view._layout, scene, (x - 1, y - 1))
            assert framed(view) == {(x - 1, y - 1)}
            await pilot.press(key)
            assert np.array_equal(view._buffer, plain), key
            assert not subtitle(view), key
            await pilot.press("left", "left", "right")
            assert app.game_screen.snapshot.step == BUSY - 1, "without the cursor arrows step in time"
            await pilot.press("right")
        # The mouse names the tile under it until it leaves the board.
        tile = view._painter.size
        await pilot.hover(KitchenView, offset=(1 + tile * 5 + tile // 2 - 1, 1 + tile // 2 * 6 + 1))
        room = view.outer_size.width - 6  # two corners with a line each, and a space on each side
        assert subtitle(view) == tile_words(view._layout, scene, (5, 6), room)
        assert framed(view) == {(5, 6)}
        await pilot.hover(KitchenView, offset=(1 + tile * 9, 1))
        assert framed(view) == {(9, 0)}
        await pilot.hover(Timeline)
        assert not subtitle(view)
        assert not framed(view)


@pytest.mark.thorough
async def test_the_cursor_stays_on_the_board():
    app = paused_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("i")
        board(app).move_cursor(-12, -12)
        assert subtitle(board(app)) == "(0,0) counter"
        board(app).move_cursor(12, 12)
        assert subtitle(board(app)) == "(9,6) counter"


@pytest.mark.thorough
async def test_escape_ends_the_cursor_before_it_leaves_the_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    app = BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press("i", "escape")
        assert app.screen is app.game_screen
        await pilot.press("escape")
        assert isinstance(app.screen, StartScreen)


@pytest.mark.thorough
async def test_what_the_cursor_names_goes_with_time_while_it_stays():
    app = paused_app(horizon=2400)
    trace = played(BUSY, horizon=2400)
    pot = next(item.position for item in trace.scene(BUSY).objects if item.tile == "pot")
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        view = board(app)
        await pilot.press("i")
        view.pointed = pot
        said = []
        for step in (BUSY - 1, BUSY):
            view.show_snapshot(Snapshot(trace, step))
            said.append(subtitle(view))
        assert said == [tile_words(view._layout, trace.scene(step), pot) for step in (BUSY - 1, BUSY)]
        assert said[0] != said[1]
        await pilot.pause()
        assert said[1] in "".join(strip.text for strip in app.screen._compositor.render_strips())


@pytest.mark.thorough
async def test_a_cursor_that_the_mouse_has_moved_stays_where_the_mouse_left_it():
    app = paused_app(BUSY, horizon=2400)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        await pilot.press("i")
        await pilot.hover(KitchenView, offset=(1 + 8 * 9, 1))
        await pilot.hover(Timeline)
        assert framed(board(app)) == {(9, 0)}


async def test_a_board_without_a_frame_is_named_over_its_last_row_or_its_first():
    app = paused_app(layout="forced_coordination")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        view = board(app)
        await pilot.press("i")
        view.move_cursor(-9, -9)
        assert not subtitle(view)
        assert view.render_line(19).text.strip() == "(0,0) counter"
        view.move_cursor(0, 9)
        assert view.render_line(0).text.strip() == "(0,9) counter"
        assert "counter" not in view.render_line(19).text
