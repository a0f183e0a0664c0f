"""The help in pages, and a tour of the watch screen: a box beside each panel says what the panel is for."""

import math
from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import NamedTuple

import numpy as np
from rich.style import Style
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Offset, Region, Size
from textual.widget import Widget
from textual.widgets import Input, Static, TabbedContent, TabPane, Tabs

from bba import palette
from bba.analysis import names
from bba.belief.roles import ROLE_NAMES
from bba.kitchen import ObjectView, PlayerView, Scene
from bba.kitchen.render.painter import Painter
from bba.play import EGO
from human.keymap import APP_KEYS, DEFAULT, HELP_KEYS, SEARCH_KEYS, SITUATIONS, TOUR_KEYS, Key, Keymap, with_keys
from tui.glossary import BY_HEADING, BY_SIGN
from tui.screens.watch_view import SIDE_PANELS, WatchView
from tui.style import Layer, bindings, key_of, palette_of, shown
from tui.widgets import (
    RECIPE,
    DuelTimeline,
    EndCard,
    KitchenView,
    Panel,
    PartnerPanel,
    PixelCanvas,
    PlayerPanel,
    RecipePanel,
    ReplanCaption,
    RGBImage,
    SkillsPanel,
    StationsPanel,
    Timeline,
    TitleBar,
    TuningPanel,
    TwinTimeline,
    line,
    titled,
    written,
)

SIZE = 8  # pixels of a tile's edge
COLUMNS = 3  # tiles beside each other
WIDTH = 24  # cells of a tile with its text, across
ROWS = 5  # cells of a tile with its text, down
INDENT = SIZE + 1  # cells before the text
POSITION = (0, 0)  # of what lies on a tile, in its picture


class LegendEntry(NamedTuple):
    """One tile: its character in a layout, what lies on it, its name, and its use in two or three words."""

    char: str
    item: ObjectView | None
    name: str
    use: str


def _cooking(stage: str, progress: int) -> ObjectView:
    return ObjectView("chopped_steak", POSITION, "grill", stage, progress, 80)


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
    LegendEntry("X", ObjectView("steak_burrito", POSITION, "counter"), "counter (X)", "holds one thing"),
    LegendEntry("G", _cooking("cooking", 30), "cooking", "blue: wait"),
    LegendEntry("G", _cooking("ready", 100), "ready", "✓ green: take it"),
    LegendEntry("G", _cooking("warning", 200), "about to burn", "! smoke: hurry"),
    LegendEntry("G", _cooking("burning", 240), "on fire", "✶ put it out"),
    LegendEntry("X", ObjectView("fire_ext", POSITION, "counter"), "extinguisher", "(E) for fire"),
    LegendEntry("G", ObjectView("charcoal", POSITION, "grill"), "charcoal (x)", "take, trash"),
)


class Legend(PixelCanvas):
    """The entries in rows, in the colours of the theme."""

    def _paint(self) -> None:
        theme = palette_of(self.app)
        name_style = Style.parse(theme.text)
        use_style = Style.parse(theme.dim)
        rows = math.ceil(len(LEGEND) / COLUMNS)
        height = 2 * ROWS * rows  # in pixels, of which a cell has two
        picture = np.full((height, WIDTH * COLUMNS, 3), palette.rgb(theme.panel), np.uint8)
        labels: dict[tuple[int, int], tuple[str, Style]] = {}
        for number, entry in enumerate(LEGEND):
            row, column = divmod(number, COLUMNS)
            y = ROWS * row
            x = WIDTH * column
            picture[2 * y : 2 * y + SIZE, x : x + SIZE] = tile_picture(entry)
            labels |= written(entry.name, x + INDENT, y + 1, name_style)
            labels |= written(entry.use, x + INDENT, y + 2, use_style)
        self.show(picture, labels)


def tile_picture(entry: LegendEntry) -> RGBImage:
    """Returns one tile as the board shows it: uint8 array (8, 8, 3)."""
    nobody = PlayerView((-1, -1), "south", None)  # outside of the picture
    objects = () if entry.item is None else (entry.item,)
    scene = Scene("legend", 0, 0, 0, 0, 2, (nobody, nobody), objects, ())
    return Painter((entry.char,), SIZE).paint(scene)


