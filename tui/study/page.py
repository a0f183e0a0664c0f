"""A page of a study: something to read, and one or two ways on."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import Screen
from textual.widgets import Button, Footer, Static


class StudyPage(Screen[bool]):
    """Shows a text until one of its buttons is pressed; the result is whether that was the first.

    Args:
        title: what the box is called.
        text: what there is to read.
        yes: what the first button says.
        no: what the second one says; without it there is none.
        careful: whether enter alone does nothing, so that nobody agrees by accident.
    """

    def __init__(self, title: str, text: str, *, yes: str, no: str | None = None, careful: bool = False) -> None:
        super().__init__()
        self._title, self._text, self._yes, self._no = title, text, yes, no
        self._careful = careful

    def compose(self) -> ComposeResult:
        """The text in a box, the buttons below it."""
        with Vertical(classes="page") as box:
            box.border_title = self._title
            with VerticalScroll(id="text"):
                yield Static(self._text, markup=False)
            with Horizontal(id="buttons"):
                yield Button(self._yes, id="yes", variant="success")
                if self._no is not None:
                    yield Button(self._no, id="no")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Let enter press the first button, or nothing."""
        self.query_one("#text" if self._careful else "#yes").focus()

    @on(Button.Pressed)
    def go_on(self, event: Button.Pressed) -> None:
        """On, one way or the other."""
        self.dismiss(event.button.id == "yes")
