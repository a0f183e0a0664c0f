"""Where a person is, where escape leads from there, and the commands in the palette: keys, themes, motion and bells."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from textual.actions import parse
from textual.binding import Binding
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input

from bba import palette
from human.keymap import APP_KEYS, BACK_KEYS, ENTRIES, MENU_KEYS, Key, with_keys
from tui.playback.pauses import PAUSE_MARKS
from tui.screens.playback import PlaybackScreen
from tui.screens.watch import WatchScreen
from tui.style import PALETTES, BaseApp, shown
from tui.style.base_screen import DismissedOnce
from tui.widgets import Timeline

Stack = Sequence[Screen[Any]]  # of screens, the last one on top

MENU = "to_start"  # an action
BACK = "pop_screen"  # another one
# The situation of a screen from which escape leads back to another one, where that makes a difference.
SITUATION_BEHIND = {"after playing": "in a debrief", "among results": "among tables and games of a result"}


def situation(stack: Stack) -> str:
    """Returns the situation of the screen on top, a key of `SITUATIONS`; that of the screen below an unknown layer."""
    screen = stack[-1]
    back = way_out(stack, is_web=False) == BACK
    if isinstance(screen, WatchScreen):
        if screen.parted is not None:
            return "in a fork"
        return "while looking back" if back else "while watching"
    if isinstance(screen, DismissedOnce) and screen.SITUATION:
        return SITUATION_BEHIND.get(screen.SITUATION, screen.SITUATION) if back else screen.SITUATION
    if len(stack) > 1:
        return situation(stack[:-1])
    return "on the start screen"


def way_out(stack: Stack, *, is_web: bool) -> str | None:
    """Returns what escape does on the screen on top, MENU or BACK; None where that has its own use for it.

    A visitor in the browser has no menu if the server chose the game.
    """
    screen = stack[-1]
    if _uses_escape(screen) or not (isinstance(screen, DismissedOnce) and screen.ESCAPE_LEADS_OUT):
        return None
    below = stack[-2]
    if isinstance(below, DismissedOnce) and below.IS_RETURNED_TO:
        return BACK
    first = len(stack) == 2  # Textual's empty screen is below all
    if is_start(below) or (first and not is_web):
        return MENU
    return None


def is_start(screen: Screen[Any]) -> bool:
    """Whether a screen is the start screen, which is imported only when it is shown."""
    return isinstance(screen, DismissedOnce) and screen.IS_START


def _uses_escape(screen: Screen[Any]) -> bool:
    """Whether escape ends something on the screen itself: the cursor, tuning, or the filter."""
    if isinstance(screen, WatchScreen):
        return screen.pointing or screen.tuning or screen.parted is not None
    return any(field.has_focus or field.value for field in screen.query(Input))


MOST_DIGITS = 9  # of a step's number at most
MOTION = (
    ("on", True, "let cooks slide, fire flicker and panels flash"),
    ("off", False, "let nothing slide, flicker or flash"),
)
DESCRIPTION_WEIGHT = 0.5  # what a match in the description counts, against one in the name


class PaletteCommand(NamedTuple):
    """One command.

    Attributes:
        name: its name.
        keys: the keys that do the same, as people read them.
        description: what it does, in a line.
        run: runs it.
    """

    name: str
    keys: str
    description: str
    run: Callable[[], object]


class CommandProvider(Provider):
    """Finds commands by name and by description."""

    async def discover(self) -> Hits:
        """Lists all commands."""
        for command in self._commands():
            yield DiscoveryHit(_prompt(Content(command.name), command), command.run, command.name, command.description)

    async def search(self, query: str) -> Hits:
        """Finds the commands that match; a number finds the step."""
        screen = self.screen
        if isinstance(screen, PlaybackScreen) and query.isdecimal() and len(query) <= MOST_DIGITS:
            step = min(int(query), screen.newest)
            title = f"jump to step {step}"
            go = partial(screen.post_message, Timeline.StepRequested(step))
            yield Hit(1.0, Content(title), go, title, f"of {screen.newest} so far")
        matcher = self.matcher(query)
        for command in self._commands():
            score = max(matcher.match(command.name), DESCRIPTION_WEIGHT * matcher.match(command.description))
            if score > 0:
                prompt = _prompt(matcher.highlight(command.name), command)
                yield Hit(score, prompt, command.run, command.name, command.description)

    def _commands(self) -> Iterator[PaletteCommand]:
        app = cast("BaseApp", self.app)
        screen = self.screen
        screen_entries = list(_entries(screen))
        names_of_screen = {entry.name for entry in screen_entries}
        for entry in with_keys([*screen_entries, *self._entries_of_app()], app.keymap):
            keys = " ".join(shown(key) for key in entry.keys)
            target = screen if entry.name in names_of_screen else app
            run = partial(app.run_action, entry.action, target)
            yield PaletteCommand(entry.name.replace("_", " "), keys, entry.description, run)
        if isinstance(screen, PlaybackScreen):
            for step, note in sorted(screen.snapshot.trace.bookmarks.items()):
                go = partial(screen.post_message, Timeline.StepRequested(step))
                yield PaletteCommand(f"bookmark {step}", note, f"go to the bookmark at step {step}: {note}", go)
        for name in PALETTES:
            description = f"show everything in the {name} theme"
            choose = partial(app.run_action, f"choose('theme', {name!r})", app)
            yield PaletteCommand(f"theme {name}", "", description, choose)
        for name, motion, description in MOTION:
            choose = partial(app.run_action, f"choose('motion', {motion})", app)
            yield PaletteCommand(f"motion {name}", "", description, choose)
        if isinstance(screen, WatchScreen):
            for mark in PAUSE_MARKS:
                description = f"turn the pauses at every {mark.value} on or off"
                toggle = partial(screen.toggle_pauses, mark)
                yield PaletteCommand(f"pause on {mark.value}", "", description, toggle)

    def _entries_of_app(self) -> list[Key]:
        stack = self.app.screen_stack
        up_to_screen = stack[: stack.index(self.screen) + 1]
        action = way_out(up_to_screen, is_web=self.app.is_web)
        escape = [entry for entry in [*MENU_KEYS, *BACK_KEYS] if entry.action == action]
        return [*escape, *(entry for entry in APP_KEYS if entry.name != "find")]


def _entries(screen: Screen[object]) -> Iterator[Key]:
    """Yields what a screen's own keys do now, in the order of the table."""
    names = [binding.id for binding in screen.BINDINGS if isinstance(binding, Binding)]
    for name in dict.fromkeys(name for name in names if name in ENTRIES):
        _, action, parameters = parse(ENTRIES[name].action)
        if screen.check_action(action, parameters) is not False:
            yield ENTRIES[name]


def _prompt(name: Content, command: PaletteCommand) -> Content:
    return Content.assemble(name, "  ", (command.keys, f"not bold {palette.WARN}"))