KEYS = 14  # cells of the column of keys
NAMES = 12  # cells of the column of names
HELP_COLUMNS = 58  # cells of what a key does, in the smallest terminal
SITUATIONS_WITHIN = {  # situations within others, whose keys stand on the same page
    "while watching": ("while the cursor is on", "while tuning"),
    "while looking back": ("while the cursor is on", "while tuning"),
    "in a fork": ("while the cursor is on", "while tuning"),
    "over the questions": ("while searching",),
    "in a list of files": ("while filtering",),
    "among recordings": ("while filtering",),
    "among results": ("while filtering",),
    "among tables and games of a result": ("while filtering",),
}
ROLES = {
    "role": "a kind of work that a cook keeps to for a while, as preparing rice; it runs the skills that belong to it",
    "skill": "one errand, as fetching rice or washing a plate; the program walks and does the hand work",
} | {names.role(role): f"a role; its work: {names.role_work(role)}" for role in range(len(ROLE_NAMES))}
SCROLLS = "← → pages   ↑ ↓ scroll   / search   esc closes"
NOT_DEFAULT = "• behind a name: another value than the default."
PLACE_NOTES = {
    "while playing": "Two people: the first has letters and space, the second arrows and enter.",
    "on the start screen": NOT_DEFAULT,
    "in a dialog": NOT_DEFAULT,
    "in what if": "• behind a name: another value than in the game.",
}


class HelpScreen(Layer[None]):
    """Explains keys, kitchen and panels over the current screen, whose game stands still meanwhile.

    Args:
        keymap: the keys of every action.
        situation: where it was opened, a key of `SITUATIONS`.
        page: the page that is shown first, counted from 0.
    """

    BINDINGS = bindings((*SEARCH_KEYS, *HELP_KEYS))

    def __init__(self, keymap: Keymap, situation: str, page: int = 0) -> None:
        super().__init__()
        self._keymap = keymap
        self._situation = situation
        self._page = page
        self._hit = 0  # the number of the match that is shown

    def compose(self) -> ComposeResult:
        situations = (self._situation, *self._situations_within)
        further_situations = [name for name in SITUATIONS if name not in situations]
        symbols = BY_SIGN | ROLES | BY_HEADING
        pages: dict[str, Iterable[Widget]] = {
            "keys here": self._keys_here(),
            "the kitchen": (Static(RECIPE), Legend()),
            "the panels": _definitions(self._panels()),
            "the symbols": _definitions(symbols.items()),
            "all other keys": self._tables(further_situations),
        }
        with (
            titled(Vertical(id="help"), f"help {self._situation}", SCROLLS),
            TabbedContent(),
        ):
            for title, widgets in pages.items():
                yield TabPane(title, VerticalScroll(*widgets))
        yield Input(placeholder="search; enter shows the next line", id="search", compact=True)

    @property
    def _situations_within(self) -> tuple[str, ...]:
        return SITUATIONS_WITHIN.get(self._situation, ())

    def on_mount(self) -> None:
        self.query_one(Tabs).can_focus = False
        self.action_turn(self._page)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        searching = isinstance(self.focused, Input)  # then all other keys are typed
        if searching != (action == "leave_search"):
            return False
        return super().check_action(action, parameters)

    def action_turn(self, by: int) -> None:
        book = self.query_one(TabbedContent)
        panes = list(book.query(TabPane))
        pane_ids = [pane.id for pane in panes]
        number = pane_ids.index(book.active) + by
        pane = panes[number % len(panes)]
        book.active = str(pane.id)
        self.set_focus(pane.query_one(VerticalScroll))

    def action_search(self) -> None:
        self.add_class("-searching")
        self.set_focus(self.query_one(Input))  # before the next key

    def action_leave_search(self) -> None:
        self.remove_class("-searching")
        self.action_turn(0)

    @on(Input.Changed)
    @on(Input.Submitted)
    def search(self, event: Input.Changed | Input.Submitted) -> None:
        """Shows the first line with what is typed, on whatever page; after enter the next one."""
        box = self.query_one("#help")
        if not event.value:
            self._hit = 0
            box.border_subtitle = SCROLLS
            return
        matches = self._matches(event.value)
        if not matches:
            self._hit = 0
            box.border_subtitle = "no line has this   esc: end the search"
            return
        self._hit = (self._hit + 1) % len(matches) if isinstance(event, Input.Submitted) else 0
        box.border_subtitle = f"{self._hit + 1} of {len(matches)}   enter: next   esc: end the search"
        page, text, row = matches[self._hit]
        self.query_one(TabbedContent).active = str(page.id)
        text.call_after_refresh(self._go_to_line, page, text, row)

    def _matches(self, pattern: str) -> list[tuple[TabPane, Static, int]]:
        """Returns the lines that have a text, whatever its case: their page, their widget and their row in it."""
        matches: list[tuple[TabPane, Static, int]] = []
        for page in self.query(TabPane):
            for text in page.query(Static):
                for row, text_line in enumerate(str(text.visual).splitlines()):
                    if pattern.lower() in text_line.lower():
                        matches.append((page, text, row))
        return matches

    def _go_to_line(self, page: TabPane, text: Static, row: int) -> None:
        region = Region(0, text.virtual_region.y + row, 1, 1)
        page.query_one(VerticalScroll).scroll_to_region(region, animate=False, top=True, immediate=True)

    def action_tour(self) -> None:
        """Closes the help and starts the tour of the watch screen below, if there is one."""
        below = self.app.screen_stack[-2]
        if isinstance(below, WatchView):
            self.dismiss()
            self.app.call_later(below.run_action, "tour")

    def _keys_here(self) -> Iterator[Widget]:
        yield Static(self._keys(SITUATIONS[self._situation]), classes="keys")
        if self._situation in PLACE_NOTES:
            yield Static(PLACE_NOTES[self._situation], classes="about")
        yield from self._tables(self._situations_within)

    def _tables(self, situations: Iterable[str]) -> Iterator[Widget]:
        """Yields the keys of other situations under their names, without those that count everywhere."""
        for name in situations:
            entries = [entry for entry in SITUATIONS[name] if entry not in APP_KEYS]
            yield Static(line((name, f"bold {palette.GOOD}")), classes="name")
            yield Static(self._keys(entries), classes="keys")

    def _panels(self) -> Iterator[tuple[str, str]]:
        """Yields the panels' titles, and what each of them shows."""
        play_panels: tuple[type[Panel], ...] = ()
        if self._situation == "while playing":
            play_panels = (RecipePanel, PlayerPanel, PartnerPanel, SkillsPanel, StationsPanel)
        for panel in (TitleBar, *play_panels, KitchenView, ReplanCaption, EndCard, Timeline, *SIDE_PANELS, TuningPanel):
            yield panel.TITLE.ljust(NAMES), panel.ABOUT
        yield "beside a fork: what if", TwinTimeline.ABOUT
        yield "in a duel", DuelTimeline.ABOUT

    def _keys(self, entries: Iterable[Key]) -> Content:
        keys_by_description: dict[str, list[str]] = {}
        for entry in with_keys(entries, self._keymap):
            keys = keys_by_description.setdefault(entry.description, [])
            keys.extend(shown(key) for key in entry.keys)
        rows: list[Content] = []
        for description, keys in keys_by_description.items():
            rows += _rows(_joined(keys), description)
        return Content("\n").join(rows)


