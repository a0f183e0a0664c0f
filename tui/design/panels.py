"""The panels of the designer: the board on which the mouse draws, the tools, and what is found out about a draft.

Of a draft the designer says its mistake, what it asks of two cooks, and how a trial went: whether two scripted cooks
finish a burrito in it, and when. It finds that out in threads, so that drawing never waits; a newer draft stops what
runs for an older one.
"""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
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
from tui.design.draft import COUNTER, EMPTY_ROOM, EXTINGUISHER, FLOOR, KNOWN, OFF_THE_MAP, PASS, STARTS, Draft
from tui.style import BackgroundTask, Post, shown
from tui.widgets import CURSOR, Draggable, Labels, PixelCanvas, labels_of, line, overlay_labels, tile_size
from tui.widgets.tile_text import centre_cell

MISTAKE = palette.rgb(palette.DARK.bad)  # the colour of its frame
BOTTLENECK = palette.rgb(palette.DARK.warn)  # the colour of its frame
UNKNOWN_STYLE = Style.parse("bold #ffffff on #f0604e")  # of a character that no map may hold
STACK = 4  # plates on the stack


class DesignBoard(PixelCanvas, Draggable):
    """Draws a draft as large as it fits; a click or a drag with the mouse asks to draw."""

    @dataclass
    class Pressed(Message):
        """The mouse is down on a tile.

        Attributes:
            at: the tile.
            same_stroke: whether it has been down since the last message.
        """

        at: Position
        same_stroke: bool

    def __init__(self) -> None:
        super().__init__(id="design-board")
        self.border_title = "kitchen"
        self._draft = EMPTY_ROOM
        self._frames: dict[Position, tuple[int, int, int]] = {}  # the colour of each, by its tile
        self._stroke: Position | None = None  # the tile on which the mouse is down

    def show_draft(
        self, draft: Draft, cursor: Position, mistake: Position | None, bottlenecks: tuple[Position, ...]
    ) -> None:
        """Shows a draft with frames around the cursor, the tile of a mistake, and bottlenecks."""
        colours = dict.fromkeys(bottlenecks, BOTTLENECK)
        if mistake is not None and draft.has(mistake):  # a mark may lie outside
            colours[mistake] = MISTAKE
        colours[cursor] = CURSOR
        self._draft = draft
        self._frames = colours
        self._paint()

    def follow(self, event: events.MouseEvent) -> None:
        """Asks to draw on the tile under the mouse, once while it stays there."""
        size = tile_size(self._draft.sketch(), self.content_size)
        corner = self.content_region.offset + self.origin
        x = (int(event.screen_x) - corner.x) // size
        y = 2 * (int(event.screen_y) - corner.y) // size
        at = (x, y)
        if at != self._stroke and self._draft.has(at):
            self.post_message(self.Pressed(at, self._stroke is not None))
            self._stroke = at

    def on_mouse_up(self) -> None:  # Textual calls that of the base class, too
        self._stroke = None

    def _paint(self) -> None:
        if not self.content_size.area:
            return
        sketch = self._draft.sketch()
        size = tile_size(sketch, self.content_size)
        scene = scene_of_draft(self._draft)
        overlays: dict[Position, tuple[Overlay, ...]] = {
            at: (TileOutline(colour),) for at, colour in self._frames.items()
        }
        picture = Painter(sketch.rows, size, sketch.pass_counters).paint(scene, overlays=overlays)
        labels = {**labels_of(sketch, scene, size), **self._unknown_labels(size)}
        self.show(picture, overlay_labels(labels, overlays, size))

    def _unknown_labels(self, size: int) -> Labels:
        """Returns the characters that no map may hold, over their tiles."""
        labels = {}
        for tile, char in self._draft.tiles():
            if char not in KNOWN:
                text = char if char.isprintable() else "?"
                labels[centre_cell(tile, size)] = text, UNKNOWN_STYLE
        return labels


