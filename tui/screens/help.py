"""The help in pages: the keys of the screen below, the kitchen with a picture of each tile, panels, all other keys."""

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import ClassVar, NamedTuple

import numpy as np
from rich.style import Style
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static, TabbedContent, TabPane, Tabs

from bba import palette
from bba.kitchen import ObjectView, Scene
from bba.kitchen.render.painter import Painter
from bba.kitchen.scene import PlayerView
from human.keymap import APP_KEYS, SITUATIONS, WATCH_KEYS, Key, Keymap
from human.remapping import with_keys
from tui.glossary import BY_HEADING, BY_SIGN
from tui.screens.side_panels import SIDE_PANELS
from tui.screens.watch import WatchScreen
from tui.style.base_app import bindings, palette_of, shown
from tui.style.base_screen import Layer
from tui.widgets.duel_timeline import DuelTimeline
from tui.widgets.end_card import EndCard
from tui.widgets.events import ReplanCaption
from tui.widgets.how_to import RECIPE, SkillsPanel
from tui.widgets.kitchen_panels import StationsPanel
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import TitleBar, line, titled
from tui.widgets.pixels import PixelCanvas, RGBImage, written
from tui.widgets.player_status import PartnerPanel, PlayerPanel
from tui.widgets.recipe_cards import RecipePanel
from tui.widgets.timeline import Timeline, TwinTimeline
from tui.widgets.tuning import TuningPanel

SIZE, COLUMNS = 8, 3  # pixels of a tile's edge, and tiles beside each other
WIDTH, ROWS = 24, 5  # cells of a tile with its words, across and down
INDENT = SIZE + 1  # cells before the words
HERE = (0, 0)


class LegendEntry(NamedTuple):
    """One tile: its character in a layout, what lies on it, its name, and its use in two or three words."""

    char: str
    item: ObjectView | None
    name: str
    use: str


def _cooking(stage: str, progress: int) -> ObjectView:
    return ObjectView("chopped_steak", HERE, "grill", stage, progress, 80)


LEGEND = (
    LegendEntry("M", None, "meat (M)", "take, chop, fry"),
    LegendEntry("Z", None, "mushroom (Z)", "take, chop, fry"),
    LegendEntry("R", None, "rice (R)", "take, boil"),
    LegendEntry("T", None, "tortilla (T)", "take, or wrap"),
    LegendEntry("B", None, "board (B)", "chops: 2 times"),
    LegendEntry("G", None, "grill (G)", "fries by itself"),
    LegendEntry("P", None, "pot (P)", "boils by itself"),
    LegendEntry("D", None, "dirty plates", "(D) take one"),
    LegendEntry("W", None, "sink (W)", "rinses: 3 times"),
    LegendEntry("S", None, "window (S)", "serves burritos"),
    LegendEntry("U", None, "trash (U)", "throws away"),
    LegendEntry("X", ObjectView("steak_burrito", HERE, "counter"), "counter (X)", "holds one thing"),
    LegendEntry("G", _cooking("cooking", 30), "cooking", "blue: wait"),
    LegendEntry("G", _cooking("ready", 100), "ready", "✓ green: take it"),
    LegendEntry("G", _cooking("warning", 200), "about to burn", "! smoke: hurry"),
    LegendEntry("G", _cooking("burning", 240), "on fire", "✶ put it out"),
    LegendEntry("X", ObjectView("fire_ext", HERE, "counter"), "extinguisher", "(E) for fire"),
    LegendEntry("G", ObjectView("charcoal", HERE, "grill"), "charcoal (x)", "take, trash"),
)


