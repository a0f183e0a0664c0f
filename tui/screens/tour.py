"""A tour of the watch screen: what each panel is for, a few words beside each."""

from typing import Any, NamedTuple

from textual.app import ComposeResult
from textual.geometry import Offset, Region, Size
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Static

from bba import palette
from human.keymap import TOUR_KEYS, Keymap
from tui.style.key_bindings import bindings, shown
from tui.widgets.panel import line

SHOWN = "-toured"  # the class of the panel that a stop is about


class TourStop(NamedTuple):
    """One stop.

    Attributes:
        about: the panel, as a selector.
        title: what it is about.
        text: the words; a name of an action in braces stands for its key.
    """

    about: str
    title: str
    text: str


STOPS = (
    TourStop(
        "KitchenView",
        "two cooks",
        "They share a kitchen and a score. Cook 1 is the ego; cook 2 is its partner, who may turn to other work "
        "now and then. {plan} shows where both mean to go.",
    ),
    TourStop(
        "PosteriorPanel",
        "the belief",
        "The ego cannot see what its partner is up to. From every action it works out how likely each of six roles is. "
        "│ is the confidence Γ from which the likeliest counts, ◆ the truth, which the ego is never told; {truth} "
        "hides it.",
    ),
    TourStop(
        "GatePanel",
        "the gate",
        "A tall block is an action that the likeliest role would not do; together they take ℓ below θ. Only when all "
        "five lamps are lit does the ego drop its skill and plan anew. The sentence says what held it back.",
    ),
    TourStop(
        "CooksPanel",
        "the plans",
        "What both cooks run and hold, and how their last skill ended. {asked} shows word for word what the planner "
        "was asked and answered, {planner} what it has said and cost so far.",
    ),
    TourStop(
        "Timeline",
        "the whole game",
        "The belief over time, a colour for each role; below it the partner's true role, the likeliest one, and how "
        "well the ego's own goes with it. ▲ is a replan, ! a contradiction, ● a delivery.",
    ),
    TourStop(
        "Timeline",
        "time travel",
        "{step_back} and {step} go step by step, {next_replan} to the next replan, a click anywhere: every panel shows "
        "that moment. The game stays where it is; {newest} leads back to it.",
    ),
    TourStop(
        "TitleBar",
        "what if",
        "{what_if} plays on from the shown step with other figures or another agent, and shows both futures side by "
        "side. {tune} changes the figures while the game runs. {help} names every key, {tour} shows this again.",
    ),
)


class TourScreen(ModalScreen[None]):
    """Lies over the watch screen, which goes on beneath, and leads from panel to panel, past those that are not shown.

    Args:
        below: the screen that is explained.
        keymap: the keys of every action.
    """

    BINDINGS = bindings(TOUR_KEYS)

    def __init__(self, below: Screen[Any], keymap: Keymap) -> None:
        super().__init__()
        self._below, self._keymap = below, keymap
        self._stops = [stop for stop in STOPS if self._panel(stop).region]
        self._at = 0

    def compose(self) -> ComposeResult:
        """One box."""
        yield Static(id="stop")

    def on_mount(self) -> None:
        """Begin, and stay beside the panel wherever it moves."""
        self._below.screen_layout_refresh_signal.subscribe(self, lambda _: self._place())
        self._show()

    def on_unmount(self) -> None:
        """Leave the panels as they were."""
        self._point(None)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_turn(self, by: int) -> None:
        """Go to the next stop or to the one before; after the last, end."""
        if self._at + by >= len(self._stops):
            self.dismiss()
        else:
            self._at = max(0, self._at + by)
            self._show()

    def action_close(self) -> None:
        """End the tour."""
        self.dismiss()

    # --- what is shown -----------------------------------------------------------------------------------------
    @property
    def stop(self) -> TourStop:
        """Where one is."""
        return self._stops[self._at]

    def _panel(self, stop: TourStop) -> Widget:
        return self._below.query_one(stop.about, Widget)

    def _show(self) -> None:
        box, keys = self.query_one("#stop", Static), {name: shown(keys[0]) for name, keys in self._keymap.items()}
        box.border_title = self.stop.title
        box.border_subtitle = f"{self._at + 1} of {len(self._stops)}   space: next   esc: end"
        box.update(line((self.stop.text.format_map(keys), palette.TEXT)))
        self._point(self._panel(self.stop))
        self.call_after_refresh(self._place)

    def _point(self, panel: Widget | None) -> None:
        """Let this panel stand out, and no other."""
        for widget in self._below.query(f".{SHOWN}"):
            widget.remove_class(SHOWN)
        if panel is not None:
            panel.add_class(SHOWN)

    def _place(self) -> None:
        box = self.query_one("#stop")
        box.styles.offset = beside(self._panel(self.stop).region, box.outer_size, self.size)


def beside(panel: Region, box: Size, screen: Size) -> Offset:
    """Where a box goes so that it covers no part of a panel, if there is such a place, and lies within the screen."""
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
