"""The games of a study, without a word on the partner or its belief, and its tutorial, whose stages stand beside it."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from textual import work
from textual.content import Content
from textual.message import Message

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.language import marked, say
from bba.planner.chat import QuestionProgress
from bba.play import GameConfig
from human.keymap import PRACTICE_KEYS
from human.session import Session
from human.study import STAGES, Activity, GameLog, LoggedControls, Pause, PauseReason, TutorialProgress
from tui.playback.clock import COUNTDOWN, Standstill
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play import PlayScreen
from tui.study.pages import NOT_SAID
from tui.style.base_app import bindings
from tui.widgets import HowToPanel, Panel, PartnerPanel, TitleBar, line

PAUSE_WATCH = 0.1  # seconds between two looks at whether the game stands still


class ProblemNoted(Message):
    """Something went wrong that the participant does not read.

    Args:
        problem: what it was.
    """

    def __init__(self, problem: str) -> None:
        super().__init__()
        self.problem = problem


class StudyTitle(TitleBar):
    """The name of the game to the left, its state to the right.

    Args:
        name: such as "game 2 of 4".
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def _settings(self, config: GameConfig) -> tuple[Content, ...]:  # noqa: ARG002 - the settings are hidden
        return (line((f" {self._name}", f"bold {palette.TEXT}")),)


class StudyGame(PlayScreen):
    """Plays a session; dismissed at its end.

    Args:
        session: the game.
        name: the title.
        speed: steps a second; None for turn by turn.
        countdown: seconds before the first step.
        hints: whether participants may see hints, and do at first.
        skills: whether they may choose a skill that the program carries out.
        motion: whether points rise and borders pulse when something happens.
        keep_pause: receives each time in which the game stood still.
        log: the log of this game; None for no log.
    """

    explains_use = False
    tells_changes = False
    shows_example = False
    shows_thoughts = False

    def __init__(
        self,
        session: Session,
        name: str,
        *,
        speed: float | None = 10.0,
        countdown: int = COUNTDOWN,
        hints: bool = False,
        skills: bool = False,
        motion: bool = True,
        keep_pause: Callable[[Pause], object] = lambda _: None,
        log: GameLog | None = None,
    ) -> None:
        super().__init__(session, speed=speed, countdown=countdown, show_hint=hints, motion=motion)
        self._log = log
        for controls in session.controls.values():
            if isinstance(controls, LoggedControls):
                controls.log = log
        self._keep_pause = keep_pause
        self._open_pause: tuple[int, datetime, PauseReason] | None = None
        self._title = StudyTitle(name)
        self._status.leave_out(hints=not hints, declares=True)
        self._panels = tuple(panel for panel in self._panels if not isinstance(panel, PartnerPanel | HowToPanel))
        # A participant must not see what the agent believes, and has no debrief to tell anything to.
        self._withheld = {"mind", "declare"}
        if not hints:
            self._withheld.add("hint")
        if not skills:
            self._withheld.add("skills")

    @property
    def _mode(self) -> str:
        """Nothing, since a participant must not know what its partner is."""
        return ""

    def _waiting(self, question: QuestionProgress) -> str:  # noqa: ARG002 - nor why it waits
        return say("one moment")

    def on_mount(self) -> None:
        self.set_interval(PAUSE_WATCH, self.see_pauses)

    def see_pauses(self) -> None:
        """Notes whether the game stands still, and why."""
        reason = self._why_still
        noted = self._open_pause[2] if self._open_pause is not None else None
        if reason == noted:
            return
        self.end_pauses()
        if reason is not None:
            self._open_pause = len(self.session.trace.ticks), datetime.now(UTC), reason
            self.note("paused", reason)

    def end_pauses(self) -> None:
        """Ends a pause that is under way."""
        if self._open_pause is None:
            return
        step, started, reason = self._open_pause
        self._open_pause = None
        self.note("resumed")
        self._keep_pause(Pause(step=step, started=started, ended=datetime.now(UTC), why=reason))

    def note(self, what: Activity, detail: str | None = None) -> None:
        """Notes in the log what happens between two steps."""
        self.write(lambda log: log.note(what, detail))

    def write(self, note: Callable[[GameLog], object]) -> None:
        """Writes into the log; the game stands still where that fails."""
        try:
            if self._log is not None:
                note(self._log)
        except BBAError as error:
            self.clock.paused = True
            self.show_problem(str(error))

    def show_problem(self, problem: str) -> None:
        """Says that the game cannot go on; why it cannot, those read who run the study."""
        self.post_message(ProblemNoted(problem))
        self.notify(say(NOT_SAID), title=say("The game cannot go on"), severity="error", timeout=30, markup=False)

    def attempt(self, do: Callable[[], object], *, timeout: float | None = None) -> bool:  # noqa: ARG002 - as long
        """Does something, or says as of a game that it cannot be done; returns whether it was done."""
        try:
            do()
        except BBAError as error:
            self.show_problem(str(error))
            return False
        return True

    def _step(self) -> None:
        """Plays one step, and notes it."""
        steps_before = len(self.session.trace.ticks)
        super()._step()
        steps = len(self.session.trace.ticks)
        if steps > steps_before:
            self.write(lambda log: log.step(steps))

    @property
    def _why_still(self) -> PauseReason | None:
        """Why the game stands still; None if it goes on, and before its first step."""
        if self.session.over:
            return None
        match self.standstill:
            case Standstill.COVER:
                return "small" if self.too_small else "dialog"
            case Standstill.PAUSE:
                return "key"
            case Standstill.PARTNER:
                return "partner"
            case _:
                return None

    def _end(self) -> None:
        self.dismiss()


