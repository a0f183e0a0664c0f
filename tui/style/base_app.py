"""The base class of every app here, with its themes and key bindings, and how it ends.

Signals end an app in order: what is under way is saved, and the terminal is as it was before.
"""

import asyncio
import gc
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Any, ClassVar

from rich.console import RenderableType
from rich.text import Text
from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.keys import REPLACED_KEYS, key_to_character
from textual.theme import Theme
from textual.widgets import Button

from bba.palette import CONTRAST, DARK, LIGHT, Palette, variables
from bba.terminal_text import visible
from human.keymap import DEFAULT, ENTRIES, TYPING_KEYS, Key, Keymap, meant, with_keys
from tui.crash import FAILED, report
from tui.streams import terminal_is_gone
from tui.style.base_screen import BaseScreen
from tui.style.terminal import TerminalCells, sparing_driver

# Asked to end, and the terminal was closed; Windows has no second one.
END_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def end_on_signals(end: Callable[[int], object]) -> None:
    """Calls `end` with a signal's number in the running event loop when the process is told to end, instead of dying
    on the spot."""
    loop = asyncio.get_running_loop()
    for number in END_SIGNALS:
        with suppress(NotImplementedError, RuntimeError, ValueError):  # not in this system, or not in this thread
            loop.add_signal_handler(number, end, number)


PALETTES = {"dark": DARK, "light": LIGHT, "contrast": CONTRAST}


def theme_of(name: str, palette: Palette) -> Theme:
    """Returns a palette as a Textual theme; the colours with a meaning of their own become variables."""
    return Theme(
        name=name,
        primary=palette.title,
        secondary=palette.focus,
        accent=palette.warn,
        warning=palette.warn,
        error=palette.bad,
        success=palette.good,
        foreground=palette.text,
        background=palette.background,
        surface=palette.panel,
        panel=palette.strip,
        dark=palette is not LIGHT,
        variables=variables(palette)
        | {
            "border": palette.border,
            "footer-background": palette.strip,
            "footer-key-foreground": palette.warn,
            "footer-key-background": palette.strip,
            "footer-description-background": palette.strip,
        },
    )


def palette_of(app: App[object]) -> Palette:
    """Returns the palette of the current theme, for widgets that paint pixels."""
    return PALETTES.get(app.theme, DARK)


def key_of(app: App[object], name: str) -> str:
    """Returns how the key of an action is written for people; of several keys, the first one."""
    keymap = app.keymap if isinstance(app, BaseApp) else DEFAULT
    return shown(keymap[name][0])


def motion_of(app: App[object]) -> bool:
    """Returns whether things may slide, flicker and flash: the one switch for all motion."""
    return isinstance(app, BaseApp) and app.motion


def panels_of(app: App[object]) -> tuple[str, ...]:
    """Returns the names of the panels of the watch screen that are switched on, in this order."""
    return app.panels if isinstance(app, BaseApp) else ()


def thoughts_of(app: App[object]) -> bool:
    """Returns whether the watch screen shows what the ego thinks in a bubble."""
    return not isinstance(app, BaseApp) or app.thoughts


KEY_ARROWS = {"right": "→", "left": "←", "up": "↑", "down": "↓"}
SHIFTED_ARROWS = {f"shift+{key}": f"⇧{arrow}" for key, arrow in KEY_ARROWS.items()}
KEY_SYMBOLS = {"space": "space", "escape": "esc", "comma": ",", **KEY_ARROWS, **SHIFTED_ARROWS}


def bindings(table: Iterable[Key], *, priority: bool = True) -> list[BindingType]:
    """Returns a binding for every key of a table; the footer shows the first key of each entry.

    With priority a binding comes before those of the focused widget; without it the focused widget comes first, so that
    the fields of a form take the letters that are typed.
    """
    return [
        Binding(
            key,
            entry.action,
            entry.label or entry.description,
            show=bool(entry.label) and key == entry.keys[0],
            key_display=shown(key),
            priority=priority,
            id=entry.name,
        )
        for entry in table
        for key in entry.keys
    ]


