"""The panel "stations": what every grill, pot, board and sink holds, and when it is ready."""

from collections.abc import Iterable, Iterator

from textual.content import Content

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.kitchen import ObjectView
from bba.kitchen.layout import Layout
from tui.widgets.panel import Panel, line
from tui.widgets.tile_text import item_pieces

KINDS = {"G": "grill", "P": "pot", "B": "board", "W": "sink"}
SEPARATOR = " · "
COLOURS = {"ready": palette.GOOD, "warning": palette.BAD, "burning": palette.BAD}


class StationsPanel(Panel):
    """Every station, as many in a line as fit; where not all fit, those in use come first."""

    TITLE = "stations"
    ABOUT = "What every grill, pot, board and sink holds, when it is ready and when it burns, and the dirty plates."

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the stations in lines of at most `width` cells."""
        return station_lines(snapshot, width, self.content_size.height)


def station_lines(snapshot: Snapshot, width: int, rows: int) -> list[Content]:
    """Returns the stations in lines of at most `width` cells; where all take more than `rows`, those in use first."""
    said = list(_stations(snapshot))
    every = _wrapped([text for text, _ in said], width)
    if len(every) <= rows:
        return every
    return _wrapped([text for text, _ in sorted(said, key=lambda one: not one[1])], width)[:rows]


def _stations(snapshot: Snapshot) -> Iterator[tuple[Content, bool]]:
    """Yields each station in words, and whether it holds anything; stations of which there are several are numbered."""
    layout, scene = snapshot.config.layout, snapshot.scene
    things = {thing.position: thing for thing in scene.objects}
    for char, kind in KINDS.items():
        places = [place for place, tile in layout.tiles() if tile == char]
        for number, place in enumerate(places, start=1):
            name = f"{kind} {number}" if len(places) > 1 else kind
            yield _station(layout, name, things.get(place)), place in things
    yield line(("dirty plates ", palette.DIM), (str(scene.dirty_plates), palette.TEXT)), True


def _station(layout: Layout, name: str, thing: ObjectView | None) -> Content:
    if thing is None:
        return line((f"{name} free", palette.DIM))
    what, *more = item_pieces(layout, thing)
    said = ", ".join((what, *more[-1:]))  # the count before it would say the same twice
    return line((f"{name} ", palette.DIM), (said, COLOURS.get(thing.state, palette.TEXT)))


def _wrapped(texts: list[Content], width: int) -> list[Content]:
    """Returns the texts with separators, in lines of at most `width` cells."""
    lines: list[Content] = []
    for text in texts:
        joined = lines[-1] + line((SEPARATOR, palette.DIM)) + text if lines else text
        if lines and joined.cell_length <= width:
            lines[-1] = joined
        else:
            lines.append(text)
    return lines
