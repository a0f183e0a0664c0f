"""A tour of the watch screen: a box beside each panel says what the panel is for."""

from typing import Any, NamedTuple

from textual.app import ComposeResult
from textual.geometry import Offset, Region, Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from bba import palette
from human.keymap import DEFAULT, TOUR_KEYS
from tui.style.base_app import bindings, key_of
from tui.style.base_screen import Layer
from tui.widgets.panel import line

EXPLAINED = "-toured"  # the class of the panel that is explained


class TourStop(NamedTuple):
    """One stop of the tour.

    Attributes:
        panel: the panel, as a CSS selector.
        title: title of the box.
        text: the explanation; the name of an action in braces is replaced by its key.
    """

    panel: str
    title: str
    text: str


STOPS = (
    TourStop(
        "KitchenView",
        "two cooks",
        "They share a kitchen and a score. Cook 1 is the ego; cook 2 is its partner, which may switch to another role "
        "now and then. {plan} shows the planned path of both.",
    ),
    TourStop(
        "PosteriorPanel",
        "the belief",
        "The ego cannot see which role its partner plays. From every action it infers how likely each of the six roles "
        "is. │ is the confidence threshold Γ, ◆ the true role, which the ego is never told; {truth} hides it.",
    ),
    TourStop(
        "GatePanel",
        "the gate",
        "A tall block is an action that the most likely role would not take. All blocks multiply to ℓ; below θ they "
        "contradict the belief. Only when all five lamps are lit does the ego interrupt its skill and replan. The "
        "sentence says why it did not.",
    ),
    TourStop(
        "CooksPanel",
        "the skills",
        "The skill that each cook runs, what it holds, and how its last skill ended. {asked} shows word for word what "
        "the planner was asked and answered, {planner} its calls and their cost so far.",
    ),
    TourStop(
        "Timeline",
        "the whole game",
        "The belief over time, a colour for each role; below it the partner's true role, the most likely one, and "
        "whether the ego's own role complements it. ▲ is a replan, ! a contradiction, ● a delivery.",
    ),
    TourStop(
        "Timeline",
        "time travel",
        "{step_back} and {step} go one step, {next_replan} goes to the next replan, a click to any step: every panel "
        "shows that step. The game itself stays where it is; {newest} goes back to its newest step.",
    ),
    TourStop(
        "TitleBar",
        "what if",
        "{what_if} plays on from the shown step with other parameters or another agent, and shows both futures side by "
        "side. {tune} changes the parameters while the game runs. {help} lists every key, {tour} shows this again.",
    ),
)


class TourScreen(Layer[None]):
    """Leads from panel to panel over the watch screen, which goes on beneath; hidden panels are left out.

    Args:
        below: the screen that is explained.
    """

    BINDINGS = bindings(TOUR_KEYS)

    def __init__(self, below: Screen[Any]) -> None:
        super().__init__()
        self._below = below
        self._stops = [stop for stop in STOPS if self._panel(stop).region]
        self._at = 0

    def compose(self) -> ComposeResult:
        yield Static(id="stop")

    def on_mount(self) -> None:
        self._below.screen_layout_refresh_signal.subscribe(self, lambda _: self._place())
        self._show()

    def on_unmount(self) -> None:
        self._point(None)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_turn(self, by: int) -> None:
        """Goes to the next or the previous stop; ends after the last one."""
        if self._at + by >= len(self._stops):
            self.dismiss()
        else:
            self._at = max(0, self._at + by)
            self._show()

    # --- what is shown -----------------------------------------------------------------------------------------
    @property
    def stop(self) -> TourStop:
        """The stop that is shown."""
        return self._stops[self._at]

    def _panel(self, stop: TourStop) -> Widget:
        return self._below.query_one(stop.panel, Widget)

    def _show(self) -> None:
        box, keys = self.query_one("#stop", Static), {name: key_of(self.app, name) for name in DEFAULT}
        box.border_title = self.stop.title
        box.border_subtitle = f"{self._at + 1} of {len(self._stops)}   space: next   esc: end"
        box.update(line((self.stop.text.format_map(keys), palette.TEXT)))
        self._point(self._panel(self.stop))
        self.call_after_refresh(self._place)

    def _point(self, panel: Widget | None) -> None:
        for widget in self._below.query(f".{EXPLAINED}"):
            widget.remove_class(EXPLAINED)
        if panel is not None:
            panel.add_class(EXPLAINED)

    def _place(self) -> None:
        box = self.query_one("#stop")
        box.styles.offset = beside(self._panel(self.stop).region, box.outer_size, self.size)


def beside(panel: Region, box: Size, screen: Size) -> Offset:
    """Returns where a box covers no part of a panel and lies within the screen, if there is such a place."""
    places = (
        Offset(panel.x - box.width, panel.y),
        Offset(panel.right, panel.y),
        Offset(panel.x, panel.y - box.height),
        Offset(panel.x, panel.bottom),
    )
    for place in places:
        moved = Region.from_offset(place, box).translate_inside(screen.region)
        if not moved.overlaps(panel):
            return moved.offset
    return Offset(screen.width - box.width, 0)
