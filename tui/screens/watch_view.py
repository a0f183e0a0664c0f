"""What the watch screen shows: the kitchen to the left, the panels beside it, and which of them where room is short.

The terminal is divided between the kitchen, the columns of panels and the timeline.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size

from bba.agents.planning_agent import trigger_of
from bba.analysis import Replan, Snapshot, TimelineMark, recent_replan
from bba.kitchen import Layout
from bba.play import EGO
from bba.plugins.options import NumberOption
from tui.playback.source import BestScores, PlaybackSource, first_event
from tui.screens.playback import PlaybackScreen
from tui.style import BARS, FRAME, HEIGHTS, ROOMY_CLASS, SMALLEST, BareColumn, key_of, motion_of, side_width
from tui.widgets import (
    AnyGatePanel,
    CommitmentPanel,
    CooksPanel,
    EndCard,
    EventsPanel,
    GameCost,
    GatePanel,
    KitchenView,
    OrdersPanel,
    Panel,
    PlannerPanel,
    PolicyPanel,
    PosteriorPanel,
    ReplanCaption,
    SymbolsPanel,
    Timeline,
    TitleBar,
    TuningPanel,
    ghost_path,
    learned,
    lost_decisions,
    picture_size,
    tile_size,
)
from tui.widgets.timeline_drawing import BOOKMARK

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
MOST_NOTED = 30  # cells of a bookmark's note beside the state of the game
# seconds for which the panel of a gate lights up, and how often it does at a replan
FLASH = 0.15
FLASHES = 4
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
        self.other_gate = False  # whether to show the gate that does not decide
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
        self.screen.set_class(decides != self.other_gate, COMMITMENT)
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
        self.query(".-replan").set_class(self._flashes % 2 == 1, "-flash")
        if self._flashes > 0:
            self.set_timer(FLASH, self._next_flash)

    # --- planner and policy ------------------------------------------------------------------------------------
    def next_planner_panel(self, snapshot: Snapshot) -> None:
        """Shows the planner's panel, then the policy panel if both are of use, then neither."""
        screen = self.screen
        both = _has_both(snapshot)
        always = ROOMY_CLASS, TWO_COLUMNS  # a large terminal and one with two columns always show the planner's panel
        if both and any(map(screen.has_class, (PLANNER, *always))) and not screen.has_class(POLICY):
            screen.add_class(POLICY)
        else:
            screen.toggle_class(PLANNER)
            screen.set_class(screen.has_class(POLICY) and not both, POLICY)


def _has_both(snapshot: Snapshot) -> bool:
    return bool(learned(snapshot)) and snapshot.config.seats[EGO].planner is not None


def _tuning_problem(source: PlaybackSource, *, past: bool, what_if: str) -> str:
    tunable = source.next_config.belief_config is not None or source.thresholds(source.config)
    problems = (
        (source.recorded, "A recording keeps its parameters"),
        (not tunable, f"{source.config.agents[EGO]} has no belief to tune"),
        (past, "The past keeps its parameters"),
        (source.done, "The game is over"),
    )
    return next((f"{problem}; {what_if} asks what if." for there, problem in problems if there), "")


WIDE_COLUMNS = 160  # columns of the terminal from which the timeline lies under kitchen and panels
COLUMN = (36, 46)  # cells of a column of panels beside others: the least, and the most that it can be read with
SINGLE = 44  # the least of a single column on such a terminal
# rows of the timeline with its frame, on terminals of so many rows or more
STRIP = 6
STRIP_FROM = 36
STRIP_LEAST = 2  # rows of the timeline on smaller ones; where there are no more, neither has a frame
STRIP_MOST = 20  # rows beyond which it grows no further; the kitchen gets the rest
BOTH_GATES_ROWS = 32  # rows that a column with both gates takes
FOOTNOTE = BOTH_GATES_ROWS + 6  # rows from which the symbols are explained below them


class WatchRoom(NamedTuple):
    """Sizes in cells.

    Attributes:
        kitchen: the room of the kitchen, with its frame.
        tile: the tiles' edge in pixels.
        columns: the number of columns of panels, 1 or 2.
        rows: rows of these columns.
        wide: whether the timeline lies under kitchen and panels, not under the kitchen alone.
        framed: whether kitchen and timeline have frames.
    """

    kitchen: Size
    tile: int
    columns: int
    rows: int
    wide: bool
    framed: bool = True


