"""The base class of screens, its footer of keys, sizes, and slow work in a thread beside them.

A thread cannot be stopped, so every task carries a generation number: a result of an earlier generation is dropped.
A screen that is gone takes no result any more, and leaving the program does not wait for the thread.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import ActiveBinding, Binding
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widgets import Footer, Static

from bba.errors import BBAError
from bba.language import say
from bba.processes import in_thread
from tui.style.terminal import KeepsLines

# Actions that stand last in the footer, in this order. Where not all keys fit, the last one of the row goes first, but
# never one of those that are kept.
KEPT_ACTIONS = ("stop", "to_start", "pop_screen", "surrender", "back", "leave_design", "help", "quit")
LAST_ACTIONS = ("jump('replan', True)", "truth", "plan", "speed(True)", *KEPT_ACTIONS, "command_palette")
KEY_SPACES = 3  # cells around a key and its label


class KeyFooter(Footer, KeepsLines):
    """A footer that leaves out the keys for which there is no room; help names them all."""

    _composed: list[tuple[Binding, bool, str]] | None = None  # what the keys in it are made of

    def on_mount(self) -> None:
        """Has the keys follow what comes over the screen."""
        self.app.screen_change_signal.subscribe(self, self.follow)

    async def follow(self, _: object) -> None:
        """Makes the keys anew where a layer has come or gone, or the focus has moved in one; at once, as the screen
        below draws nothing by itself.
        """
        top = self.app.screen
        if isinstance(top, ModalScreen):
            top.bindings_updated_signal.unsubscribe(self)
            top.bindings_updated_signal.subscribe(self, self.follow)
        if self._composed != _footer_bindings(self.screen):
            await self.recompose()
            top.check_idle()  # while the keys were made nothing was drawn

    def bindings_changed(self, screen: Screen[Any]) -> None:
        """Makes the keys anew if they are others; Textual asks for that whenever the focus moves, twice."""
        if self._composed != _footer_bindings(screen):
            super().bindings_changed(screen)

    def compose(self) -> ComposeResult:
        """Yields all keys, some of them hidden."""
        keys: list[Any] = [key for key in super().compose() if hasattr(key, "key_display")]
        keys.sort(key=_place_in_footer)
        if keys:
            self._composed = _footer_bindings(self.screen)
        joint_keys = self.screen.joint_keys if isinstance(self.screen, BaseScreen) else {}
        for key in keys:
            key.key_display = joint_keys.get(key.action, key.key_display)
            key.description = say(key.description)
            # told so only later, keys compute their styles twice more: a quarter of all styles
            key.set_reactive(type(key).compact, self.compact)
        _show_fitting(keys, self.app.size.width)
        yield from keys

    def on_resize(self, event: events.Resize) -> None:
        """Hides more keys, or fewer."""
        _show_fitting(list(self.query("FooterKey")), event.size.width)


def _place_in_footer(key: Any) -> int:
    """Returns where a key stands: 0 for most, which keep their order, then those of `LAST_ACTIONS`."""
    return 1 + LAST_ACTIONS.index(key.action) if key.action in LAST_ACTIONS else 0


def _footer_bindings(screen: Screen[Any]) -> list[tuple[Binding, bool, str]]:
    return [
        (active.binding, active.enabled, active.tooltip)
        for active in screen.active_bindings.values()
        if active.binding.show
    ]


def _show_fitting(keys: Sequence[Any], width: int) -> None:
    widths = [(key.action, cell_len(key.key_display) + cell_len(key.description) + KEY_SPACES) for key in keys]
    hidden = left_out(widths, width)
    for key in keys:
        key.display = key.action not in hidden


def left_out(keys: Sequence[tuple[str, int]], width: int) -> set[str]:
    """Returns the actions, given with the cells that they take, that have to be left out of so many cells."""
    hidden: set[str] = set()
    for action, _ in reversed(keys):
        taken_cells = sum(cells for name, cells in keys if name not in hidden)
        if action not in KEPT_ACTIONS and taken_cells > width:
            hidden.add(action)
    return hidden


SMALLEST = (80, 24)  # the smallest terminal that the screens fit into
BARS = 2  # rows of title and footer
FRAME = 2  # cells that a box's border takes, across as well as down
SIDE = 30  # the least width of the column of panels beside a kitchen
SIDE_SHARE = 0.31  # its share of the terminal
HINT = 2.5  # seconds for which a hint is shown
MOST_SAID = 300  # characters of what was copied that are repeated

# The classes by which the style sheet hides or shrinks panels.
WIDTHS = ((0, "-narrow"), (SMALLEST[0], "-fits-across"))
ROOMY_CLASS = "-ample"
HEIGHTS = ((0, "-low"), (SMALLEST[1], "-short"), (28, "-medium"), (34, "-tall"), (38, "-full"), (47, ROOMY_CLASS))


class DismissedOnce(Screen[ScreenResultType]):
    """A screen that is dismissed only while it is on top: a key that is pressed twice does not close what is below.

    The class attributes say what kind of screen it is, for those that do not import it.
    """

    SITUATION: ClassVar[str] = ""  # where a person is on it, a key of `human.keymap.SITUATIONS`; "": as on that below
    IS_START: ClassVar[bool] = False  # whether it asks what to play
    ESCAPE_LEADS_OUT: ClassVar[bool] = False  # whether escape leads to the screen below, or to the start screen
    IS_RETURNED_TO: ClassVar[bool] = False  # whether escape leads back to it
    TAKES_ALL_KEYS: ClassVar[bool] = False  # whether it takes every key, whatever that does elsewhere
    CTRL_Z_UNDOES: ClassVar[bool] = False  # whether that key undoes on it, in place of stopping the program

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Closes the screen, if it is on top, with a result for whoever showed it."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    @property
    def copies(self) -> Sequence[tuple[str, str]]:
        """What can be copied, the usual first: what it is called, and its text, "" where there is none now."""
        return ()

    def action_copy(self, number: int) -> None:
        """Copies one of these by the terminal itself (OSC 52), which reaches the clipboard over ssh, too."""
        name, text = self.copies[number]
        if not text:
            self.notify(f"there is no {name} to copy", markup=False)
            return
        self.app.copy_to_clipboard(text)
        repeated = text if len(text) <= MOST_SAID else f"{len(text)} characters"
        self.notify(f"copied the {name}: {repeated}", markup=False)


class Layer(DismissedOnce[ScreenResultType], ModalScreen[ScreenResultType]):
    """A screen over another one, which stays in view."""


class BaseScreen(DismissedOnce[ScreenResultType], KeepsLines):
    """A screen that shows only a line of text where the terminal is too small for it."""

    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = list(WIDTHS)  # noqa: RUF012 - typed so by Textual
    VERTICAL_BREAKPOINTS = list(HEIGHTS)  # noqa: RUF012
    FILE_ACTIONS: ClassVar[tuple[str, ...]] = ()  # not for a visitor in the browser, who may not use files here

    def compose_bottom(self) -> ComposeResult:
        """Yields what is below the screen's own widgets: the line for small terminals, and the footer."""
        yield Static(id="too-small")
        yield KeyFooter(show_command_palette=False)

    def on_compose(self) -> None:
        """Takes the classes for this terminal before there are widgets, whose styles would else be computed twice."""
        columns, rows = self.app.size
        for cells, breakpoints in ((columns, self.HORIZONTAL_BREAKPOINTS), (rows, self.VERTICAL_BREAKPOINTS)):
            names = [name for least, name in breakpoints if cells >= least]
            self.add_class(names[-1], update=False)

    def on_resize(self, event: events.Resize) -> None:
        """Writes the line; the style sheet shows it where the screen does not fit."""
        columns, rows = event.size
        self.query_one("#too-small", Static).update(
            say("needs {least}, has {size}", least=f"{SMALLEST[0]}x{SMALLEST[1]}", size=f"{columns}x{rows}")
        )

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The bindings that count: those of a layer over the screen, if there is one; the footer shows them."""
        top = self.app.screen
        return top.active_bindings if isinstance(top, ModalScreen) else super().active_bindings

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Withholds from a visitor in the browser what uses files."""
        if self.app.is_web and action in self.FILE_ACTIONS:
            return False
        return super().check_action(action, parameters)

    @property
    def too_small(self) -> bool:
        """Whether the terminal is too small for the screen, so that only the line is shown."""
        return self.size.width < SMALLEST[0] or self.size.height < SMALLEST[1]

    def leave_app(self) -> None:
        """Leaves the app; a screen on which something would be lost asks first."""
        self.app.exit()

    def stand_still(self) -> None:
        """Pauses what goes on by itself, before the program is stopped."""

    @property
    def walking(self) -> Collection[str]:
        """The keys that walk; none on most screens."""
        return ()

    @property
    def joint_keys(self) -> Mapping[str, str]:
        """Several keys that have one label in the footer, as people read them, by the action of the first one."""
        return {}

    def hint(self, text: str) -> None:
        """Says in passing why a key does nothing, in the place of what was said before."""
        self.app.clear_notifications()
        self.notify(text, timeout=HINT, markup=False)

    def attempt(self, do: Callable[[], object], *, timeout: float | None = None) -> bool:
        """Does something, or says (for so many seconds) why it cannot be done; returns whether it was done."""
        try:
            do()
        except BBAError as error:
            self.notify(say("{why}", why=error), severity="error", timeout=timeout, markup=False)
            return False
        return True

    def show_problem(self, problem: str) -> None:
        """Says for a while why the game cannot go on; in other languages than English also whom to tell."""
        self.notify(
            say("{why}", why=say(problem)),
            title=say("The game cannot go on"),
            severity="error",
            timeout=30,
            markup=False,
        )


