"""The panels beside the kitchen: which of them are switched on, and how many rows each has.

Orders and belief are always shown, the others are switched on and off by a digit each. Where there is no room for all
that are on, panels lose rows, then their frames, and at last those make way that were switched on longest ago.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.message import Message

from bba import palette
from bba.agents.planning_agent import trigger_of
from bba.analysis import Replan, Snapshot, recent_replan
from bba.play import EGO
from bba.plugins.options import NumberOption
from tui.style import BareColumn, key_of, motion_of
from tui.widgets import (
    AnyGatePanel,
    CommitmentGatePanel,
    CooksPanel,
    EventsPanel,
    GatePanel,
    OrdersPanel,
    Panel,
    PlannerPanel,
    PolicyPanel,
    PosteriorPanel,
    StationsPanel,
    SymbolsPanel,
    TuningPanel,
    ValuePanel,
    learned,
    line,
)

PanelClass = type[Panel | EventsPanel | TuningPanel]

# What can be switched, in the order of the digits: the name that is remembered, and what it tells.
SWITCHED = {
    "gate": "when it thinks again",
    "cooks": "what they hold and do",
    "planner": "what it has weighed",
    "stations": "what cooks, and where",
    "events": "what has happened",
    "tuning": "parameters to change",
}
TUNING = "tuning"
PLANNER = "planner"
GATE = "gate"
FLASH = 0.15  # seconds for which the panel of a gate lights up
FLASHES = 4  # how often it lights up at a replan


class SwitchesPanel(Panel):
    """The panels that can be switched on and off, each with its digit; a click does the same."""

    TITLE = "more panels"
    ABOUT = (
        "Each of these panels is switched on and off by its digit or by a click; ● are on. What is on is remembered. "
        "Where not all have room, those that were switched on last are shown."
    )

    class Switched(Message):
        """A name was clicked.

        Args:
            name: the name of the panel.
        """

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    on: Sequence[str] = ()

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - the same at every step
        for name, tells in SWITCHED.items():
            is_on = name in self.on
            mark = ("● ", palette.GOOD) if is_on else ("  ", palette.DIM)
            key = (f"{key_of(self.app, f'panel_{name}')} ", f"bold {palette.WARN}")
            yield line(key, mark, (f"{name:9}", palette.TEXT), (tells, palette.DIM))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        names = list(SWITCHED)
        if offset is not None and offset.y < len(names):
            self.post_message(self.Switched(names[offset.y]))


class PanelRows(NamedTuple):
    """How many rows a panel can have.

    Attributes:
        framed: with a frame, the most first.
        bare: without one, the most first.
        grows: whether it takes the rows that others leave.
    """

    framed: tuple[int, ...]
    bare: tuple[int, ...] = ()
    grows: bool = False


# The panels of the first column, in their order from the top, then those of the second.
BELIEF_ROWS: dict[PanelClass, PanelRows] = {
    OrdersPanel: PanelRows((7, 6), (3,)),
    PosteriorPanel: PanelRows((9,), (7,)),
    GatePanel: PanelRows((8, 7), (5,)),
    CommitmentGatePanel: PanelRows((8, 7), (5,)),
    ValuePanel: PanelRows((7,), (5,)),
}
DOING_ROWS: dict[PanelClass, PanelRows] = {
    CooksPanel: PanelRows((8, 6), (4, 2)),
    PlannerPanel: PanelRows((11, 9, 7, 6), (4,)),
    PolicyPanel: PanelRows((11, 9, 7, 6), (4,)),
    StationsPanel: PanelRows((6, 4), (2,)),
    EventsPanel: PanelRows((8, 5), (1,), grows=True),
    TuningPanel: PanelRows((12, 9), grows=True),
}
# Shown below the others where there is room left.
SWITCHES_ROWS = PanelRows((len(SWITCHED) + 2,), (len(SWITCHED),))
SYMBOLS_ROWS = PanelRows((8,), grows=True)
SIDE_PANELS: tuple[PanelClass, ...] = (*BELIEF_ROWS, SwitchesPanel, SymbolsPanel, *DOING_ROWS)
PANEL_ROWS = {**BELIEF_ROWS, **DOING_ROWS, SwitchesPanel: SWITCHES_ROWS, SymbolsPanel: SYMBOLS_ROWS}
# The panels of each switch; of several, one at a time has its place.
KINDS: dict[str, tuple[PanelClass, ...]] = {
    "gate": (GatePanel, CommitmentGatePanel, ValuePanel),
    "cooks": (CooksPanel,),
    "planner": (PlannerPanel, PolicyPanel),
    "stations": (StationsPanel,),
    "events": (EventsPanel,),
    "tuning": (TuningPanel,),
}
ALWAYS: tuple[PanelClass, ...] = (OrdersPanel, PosteriorPanel)
# Which panels lose rows first where there is no room for all.
SHRINKING: tuple[PanelClass, ...] = (
    SwitchesPanel,
    EventsPanel,
    StationsPanel,
    PlannerPanel,
    PolicyPanel,
    CooksPanel,
    TuningPanel,
    OrdersPanel,
    GatePanel,
    CommitmentGatePanel,
    ValuePanel,
    PosteriorPanel,
)


class Height(NamedTuple):
    """The rows that a panel takes, and whether it has a frame."""

    rows: int
    framed: bool


def panel_heights(on: Sequence[PanelClass], room: int, fillers: Sequence[PanelClass] = ()) -> dict[PanelClass, Height]:
    """Divides the rows of a column between panels.

    Args:
        on: the panels that are on, those that stay longest first.
        room: the rows of the column.
        fillers: panels that are shown only where the others leave room for them, too, the first one first.

    Returns:
        The height of each panel that is shown.
    """
    shown = [*on]
    while True:
        heights = _fitted(shown, room)
        if heights is not None or not shown:
            break
        shown.pop()
    heights = heights or {}
    for filler in fillers:
        with_filler = _fitted([*heights, filler], room)
        if with_filler is not None and all(with_filler[panel].framed for panel in heights):
            heights = with_filler
    left = room - sum(height.rows for height in heights.values())
    growing = [panel for panel in heights if PANEL_ROWS[panel].grows and heights[panel].framed]
    if growing:
        tallest = heights[growing[-1]]
        heights[growing[-1]] = tallest._replace(rows=tallest.rows + left)
    return heights


def _heights_of(panel: PanelClass) -> list[Height]:
    """Returns the heights that a panel can have, the most first."""
    rows = PANEL_ROWS[panel]
    return [*(Height(number, True) for number in rows.framed), *(Height(number, False) for number in rows.bare)]


def _fitted(panels: Sequence[PanelClass], room: int) -> dict[PanelClass, Height] | None:
    """Returns heights with which all these panels fit, as large as may be; None if there are none."""
    heights = {panel: _heights_of(panel)[0] for panel in panels}
    missing = sum(height.rows for height in heights.values()) - room
    for panel in SHRINKING:
        if panel not in heights:
            continue
        for larger, smaller in pairwise(_heights_of(panel)):
            if missing <= 0:
                return heights
            heights[panel] = smaller
            missing -= larger.rows - smaller.rows
    return heights if missing <= 0 else None


class SidePanels(BareColumn):
    """All panels, in one column or in two.

    Args:
        thresholds: those of the ego's trigger that can be tuned.
    """

    def __init__(self, thresholds: Sequence[NumberOption] = ()) -> None:
        super().__init__(id="side")
        self.tuning_panel = TuningPanel(thresholds)
        self._switches = SwitchesPanel()
        self._panels: dict[PanelClass, Panel | EventsPanel | TuningPanel] = {
            TuningPanel: self.tuning_panel,
            SwitchesPanel: self._switches,
        }
        for kind in SIDE_PANELS:
            if kind not in self._panels:
                self._panels[kind] = kind()
        self.on: tuple[str, ...] = ()  # what is switched on, in this order
        self.other_gate = False  # whether to show the gate that does not decide
        self.shows_policy = False  # whether the policy panel stands in the place of the planner's
        self._heights: dict[PanelClass, Height] = {}
        self._replan: int | None = None  # the step of the replan that is shown
        self._flashes = 0  # how often the light still goes on or off

    def compose(self) -> ComposeResult:
        first = (*BELIEF_ROWS, SwitchesPanel, SymbolsPanel)
        yield BareColumn(*(self._panels[panel] for panel in first), id="beliefs")
        yield BareColumn(*(self._panels[panel] for panel in DOING_ROWS), id="doings")

    # --- which panels are shown --------------------------------------------------------------------------------
    @property
    def second_column(self) -> bool:
        """Whether any panel is on that has its place in the second column."""
        return any(name != GATE for name in self.on)

    def divide(self, snapshot: Snapshot, rows: int, *, columns: int) -> None:
        """Shows the panels that are on, as far as there is room for them.

        Args:
            snapshot: the step; of a learned agent the policy is shown, and the gate that decides.
            rows: the rows of each column.
            columns: the number of columns, 1 or 2.
        """
        gates = self._gates(snapshot)
        planner = PolicyPanel if self._policy_alone(snapshot) or self.shows_policy else PlannerPanel
        panels = {name: kinds[0] for name, kinds in KINDS.items()} | {GATE: gates[0], PLANNER: planner}
        last_first = [panels[name] for name in reversed(self.on)]
        fillers: list[PanelClass] = [SwitchesPanel]
        if GATE in self.on:
            fillers = [*gates[1:], SwitchesPanel, SymbolsPanel] if columns > 1 else fillers
        if columns > 1:
            beliefs = [panel for panel in last_first if panel in BELIEF_ROWS]
            doings = [panel for panel in last_first if panel in DOING_ROWS]
            heights = panel_heights([*ALWAYS, *beliefs], rows, fillers) | panel_heights(doings, rows)
        else:
            heights = panel_heights([*_newest_before(last_first)], rows, fillers)
        self._switches.on = self.on
        self._heights = heights
        for kind, panel in self._panels.items():
            height = heights.get(kind)
            panel.display = height is not None
            if height is not None:
                panel.styles.height = height.rows
                panel.set_class(not height.framed, "-frameless")
        self.query_one("#doings").display = any(kind in DOING_ROWS for kind in heights)

    def _gates(self, snapshot: Snapshot) -> Sequence[PanelClass]:
        """Returns the panels of gates that may be shown, the one that comes first first."""
        trigger = trigger_of(snapshot.config.seats[EGO])
        if trigger == "value":  # neither of the other gates decides
            return (GatePanel,) if self.other_gate else (ValuePanel,)
        gates = (GatePanel, CommitmentGatePanel)
        return gates if (trigger == "commitment") == self.other_gate else gates[::-1]

    def makes_way(self, name: str) -> bool:
        """Whether a panel is on, but has no room."""
        return name in self.on and not any(kind in self._heights for kind in KINDS[name])

    def switch(self, name: str, snapshot: Snapshot) -> None:
        """Switches a panel on or off; of planner and policy, if both are of use, first the one, then the other."""
        others = tuple(other for other in self.on if other != name)
        if name not in self.on or self.makes_way(name):
            self.on = (*others, name)
            self.shows_policy = False if name == PLANNER else self.shows_policy
        elif name == PLANNER and _has_both(snapshot) and not self.shows_policy:
            self.shows_policy = True
        else:
            self.on = others

    @staticmethod
    def _policy_alone(snapshot: Snapshot) -> bool:
        return bool(learned(snapshot)) and not _has_both(snapshot)

    # --- what they show ----------------------------------------------------------------------------------------
    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Shows this step in every panel that is shown, but for the tuning panel."""
        for kind, panel in self._panels.items():
            if kind in self._heights and not isinstance(panel, TuningPanel):
                panel.show_snapshot(snapshot)
        self._mark_replan(recent_replan(snapshot))

    def _mark_replan(self, replan: Replan | None) -> None:
        """Frames the panel of the gate that made the ego replan; it flashes if the replan was not shown yet."""
        for panel in self._panels.values():
            if isinstance(panel, AnyGatePanel | ValuePanel):
                panel.set_class(replan is not None and replan.trigger == panel.TRIGGER, "-replan")
        step = None if replan is None else replan.step
        is_new = step is not None and step != self._replan
        self._replan = step
        if is_new and motion_of(self.app):
            self._flashes = 2 * FLASHES
            self._next_flash()

    def _next_flash(self) -> None:
        """Turns the light on or off, so many times."""
        self._flashes -= 1
        self.query(".-replan").set_class(self._flashes % 2 == 1, "-flash")
        if self._flashes > 0:
            self.set_timer(FLASH, self._next_flash)


def _newest_before(last_first: Sequence[PanelClass]) -> Iterable[PanelClass]:
    """Yields the panels of a single column, those that stay longest first: belief, the newest one, a gate, orders."""
    gates = [panel for panel in last_first[1:] if panel in KINDS[GATE]]
    others = [panel for panel in last_first[1:] if panel not in gates]
    yield from (PosteriorPanel, *last_first[:1], *gates, OrdersPanel, *others)


def _has_both(snapshot: Snapshot) -> bool:
    """Returns whether there is something to show of a planner and of a learned policy."""
    has_policy = bool(learned(snapshot))
    has_planner = snapshot.config.seats[EGO].planner is not None
    return has_policy and has_planner