def scene_of_draft(draft: Draft) -> Scene:
    """Returns a draft before the first step; a cook without a start stands outside of the picture.

    An extinguisher outside of the map, which a file may name, is not in it.
    """
    starts = {char: at for at, char in draft.tiles() if char in STARTS}
    players = (
        PlayerView(starts.get("1", OFF_THE_MAP), "south", None),
        PlayerView(starts.get("2", OFF_THE_MAP), "south", None),
    )
    items: tuple[ObjectView, ...] = ()
    if draft.extinguisher is not None and draft.has(draft.extinguisher):
        items = (ObjectView("fire_ext", draft.extinguisher, "counter"),)
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
        tools = list(TOOLS)
        lines = []
        for row in range(TOOL_ROWS):
            cells = [self._cell(tool) for tool in tools[row::TOOL_ROWS]]
            lines.append(line(*cells))
        return Content("\n").join(lines)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        column = offset.x // max(1, self.content_size.width // TOOL_COLUMNS)
        number = column * TOOL_ROWS + offset.y
        if number < len(TOOLS):
            self.post_message(self.ToolChosen(list(TOOLS)[number]))

    def _lacks(self, tool: str) -> bool:
        return tool in NEEDED and not self._draft.number_of(tool)

    def _key(self, tool: str) -> str:
        return "␣" if tool == FLOOR else self._keys[f"draw({tool!r})"]

    def _cell(self, tool: str) -> Content:
        colour = palette.DIM
        if self._lacks(tool):
            count = "✗"
            colour = palette.BAD
        elif tool in (FLOOR, COUNTER):
            count = ""
        else:
            count = str(self._draft.number_of(tool))
        cell = line(
            (f"{self._key(tool)} ", f"bold {palette.WARN}"),
            (f"{TOOLS[tool]:7}", palette.TEXT),
            (f"{count:>2}", colour),
        )
        padding = max(0, self.content_size.width // TOOL_COLUMNS - cell.cell_length)
        cell = cell.pad_right(padding)
        return cell.stylize(f"on {palette.GROUND}") if tool == self._chosen else cell


COOK = "proagent"  # with the scripted planner; no belief is in the way
TRIAL_STEPS = 1200  # steps; half a game
LARGEST_KITCHEN = 400  # tiles; the tables of walking distances grow with the cube of these


def trial_game(layout: Layout, *, horizon: int = TRIAL_STEPS, goes_on: Callable[[], bool] = lambda: True) -> int | None:
    """Lets two scripted cooks play until they have delivered a burrito.

    Args:
        layout: the kitchen, of at most `LARGEST_KITCHEN` tiles.
        horizon: steps after which they give up.
        goes_on: called before every step; once it returns False the trial ends without a result.

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
    place = PLACE.search(mistake)
    if place is None or NOWHERE_SAID in mistake:
        return None
    return _tile_of(place)


def _tile_of(place: re.Match[str]) -> Position:
    """Returns the tile that a message names by its row and column, both counted from 1."""
    return int(place[2]) - 1, int(place[1]) - 1


def mistake_words(mistake: str, lacking: Sequence[str]) -> str:
    """Returns a mistake as the designer says it: the tile as the cursor's, the cooks by their numbers on the board.

    Of what is missing all is named, as in `lacking`.
    """
    if NOWHERE_SAID in mistake:
        return f"missing {', '.join(lacking)}"
    text = mistake
    place = PLACE.search(mistake)
    if place is not None:
        x, y = _tile_of(place)
        text = f"{mistake[: place.start()]}({x},{y}): {mistake[place.end() :]}"
    return text.replace("_", " ").replace("player 0", "cook 1").replace("player 1", "cook 2")


def too_large(draft: Draft) -> bool:
    """Whether a draft has too many tiles for a game beside the drawing."""
    return draft.width * draft.height > LARGEST_KITCHEN


def _mistake(mistake: str) -> Content:
    if mistake:
        return line((f"✗ {mistake}", palette.BAD))
    return line(("✓ a kitchen without mistakes", palette.GOOD))


def _trial(draft: Draft, findings: Findings) -> Iterator[Content]:
    """Yields a line on the trial; nothing for a draft with a mistake, which is not tried."""
    if findings.mistake:
        return
    if too_large(draft):
        yield line((f"not tried: more than {LARGEST_KITCHEN} tiles", palette.WARN))
    elif findings.trial is None:
        yield line((TRIAL_NOTE, palette.DIM))
    elif findings.trial == 0:
        yield line((f"✗ two scripted cooks: no burrito in {TRIAL_STEPS} steps", palette.BAD))
    else:
        yield line((f"✓ two scripted cooks: a burrito after {findings.trial} steps", palette.GOOD))


def _structure(structure: KitchenStructure | None) -> Iterator[Content]:
    if structure is None:
        return
    for text in structure_words(structure):
        yield line((text, palette.TEXT))
    yield from _skills(structure.reach)


def _skills(reach: SkillReach) -> Iterator[Content]:
    """Yields which skills only one cook has and which nobody has; all others both have."""
    first, second = reach.only
    nobody = frozenset(Skill) - reach.skills[0] - reach.skills[1]
    groups = (
        ("only cook 1", first, palette.COOK_COLOURS[0]),
        ("only cook 2", second, palette.COOK_COLOURS[1]),
        ("nobody", nobody, palette.WARN),
    )
    for cooks, skills, colour in groups:
        if skills:
            yield line((f"{cooks}: ", colour), (_skill_names(skills), palette.DIM))


def _skill_names(skills: frozenset[Skill]) -> str:
    """Returns the names of some skills; of many their number alone."""
    if len(skills) > MOST_NAMED:
        return f"{len(skills)} skills"
    return ", ".join(names.skill(skill) for skill in sorted(skills))


class Checker:
    """Finds the structure of a draft, then lets two scripted cooks try it if it has no mistake.

    Args:
        post: calls a function in the screen's thread.
        report: takes the findings, each time that there are more of them.
    """

    def __init__(self, post: Post, report: Callable[[Findings], None]) -> None:
        self._report = report
        self._task: BackgroundTask[Findings] = BackgroundTask(post)
        self._stop = threading.Event()

    def check(self, draft: Draft) -> None:
        """Begins to find out about a draft; nothing but its mistake without the starts of both cooks."""
        self.cancel()
        findings = Findings(draft.mistake)
        sketch = draft.sketch()

        def with_structure() -> Findings:
            return findings._replace(structure=kitchen_structure(sketch))

        if all(draft.number_of(start) == 1 for start in STARTS):
            self._task.begin(with_structure, partial(self._report_and_try, draft))

    def cancel(self) -> None:
        """Stops the trial that runs, and discards what is not known yet."""
        self._stop.set()
        self._task.cancel()

    def _report_and_try(self, draft: Draft, findings: Findings) -> None:
        """Reports the findings, then begins the trial, if the draft can be tried."""
        self._report(findings)
        if findings.mistake or too_large(draft):
            return
        layout = draft.layout("draft")
        stop = threading.Event()
        self._stop = stop

        def with_trial() -> Findings:
            return findings._replace(trial=trial_game(layout, goes_on=lambda: not stop.is_set()))

        self._task.begin(with_trial, self._report)
