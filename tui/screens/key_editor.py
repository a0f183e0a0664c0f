"""The editor of keys: every action by where it counts; another key is pressed, and one that clashes is said at once."""

from collections.abc import Iterator
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from bba import palette
from bba.errors import BBAError
from bba.terminal_text import visible_line
from human.keymap import (
    ALLOWED,
    DEFAULT,
    ENTRIES,
    KEY_EDITOR_KEYS,
    SITUATIONS,
    SPELT_KEYS,
    Key,
    Keymap,
    clash,
    is_key,
)
from tui.preferences import PreferenceFile
from tui.screens.dialogs import ConfirmDialog
from tui.style import Layer, bindings, shown
from tui.widgets.form_fields import CHANGE_MARK
from tui.widgets.panel import line, titled

KEYS = 18  # cells of the column of keys
NAMES = 24  # cells of the column of names
FIRST_SITUATIONS = {
    entry.name: situation for situation in reversed(SITUATIONS) for entry in SITUATIONS[situation]
}  # where an action counts, the first situation of the table


def key_named(event: events.Key) -> str | None:
    """Returns the name of a key that was pressed, as the table spells it; None for one that it has no name for."""
    name = event.character if event.is_printable and event.character else event.key
    name = SPELT_KEYS.get(name, name)
    return name if is_key(name) else None


class KeyCapture(Layer[str | None]):
    """Takes the next key that is pressed, whatever it does elsewhere; escape takes none.

    Args:
        action: the name of the action that is to have it.
    """

    TAKES_ALL_KEYS: ClassVar[bool] = True

    def __init__(self, action: str) -> None:
        super().__init__()
        self._action = action

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="capture"), self._action, "esc: none"):
            yield Static("Press the key.", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Answers with the key, or says why it cannot be had."""
        event.stop()
        event.prevent_default()
        if event.key == "escape":
            self.dismiss(None)
            return
        key = key_named(event)
        if key is None:
            self.query_one(Static).update(f"{event.key}: a key is {ALLOWED}")
        else:
            self.dismiss(key)


class KeyEditor(Layer[Keymap | None]):
    """Changes a copy of the keys; returns it once it is saved, or None.

    Keys may do two things while they are changed, so that two actions can swap theirs. Only a table in which each does
    one thing is saved.

    Args:
        keymap: the keys that count now.
        file: the user's file, which gets the table.
    """

    SITUATION = "while changing keys"

    BINDINGS = bindings(KEY_EDITOR_KEYS)
    AUTO_FOCUS = "#actions"

    def __init__(self, keymap: Keymap, file: PreferenceFile) -> None:
        super().__init__()
        self._saved = dict(keymap)
        self._draft = dict(keymap)
        self._file = file

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="key-editor"), "keys"):
            yield Input(placeholder="an action, a key, or what it does", id="find-key", compact=True)
            yield OptionList(*self._options(""), id="actions", markup=False)
            yield Static(id="key-problem", classes="problem", markup=False)

    def on_mount(self) -> None:
        """Marks the first action; the first row is a heading."""
        self._show_state()
        self._list.action_first()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action in ("change", "usual", "find_key") and isinstance(self.focused, Input):
            return False  # it is typed
        return super().check_action(action, parameters)

    # --- the keys of the editor --------------------------------------------------------------------------------
    def action_find_key(self) -> None:
        self.set_focus(self.query_one(Input))  # before the next key

    @on(Input.Changed)
    def show_found(self, event: Input.Changed) -> None:
        self._fill(event.value)
        self._list.action_first()

    @on(Input.Submitted)
    def enter_list(self) -> None:
        self.set_focus(self._list)

    @on(OptionList.OptionSelected)
    def take_click(self) -> None:
        self.action_change(False)

    def action_change(self, more: bool) -> None:
        """Asks for a key of the marked action: for its only one, or for one more."""
        name = self._marked
        if name is None:
            return

        def take(key: str | None) -> None:
            if key is not None:
                keys = (*self._draft[name], key) if more else (key,)
                self._set(name, tuple(dict.fromkeys(keys)))

        self.app.push_screen(KeyCapture(name), take)

    def action_usual(self) -> None:
        """Gives the marked action the keys that it has at first."""
        if self._marked is not None:
            self._set(self._marked, DEFAULT[self._marked])

    def action_save(self) -> None:
        """Writes the table and returns the keys; says why that cannot be."""
        if clash(self._draft):
            return  # which is said already
        try:
            self._file.set_keys(self._draft)
        except BBAError as error:
            self._say(str(error))
        else:
            self.dismiss(self._draft)

    def action_leave(self) -> None:
        """Ends the search; else closes the editor, after a question where something is not saved."""
        if isinstance(self.focused, Input) or self.query_one(Input).value:
            self.query_one(Input).value = ""
            self.set_focus(self._list)
        elif self._draft == self._saved:
            self.dismiss(None)
        else:
            question = ConfirmDialog("The keys are not saved.", yes="Save", no="Drop the changes", careful=False)
            self.app.push_screen(question, self._answer)

    def _answer(self, wants_to_save: bool | None) -> None:
        if wants_to_save:
            self.action_save()
        elif wants_to_save is False:
            self.dismiss(None)

    # --- what is shown -----------------------------------------------------------------------------------------
    @property
    def _list(self) -> OptionList:
        return self.query_one("#actions", OptionList)

    @property
    def _marked(self) -> str | None:
        """The name of the marked action."""
        place = self._list.highlighted
        return None if place is None else self._list.get_option_at_index(place).id

    def _set(self, name: str, keys: tuple[str, ...]) -> None:
        self._draft[name] = keys
        place = self._list.highlighted
        self._fill(self.query_one(Input).value)
        self._list.highlighted = place
        self._show_state()

    def _show_state(self) -> None:
        """Says which key would do two things, and whether something is not saved."""
        self._say(clash(self._draft))
        saved = "" if self._draft == self._saved else f"{CHANGE_MARK} not saved   "
        self.query_one("#key-editor").border_subtitle = f"{saved}enter: press another key   ^S saves   esc closes"

    def _say(self, problem: str) -> None:
        self.query_one("#key-problem", Static).update(visible_line(problem))

    def _fill(self, pattern: str) -> None:
        self._list.clear_options()
        self._list.add_options(self._options(pattern))

    def _options(self, pattern: str) -> Iterator[Option]:
        """Yields the actions that a pattern fits, below the situations in which they count first."""
        heading = ""
        for name, entry in ENTRIES.items():
            keys = " ".join(shown(key) for key in self._draft[name])
            if pattern.lower() not in f"{name} {name.replace('_', ' ')} {keys.lower()} {entry.description.lower()}":
                continue
            if FIRST_SITUATIONS[name] != heading:
                heading = FIRST_SITUATIONS[name]
                yield Option(line((heading, f"bold {palette.GOOD}")), disabled=True)
            yield Option(self._row(entry, keys), id=name)

    def _row(self, entry: Key, keys: str) -> Content:
        is_usual = self._draft[entry.name] == DEFAULT[entry.name]
        mark = " " if is_usual else CHANGE_MARK
        return line(
            (f"{mark} {keys:{KEYS}} ", palette.WARN),
            (f"{entry.name.replace('_', ' '):{NAMES}} ", palette.TEXT),
            (entry.description, palette.DIM),
        )
