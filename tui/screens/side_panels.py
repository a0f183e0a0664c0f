"""The column of panels beside the kitchen, and which of them is shown where there is not room for all."""

from collections.abc import Sequence

from textual.app import ComposeResult

from bba.agents.planning_agent import trigger_of
from bba.analysis.replans import Replan, recent_replan
from bba.analysis.snapshot import Snapshot
from bba.play.trace import EGO
from bba.plugins.options import NumberOption
from tui.playback.source import PlaybackSource
from tui.style.base_app import motion_of
from tui.style.base_screen import ROOMY_CLASS
from tui.style.terminal import BareColumn
from tui.widgets.events import EventsPanel, SymbolsPanel
from tui.widgets.gate import AnyGatePanel, CommitmentPanel, GatePanel
from tui.widgets.kitchen_panels import CooksPanel, OrdersPanel
from tui.widgets.panel import Panel
from tui.widgets.planner import PlannerPanel
from tui.widgets.posterior import PolicyPanel, PosteriorPanel, learned
from tui.widgets.tuning import TuningPanel

SIDE_PANELS: tuple[type[Panel | EventsPanel], ...] = (
    OrdersPanel,
    PosteriorPanel,
    GatePanel,
    CommitmentPanel,
    SymbolsPanel,
    CooksPanel,
    PlannerPanel,
    PolicyPanel,
    EventsPanel,
)
FLASH, FLASHES = 0.15, 4  # seconds for which the panel of a gate lights up, and how often it does at a replan
# Classes of the screen, by which the style sheet hides and shows panels.
TUNING = "-tuning"  # the tuning panel takes the place of others
PLANNER = "-planner"  # the planner's panel takes the place of another
POLICY = "-policy"  # the policy panel takes the place of the planner's
COMMITMENT = "-commitment"  # the commitment gate's panel takes the place of the gate's
TWO_COLUMNS = "-two"  # the panels stand in two columns
BELIEF_PANELS = 5  # of the panels, so many stand in the first column: those of orders, belief and gates, symbols


class SidePanels(BareColumn):
    """All panels in one column or in two; the screen's classes decide which of them are visible.

    Args:
        thresholds: those of the ego's trigger that can be tuned.
    """

    def __init__(self, thresholds: Sequence[NumberOption] = ()) -> None:
        super().__init__(id="side")
        self._panels = [panel() for panel in SIDE_PANELS]
        self.tuning_panel = TuningPanel(thresholds)
        self._other_gate = False  # whether to show the gate that does not decide
        self._replan: int | None = None  # the step of the replan that is shown
        self._flashes = 0  # how often the light still goes on or off

    def compose(self) -> ComposeResult:
        yield BareColumn(*self._panels[:BELIEF_PANELS], id="beliefs")
        yield BareColumn(*self._panels[BELIEF_PANELS:], self.tuning_panel, id="doings")

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Shows this step in every panel but the tuning panel."""
        if not _has_both(snapshot):
            self.screen.set_class(bool(learned(snapshot)), POLICY)
        decides = trigger_of(snapshot.config.seats[EGO]) == "commitment"
        self.screen.set_class(decides != self._other_gate, COMMITMENT)
        for panel in self._panels:
            panel.show_snapshot(snapshot)
        self._mark_replan(recent_replan(snapshot))

    def _mark_replan(self, replan: Replan | None) -> None:
        """Frames the panel of the gate that made the ego replan; it flashes if the replan was not shown yet."""
        for panel in self._panels:
            if isinstance(panel, AnyGatePanel):
                panel.set_class(replan is not None and replan.trigger == panel.TRIGGER, "-replan")
        step = replan.step if replan else None
        if step is not None and step != self._replan and motion_of(self.app):
            self._flashes = 2 * FLASHES
            self._next_flash()
        self._replan = step

    def _next_flash(self) -> None:
        """Turns the light on or off, so many times."""
        self._flashes -= 1
        for panel in self.query(".-replan"):
            panel.set_class(self._flashes % 2 == 1, "-flash")
        if self._flashes > 0:
            self.set_timer(FLASH, self._next_flash)

    def toggle_gate(self) -> None:
        """Shows the other gate: at first it is the one that decides, and the preprint's where neither does."""
        self._other_gate = not self._other_gate

    # --- planner and policy ------------------------------------------------------------------------------------
    def next_planner_panel(self, snapshot: Snapshot) -> None:
        """Shows the planner's panel, then the policy panel if both are of use, then neither."""
        screen, both = self.screen, _has_both(snapshot)
        always = ROOMY_CLASS, TWO_COLUMNS  # a large terminal and one with two columns always show the planner's panel
        if both and any(map(screen.has_class, (PLANNER, *always))) and not screen.has_class(POLICY):
            screen.add_class(POLICY)
        else:
            screen.toggle_class(PLANNER)
            screen.set_class(screen.has_class(POLICY) and not both, POLICY)

    # --- tuning ------------------------------------------------------------------------------------------------
    def show_tuning(self, source: PlaybackSource, snapshot: Snapshot, *, past: bool, what_if: str) -> None:
        """Shows the parameters of the next step, or those of a past step, which cannot be changed.

        Args:
            source: the game.
            snapshot: the step that is shown.
            past: whether it is not the newest one.
            what_if: the key that forks the game.
        """
        problem = _tuning_problem(source, past=past, what_if=what_if)
        config = snapshot.config if problem else source.next_config
        self.tuning_panel.show_values(config.belief_config, source.thresholds(config), problem)


def _has_both(snapshot: Snapshot) -> bool:
    return bool(learned(snapshot)) and snapshot.config.seats[EGO].planner is not None


def _tuning_problem(source: PlaybackSource, *, past: bool, what_if: str) -> str:
    alternative = f"{what_if} asks what if."
    if source.recorded:
        return f"A recording keeps its parameters; {alternative}"
    if source.next_config.belief_config is None and not source.thresholds(source.config):
        return f"{source.config.agents[EGO]} has no belief to tune; {alternative}"
    if past:
        return f"The past keeps its parameters; {alternative}"
    return f"The game is over; {alternative}" if source.done else ""