class Legend(PixelCanvas):
    """The entries in rows, in the colours of the theme."""

    def on_mount(self) -> None:
        self.styles.height = ROWS * -(-len(LEGEND) // COLUMNS)
        self.styles.width = WIDTH * COLUMNS
        self._draw()

    def notify_style_update(self) -> None:
        """Redraws in the colours of another theme."""
        super().notify_style_update()
        self._draw()

    def _draw(self) -> None:
        theme = palette_of(self.app)
        height = 2 * ROWS * -(-len(LEGEND) // COLUMNS)
        picture: RGBImage = np.empty((height, WIDTH * COLUMNS, 3), np.uint8)
        picture[:] = np.frombuffer(bytes.fromhex(theme.panel.removeprefix("#")), np.uint8)
        labels: dict[tuple[int, int], tuple[str, Style]] = {}
        for number, entry in enumerate(LEGEND):
            top, left = ROWS * (number // COLUMNS), WIDTH * (number % COLUMNS)
            picture[2 * top : 2 * top + SIZE, left : left + SIZE] = tile_picture(entry)
            for row, (text, colour) in enumerate(((entry.name, theme.text), (entry.use, theme.dim)), start=1):
                labels |= written(text, left + INDENT, top + row, Style.parse(colour))
        self.show(picture, labels)


def tile_picture(entry: LegendEntry) -> RGBImage:
    """Returns one tile as the board shows it: uint8 array (8, 8, 3)."""
    nobody = PlayerView((-1, -1), "south", None)  # outside of the picture
    items = () if entry.item is None else (entry.item,)
    return Painter((entry.char,), SIZE).paint(Scene("legend", 0, 0, 0, 0, 2, (nobody, nobody), items, ()))


KEYS, NAMES = 14, 12  # cells of the first column
HELP_COLUMNS = 60  # cells of what a key does, in the smallest terminal
ALSO = {  # situations within others, whose keys stand on the same page
    "while watching": ("while the cursor is on", "while tuning"),
    "while looking back": ("while the cursor is on", "while tuning"),
    "in a fork": ("while the cursor is on", "while tuning"),
    "over the questions": ("while searching",),
    "in a list of files": ("while filtering",),
    "among results": ("while filtering",),
    "among games of a result": ("while filtering",),
}
HANDS = "Two people: the first has letters and space, the second arrows and enter."


class HelpScreen(Layer[None]):
    """Explains keys, kitchen and panels over the current screen, which stands still meanwhile if people play on it.

    Args:
        keymap: the keys of every action.
        situation: where it was opened, a key of `SITUATIONS`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss", "close"),
        Binding("left", "turn(-1)", "page before"),
        Binding("right,tab", "turn(1)", "next page"),
        *bindings(entry for entry in WATCH_KEYS if entry.name == "tour"),
    ]

    def __init__(self, keymap: Keymap, situation: str) -> None:
        super().__init__()
        self._keymap, self._situation = keymap, situation

    def compose(self) -> ComposeResult:
        pages = {
            f"keys {self._situation}": self._keys_here(),
            "the kitchen": (Static(RECIPE), Legend()),
            "the panels": _explained(self._panels()),
            "the symbols": _explained((BY_SIGN | BY_HEADING).items()),
            "all other keys": self._other_keys(),
        }
        with titled(Vertical(id="help"), "help", "← → pages   ↑ ↓ scroll   esc closes"), TabbedContent():
            for title, widgets in pages.items():
                yield TabPane(title, VerticalScroll(*widgets))

    def on_mount(self) -> None:
        self.query_one(Tabs).can_focus = False
        self.action_turn(0)

    def action_turn(self, by: int) -> None:
        """Shows another page, from the last one the first; the arrows up and down scroll it."""
        book = self.query_one(TabbedContent)
        panes = list(book.query(TabPane))
        at = next(number for number, pane in enumerate(panes) if pane.id == book.active)
        pane = panes[(at + by) % len(panes)]
        book.active = str(pane.id)
        self.set_focus(pane.query_one(VerticalScroll))

    def action_tour(self) -> None:
        """Closes the help and starts the tour of the watch screen below, if there is one."""
        below = self.app.screen_stack[-2]
        if isinstance(below, WatchScreen):
            self.dismiss()
            self.app.call_later(below.action_tour)

    def _keys_here(self) -> Iterator[Widget]:
        yield Static(self._keys(SITUATIONS[self._situation]), classes="keys")
        if self._situation == "while playing":
            yield Static(HANDS, classes="about")
        yield from self._tables(ALSO.get(self._situation, ()))

    def _other_keys(self) -> Iterator[Widget]:
        here = (self._situation, *ALSO.get(self._situation, ()))
        yield from self._tables(name for name in SITUATIONS if name not in here)

    def _tables(self, situations: Iterable[str]) -> Iterator[Widget]:
        """Yields the keys of other situations under their names, without those that count everywhere."""
        for name in situations:
            yield Static(line((name, f"bold {palette.GOOD}")), classes="name")
            yield Static(self._keys(entry for entry in SITUATIONS[name] if entry not in APP_KEYS), classes="keys")

    def _panels(self) -> Iterator[tuple[str, str]]:
        own = (
            (RecipePanel, PlayerPanel, PartnerPanel, SkillsPanel, StationsPanel)
            if self._situation == "while playing"
            else ()
        )
        for panel in (TitleBar, *own, KitchenView, ReplanCaption, EndCard, Timeline, *SIDE_PANELS, TuningPanel):
            yield panel.TITLE.ljust(NAMES), panel.ABOUT
        yield "beside a fork: what if", TwinTimeline.ABOUT
        yield "in a duel", DuelTimeline.ABOUT

    def _keys(self, entries: Iterable[Key]) -> Content:
        keys: dict[str, list[str]] = {}
        for entry in with_keys(entries, self._keymap):
            keys.setdefault(entry.description, []).extend(shown(key) for key in entry.keys)
        return Content("\n").join(row for does, names in keys.items() for row in _rows(_listed(names), does))


def _explained(terms: Iterable[tuple[str, str]]) -> Iterator[Widget]:
    for term, meaning in terms:
        yield Static(line((term, f"bold {palette.GOOD}")), classes="name")
        yield Static(Content(meaning), classes="about")


def _rows(keys: str, does: str) -> Iterator[Content]:
    """Yields what keys do, in as many lines as it takes; the keys stand before the first one."""
    for number, part in enumerate(wrap(does, HELP_COLUMNS)):
        yield line((f"{'' if number else keys:{KEYS - 1}} ", f"bold {palette.WARN}"), (part, palette.TEXT))


def _listed(keys: list[str]) -> str:
    """Returns keys beside each other; of very many, the first and the last one."""
    text = " ".join(dict.fromkeys(keys))
    return text if len(text) < KEYS else f"{keys[0]} … {keys[-1]}"
