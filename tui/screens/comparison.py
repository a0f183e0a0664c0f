"""The screen that compares two futures, the original game to the left and its fork to the right, under one clock."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.widgets import Static

from bba import palette
from bba.agents import Profile
from bba.analysis import Snapshot, TimelineData, nearest
from bba.analysis.comparison import Differences, ForkOutcome, describe_changes, fork_outcome, is_better, worth_text
from bba.bench.formatting import measure_label, value_text
from bba.config import Knowledge
from bba.play import EGO, PARTNER, worth_of_knowing
from human.keymap import COMPARISON_KEYS, TRAVEL_KEYS
from tui.playback.source import PlaybackSource
from tui.screens.playback import PlaybackScreen
from tui.style import BARS, FRAME, BackgroundTask, bindings, key_of
from tui.widgets import (
    NAMES,
    CommitmentGatePanel,
    GameCost,
    GatePanel,
    KitchenView,
    Panel,
    TwinTimeline,
    ValuePanel,
    cooks_on,
    deciding_gate_panel,
    fitting,
    line,
    skill_name,
    spread,
)

# The measures that are shown, row by row.
MEASURE_ROWS = (("reward", "deliveries"), ("replans", "duplicate_rate"), ("gap_rate", "comp_at_3"))
SPACE = "   "  # between two measures
BETTER = f"bold {palette.GOOD}"  # the style of the better one of two values


class ComparisonPanel(Panel):
    """Shows score and measures, the better one of the two bold; then the running skills and the state of the gate.

    Args:
        name: what the future is called, and the widget's id.
        shared_steps: how many steps it shares with the other future.
    """

    TITLE = "what came of it"
    ABOUT = "What came of a future since it began, what the cooks do in it now, and what the gate says."

    def __init__(self, name: str, shared_steps: int) -> None:
        super().__init__(id=name.replace(" ", "-") + "-panel")
        self._future_name = name
        self._shared_steps = shared_steps

    def show_outcome(self, snapshot: Snapshot, outcome: ForkOutcome, rival: ForkOutcome) -> None:
        """Shows a step, with the results of this game and of its rival since they parted."""
        self._outcome = outcome
        self._rival = rival
        self.show_snapshot(snapshot)

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:
        """Yields the score, three lines of measures, the skills and the gate."""
        name = (f"{self._future_name}  ", f"bold {palette.TEXT}")
        since = line((f"since step {self._shared_steps}", palette.DIM))  # so the measures below it count
        yield spread(line(name, self._score()), since, width)
        for row in MEASURE_ROWS:
            measures = [self._measure(measure) for measure in row]
            yield line(SPACE).join(measures)
        yield skills_line(snapshot)
        yield self._gate_line(snapshot, width)

    def _gate_line(self, snapshot: Snapshot, width: int) -> Content:
        """Returns the verdict of the gate that decides, else of the preprint's: the ego's, or the observer's."""
        panel = deciding_gate_panel(snapshot.config.seats[EGO])
        if issubclass(panel, ValuePanel):
            return panel.verdict(snapshot, width, cooks_on(self, snapshot.config))
        return _verdict_line(panel, snapshot, width)

    def _score(self) -> Content:
        score = self._outcome.score
        colour = BETTER if score > self._rival.score else palette.TEXT
        return line(("score ", palette.DIM), (str(score), colour))

    def _measure(self, name: str) -> Content:
        measures = self._outcome.since
        value = None if measures is None else measures.get(name)
        colour = BETTER if is_better(name, measures, self._rival.since) else palette.TEXT
        return line((f"{measure_label(name)} ", palette.DIM), (value_text(value, name), colour))


def skills_line(snapshot: Snapshot) -> Content:
    """Returns what both cooks do."""
    if snapshot.tick is None:
        return line(("nothing yet", palette.DIM))
    players = (EGO, PARTNER) if snapshot.truth else (EGO,)
    skills: list[Content] = []
    for player in players:
        number = (f"{player + 1} ", f"bold {palette.COOK_COLOURS[player]}")
        skills.append(line(number, skill_name(snapshot, player)))
    return line(SPACE).join(skills)


def _verdict_line(panel: type[GatePanel] | type[CommitmentGatePanel], snapshot: Snapshot, width: int) -> Content:
    """Returns the verdict of a gate that judges the partner's actions."""
    state = snapshot.belief_state
    result = panel.result(state)
    if state is None or result is None:
        return line(("nothing to judge yet", palette.DIM))
    prefix = "observer: " if state.observer else ""
    text_rows = panel.sentence(state, snapshot, width - len(prefix))
    if len(text_rows) == 1:
        verdict = text_rows[0]
    else:
        verdict = panel.verdict(state, snapshot, brief=True)
    replans = result.opens and not state.observer
    colour = f"bold {palette.WARN}" if replans else palette.TEXT
    return line((prefix + verdict, colour))


