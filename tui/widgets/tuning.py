"""The panel "tuning": the parameters of belief and gate as sliders."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Static

from bba.config import TUNABLE_PARAMETERS, BeliefConfig
from tui.widgets.slider import Slider

DEFAULTS = BeliefConfig()


class TuningPanel(VerticalScroll, can_focus=False):
    """One slider for each parameter; posts `Changed` when keys or the mouse change one, for the screen to apply."""

    TITLE: ClassVar[str] = "tuning"
    ABOUT: ClassVar[str] = (
        "The parameters of the ego's belief and gate; ┼ on a slider is the default. A change counts from the next step "
        "on and is noted in the game. Only a game that is being played can be tuned, at its newest step."
    )

    class Changed(Message):
        """A parameter was changed.

        Attributes:
            belief_config: all parameters, with the change.
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
            Slider(one.label, one.info.slider_values, one.of(DEFAULTS), id=f"slider-{one.name}")
            for one in TUNABLE_PARAMETERS
        ]

    def compose(self) -> ComposeResult:
        """The reason why nothing can be tuned, if there is one, and the sliders."""
        yield Static(id="untunable", markup=False)
        yield from self._sliders

    def show_belief_config(self, belief_config: BeliefConfig, problem: str = "") -> None:
        """Shows these parameters; with a `problem` (a line of text), none of them can be changed."""
        self._belief_config = belief_config
        note = self.query_one("#untunable", Static)
        note.update(problem)
        note.display = bool(problem)
        self.border_subtitle = "" if problem else "↑↓ ←→, backspace: default"
        for number, (parameter, slider) in enumerate(zip(TUNABLE_PARAMETERS, self._sliders, strict=True)):
            slider.disabled = bool(problem)
            slider.show_value(parameter.of(belief_config), chosen=number == self._chosen)

    def choose(self, by: int) -> None:
        """Chooses the parameter that the keys change, `by` places further on, around the ends."""
        self._chosen = (self._chosen + by) % len(TUNABLE_PARAMETERS)
        self._sliders[self._chosen].scroll_visible(animate=False)
        for number, slider in enumerate(self._sliders):
            slider.show_value(slider.value, chosen=number == self._chosen)

    def change(self, by: int) -> None:
        """Moves the chosen parameter by so many slider values."""
        self._set(self._chosen, self._sliders[self._chosen].further(by))

    def reset(self) -> None:
        """Sets the chosen parameter to its default."""
        self._set(self._chosen, self._sliders[self._chosen].default)

    @on(Slider.Moved)
    def follow(self, message: Slider.Moved) -> None:
        """Applies a change by the mouse."""
        message.stop()
        self._chosen = self._sliders.index(message.slider)
        self._set(self._chosen, message.value)

    def _set(self, number: int, value: float) -> None:
        slider, parameter = self._sliders[number], TUNABLE_PARAMETERS[number]
        if not slider.disabled and value != parameter.of(self._belief_config):
            self.show_belief_config(parameter.put(self._belief_config, value))
            self.post_message(self.Changed(self._belief_config))
