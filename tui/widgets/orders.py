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
    ABOUT = (
        "Score, streak and step; below, every order with the steps that it has left. The first one pays a tip. "
        "+1 stands for one more order, where not all have space."
    )

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the score, then the orders, the first one first."""
        yield score_line(snapshot, width)
        orders, height = snapshot.scene.orders, self.content_size.height
        rows = max(1, height - 1) if height else len(orders)
        for number, order in enumerate(orders[:rows]):
            more = len(orders) - rows if number + 1 == rows else 0
            yield order_line(order, first=number == 0, width=width, more=more)


def score_line(snapshot: Snapshot, width: int) -> Content:
    """Returns score, streak, deliveries and step; where it is narrow, fewer of them."""
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
    return spread(left, right, width)


def order_line(order: OrderView, *, first: bool, width: int, more: int = 0) -> Content:
    """Returns an order's dish, a bar of the steps that it has left, their number, and how many more there are."""
    share = order.left / order.life
    colour = palette.GOOD if share > HURRY else palette.WARN if share > LATE else palette.BAD
    name = names.item(order.dish).ljust(NAME)
    left, others = f"{order.left:>5}", f" +{more}" if more > 0 else ""
    return line(
        (name, f"bold {palette.TEXT}" if first else palette.TEXT),
        bar(share, max(1, width - NAME - len(left + others)), colour),
        (left, palette.DIM),
        (others, palette.TEXT),
    )
