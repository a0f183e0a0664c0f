"""A slider: one of several values in a row, moved by its owner or by the mouse."""

from bisect import bisect_left, bisect_right

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from bba import palette
from tui.widgets.panel import line

VALUE_WIDTH = 6  # cells of the value
KNOB, DEFAULT, BEFORE, AFTER = "●", "┼", "━", "─"


class Slider(Widget):
    """A label, a track with a knob, and the value; posts `Moved` when the mouse takes the knob elsewhere.

    Args:
        label: what the value is.
        values: the values that it steps through, ascending; the value itself may lie between two.
        default: the value that a mark on the track stands for.
        id: the widget's id.
    """

    class Moved(Message):
        """The mouse moved the knob.

        Attributes:
            slider: the slider.
            value: its new value.
        """

        def __init__(self, slider: "Slider", value: float) -> None:
            super().__init__()
            self.slider, self.value = slider, value

    LABEL = 15  # cells of the label

    def __init__(self, label: str, values: tuple[float, ...], default: float, *, id: str) -> None:
        super().__init__(id=id)
        self.label, self.values, self.default = label, values, default
        self.value = default
        self.chosen = False
        self._dragging = False

    def show_value(self, value: float, *, chosen: bool) -> None:
        """Shows a value, and marks the slider if the keys change it."""
        if (value, chosen) != (self.value, self.chosen):
            self.value, self.chosen = value, chosen
            self.refresh()

    def further(self, by: int) -> float:
        """The slider value `by` places further up, or down if negative; at the ends the last one."""
        # From between two slider values the first step leads to the next one on that side.
        start = bisect_left(self.values, self.value) if by > 0 else bisect_right(self.values, self.value) - 1
        off = self.value not in self.values
        place = start + by + (-off if by > 0 else off)
        return self.values[max(0, min(len(self.values) - 1, place))]

    def render(self) -> Content:
        """Label, track with knob, and value, as one line."""
        width = self._track
        knob, default = self._column(self.value), self._column(self.default)
        track = [BEFORE if column < knob else AFTER for column in range(width)]
        track[default] = DEFAULT
        dim = palette.FAINT if self.disabled else palette.DIM
        knob_colour = palette.FAINT if self.disabled else palette.WARN if self.chosen else palette.TEXT
        drawn = line(("".join(track[:knob]), dim), (KNOB, knob_colour), ("".join(track[knob + 1 :]), dim))
        text = palette.DIM if self.disabled else f"bold {palette.WARN}" if self.chosen else palette.TEXT
        label = ("▸ " if self.chosen and not self.disabled else "  ") + self.label
        return line((label.ljust(self.LABEL), text)) + drawn + line((f"{self.value:>{VALUE_WIDTH}.3g}", text))

    # --- the mouse ---------------------------------------------------------------------------------------------
    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Moves the knob to the mouse and starts to follow it."""
        if event.button == 1:
            self.capture_mouse()
            self._dragging = True
            self._follow(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Follows the mouse, beyond the ends of the track too."""
        if self._dragging:
            self._follow(event)

    def on_mouse_up(self, event: events.MouseUp) -> None:  # noqa: ARG002 - Textual's signature
        """Stops following the mouse."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def _follow(self, event: events.MouseEvent) -> None:
        column = int(event.screen_x) - self.content_region.x - self.LABEL
        share = min(1.0, max(0.0, column / max(1, self._track - 1)))
        self.post_message(self.Moved(self, self.values[round(share * (len(self.values) - 1))]))

    @property
    def _track(self) -> int:
        """Cells of the track."""
        return max(1, self.content_size.width - self.LABEL - VALUE_WIDTH)

    def _column(self, value: float) -> int:
        """The column of the track in which a value lies."""
        place = min(bisect_left(self.values, value), len(self.values) - 1)
        return round(place / (len(self.values) - 1) * (self._track - 1))
