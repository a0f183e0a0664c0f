"""The settings: theme, motion, speed, start page, what is kept, and the way to the keys. A change counts at once."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input, Label, Select, Static

from bba import palette
from bba.errors import BBAError
from bba.terminal_text import visible_line
from human.keymap import DIALOG_KEYS, SETTINGS_KEYS, Keymap, changed_keys
from human.recordings import KEPT_STEPS, MOST_WATCHED, recordings_folder, watched_folder
from tui.preferences import START_PAGES, AppState, PreferenceFile
from tui.screens.key_editor import KeyEditor
from tui.style import PALETTES, Layer, bindings
from tui.widgets.form_fields import ChoiceField, NumberField, OptionSelect
from tui.widgets.panel import line, titled

SPEED_STEP = 5  # steps a second, for the buttons
MOTION = MappingProxyType({"on": True, "off": False})
# What the field says: the start page.
PAGES: Mapping[str, str] = MappingProxyType(
    {"start screen": "", **{page: page for page in START_PAGES if page != "replay"}, "recordings": "replay"}
)
# What the field says: whether watched games are kept.
KEPT: Mapping[str, bool] = MappingProxyType(
    {f"the last {MOST_WATCHED} that you watched": True, "none that you only watched": False}
)
MEBIBYTE = 2**20


class SettingsScreen(Layer[None]):
    """Shows the settings over the current screen, whose game stands still meanwhile.

    Args:
        state: what is remembered from one start to the next.
        file: the user's file of preferences, which comes first where it names one of them.
        keymap: the keys that count now.
        speed: steps a second, where a game begins.
        theme: the theme that is shown.
        motion: whether anything slides, flickers or flashes.
        choose: shows a theme or turns motion on or off, now and at the next start; takes the setting and its value.
        use_keys: binds other keys, now.
        use_speed: shows another speed where a game is chosen.
    """

    SITUATION = "in the settings"

    BINDINGS = bindings((*DIALOG_KEYS, *SETTINGS_KEYS), priority=False)
    AUTO_FOCUS = "#theme"

    def __init__(
        self,
        state: AppState,
        file: PreferenceFile,
        keymap: Keymap,
        *,
        speed: float,
        theme: str,
        motion: bool,
        choose: Callable[[Literal["theme", "motion"], str | bool], object],
        use_keys: Callable[[Keymap], object],
        use_speed: Callable[[float], object],
    ) -> None:
        super().__init__()
        self._state = state
        self._file = file
        self._keymap = keymap
        self._choose = choose
        self._use_keys = use_keys
        self._use_speed = use_speed
        self._theme = OptionSelect("theme", PALETTES, theme)
        self._motion = OptionSelect("motion", MOTION, _label_of(MOTION, motion))
        self._speed = NumberField("speed", speed, SPEED_STEP)
        self._taken_speed = speed
        self._page = OptionSelect("start_page", PAGES, _label_of(PAGES, state.start_page))
        self._kept = OptionSelect("keep_watched", KEPT, _label_of(KEPT, state.keeps_watched))

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="settings"), "settings", "a change counts at once   esc closes"):
            yield ChoiceField("theme", self._theme, usual="dark")
            yield ChoiceField("motion", self._motion, usual="on")
            yield self._speed
            yield ChoiceField("start page", self._page, usual=next(iter(PAGES)))
            yield ChoiceField("keep games", self._kept, usual=next(iter(KEPT)))
            with Horizontal(id="keys-row", classes="field"):
                yield Label("keys")
                yield Static(id="keys-note", markup=False)
                yield Button("change the keys", id="keys", compact=True)
            yield Static(self._places(), id="places")
            yield Static(id="settings-problem", classes="problem", markup=False)

    def on_mount(self) -> None:
        """Says how many keys are other ones, and what a speed means."""
        self._note_keys()
        self._note_speed()

    # --- what is changed ---------------------------------------------------------------------------------------
    @on(Select.Changed, "#theme")
    def take_theme(self) -> None:
        if self._theme.chosen != self.app.theme:
            self._choose("theme", self._theme.chosen)
            self._write("theme", self._theme.chosen)

    @on(Select.Changed, "#motion")
    def take_motion(self) -> None:
        motion = MOTION[self._motion.chosen]
        if motion != getattr(self.app, "motion", motion):
            self._choose("motion", motion)
            self._write("motion", motion)

    @on(Input.Changed, "#speed")
    def take_speed(self) -> None:
        """Keeps a speed that is valid, for games that begin from now on."""
        self._note_speed()
        if self._speed.problem is not None or self._speed.number == self._taken_speed:
            return
        self._taken_speed = self._speed.number
        self._state.note(speed=self._taken_speed)
        self._write("speed", self._taken_speed)
        self._use_speed(self._taken_speed)

    @on(Select.Changed, "#start_page")
    def take_page(self) -> None:
        page = PAGES[self._page.chosen]
        if page != self._state.start_page:
            self._state.note(start_page=page)

    @on(Select.Changed, "#keep_watched")
    def take_kept(self) -> None:
        keeps = KEPT[self._kept.chosen]
        if keeps != self._state.keeps_watched:
            self._state.note(keep_watched=keeps)

    def _write(self, name: str, value: str | float) -> None:
        """Writes a value where the user's file names it, too: the file comes before what is remembered."""
        problem = ""
        try:
            if self._file.holds(name):
                self._file.set_value(name, value)
        except BBAError as error:
            problem = str(error)
        self.query_one("#settings-problem", Static).update(visible_line(problem))

    # --- the keys ----------------------------------------------------------------------------------------------
    @on(Button.Pressed, "#keys")
    def action_edit_keys(self) -> None:
        self.app.push_screen(KeyEditor(self._keymap, self._file), self._take_keys)

    def _take_keys(self, keymap: Keymap | None) -> None:
        if keymap is not None:
            self._keymap = keymap
            self._use_keys(keymap)
            self._note_keys()

    def _note_keys(self) -> None:
        count = len(changed_keys(self._keymap))
        note = "all as at first" if count == 0 else f"{count} changed"
        self.query_one("#keys-note", Static).update(note)

    # --- what is said ------------------------------------------------------------------------------------------
    def _note_speed(self) -> None:
        if self._speed.problem is None:
            note = Content.styled("steps a second, where a game begins", palette.DIM)
            self._speed.query_one(".problem", Static).update(note)

    def _places(self) -> Content:
        """Returns what is kept on this computer, and where."""
        watched = watched_folder()
        played = recordings_folder()
        lines = [
            f"watched: {_amount(watched)} in {_short(watched)}; of more than {KEPT_STEPS} steps",
            f"played: {_amount(played)} in {_short(played)}; all are kept",
            f"choices: {_short(self._state.path)}; keys: {_short(self._file.path)}",
        ]
        return line(("\n".join(visible_line(text) for text in lines), palette.DIM))


def _label_of(choices: Mapping[str, object], value: object) -> str:
    return next(label for label, choice in choices.items() if choice == value)


def _amount(folder: Path) -> str:
    """Returns how many recordings a folder has, and how much room they take."""
    try:
        sizes = [file.stat().st_size for file in folder.glob("*.bba")]
    except OSError:
        sizes = []
    if not sizes:
        return "none yet"
    games = "1 game" if len(sizes) == 1 else f"{len(sizes)} games"
    return f"{games}, {sum(sizes) / MEBIBYTE:.1f} MiB"


def _short(path: Path) -> str:
    """Returns a path with ~ for the home."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
