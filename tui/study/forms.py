"""The page on top as a form: what it says and asks, for the browser, and what is answered there.

A drawn terminal cannot be read out, so the browser shows every page and dialog of a study as a form. What is filled in
there is filled into the page, whose own buttons are pressed: the terminal shows the same, and answers go one way.
"""

from collections.abc import Mapping
from typing import Any

from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Input, Static, TextArea

from human.study import SLIDER_END
from tui.study.pages import CodeScreen, PictureCanvas
from tui.study.question_page import BoxesField, ListField, QuestionPage, SliderField

FormContent = Mapping[str, Any]


def form_of(screen: Screen[Any]) -> dict[str, Any]:
    """Returns what a page or a dialog says and asks.

    Args:
        screen: the page; its fields and buttons are there.

    Returns:
        `page`, which of the pages it is; `title`, "" for a dialog; `texts`; `pictures`, each with its words;
        `problem`, why an answer was not taken; `buttons` with `id`, `label` and whether they are `off`; `focus`, the
        button that has it; `type` of the field, "" without one, with its `value`, of a list its `options`, each with
        whether it is chosen, and of a slider the `ends`.
    """
    texts = screen.query(".page Static, #question Static").exclude(".problem, .caption")
    problems = screen.query(".page .problem").results(Static)
    form = {
        "page": id(screen),
        "title": getattr(screen, "_title", None) or "",
        "texts": [str(one.render()) for one in texts.results(Static)],
        "pictures": [(one.picture, one.words) for one in screen.query(PictureCanvas)],
        "problem": "".join(str(one.render()) for one in problems),
        "buttons": [{"id": one.id, "label": str(one.label), "off": one.disabled} for one in screen.query(Button)],
        "focus": screen.focused.id if isinstance(screen.focused, Button) else None,
        "type": "",
    }
    match screen:
        case QuestionPage(field=field):
            asked, answer = screen.asks.question, field.answer
            given = answer if isinstance(answer, tuple) else (answer,)
            listed = field.answers if isinstance(field, ListField | BoxesField) else ()
            options = [(text, one in given) for text, one in zip(asked.options, listed, strict=False)]
            form |= {"type": asked.type, "options": options, "ends": asked.ends or ("", "")}
            form["value"] = field.value if isinstance(field, Input) else answer
        case CodeScreen():
            form |= {"type": "code", "value": screen.query_one(Input).value}
    return form


def fill_in(screen: Screen[Any], value: object) -> None:
    """Fills what a form answers into the field of its page: the positions of what is chosen, a value, or words.

    A value that the field cannot have is left out.
    """
    for field in screen.query("Input, TextArea, OptionList, SliderField"):
        _fill(field, value)


def _fill(field: Widget, value: object) -> None:
    match field, value:
        case ListField() | BoxesField(), list():
            chosen = [field.answers[one] for one in value if isinstance(one, int) and 0 <= one < len(field.answers)]
            field.show_answer(tuple(chosen))
        case SliderField(), int():
            field.show_answer(max(0, min(SLIDER_END, value)))
        case Input(), str():
            field.value = value
        case TextArea(), str():
            field.text = value
