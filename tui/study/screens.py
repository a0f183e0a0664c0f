"""The pages of a study in the terminal: a screen for each kind of page, and the dialog of the ways out."""

from base64 import b64decode
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, ClassVar

import numpy as np
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from bba.language import marked, say
from tui.study.browser_forms import PageState
from tui.study.fields import FIELDS, MOST_DIGIT_KEYS, Answered, ListField
from tui.study.pages import BreakDuration, CodeField, Page, PageButton, PageReply, QuestionField, leave_page
from tui.style.base_screen import DismissedOnce, KeyFooter, Layer
from tui.widgets import PixelCanvas, titled

LOOK = 0.1  # seconds between two looks at whether the buttons count by now


class PageChanged(Message):
    """A page says something else, or its buttons count by now."""


def focused_button(screen: Screen[Any]) -> str | None:
    """Returns the name of the button that has the focus; None if none has."""
    return screen.focused.id if isinstance(screen.focused, Button) else None


def _button(button: PageButton, *, counts: bool = True) -> Button:
    return Button(button.label, id=button.name, disabled=not counts)


class PageScreen(DismissedOnce[ScreenResultType]):
    """A titled box with the buttons of a page below what is in it.

    Args:
        page: the page.
        content: what is in the box.
        counts: whether the buttons count at once.
        subtitle: text in the lower border.

    Attributes:
        page: the page.
    """

    def __init__(self, page: Page, *content: Widget, counts: bool = True, subtitle: str = "") -> None:
        super().__init__()
        self.page = page
        self._content = content
        self._subtitle = subtitle
        self._buttons = [_button(button, counts=counts) for button in page.buttons]

    def compose(self) -> ComposeResult:
        with titled(Vertical(classes="page"), self.page.title, self._subtitle):
            yield from self._content
            yield Horizontal(*self._buttons, id="buttons")
        yield KeyFooter(show_command_palette=False)

    @property
    def state(self) -> PageState:
        """How the page stands now."""
        return PageState(focus=focused_button(self))

    def fill_in(self, value: object) -> None:
        """Fills a value from a form of the browser into the page's field, if it has one that can have it."""


PICTURE_SIZE = (72, 24)  # pixels at most, across and down; two of these are a row


class PictureCanvas(PixelCanvas):
    """A picture in the terminal; nothing where Pillow is missing, or cannot read it.

    Args:
        address: the picture, as an address that holds it whole.
    """

    def __init__(self, address: str) -> None:
        super().__init__()
        with suppress(ImportError, OSError):
            from PIL import Image

            image = Image.open(BytesIO(b64decode(address.partition(",")[2]))).convert("RGB")
            image.thumbnail(PICTURE_SIZE)
            self.show(np.asarray(image))


class TextScreen(PageScreen[PageReply]):
    """Shows a text until a button is pressed.

    Args:
        page: the page.
        counts: returns whether the buttons count by now: keys of a game press none after it.
    """

    AUTO_FOCUS = ""

    def __init__(self, page: Page, *, counts: Callable[[], bool] = lambda: True) -> None:
        parts: list[Widget] = [Static(page.text, markup=False)]
        if page.picture is not None:
            parts.append(PictureCanvas(page.picture.address))
            parts.append(Static(f"[{page.picture.words}]", classes="caption", markup=False))
        super().__init__(page, VerticalScroll(*parts, id="text"), counts=False)
        self._counts = counts

    @property
    def state(self) -> PageState:
        """How the page stands now; after a game no key counts before the buttons do."""
        waits = self._buttons[0].disabled
        return PageState(counts=not waits, deaf=waits and self.page.after_game, focus=focused_button(self))

    def on_mount(self) -> None:
        self.set_interval(LOOK, self.look)
        self.look()
        self.call_after_refresh(self._offer_to_scroll)

    def look(self) -> None:
        """Lets the buttons count if they do by now."""
        text = self.query_one("#text")
        careful = self.page.careful
        text.can_focus = careful or text.max_scroll_y > 0  # tab leaves a button only for what can be scrolled
        if self._buttons[0].disabled and self._counts():
            for button in self._buttons:
                button.disabled = False
            self.query_one("#text" if careful else "#yes").focus()
            self.post_message(PageChanged())

    def _offer_to_scroll(self) -> None:
        """Lets keys scroll at first where there is more to read than fits."""
        self.look()  # it is known only now what fits
        text = self.query_one("#text")
        if text.max_scroll_y:
            self.query_one(".page").border_subtitle = say("tab leads to the buttons")
            text.focus()

    @on(Button.Pressed)
    def go_on(self, event: Button.Pressed) -> None:
        self.dismiss(PageReply(str(event.button.id)))


