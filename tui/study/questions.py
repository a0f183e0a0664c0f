"""The questions after a game, one a page."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Button, Footer, OptionList, Static, TextArea

from human.study.plan import POINTS, SurveyQuestion
from human.study.progress import MAX_ANSWER_LENGTH


class ScaleScreen(Screen[int]):
    """Asks for a point on a scale, by its number, or by arrows and enter; nothing is chosen at first.

    Args:
        question: what is asked; one with `ends`.
        title: what the box is called.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(str(point), f"choose({point})", "choose by number" if point == 1 else "", show=point == 1)
        for point in range(1, POINTS + 1)
    ]
    AUTO_FOCUS = "OptionList"

    def __init__(self, question: SurveyQuestion, title: str) -> None:
        super().__init__()
        self._question, self._title = question, title

    def compose(self) -> ComposeResult:
        """The question, and a line a point."""
        low, high = self._question.ends or ("", "")
        words = {1: f"1  {low}", POINTS: f"{POINTS}  {high}"}
        with Vertical(classes="page") as box:
            box.border_title = self._title
            yield Static(self._question.text, markup=False)
            yield OptionList(*(words.get(point, str(point)) for point in range(1, POINTS + 1)), markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Suggest no answer."""
        self.call_after_refresh(setattr, self.query_one(OptionList), "highlighted", None)

    @on(OptionList.OptionSelected)
    def take(self, event: OptionList.OptionSelected) -> None:
        """The point that was picked."""
        self.action_choose(event.option_index + 1)

    def action_choose(self, point: int) -> None:
        """This point."""
        self.dismiss(point)


class WordsScreen(Screen[str]):
    """Asks for words; none are an answer, too.

    Args:
        question: what is asked.
        title: what the box is called.
    """

    AUTO_FOCUS = "TextArea"

    def __init__(self, question: SurveyQuestion, title: str) -> None:
        super().__init__()
        self._question, self._title = question, title

    def compose(self) -> ComposeResult:
        """The question, room for words, and the button."""
        with Vertical(classes="page") as box:
            box.border_title = self._title
            box.border_subtitle = "tab leads to the button"
            yield Static(self._question.text, markup=False)
            yield TextArea()
            yield Static(classes="problem", markup=False)
            with Horizontal(id="buttons"):
                yield Button("Go on", id="yes", variant="success")
        yield Footer(show_command_palette=False)

    @on(Button.Pressed)
    def go_on(self) -> None:
        """On, unless that is too much."""
        words = self.query_one(TextArea).text.strip()
        if len(words) > MAX_ANSWER_LENGTH:
            self.query_one(".problem", Static).update(f"{len(words)} characters; there is room for {MAX_ANSWER_LENGTH}")
        else:
            self.dismiss(words)