PANEL = 6  # rows of the panel under each kitchen
DIVERGENCE = 1  # rows of the line that says where the two games part
TIMELINES = 5  # rows that the kitchens leave to the timelines
FRAMED_FROM = 34  # rows of the terminal from which the boxes have frames


class ComparisonScreen(PlaybackScreen):
    """Plays a game and its fork side by side.

    Args:
        original: the game.
        timeline_data: the original's timeline as far as it has been computed.
        fork: the fork, which has played the steps that it shares.
        step: how many steps the two share.
        speed, show_truth: as in `PlaybackScreen`.
        twins, panels: what shows both games over time, and each of them; None for the usual ones.
        alone: makes the screen on which one of the games is watched alone, `WatchScreen`.
        keep: keeps a game before it is gone: the fork, if that was asked for; None keeps none.
    """

    SITUATION = "beside a fork"

    BINDINGS = bindings((*TRAVEL_KEYS, *COMPARISON_KEYS))
    FILE_ACTIONS: ClassVar[tuple[str, ...]] = ("copy",)

    def __init__(
        self,
        original: PlaybackSource,
        timeline_data: TimelineData,
        fork: PlaybackSource,
        step: int,
        *,
        speed: float,
        show_truth: bool,
        twins: TwinTimeline | None = None,
        panels: tuple[ComparisonPanel, ComparisonPanel] | None = None,
        alone: Callable[..., Any],
        keep: Callable[..., object] | None = None,
    ) -> None:
        layout = fork.config.layout
        left_board = KitchenView(layout, id="left", explains=True)
        right_board = KitchenView(layout, id="right", explains=True)
        boards = (left_board, right_board)
        self._twins = twins or TwinTimeline(timeline_data, fork.trace, step)
        autostart = bool(fork.changes)  # a preset plays on by itself
        super().__init__((original, fork), boards, self._twins, speed=speed, autostart=autostart, show_truth=show_truth)
        self._step = step
        self._make_alone_screen = alone
        self._keep = keep
        self._marked = 1  # the number of the game that is watched alone: the fork
        self._kept = False  # whether the fork was asked to be kept
        self._differences = Differences(original.trace, fork.trace, step)
        # The step after which the clock stops at the next difference; None where it does not.
        self._awaits = step if autostart else None
        self._panels = panels or (ComparisonPanel(NAMES[0], step), ComparisonPanel(NAMES[1], step))
        self._cost = GameCost()  # of the fork, with the steps that it shares
        self._title = Static(id="changed")
        self._below_boards = Static(id="parting")
        self._worth = ""  # what it is worth that the ego is told the truth, in words
        self._background = BackgroundTask[int | None](self.call_later)  # finds that worth out
        for board, name in zip(boards, NAMES, strict=True):
            board.border_title = name

    def compose(self) -> ComposeResult:
        yield self._title
        with Vertical(id="body"):
            with Horizontal(id="futures"):
                for board, panel in zip(self._kitchens, self._panels, strict=True):
                    yield Vertical(board, panel, classes="future")
            yield self._below_boards
            yield self._twins
        yield from self.compose_bottom()

    def on_mount(self) -> None:
        self._start()
        original, fork = self.sources
        original_ego, fork_ego = self._egos
        knowledge = fork_ego.knows
        if knowledge is not None and knowledge != original_ego.knows:
            trace = original.trace
            options = fork.options
            self._background.begin(
                lambda: worth_of_knowing(trace, self._step, knowledge, options),
                lambda points: self._show_worth(knowledge, points),
            )

    @property
    def _egos(self) -> tuple[Profile, Profile]:
        """The egos of the original and of the fork, in the first step after they part."""
        original, fork = [source.trace.config_at(self._step + 1).seats[EGO] for source in self.sources]
        return original, fork

    def _show_worth(self, knowledge: Knowledge, points: int | None) -> None:
        """Shows what the knowledge is worth; nothing where that is not known."""
        self._worth = "" if points is None else worth_text(knowledge, points)
        self._show_title()

    def on_resize(self, event: events.Resize) -> None:
        self._fit(event.size)
        self.call_after_refresh(self._show_panels)

    def _fit(self, size: Size) -> None:
        """Fits each kitchen into half the width, above the panels and the timelines."""
        framed = size.height >= FRAMED_FROM
        self.query_one("#body").set_class(not framed, "-bare")
        frame = FRAME if framed else 0
        rows = size.height - BARS - DIVERGENCE - PANEL - TIMELINES - 3 * frame
        for board in self._kitchens:
            board.fit(Size(size.width // 2 - frame, rows))

    # --- keys --------------------------------------------------------------------------------------------------
    @property
    def copies(self) -> Sequence[tuple[str, str]]:
        """The command that shows the original again, and what tells the two games apart here."""
        command = ("command of this game", self.sources[0].command)
        caption = ("caption", self._parting(self.snapshot.step))
        return command, caption

    def action_restart(self) -> None:
        """Goes to the step at which the two games part."""
        self._seek(self._step)

    def action_keep(self) -> None:
        """Watches the fork alone, which is kept; a note tells it from the original among the recordings."""
        self._kept = True
        self.source.trace.bookmarks.setdefault(0, f"what if at {self._step}: {self._changes}")
        self.action_alone()

    def action_alone(self) -> Any:
        """Watches the marked game alone, from the step that is shown; the way back leads to the step it is left at."""
        self._pause()
        screen = self._make_alone_screen(
            self.sources[self._marked],
            speed=self.clock.speed,
            autostart=False,
            show_truth=self._show_truth,
            at=self.snapshot.step,
            parted=self._step,
            keep=self._keep,
        )
        self.app.push_screen(screen, self._come_back)
        return screen

    def _come_back(self, step: int | None) -> None:
        """Goes to the step at which the game that was watched alone was left."""
        if step is not None:
            self._seek(step)

    def action_back(self) -> None:
        could_be_kept = self._keep is not None and not self.app.is_web
        if could_be_kept and not self._kept:
            self.hint(f"this what-if is not kept; {key_of(self.app, 'keep')} keeps one among the recordings")
        super().action_back()

    def on_unmount(self) -> None:
        if self._keep is not None and self._kept:
            self._keep(self.source.trace, glance=False)

    def action_difference(self, forward: bool) -> None:
        """Goes to the next step in which the two games differ, or to the one before; plays on if none is known yet."""
        self._differences.extend()
        step = self._nearest(self.snapshot.step, forward=forward)
        if step is not None:
            self._show_difference(step)
        elif not forward or all(source.done for source in self.sources):
            side = "after" if forward else "before"
            self.hint(f"no difference {side} step {self.snapshot.step}")
        else:
            self._awaits = self.snapshot.step
            self.hint("no difference after this step so far; both games play on to the next one")
            self._playhead.at = None
            self._set_playing(True)

    def _nearest(self, step: int, *, forward: bool) -> int | None:
        """Returns the next known difference after a step, or the last one before it."""
        return nearest(self._differences.steps, step, forward=forward)

    def _show_difference(self, step: int) -> None:
        self._seek(step)
        self.hint(f"step {step}: {self._differences.describe(step)}")

    # --- the clock ---------------------------------------------------------------------------------------------
    def _on_tick(self) -> None:
        super()._on_tick()
        self._differences.extend()
        if self._awaits is None:
            return
        step = self._nearest(self._awaits, forward=True)
        if step is not None and step <= self.snapshot.step:
            self._show_difference(step)

    def _seek(self, step: int) -> None:
        self._awaits = None
        super()._seek(step)

    # --- what is shown -----------------------------------------------------------------------------------------
    def _show_panels(self) -> None:
        self._stale = False
        self._differences.extend()
        original, fork = self.snapshots
        outcome_of_original = fork_outcome(original.trace, original.step, self._step)
        outcome_of_fork = fork_outcome(fork.trace, fork.step, self._step)
        original_panel, fork_panel = self._panels
        original_panel.show_outcome(original, outcome_of_original, outcome_of_fork)
        fork_panel.show_outcome(fork, outcome_of_fork, outcome_of_original)
        self._twins.show_snapshots(original, fork)
        self._show_title()

    def _show_title(self) -> None:
        step = self.snapshot.step
        width = self.size.width
        worth = (f"   {self._worth}", palette.WARN)
        title = line((" what if ", f"bold {palette.GOOD}"), (self._changes, f"bold {palette.TEXT}"), worth)
        self._title.update(spread(title, self._status_line(), width))
        position = (f" step {step}", f"bold {palette.TEXT}")
        parted = (f", parted at {self._step}", palette.DIM)
        difference = line((f" {self._parting(step)} ", palette.TEXT))
        difference = difference.truncate(width - len(position[0]), ellipsis=True)
        position_line = fitting(width - difference.cell_length, line(position, parted), line(position))
        self._below_boards.update(spread(position_line, difference, width))

    def _status_line(self) -> Content:
        """Returns the state of the games and what the fork has cost."""
        cost = self._cost.words(self.snapshot)
        return line(f" {self.status}{cost} ")

    @property
    def _changes(self) -> str:
        """What sets the fork apart from the original, in words."""
        if self.source.changes:
            return self.source.changes
        original, fork = self._egos
        return describe_changes(original, fork)

    def _parting(self, step: int) -> str:
        """Returns what differs in a step, else how far the two games have gone the same way."""
        if step in self._differences.steps:
            return self._differences.describe(step)
        if step == self._step and not self.playing:
            return f"{key_of(self.app, 'pause')} plays both games on"
        if self.over and self._differences.decision_step is None:
            return "no difference up to the end"
        text = self._differences.divergence()
        for name, snapshot in zip(NAMES, self.snapshots, strict=True):
            if snapshot.step < step:
                text += f"; {name} ends at step {snapshot.step}"
        return text