def shown(key: str) -> str:
    """Returns how a key is written for people, given its name in the table or in Textual."""
    if key in KEY_SYMBOLS:
        return KEY_SYMBOLS[key]
    char = key_to_character(REPLACED_KEYS.get(key, key))
    return char if char and char.isprintable() else key.replace("ctrl+", "^").upper()


# On a button that has the focus: for every app, as Textual's own buttons answer to enter alone.
BUTTON_KEYS: list[BindingType] = [
    Binding("space", "press_button", show=False, priority=True),
    Binding("right,down", "next_button(1)", show=False, priority=True),
    Binding("left,up", "next_button(-1)", show=False, priority=True),
]
LOOKS_FOR_ITS_TERMINAL = 2.0  # seconds between two looks
HUNG_UP = 1  # the number of SIGHUP, which Windows has not
STYLE_SHEETS = [Path(__file__).with_name(name) for name in ("bba.tcss", "watch.tcss")]


class BaseApp(App[None]):
    """An app with this project's themes, style sheet and keys.

    Args:
        theme: "dark", "light" or "contrast" at first.
        keymap: the keys of every action.
        motion: whether things may slide, flicker and flash.
    """

    BINDINGS: ClassVar[list[BindingType]] = BUTTON_KEYS
    CSS_PATH: ClassVar[str | PurePath | list[str | PurePath] | None] = list(STYLE_SHEETS)
    TITLE = "bba-tui"

    marked: object = None  # what the next one is compared with: a cell of results, whichever folder is open meanwhile

    def __init__(self, *, theme: str = "dark", keymap: Keymap = DEFAULT, motion: bool = True) -> None:
        super().__init__()
        self.keymap = keymap
        self.motion = motion
        self.panels: tuple[str, ...] = ()  # of the watch screen, that are switched on
        self.thoughts = True  # whether the watch screen shows what the ego thinks in a bubble
        for name, palette in PALETTES.items():
            self.register_theme(theme_of(name, palette))
        self._begin_with(theme)

    def get_driver_class(self) -> type[Driver]:
        """Returns the driver for this platform, which sends changed cells only.

        On Windows it is Textual's: the consoles there get no whole frames.
        """
        self._cells = TerminalCells()
        driver = super().get_driver_class()
        if sys.platform == "win32":
            return driver
        from textual.drivers.linux_driver import LinuxDriver

        if driver is not LinuxDriver:  # of a visitor's browser
            return sparing_driver(driver, self._cells)
        from tui.style.driver import terminal_driver

        return terminal_driver(self._cells)

    def on_resize(self) -> None:
        """Has everything sent anew."""
        self._cells.forget()

    def _begin_with(self, theme: str) -> None:
        """Sets the first theme before the style sheet is read, as Textual would after that, which reads it again."""
        self.set_reactive(App.theme, theme)
        dark = self.current_theme.dark
        self.update_classes({f"-theme-{theme}": True, "-dark-mode": dark, "-light-mode": not dark}, update=False)
        self.stylesheet.set_variables(self.get_css_variables())

    async def on_event(self, event: events.Event) -> None:
        """Takes a letter of another layout, and a capital while somebody walks, for the key that is meant by it."""
        if isinstance(event, events.Key):
            self._read_layout(event)
        await super().on_event(event)

    def _read_layout(self, event: events.Key) -> None:
        letter = event.character
        if letter is None or len(letter) != 1:
            return
        if letter.isascii() and not letter.isupper() and letter != "'":
            return
        if self.focused is not None and self.focused.check_consume_key(event.key, letter):
            return
        walking = self.screen.walking if isinstance(self.screen, BaseScreen) else frozenset[str]()
        key = meant(letter, walking, self.active_bindings)
        if key != letter:
            event.key = key
            event.character = key

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Returns the style sheet's variables until a theme is set."""
        return variables(DARK)

    def get_key_display(self, binding: Binding) -> str:
        """Returns how the footer writes a key; of several keys for one action, the first."""
        return shown(self.keymap.get(binding.id or "", (binding.key,))[0])

    def apply_keys(self) -> None:
        """Sets the keys, and what signals do; called when the app is mounted."""
        if not self.is_headless:
            end_on_signals(self.end_by)
            self.set_interval(LOOKS_FOR_ITS_TERMINAL, self._end_without_terminal)
            self.call_after_refresh(gc.freeze)  # what is there now stays: to look through it takes longer than a frame
        if self.keymap != DEFAULT:  # the default keymap need not be set, which spares Textual a look-up at every key
            self.bind_keys()

    def bind_keys(self) -> None:
        """Binds the keys of the keymap."""
        entries = with_keys((*ENTRIES.values(), *TYPING_KEYS), self.keymap)  # all: Textual moves whole keys
        self.set_keymap({entry.name: ",".join(entry.keys) for entry in entries})

    def notify(self, message: str, **options: Any) -> None:
        """Says something in passing; of names and errors in it, control characters are written out."""
        super().notify(visible(message), **options)

    def _end_without_terminal(self) -> None:
        if terminal_is_gone():
            self.end_by(HUNG_UP)

    # --- the shell -----------------------------------------------------------------------------------------------
    def action_suspend_process(self) -> None:
        """Stops the program until the shell continues it, a running game standing still; or says why that cannot be."""
        suspend = getattr(self._driver, "suspend", None)
        if suspend is None:
            place = "the browser" if self.is_web else "this system"
            self.notify(f"{place} has no shell that would bring the program back", severity="warning")
            return
        for screen in self.screen_stack:
            if isinstance(screen, BaseScreen):
                screen.stand_still()
        self._suspend_signal()
        if not suspend():
            self.notify("there is no shell here that would bring the program back", severity="warning")
        self._resume_signal()

    # --- the end -----------------------------------------------------------------------------------------------
    def end_by(self, number: int) -> None:
        """Ends the app as the signal of this number asks; the exit status is that of programs that a signal ends."""
        self.exit(return_code=128 + number)

    def exit(self, result: Any = None, return_code: int = 0, message: RenderableType | None = None) -> None:
        """Ends the app; the first status that is not 0 stays, whatever else ends it meanwhile."""
        super().exit(result, self._return_code or return_code, message)

    @property
    def deaf(self) -> bool:
        """Whether nothing can be written to the terminal any more: it is gone, or takes nothing."""
        return not self.is_headless and (terminal_is_gone() or getattr(self._driver, "deaf", False))

    def _handle_exception(self, error: Exception) -> None:
        """Ends the app after an error that nobody has caught, and reports it.

        Textual would print it with the values of all variables, among which are keys.
        """
        self._return_code = FAILED
        if self._exception is None:  # what fails after that is a consequence
            self._exit_renderables.append(Text(report(error)))
            self._exception = error
            self._exception_event.set()
        self._close_messages_no_wait()

    def _print_error_renderables(self) -> None:
        """Prints what is said at the end, a line each, where there is still somebody to read it."""
        lines = self._exit_renderables
        self._exit_renderables = []
        if not self.deaf:
            with suppress(OSError):  # it is gone by now
                for line in lines:
                    self.error_console.print(line, soft_wrap=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Lets the keys of buttons, which come before those of the screens, count on a button only."""
        if action in ("press_button", "next_button"):
            return isinstance(self.focused, Button)
        return super().check_action(action, parameters)

    def action_press_button(self) -> None:
        """Presses the button that has the focus."""
        if isinstance(self.focused, Button):
            self.focused.press()

    def action_next_button(self, by: int) -> None:
        """Moves the focus forward (1) or back (-1)."""
        if by > 0:
            self.screen.focus_next()
        else:
            self.screen.focus_previous()
