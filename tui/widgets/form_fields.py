"""The fields of a form: a choice, a text, a number, and a path, which tab completes as in a shell.

A field of a setting is marked where it differs from the default, or from what holds before.
"""

from collections.abc import Callable, Iterable
from functools import cache
from os.path import commonprefix
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import TypeAdapter, ValidationError
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.validation import Function
from textual.widgets import Button, Input, Label, Select, Static
from textual.widgets._select import SelectOverlay

from human.keymap import CHOICE_KEYS
from tui.arguments.options import OPTION_FIELDS, ChosenGame
from tui.style.base_app import bindings

# Pydantic's error types for a number, in words that fit beneath the field.
PROBLEMS = {
    "int_parsing": "takes a whole number",
    "float_parsing": "takes a number",
    "greater_than_equal": "takes {ge} or more",
    "less_than_equal": "takes {le} or less",
    "less_than": "too large",
}
BOUNDS = ("ge", "le")


class OptionSelect(Select[str], inherit_bindings=False):
    """A drop-down list. Space opens it, left and right step through it, enter is left to the form.

    Args:
        name: the setting's name, which is also the widget's id.
        options: the options; at least one.
        value: the option selected at first; the first one if there is no such option.
    """

    BINDINGS = bindings(CHOICE_KEYS, priority=False)

    def __init__(self, name: str, options: Iterable[str], value: str) -> None:
        self._names = list(options)
        self._first = value if value in self._names else self._names[0]
        pairs = [(option, option) for option in self._names]
        super().__init__(pairs, id=name, value=self._first, allow_blank=False, compact=True)

    @property
    def chosen(self) -> str:
        """The selected option."""
        return self._first if self.value is Select.NULL else str(self.value)  # it has no value before it is mounted

    @property
    def pointed(self) -> str:
        """The option under the cursor of the open list; the selected one where the list is closed."""
        place = self.query_one(SelectOverlay).highlighted if self.expanded else None
        return self.chosen if place is None else self._names[place]

    def on_mount(self) -> None:
        """Posts `Changed` also when the list is opened or closed, or its cursor moves: forms describe `pointed`."""
        overlay = self.query_one(SelectOverlay)
        self.watch(self, "expanded", self._post_changed, init=False)
        self.watch(overlay, "highlighted", self._post_changed, init=False)

    def _post_changed(self) -> None:
        self.post_message(self.Changed(self, self.value))

    def offer(self, name: str) -> None:
        """Adds an option, unless it is there, and selects it."""
        if name not in self._names:
            self._names.append(name)
            self.set_options([(option, option) for option in self._names])
        self.value = name

    def action_change(self, by: int) -> None:
        """Selects the option that is `by` further on, and wraps around."""
        place = self._names.index(self.chosen) + by
        self.value = self._names[place % len(self._names)]


CHANGE_MARK = "•"  # where a setting was changed: legible without colour


def default_of(setting: str) -> str:
    """Returns a setting's default as a form shows it; "" for none."""
    field = ChosenGame.model_fields.get(setting) or OPTION_FIELDS[setting]
    default = field.default
    return "" if default is None else str(default)


class LabelledField(Horizontal):
    """A label and its control in one line; a mark behind the label says whether the value was changed.

    Args:
        label: the label.
        control: the list or the input.
        buttons: the buttons to the right of the control.
        changed: returns whether the value differs from the default.
        colour: the label's colour; "" for the usual one.
    """

    def __init__(
        self,
        label: str,
        control: OptionSelect | Input,
        *buttons: Button,
        changed: Callable[[], bool],
        colour: str = "",
    ) -> None:
        self._text = Content.styled(label, colour)
        self._changed = changed
        super().__init__(Label(self._marked), control, *buttons, classes="field")

    @property
    def _marked(self) -> Content:
        return self._text + f" {CHANGE_MARK}" if self._changed() else self._text

    @on(Select.Changed)
    @on(Input.Changed)
    def mark(self) -> None:
        self.query_one(Label).update(self._marked)


class ChoiceField(LabelledField):
    """A label and a drop-down list; `usual` is the option that is not marked as changed, None for any."""

    def __init__(self, label: str, choice: OptionSelect, colour: str = "", usual: str | None = None) -> None:
        def changed() -> bool:
            return usual is not None and usual != choice.chosen

        super().__init__(label, choice, changed=changed, colour=colour)


class NumeralInput(Input):
    """Takes the keys of a number; all other keys stay with the screen."""

    NUMERALS = "0123456789.-"

    def check_consume_key(self, key: str, character: str | None) -> bool:  # noqa: ARG002 - as Textual calls it
        return character is not None and character in self.NUMERALS

    async def _on_key(self, event: events.Key) -> None:
        if not self.check_consume_key(event.key, event.character):
            event.prevent_default()


