"""The pages of a study: something to read, the participant's code, a break, and the ways out; and what they say."""

from base64 import b64decode
from collections.abc import Callable, Mapping
from contextlib import suppress
from io import BytesIO
from math import ceil
from typing import ClassVar, Literal

import numpy as np
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.screen import ScreenResultType
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from bba.errors import BBAError
from bba.language import marked, say
from human.study import BreakTask, EndingName, FailedTryTask, ForParticipants, NoPlace, OtherBrowser, parse_code
from tui.style.base_screen import DismissedOnce, KeyFooter, Layer
from tui.widgets import PixelCanvas, titled

CODE_TEXT = marked("""Please type the code that you were given, such as P07. Do not type your name.

If you have taken part before and were interrupted, the same code goes on from there.""")


LOOK = 0.1  # seconds between two looks at whether the buttons count by now
GO_ON: Mapping[str, str] = marked({"yes": "Go on"})


class PageChanged(Message):
    """A page says something else, or its buttons count by now."""


class Page(DismissedOnce[ScreenResultType]):
    """A titled box with buttons below what is in it.

    Args:
        title: title of the box.
        content: what is in it.
        buttons: the labels of the buttons, by their ids. They are translated here.
        count: whether they count at once.
        subtitle: text in the lower border.
    """

    def __init__(
        self,
        title: str,
        *content: Widget,
        buttons: Mapping[str, str] = GO_ON,
        count: bool = True,
        subtitle: str = "",
    ) -> None:
        super().__init__()
        self._title = title
        self._subtitle = subtitle
        self._content = content
        self._buttons = [Button(say(label), id=name, disabled=not count) for name, label in buttons.items()]

    def compose(self) -> ComposeResult:
        with titled(Vertical(classes="page"), self._title, self._subtitle):
            yield from self._content
            yield Horizontal(*self._buttons, id="buttons")
        yield KeyFooter(show_command_palette=False)


PICTURE_SIZE = (72, 24)  # pixels at most, across and down; two of these are a row


class PictureCanvas(PixelCanvas):
    """A picture in the terminal; nothing where Pillow is missing, or cannot read it.

    Args:
        picture: as an address that holds it whole.
        words: what it shows.
    """

    def __init__(self, picture: str, words: str) -> None:
        super().__init__()
        self.picture = picture
        self.words = words
        with suppress(ImportError, OSError):
            from PIL import Image

            image = Image.open(BytesIO(b64decode(picture.partition(",")[2]))).convert("RGB")
            image.thumbnail(PICTURE_SIZE)
            self.show(np.asarray(image))


class StudyPage(Page[bool]):
    """Shows a text until a button is pressed; returns whether it was the first button.

    Args:
        title: title of the box.
        text: the text.
        yes: label of the first button.
        no: label of the second button; None for no second button.
        careful: whether enter alone does nothing, so that nobody agrees by accident.
        counts: returns whether the buttons count by now: keys of a game press none after it.
        picture: a picture below the text, and what it shows in words; None for neither.
        deaf: whether no key at all counts before the buttons do.
    """

    AUTO_FOCUS = ""

    def __init__(
        self,
        title: str,
        text: str,
        *,
        yes: str,
        no: str | None = None,
        careful: bool = False,
        counts: Callable[[], bool] = lambda: True,
        picture: tuple[str, str] | None = None,
        deaf: bool = False,
    ) -> None:
        parts: list[Widget] = [Static(text, markup=False)]
        if picture is not None:
            address, description = picture
            parts.append(PictureCanvas(address, description))
            parts.append(Static(f"[{description}]", classes="caption", markup=False))
        super().__init__(
            title,
            VerticalScroll(*parts, id="text"),
            buttons={"yes": yes} if no is None else {"yes": yes, "no": no},
            count=False,
        )
        self._text = text
        self._careful = careful
        self._counts = counts
        self._deaf = deaf

    @property
    def deaf(self) -> bool:
        """Whether no key counts yet: the keys of a game may still be pressed."""
        return self._deaf and self._buttons[0].disabled

    def on_mount(self) -> None:
        self.set_interval(LOOK, self.look)
        self.look()
        self.call_after_refresh(self._offer_to_scroll)

    def look(self) -> None:
        """Lets the buttons count if they do by now."""
        text = self.query_one("#text")
        text.can_focus = self._careful or text.max_scroll_y > 0  # tab leaves a button only for what can be scrolled
        if self._buttons[0].disabled and self._counts():
            for button in self._buttons:
                button.disabled = False
            self.query_one("#text" if self._careful else "#yes").focus()
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
        self.dismiss(event.button.id == "yes")


class CodeScreen(Page[str]):
    """Asks for a participant's code until it is valid.

    Args:
        title: title of the study.
    """

    AUTO_FOCUS = "Input"

    def __init__(self, title: str) -> None:
        super().__init__(
            title,
            Static(say(CODE_TEXT), markup=False),
            Input(placeholder=say("your code"), max_length=32),
            Static(classes="problem", markup=False),
        )

    @on(Input.Submitted)
    @on(Button.Pressed)
    def go_on(self) -> None:
        """Returns the code, or says in a line why it is not valid."""
        try:
            self.dismiss(parse_code(self.query_one(Input).value))
        except BBAError as error:
            self.query_one(".problem", Static).update(str(error).removeprefix("participant: "))
            self.post_message(PageChanged())


