"""The panel "stations": what lies and cooks on grills, pots, boards and sinks."""

from collections.abc import Iterable, Iterator

from textual.content import Content

from bba import palette
from bba.analysis import Snapshot
from bba.kitchen import Layout, ObjectView
from bba.language import marked, say
from tui.widgets.panel import Panel, flowing, line
from tui.widgets.tile_text import item_pieces

STATION_KINDS = marked({"G": "grill", "P": "pot", "B": "board", "W": "sink"})
SEPARATOR = line((" · ", palette.DIM))
STATION_COLOURS = {"ready": palette.GOOD, "warning": palette.BAD, "burning": palette.BAD}


class StationsPanel(Panel):
    """Every station, as many in a line as fit; where not all fit, those in use come first."""

    TITLE = marked("stations")
    ABOUT = "What every grill, pot, board and sink holds, when it is ready and when it burns, and the dirty plates."

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        return station_lines(snapshot, width, self.content_size.height)


def station_lines(snapshot: Snapshot, width: int, rows: int) -> list[Content]:
    """Returns the stations in lines of at most `width` cells; where all take more than `rows`, those in use first."""
    stations = list(_stations(snapshot))
    lines = flowing((text for text, _ in stations), SEPARATOR, width)
    if len(lines) <= rows:
        return lines
    in_use = [text for text, used in stations if used]
    free = [text for text, used in stations if not used]
    return flowing(in_use + free, SEPARATOR, width)[:rows]


def _stations(snapshot: Snapshot) -> Iterator[tuple[Content, bool]]:
    """Yields each station in words, and whether it holds anything; stations of which there are several are numbered."""
    layout = snapshot.config.layout
    scene = snapshot.scene
    items = {item.position: item for item in scene.objects}
    for char, kind in STATION_KINDS.items():
        places = [place for place, tile in layout.tiles() if tile == char]
        for number, place in enumerate(places, start=1):
            name = say(kind)
            if len(places) > 1:
                name = f"{name} {number}"
            yield _station(layout, name, items.get(place)), place in items
    label = say("dirty plates")
    plates = line((f"{label} ", palette.DIM), (str(scene.dirty_plates), palette.TEXT))
    yield plates, True


def _station(layout: Layout, name: str, item: ObjectView | None) -> Content:
    if item is None:
        return line((say("{station} free", station=name), palette.DIM))
    pieces = item_pieces(layout, item)
    text = pieces[0]
    if len(pieces) > 1:
        text = f"{text}, {pieces[-1]}"  # the count between them would say the same twice
    colour = STATION_COLOURS.get(item.state, palette.TEXT)
    return line((f"{name} ", palette.DIM), (text, colour))
