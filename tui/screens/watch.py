"""The screen on which a game is watched: the kitchen to the left, the panels to the right."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.geometry import Size
from textual.message import Message

from bba.analysis.snapshot import Snapshot
from bba.analysis.timeline import TimelineMark
from bba.errors import BBAError
from human.keymap import COMPARISON_KEYS, CURSOR_KEYS, DEFAULT, TUNING_KEYS, WATCH_KEYS, Keymap
from tui.playback.best_scores import BestScores
from tui.playback.ghost import GhostPath
from tui.playback.pauses import EventPauses
from tui.playback.source import PlaybackSource
from tui.screens.playback import ForkResult, PlaybackScreen
from tui.screens.side_panels import TUNING, TWO_COLUMNS, SidePanels
from tui.screens.watch_room import FOOTNOTE, STRIP_LEAST, WatchRoom, watch_room
from tui.style.base_app import BaseApp, bindings, shown
from tui.style.base_screen import FRAME, HEIGHTS, SMALLEST
from tui.widgets.end_card import EndCard
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.model_words import GameCost
from tui.widgets.panel import TitleBar
from tui.widgets.planner import lost_decisions
from tui.widgets.replan_caption import ReplanCaption
from tui.widgets.timeline import Timeline
from tui.widgets.tuning import TuningPanel

if TYPE_CHECKING:
    from tui.screens.bookmarks import Bookmark

# What the card at the end of a game offers: actions by name, in words.
WAYS_ON = {"what_if": "what if", "export": "export", "restart": "again", "menu": "menu", "go_back": "back"}
CAPTION = 4  # rows for the caption of a replan below which it takes those of the timeline, too
AHEAD, BREATH = 20, 0.002  # steps of a recording computed at a time, and seconds in between, so that keys stay quick


class WatchScreen(PlaybackScreen):
    """Plays a game and shows it.

    Args:
        source: the game.
        speed, autostart, show_truth: as in `PlaybackScreen`.
        at: the step that is shown at first; None for the newest one, or the start of a recording.
        parted: the number of steps that a fork shares with its original; None for a game that is no fork.
        pause_on: the events at which watching pauses.
        best: the best scores so far, for the card at the end; None shows no card.
    """

    @dataclass
    class ExportRequested(Message):
        """Somebody wants to write the game to a file; `snapshot` is the game, and the step that is shown."""

        snapshot: Snapshot

    VERTICAL_BREAKPOINTS = [HEIGHTS[0], (SMALLEST[1], "-fits-down")]  # noqa: RUF012 - the others are up to the panels' room
    BINDINGS = bindings((*TUNING_KEYS, *CURSOR_KEYS, *WATCH_KEYS, *COMPARISON_KEYS[:1]))

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
    ) -> None:
        self._kitchen = KitchenView(source.config.layout, explains=True)
        self._side, self._title, self._ghost = SidePanels(), TitleBar(), GhostPath(source)
        self._caption, self._card = ReplanCaption(), EndCard(best) if best is not None else None
        self._cost = GameCost()
        super().__init__(
            (source,), (self._kitchen,), Timeline(), speed=speed, autostart=autostart, show_truth=show_truth
        )
        if at is not None:
            self._playhead.seek(at, self.newest)
        self._parted, self._pauses = parted, EventPauses(pause_on)

    def compose(self) -> ComposeResult:
        yield self._title
        with Container(id="body"):
            yield Vertical(self._kitchen, id="board")
            yield self._side
            yield Vertical(self._caption, self._timeline, id="strip")
        if self._card is not None:
            yield self._card
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._divide(self.app.size)  # before the first frame, which would else be laid out twice
        self._start()
        self.call_after_refresh(self._compute_ahead)

    def on_resize(self, event: events.Resize) -> None:
        """Divides the terminal between kitchen, panels and timeline."""
        self._divide(event.size)
        self.call_after_refresh(self._show_panels)

    def _divide(self, size: Size) -> None:
        """Gives the kitchen, with what stands below it, its cells of the grid; the rest is for panels and timeline."""
        room = watch_room(self.source.config.layout, size)
        if room == self._room:
            return
        self._room = room
        self._kitchen.use_tiles(room.tile)
        body = self.query_one("#body").set_class(not room.framed, "-bare")
        body.styles.grid_columns = f"{room.kitchen.width} 1fr"
        body.styles.grid_rows = f"{room.kitchen.height} 1fr"
        heights = {name: name == room.height_class for _, name in HEIGHTS[1:]}
        widths = {"-wide": room.wide, TWO_COLUMNS: room.columns > 1}
        self.update_classes({**heights, **widths, "-footnote": room.rows >= FOOTNOTE}, animate=False)

    @property
    def is_fork(self) -> bool:
        """Whether the game was forked from another one, to which one can go back."""
        return self._parted is not None

    # --- what is shown -----------------------------------------------------------------------------------------
    def _show_kitchens(self, slide: float = 0.0) -> None:
        super()._show_kitchens(slide)
        self._kitchen.show_ghost(self._ghost.tiles(self.snapshot))

    def _show_panels(self) -> None:
        self._show_caption()
        super()._show_panels()
        self._side.show_snapshot(self.snapshot)
        self._show_tuning()
        if self._card is not None:
            end = self.snapshot if self.snapshot.step >= self.source.config.horizon else None
            self._card.show_end(end, self._ways_on if end else "", self._kitchen.region)

    @property
    def _ways_on(self) -> str:
        """The keys for what can be done at the end of a game."""
        now = {active.binding.id for active in self.active_bindings.values()}
        return "  ".join(f"{shown(self._keymap[name][0])} {words}" for name, words in WAYS_ON.items() if name in now)

    def _show_caption(self) -> None:
        """Shows the last replan above the timeline, which loses rows to it, then its frame, or all of it."""
        strip = self.query_one("#strip")
        room = strip.size.height
        most = room - STRIP_LEAST if room >= CAPTION + STRIP_LEAST else room
        rows = self._caption.show_snapshot(self.snapshot, strip.size.width, most)
        strip.set_class(rows > 0 and room - rows < STRIP_LEAST + FRAME, "-captioned")
        self._timeline.display = rows == 0 or room - rows >= STRIP_LEAST

    def _show_title(self) -> None:
        snapshot, asked = self.snapshot, self.asked
        failing = asked is not None and asked.retry is not None
        past = (self.past and not self.source.recorded) or self._preparation.waiting or failing
        cost = "" if self.source.recorded else self._cost.words(snapshot)
        self._title.show_snapshot(snapshot, f"{self.status}{lost_decisions(snapshot)}{cost}", past=past)

    def _compute_ahead(self) -> None:
        """Computes a recording in small slices while it is watched, so that every step of it can be shown."""
        if self.source.recorded and not (self.source.done or any(self._stuck)):
            self._play(AHEAD)
            self.set_timer(BREATH, self._compute_ahead)

    # --- pauses at events --------------------------------------------------------------------------------------
    def _on_tick(self) -> None:
        before = self.snapshot.step
        super()._on_tick()
        if self._pauses.marks:
            self._pause_at_event(before)

    def _pause_at_event(self, before: int) -> None:
        """Pauses at the first event that was played since a step, and shows it."""
        data, now = self._timeline.timeline_data_of(self.snapshot), self.snapshot.step
        found = self._pauses.first(data, before, now, truth=self._show_truth)
        if found is not None:
            step, mark = found
            self._seek(step)
            self.hint(f"paused: {mark.value} in step {step}")

    def toggle_pauses(self, mark: TimelineMark) -> None:
        """Turns the pauses at one kind of event on or off."""
        self._pauses.toggle(mark)
        state = "pauses" if mark in self._pauses.marks else "no longer pauses"
        self.hint(f"the game {state} at every {mark.value}")

    # --- keys --------------------------------------------------------------------------------------------------
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # The keys of cursor and sliders come before the others on the same keys, but only while those are on.
        match action:
            case "point" | "leave_cursor":
                return self.pointing
            case "tune_choose" | "tune_change" | "tune_reset" | "leave_tuning":
                return self.tuning
            case "back":
                return self._parted is not None
            case "export" | "bookmark":
                return not self.app.is_web  # a visitor in the browser may not write files here
        return super().check_action(action, parameters)

    def action_restart(self) -> None:
        """Begins the game again; goes to the start of a recording, and to where a fork parts from its original.

        A game that is under way would be lost, so this asks first.
        """
        if self._parted is not None:
            self._seek(self._parted)
        elif self.source.recorded:
            self._travel(0)
        elif self.source.done or not self.newest:
            self._begin_again()
        else:
            from tui.screens.dialogs import ConfirmDialog

            question = ConfirmDialog("Begin this game again?", yes="Begin again", no="Go on")
            self.app.push_screen(question, partial(self._begin_again_if, self.playing))
            self._pause()

    def _begin_again_if(self, played: bool, sure: bool | None) -> None:
        """Begins again if somebody is sure; the clock runs as it did before the question."""
        if sure:
            self._begin_again()
        self._set_playing(played)

    def _begin_again(self) -> None:
        self._owes_step = False
        self.source.restart()
        self._prepare()
        self._playhead.rewind()
        self._show_all()

    def action_export(self) -> None:
        self._pause()
        self.post_message(self.ExportRequested(self.snapshot))

    def action_bookmark(self) -> None:
        """Asks for the note of a bookmark at the step that is shown."""
        from tui.screens.bookmarks import BookmarkDialog

        self._pause()
        step = self.snapshot.step
        self.app.push_screen(BookmarkDialog(step, self.snapshot.trace.notes.get(step)), partial(self._bookmark, step))

    def _bookmark(self, step: int, answer: "Bookmark | None") -> None:
        if answer is None:
            return
        try:
            self.source.bookmark(step, answer.note)
        except BBAError as error:
            self.notify(f"The bookmark is not in the file: {error}", severity="error", markup=False)
        self._show_all()

    def action_tour(self) -> None:
        from tui.screens.tour import TourScreen

        self.app.push_screen(TourScreen(self, self._keymap))

    def action_asked(self) -> None:
        from tui.screens.model_calls import ModelCallsScreen

        self._pause()
        self.app.push_screen(ModelCallsScreen(self.snapshot, self.source.options.prompts))

    def action_other_gate(self) -> None:
        if self._side.shows_both_gates:
            self.hint("both gates are shown")
        self._side.toggle_gate()
        self.call_after_refresh(self._show_all)

    def action_ghost(self) -> None:
        try:
            self._ghost.toggle(self.snapshot)
        except BBAError as error:
            self.notify(f"There is no ghost path: {error}.", title="Ghost path", severity="warning")
        self._kitchen.show_ghost(self._ghost.tiles(self.snapshot))

    def action_planner(self) -> None:
        self._side.next_planner_panel(self.snapshot)
        self.call_after_refresh(self._show_all)

    @property
    def _keymap(self) -> Keymap:
        return self.app.keymap if isinstance(self.app, BaseApp) else DEFAULT

    # --- keys: the cursor --------------------------------------------------------------------------------------
    @property
    def pointing(self) -> bool:
        """Whether the arrow keys move the cursor."""
        return self._kitchen.cursor

    def action_cursor(self) -> None:
        self._kitchen.toggle_cursor()
        self.refresh_bindings()

    action_leave_cursor = action_cursor

    def action_point(self, right: int, down: int) -> None:
        self._kitchen.move_cursor(right, down)

    # --- keys: tuning ------------------------------------------------------------------------------------------
    @property
    def tuning(self) -> bool:
        """Whether the sliders are shown, and the arrow keys move them."""
        return self.has_class(TUNING)

    def action_tune(self) -> None:
        self.toggle_class(TUNING)
        self.refresh_bindings()
        self.call_after_refresh(self._show_all)  # the other panels have another size now

    action_leave_tuning = action_tune

    def action_tune_choose(self, by: int) -> None:
        self._side.tuning_panel.choose(by)

    def action_tune_change(self, by: int) -> None:
        self._side.tuning_panel.change(by)

    def action_tune_reset(self) -> None:
        self._side.tuning_panel.reset()

    @on(TuningPanel.Changed)
    def tune(self, message: TuningPanel.Changed) -> None:
        self.source.reconfigure(message.belief_config)
        self._show_tuning()

    def _show_tuning(self) -> None:
        if self.tuning:
            key = shown(self._keymap["what_if"][0])
            self._side.show_tuning(self.source, self.snapshot, past=self.past, what_if=key)

    # --- keys: what if -----------------------------------------------------------------------------------------
    def action_what_if(self) -> None:
        """Asks how the game is to go on from the step that is shown, then compares both futures."""
        from tui.screens.fork_dialog import ForkDialog

        self._pause()
        if self.snapshot.step >= self.source.config.horizon and not self._go_before_last_replan():
            self.notify("The game ends here; go to an earlier step.", title="What if", severity="warning")
        else:
            step = self.snapshot.step
            self.app.push_screen(ForkDialog(self.source, step), partial(self._compare, step))

    def _go_before_last_replan(self) -> bool:
        """Goes to the step before the game's last replan, for another end of it; returns whether there is one."""
        step = self._timeline.nearest(TimelineMark.REPLAN, self.snapshot, forward=False)
        if step is not None:
            self._seek(step - 1)
        return step is not None

    def action_back(self) -> None:
        self.dismiss(ForkResult(self.snapshot.step))

    def _compare(self, step: int, fork: PlaybackSource | None) -> None:
        from tui.screens.comparison import ComparisonScreen

        if fork is not None:
            data = self._timeline.timeline_data_of(self.snapshot)
            screen = ComparisonScreen(
                self.source, data, fork, step, speed=self.clock.speed, show_truth=self._show_truth
            )
            self.app.push_screen(screen, self._come_back)

    def _come_back(self, result: ForkResult | None) -> None:
        """Goes to the step at which a fork was left, and watches the fork alone if that was asked for."""
        if result is None:
            return
        self._seek(result.step)
        if result.kept is not None:
            (source, parted), truth = result.kept, self._show_truth
            kept = WatchScreen(source, speed=self.clock.speed, autostart=False, show_truth=truth, parted=parted)
            self.app.push_screen(kept, self._come_back)
