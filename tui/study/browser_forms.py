"""The pages of a study as forms of the browser, since a drawn terminal cannot be read out.

A form is made of the same value as the screen. What is filled in there goes into the screen, whose own buttons are
pressed: the terminal shows the same, and answers go one way.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from human.study import Answer, SurveyQuestion
from tui.study.pages import CodeField, Page, QuestionField

FormContent = Mapping[str, Any]
# Bell, backspace, vertical tab, form feed and carriage return: a terminal leaves them out, too.
CONTROL_CODES = dict.fromkeys((7, 8, 11, 12, 13))


@dataclass(frozen=True)
class PageState:
    """How a page that is shown stands at this moment.

    Attributes:
        counts: whether its buttons count by now.
        deaf: whether no key at all counts yet.
        focus: the name of the button that enter presses; None if none has the focus.
        problem: why an answer was not taken; "" if none was refused.
        wait: of a break, how long it still lasts, in words.
        value: what its field holds: the text of a code or a number, else the answer so far.
    """

    counts: bool = True
    deaf: bool = False
    focus: str | None = None
    problem: str = ""
    wait: str = ""
    value: Answer = None


def form_of(page: Page, state: PageState) -> dict[str, Any]:
    """Returns a page as the template of the browser's form takes it.

    Returns:
        `title`, "" for a dialog; `texts`; `pictures`, each with its words; `deaf`, whether no key counts yet;
        `problem`, why an answer was not taken; `buttons` with `id`, `label` and whether they are `off`; `focus`, the
        button that has it; `type` of the field, "" without one, with its `value`, of a list its `options`, each with
        whether it is chosen, and of a slider the `ends`.
    """
    text = f"{page.text}\n{state.wait}" if page.break_duration is not None else page.text
    pictures = [] if page.picture is None else [(page.picture.address, page.picture.words)]
    buttons = [{"id": button.name, "label": button.label, "off": not state.counts} for button in page.buttons]
    return {
        "title": page.title,
        "deaf": state.deaf,
        "texts": [text.translate(CONTROL_CODES)],
        "pictures": pictures,
        "problem": state.problem,
        "buttons": buttons,
        "focus": state.focus,
        **_field_content(page.field, state.value),
    }


def _field_content(field: CodeField | QuestionField | None, value: Answer) -> dict[str, Any]:
    """Returns what the form says of a field with a value."""
    if field is None:
        return {"type": ""}
    if isinstance(field, CodeField):
        return {"type": "code", "value": value}
    question = field.task.question
    return {
        "type": question.type,
        "options": _options(question, value),
        "ends": question.ends or ("", ""),
        "value": value,
    }


def _options(question: SurveyQuestion, value: Answer) -> list[tuple[str, bool]]:
    """Returns the lines to choose from, each with whether it is chosen."""
    if not question.answers:
        return []
    chosen = value if isinstance(value, tuple) else (value,)
    return [(text, answer in chosen) for text, answer in zip(question.options, question.answers, strict=True)]
