"""The fields of a study's questions in the terminal, one for each kind of answer, which are empty at first.

A field has its `answer`, shows one that was given before, and takes the value of a form in the browser.
"""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, OptionList, SelectionList, TextArea

from bba import palette
from bba.language import marked, say
from human.study import SLIDER_END, Answer, Kind, SurveyQuestion
from tui.study.pages import number_in
from tui.widgets.panel import line

MARK = "●"
NO_MARK = "○"
MOST_DIGIT_KEYS = 9  # choices that have a digit as their key


class Answered(Message):
    """An answer was chosen; it counts once it is confirmed."""


def answers_at(places: object, answers: Sequence[int | str]) -> tuple[int | str, ...] | None:
    """Returns the answers at some places of a list; None for what is no list. A place that there is not is left out."""
    if not isinstance(places, list):
        return None
    listed_places = range(len(answers))
    return tuple(answers[place] for place in places if isinstance(place, int) and place in listed_places)


class ListField(OptionList):
    """A list of which one line is chosen, by arrows and enter, the mouse or a digit; no line is chosen at first.

    Args:
        question: a question of type "scale" or "choice".
    """

    def __init__(self, question: SurveyQuestion) -> None:
        self._texts = question.options
        self.answers = question.answers
        super().__init__(*(f"{NO_MARK} {text}" for text in self._texts), markup=False)
        self._chosen: int | None = None
        self.highlighted = None  # else enter, pressed a moment too early, would choose the first line

    @property
    def answer(self) -> Answer:
        """The chosen line: its text, or its number on a scale."""
        return None if self._chosen is None else self.answers[self._chosen]

    def show_answer(self, answer: Answer) -> None:
        """Chooses the line of an answer."""
        if isinstance(answer, tuple):
            answer = answer[0] if answer else None
        if answer in self.answers:
            self._mark(self.answers.index(answer))

    def fill_in(self, value: object) -> None:
        """Chooses the line at the place that a form sends."""
        answer = answers_at(value, self.answers)
        if answer is not None:
            self.show_answer(answer)

    def choose(self, index: int) -> None:
        """Chooses a line by its index, if there is one."""
        if index < len(self._texts):
            self._mark(index)
            self.post_message(Answered())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.choose(event.option_index)

    def _mark(self, index: int) -> None:
        self._chosen = index
        self.highlighted = self._chosen
        for number, text in enumerate(self._texts):
            self.replace_option_prompt_at_index(number, f"{MARK if number == index else NO_MARK} {text}")


class BoxesField(SelectionList[str]):
    """Lines of which any number can be ticked, with space, enter or the mouse.

    Args:
        question: a question of type "choices".
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "select", marked("tick, or take back"))]

    def __init__(self, question: SurveyQuestion) -> None:
        super().__init__(*((Content(text), text) for text in question.choices or ()))
        self.answers = question.answers

    @property
    def answer(self) -> Answer:
        """What is ticked, in the order of the list; None if nothing is."""
        return tuple(text for text in self.answers if text in self.selected) or None

    def fill_in(self, value: object) -> None:
        """Ticks the lines at the places that a form sends."""
        answer = answers_at(value, self.answers)
        if answer is not None:
            self.show_answer(answer)

    def render_line(self, y: int) -> Strip:
        """Returns a line; the mark in a box that is not ticked, which Textual only darkens, is left out."""
        strip = super().render_line(y)
        number = y + int(self.scroll_offset.y)
        if number >= self.option_count or self.get_option_at_index(number).value in self.selected:
            return strip
        bracket, mark, *rest = strip
        return Strip([bracket, Segment(" ", mark.style), *rest])

    def show_answer(self, answer: Answer) -> None:
        """Ticks what was chosen before, and nothing else."""
        self.deselect_all()
        for text in answer if isinstance(answer, tuple) else ():
            self.select(str(text))


class SliderField(Widget, can_focus=True):
    """A value from 0 to 100, without a value at first; arrows and the mouse move it.

    Args:
        question: a question of type "slider".
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "move(-1)", marked("less")),
        Binding("right", "move(1)", marked("more")),
        Binding("shift+left,pagedown,down", "move(-10)", marked("much less")),
        Binding("shift+right,pageup,up", "move(10)", marked("much more")),
        Binding("home", f"move(-{SLIDER_END})", show=False),
        Binding("end", f"move({SLIDER_END})", show=False),
        Binding("enter", "done", marked("done")),
    ]

    def __init__(self, question: SurveyQuestion) -> None:
        super().__init__()
        self._ends = question.ends or ("", "")
        self._value: int | None = None

    @property
    def answer(self) -> Answer:
        """The value; None before it was moved."""
        return self._value

    def fill_in(self, value: object) -> None:
        """Moves to the value that a form sends."""
        if isinstance(value, int):
            self.show_answer(value)

    def show_answer(self, answer: Answer) -> None:
        """Moves to a value, at most to the end."""
        if isinstance(answer, int):
            self._value = max(0, min(SLIDER_END, answer))
            self.refresh()

    def action_move(self, by: int) -> None:
        """Moves the value; the first key puts it in the middle."""
        self.show_answer(SLIDER_END // 2 if self._value is None else self._value + by)

    def action_done(self) -> None:
        if self._value is not None:
            self.post_message(Answered())

    def on_click(self, event: events.Click) -> None:
        last = max(1, self.content_size.width - 1)
        self.show_answer(round(event.x / last * SLIDER_END))

    def render(self) -> Content:
        """Returns the bar with its handle, and the ends below it with the value between them."""
        width = self.content_size.width
        place = None if self._value is None else round(self._value / SLIDER_END * (width - 1))
        bar = [(MARK, palette.WARN) if cell == place else ("─", palette.DIM) for cell in range(width)]
        low, high = self._ends
        value = say("not set") if self._value is None else str(self._value)
        room = max(0, width - line(low, value, high).cell_length)
        room_before = room // 2
        middle = " " * room_before + value + " " * (room - room_before)
        return Content("\n").join(
            [
                line(*bar),
                line(
                    (low, palette.DIM),
                    (middle, palette.TEXT),
                    (high, palette.DIM),
                ),
            ]
        )


class NumberInput(Input):
    """A number."""

    @property
    def answer(self) -> Answer:
        """The number; the text itself where it is none."""
        return number_in(self.value)

    def fill_in(self, value: object) -> None:
        """Writes the text that a form sends."""
        if isinstance(value, str):
            self.value = value

    def show_answer(self, answer: Answer) -> None:
        """Writes the number that was given before."""
        if isinstance(answer, int | float):
            self.value = f"{answer:g}"


class WordsField(TextArea):
    """An answer in words."""

    @property
    def answer(self) -> Answer:
        """The words, without white space around them."""
        return self.text.strip()

    def fill_in(self, value: object) -> None:
        """Writes the words that a form sends."""
        if isinstance(value, str):
            self.text = value

    def show_answer(self, answer: Answer) -> None:
        """Writes the words that were given before."""
        self.text = str(answer or "")


Field = ListField | BoxesField | SliderField | NumberInput | WordsField


# Makes an empty field for the answer to a question of each type.
FIELDS: dict[Kind, Callable[[SurveyQuestion], Field]] = {
    "scale": ListField,
    "choice": ListField,
    "choices": BoxesField,
    "slider": SliderField,
    "number": lambda _: NumberInput(placeholder=say("a number"), max_length=20),
    "text": lambda _: WordsField(),
}