def said_of_try(task: FailedTryTask) -> str:
    """Returns what a failed try of the practice lacks, and how many are left."""
    lacks = [] if task.stages else [say("The games need more of what the tutorial shows. Please do all of its steps.")]
    if task.right < task.of:
        lacks.append(
            say(
                "{right} of {answers} answers were right. Please read once more, then answer again.",
                right=task.right,
                answers=task.of,
            )
        )
    tries = say("This is the last try.") if task.left == 1 else say("You have {tries} more tries.", tries=task.left)
    return "\n\n".join([*lacks, tries])


def said_of_break(task: BreakTask, games: int) -> str:
    """Returns what a break is for, given the number of the participant's games."""
    return say("You may rest. Game {game} of {games} comes next.", game=task.game + 2, games=games)


def said_of_wait(task: BreakTask, elapsed: float) -> str:
    """Returns how long a break still lasts of which so many seconds have passed."""
    seconds_to_wait = ceil(task.shortest - elapsed)
    if seconds_to_wait > 0:
        return say("You can go on in {seconds} s.", seconds=seconds_to_wait)
    return say("It goes on by itself in {seconds} s.", seconds=ceil(task.longest - elapsed))


class BreakPage(StudyPage):
    """Shows a break until the button is pressed, which counts after the shortest time, or the longest time is over.

    Args:
        task: the break.
        games: the number of the participant's games.
        elapsed: seconds of it that have passed.
        now: returns the time in seconds.
    """

    def __init__(self, task: BreakTask, games: int, elapsed: float, now: Callable[[], float]) -> None:
        super().__init__(
            say("A break"), said_of_break(task, games), yes=say("Go on"), counts=lambda: self._past() >= task.shortest
        )
        self._rest = task
        self._now = now
        self._began = now() - elapsed

    def _past(self) -> float:
        return self._now() - self._began

    def look(self) -> None:
        """Says how long it still lasts, lets the button count after the shortest time, and ends after the longest."""
        self.query_one("#text Static", Static).update(f"{self._text}\n{said_of_wait(self._rest, self._past())}")
        super().look()
        self.post_message(PageChanged())
        if self._past() >= self._rest.longest:
            self.dismiss(True)


LEAVE = marked("""Leave here? What you have done is saved. The same code goes on from here another time.

You can also withdraw from the study: then everything about you is deleted.""")


# Asked before a withdrawal, with the two answers.
WITHDRAWAL = marked(("Delete all your games and answers? This cannot be undone.", "Delete my data", "Keep them"))


class LeaveDialog(Layer[str | None]):
    """Asks whether to leave, to withdraw or to stay; escape stays. Returns the id of the button."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('stay')", marked("stay"))]
    AUTO_FOCUS = "#stay"

    def compose(self) -> ComposeResult:
        with Vertical(id="question"):
            yield Static(say(LEAVE), markup=False)
            yield Horizontal(
                Button(say("Leave"), id="leave"),
                Button(say("Withdraw"), id="withdraw"),
                Button(say("Stay"), id="stay"),
                id="buttons",
            )

    @on(Button.Pressed)
    def answer(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id)


StudyEnd = EndingName | Literal["left-study"]  # the page in the browser has a text for each
GAME_OVER = marked("Please let go of all keys. In a moment it goes on from here.")
LAST_WORDS: Mapping[EndingName, str] = marked(
    {  # for who has no further task
        "finished": "That was all. Your games and answers are saved.",
        "finished-after-idle": "That was all. Your games and answers are saved.",
        "screened-out": """The study ends here for you: the practice was not passed. \
What you have done is saved.

Thank you for your time.""",
        "failed-attention": """That was all. What you have done is saved; too many questions that check attention were \
answered wrongly.

Thank you for your time.""",
    }
)
WITHDREW = marked("You have withdrawn, and nothing about your games and answers is kept.")
# By error, the ending, the title and the text of who cannot take part.
NO_WAY_IN: Mapping[type[BBAError], tuple[EndingName, str, str]] = {
    NoPlace: (
        "study-full",
        marked("No place is left"),
        marked("Thank you for coming. You cannot take part: {why}.\n\nNothing was stored now."),
    ),
    OtherBrowser: (
        "other-browser",
        marked("Begun in another browser"),
        marked(
            "This participant has begun in another browser. Please go on there, or ask those who sent you the link."
        ),
    ),
}
FAULT: tuple[EndingName, str] = "fault", marked("This cannot go on")
# Said of what is not in words for participants, who shall read no place of a file and no name of a machine.
NOT_SAID = marked("""Something went wrong on the computer of those who run the study. Please tell them. \
What was saved before stays.""")


def said_of_problem(error: BBAError) -> str:
    """Returns what a participant reads of a problem."""
    return say("{why}", why=say(str(error))) if isinstance(error, ForParticipants) else say(NOT_SAID)


def way_out(error: BBAError) -> tuple[EndingName, str, str]:
    """Returns the ending, the title and the text for who cannot go on because of a problem."""
    if type(error) in NO_WAY_IN:
        ending, title, text = NO_WAY_IN[type(error)]
        return ending, say(title), say(text, why=say(str(error)))
    ending, title = FAULT
    return ending, say(title), said_of_problem(error)
