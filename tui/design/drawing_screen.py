"""The map to draw on to the left; to the right the tiles, and what is found out while it is drawn.

What can be drawn: the tiles and marks with their keys, and the panel that shows them with how many there are.
"""

from dataclasses import dataclass
from typing import NamedTuple

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from bba import palette
from bba.kitchen.layout import REQUIRED_STATIONS
from human.keymap import DEFAULT, DESIGN_KEYS, Keymap
from tui.design.board import DesignBoard
from tui.design.draft import EXTINGUISHER, FLOOR, LARGEST, PASS, SMALLEST, STARTS, Draft, Drawing
from tui.design.findings import Checker, Findings, FindingsPanel, mistake_at
from tui.style.base_app import BaseApp, bindings, shown
from tui.style.base_screen import BaseScreen
from tui.widgets.panel import line

TOOL_COLUMNS = 3
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
        rows = (TOOLS[row::TOOL_ROWS] for row in range(TOOL_ROWS))
        return Content("\n").join(line(*(self._cell(tool) for tool in row)) for row in rows)

    def on_click(self, event: events.Click) -> None:
        at = event.get_content_offset(self)
        if at is not None:
            number = at.x // max(1, self.content_size.width // TOOL_COLUMNS) * TOOL_ROWS + at.y
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
        wide = cell.pad_right(max(0, self.content_size.width // TOOL_COLUMNS - cell.cell_length))
        return wide.stylize(f"on {palette.GROUND}") if tool.draws == self._chosen else wide


CHECK_DELAY = 0.2  # seconds without a change after which a draft is looked into


class DrawingScreen(BaseScreen[None]):
    """Draws a map, and says while it is drawn what is wrong with it and what it asks of two cooks.

    Args:
        draft: what is drawn at first.
        title: the kitchen's name.
    """

    BINDINGS = bindings(DESIGN_KEYS)

    def __init__(self, draft: Draft, title: str) -> None:
        super().__init__()
        self.drawing, self.kitchen = Drawing(draft), title
        self._findings, self._known = Findings(draft.mistake), draft
        self._checker = Checker(self.call_later, self._take_findings)
        self._waiting: Timer | None = None

    def compose(self) -> ComposeResult:
        keymap = self.app.keymap if isinstance(self.app, BaseApp) else DEFAULT
        yield Static(id="design-title")
        with Horizontal(id="body"):
            yield DesignBoard()
            yield Vertical(ToolsPanel(keymap), FindingsPanel(), id="design-side")
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._checker.check(self.drawing.draft)
        self.show_drawing()

    def on_unmount(self) -> None:
        self._checker.cancel()

    @property
    def unsaved(self) -> bool:
        """Whether something was drawn that is not saved."""
        return self.drawing.history.unsaved

    # --- drawing -----------------------------------------------------------------------------------------------
    def action_draw(self, tool: str) -> None:
        """Draws under the cursor, and keeps the tool for enter, lines and the mouse."""
        self.drawing.tool = tool
        self.action_draw_again()

    def action_draw_again(self) -> None:
        self.drawing.draw()
        self.show_drawing()

    def action_move(self, right: int, down: int) -> None:
        """Moves the cursor."""
        self.drawing.move(right, down)
        self.show_drawing()

    def action_stroke(self, right: int, down: int) -> None:
        """Draws a line of two tiles; a line of more, pressed again."""
        self.drawing.stroke(right, down)
        self.show_drawing()

    def action_resize(self, how: str) -> None:
        """Adds or takes out a row or column; `how` as in `Drawing.resize`."""
        if not self.drawing.resize(how):
            self.hint(f"a kitchen has {SMALLEST} to {LARGEST} tiles across and down")
        self.show_drawing()

    def action_undo(self) -> None:
        if not self.drawing.undo():
            self.hint("nothing to undo")
        self.show_drawing()

    def action_redo(self) -> None:
        if not self.drawing.redo():
            self.hint("nothing was undone")
        self.show_drawing()

    @on(DesignBoard.Pressed)
    def draw_with_mouse(self, event: DesignBoard.Pressed) -> None:
        self.drawing.cursor = event.at
        self.drawing.draw(same_stroke=event.same_stroke)
        self.show_drawing()

    @on(ToolsPanel.ToolChosen)
    def choose_tool(self, event: ToolsPanel.ToolChosen) -> None:
        self.drawing.tool = event.tool
        self.show_drawing()

    def action_scroll_findings(self, by: int) -> None:
        """Scrolls what was found, a page down (1) or up (-1)."""
        panel = self.query_one(FindingsPanel)
        (panel.scroll_page_down if by > 0 else panel.scroll_page_up)()

    # --- what is shown -----------------------------------------------------------------------------------------
    def show_drawing(self) -> None:
        """Shows the drawing as it is now; a draft that is new is looked into once the drawing rests."""
        draft = self.drawing.draft
        if draft != self._known:
            self._known, self._findings = draft, Findings(draft.mistake)
            self._checker.cancel()
            if self._waiting is not None:
                self._waiting.stop()
            self._waiting = self.set_timer(CHECK_DELAY, lambda: self._checker.check(draft))
        self._refresh()

    def _take_findings(self, findings: Findings) -> None:
        self._findings = findings
        self._refresh()

    def _refresh(self) -> None:
        drawing, findings = self.drawing, self._findings
        bottlenecks = findings.structure.bottlenecks if findings.structure else ()
        board = self.query_one(DesignBoard)
        board.show_draft(drawing.draft, drawing.cursor, mistake_at(findings.mistake), bottlenecks)
        board.show_subtitle(f"({drawing.cursor[0]},{drawing.cursor[1]})")
        self.query_one(ToolsPanel).show_draft(drawing.draft, drawing.tool)
        self.query_one(FindingsPanel).show_findings(drawing.draft, findings)
        self.query_one("#design-title", Static).update(
            line(
                (" bba-tui ", f"bold {palette.GOOD}"),
                (f" {self.kitchen}  ", f"bold {palette.TEXT}"),
                (f"{drawing.draft.width}x{drawing.draft.height} tiles", palette.DIM),
                ("  not saved" if self.unsaved else "", palette.WARN),
            )
        )
