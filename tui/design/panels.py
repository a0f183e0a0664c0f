"""The panels of the designer: the board on which the mouse draws, the tools, and what is found out about a draft.

Of a draft the designer says its mistake, what it asks of two cooks, and how a trial went: whether two scripted cooks
finish a burrito in it, and when. It finds that out in threads, so that drawing never waits; a newer draft stops what
runs for an older one.
"""

import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rich.style import Style
from textual import events
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from bba import palette
from bba.agents import load_agent
from bba.analysis import names
from bba.analysis.kitchen_structure import KitchenStructure, SkillReach, kitchen_structure, structure_words
from bba.kitchen import DELIVERIES, REQUIRED_STATIONS, Layout, ObjectView, PlayerView, Position, Scene, Skill
from bba.kitchen.render.painter import Overlay, Painter, TileOutline
from bba.play.game import Game
from human.keymap import DESIGN_KEYS, Keymap
from tui.design.draft import EMPTY_ROOM, EXTINGUISHER, FLOOR, KNOWN, OFF_THE_MAP, PASS, STARTS, Draft
from tui.style import BackgroundTask, Post, shown
from tui.widgets import CURSOR, Draggable, Labels, PixelCanvas, labels_of, line, overlay_labels, tile_size

# colours of frames
MISTAKE = palette.rgb(palette.DARK.bad)
BOTTLENECK = palette.rgb(palette.DARK.warn)
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
        size = tile_size(self._draft.sketch(), self.content_size)
        corner = self.content_region.offset + self.origin
        x = (int(event.screen_x) - corner.x) // size
        y = 2 * (int(event.screen_y) - corner.y) // size
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
        self._draft = draft
        self._chosen = chosen
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
        number = self._draft.number_of(tool)
        lacks = self._lacks(tool)
        key = self._key(tool)
        count = "✗" if lacks else "" if tool in FLOOR + "X" else str(number)
        cell = line(
            (f"{key} ", f"bold {palette.WARN}"),
            (f"{TOOLS[tool]:7}", palette.TEXT),
            (f"{count:>2}", palette.BAD if lacks else palette.DIM),
        )
        wide = cell.pad_right(max(0, self.content_size.width // TOOL_COLUMNS - cell.cell_length))
        return wide.stylize(f"on {palette.GROUND}") if tool == self._chosen else wide


COOK = "proagent"  # with the scripted planner; no belief is in the way
TRIAL_STEPS = 1200  # steps; half a game
LARGEST_KITCHEN = 400  # tiles; the tables of walking distances grow with the cube of these


def trial_game(layout: Layout, *, horizon: int = TRIAL_STEPS, goes_on: Callable[[], bool] = lambda: True) -> int | None:
    """Lets two scripted cooks play until they have delivered a burrito.

    Args:
        layout: the kitchen, of at most `LARGEST` tiles.
        horizon: steps after which they give up.
        goes_on: asked before every step; once it answers False the trial ends without a result.

    Returns:
        The step of the first delivery, 0 where there was none; None where it was stopped.
    """
    game = Game(layout, load_agent(COOK), load_agent(COOK), 0, horizon=horizon)
    while not game.done:
        if not goes_on():
            return None
        game.step()
        if game.kitchen.state[DELIVERIES]:
            return game.kitchen.steps
    return 0


PLACE = re.compile(r"map row (\d+), column (\d+): ")
NOWHERE_SAID = " anywhere"  # of what is missing; its message names no place that could be shown
MOST_NAMED = 14  # skills, at most, that are listed by name
TRIAL_NOTE = "two scripted cooks try it …"


class Findings(NamedTuple):
    """What is known about a draft so far.

    Attributes:
        mistake: its first mistake; "" for none.
        structure: what it asks of two cooks; None while that is not known.
        trial: the step of the first delivery in the trial, 0 where there was none; None while that is not known.
    """

    mistake: str = ""
    structure: KitchenStructure | None = None
    trial: int | None = None


class FindingsPanel(VerticalScroll, can_focus=False):
    """Shows the findings as lines; page up and page down scroll it."""

    def __init__(self) -> None:
        super().__init__(Static(id="found"), id="findings")
        self.border_title = "what it asks of two cooks"

    def show_findings(self, draft: Draft, findings: Findings, mistake: str) -> None:
        """Shows what is known about a draft, with its mistake in words."""
        lines = [_mistake(mistake), *_trial(draft, findings), *_structure(findings.structure)]
        self.query_one("#found", Static).update(Content("\n").join(lines))


def mistake_at(mistake: str) -> Position | None:
    """Returns the tile that a mistake names; None where it names none."""
    found = PLACE.search(mistake)
    return (int(found[2]) - 1, int(found[1]) - 1) if found and NOWHERE_SAID not in mistake else None


def mistake_words(mistake: str, lacking: Sequence[str]) -> str:
    """Returns a mistake as the designer says it: the tile as the cursor's, the cooks by their numbers on the board.

    Of what is missing all is named, as in `lacking`.
    """
    if NOWHERE_SAID in mistake:
        return f"missing {', '.join(lacking)}"
    told = PLACE.sub(lambda at: f"({int(at[2]) - 1},{int(at[1]) - 1}): ", mistake, count=1).replace("_", " ")
    return told.replace("player 0", "cook 1").replace("player 1", "cook 2")


def too_large(draft: Draft) -> bool:
    """Whether a draft has too many tiles for a game beside the drawing."""
    return draft.width * draft.height > LARGEST_KITCHEN


def _mistake(mistake: str) -> Content:
    return line((f"✗ {mistake}", palette.BAD) if mistake else ("✓ a kitchen without mistakes", palette.GOOD))


def _trial(draft: Draft, findings: Findings) -> list[Content]:
    if findings.mistake:
        return []
    came = (f"✓ two scripted cooks: a burrito after {findings.trial} steps", palette.GOOD)
    told = {
        None: (TRIAL_NOTE, palette.DIM),
        0: (f"✗ two scripted cooks: no burrito in {TRIAL_STEPS} steps", palette.BAD),
    }
    untried = (f"not tried: more than {LARGEST_KITCHEN} tiles", palette.WARN)
    return [line(untried if too_large(draft) else told.get(findings.trial, came))]


def _structure(structure: KitchenStructure | None) -> list[Content]:
    if structure is None:
        return []
    return [*(line((text, palette.TEXT)) for text in structure_words(structure)), *_skills(structure.reach)]


def _skills(reach: SkillReach) -> list[Content]:
    """Returns which skills only one cook has and which nobody has; all others both have."""
    first, second = reach.only
    nobody = frozenset(Skill) - reach.skills[0] - reach.skills[1]
    groups = (
        ("only cook 1", first, palette.COOK_COLOURS[0]),
        ("only cook 2", second, palette.COOK_COLOURS[1]),
        ("nobody", nobody, palette.WARN),
    )
    return [line((f"{who}: ", colour), (_named(skills), palette.DIM)) for who, skills, colour in groups if skills]


def _named(skills: frozenset[Skill]) -> str:
    many = len(skills) > MOST_NAMED
    return f"{len(skills)} skills" if many else ", ".join(names.skill(one) for one in sorted(skills))


class Checker:
    """Finds the structure of a draft, then lets two scripted cooks try it if it has no mistake.

    Args:
        post: calls a function in the screen's thread.
        found: takes what is known, each time that this is more.
    """

    def __init__(self, post: Post, found: Callable[[Findings], None]) -> None:
        self._found = found
        self._task: BackgroundTask[Findings] = BackgroundTask(post)
        self._stop = threading.Event()

    def check(self, draft: Draft) -> None:
        """Begins to find out about a draft; nothing but its mistake without the starts of both cooks."""
        self.cancel()
        known = Findings(draft.mistake)
        sketch = draft.sketch()
        if all(draft.number_of(start) == 1 for start in STARTS):
            self._task.begin(
                lambda: known._replace(structure=kitchen_structure(sketch)), lambda found: self._know(draft, found)
            )

    def cancel(self) -> None:
        """Stops the trial that runs, and discards what is not known yet."""
        self._stop.set()
        self._task.cancel()

    def _know(self, draft: Draft, known: Findings) -> None:
        self._found(known)
        if not known.mistake and not too_large(draft):
            layout = draft.layout("draft")
            stop = threading.Event()
            self._stop = stop
            self._task.begin(
                lambda: known._replace(trial=trial_game(layout, goes_on=lambda: not stop.is_set())), self._found
            )
