"""The help, in pages."""

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.visual import VisualType
from textual.widget import Widget
from textual.widgets import Input, Static, TabbedContent, TabPane, Tabs

from bba import palette
from bba.analysis import names
from bba.belief.roles import ROLE_NAMES
from human.keymap import APP_KEYS, HELP_KEYS, SEARCH_KEYS, SITUATIONS, Key, Keymap, with_keys
from tui.glossary import BY_HEADING, BY_SIGN
from tui.screens.legend import Legend
from tui.screens.side_panels import SIDE_PANELS
from tui.screens.watch_view import WatchView
from tui.style import Layer, bindings, shown
from tui.widgets import (
    RECIPE,
    DuelTimeline,
    EndCard,
    KitchenView,
    Panel,
    PartnerPanel,
    PlayerPanel,
    RecipePanel,
    ReplanCaption,
    SentenceLine,
    SkillsPanel,
    StationsPanel,
    Timeline,
    TitleBar,
    TwinTimeline,
    line,
    titled,
)

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
HIT = "reverse bold"  # how what is searched for stands out, also without colours
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

    SITUATION = "in the help"

    BINDINGS = bindings((*SEARCH_KEYS, *HELP_KEYS))

    def __init__(self, keymap: Keymap, situation: str, page: int = 0) -> None:
        super().__init__()
        self._keymap = keymap
        self._situation = situation
        self._page = page
        self._hit = 0  # the number of the match that is shown
        self._unmarked = dict[Static, VisualType]()  # what texts show where no hit is marked

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
        self._unmark()
        self.action_turn(0)

    @on(Input.Changed)
    @on(Input.Submitted)
    def search(self, event: Input.Changed | Input.Submitted) -> None:
        """Shows the first line with what is typed, on whatever page; after enter the next one."""
        box = self.query_one("#help")
        self._unmark()
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
        self._mark(event.value, [match_text for _, match_text, _ in matches])
        self.query_one(TabbedContent).active = str(page.id)
        text.call_after_refresh(self._go_to_line, page, text, row)

    def _matches(self, pattern: str) -> list[tuple[TabPane, Static, int]]:
        """Returns the lines that have a text, whatever its case: their page, their widget and their row in it.

        Words that are explained come before all that only have the text in them, and before keys.
        """
        matches: list[tuple[TabPane, Static, int]] = []
        explained: list[tuple[TabPane, Static, int]] = []
        for page in self.query(TabPane):
            for text in page.query(Static):
                for row, text_line in enumerate(str(text.visual).splitlines()):
                    if text.has_class("term") and text_line.lower().startswith(pattern.lower()):
                        explained.append((page, text, row))
                    elif pattern.lower() in text_line.lower():
                        matches.append((page, text, row))
        return explained + matches

    def _mark(self, pattern: str, texts: Iterable[Static]) -> None:
        """Makes every place stand out in which these texts have a pattern."""
        for text in dict.fromkeys(texts):
            shown_text = text.visual
            plain = str(shown_text)
            content = shown_text if isinstance(shown_text, Content) else Content(plain)
            for hit in re.finditer(re.escape(pattern), plain, re.IGNORECASE):
                content = content.stylize(HIT, hit.start(), hit.end())
            self._unmarked[text] = shown_text
            text.update(content)

    def _unmark(self) -> None:
        for text, unmarked in self._unmarked.items():
            text.update(unmarked)
        self._unmarked.clear()

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
        panels = (TitleBar, *play_panels, KitchenView, SentenceLine, ReplanCaption, EndCard, Timeline, *SIDE_PANELS)
        for panel in dict.fromkeys(panels):
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
        yield Static(line((term, f"bold {palette.GOOD}")), classes="name term")
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
