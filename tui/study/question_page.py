"""The page of a question: its answer counts once it is confirmed, and one step back is possible."""

from datetime import UTC, datetime
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.widgets import Button, Static

from human.study.questions import Answer
from human.study.tasks import QuestionTask
from tui.study.fields import DIGITS, Answered, ListField, field_of
from tui.study.pages import Page

ABOUT = {"start": "before the games", "practice": "what you have learned", "end": "at the end"}


class Given(NamedTuple):
    """An answer, and when its question was shown."""

    value: Answer
    shown: datetime


class QuestionPage(Page[Given | None]):
    """Asks a question until the answer can be taken and is confirmed; returns None for one step back.

    Args:
        task: the question.
        before: the answer that was given before, if there is one.
        back: whether one step back is possible.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(str(digit), f"choose({digit})", "choose by number" if digit == 1 else "", show=digit == 1)
        for digit in range(1, DIGITS + 1)
    ]
    AUTO_FOCUS = ".answer"

    def __init__(self, task: QuestionTask, before: Answer = None, *, back: bool = False) -> None:
        super().__init__(title_of(task), "tab leads to the buttons")
        self.asks, self._before, self._back = task, before, back
        self.field = field_of(task.question)
        self.field.add_class("answer")
        self._shown = datetime.now(UTC)

    def compose_box(self) -> ComposeResult:
        yield Static(self.asks.question.text, markup=False)
        yield self.field
        yield Static(classes="problem", markup=False)
        with Horizontal(id="buttons"):
            yield Button("Go on", id="yes", variant="success")
            if self._back:
                yield Button("One question back", id="back")

    def on_mount(self) -> None:
        if self._before is not None:
            self.field.show_answer(self._before)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Lets digits choose in lists only."""
        return isinstance(self.field, ListField) if action == "choose" else super().check_action(action, parameters)

    def action_choose(self, digit: int) -> None:
        if isinstance(self.field, ListField):
            self.field.choose(digit - 1)

    @on(Answered)
    def offer_to_confirm(self) -> None:
        """Leads from the answer to the button that confirms it."""
        self.query_one("#yes").focus()

    @on(Button.Pressed, "#back")
    def go_back(self) -> None:
        self.dismiss(None)

    @on(Button.Pressed, "#yes")
    def confirm(self) -> None:
        """Returns the answer, or says why it cannot be taken."""
        answer = self.field.answer
        problem = self.asks.question.problem_with(answer)
        if problem is None:
            self.dismiss(Given(None if answer == "" and self.asks.question.type != "text" else answer, self._shown))
        else:
            self.query_one(".problem", Static).update(problem)
            self.field.focus()


def title_of(task: QuestionTask) -> str:
    """Returns what a question is about, and its place among the others."""
    about = ABOUT.get(task.question.when)
    where = f"on game {task.game + 1}" if about is None and task.game is not None else about
    return f"{where}: question {task.position} of {task.of}" if task.of > 1 else str(where)
