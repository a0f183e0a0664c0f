"""The tutorial of a study: a game whose stages stand beside it."""

from collections.abc import Iterable
from textwrap import wrap

from textual.content import Content

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from human.keymap import PRACTICE_KEYS
from human.session import Session
from human.study.activity_log import GameLog
from human.study.practice import STAGES, TutorialProgress
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play_clock import COUNTDOWN
from tui.study.game import StudyGame
from tui.style.base_app import bindings
from tui.widgets.panel import Panel, line


class LessonPanel(Panel):
    """The current stage of the tutorial in full, the others by title.

    Args:
        progress: the stages that are done.
    """

    TITLE = "lesson"
    ABOUT = "What to do next, on the way to a burrito."

    def __init__(self, progress: TutorialProgress) -> None:
        super().__init__()
        self._progress = progress

    def title_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - the progress knows
        """Returns the title with the number of the stage."""
        return f"{self.TITLE}: {min(self._progress.done + 1, len(STAGES))} of {len(STAGES)}"

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002
        """Yields the current stage in full, then by title as many stages around it as there is room for."""
        done = self._progress.done
        text = [*wrap(STAGES[done].text, width), ""] if done < len(STAGES) else []
        yield from (line((words, f"bold {palette.TEXT}")) for words in text)
        room = max(1, self.content_size.height - len(text))
        first = max(0, min(done - room // 2, len(STAGES) - room))
        for number, stage in list(enumerate(STAGES))[first : first + room]:
            mark, colour = ("✓", palette.GOOD) if number < done else ("▶" if number == done else " ", palette.DIM)
            yield line((f"{mark} {stage.title}", palette.WARN if number == done else colour))


class PracticeScreen(StudyGame):
    """Plays the tutorial until all stages are done, or it is ended or begun anew (then `anew` is set).

    Args:
        session: the game, which may have been played in part.
        speed: steps a second; None for turn by turn.
        countdown: seconds before the first step.
        motion: whether points rise and borders pulse when something happens.
        log: the log of the tutorial; None for no log.
    """

    BINDINGS = bindings(PRACTICE_KEYS)

    def __init__(
        self,
        session: Session,
        *,
        speed: float | None = 10.0,
        countdown: int = COUNTDOWN,
        motion: bool = True,
        log: GameLog | None = None,
    ) -> None:
        super().__init__(session, "tutorial", speed=speed, countdown=countdown, motion=motion, log=log)
        self.progress = TutorialProgress()
        for tick in session.trace.ticks:
            self.progress.see(tick)
        self.anew = False
        self._status.leave_out(clock=True, hints=True, declares=True)  # nobody watches the clock
        self._panels = (LessonPanel(self.progress), *self._panels)

    @property
    def status(self) -> str:
        """The state of the game, without a clock."""
        return "practice" if self.playing else super().status

    def action_again(self) -> None:
        """Asks whether to begin anew."""
        self.app.push_screen(ConfirmDialog("Begin the tutorial anew?", yes="Begin anew", no="Go on"), self._begin_anew)

    def _begin_anew(self, sure: bool | None) -> None:
        self.anew = bool(sure)
        self._surrender(sure)

    def _step(self) -> None:
        """Plays one step; a stage that it completes is saved before the next step."""
        before = self.progress.done
        super()._step()
        self.progress.see(self.session.trace.ticks[-1])
        if self.progress.done > before:
            self._save_stage()
        if self.progress.done == len(STAGES) and not self.session.over:
            self.session.give_up()
            self._end()

    def _save_stage(self) -> None:
        self._show_panels()
        try:
            self.session.save()
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)
