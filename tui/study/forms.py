"""What participants fill in: the page of a question, and every page and dialog as a form for the browser.

The page of a question has a field of its kind that is empty at first: lists, boxes, sliders, numbers, words.

A drawn terminal cannot be read out, so the browser shows every page and dialog of a study as a form. What is filled in
there is filled into the page, whose own buttons are pressed: the terminal shows the same, and answers go one way.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, ClassVar

from rich.segment import Segment
from textual import events, on
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, SelectionList, Static, TextArea

from bba import palette
from bba.language import marked, say
from human.study import SLIDER_END, Answer, Kind, QuestionTask, SurveyQuestion
from tui.study.pages import GO_ON, CodeScreen, Page, PageChanged, PictureCanvas
from tui.widgets.panel import line

MARK = "●"
NO_MARK = "○"
MOST_DIGIT_KEYS = 9  # choices that have a digit as their key


class Answered(Message):
    """An answer was chosen; it counts once it is confirmed."""


class ListField(OptionList):
    """A list of which one line is chosen, by arrows and enter, the mouse or a digit; no line is chosen at first.

    Args:
        question: a question of type "scale" or "choice".
    """

    def __init__(self, question: SurveyQuestion) -> None:
        self._texts = question.options
        self.answers: list[int | float | str] = [*(question.choices or range(1, len(self._texts) + 1))]
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
        self.answers = question.choices or ()

    @property
    def answer(self) -> Answer:
        """What is ticked, in the order of the list; None if nothing is."""
        return tuple(text for text in self.answers if text in self.selected) or None

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


def number_in(text: str) -> Answer:
    """Returns a number that was typed; None without one, and the text itself where it is none."""
    text = text.strip().replace(",", ".")
    try:
        return float(text) if text else None
    except ValueError:
        return text


class NumberInput(Input):
    """A number."""

    @property
    def answer(self) -> Answer:
        """The number; the text itself where it is none."""
        return number_in(self.value)

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


SECTION_WORDS = marked(
    {
        "start": "before the games",
        "practice": "what you have learned",
        "after-game": "on game {game}",
        "end": "at the end",
    }
)


Given = tuple[Answer, datetime]  # an answer, and when its question was shown


class QuestionPage(Page[Given | None]):
    """Asks a question until the answer can be taken and is confirmed; returns None for one step back.

    Args:
        task: the question.
        before: the answer that was given before, if there is one.
        back: whether one step back is possible.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        # the first one stands for all in the footer
        Binding(str(digit), f"choose({digit})", marked("choose by number") if digit == 1 else "", show=digit == 1)
        for digit in range(1, MOST_DIGIT_KEYS + 1)
    ]
    AUTO_FOCUS = ".answer"

    def __init__(self, task: QuestionTask, before: Answer = None, *, back: bool = False) -> None:
        self.asks = task
        self._before = before
        self.field = FIELDS[task.question.type](task.question)
        self.field.add_class("answer")
        self._problem = Static(classes="problem", markup=False)
        super().__init__(
            title_of(task),
            Static(task.question.text, markup=False),
            self.field,
            self._problem,
            buttons={**GO_ON, "back": marked("One question back")} if back else GO_ON,
            subtitle=say("tab leads to the buttons"),
        )
        self._shown_at = datetime.now(UTC)

    def on_mount(self) -> None:
        if self._before is not None:
            self.field.show_answer(self._before)

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
        self.dismiss(None)

    @on(Button.Pressed, "#yes")
    def confirm(self) -> None:
        """Returns the answer, or says why it cannot be taken."""
        answer = self.field.answer
        problem = self.asks.question.problem_with(answer)
        if problem is None:
            left_out = answer == "" and self.asks.question.type != "text"
            self.dismiss((None if left_out else answer, self._shown_at))
        else:
            self._problem.update(problem)
            self.field.focus()
            self.post_message(PageChanged())


def title_of(task: QuestionTask) -> str:
    """Returns what a question is about, and its place among the others."""
    section = say(SECTION_WORDS[task.question.when], game=(task.game or 0) + 1)
    if task.of == 1:
        return section
    return say("{where}: question {number} of {questions}", where=section, number=task.position, questions=task.of)


FormContent = Mapping[str, Any]


def form_of(screen: Screen[Any]) -> dict[str, Any]:
    """Returns what a page or a dialog says and asks.

    Args:
        screen: the page; its fields and buttons are there.

    Returns:
        `title`, "" for a dialog; `texts`; `pictures`, each with its words; `deaf`, whether no key counts yet;
        `problem`, why an answer was not taken; `buttons` with `id`, `label` and whether they are `off`; `focus`, the
        button that has it; `type` of the field, "" without one, with its `value`, of a list its `options`, each with
        whether it is chosen, and of a slider the `ends`.
    """
    texts = screen.query(".page Static, #question Static").exclude(".problem, .caption")
    problems = screen.query(".page .problem")
    form = {
        "title": getattr(screen, "_title", None) or "",
        "deaf": getattr(screen, "deaf", False),
        "texts": [str(text.render()) for text in texts.results(Static)],
        "pictures": [(canvas.picture, canvas.words) for canvas in screen.query(PictureCanvas)],
        "problem": "".join(str(problem.render()) for problem in problems.results(Static)),
        "buttons": [
            {"id": button.id, "label": str(button.label), "off": button.disabled} for button in screen.query(Button)
        ],
        "focus": screen.focused.id if isinstance(screen.focused, Button) else None,
        "type": "",
    }
    match screen:
        case QuestionPage(field=field):
            question = screen.asks.question
            answer = field.answer
            chosen = answer if isinstance(answer, tuple) else (answer,)
            choices = field.answers if isinstance(field, ListField | BoxesField) else ()
            options = [(text, choice in chosen) for text, choice in zip(question.options, choices, strict=False)]
            form |= {
                "type": question.type,
                "options": options,
                "ends": question.ends or ("", ""),
                "value": field.value if isinstance(field, Input) else answer,
            }
        case CodeScreen():
            form |= {"type": "code", "value": screen.query_one(Input).value}
    return form


def fill_in(screen: Screen[Any], value: object) -> None:
    """Fills what a form answers into the field of its page: the positions of what is chosen, a value, or words.

    A value that the field cannot have is left out.
    """
    for field in screen.query("Input, TextArea, OptionList, SliderField"):
        match field, value:
            case ListField() | BoxesField(), list():
                places = range(len(field.answers))
                chosen = [place for place in value if isinstance(place, int) and place in places]
                field.show_answer(tuple(field.answers[place] for place in chosen))
            case SliderField(), int():
                field.show_answer(value)
            case Input(), str():
                field.value = value
            case TextArea(), str():
                field.text = value
