"""The board of the designer, on which the mouse draws, and the tools: the tiles and marks with their keys."""

from dataclasses import dataclass

from rich.style import Style
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from bba import palette
from bba.kitchen import REQUIRED_STATIONS, ObjectView, PlayerView, Position, Scene
from bba.kitchen.render.painter import Overlay, Painter, TileOutline
from human.keymap import DESIGN_KEYS, Keymap
from tui.design.draft import EMPTY_ROOM, EXTINGUISHER, FLOOR, KNOWN, OFF_THE_MAP, PASS, STARTS, Draft
from tui.style.base_app import shown
from tui.widgets import CURSOR, Draggable, Labels, PixelCanvas, labels_of, line, overlay_labels, tile_size

MISTAKE, BOTTLENECK = palette.rgb(palette.DARK.bad), palette.rgb(palette.DARK.warn)  # colours of frames
UNKNOWN_STYLE = Style.parse("bold #ffffff on #f0604e")  # of a character that no map may hold
STACK = 4  # plates on the stack


class DesignBoard(PixelCanvas, Draggable):
    """Draws a draft as large as it fits; a click or a drag with the mouse asks to draw."""

    @dataclass
    class Pressed(Message):
        """The mouse is down on a tile.

        Attributes:
            at: the tile.
            same_stroke: whether it has been down since the message before.
        """

        at: Position
        same_stroke: bool

    def __init__(self) -> None:
        super().__init__(id="design-board")
        self.border_title = "kitchen"
        self._draft = EMPTY_ROOM
        self._frames: list[tuple[Position, tuple[int, int, int]]] = []
        self._stroke: Position | None = None

    def show_draft(
        self, draft: Draft, cursor: Position, mistake: Position | None, bottlenecks: tuple[Position, ...]
    ) -> None:
        """Shows a draft with frames around the cursor, the tile of a mistake, and bottlenecks."""
        wrong = {mistake: MISTAKE} if mistake is not None and draft.has(mistake) else {}  # a mark may lie outside
        marked = {**dict.fromkeys(bottlenecks, BOTTLENECK), **wrong}
        self._draft = draft
        self._frames = [*((at, colour) for at, colour in marked.items() if at != cursor), (cursor, CURSOR)]
        self._paint()

    def follow(self, event: events.MouseEvent) -> None:
        """Asks to draw on the tile under the mouse, once while it stays there."""
        size, corner = tile_size(self._draft.sketch(), self.content_size), self.content_region.offset + self.origin
        x, y = (int(event.screen_x) - corner.x) // size, 2 * (int(event.screen_y) - corner.y) // size
        if (x, y) != self._stroke and 0 <= x < self._draft.width and 0 <= y < self._draft.height:
            self.post_message(self.Pressed((x, y), self._stroke is not None))
            self._stroke = x, y

    def on_mouse_up(self) -> None:  # Textual calls that of the base class, too
        self._stroke = None

    def _paint(self) -> None:
        if not self.content_size.area:
            return
        sketch = self._draft.sketch()
        size = tile_size(sketch, self.content_size)
        scene = scene_of_draft(self._draft)
        overlays: dict[Position, tuple[Overlay, ...]] = {at: (TileOutline(colour),) for at, colour in self._frames}
        picture = Painter(sketch.rows, size, sketch.pass_counters).paint(scene, overlays=overlays)
        self.show(picture, overlay_labels({**labels_of(sketch, scene, size), **self._unknown(size)}, overlays, size))

    def _unknown(self, size: int) -> Labels:
        """Returns the characters that no map may hold, over their tiles."""
        tiles = ((x, y, char) for y, row in enumerate(self._draft.rows) for x, char in enumerate(row))
        return {
            (x * size + size // 2, (y * size + size // 2) // 2): (char if char.isprintable() else "?", UNKNOWN_STYLE)
            for x, y, char in tiles
            if char not in KNOWN
        }


def scene_of_draft(draft: Draft) -> Scene:
    """Returns a draft before the first step; a cook without a start stands outside of the picture.

    An extinguisher outside of the map, which a file may name, is not in it.
    """
    starts = {char: (x, y) for y, row in enumerate(draft.rows) for x, char in enumerate(row) if char in "12"}
    players = (
        PlayerView(starts.get("1", OFF_THE_MAP), "south", None),
        PlayerView(starts.get("2", OFF_THE_MAP), "south", None),
    )
    at = draft.extinguisher
    items = (ObjectView("fire_ext", at, "counter"),) if at is not None and draft.has(at) else ()
    return Scene("draft", 0, 0, 0, 0, STACK, players, items, ())


TOOL_COLUMNS = 3
NEEDED = (*REQUIRED_STATIONS, *STARTS, EXTINGUISHER)  # of each of these at least one

# What can be drawn, a character of the map or a mark, with its name in a word.
TOOLS = {
    FLOOR: "floor",
    "X": "counter",
    "M": "meat",
    "Z": "mushr.",
    "R": "rice",
    "T": "tort.",
    "B": "board",
    "G": "grill",
    "P": "pot",
    "W": "sink",
    "D": "plates",
    "S": "window",
    "U": "trash",
    "1": "cook 1",
    "2": "cook 2",
    PASS: "pass",
    EXTINGUISHER: "exting.",
}
TOOL_ROWS = -(-len(TOOLS) // TOOL_COLUMNS)


class ToolsPanel(Widget):
    """The tools in columns; the chosen one is highlighted, and one that the kitchen still lacks has a cross.

    Args:
        keymap: the keys of every action.
    """

    @dataclass
    class ToolChosen(Message):
        """Somebody clicked on a tool."""

        tool: str

    def __init__(self, keymap: Keymap) -> None:
        super().__init__(id="tools")
        self.border_title = "draw"
        self._keys = {entry.action: shown(keymap[entry.name][0]) for entry in DESIGN_KEYS}
        self._draft = EMPTY_ROOM
        self._chosen = FLOOR

    def show_draft(self, draft: Draft, chosen: str) -> None:
        """Shows how many tiles a draft has of each kind, and which tool is chosen."""
        self._draft, self._chosen = draft, chosen
        missing = len(self.lacking)
        self.border_subtitle = f"{missing} missing" if missing else ""
        self.refresh()

    @property
    def lacking(self) -> list[str]:
        """What the kitchen still lacks, each with the key that draws it."""
        return [f"{name} ({self._key(tool)})" for tool, name in TOOLS.items() if self._lacks(tool)]

    def render(self) -> Content:
        """Returns the tools, column by column."""
        rows = ([*TOOLS][row::TOOL_ROWS] for row in range(TOOL_ROWS))
        return Content("\n").join(line(*(self._cell(tool) for tool in row)) for row in rows)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is not None:
            number = at.x // max(1, self.content_size.width // TOOL_COLUMNS) * TOOL_ROWS + at.y
            if number < len(TOOLS):
                self.post_message(self.ToolChosen([*TOOLS][number]))

    def _lacks(self, tool: str) -> bool:
        return tool in NEEDED and not self._draft.number_of(tool)

    def _key(self, tool: str) -> str:
        return "␣" if tool == FLOOR else self._keys[f"draw({tool!r})"]

    def _cell(self, tool: str) -> Content:
        number, lacks, key = self._draft.number_of(tool), self._lacks(tool), self._key(tool)
        count = "✗" if lacks else "" if tool in FLOOR + "X" else str(number)
        cell = line(
            (f"{key} ", f"bold {palette.WARN}"),
            (f"{TOOLS[tool]:7}", palette.TEXT),
            (f"{count:>2}", palette.BAD if lacks else palette.DIM),
        )
        wide = cell.pad_right(max(0, self.content_size.width // TOOL_COLUMNS - cell.cell_length))
        return wide.stylize(f"on {palette.GROUND}") if tool == self._chosen else wide
