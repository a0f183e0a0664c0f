"""The fields of a form: one of several names, or a number; a line each, for keys and for the mouse."""

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any

from pydantic import TypeAdapter, ValidationError
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.validation import ValidationResult, Validator
from textual.widgets import Button, Input, Label, Select, Static

from bba.settings import Settings
from human.keymap import CHOICE_KEYS
from tui.style.key_bindings import bindings

# What pydantic finds wrong with a number, in words that fit beneath it.
PROBLEMS = {
    "int_parsing": "takes a whole number",
    "float_parsing": "takes a number",
    "greater_than_equal": "takes {ge} or more",
    "less_than_equal": "takes {le} or less",
    "less_than": "too large",
}
BOUNDS = ("ge", "le")


class OptionSelect(Select[str], inherit_bindings=False):
    """A list that folds away. Enter is left to the form; space unfolds it, left and right step through it.

    Args:
        name: the setting's name, which is the widget's id too.
        options: what there is to choose from; not empty.
        value: what is chosen at first; the first option where there is no such one.
    """

    BINDINGS = bindings(CHOICE_KEYS, priority=False)

    def __init__(self, name: str, options: Iterable[str], value: str) -> None:
        self._names = list(options)
        chosen = value if value in self._names else self._names[0]
        super().__init__(((one, one) for one in self._names), id=name, value=chosen, allow_blank=False, compact=True)

    @property
    def chosen(self) -> str:
        """The name that is chosen."""
        return str(self.value)

    def action_change(self, by: int) -> None:
        """Choose the option that lies so many further on, around the end."""
        self.value = self._names[(self._names.index(self.chosen) + by) % len(self._names)]


class ChoiceField(Horizontal):
    """A label and its choice, in one line; the label in a colour of its own where the choice has one."""

    def __init__(self, label: str, choice: OptionSelect, colour: str = "") -> None:
        super().__init__(classes="field")
        self._label, self._choice, self._colour = label, choice, colour

    def compose(self) -> ComposeResult:
        """Both, side by side."""
        yield Label(Content.styled(self._label, self._colour))
        yield self._choice


class NumberField(Vertical):
    """A number with a line under it that says why it will not do.

    Args:
        name: the setting's name, which is the id of the input too.
        value: the number at first.
        step: what the two buttons beside it take away and add.
        label: what stands before it; the setting's name if None.
    """

    def __init__(self, name: str, value: float, step: float, label: str | None = None) -> None:
        super().__init__(classes="number")
        self.setting, self._step, self._label = name, step, label or name
        self.input = Input(written(value), id=name, compact=True, validators=[_Accepted(name)], max_length=20)

    def compose(self) -> ComposeResult:
        """Label, input and buttons; under them the complaint."""
        with Horizontal(classes="field"):
            yield Label(self._label)
            yield self.input
            for label, kind in (("−", "less"), ("+", "more")):
                button = Button(label, compact=True, classes=kind)
                button.can_focus = False  # the keys type the number
                yield button
        yield Static(classes="problem", markup=False)

    @property
    def problem(self) -> str | None:
        """Why the number will not do, if so."""
        return problem_of(self.setting, self.input.value)

    @property
    def number(self) -> float:
        """The number itself, where it will do."""
        number: float = _table(self.setting).validate_python(self.input.value)
        return number

    @on(Input.Changed)
    def complain(self) -> None:
        """Say what is wrong with it, or nothing."""
        self.query_one(".problem", Static).update(self.problem or "")

    @on(Button.Pressed)
    def step(self, event: Button.Pressed) -> None:
        """Take the next number up or down, if it will do."""
        event.stop()
        if self.problem is None:
            text = written(round(self.number + (self._step if event.button.has_class("more") else -self._step), 9))
            if problem_of(self.setting, text) is None:
                self.input.value = text


class _Accepted(Validator):
    """What the setting of this name takes."""

    def __init__(self, setting: str) -> None:
        super().__init__()
        self._setting = setting

    def validate(self, value: str) -> ValidationResult:
        """Ask the table of settings itself."""
        problem = problem_of(self._setting, value)
        return self.success() if problem is None else self.failure(problem)


def problem_of(setting: str, text: str) -> str | None:
    """Why a setting does not take a value, in a few words; None where it does."""
    try:
        _table(setting).validate_python(text)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        bounds = {name: written(bound) for name, bound in problem.get("ctx", {}).items() if name in BOUNDS}
        return PROBLEMS.get(problem["type"], problem["msg"]).format(**bounds)
    return None


@cache
def _table(setting: str) -> TypeAdapter[Any]:
    """What the table of settings says of one of them, without reading the others from wherever they come from."""
    field = Settings.model_fields[setting]
    kind: Any = Annotated[field.annotation, *field.metadata]
    return TypeAdapter(kind)


def written(number: float) -> str:
    """A number as one types it: 10, not 10.0."""
    return str(int(number)) if number == int(number) else str(number)
