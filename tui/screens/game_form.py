"""The form for a game on the start screen: kitchen, cooks, seed and speed, and behind "more" the rest."""

from collections.abc import Mapping
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Input

from bba import palette
from bba.agents import DESCRIPTIONS, HUMAN
from bba.agents.registry import MODEL_PLANNERS
from bba.kitchen import Layout
from bba.plugins import is_plugin_name, offered
from bba.settings import Settings
from tui.config import CHOSEN
from tui.screens.more_settings import MoreSettings
from tui.widgets.form_fields import ChoiceField, NumberField, OptionSelect

STEPS = {"seed": 1, "speed": 5}  # what the buttons beside the numbers add
MORE = ("planner", "model", "base_url", "real_time", "horizon")  # what stands behind "more"
LABELS = {"layout": "kitchen", "agent": "ego"}  # where it differs from the setting's name
COLOURS = dict(zip(("agent", "partner"), palette.COOK_COLOURS, strict=True))


class GameForm(Vertical):
    """Asks which game: its fields show `settings` at first."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(id="form")
        self.border_title = "the game"
        self._choices = {
            "layout": OptionSelect("layout", _kitchens(settings.layout), settings.layout),
            "agent": OptionSelect("agent", _cooks(settings.agent), settings.agent),
            "partner": OptionSelect("partner", _cooks(settings.partner), settings.partner),
        }
        self._numbers = {name: NumberField(name, getattr(settings, name), step) for name, step in STEPS.items()}
        self._more = {name: _as_text(getattr(settings, name)) for name in MORE}

    def compose(self) -> ComposeResult:
        for name, choice in self._choices.items():
            yield ChoiceField(LABELS.get(name, name), choice, COLOURS.get(name, ""))
        yield Horizontal(*self._numbers.values(), id="start-numbers")
        yield Button(self._more_words(), id="more", compact=True)

    @property
    def kitchen(self) -> str:
        """The chosen kitchen's name."""
        return self._choices["layout"].chosen

    @property
    def cooks(self) -> tuple[str, str]:
        """The names of the chosen cooks, the ego's first."""
        return self._choices["agent"].chosen, self._choices["partner"].chosen

    @property
    def with_person(self) -> bool:
        """Whether a person is one of the cooks."""
        return HUMAN in self.cooks

    @property
    def speed(self) -> float:
        """The chosen speed in steps a second; the default where it is not valid."""
        speed = self._numbers["speed"]
        return Settings.model_validate({} if speed.problem else {"speed": speed.input.value}).speed

    def offer_kitchen(self, path: Path) -> None:
        """Adds the kitchen of a file to those to choose from, and chooses it."""
        self._choices["layout"].offer(str(path))

    def settings(self) -> Settings | None:
        """Returns the chosen settings; None, after going to the field, where a number is not valid."""
        for number in self._numbers.values():
            if number.problem is not None:
                number.input.focus()
                return None
        texts = {name: choice.chosen for name, choice in self._choices.items()} | self._more
        texts |= {name: number.input.value for name, number in self._numbers.items()}
        return Settings.model_validate({name: texts[name] or None for name in CHOSEN})

    @on(Button.Pressed, "#more")
    def ask_for_more(self) -> None:
        """Opens the dialog behind "more"."""
        self.app.push_screen(MoreSettings(self._more, is_web=self.app.is_web), self._take_more)

    @on(Input.Changed)
    def show_problem(self) -> None:
        """Says in the lower border which number is not valid."""
        problems = [f"{name} {number.problem}" for name, number in self._numbers.items() if number.problem]
        self.border_subtitle = Content(", ".join(problems))

    def _take_more(self, values: Mapping[str, str] | None) -> None:
        if values is not None:
            self._more = dict(values)
            self.query_one("#more", Button).label = self._more_words()

    def _more_words(self) -> str:
        model = f" {self._more['model']}" if self._more["planner"] in MODEL_PLANNERS else ""
        return f"more: planner {self._more['planner']}{model}, {self._more['horizon']} steps"


def _kitchens(last: str) -> list[str]:
    """Returns the kitchens to choose from: those that ship, and the one of a file that was chosen last."""
    return [*Layout.names(), *([last] if last.endswith(".toml") and Path(last).is_file() else [])]


def _cooks(last: str) -> list[str]:
    """Returns the cooks to choose from: those that ship, plug-ins, and the plug-in that was chosen last."""
    chosen = [last] if last not in DESCRIPTIONS and is_plugin_name("agent", last) else []
    return list(dict.fromkeys([*DESCRIPTIONS, *offered("agent"), *chosen]))


def _as_text(value: object) -> str:
    return "" if value is None else str(value)
