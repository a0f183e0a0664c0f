"""The question who takes part: a code that was given to them, never a name."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, Footer, Input, Static

from bba.errors import BBAError
from human.study.progress import parse_code

ABOUT = """Please type the code that you were given, as P07. Do not type your name.

If you have taken part before and were interrupted, the same code goes on from there."""


class CodeScreen(Screen[str]):
    """Asks for a participant's code until it is one.

    Args:
        title: of the study.
    """

    AUTO_FOCUS = "Input"

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        """What is wanted, the field, what is wrong with it, and the button."""
        with Vertical(classes="page") as box:
            box.border_title = self._title
            yield Static(ABOUT, markup=False)
            yield Input(placeholder="your code", max_length=32)
            yield Static(classes="problem", markup=False)
            with Horizontal(id="buttons"):
                yield Button("Go on", id="yes", variant="success")
        yield Footer(show_command_palette=False)

    @on(Input.Submitted)
    @on(Button.Pressed)
    def go_on(self) -> None:
        """On with this code, or say in a line why not."""
        try:
            code = parse_code(self.query_one(Input).value)
        except BBAError as error:
            self.query_one(".problem", Static).update(str(error).removeprefix("participant: "))
        else:
            self.dismiss(code)
