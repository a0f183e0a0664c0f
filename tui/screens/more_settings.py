"""The dialog behind "more" on the start screen: the planner with its model, and the length of a game."""

from collections.abc import Mapping
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Select, Static

from bba.agents import PLANNERS
from bba.agents.registry import KEYLESS, MODEL_PLANNERS
from bba.plugins import first_line, offered
from tui.screens.dialogs import Dialog
from tui.widgets.form_fields import ChoiceField, NumberField, OptionSelect, TextField
from tui.widgets.model_notes import key_note, price_note
from tui.widgets.panel import titled

STEP = 100  # steps of the game, for the buttons
MODEL = {"model": "by its name at the endpoint", "base_url": "as http://localhost:11434/v1; empty: the provider's"}
LABELS = {"base_url": "base URL"}
WAITING = {"the world waits": "False", "real time": "True"}  # while a model is asked: --real-time by its words


class MoreSettings(Dialog[dict[str, str]]):
    """Asks for the planner and the steps of a game; returns the values by setting, or None if it was closed.

    Args:
        values: the values at first, by setting: planner, model, base_url, real_time, horizon.
        is_web: whether a visitor in the browser is asked, who may not choose what this machine connects to.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "take", show=False),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
    ]
    AUTO_FOCUS = "#planner"

    def __init__(self, values: Mapping[str, str], *, is_web: bool) -> None:
        super().__init__()
        planners = [*PLANNERS, *offered("planner")] if not is_web else [*KEYLESS]
        self._planner = OptionSelect("planner", planners, values["planner"])
        self._texts = {name: TextField(name, LABELS.get(name, name), values[name], MODEL[name]) for name in MODEL}
        waiting = next(words for words, value in WAITING.items() if value == values["real_time"])
        self._waiting = OptionSelect("real_time", WAITING, waiting)
        self._horizon = NumberField("horizon", float(values["horizon"]), STEP, "steps")

    def compose(self) -> ComposeResult:
        with titled(Vertical(id="more-settings"), "more", "esc closes"):
            yield ChoiceField("planner", self._planner)
            yield Static(id="planner-is", markup=False)
            with Vertical(id="model-settings"):
                yield from self._texts.values()
                yield ChoiceField("meanwhile", self._waiting)
                yield Static(id="price-note", classes="note", markup=False)
                yield Static(id="key-note", classes="note", markup=False)
            yield self._horizon
            yield Horizontal(Button("Take", id="take", variant="success"), Button("Cancel", id="cancel"), id="buttons")

    @on(Select.Changed)
    def show_what_counts(self) -> None:
        """Describes the planner, and shows the fields of a language model where it is one."""
        self.query_one("#planner-is", Static).update(_described(self._planner.chosen))
        self.query_one("#model-settings").display = self._planner.chosen in MODEL_PLANNERS
        self.show_notes()

    @on(Input.Changed)
    def show_notes(self) -> None:
        """Says what the model costs that is named, and whether a key is set."""
        model = self._texts["model"].input.value.strip()
        self.query_one("#price-note", Static).update(price_note(model))
        self.query_one("#key-note", Static).update(key_note(self._planner.chosen, model))

    @on(Button.Pressed, "#take")
    @on(Input.Submitted)
    def action_take(self) -> None:
        """Returns the values, or goes to the number if it is not valid."""
        if self._horizon.problem is not None:
            self._horizon.input.focus()
            return
        texts = {name: field.input.value.strip() for name, field in self._texts.items()}
        texts |= {"planner": self._planner.chosen, "real_time": WAITING[self._waiting.chosen]}
        self.dismiss(texts | {"horizon": self._horizon.input.value})


def _described(planner: str) -> str:
    """Returns what a planner is, in one line."""
    return PLANNERS.get(planner) or first_line("planner", planner) or "a plug-in"
