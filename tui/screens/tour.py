"""A tour of the watch screen: a box beside each panel says what the panel is for."""

from collections.abc import Collection
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.geometry import Offset, Region, Size
from textual.widget import Widget
from textual.widgets import Static

from bba import palette
from bba.play import EGO
from human.keymap import DEFAULT, TOUR_KEYS
from tui.screens.watch_view import WatchView
from tui.style import Layer, bindings, key_of
from tui.widgets import line

EXPLAINED = "-toured"  # the class of the panel that is explained


class TourStop(NamedTuple):
    """One stop of the tour.

    Attributes:
        panel: the panel, as a CSS selector.
        title: title of the box.
        text: the explanation; the name of an action in braces is replaced by its key.
        without: the explanation where the ego has no belief; "" for the same.
        unplanned: the explanation where the ego has no planner; "" for the same.
    """

    panel: str
    title: str
    text: str
    without: str = ""
    unplanned: str = ""


STOPS = (
    TourStop(
        "ReplanCaption",
        "the plan",
        "Blue (cook 1, the ego) has just thought its plan over. Here it says why: what it expected of orange (cook 2, "
        "its partner), what it believes now, and what it does about it. {next_replan} goes to the next change of plan.",
    ),
    TourStop(
        "KitchenView",
        "two cooks",
        "Blue (cook 1, the ego) cannot see what orange (cook 2, its partner) means to do. It guesses from each move, "
        "and drops its plan when the guess proves wrong: the line on top says so. {plan} shows their planned paths.",
    ),
    TourStop(
        "PosteriorPanel",
        "the belief",
        "The ego cannot see which role its partner plays. From every action it infers how likely each of the six roles "
        "is. │ is the confidence threshold Γ, ◆ the true role, which the ego is not told; {truth} hides it.",
        "This ego has no belief about its partner. The rows show an observer's, which no cook acts on: how likely each "
        "of the six roles is, given the partner's actions. ◆ is the true role; {truth} hides it.",
    ),
    TourStop(
        "GatePanel",
        "the gate",
        "A tall block is an action that the most likely role would not take. All blocks multiply to ℓ; below θ they "
        "contradict the belief. If this gate decides, five lit lamps make the ego drop its skill and replan. The "
        "sentence says why it did not.",
        "This ego has no gate. The lamps are an observer's: with all five lit, an ego with a gate would have dropped "
        "its skill. A tall block is an action that the most likely role would not take.",
    ),
    TourStop(
        "ValuePanel",
        "the gate",
        "When its belief has moved, the ego asks its planner whether another plan is worth more by now. The bar is "
        "what the best other plan would gain, in points; beyond │ the ego changes its plan.",
    ),
    TourStop(
        "CooksPanel",
        "the skills",
        "The skill that each cook runs, what it holds, and how its last skill ended. {asked} shows word for word what "
        "the planner was asked and answered, {planner} its calls and their cost so far.",
        unplanned="The skill that each cook runs, what it holds, and how its last skill ended.",
    ),
    TourStop(
        "SwitchesPanel",
        "more panels",
        "{panel_gate} to {panel_tuning} switch further panels on and off: when and why the ego thinks again, what its "
        "planner was asked, and more. What is on is remembered. {thought} hides the bubble over the ego.",
    ),
    TourStop(
        "Timeline",
        "the whole game",
        "A belief over time, a colour for each role; below it what the partner does, the guess, and "
        "whether the ego's own role complements it. ▲ is a replan that changed the plan, △ one that kept it, ! a "
        "contradiction, ● a delivery.",
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


CAPTION = "ReplanCaption"
AT_FIRST_CHANGE = (CAPTION, "PosteriorPanel")  # all that is explained where a first change stops the game


class TourScreen(Layer[bool]):
    """Leads from panel to panel over the watch screen, which stands still beneath; hidden panels are left out.

    It may come by itself, so a key that it has no use for ends it and is left to the screen beneath. It returns whether
    it was ended by a key of its own.

    Args:
        below: the screen that is explained.
        panels: the panels that are explained; None for all.
    """

    SITUATION = "on the tour"

    BINDINGS = bindings(TOUR_KEYS)

    def __init__(self, below: WatchView, panels: Collection[str] | None = None) -> None:
        super().__init__()
        self._below = below
        self._stops = [stop for stop in STOPS if self._is_shown(stop) and (panels is None or stop.panel in panels)]
        self._number = 0  # of the stop that is shown

    def compose(self) -> ComposeResult:
        yield Static(id="stop")

    def on_mount(self) -> None:
        self._below.screen_layout_refresh_signal.subscribe(self, lambda _: self._place())
        self._show()

    def on_unmount(self) -> None:
        self._point(None)

    # --- keys --------------------------------------------------------------------------------------------------
    def action_turn(self, by: int) -> None:
        number = self._number + by
        if number >= len(self._stops):
            self.dismiss(True)
        else:
            self._number = max(0, number)
            self._show()

    def on_key(self, event: events.Key) -> None:
        self.dismiss(False)
        self.app.call_later(self.app.simulate_key, event.key)

    # --- what is shown -----------------------------------------------------------------------------------------
    @property
    def stop(self) -> TourStop:
        """The stop that is shown."""
        return self._stops[self._number]

    def _is_shown(self, stop: TourStop) -> bool:
        """Whether a panel has room; a caption that has only just come up gets it with the next layout."""
        panel = self._panel(stop)
        return bool(panel.region) or (stop.panel == CAPTION and panel.display)

    def _panel(self, stop: TourStop) -> Widget:
        return self._below.query_one(stop.panel, Widget)

    def _show(self) -> None:
        stop = self.stop
        box = self.query_one("#stop", Static)
        box.border_title = stop.title
        box.border_subtitle = f"{self._number + 1}/{len(self._stops)}  space next  other keys end"
        ego = self._below.snapshot.config.seats[EGO]
        text = stop.text
        if ego.belief_config is None and stop.without:
            text = stop.without
        elif not ego.plans and stop.unplanned:
            text = stop.unplanned
        keys = {name: key_of(self.app, name) for name in DEFAULT}
        box.update(line((text.format_map(keys), palette.TEXT)))
        self._point(self._panel(stop))
        self.call_after_refresh(self._place)

    def _point(self, panel: Widget | None) -> None:
        self._below.query(f".{EXPLAINED}").remove_class(EXPLAINED)
        if panel is not None:
            panel.add_class(EXPLAINED)

    def _place(self) -> None:
        box = self.query_one("#stop")
        panel = self._panel(self.stop).region
        screen = self.size - (0, 1)  # without the footer
        box.styles.offset = place_beside(panel, box.outer_size, screen)


def place_beside(panel: Region, box: Size, screen: Size) -> Offset:
    """Returns where a box within the screen covers none of a panel, or as little as it can."""
    corner = Offset(screen.width - box.width, 0)
    places = (
        Offset(panel.x - box.width, panel.y),
        Offset(panel.right, panel.y),
        Offset(panel.x, panel.y - box.height),
        Offset(panel.x, panel.bottom),
        corner,
    )
    regions = [Region.from_offset(place, box).translate_inside(screen.region) for place in places]
    return min(regions, key=lambda region: region.intersection(panel).area).offset
