"""The lines below the kitchen in the window: orders with their patience, what one holds, and what lies ahead."""

from dataclasses import replace
from types import SimpleNamespace

from bba.kitchen import Layout
from bba.kitchen.kitchen import ObjectView, OrderView, PlayerView, scene_of
from bba.play import Game
from tui.widgets.player_panels import window_lines


def lines(**changes):
    game = Game("open", "switching", "switching", 0)
    scene = replace(scene_of(game.kitchen.layout, game.kitchen.state), **changes)
    return [*window_lines(SimpleNamespace(scene=scene, config=game.trace.config), [1])]


def station(char):
    """A floor tile below a station, and the station."""
    layout = Layout.load("open")
    return next(
        ((x, y + 1), (x, y))
        for y, row in enumerate(layout.rows[:-1])
        for x, tile in enumerate(row)
        if tile == char and layout.rows[y + 1][x] == " "
    )


def test_orders_have_their_patience_in_percent():
    orders = (OrderView("steak_burrito", 300, 600), OrderView("mushroom_burrito", 60, 600))
    assert lines(orders=orders)[0].endswith("50%, mushroom burrito 10%")
    assert lines(orders=())[0] == "orders: none"


def test_a_person_sees_what_it_holds_and_faces():
    floor, board = station("B")
    cooks = (PlayerView((1, 1), "north", None), PlayerView(floor, "north", "clean_plate"))
    (_, empty) = lines(players=cooks, objects=())
    assert empty.startswith("cook 2 holds clean plate; ahead: ")
    assert empty.endswith("board: empty")
    (_, chopping) = lines(players=cooks, objects=(ObjectView("chopped_meat", board, "board", "unready", 2, 5),))
    assert chopping.endswith("board: meat, 2 of 5 chops")