def watch_room(layout: Layout, terminal: Size) -> WatchRoom:
    """Divides a terminal: the largest tiles come first, then two columns of panels, then what each of them can use."""
    body = Size(terminal.width, terminal.height - BARS)
    if terminal.width < WIDE_COLUMNS:
        return _upright(layout, body)
    return max((_wide(layout, body, columns) for columns in (2, 1)), key=lambda room: room.tile)


def _upright(layout: Layout, body: Size) -> WatchRoom:
    """Returns the room with one column of panels over the whole height, and the timeline under the kitchen."""
    strip = STRIP + FRAME if body.height + BARS >= STRIP_FROM else STRIP_LEAST
    side = side_width(body.width)
    tile = tile_size(layout, Size(body.width - side - FRAME, body.height - strip))
    picture = picture_size(layout, tile)
    framed = body.height - picture.height >= STRIP_LEAST + 2 * FRAME
    frame = FRAME if framed else 0
    width = max(picture.width + frame, body.width - max(side, COLUMN[1]))
    return WatchRoom(Size(width, picture.height + frame), tile, 1, body.height, wide=False, framed=framed)


def _wide(layout: Layout, body: Size, columns: int) -> WatchRoom:
    """Returns the room with the timeline under kitchen and panels, which have so many columns."""
    least = columns * COLUMN[0] if columns > 1 else SINGLE
    tile = tile_size(layout, Size(body.width - least - FRAME, body.height - STRIP - FRAME))
    picture = picture_size(layout, tile)
    side = min(body.width - picture.width - FRAME, columns * COLUMN[1])
    rows = max(picture.height + FRAME, min(BOTH_GATES_ROWS, body.height - STRIP), body.height - STRIP_MOST)
    return WatchRoom(Size(body.width - side, rows), tile, columns, rows, wide=True)


# What the card at the end of a game offers: actions by name, in words.
WAYS_ON = {"what_if": "what if", "export": "export", "restart": "again", "menu": "menu", "go_back": "back"}
CAPTION_ROWS = 4  # rows for the caption of a replan below which it takes those of the timeline, too


