"""The panel "tuning": the parameters of belief and gate, and a trigger's thresholds, as sliders for keys or mouse."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive, var
from textual.widgets import Static

from bba import palette
from bba.config import TUNABLE_PARAMETERS, BeliefConfig
from bba.plugins.options import NumberOption
from tui.playback.source import PlaybackSource
from tui.widgets.form_fields import CHANGE_MARK
from tui.widgets.panel import Draggable, line

DEFAULTS = BeliefConfig()
VALUE_WIDTH = 6  # cells of the value
KNOB = "●"
DEFAULT = "┼"
BEFORE = "━"
AFTER = "─"


class Slider(Draggable):
    """A label, a track with a knob, and the value; posts `Moved` when the mouse takes the knob elsewhere.

    Args:
        label: what the value is.
        values: the values that it steps through, ascending; the value itself may lie between two.
        default: the value that is marked on the track.
        about: what the mouse explains.
        id: the widget's id.
    """

    @dataclass
    class Moved(Message):
        """The mouse moved the knob.

        Attributes:
            slider: the slider.
            value: its new value.
        """

        slider: "Slider"
        value: float

    LABEL = 15  # cells of the label

    value = reactive(0.0)
    chosen = reactive(False)  # whether the keys change it

    def __init__(self, label: str, values: tuple[float, ...], default: float, about: str = "", *, id: str) -> None:
        super().__init__(id=id)
        self.tooltip = Content(about)
        self.label = label
        self.values = values
        self.default = default
        self.value = default

    def further(self, by: int) -> float:
        """Returns the slider value `by` places further up, or down if negative; at the ends the last one."""
        # From between two slider values the first step leads to the next one on that side.
        start = bisect_left(self.values, self.value) if by > 0 else bisect_right(self.values, self.value) - 1
        off = self.value not in self.values
        place = start + by + (-off if by > 0 else off)
        return self.values[max(0, min(len(self.values) - 1, place))]

    def render(self) -> Content:
        """Returns label, track with knob, and value, as one line."""
        width = self._track
        knob = self._column(self.value)
        default = self._column(self.default)
        track = [BEFORE if column < knob else AFTER for column in range(width)]
        track[default] = DEFAULT
        dim = palette.FAINT if self.disabled else palette.DIM
        knob_colour = palette.FAINT if self.disabled else palette.WARN if self.chosen else palette.TEXT
        drawn = line(("".join(track[:knob]), dim), (KNOB, knob_colour), ("".join(track[knob + 1 :]), dim))
        text = palette.DIM if self.disabled else f"bold {palette.WARN}" if self.chosen else palette.TEXT
        changed = CHANGE_MARK if self.value != self.default else " "
        label = ("▸" if self.chosen and not self.disabled else " ") + changed + self.label
        return line((label.ljust(self.LABEL), text)) + drawn + line((f"{self.value:>{VALUE_WIDTH}.3g}", text))

    def follow(self, event: events.MouseEvent) -> None:
        """Asks to move the knob to the mouse, or to the end of the track that is nearer."""
        column = int(event.screen_x) - self.content_region.x - self.LABEL
        share = min(1.0, max(0.0, column / max(1, self._track - 1)))
        self.post_message(self.Moved(self, self.values[round(share * (len(self.values) - 1))]))

    @property
    def _track(self) -> int:
        return max(1, self.content_size.width - self.LABEL - VALUE_WIDTH)

    def _column(self, value: float) -> int:
        place = min(bisect_left(self.values, value), len(self.values) - 1)
        return round(place / (len(self.values) - 1) * (self._track - 1))


class TuningPanel(VerticalScroll, can_focus=False):
    """One slider for each parameter and threshold; posts what keys or the mouse change, for the screen to apply.

    Args:
        thresholds: those of the ego's trigger, if that is a plug-in.
    """

    TITLE: ClassVar[str] = "tuning"
    ABOUT: ClassVar[str] = (
        "The parameters of the ego's belief and gate, and the thresholds of its trigger, if that is a plug-in; ┼ on a "
        "slider is the default, • before its name that it has another value. A change counts from the next step on and "
        "is noted in the game. Only a game that is being played can be tuned, at its newest step."
    )

    @dataclass
    class Changed(Message):
        """A parameter, or a threshold of the trigger, was changed.

        Attributes:
            apply: changes it in a game; raises BBAError where that cannot be.
        """

        apply: Callable[[PlaybackSource], object]

    chosen = var(0)  # the number of the slider that the keys change

    def __init__(self, thresholds: Sequence[NumberOption] = ()) -> None:
        super().__init__(id=self.TITLE)
        self.border_title = self.TITLE
        self._belief_config = DEFAULTS
        self._names = [one.name for one in thresholds]
        self._parameters = [
            Slider(
                one.label,
                one.info.slider_values,
                one.of(DEFAULTS),
                one.explanation,
                id=f"slider-{one.name}",
            )
            for one in TUNABLE_PARAMETERS
        ]
        thresholds_of = [
            Slider(
                _cut(one.name),
                one.slider_values,
                one.default,
                f"threshold of the trigger: {one.name}",
                id=f"threshold-{number}",
            )
            for number, one in enumerate(thresholds)
        ]
        self._sliders = [*thresholds_of, *self._parameters]

    def compose(self) -> ComposeResult:
        yield Static(id="untunable", markup=False)
        yield from self._sliders

    def show_values(
        self, belief_config: BeliefConfig | None, thresholds: Sequence[NumberOption] = (), problem: str = ""
    ) -> None:
        """Shows these parameters (None where there is no belief) and thresholds.

        With a `problem` (a line of text), none of them can be changed.
        """
        self._belief_config = belief_config or DEFAULTS
        note = self.query_one("#untunable", Static)
        note.update(problem)
        note.display = bool(problem)
        self.border_subtitle = "" if problem else "↑↓ ←→, backspace: default"
        for slider in self._sliders:
            slider.disabled = bool(problem) or (slider in self._parameters and belief_config is None)
        if self._sliders[self.chosen].disabled and not problem:
            self.choose(1)
        told = {one.name: one.value for one in thresholds}
        parameters = (one.of(self._belief_config) for one in TUNABLE_PARAMETERS)
        values = [*(told.get(name) for name in self._names), *parameters]
        for value, slider in zip(values, self._sliders, strict=True):
            slider.value = slider.value if value is None else value

    def watch_chosen(self) -> None:
        for number, slider in enumerate(self._sliders):
            slider.chosen = number == self.chosen

    def choose(self, by: int) -> None:
        """Chooses the slider that the keys move, `by` places further on, around the ends."""
        places = [number for number, slider in enumerate(self._sliders) if not slider.disabled]
        places = places or [*range(len(self._sliders))]
        place = places.index(self.chosen) if self.chosen in places else -1
        self.chosen = places[(place + by) % len(places)]
        self._sliders[self.chosen].scroll_visible(animate=False)

    def change(self, by: int) -> None:
        """Moves the chosen slider by so many of its values."""
        self._set(self.chosen, self._sliders[self.chosen].further(by))

    def reset(self) -> None:
        """Sets what is chosen to its default."""
        self._set(self.chosen, self._sliders[self.chosen].default)

    @on(Slider.Moved)
    def follow(self, message: Slider.Moved) -> None:
        message.stop()
        self.chosen = self._sliders.index(message.slider)
        self._set(self.chosen, message.value)

    def _set(self, number: int, value: float) -> None:
        slider = self._sliders[number]
        if slider.disabled or value == slider.value:
            return
        slider.value = value
        if number < len(self._names):
            name = self._names[number]
            self.post_message(self.Changed(lambda game: game.tune_trigger(name, value)))
        else:
            tuned = TUNABLE_PARAMETERS[number - len(self._names)].put(self._belief_config, value)
            self._belief_config = tuned
            self.post_message(self.Changed(lambda game: game.reconfigure(tuned)))


def _cut(name: str) -> str:
    room = Slider.LABEL - 3  # after the mark, before the track
    return name if len(name) <= room else f"{name[: room - 1]}…"
