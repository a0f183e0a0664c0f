"""The pages of a study: something to read, the end of a game, and the participant's code."""

from abc import abstractmethod
from collections.abc import Callable

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ScreenResultType
from textual.widgets import Button, Footer, Input, Static

from bba.errors import BBAError
from human.study.progress import parse_code
from tui.style.base_screen import DismissedOnce
from tui.widgets.panel import titled

CODE_TEXT = """Please type the code that you were given, such as P07. Do not type your name.

If you have taken part before and were interrupted, the same code goes on from there."""


class Page(DismissedOnce[ScreenResultType]):
    """A titled box; subclasses yield what is in it.

    Args:
        title: title of the box.
        subtitle: text in its lower border.
    """

    def __init__(self, title: str, subtitle: str = "") -> None:
        super().__init__()
        self._title, self._subtitle = title, subtitle

    def compose(self) -> ComposeResult:
        with titled(Vertical(classes="page"), self._title, self._subtitle):
            yield from self.compose_box()
        yield Footer(show_command_palette=False)

    @abstractmethod
    def compose_box(self) -> ComposeResult:
        """Yields the widgets in the box."""


class StudyPage(Page[bool]):
    """Shows a text until a button is pressed; returns whether it was the first button.

    Args:
        title: title of the box.
        text: the text.
        yes: label of the first button.
        no: label of the second button; None for no second button.
        careful: whether enter alone does nothing, so that nobody agrees by accident.
    """

    def __init__(self, title: str, text: str, *, yes: str, no: str | None = None, careful: bool = False) -> None:
        super().__init__(title)
        self._text, self._yes, self._no, self._careful = text, yes, no, careful

    def compose_box(self) -> ComposeResult:
        yield VerticalScroll(Static(self._text, markup=False), id="text")
        with Horizontal(id="buttons"):
            yield Button(self._yes, id="yes", variant="success")
            if self._no is not None:
                yield Button(self._no, id="no")

    def on_mount(self) -> None:
        self.query_one("#text" if self._careful else "#yes").focus()

    @on(Button.Pressed)
    def go_on(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")


class QuietPage(StudyPage):
    """A page after a game. Its buttons count only once no key was pressed for a while: keys of the game press none.

    Args:
        title: title of the box.
        text: the text.
        yes: label of the first button.
        no: label of the second button; None for no second button.
        quiet_for: returns for how many seconds no key was pressed.
        pause: after so many seconds the buttons count.
    """

    AUTO_FOCUS = ""

    def __init__(
        self, title: str, text: str, *, yes: str, no: str | None = None, quiet_for: Callable[[], float], pause: float
    ) -> None:
        super().__init__(title, text, yes=yes, no=no)
        self._quiet_for, self._pause = quiet_for, pause

    def on_mount(self) -> None:
        for button in self.query(Button):
            button.disabled = True
        self._waiting = self.set_interval(0.1, self.look)
        self.look()

    def look(self) -> None:
        """Lets the buttons count if it has been quiet for long enough."""
        if self._quiet_for() >= self._pause:
            self._waiting.stop()
            for button in self.query(Button):
                button.disabled = False
            self.query_one("#yes").focus()


class CodeScreen(Page[str]):
    """Asks for a participant's code until it is valid.

    Args:
        title: title of the study.
    """

    AUTO_FOCUS = "Input"

    def compose_box(self) -> ComposeResult:
        yield Static(CODE_TEXT, markup=False)
        yield Input(placeholder="your code", max_length=32)
        yield Static(classes="problem", markup=False)
        yield Horizontal(Button("Go on", id="yes", variant="success"), id="buttons")

    @on(Input.Submitted)
    @on(Button.Pressed)
    def go_on(self) -> None:
        """Returns the code, or says in a line why it is not valid."""
        try:
            code = parse_code(self.query_one(Input).value)
        except BBAError as error:
            self.query_one(".problem", Static).update(str(error).removeprefix("participant: "))
        else:
            self.dismiss(code)
