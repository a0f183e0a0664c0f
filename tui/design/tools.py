"""What can be drawn: the tiles and marks with their keys, and the panel that shows them with how many there are."""

from dataclasses import dataclass
from typing import NamedTuple

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from bba import palette
from bba.kitchen.layout import REQUIRED_STATIONS
from human.keymap import DESIGN_KEYS, Keymap
from tui.design.draft import EXTINGUISHER, FLOOR, PASS, STARTS, Draft
from tui.style.base_app import shown
from tui.widgets.panel import line

COLUMNS = 3
NEEDED = (*REQUIRED_STATIONS, *STARTS, EXTINGUISHER)  # of each of these at least one


class Tool(NamedTuple):
    """Something to draw: a character of the map or a mark, and its name in a word."""

    draws: str
    name: str


TOOLS = (
    Tool(FLOOR, "floor"),
    Tool("X", "counter"),
    Tool("M", "meat"),
    Tool("Z", "mushr."),
    Tool("R", "rice"),
    Tool("T", "tort."),
    Tool("B", "board"),
    Tool("G", "grill"),
    Tool("P", "pot"),
    Tool("W", "sink"),
    Tool("D", "plates"),
    Tool("S", "window"),
    Tool("U", "trash"),
    Tool("1", "cook 1"),
    Tool("2", "cook 2"),
    Tool(PASS, "pass"),
    Tool(EXTINGUISHER, "exting."),
)
ROWS = -(-len(TOOLS) // COLUMNS)


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
        self._draft = Draft.empty()
        self._chosen = FLOOR

    def show_draft(self, draft: Draft, chosen: str) -> None:
        """Shows how many tiles a draft has of each kind, and which tool is chosen."""
        self._draft, self._chosen = draft, chosen
        missing = sum(not draft.number_of(tool) for tool in NEEDED)
        self.border_subtitle = f"{missing} missing" if missing else ""
        self.refresh()

    def render(self) -> Content:
        """Returns the tools, column by column."""
        rows = (TOOLS[row::ROWS] for row in range(ROWS))
        return Content("\n").join(line(*(self._cell(tool) for tool in row)) for row in rows)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is not None:
            number = at.x // max(1, self.content_size.width // COLUMNS) * ROWS + at.y
            if number < len(TOOLS):
                self.post_message(self.ToolChosen(TOOLS[number].draws))

    def _cell(self, tool: Tool) -> Content:
        number = self._draft.number_of(tool.draws)
        lacks = not number and tool.draws in NEEDED
        key = "␣" if tool.draws == FLOOR else self._keys[f"draw({tool.draws!r})"]
        count = "✗" if lacks else "" if tool.draws in FLOOR + "X" else str(number)
        cell = line(
            (f"{key} ", f"bold {palette.WARN}"),
            (f"{tool.name:7}", palette.TEXT),
            (f"{count:>2}", palette.BAD if lacks else palette.DIM),
        )
        wide = cell.pad_right(max(0, self.content_size.width // COLUMNS - cell.cell_length))
        return wide.stylize(f"on {palette.GROUND}") if tool.draws == self._chosen else wide