class LessonPanel(Panel):
    """The stages of the tutorial by title, with the current one in full above them.

    Args:
        progress: the stages that are done.
        in_full: whether the current stage is said in full; else something beside the panel says it.
    """

    TITLE = marked("lesson")
    ABOUT = "What to do next, on the way to a burrito."

    def __init__(self, progress: TutorialProgress, *, in_full: bool = True) -> None:
        super().__init__()
        self._progress = progress
        self._in_full = in_full

    def title_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - the progress knows
        """Returns the title with the number of the stage."""
        stage = min(self._progress.done + 1, len(STAGES))
        return say("lesson: {stage} of {stages}", stage=stage, stages=len(STAGES))

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002
        """Yields the current stage in full, then by title as many stages around it as there is room for."""
        done = self._progress.done
        rows: list[str] = []
        if self._in_full and done < len(STAGES):
            rows = [str(row) for row in Content(say(STAGES[done].text)).wrap(width)]
            rows.append("")
        for row in rows:
            yield line((row, f"bold {palette.TEXT}"))
        room = max(1, self.content_size.height - len(rows))
        first = max(0, min(done - room // 2, len(STAGES) - room))
        last = min(first + room, len(STAGES))
        for number in range(first, last):
            title = say(STAGES[number].title)
            if number < done:
                yield line((f"✓ {title}", palette.GOOD))
            elif number == done:
                yield line((f"▶ {title}", palette.WARN))
            else:
                yield line((f"  {title}", palette.DIM))


class PracticeScreen(StudyGame):
    """Plays the tutorial until all stages are done, or it is ended or begun anew (then `anew` is set).

    Args:
        session: the game.
        progress: the stages that are done.
        speed: steps a second; None for turn by turn.
        countdown: seconds before the first step.
        motion: whether points rise and borders pulse when something happens.
        log: the log of the tutorial; None for no log.
    """

    BINDINGS = bindings(PRACTICE_KEYS)
    explains_use = True

    def __init__(
        self,
        session: Session,
        progress: TutorialProgress,
        *,
        speed: float | None = 10.0,
        countdown: int = COUNTDOWN,
        motion: bool = True,
        log: GameLog | None = None,
    ) -> None:
        super().__init__(session, say("tutorial"), speed=speed, countdown=countdown, motion=motion, log=log)
        self.progress = progress
        self.anew = False
        self._status.leave_out(clock=True, hints=True, declares=True)  # nobody watches the clock
        self._panels = (LessonPanel(self.progress), *self._panels)

    @property
    def status(self) -> str:
        """The state of the game, without a clock."""
        return say("practice") if self.playing else super().status

    @work
    async def action_again(self) -> None:
        self.anew = await self.app.push_screen_wait(
            ConfirmDialog(say("Begin the tutorial anew?"), yes=say("Begin anew"), no=say("Go on"))
        )
        self._surrender(self.anew)

    def _step(self) -> None:
        """Plays one step; a stage that it completes is saved before the next step."""
        done_before = self.progress.done
        super()._step()
        for tick in self.session.trace.ticks[-1:]:  # there is none where the first step failed
            self.progress.see(tick)
        self._show_panels()
        if self.progress.done > done_before:
            self._save()
        if self.progress.done == len(STAGES) and not self.session.over:
            self.session.give_up()
            self._end()
