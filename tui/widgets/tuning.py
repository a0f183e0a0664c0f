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
from bba.config import TUNABLE_PARAMETERS, BeliefConfig, Parameter, parameters_for
from bba.plugins.options import NumberOption
from tui.playback.source import PlaybackSource
from tui.widgets.form_fields import CHANGE_MARK
from tui.widgets.panel import Draggable, line

DEFAULTS = BeliefConfig()
VALUE_WIDTH = 6  # cells of the value
KNOB = "●"
DEFAULT = "┼"
TRACK_TO_KNOB = "━"
TRACK_FROM_KNOB = "─"


class Slider(Draggable):
    """A label, a track with a knob, and the value; posts `Moved` when the mouse takes the knob elsewhere.

    Args:
        label: what the value is.
        values: the values that it steps through, ascending; the value itself may lie between two.
        default: the value that is marked on the track.
        about: what it does, in a sentence.
        id: the widget's id.
        parameter: the parameter that it changes; None for a threshold of a plug-in.
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

    LABEL = 18  # cells of the label

    value = reactive(0.0)
    chosen = reactive(False)  # whether the keys change it

    def __init__(
        self,
        label: str,
        values: tuple[float, ...],
        default: float,
        about: str = "",
        *,
        id: str,
        parameter: Parameter | None = None,
    ) -> None:
        super().__init__(id=id)
        self.tooltip = Content(about)
        self.about = about
        self.parameter = parameter
        self.label = label
        self.values = values
        self.default = default
        self.value = default

    def further(self, by: int) -> float:
        """Returns the slider value `by` places further up, or down if negative; at the ends the last one."""
        lower = bisect_right(self.values, self.value) - 1  # the place of the value, or of the next lower one
        upper = bisect_left(self.values, self.value)  # the place of the value, or of the next higher one
        # From between two slider values the first step leads to the next one on that side.
        place = lower + by if by > 0 else upper + by
        return self.values[max(0, min(len(self.values) - 1, place))]

    def render(self) -> Content:
        """Returns label, track with knob, and value, as one line."""
        mark = " "
        track_colour = palette.DIM
        if self.disabled:
            text_style = palette.DIM
            track_colour = palette.FAINT
            knob_colour = palette.FAINT
        elif self.chosen:
            mark = "▸"
            text_style = f"bold {palette.WARN}"
            knob_colour = palette.WARN
        else:
            text_style = palette.TEXT
            knob_colour = palette.TEXT
        change_mark = CHANGE_MARK if self.value != self.default else " "
        label = f"{mark}{change_mark}{self.label}".ljust(self.LABEL)
        track = self._drawn_track(track_colour, knob_colour)
        value = f"{self.value:>{VALUE_WIDTH}.3g}"
        return line((label, text_style)) + track + line((value, text_style))

    def _drawn_track(self, track_colour: str, knob_colour: str) -> Content:
        knob = self._column(self.value)
        cells = [TRACK_TO_KNOB if column < knob else TRACK_FROM_KNOB for column in range(self._track)]
        cells[self._column(self.default)] = DEFAULT
        to_knob = "".join(cells[:knob])
        from_knob = "".join(cells[knob + 1 :])
        return line((to_knob, track_colour), (KNOB, knob_colour), (from_knob, track_colour))

    def follow(self, event: events.MouseEvent) -> None:
        """Asks to move the knob to the mouse, or to the end of the track that is nearer."""
        column = int(event.screen_x) - self.content_region.x - self.LABEL
        share = min(1.0, max(0.0, column / max(1, self._track - 1)))
        place = round(share * (len(self.values) - 1))
        self.post_message(self.Moved(self, self.values[place]))

    @property
    def _track(self) -> int:
        return max(1, self.content_size.width - self.LABEL - VALUE_WIDTH)

    def _column(self, value: float) -> int:
        last = len(self.values) - 1
        place = min(bisect_left(self.values, value), last)
        return round(place / last * (self._track - 1))


class TuningPanel(VerticalScroll, can_focus=False):
    """One slider for each parameter and threshold; posts what keys or the mouse change, for the screen to apply.

    Args:
        thresholds: those of the ego's trigger, if that is a plug-in.
    """

    TITLE: ClassVar[str] = "tuning"
    ABOUT: ClassVar[str] = (
        "The parameters of the ego's belief and of the gate that decides, the most useful first, and the thresholds of "
        "its trigger, if that is a plug-in; ┼ on a slider is the default, • before its name that it has another value. "
        "A change counts from the next step on and is noted in the game. Only a game that is being played can be "
        "tuned, at its newest step."
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
        self._threshold_names = [threshold.name for threshold in thresholds]
        threshold_sliders = [
            Slider(
                _cut(threshold.name),
                threshold.slider_values,
                threshold.default,
                f"threshold of the trigger: {threshold.name}",
                id=f"threshold-{number}",
            )
            for number, threshold in enumerate(thresholds)
        ]
        self._parameter_sliders = [
            Slider(
                parameter.title,
                parameter.info.slider_values,
                parameter.of(DEFAULTS),
                parameter.explanation,
                id=f"slider-{parameter.name}",
                parameter=parameter,
            )
            for parameter in TUNABLE_PARAMETERS
        ]
        self._sliders = threshold_sliders + self._parameter_sliders
        self._trigger: str | None = "gate"  # of the ego: which parameters count
        self._all = False  # whether more than the first few are shown

    def compose(self) -> ComposeResult:
        yield Static(id="untunable", markup=False)
        yield from self._sliders
        yield Static(id="more-sliders", markup=False)
        yield Static(id="chosen-slider", markup=False)

    def show_values(
        self,
        belief_config: BeliefConfig | None,
        thresholds: Sequence[NumberOption] = (),
        problem: str = "",
        *,
        trigger: str | None = "gate",
    ) -> None:
        """Shows these parameters (None where there is no belief) and thresholds.

        With a `problem` (a line of text), none of them can be changed. The `trigger` is the ego's: parameters of a gate
        that does not decide are not shown.
        """
        self._trigger = trigger
        self._belief_config = belief_config or DEFAULTS
        note = self.query_one("#untunable", Static)
        note.update(problem)
        note.display = bool(problem)
        self.border_subtitle = "" if problem else "↑↓ ←→, backspace: default"
        for slider in self._sliders:
            needs_belief = slider in self._parameter_sliders
            slider.disabled = bool(problem) or (needs_belief and belief_config is None)
        if self._sliders[self.chosen].disabled and not problem:
            self.choose(1)
        self._show_sliders()
        threshold_values = {threshold.name: threshold.value for threshold in thresholds}
        for number, name in enumerate(self._threshold_names):
            if name in threshold_values:
                self._sliders[number].value = threshold_values[name]
        for parameter, slider in zip(TUNABLE_PARAMETERS, self._parameter_sliders, strict=True):
            slider.value = parameter.of(self._belief_config)

    def watch_chosen(self) -> None:
        for number, slider in enumerate(self._sliders):
            slider.chosen = number == self.chosen
        if self.is_mounted:
            self._show_sliders()

    @property
    def _first(self) -> list[Slider]:
        """The sliders that are shown before the others: the thresholds, and a few parameters."""
        first, _ = parameters_for(self._trigger)
        return [slider for slider in self._sliders if slider.parameter is None or slider.parameter in first]

    @property
    def _counting(self) -> list[Slider]:
        """The sliders of all that counts for the ego."""
        first, others = parameters_for(self._trigger)
        return [slider for slider in self._sliders if slider.parameter is None or slider.parameter in first + others]

    def _show_sliders(self) -> None:
        """Shows the first few sliders, or all that count; below them what the chosen one does."""
        counting = self._counting
        shown = counting if self._all else self._first
        for slider in self._sliders:
            slider.display = slider in shown
        more = len(counting) - len(shown)
        note = self.query_one("#more-sliders", Static)
        note.update(f"   {more} more: ↓")
        note.display = more > 0
        self.query_one("#chosen-slider", Static).update(self._sliders[self.chosen].about)

    @on(events.Click, "#more-sliders")
    def show_all(self) -> None:
        """Shows the parameters beyond the first few, too."""
        self._all = True
        self._show_sliders()

    def choose(self, by: int) -> None:
        """Chooses the slider that the keys move, `by` places further on, around the ends."""
        counting = self._counting
        sliders = [slider for slider in counting if not slider.disabled] or counting
        current = self._sliders[self.chosen]
        place = sliders.index(current) if current in sliders else -1
        following = sliders[(place + by) % len(sliders)]
        self._all = self._all or following not in self._first
        self.chosen = self._sliders.index(following)
        following.scroll_visible(animate=False)

    def change(self, by: int) -> None:
        """Moves the chosen slider by so many of its values."""
        slider = self._sliders[self.chosen]
        self._set(self.chosen, slider.further(by))

    def reset(self) -> None:
        """Sets the chosen slider to its default."""
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
        if number < len(self._threshold_names):
            name = self._threshold_names[number]
            self.post_message(self.Changed(lambda game: game.tune_trigger(name, value)))
        else:
            parameter = TUNABLE_PARAMETERS[number - len(self._threshold_names)]
            belief_config = parameter.put(self._belief_config, value)
            self._belief_config = belief_config
            self.post_message(self.Changed(lambda game: game.reconfigure(belief_config)))


def _cut(name: str) -> str:
    """Returns a name that fits between a slider's mark and its track."""
    room = Slider.LABEL - 3
    return name if len(name) <= room else f"{name[: room - 1]}…"
