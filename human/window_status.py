"""What the window says below the kitchen: the orders with their patience, and what each person holds and faces."""

from collections.abc import Iterable, Sequence

from bba.analysis import names
from bba.kitchen import Layout
from bba.kitchen.layout import TILE_NAME_OF_CHAR
from bba.kitchen.scene import ObjectView, PlayerView, Scene

AHEAD = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}


def status_lines(layout: Layout, scene: Scene, people: Sequence[int]) -> list[str]:
    """Returns a line for the orders, then one for each person, by seat."""
    orders = ", ".join(f"{names.item(order.dish)} {order.left / order.life:.0%}" for order in scene.orders)
    return [f"orders: {orders or 'none'}", *_cooks(layout, scene, people)]


def _cooks(layout: Layout, scene: Scene, people: Sequence[int]) -> Iterable[str]:
    for seat in people:
        cook = scene.players[seat]
        held = names.item(cook.held) if cook.held else "nothing"
        yield f"cook {seat + 1} holds {held}; ahead: {_ahead(layout, scene, cook)}"


def _ahead(layout: Layout, scene: Scene, cook: PlayerView) -> str:
    """Returns what a cook faces: the station, and what is on it with its state and progress."""
    across, down = AHEAD[cook.facing]
    at = cook.position[0] + across, cook.position[1] + down
    if not (0 <= at[0] < layout.width and 0 <= at[1] < layout.height):
        return "a wall"
    item = next((item for item in scene.objects if item.position == at), None)
    station = TILE_NAME_OF_CHAR[layout.rows[at[1]][at[0]]]
    return station if item is None else f"{station} with {_item(item)}"


def _item(item: ObjectView) -> str:
    state = f", {item.state}" if item.state else ""
    count = f" {item.progress} of {item.total}" if item.total else ""
    return f"{names.item(item.name)}{state}{count}"