def _definitions(terms: Iterable[tuple[str, str]]) -> Iterator[Widget]:
    for term, meaning in terms:
        yield Static(line((term, f"bold {palette.GOOD}")), classes="name")
        yield Static(Content(meaning), classes="about")


def _rows(keys: str, description: str) -> Iterator[Content]:
    """Yields what keys do, in as many lines as it takes; the keys stand before the first one."""
    first_column = keys
    for part in wrap(description, HELP_COLUMNS):
        yield line((f"{first_column:{KEYS - 1}} ", f"bold {palette.WARN}"), (part, palette.TEXT))
        first_column = ""


def _joined(keys: list[str]) -> str:
    """Returns keys beside each other; of very many, the first and the last one."""
    text = " ".join(dict.fromkeys(keys))
    if len(text) >= KEYS:
        return f"{keys[0]} … {keys[-1]}"
    return text


EXPLAINED = "-toured"  # the class of the panel that is explained


class TourStop(NamedTuple):
    """One stop of the tour.

    Attributes:
        panel: the panel, as a CSS selector.
        title: title of the box.
        text: the explanation; the name of an action in braces is replaced by its key.
        without: the explanation where the ego has no belief; "" for the same.
        unplanned: the explanation where the ego has no planner; "" for the same.
    """

    panel: str
    title: str
    text: str
    without: str = ""
    unplanned: str = ""


