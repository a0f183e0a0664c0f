"""The screen on which a game is watched, and what its keys do."""

from collections.abc import Sequence
from functools import partial

from textual import on, work

from bba.analysis import REPLANS, nearest, recent_replan, replan_texts
from bba.errors import BBAError
from bba.play.trace import EGO
from human.keymap import CURSOR_KEYS, FORK_KEYS, TUNING_KEYS, WATCH_KEYS
from tui.playback.source import PlaybackSource
from tui.screens.dialogs import (
    BookmarkDialog,
    ConfirmDialog,
    DebriefRequested,
    ExportRequested,
    NavigationRequested,
    ViewChosen,
)
from tui.screens.side_panels import GATE, PLANNER, TUNING, SwitchesPanel
from tui.screens.watch_view import WatchView
from tui.style import bindings, key_of
from tui.widgets import CommitmentGatePanel, GatePanel, TuningPanel, cooks_on, ghost_path

CURSOR_ACTIONS = ("point", "leave_cursor")
TUNING_ACTIONS = ("tune_choose", "tune_change", "tune_reset", "leave_tuning")


class WatchScreen(WatchView):
    """Plays a game and shows it; the arguments are those of `WatchView`."""

    ESCAPE_LEADS_OUT = True
    IS_RETURNED_TO = True

    BINDINGS = bindings((*TUNING_KEYS, *CURSOR_KEYS, *WATCH_KEYS, *FORK_KEYS))
    FILE_ACTIONS = ("export", "bookmark", "copy")

    def on_unmount(self) -> None:
        if self.source.file is None:  # else it is written there
            self._keep_game()

    def _keep_game(self) -> None:
        """Keeps the game so far, if it was watched for long or forked; one of a file or a comparison is kept there."""
        if self._keep is None or self.source.recorded or self.parted is not None:
            return
        if self.source.trace.ticks:
            self._keep(self.source.trace, glance=not self._forked, continues=self.source.continues)

    # --- keys --------------------------------------------------------------------------------------------------
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # The keys of cursor and sliders come before the others on the same keys, but only while those are on.
        if action in CURSOR_ACTIONS:
            return self.pointing
        if action in TUNING_ACTIONS:
            return self.tuning
        if action == "back":
            return self.parted is not None
        if action == "debrief":
            return self._card is not None and self.source.done
        return super().check_action(action, parameters)

    def action_restart(self) -> None:
        """Begins the game again; goes to the start of a recording, and to where a fork parts from its original.

        A game that is under way would be lost, so this asks first.
        """
        if self.parted is not None:
            self._seek(self.parted)
        elif self.source.recorded:
            self._travel(0)
        elif self.source.done or not self.newest:
            self._begin_again()
        else:
            question = ConfirmDialog("Begin this game again?", yes="Begin again", no="Go on")
            self.app.push_screen(question, partial(self._begin_again_if, self.playing))
            self._pause()

    def _begin_again_if(self, was_playing: bool, sure: bool | None) -> None:
        if sure:
            self._begin_again()
        self._set_playing(was_playing)

    def _begin_again(self) -> None:
        self._keep_game()
        self.clock.owes_step = False
        self._forked = False
        self.source.restart()
        self._prepare()
        self._playhead.rewind()
        self._show_all()
        self.hint("the same game from its start, which goes as before until something is changed")

    def action_export(self) -> None:
        self._pause()
        self.post_message(ExportRequested(self, self.snapshot))

    def action_debrief(self) -> None:
        self._pause()
        self.post_message(DebriefRequested(self, self.source))

    @work
    async def action_bookmark(self) -> None:
        self._pause()
        step = self.snapshot.step
        note = self.snapshot.trace.bookmarks.get(step)
        answer = await self.app.push_screen_wait(BookmarkDialog(f"bookmark at step {step}", note))
        if answer is None:
            return
        try:
            self.source.bookmark(step, answer.note)
        except BBAError as error:
            self.notify(f"The bookmark is not in the file: {error}", severity="error", markup=False)
        else:
            result = "deleted" if answer.note is None else "kept"
            self.hint(f"the bookmark at step {step} is {result}")
        self._show_all()

    def action_bookmarked(self, forward: bool) -> None:
        """Goes to the nearest bookmark, in a game that is over round its ends; or says that there is none."""
        current = self.snapshot.step
        steps = sorted(self.snapshot.trace.bookmarks)
        step = nearest(steps, current, forward=forward)
        if step is None and steps and self.source.done:
            step = steps[0] if forward else steps[-1]
        if step is not None and step <= self.newest:
            self._seek(step)
        else:
            side = "after" if forward else "before"
            self.hint(f"no bookmark {side} step {current}; {key_of(self.app, 'bookmark')} sets one")

    @property
    def copies(self) -> Sequence[tuple[str, str]]:
        """The command that shows the game again, and the caption of a replan."""
        command = self.source.command
        command_label = "command of this game"
        if command and self.source.trace.changes:
            command_label += " as it began, before it was tuned"
        replan = recent_replan(self.snapshot)
        caption = ""
        if replan is not None:
            trace = self.snapshot.trace
            caption = replan_texts(trace, replan.step, cooks_on(self, trace.config))[0]
        return (command_label, command), ("caption", caption)

    def action_tour(self) -> None:
        self.post_message(NavigationRequested(self, "tour"))

    def action_asked(self) -> None:
        from tui.screens.model_calls import ModelCallsScreen

        self._pause()
        self.app.push_screen(ModelCallsScreen(self.snapshot, self.source.options.prompts))

    def action_other_gate(self) -> None:
        if self.query_one(GatePanel).display and self.query_one(CommitmentGatePanel).display:
            self.hint("both gates are shown")
        if GATE not in self._side.on:
            self.action_panel(GATE)
        self._side.other_gate = not self._side.other_gate
        self.rearrange()

    def action_ghost(self) -> None:
        try:
            if not self._ghost and self.snapshot.config.seats[EGO].rollout is None:
                raise BBAError("only the rollout planner looks ahead")
            tiles = () if self._ghost else ghost_path(self.snapshot, self.source.options.weights)
        except BBAError as error:
            self.notify(f"There is no ghost path: {error}.", title="Ghost path", severity="warning")
        else:
            self._ghost = not self._ghost
            self._kitchen.ghost = tiles

    def action_planner(self) -> None:
        self.action_panel(PLANNER)

    # --- keys: panels ------------------------------------------------------------------------------------------
    def action_panel(self, name: str) -> None:
        """Switches one of the panels on or off, and remembers that; one that has had no room comes first now."""
        self._side.switch(name, self.snapshot)
        self.rearrange()
        for other in self._side.on:
            if self._side.makes_way(other):
                key = key_of(self.app, f"panel_{other}")
                self.hint(f"no room for all panels: {other} makes way; {key} brings it back")
        self.post_message(ViewChosen("panels", tuple(name for name in self._side.on if name != TUNING)))

    @on(SwitchesPanel.Switched)
    def switch_panel(self, message: SwitchesPanel.Switched) -> None:
        message.stop()
        self.action_panel(message.name)

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
    def action_tune(self) -> None:
        self.action_panel(TUNING)

    action_leave_tuning = action_tune

    def action_tune_choose(self, by: int) -> None:
        self._side.tuning_panel.choose(by)

    def action_tune_change(self, by: int) -> None:
        self._side.tuning_panel.change(by)

    def action_tune_reset(self) -> None:
        self._side.tuning_panel.reset()

    @on(TuningPanel.Changed)
    def tune(self, message: TuningPanel.Changed) -> None:
        try:
            message.apply(self.source)
        except BBAError as error:
            self.hint(str(error))
        self._show_tuning()

    # --- keys: what if -----------------------------------------------------------------------------------------
    def action_what_if(self) -> None:
        """Asks how the game is to go on from the step that is shown, then compares both futures.

        At a replan it asks from the step before, so that this decision can be another one, too.
        """
        from tui.screens.what_if import ForkDialog

        self._pause()
        tick = self.snapshot.tick
        if tick is not None and tick.decisions[EGO].replanned:
            self._seek(self.snapshot.step - 1)
        is_at_end = self.snapshot.step >= self.source.config.horizon
        if is_at_end and not self._go_before_last_replan():
            self.notify("The game ends here; go to an earlier step.", title="What if", severity="warning")
        else:
            step = self.snapshot.step
            self.app.push_screen(ForkDialog(self.source, step), partial(self._compare, step))

    def _go_before_last_replan(self) -> bool:
        """Goes to the step before the game's last replan, for another end of it; returns whether there is one."""
        nearest_of_each = [self._timeline.nearest(mark, self.snapshot, forward=False) for mark in REPLANS]
        steps = [step for step in nearest_of_each if step is not None]
        if not steps:
            return False
        self._seek(max(steps) - 1)
        return True

    def _compare(self, step: int, fork: PlaybackSource | None) -> None:
        from tui.screens.comparison import ComparisonScreen

        if fork is None:
            return
        self._forked = True
        screen = ComparisonScreen(
            self.source,
            self._timeline.timeline_data_of(self.snapshot),
            fork,
            step,
            speed=self.clock.speed,
            show_truth=self._show_truth,
            alone=WatchScreen,
            keep=self._keep,
        )
        # The comparison plays this game on, too; whoever comes back finds it where it was left.
        self.app.push_screen(screen, lambda _: self._seek(step))