def side_width(columns: int) -> int:
    """Returns the width of the column of panels beside a kitchen."""
    return max(SIDE, round(SIDE_SHARE * columns))


Result = TypeVar("Result")
Post = Callable[..., object]  # takes a function and its arguments from any thread and calls it in the screen's thread


class BackgroundTask(Generic[Result]):
    """Runs one task at a time in a thread and delivers its result, unless the task was cancelled meanwhile.

    Args:
        post: calls a function in the screen's thread, such as `App.call_later`.
    """

    def __init__(self, post: Post) -> None:
        self.busy = False
        self._post = post
        self._generation = 0

    def begin(
        self,
        work: Callable[[], Result],
        arrived: Callable[[Result], object],
        failed: Callable[[BBAError], object] = lambda _: None,
    ) -> None:
        """Runs `work`, then calls `arrived` with its result, or `failed` with its BBAError; others are raised there."""
        self.busy = True
        deliver = partial(self._post, self._deliver, self._generation, arrived, failed)
        in_thread(work).add_done_callback(deliver)

    def cancel(self) -> None:
        """Discards the result of the running task."""
        self._generation += 1
        self.busy = False

    def _deliver(
        self,
        generation: int,
        arrived: Callable[[Result], object],
        failed: Callable[[BBAError], object],
        ended: Future[Result],
    ) -> None:
        if generation != self._generation:
            return
        self.busy = False
        error = ended.exception()
        if isinstance(error, BBAError):
            failed(error)
        else:
            arrived(ended.result())
