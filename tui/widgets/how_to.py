"""The panel "how to": the recipe in words, where there is room for it."""

from collections.abc import Iterable
from textwrap import wrap

from textual.content import Content

from bba import palette
from bba.analysis.snapshot import Snapshot
from tui.widgets.panel import Panel, line

COLUMNS = 67  # cells from which what is needed and what is done with it stand in columns
GAP = "   "  # between what is needed and what is done with it
RECIPE = """\
Two cooks share a kitchen and a score. Guests order burritos and do not wait for ever. A burrito is a plate with:
  meat or mushroom   take it, chop it on a board, fry it on a grill
  rice               take it, boil it in a pot
  tortilla           from its box, onto the plate
The plates are dirty at first: wash one in the sink. Take fried and boiled food with the plate in your hand, in any \
order, and bring the burrito to the serving window. What stays on the fire too long burns: take the extinguisher."""


class HowToPanel(Panel):
    """The recipe in words."""

    TITLE = "how to"
    ABOUT = "How a burrito is made, on a large terminal."

    def __init__(self) -> None:
        super().__init__(id="how-to")

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - it is always the same
        """Yields the recipe, wrapped; indented lines stay indented."""
        for text in RECIPE.splitlines():
            yield from (line((part, palette.TEXT)) for part in _wrapped(text, width))


def _wrapped(text: str, width: int) -> list[str]:
    """Returns a line of the recipe in lines of `width`; what is indented stays so, in columns where these fit."""
    if not text.startswith(" ") or width >= COLUMNS:
        return wrap(text, width)
    name, does = text.split(GAP, 1)
    return wrap(f"{name}: {does.strip()}", width, subsequent_indent=" " * 4)