class WatchView(PlaybackScreen):
    """Plays a game and shows it; `WatchScreen` adds the keys.

    Args:
        source: the game.
        speed, autostart, show_truth: as in `PlaybackScreen`.
        at: the step that is shown at first; None for the newest one, or the start of a recording.
        parted: the number of steps that a fork shares with its original; None for a game that is no fork.
        pause_on: the events at which watching pauses.
        best: the best scores so far, for the card at the end; None shows no card.
        keep: keeps a game before it is gone, one that is no `glance` also if it is short; None keeps none.
    """

    VERTICAL_BREAKPOINTS = [HEIGHTS[0], (SMALLEST[1], "-fits-down")]  # noqa: RUF012 - the others are up to the panels' room

    _room: WatchRoom | None = None  # how the terminal is divided

    def __init__(
        self,
        source: PlaybackSource,
        *,
        speed: float = 10.0,
        autostart: bool = True,
        show_truth: bool = True,
        at: int | None = None,
        parted: int | None = None,
        pause_on: Iterable[TimelineMark] = (),
        best: BestScores | None = None,
        keep: Callable[..., object] | None = None,
    ) -> None:
        self._card = EndCard(best) if best is not None else None
        above = (self._card,) if self._card is not None else ()
        self._kitchen = KitchenView(source.config.layout, *above, explains=True)
        self._side = SidePanels(source.thresholds(source.config))
        self._title = TitleBar()
        self._ghost = False  # whether the ghost path is shown
        self._caption = ReplanCaption()
        self._cost = GameCost()
        super().__init__(
            (source,), (self._kitchen,), Timeline(), speed=speed, autostart=autostart, show_truth=show_truth
        )
        if at is not None:
            self._playhead.seek(at, self.newest)
        self.parted = parted
        self._pauses = frozenset(pause_on)
        self._keep = keep
        self._forked = False

    def compose(self) -> ComposeResult:
        yield self._title
        with BareColumn(id="body"):
            yield BareColumn(self._kitchen, id="board")
            yield self._side
            yield BareColumn(self._caption, self._timeline, id="strip")
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._divide(self.app.size)  # before the first frame, which would else be laid out twice
        self._start()
        self.call_after_refresh(self._compute_ahead)

    def on_resize(self, event: events.Resize) -> None:
        self._divide(event.size)
        self.call_after_refresh(self._show_panels)

    def _divide(self, size: Size) -> None:
        """Gives the kitchen, with what stands below it, its cells of the grid; the rest is for panels and timeline."""
        room = watch_room(self.source.config.layout, size)
        if room == self._room:
            return
        shown_before = self._room is not None
        self._room = room
        self._kitchen.use_tiles(room.tile)
        body = self.query_one("#body").set_class(not room.framed, "-bare")
        body.styles.grid_columns = f"{room.kitchen.width} 1fr"
        body.styles.grid_rows = f"{room.kitchen.height} 1fr"
        fits = next(name for rows, name in reversed(HEIGHTS) if room.rows + BARS >= rows)  # for the panels' rows
        heights = {name: name == fits for _, name in HEIGHTS[1:]}
        widths = {"-wide": room.wide, TWO_COLUMNS: room.columns > 1}
        classes = {**heights, **widths, "-footnote": room.rows >= FOOTNOTE}
        self.update_classes(classes, update=shown_before, animate=False)  # a new screen computes its styles afterwards

    # --- what is shown -----------------------------------------------------------------------------------------
    def _show_kitchens(self, slide: float = 0.0) -> None:
        super()._show_kitchens(slide)
        self._kitchen.ghost = ghost_path(self.snapshot, self.source.options.weights) if self._ghost else ()

    def _show_panels(self) -> None:
        self._show_caption()
        super()._show_panels()
        self._side.show_snapshot(self.snapshot)
        self._show_tuning()
        if self._card is not None:
            end = self.snapshot if self.snapshot.step >= self.source.config.horizon else None
            now = {active.binding.id for active in self.active_bindings.values()} if end else ()
            ways = (f"{key_of(self.app, name)} {words}" for name, words in WAYS_ON.items() if name in now)
            self._card.show_end(end, "  ".join(ways))

    def _show_caption(self) -> None:
        """Shows the last replan above the timeline, which loses rows to it, then its frame, or all of it."""
        strip = self.query_one("#strip")
        room = strip.size.height
        most = room - STRIP_LEAST if room >= CAPTION_ROWS + STRIP_LEAST else room
        rows = self._caption.show_snapshot(self.snapshot, strip.size.width, most)
        strip.set_class(rows > 0 and room - rows < STRIP_LEAST + FRAME, "-captioned")
        self._timeline.display = rows == 0 or room - rows >= STRIP_LEAST

    def _show_title(self) -> None:
        snapshot = self.snapshot
        asked = self.asked
        failing = asked is not None and asked.retry is not None
        past = (self.past and not self.source.recorded) or self._preparation.waiting or failing
        cost = "" if self.source.recorded else self._cost.words(snapshot)
        self._title.show_snapshot(
            snapshot,
            f"{self._bookmark}{self.status}{lost_decisions(snapshot)}{cost}",
            past=past,
            fork="" if self.parted is None else snapshot.trace.notes.get(0, ""),
        )

    @property
    def _bookmark(self) -> str:
        """The note of a bookmark, where the step that is shown has one."""
        note = self.snapshot.trace.notes.get(self.snapshot.step)
        if note is None or self.parted is not None:
            return ""
        return f"{BOOKMARK} {Content(note).truncate(MOST_NOTED, ellipsis=True).plain}".rstrip() + "   "

    def _show_tuning(self) -> None:
        """Shows the parameters of the next step, or those of a past step, which cannot be changed."""
        if self.tuning:
            problem = _tuning_problem(self.source, past=self.past, what_if=key_of(self.app, "what_if"))
            config = self.snapshot.config if problem else self.source.next_config
            self._side.tuning_panel.show_values(config.belief_config, self.source.thresholds(config), problem)

    @property
    def tuning(self) -> bool:
        """Whether the sliders are shown, and the arrow keys move them."""
        return self.has_class(TUNING)

    # --- pauses at events --------------------------------------------------------------------------------------
    def _on_tick(self) -> None:
        before = self.snapshot.step if self._pauses else 0
        super()._on_tick()
        if not self._pauses:
            return
        data = self._timeline.timeline_data_of(self.snapshot)
        now = self.snapshot.step
        found = first_event(data, self._pauses, before, now, truth=self._show_truth)
        if found is not None:
            step, mark = found
            self._seek(step)
            self.hint(f"paused: {mark.value} in step {step}")

    def toggle_pauses(self, mark: TimelineMark) -> None:
        """Turns the pauses at one kind of event on or off."""
        self._pauses ^= {mark}
        state = "pauses" if mark in self._pauses else "no longer pauses"
        self.hint(f"the game {state} at every {mark.value}")