class NumberField(Vertical):
    """A number with two buttons, and a line under it that says why it is not valid.

    Args:
        name: the setting's name, which is also the id of the input.
        value: the number at first.
        step: the difference that the two buttons make.
        label: the label; the setting's name if None.
        usual: the number that is not marked as changed; the setting's default if None.

    Attributes:
        usual: that number.
    """

    def __init__(
        self, name: str, value: float, step: float, label: str | None = None, usual: float | None = None
    ) -> None:
        super().__init__(classes="number")
        self.setting = name
        self._step = step
        self._label = label or name
        self.usual = float(default_of(name)) if usual is None else usual
        valid = Function(lambda text: problem_of(name, text) is None)
        self.input = NumeralInput(plain_number(value), id=name, compact=True, validators=[valid], max_length=20)

    def compose(self) -> ComposeResult:
        less = Button("−", compact=True, classes="less")
        more = Button("+", compact=True, classes="more")
        for button in (less, more):
            button.can_focus = False  # the keys type the number
        yield LabelledField(self._label, self.input, less, more, changed=self._is_changed)
        yield Static(classes="problem", markup=False)

    def _is_changed(self) -> bool:
        return self.problem is not None or self.number != self.usual

    @property
    def problem(self) -> str | None:
        """Why the number is not valid; None where it is."""
        return problem_of(self.setting, self.input.value)

    @property
    def number(self) -> float:
        """The number, where it is valid."""
        number: float = _adapter(self.setting).validate_python(self.input.value)
        return number

    @on(Input.Changed)
    def show_problem(self) -> None:
        self.query_one(".problem", Static).update(self.problem or "")

    @on(Button.Pressed)
    def step(self, event: Button.Pressed) -> None:
        """Takes the next number up or down, if that is valid."""
        event.stop()
        if self.problem is not None:
            return
        step = self._step if event.button.has_class("more") else -self._step
        text = plain_number(round(self.number + step, 9))
        if problem_of(self.setting, text) is None:
            self.input.value = text


def all_valid(fields: Iterable[NumberField]) -> bool:
    """Moves the focus to the first number that is not valid; returns whether all are."""
    for field in fields:
        if field.problem is not None:
            field.input.focus()
            return False
    return True


def problem_of(setting: str, text: str) -> str | None:
    """Returns why a setting does not accept a value, in a few words; None where it does."""
    try:
        _adapter(setting).validate_python(text)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        context = problem.get("ctx", {})
        bounds = {name: plain_number(context[name]) for name in BOUNDS if name in context}
        text = PROBLEMS.get(problem["type"], problem["msg"])
        return text.format(**bounds)
    return None


@cache
def _adapter(setting: str) -> TypeAdapter[Any]:
    """Returns the validator of one setting; the other settings and their sources are not read."""
    field = OPTION_FIELDS[setting]
    kind: Any = Annotated[field.annotation, *field.metadata]
    return TypeAdapter(kind)


def plain_number(number: float) -> str:
    """Returns a number as people type it: 10, not 10.0."""
    return str(int(number)) if number == int(number) else str(number)


class PathInput(Input):
    """Takes a path; tab completes it as far as the files there allow, and elsewhere goes to the next field.

    Args:
        placeholder: what the empty field shows.
        suffix: the end of the names of files that are completed; None for folders only.
        value: the path at first.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("tab", "complete", show=False)]

    def __init__(self, placeholder: str, suffix: str | None, value: str = "") -> None:
        super().__init__(value, placeholder)
        self._suffix = suffix

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "complete":
            return completed(self.value, self._suffix) != self.value
        return super().check_action(action, parameters)

    def action_complete(self) -> None:
        self.value = completed(self.value, self._suffix)
        self.cursor_position = len(self.value)


def completed(text: str, suffix: str | None) -> str:
    """Returns a path, extended as far as all folders, and files with this suffix, agree that begin with it."""
    parent, _, start = text.rpartition("/")
    try:
        folder = Path(f"{parent}/" if "/" in text else ".").expanduser()
        names = _names_in(folder, start, suffix)
    except (OSError, RuntimeError, ValueError):  # no such folder, or the home of a user that does not exist
        return text
    if not names:
        return text
    return text.removesuffix(start) + commonprefix(names)  # noqa: RUF071 - letter by letter


def _names_in(folder: Path, start: str, suffix: str | None) -> list[str]:
    """Returns the names of folders, with a slash, and of files with a suffix; hidden ones after a full stop alone."""
    names = []
    for path in folder.iterdir():
        if not path.name.startswith(start):
            continue
        if path.name.startswith(".") and not start.startswith("."):
            continue
        if path.is_dir():
            names.append(f"{path.name}/")
        elif suffix is not None and path.suffix == suffix:
            names.append(path.name)
    return names
