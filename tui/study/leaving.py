"""The ways out of a study: to leave and go on another time, or to withdraw, which deletes everything."""

from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from tui.screens.dialogs import ConfirmDialog
from tui.style.base_screen import Layer

LEAVE = """Leave here? What you have done is saved. The same code goes on from here another time.

You can also withdraw from the study: then everything about you is deleted."""
WITHDRAW = "Delete all your games and answers? This cannot be undone."

WayOut = Literal["stay", "leave", "withdraw"]


class LeaveDialog(Layer[WayOut]):
    """Asks whether to leave, to withdraw or to stay; escape stays."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('stay')", "stay")]
    AUTO_FOCUS = "#stay"

    def compose(self) -> ComposeResult:
        with Vertical(id="question"):
            yield Static(LEAVE, markup=False)
            yield Horizontal(
                Button("Leave", id="leave", variant="warning"),
                Button("Withdraw", id="withdraw", variant="error"),
                Button("Stay", id="stay", variant="success"),
                id="buttons",
            )

    @on(Button.Pressed)
    def answer(self, event: Button.Pressed) -> None:
        ways: dict[str | None, WayOut] = {"leave": "leave", "withdraw": "withdraw"}
        self.dismiss(ways.get(event.button.id, "stay"))


def withdraw_dialog() -> ConfirmDialog:
    """Returns the question whether everything about a participant is to be deleted."""
    return ConfirmDialog(WITHDRAW, yes="Delete my data", no="Keep them")
