"""The pages of a study: something to read, the participant's code, and the questions after a game."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ScreenResultType
from textual.widgets import Button, Footer, Input, OptionList, Static, TextArea

from bba.errors import BBAError
from human.study.plan import POINTS, SurveyQuestion
from human.study.progress import MAX_ANSWER_LENGTH, parse_code
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

    def compose_box(self) -> ComposeResult:
        """Yields the widgets in the box."""
        raise NotImplementedError


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


class ScaleScreen(Page[int]):
    """Asks for a point on a scale, by number or by arrows and enter; no point is selected at first.

    Args:
        question: a question with `ends`.
        title: title of the box.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(str(point), f"choose({point})", "choose by number" if point == 1 else "", show=point == 1)
        for point in range(1, POINTS + 1)
    ]
    AUTO_FOCUS = "OptionList"

    def __init__(self, question: SurveyQuestion, title: str) -> None:
        super().__init__(title)
        self._question = question

    def compose_box(self) -> ComposeResult:
        low, high = self._question.ends or ("", "")
        labels = {1: f"1  {low}", POINTS: f"{POINTS}  {high}"}
        yield Static(self._question.text, markup=False)
        yield OptionList(*(labels.get(point, str(point)) for point in range(1, POINTS + 1)), markup=False)

    def on_mount(self) -> None:
        self.call_after_refresh(setattr, self.query_one(OptionList), "highlighted", None)  # suggests no answer

    @on(OptionList.OptionSelected)
    def choose_selected(self, event: OptionList.OptionSelected) -> None:
        self.action_choose(event.option_index + 1)

    def action_choose(self, point: int) -> None:
        self.dismiss(point)


class WordsScreen(Page[str]):
    """Asks for an answer in words, which may be empty.

    Args:
        question: the question.
        title: title of the box.
    """

    AUTO_FOCUS = "TextArea"

    def __init__(self, question: SurveyQuestion, title: str) -> None:
        super().__init__(title, "tab leads to the button")
        self._question = question

    def compose_box(self) -> ComposeResult:
        yield Static(self._question.text, markup=False)
        yield TextArea()
        yield Static(classes="problem", markup=False)
        yield Horizontal(Button("Go on", id="yes", variant="success"), id="buttons")

    @on(Button.Pressed)
    def go_on(self) -> None:
        """Returns the answer, unless it is too long."""
        words = self.query_one(TextArea).text.strip()
        if len(words) > MAX_ANSWER_LENGTH:
            self.query_one(".problem", Static).update(f"{len(words)} characters; there is room for {MAX_ANSWER_LENGTH}")
        else:
            self.dismiss(words)
