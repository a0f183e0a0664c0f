"""The dialog that sets, changes or deletes the bookmark of a step."""

from typing import NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input

from tui.screens.dialogs import Dialog
from tui.widgets.panel import titled

LONGEST = 200  # characters of a note


class Bookmark(NamedTuple):
    """What is to become of a bookmark: its note, a line of text; None to delete it."""

    note: str | None


class BookmarkDialog(Dialog[Bookmark]):
    """Asks for the note of a bookmark; enter keeps it.

    Args:
        step: the step, for the title.
        note: the note that is there already; None where the step has no bookmark.
    """

    AUTO_FOCUS = "Input"

    def __init__(self, step: int, note: str | None) -> None:
        super().__init__()
        self._step, self._note = step, note

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="bookmark"), f"bookmark at step {self._step}", "enter keeps it   esc closes"):
            yield Input(self._note or "", placeholder="a note, or nothing", max_length=LONGEST)
            buttons = [Button("Keep", id="keep", variant="success"), Button("Cancel", id="cancel")]
            if self._note is not None:
                buttons.insert(1, Button("Delete", id="delete", variant="warning"))
            yield Horizontal(*buttons, id="buttons")

    @on(Button.Pressed, "#keep")
    @on(Input.Submitted)
    def keep(self) -> None:
        """Answers with the note, as a single line of printable text."""
        text = self.query_one(Input).value
        self.dismiss(Bookmark(" ".join("".join(c if c.isprintable() else " " for c in text).split())))

    @on(Button.Pressed, "#delete")
    def delete(self) -> None:
        self.dismiss(Bookmark(None))