STOPS = (
    TourStop(
        "KitchenView",
        "two cooks",
        "They share kitchen and score. Cook 1 is the ego, cook 2 its partner, which may switch roles. {plan} shows "
        "their planned paths.",
    ),
    TourStop(
        "PosteriorPanel",
        "the belief",
        "The ego cannot see which role its partner plays. From every action it infers how likely each of the six roles "
        "is. │ is the confidence threshold Γ, ◆ the true role, which the ego is not told; {truth} hides it.",
        "This ego has no belief about its partner. The rows show an observer's, which no cook acts on: how likely each "
        "of the six roles is, given the partner's actions. ◆ is the true role; {truth} hides it.",
    ),
    TourStop(
        "GatePanel",
        "the gate",
        "A tall block is an action that the most likely role would not take. All blocks multiply to ℓ; below θ they "
        "contradict the belief. If this gate decides, five lit lamps make the ego drop its skill and replan. The "
        "sentence says why it did not.",
        "This ego has no gate. The lamps are an observer's: with all five lit, an ego with a gate would have dropped "
        "its skill. A tall block is an action that the most likely role would not take.",
    ),
    TourStop(
        "CooksPanel",
        "the skills",
        "The skill that each cook runs, what it holds, and how its last skill ended. {asked} shows word for word what "
        "the planner was asked and answered, {planner} its calls and their cost so far.",
        unplanned="The skill that each cook runs, what it holds, and how its last skill ended.",
    ),
    TourStop(
        "Timeline",
        "the whole game",
        "A belief over time, a colour for each role; below it the partner's true role, the most likely one, and "
        "whether the ego's own role complements it. ▲ is a replan, ! a contradiction, ● a delivery.",
    ),
    TourStop(
        "Timeline",
        "time travel",
        "{step_back} and {step} go one step, {next_replan} goes to the next replan, a click to any step: every panel "
        "shows that step. The game itself stays where it is; {newest} goes back to its newest step.",
    ),
    TourStop(
        "TitleBar",
        "what if",
        "{what_if} plays on from the shown step with other parameters or another agent, and shows both futures side by "
        "side. {tune} changes the parameters while the game runs. {help} lists every key, {tour} shows this again.",
    ),
)


class TourScreen(Layer[None]):
    """Leads from panel to panel over the watch screen, which stands still beneath; hidden panels are left out.

    It may come by itself, so a key that it has no use for ends it and is left to the screen beneath.

    Args:
        below: the screen that is explained.
    """

    BINDINGS = bindings(TOUR_KEYS)

    def __init__(self, below: WatchView) -> None:
        super().__init__()
        self._below = below
        self._stops = [stop for stop in STOPS if self._panel(stop).region]
        self._number = 0  # of the stop that is shown

    def compose(self) -> ComposeResult:
        yield Static(id="stop")

    def on_mount(self) -> None:
        self._below.screen_layout_refresh_signal.subscribe(self, lambda _: self._place())
        self._show()

    def on_unmount(self) -> None:
        self._point(None)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_turn(self, by: int) -> None:
        number = self._number + by
        if number >= len(self._stops):
            self.dismiss()
        else:
            self._number = max(0, number)
            self._show()

    def on_key(self, event: events.Key) -> None:
        self.dismiss()
        self.app.call_later(self.app.simulate_key, event.key)

    # --- what is shown -----------------------------------------------------------------------------------------
    @property
    def stop(self) -> TourStop:
        """The stop that is shown."""
        return self._stops[self._number]

    def _panel(self, stop: TourStop) -> Widget:
        return self._below.query_one(stop.panel, Widget)

    def _show(self) -> None:
        stop = self.stop
        box = self.query_one("#stop", Static)
        box.border_title = stop.title
        box.border_subtitle = f"{self._number + 1} of {len(self._stops)}  space next  other keys end"
        ego = self._below.snapshot.config.seats[EGO]
        text = stop.text
        if ego.belief_config is None and stop.without:
            text = stop.without
        elif not ego.plans and stop.unplanned:
            text = stop.unplanned
        keys = {name: key_of(self.app, name) for name in DEFAULT}
        box.update(line((text.format_map(keys), palette.TEXT)))
        self._point(self._panel(stop))
        self.call_after_refresh(self._place)

    def _point(self, panel: Widget | None) -> None:
        self._below.query(f".{EXPLAINED}").remove_class(EXPLAINED)
        if panel is not None:
            panel.add_class(EXPLAINED)

    def _place(self) -> None:
        box = self.query_one("#stop")
        panel = self._panel(self.stop).region
        screen = self.size - (0, 1)  # without the footer
        box.styles.offset = beside(panel, box.outer_size, screen)


def beside(panel: Region, box: Size, screen: Size) -> Offset:
    """Returns where a box covers no part of a panel and lies within the screen, if there is such a place."""
    places = (
        Offset(panel.x - box.width, panel.y),
        Offset(panel.right, panel.y),
        Offset(panel.x, panel.y - box.height),
        Offset(panel.x, panel.bottom),
    )
    for place in places:
        moved = Region.from_offset(place, box).translate_inside(screen.region)
        if not moved.overlaps(panel):
            return moved.offset
    return Offset(screen.width - box.width, 0)
