"""A question with two answers."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static


class ConfirmDialog(ModalScreen[bool]):
    """Lies over the screen until it is answered; escape is a no.

    Args:
        text: the question.
        yes, no: what the buttons say.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(False)", "no")]
    AUTO_FOCUS = "#no"

    def __init__(self, text: str, *, yes: str, no: str) -> None:
        super().__init__()
        self._text, self._yes, self._no = text, yes, no

    def compose(self) -> ComposeResult:
        """The question and the two buttons."""
        with Vertical(id="question"):
            yield Static(self._text, markup=False)
            with Horizontal(id="buttons"):
                yield Button(self._yes, id="yes", variant="warning")
                yield Button(self._no, id="no", variant="success")

    @on(Button.Pressed)
    def answer(self, event: Button.Pressed) -> None:
        """One of the two."""
        self.dismiss(event.button.id == "yes")
