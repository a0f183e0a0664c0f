"""What the watch screen shows: the kitchen to the left, the panels beside it, and which of them where room is short.

The terminal is divided between the kitchen, the columns of panels and the timeline.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Size

from bba.agents.planning_agent import trigger_of
from bba.analysis import Snapshot, TimelineMark, names, nearest, replans_until
from bba.kitchen import Layout
from bba.play import EGO
from tui.playback.best_scores import BestScores
from tui.playback.pauses import first_event
from tui.playback.source import PlaybackSource
from tui.screens.example_game import EXAMPLE, ExampleGame
from tui.screens.playback import PlaybackScreen
from tui.screens.side_panels import TUNING, SidePanels
from tui.style import BARS, FRAME, HEIGHTS, SMALLEST, BareColumn, key_of, panels_of, side_width
from tui.widgets import (
    EndCard,
    GameCost,
    KitchenView,
    ReplanCaption,
    SentenceLine,
    Timeline,
    TitleBar,
    ghost_path,
    lost_decisions,
    picture_size,
    tile_size,
)
from tui.widgets.timeline_drawing import BOOKMARK

MOST_NOTED = 30  # cells of a bookmark's note beside the state of the game


def _tuning_problem(source: PlaybackSource, *, past: bool) -> str:
    """Returns why the parameters of a game cannot be changed; "" where they can."""
    if source.recorded or source.opens:
        return "A recording keeps its parameters"
    if source.next_config.belief_config is None and not source.thresholds(source.config):
        return f"{source.config.agents[EGO]} has no belief to tune"
    if past:
        return "The past keeps its parameters"
    if source.done:
        return "The game is over"
    return ""


WIDE_COLUMNS = 160  # columns of the terminal from which the timeline lies under kitchen and panels
COLUMN = (36, 46)  # cells of a column of panels beside others: the least, and the most that it can be read with
SINGLE = 44  # the least of a single column on such a terminal
STRIP_FROM = 36  # rows of the terminal from which the timeline has a frame
STRIP = 6  # rows of the timeline with its frame
STRIP_LEAST = 2  # rows of the timeline on smaller ones; where there are no more, neither has a frame
STRIP_MOST = 20  # rows beyond which it grows no further; the kitchen gets the rest
PANEL_ROWS = 24  # rows that a column of panels has at least, if the timeline leaves them
SENTENCE = 1  # rows of the sentence above everything else


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


def watch_room(layout: Layout, terminal: Size, most_columns: int = 2) -> WatchRoom:
    """Divides a terminal: the largest tiles come first, then two columns of panels, then what each of them can use.

    Args:
        layout: the kitchen.
        terminal: the terminal's size.
        most_columns: the number of columns for which there are panels, 1 or 2.
    """
    body = Size(terminal.width, terminal.height - BARS - SENTENCE)
    if terminal.width < WIDE_COLUMNS:
        return _upright(layout, body)
    rooms = [_wide(layout, body, columns) for columns in range(most_columns, 0, -1)]
    return max(rooms, key=lambda room: room.tile)


def _upright(layout: Layout, body: Size) -> WatchRoom:
    """Returns the room with one column of panels over the whole height, and the timeline under the kitchen."""
    terminal_rows = body.height + BARS + SENTENCE
    strip = STRIP + FRAME if terminal_rows >= STRIP_FROM else STRIP_LEAST - SENTENCE  # tiles come first
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
    rows_for_panels = min(PANEL_ROWS, body.height - STRIP)
    rows = max(picture.height + FRAME, rows_for_panels, body.height - STRIP_MOST)
    return WatchRoom(Size(body.width - side, rows), tile, columns, rows, wide=True)


# What the card at the end of a game offers, in rows: names of actions, and what the card calls them.
END_ACTIONS = (
    {"debrief": "debrief", "next_replan": "replans", "what_if": "what if"},
    {"export": "export", "restart": "again", "menu": "menu", "go_back": "back"},
)
KEYS = 1  # rows of the keys at the bottom
NOTICE = 2  # rows of a long notice
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
        first_change: called with this screen when the clock stops at the first replan that changed the plan; None if it
            does not.
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
        first_change: Callable[["WatchView"], object] | None = None,
    ) -> None:
        self._card = None if best is None else EndCard(best)
        if self._card is None:
            self._kitchen = KitchenView(source.config.layout, explains=True)
        else:
            self._kitchen = KitchenView(source.config.layout, self._card, explains=True)
        self._side = SidePanels(source.thresholds(source.config))
        self._title = TitleBar()
        self._sentence = SentenceLine()
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
        self._first_change = None if source.recorded else first_change
        self._forked = False
        self._lifted = 0  # rows between notices and the keys
        self._example = ExampleGame(self._kitchen, self._tell_example)

    def compose(self) -> ComposeResult:
        yield self._title
        yield self._sentence
        with BareColumn(id="body"):
            yield BareColumn(self._kitchen, id="board")
            yield self._side
            yield BareColumn(self._caption, self._timeline, id="strip")
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._side.on = panels_of(self.app)
        self._divide(self.app.size)  # before the first frame, which would else be laid out twice
        self._start()
        self.call_after_refresh(self._compute_ahead)

    def on_resize(self, event: events.Resize) -> None:
        self._divide(event.size)
        self.call_after_refresh(self._show_panels)

    def rearrange(self) -> None:
        """Divides the terminal and the column of panels anew, after other panels were switched on."""
        self._room = None
        self._divide(self.size)
        self.refresh_bindings()
        self.call_after_refresh(self._show_all)

    def _divide(self, size: Size) -> None:
        """Gives the kitchen, with what stands below it, its cells of the grid; the rest is for panels and timeline."""
        room = watch_room(self.source.config.layout, size, 2 if self._side.second_column else 1)
        if room == self._room:
            return
        was_divided = self.is_mounted
        self._room = room
        self._kitchen.use_tiles(room.tile)
        body = self.query_one("#body")
        body.set_class(not room.framed, "-bare")
        body.styles.grid_columns = f"{room.kitchen.width} 1fr"
        body.styles.grid_rows = f"{room.kitchen.height} 1fr"
        fitting_heights = [name for rows, name in HEIGHTS if room.rows + BARS >= rows]  # for the panels' rows
        classes = {name: name == fitting_heights[-1] for _, name in HEIGHTS[1:]}
        classes["-wide"] = room.wide
        classes["-two"] = room.columns > 1
        self.update_classes(classes, update=was_divided, animate=False)  # a new screen computes its styles afterwards
        self._side.divide(self.snapshot, room.rows, columns=room.columns)

    def _prepare(self) -> None:
        """Prepares the game; meanwhile the board shows another one, if none of its own recordings opens it."""
        super()._prepare()
        if self._waits:
            self._example.begin(self.source.config.layout, self.set_interval)

    def _prepared(self, problem: str | None) -> None:
        was_shown = self._example.is_shown
        self._example.end()
        super()._prepared(problem)
        if was_shown:
            self._show_all()

    # --- what is shown -----------------------------------------------------------------------------------------
    def _tell_example(self, snapshot: Snapshot) -> None:
        self._sentence.show_snapshot(snapshot, f"{names.capital(EXAMPLE)}. ")

    def _show_kitchens(self, slide: float = 0.0) -> None:
        if self._example.is_shown:
            return
        super()._show_kitchens(slide)
        if self._ghost:
            self._kitchen.ghost = ghost_path(self.snapshot, self.source.options.weights)
        else:
            self._kitchen.ghost = ()

    def _show_panels(self) -> None:
        self._show_caption()
        super()._show_panels()
        if not self._example.is_shown:
            self._sentence.show_snapshot(self.snapshot)
        self._side.show_snapshot(self.snapshot)
        self._show_tuning()
        if self._card is not None:
            self._show_card(self._card)

    def _show_card(self, card: EndCard) -> None:
        """Shows at the end of the game how it went, and the keys that lead on from there."""
        snapshot = self.snapshot
        if snapshot.step < self.source.config.horizon:
            card.show_end(None)
            return
        possible = {active_binding.binding.id for active_binding in self.active_bindings.values()}
        if not replans_until(snapshot.trace, snapshot.step):
            possible.discard("next_replan")
        rows = [
            "  ".join(f"{key_of(self.app, name)} {label}" for name, label in row.items() if name in possible)
            for row in END_ACTIONS
        ]
        card.show_end(snapshot, [row for row in rows if row])

    def _show_caption(self) -> None:
        """Shows the last replan above the timeline, which loses rows to it, then its frame, or all of it.

        Notices lie over the timeline; where it has no room for them, over the lower edge of the board.
        """
        strip = self.query_one("#strip")
        room = strip.size.height
        most = room - STRIP_LEAST if room >= CAPTION_ROWS + STRIP_LEAST else room
        rows = self._caption.show_snapshot(self.snapshot, strip.size.width, most)
        strip.set_class(rows > 0 and room - rows < STRIP_LEAST + FRAME, "-captioned")
        self._timeline.display = rows == 0 or room - rows >= STRIP_LEAST - SENTENCE
        self._lift_notices(room if rows and room - rows < NOTICE else 0)

    def _lift_notices(self, rows: int) -> None:
        """Has notices lie so many rows above the keys."""
        if rows != self._lifted:
            self._lifted = rows
            for rack in self.query("#textual-toastrack"):
                rack.styles.margin = (0, 0, KEYS + rows, 0)

    def _show_title(self) -> None:
        snapshot = self.snapshot
        question = self.pending_question
        is_failing = question is not None and question.retry is not None
        is_past = self.past and not self.source.recorded
        status = f"{self._bookmark}{self.status}{lost_decisions(snapshot)}"
        if not self.source.recorded:
            status += self._cost.words(snapshot)
        self._title.show_snapshot(
            snapshot,
            status,
            past=is_past or is_failing or self._waits,
            fork="" if self.parted is None else snapshot.trace.bookmarks.get(0, ""),
        )

    @property
    def _bookmark(self) -> str:
        """The note of a bookmark, where the step that is shown has one."""
        note = self.snapshot.trace.bookmarks.get(self.snapshot.step)
        if note is None or self.parted is not None:
            return ""
        brief = Content(note).truncate(MOST_NOTED, ellipsis=True).plain
        return f"{BOOKMARK} {brief}".rstrip() + "   "

    def _show_tuning(self) -> None:
        """Shows the parameters of the next step, or those of a past step, which cannot be changed."""
        if not self.tuning:
            return
        problem = _tuning_problem(self.source, past=self.past)
        if problem:
            config = self.snapshot.config
            problem += f"; {key_of(self.app, 'what_if')} asks what if."
        else:
            config = self.source.next_config
        trigger = trigger_of(config.seats[EGO])
        self._side.tuning_panel.show_values(
            config.belief_config, self.source.thresholds(config), problem, trigger=trigger
        )

    @property
    def tuning(self) -> bool:
        """Whether the sliders are shown, and the arrow keys move them."""
        return TUNING in self._side.on

    # --- pauses at events --------------------------------------------------------------------------------------
    def _on_tick(self) -> None:
        if not self._pauses and self._first_change is None:
            super()._on_tick()
            return
        old_step = self.snapshot.step
        super()._on_tick()
        new_step = self.snapshot.step
        data = self._timeline.timeline_data_of(self.snapshot)
        change = nearest(data.marks[TimelineMark.REPLAN], old_step, forward=True)
        if self._first_change is not None and change is not None and change <= new_step:
            self._seek(change)
            self._first_change(self)
            self._first_change = None
            return
        event = first_event(data, self._pauses, old_step, new_step, truth=self._show_truth)
        if event is not None:
            step, mark = event
            self._seek(step)
            self.hint(f"paused: {mark.value} in step {step}")

    def toggle_pauses(self, mark: TimelineMark) -> None:
        """Turns the pauses at one kind of event on or off."""
        self._pauses ^= {mark}
        state = "pauses" if mark in self._pauses else "no longer pauses"
        self.hint(f"the game {state} at every {mark.value}")
