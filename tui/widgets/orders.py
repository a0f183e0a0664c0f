"""The panel "orders": the open orders and the score."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis import names
from bba.analysis.snapshot import Snapshot
from bba.kitchen import OrderView
from tui.widgets.panel import Panel, bar, line, spread

HURRY, LATE = 0.5, 0.2  # fractions of an order's time left below which its bar changes colour
NAME = 17


class OrdersPanel(Panel):
    """Score and streak, then a line for each order: the dish and the steps that it has left."""

    TITLE = "orders"
    ABOUT = "Score, streak and step; below, every order with the steps that it has left. The first one pays a tip."

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the score, then the orders, the first one first."""
        scene = snapshot.scene
        score = line(("score ", palette.DIM), (str(scene.score), f"bold {palette.GOOD}"))
        streak = line(("  streak ", palette.DIM), str(scene.streak))
        served = line(("  served ", palette.DIM), str(scene.deliveries))
        step = line(f" {scene.step}", (f"/{snapshot.config.horizon}", palette.DIM))
        named = line(("  step", palette.DIM)) + step
        variants = ((score + streak + served, named), (score + streak, named), (score + streak, step), (score, step))
        for left, right in variants:
            if left.cell_length + right.cell_length <= width:
                break
        yield spread(left, right, width)
        for number, order in enumerate(scene.orders):
            yield _order(order, first=number == 0, width=width)


def _order(order: OrderView, *, first: bool, width: int) -> Content:
    share = order.left / order.life
    colour = palette.GOOD if share > HURRY else palette.WARN if share > LATE else palette.BAD
    name = names.item(order.dish).ljust(NAME)
    left = f"{order.left:>5}"
    return line(
        (name, f"bold {palette.TEXT}" if first else palette.TEXT),
        bar(share, max(1, width - NAME - len(left)), colour),
        (left, palette.DIM),
    )