class BreakScreen(TextScreen):
    """Shows a break until the button is pressed, which counts after the shortest time, or the longest time is over.

    Args:
        page: the page.
        duration: how long the break lasts.
        now: returns the time in seconds.
    """

    def __init__(self, page: Page, duration: BreakDuration, now: Callable[[], float]) -> None:
        super().__init__(page, counts=lambda: self._elapsed >= duration.shortest)
        self._break_duration = duration
        self._now = now
        self._began = now() - duration.elapsed
        self._wait = ""

    @property
    def _elapsed(self) -> float:
        return self._now() - self._began

    @property
    def state(self) -> PageState:
        """How the page stands now, with how long the break still lasts."""
        return replace(super().state, wait=self._wait)

    def look(self) -> None:
        """Says how long it still lasts, lets the button count after the shortest time, and ends after the longest."""
        self._wait = self._break_duration.in_words(self._elapsed)
        self.query_one("#text Static", Static).update(f"{self.page.text}\n{self._wait}")
        super().look()
        self.post_message(PageChanged())
        if self._elapsed >= self._break_duration.longest:
            self.dismiss(PageReply("yes"))


class CodeScreen(PageScreen[PageReply]):
    """Asks for a participant's code until it is valid.

    Args:
        page: the page.
        field: its field.
    """

    AUTO_FOCUS = "Input"

    def __init__(self, page: Page, field: CodeField) -> None:
        self._field = field
        self._input = Input(placeholder=say("your code"), max_length=32)
        self._problem = ""
        super().__init__(page, Static(page.text, markup=False), self._input, Static(classes="problem", markup=False))

    @property
    def state(self) -> PageState:
        """How the page stands now, with what is typed."""
        return PageState(focus=focused_button(self), problem=self._problem, value=self._input.value)

    def fill_in(self, value: object) -> None:
        if isinstance(value, str):
            self._input.value = value

    @on(Input.Submitted)
    @on(Button.Pressed)
    def go_on(self) -> None:
        """Returns the code, or says in a line why it is not valid."""
        code = self._input.value
        problem = self._field.problem_with(code)
        if problem is None:
            self.dismiss(PageReply("yes", self._field.as_stored(code)))
        else:
            self._problem = problem
            self.query_one(".problem", Static).update(problem)
            self.post_message(PageChanged())


class QuestionScreen(PageScreen[PageReply]):
    """Asks a question until the answer can be taken and is confirmed, or one step back is wanted.

    Args:
        page: the page.
        question_field: what it asks.

    Attributes:
        field: the field of the terminal.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        # the first one stands for all in the footer
        Binding(str(digit), f"choose({digit})", marked("choose by number") if digit == 1 else "", show=digit == 1)
        for digit in range(1, MOST_DIGIT_KEYS + 1)
    ]
    AUTO_FOCUS = ".answer"

    def __init__(self, page: Page, question_field: QuestionField) -> None:
        question = question_field.task.question
        self._question_field = question_field
        self._problem = ""
        self.field = FIELDS[question.type](question)
        self.field.add_class("answer")
        super().__init__(
            page,
            Static(page.text, markup=False),
            self.field,
            Static(classes="problem", markup=False),
            subtitle=say("tab leads to the buttons"),
        )
        self._shown_at = datetime.now(UTC)

    @property
    def state(self) -> PageState:
        """How the page stands now, with the answer so far; of a number what is typed."""
        value = self.field.value if isinstance(self.field, Input) else self.field.answer
        return PageState(focus=focused_button(self), problem=self._problem, value=value)

    def fill_in(self, value: object) -> None:
        self.field.fill_in(value)

    def on_mount(self) -> None:
        if self._question_field.earlier_answer is not None:
            self.field.show_answer(self._question_field.earlier_answer)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Lets digits choose in lists only."""
        if action == "choose":
            return isinstance(self.field, ListField)
        return super().check_action(action, parameters)

    def action_choose(self, digit: int) -> None:
        if isinstance(self.field, ListField):
            self.field.choose(digit - 1)

    @on(Answered)
    @on(Input.Submitted)
    def offer_to_confirm(self) -> None:
        """Leads from the answer to the button that confirms it."""
        self.query_one("#yes").focus()

    @on(Button.Pressed, "#back")
    def go_back(self) -> None:
        self.dismiss(PageReply("back"))

    @on(Button.Pressed, "#yes")
    def confirm(self) -> None:
        """Returns the answer, or says why it cannot be taken."""
        answer = self.field.answer
        problem = self._question_field.problem_with(answer)
        if problem is None:
            self.dismiss(PageReply("yes", self._question_field.as_stored(answer), self._shown_at))
        else:
            self._problem = problem
            self.query_one(".problem", Static).update(problem)
            self.field.focus()
            self.post_message(PageChanged())


class LeaveDialog(Layer[str | None]):
    """Asks whether to leave, to withdraw or to stay; escape stays. Returns the name of the button."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('stay')", marked("stay"))]
    AUTO_FOCUS = "#stay"

    def __init__(self) -> None:
        super().__init__()
        self.page = leave_page()

    def compose(self) -> ComposeResult:
        with Vertical(id="question"):
            yield Static(self.page.text, markup=False)
            yield Horizontal(*(_button(button) for button in self.page.buttons), id="buttons")

    @on(Button.Pressed)
    def answer(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id)
