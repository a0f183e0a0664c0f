"""The screen on a game that is played back: time travel to any step, and a clock."""

from textual.timer import Timer

from bba.analysis import TRUTHS, Snapshot, TimelineMark, names
from bba.planner import QuestionProgress
from bba.play import Trace
from tui.playback.clock import PANEL_RATE, Clock
from tui.playback.playhead import Playhead
from tui.playback.source import PlaybackSource
from tui.screens.dialogs import ViewChosen
from tui.screens.preparation import OPENING, OPENING_BRIEFLY, Preparation
from tui.style import BaseScreen, thoughts_of
from tui.widgets import WAITS, KitchenView, Timeline, longest, thinking, waiting

# A recording is computed in slices, so that keys stay quick.
AHEAD = 20  # steps of a slice
BREATH = 0.002  # seconds between two slices
ROOMY_WIDTH = 110  # columns of the terminal from which the top line has room for a whole sentence


def _snapshot(last: Snapshot, trace: Trace, step: int, truth: bool) -> Snapshot:
    """Returns a snapshot; the last one if it shows the same, with what it has decoded."""
    step = min(step, len(trace.ticks))
    is_same = last.trace is trace and last.step == step and last.truth == truth
    return last if is_same else Snapshot(trace, step, truth)


class PlaybackScreen(BaseScreen[int]):
    """Shows any step of one or several games, which stay where they are; a clock plays them on, in step.

    Where it lies over another such screen, it returns the step that was shown when it was left.

    Args:
        sources: the games; the last one is the game that keys such as `restart` refer to.
        kitchens: the board of each game.
        timeline: the timeline of the games.
        speed: steps a second.
        autostart: whether the clock runs from the start.
        show_truth: whether the partner's true skill and role are shown.
    """

    def __init__(
        self,
        sources: tuple[PlaybackSource, ...],
        kitchens: tuple[KitchenView, ...],
        timeline: Timeline,
        *,
        speed: float,
        autostart: bool,
        show_truth: bool,
    ) -> None:
        super().__init__()
        self.sources = sources
        self.source = sources[-1]
        self.clock = Clock(speed, paused=not autostart)
        self._kitchens = kitchens
        self._timeline = timeline
        self._snapshots = tuple(Snapshot(source.trace, 0) for source in sources)
        self._show_truth = show_truth
        self._stuck = [False] * len(sources)  # whether the last step of each game could not be played
        self._stale = False
        self._was_over = False
        self._timer: Timer | None = None
        self._sought: TimelineMark | None = None  # looked for in steps of a recording that are not read yet
        self._preparation = Preparation(self.call_later)
        self._was_opened = False  # whether the first steps came from a recording
        self._playhead = Playhead(follows=not self.source.recorded)
        self._playhead.rewind()

    # --- what is shown -----------------------------------------------------------------------------------------
    @property
    def playing(self) -> bool:
        """Whether the clock runs."""
        return not self.clock.paused

    @property
    def snapshots(self) -> tuple[Snapshot, ...]:
        """What is shown of each game: the same step, or the last one of a game that is over."""
        step = self._playhead.step(self.newest)
        truth = self._show_truth
        games = zip(self._snapshots, self.sources, strict=True)
        self._snapshots = tuple(_snapshot(last, source.trace, step, truth) for last, source in games)
        return self._snapshots

    @property
    def snapshot(self) -> Snapshot:
        """What is shown; of the longer game, where another one is over."""
        return max(self.snapshots, key=lambda snapshot: snapshot.step)

    @property
    def newest(self) -> int:
        """How many steps all games have; those of the games that go on, where another one does not."""
        games = zip(self.sources, self._stuck, strict=True)
        going_on = [len(source.trace.ticks) for source, stuck in games if not (source.done or stuck)]
        if going_on:
            return min(going_on)
        return max(len(source.trace.ticks) for source in self.sources)

    @property
    def past(self) -> bool:
        """Whether an earlier step than the newest is shown."""
        return self.snapshot.step < self.newest

    @property
    def over(self) -> bool:
        """Whether the last step of games that are over is shown, so that nothing is left to play."""
        return not self.past and all(source.done for source in self.sources)

    @property
    def status(self) -> str:
        """The state of the game in a word or two, or what the game waits for before its first step."""
        if self._waits:
            return self._preparation.text
        if self._sought is not None:
            share = self.newest / self.source.length
            return f"looking for the next {self._sought.value}: {names.percent(share)} computed"
        if self.past:
            return self._past_status()
        if not self.over:
            return self._pace
        if self.newest >= self.source.config.horizon:
            return "finished"
        return "the recording ends here"

    @property
    def _waits(self) -> bool:
        """Whether no step can be played until the games are prepared."""
        return self._preparation.waiting and not all(source.can_play for source in self.sources)

    @property
    def _opens(self) -> bool:
        """Whether the steps come from a recording until the games are prepared."""
        return self._preparation.waiting and not self._waits

    def _past_status(self) -> str:
        steps = self.source.length if self.source.recorded else self.newest  # steps to come are computed as needed
        parts = [f"step {self.snapshot.step} of {steps}"]
        if not self.source.recorded:
            parts.append("in the past")
        if any(snapshot.thinking for snapshot in self.snapshots):
            parts.append("thinking")
        parts.append(f"{self.clock.speed:g} steps/s" if self.playing else "paused")
        return ", ".join(parts)

    @property
    def _pace(self) -> str:
        """How fast the game is played, what it waits for, and whether it would."""
        question = self.pending_question
        waits = self.source.world_waits
        if question is not None and waits:
            text = waiting(question)
            return text if self.playing else f"{text}, paused"
        pace = f"{self.clock.speed:g} steps/s" if self.playing else f"paused ({self.clock.speed:g}/s)"
        pace += WAITS[waits]
        if self._opens:
            opening = OPENING if self.size.width >= ROOMY_WIDTH else OPENING_BRIEFLY
            pace = f"{opening}, {pace}"
        return pace if question is None else f"{thinking(question)}, {pace}"

    @property
    def pending_question(self) -> QuestionProgress | None:
        """How far the decision is that has been under way for longest in all games; None if there is none."""
        questions: list[QuestionProgress | None] = []
        for source in self.sources:
            questions += source.progress
        return longest(questions)

    def _show_kitchens(self, slide: float = 0.0) -> None:
        """Draws the boards; a cook that moved slides for so many seconds."""
        for kitchen, snapshot in zip(self._kitchens, self.snapshots, strict=True):
            kitchen.show_snapshot(snapshot, slide)
        if self.over != self._was_over:
            self._was_over = self.over
            self.refresh_bindings()

    def _show_panels(self) -> None:
        """Draws everything beside the boards, which is up to date from then on."""
        self._stale = False
        self._timeline.show_snapshot(self.snapshot)
        self._show_title()

    def _show_title(self) -> None:
        """Draws the line at the top; for screens that have one."""

    def _show_all(self) -> None:
        self._show_kitchens()
        self._show_panels()

    def _refresh(self) -> None:
        """Draws what is no longer up to date, and plays the step that was asked for while the game waited."""
        if self.clock.owes_step:
            self._play_owed()
        if self.pending_question is not None or self._preparation.waiting:
            self._show_title()
        self._look_on()
        if self._stale:
            self._show_panels()

    # --- keys: the position in time ----------------------------------------------------------------------------
    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "pause":
            return not self.over  # at the end of a game there is nothing to pause
        return super().check_action(action, parameters)

    def action_step(self) -> None:
        if self.past or self.source.recorded or self.over:
            self._travel(self.snapshot.step + 1)
        else:
            self._pause()
            self.clock.owes_step = self.source.world_waits is True
            self._play_owed()

    def action_travel(self, by: int) -> None:
        self._travel(self.snapshot.step + by)

    def action_back(self) -> None:
        self.dismiss(self.snapshot.step)

    def action_first(self) -> None:
        self._travel(0)

    def action_newest(self) -> None:
        if not self.past:
            self.hint(self._end_in_words)
        self._playhead.at = None
        self._show_all()

    def _travel(self, step: int) -> None:
        current = self.snapshot.step
        if step <= 0 and current == 0:
            self.hint("this is the start of the game")
        elif step > current and current == self.newest:
            self.hint(self._end_in_words)
        self._seek(step)

    @property
    def _end_in_words(self) -> str:
        return "this is the end of the game" if self.over else "this is the newest step"

    def action_jump(self, mark: str, forward: bool) -> None:
        """Goes to the nearest such mark, unless there is none or that would reveal what is hidden; then it says so."""
        snapshot = self.snapshot
        timeline_mark = TimelineMark(mark)
        step = self._timeline.nearest(timeline_mark, snapshot, forward=forward)
        if timeline_mark in TRUTHS and not snapshot.truth:
            self.hint(f"a {mark} is not told while the truth is hidden")
        elif step is not None and step <= self.newest:
            self._seek(step)
        elif forward and self._reads_on:
            self._pause()
            self._sought = timeline_mark
            self.hint(f"looking for the next {mark} …")
            self._show_title()
        elif timeline_mark is not TimelineMark.REPLAN or not self._jump_to_kept_plan(forward=forward):
            self._jump_round(timeline_mark, forward=forward)

    def _jump_round(self, mark: TimelineMark, *, forward: bool) -> None:
        """Goes on from the other end of a game that is over; says so where there is no such mark, or one may come."""
        current = self.snapshot
        if not all(source.done for source in self.sources):
            side, so_far = ("after", " so far") if forward else ("before", "")
            self.hint(f"no {mark.value} {side} step {current.step}{so_far}")
            return
        other_end = Snapshot(current.trace, 0 if forward else self.newest + 1, current.truth)
        step = self._timeline.nearest(mark, other_end, forward=forward)
        if step is None and mark is TimelineMark.REPLAN:  # those that kept the plan are replans, too
            step = self._timeline.nearest(TimelineMark.KEPT_PLAN, other_end, forward=forward)
        if step is None:
            self.hint(f"this game has no {mark.value}")
        else:
            self._seek(step)
            self.hint(f"no {mark.value} is left: back to the {'first' if forward else 'last'} one, in step {step}")

    def _jump_to_kept_plan(self, *, forward: bool) -> bool:
        """Goes to the nearest replan that kept the plan, where none changed it, and says so; returns whether it did."""
        snapshot = self.snapshot
        step = self._timeline.nearest(TimelineMark.KEPT_PLAN, snapshot, forward=forward)
        if step is None or step > self.newest:
            return False
        self._seek(step)
        side = "after" if forward else "before"
        self.hint(f"no replan {side} step {snapshot.step} changed the plan; this one kept it")
        return True

    @property
    def _reads_on(self) -> bool:
        return self.source.recorded and not self.source.done and not self._stuck[-1]

    def _look_on(self) -> None:
        """Goes to the mark that is looked for, once it is read; says that there is none once everything is."""
        mark = self._sought
        if mark is None:
            return
        step = self._timeline.nearest(mark, self.snapshot, forward=True)
        if step is not None or not self._reads_on:
            self._sought = None
            self.action_jump(mark.value, True)

    def on_timeline_step_requested(self, message: Timeline.StepRequested) -> None:
        self._seek(message.step)

    def _seek(self, step: int) -> None:
        self._sought = None
        self._pause()
        self._playhead.seek(step, self.newest)
        self._show_all()

    # --- keys: how it is shown ---------------------------------------------------------------------------------
    def action_zoom(self, inward: bool) -> None:
        self._timeline.zoom(inward=inward)

    def action_truth(self) -> None:
        self._show_truth = not self._show_truth
        self._show_all()

    def action_plan(self) -> None:
        for kitchen in self._kitchens:
            kitchen.plan = not kitchen.plan

    def action_thought(self) -> None:
        """Shows or hides what the egos think, in bubbles over them, and remembers that."""
        thinks = not self._kitchens[0].thinks
        for kitchen in self._kitchens:
            kitchen.thinks = thinks
        self.post_message(ViewChosen("thoughts", thinks))

    # --- keys: the clock ---------------------------------------------------------------------------------------
    def action_pause(self) -> None:
        self._set_playing(not self.playing)

    def go_on(self) -> None:
        """Lets the clock run."""
        self._set_playing(True)

    def action_speed(self, faster: bool) -> None:
        self.clock.change(faster=faster)
        self._set_playing(self.playing)

    # --- the clock ---------------------------------------------------------------------------------------------
    def _start(self) -> None:
        """Draws the first picture and starts the clock; called when the screen is mounted."""
        for kitchen in self._kitchens:
            kitchen.thinks = thoughts_of(self.app)
        self._show_kitchens()
        self.set_interval(1 / PANEL_RATE, self._refresh)
        self._set_playing(self.playing)
        self._prepare()
        self.call_after_refresh(self._show_panels)

    def _compute_ahead(self) -> None:
        """Computes a recording in small slices while it is watched, so that every step of it can be shown."""
        if self.source.recorded and not (self.source.done or any(self._stuck)):
            self._play(AHEAD)
            self.set_timer(BREATH, self._compute_ahead)
        else:
            self.refresh_bindings()  # a game that is over has other keys

    def _prepare(self) -> None:
        """Lets the games compile what they need, before any of them is played on; a recording may open them."""
        self._preparation.begin(self.sources, self._prepared)
        self._was_opened = self._opens
        self._show_title()

    def _prepared(self, problem: str | None) -> None:
        if problem is not None:
            self._pause()
            self.show_problem(problem)
        elif self._was_opened:
            self.hint(f"the live game is ready: it goes on from step {self.newest}")
        self._was_opened = False
        self._show_title()

    def _pause(self) -> None:
        self._set_playing(False)

    def _set_playing(self, playing: bool) -> None:
        self.clock.paused = not playing
        self.clock.owes_step = False
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_interval(self.clock.interval, self._on_tick) if playing else None
        for kitchen in self._kitchens:
            kitchen.play(playing)
        self._show_title()

    def _on_tick(self) -> None:
        """Plays on; in the past and in a recording, shows the steps that are there. Stands still behind a layer."""
        if not (self.is_active and self.playing):  # a tick may have been on its way when the clock was stopped
            return
        if self.past:
            self._playhead.seek(self.snapshot.step + self.clock.steps, self.newest)
            self._show_kitchens(self.clock.slide)
            self._stale = True
        else:
            self._play(self.clock.steps)

    def _play(self, steps: int) -> None:
        """Plays so many steps beyond the newest, as far as the games go; none while it waits for them."""
        if self._waits:
            return
        last_step = self.newest + steps
        has_played = False
        problems: list[str] = []
        for number, source in enumerate(self.sources):
            step = len(source.trace.ticks)
            is_at_end = source.done or (source.recorded and self._stuck[number])
            if step >= last_step or is_at_end:
                continue
            problem = source.play(last_step - step)
            self._stuck[number] = problem is not None
            if len(source.trace.ticks) > step:
                has_played = True
            if problem:
                problems.append(problem)
        if has_played or problems:
            self._show_played(problems[0] if problems else None)

    def _play_owed(self) -> None:
        """Plays one step; it stays owed while the game waits."""
        step = self.newest
        self._play(1)
        if self.newest != step or any(self._stuck):
            self.clock.owes_step = False

    def _show_played(self, problem: str | None) -> None:
        """Shows new steps: the boards at once, the panels too unless the clock runs; or why there are none."""
        if problem is not None:
            self._pause()
            self.show_problem(problem)
        if not self.past:
            self._show_kitchens(self.clock.slide if self.playing else 0.0)
        self._stale = True
        if not (self.playing or self.past):
            self._show_panels()
