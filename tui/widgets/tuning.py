"""The panel "tuning": the figures of belief and gate as sliders."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from bba.belief import BeliefConfig
from bba.config import TUNABLE_PARAMETERS
from tui.widgets.slider import Slider

DEFAULTS = BeliefConfig()


class TuningPanel(VerticalScroll, can_focus=False):
    """A slider a figure; posts `Turned` when keys or the mouse change one. Whoever takes it shows what holds then."""

    TITLE: ClassVar[str] = "tuning"
    ABOUT: ClassVar[str] = (
        "The figures of the ego's belief and gate; ┼ on a slider is the default. A change counts from the next step on "
        "and is noted in the game. Only a game that is being played can be tuned, at its newest step."
    )

    class Turned(Message):
        """Somebody changed a figure.

        Attributes:
            tuning: all figures with the change.
        """

        def __init__(self, belief_config: BeliefConfig) -> None:
            super().__init__()
            self.belief_config = belief_config

    def __init__(self) -> None:
        super().__init__(id=self.TITLE)
        self.border_title = self.TITLE
        self._chosen = 0
        self._belief_config = DEFAULTS
        self._sliders = [
            Slider(one.label, one.rungs, one.of(DEFAULTS), id=f"slider-{one.name}") for one in TUNABLE_PARAMETERS
        ]

    def compose(self) -> ComposeResult:
        """Why nothing can be tuned, if so; the sliders."""
        yield Static(id="untunable", markup=False)
        yield from self._sliders

    def show_belief_config(self, belief_config: BeliefConfig, problem: str = "") -> None:
        """Show these figures; with a problem, none of them can be changed."""
        self._belief_config = belief_config
        note = self.query_one("#untunable", Static)
        note.update(problem)
        note.display = bool(problem)
        self.border_subtitle = "" if problem else "↑↓ ←→, backspace: default"
        for number, (figure, slider) in enumerate(zip(TUNABLE_PARAMETERS, self._sliders, strict=True)):
            slider.disabled = bool(problem)
            slider.show_value(figure.of(belief_config), chosen=number == self._chosen)

    def choose(self, by: int) -> None:
        """Let the keys change another figure, around the ends."""
        self._chosen = (self._chosen + by) % len(TUNABLE_PARAMETERS)
        self._sliders[self._chosen].scroll_visible(animate=False)
        for number, slider in enumerate(self._sliders):
            slider.show_value(slider.value, chosen=number == self._chosen)

    def change(self, by: int) -> None:
        """Take the chosen figure so many rungs up or down."""
        self._turn(self._chosen, self._sliders[self._chosen].further(by))

    def reset(self) -> None:
        """Give the chosen figure its default."""
        self._turn(self._chosen, self._sliders[self._chosen].default)

    @on(Slider.Moved)
    def follow(self, message: Slider.Moved) -> None:
        """Take over what the mouse did."""
        message.stop()
        self._chosen = self._sliders.index(message.slider)
        self._turn(self._chosen, message.value)

    def _turn(self, number: int, value: float) -> None:
        slider, figure = self._sliders[number], TUNABLE_PARAMETERS[number]
        if not slider.disabled and value != figure.of(self._belief_config):
            self.show_belief_config(figure.put(self._belief_config, value))
            self.post_message(self.Turned(self._belief_config))
