"""The panel "orders": what has to be served, and how long each order waits."""

from collections.abc import Iterable

from textual.content import Content

from bba import palette
from bba.analysis import Snapshot, names
from bba.kitchen import OrderView
from bba.language import say
from tui.widgets.panel import Panel, bar, line, spread

# fractions of an order's time left below which its bar changes colour
HURRY = 0.5
LATE = 0.2
NAME_CELLS = 17


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
        orders = snapshot.scene.orders
        height = self.content_size.height
        rows = max(1, height - 1) if height else len(orders)
        for number, order in enumerate(orders[:rows]):
            is_last_row = number + 1 == rows
            more = len(orders) - rows if is_last_row else 0
            yield order_line(order, first=number == 0, width=width, more=more)


def score_line(snapshot: Snapshot, width: int) -> Content:
    """Returns score, streak, deliveries and step; where it is narrow, fewer of them."""
    scene = snapshot.scene
    score = line((say("score") + " ", palette.DIM), (str(scene.score), f"bold {palette.GOOD}"))
    streak = line((f"  {say('streak')} ", palette.DIM), str(scene.streak))
    served = line((f"  {say('served')} ", palette.DIM), str(scene.deliveries))
    step = line(f" {scene.step}", (f"/{snapshot.config.horizon}", palette.DIM))
    step_and_label = line((f"  {say('step')}", palette.DIM)) + step
    forms = (
        (score + streak + served, step_and_label),
        (score + streak, step_and_label),
        (score + streak, step),
        (score, step),
    )
    for left, right in forms:
        if left.cell_length + right.cell_length <= width:
            return spread(left, right, width)
    return spread(score, step, width)


def order_line(order: OrderView, *, first: bool, width: int, more: int = 0) -> Content:
    """Returns an order's dish, a bar of the steps that it has left, their number, and how many more there are."""
    share = order.left / order.life
    name = line(names.item(order.dish)).truncate(NAME_CELLS, pad=True).plain
    steps = f"{order.left:>5}"
    more_orders = f" +{more}" if more > 0 else ""
    name_style = f"bold {palette.TEXT}" if first else palette.TEXT
    cells = max(1, width - NAME_CELLS - len(steps + more_orders))
    time_bar = bar(share, cells, _order_colour(share))
    return line((name, name_style), time_bar, (steps, palette.DIM), (more_orders, palette.TEXT))


def _order_colour(share: float) -> str:
    """Returns the colour of an order that has a share (0 to 1) of its time left."""
    if share > HURRY:
        return palette.GOOD
    return palette.WARN if share > LATE else palette.BAD
