"""The tutorial: a game with a panel that says what to do next."""

from collections.abc import Iterable
from textwrap import wrap

from textual.content import Content

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from human.keymap import PRACTICE_KEYS
from human.session import Session
from human.study.practice import STAGES, TutorialProgress
from tui.screens.confirm_dialog import ConfirmDialog
from tui.screens.play import COUNTDOWN
from tui.study.game import StudyGame
from tui.style.key_bindings import bindings
from tui.widgets.panel import Panel, line


class LessonPanel(Panel):
    """Which stage this is, what to do, and what comes after.

    Args:
        lesson: what has been done.
    """

    TITLE = "lesson"
    ABOUT = "What to do next, on the way to a burrito."

    def __init__(self, lesson: TutorialProgress) -> None:
        super().__init__()
        self._lesson = lesson

    def title_of(self, snapshot: Snapshot) -> str:  # noqa: ARG002 - the lesson knows
        """How far one is."""
        return f"{self.TITLE}: {min(self._lesson.done + 1, len(STAGES))} of {len(STAGES)}"

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002
        """The stage that is to be done, in full; the others by their titles."""
        done = self._lesson.done
        if done < len(STAGES):
            for text in wrap(STAGES[done].text, width):
                yield line((text, f"bold {palette.TEXT}"))
            yield line("")
        for number, stage in enumerate(STAGES):
            mark, colour = ("✓", palette.GOOD) if number < done else ("▶" if number == done else " ", palette.DIM)
            yield line((f"{mark} {stage.title}", palette.WARN if number == done else colour))


class PracticeScreen(StudyGame):
    """Plays the tutorial's game until all stages are done, it is ended, or it is to begin anew (then `anew` is set).

    Args:
        session: the game, which may have been played in part.
        speed: steps a second; None for turn by turn.
        countdown: seconds before the first step.
    """

    BINDINGS = bindings(PRACTICE_KEYS)

    def __init__(self, session: Session, *, speed: float | None = 10.0, countdown: int = COUNTDOWN) -> None:
        super().__init__(session, "tutorial", speed=speed, countdown=countdown)
        self.lesson = TutorialProgress()
        for tick in session.trace.ticks:
            self.lesson.see(tick)
        self.anew = False
        self._panels = (LessonPanel(self.lesson), *self._panels)

    @property
    def status(self) -> str:
        """How it stands; no clock, for there is no hurry."""
        return "practice" if self.playing else super().status

    def action_again(self) -> None:
        """Ask whether to begin anew."""
        self.paused = True
        self.app.push_screen(ConfirmDialog("Begin the tutorial anew?", yes="Begin anew", no="Go on"), self._begin_anew)

    def _begin_anew(self, sure: bool | None) -> None:
        self.anew = bool(sure)
        self._surrender(sure)

    def _keep(self) -> None:
        """Show the next stage, and save that the one before is done."""
        self._show_panels()
        try:
            self.session.save()
        except BBAError as error:
            self.notify(str(error), severity="error", timeout=30, markup=False)

    def _step(self) -> None:
        """Play one step; a stage that is done with it is on the disk before the next one."""
        before = self.lesson.done
        super()._step()
        self.lesson.see(self.session.trace.ticks[-1])
        if self.lesson.done > before:
            self._keep()
        if self.lesson.done == len(STAGES) and not self.session.over:
            self.session.give_up()
            self._end()
