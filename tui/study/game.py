"""The games of a study: the play screen without a word on the partner or its belief, and the tutorial."""

from collections.abc import Callable, Iterable
from textwrap import wrap

from textual.content import Content

from bba import palette
from bba.analysis.snapshot import Snapshot
from bba.errors import BBAError
from bba.planner.progress import QuestionProgress
from human.keymap import PRACTICE_KEYS
from human.session import Session
from human.study.practice import STAGES, TutorialProgress
from human.study.progress import Pause, PauseReason
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play import PlayScreen
from tui.screens.play_clock import COUNTDOWN
from tui.study.pauses import PauseWatch
from tui.style.base_app import bindings
from tui.widgets.how_to import HowToPanel
from tui.widgets.panel import Panel, TitleBar, line, spread
from tui.widgets.partner_status import PartnerPanel

PAUSE_WATCH = 0.1  # seconds between two looks at whether the game stands still


class StudyTitle(TitleBar):
    """The name of the game to the left, its state to the right.

    Args:
        name: such as "game 2 of 4".
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def render(self) -> Content:
        """Returns the whole line."""
        colours = f"{palette.BACKGROUND} on {palette.WARN}" if self.past else palette.TEXT
        return spread(
            line((f" {self._name}", f"bold {palette.TEXT}")),
            line((f" {self.status} ", f"bold {colours}")),
            self.size.width,
        )


class StudyGame(PlayScreen):
    """Plays a session; dismissed at its end.

    Args:
        session: the game.
        name: the title.
        speed: steps a second; None for turn by turn.
        countdown: seconds before the first step.
        hints: whether participants may see hints, and do at first.
        motion: whether points rise and borders pulse when something happens.
        keep_pause: receives each time in which the game stood still.
    """

    def __init__(
        self,
        session: Session,
        name: str,
        *,
        speed: float | None = 10.0,
        countdown: int = COUNTDOWN,
        hints: bool = False,
        motion: bool = True,
        keep_pause: Callable[[Pause], object] = lambda _: None,
    ) -> None:
        super().__init__(session, speed=speed, countdown=countdown, show_hint=hints, motion=motion)
        self._pauses = PauseWatch(keep_pause)
        self._title = StudyTitle(name)
        self._status.leave_out(hints=not hints)
        self._panels = tuple(panel for panel in self._panels if not isinstance(panel, PartnerPanel | HowToPanel))
        self._withheld = {"mind"} if hints else {"mind", "hint"}

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # A participant must not see what the agent believes.
        return False if action in self._withheld else super().check_action(action, parameters)

    @property
    def _mode(self) -> str:
        """Nothing, since a participant must not know what its partner is."""
        return ""

    def _waiting(self, asked: QuestionProgress) -> str:  # noqa: ARG002 - nor why it waits
        """Says that the game goes on soon."""
        return "one moment"

    def on_mount(self) -> None:
        self.set_interval(PAUSE_WATCH, self.see_pauses)

    def see_pauses(self) -> None:
        """Notes whether the game stands still, and why."""
        self._pauses.see(len(self.session.trace.ticks), self._why_still)

    def end_pauses(self) -> None:
        """Ends a pause that is under way."""
        self._pauses.end()

    @property
    def _why_still(self) -> PauseReason | None:
        """Why the game stands still; None if it goes on, and before its first step."""
        if self._preparation.waiting or self.counting or self.session.over:
            return None
        if self.too_small:
            return "small"
        if not self.is_active:
            return "dialog"
        return "key" if self.paused else None

    def _end(self) -> None:
        """Leaves the saving of the game to the study."""
        self.dismiss()


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
        """Yields the current stage in full, then all stages by title."""
        done = self._progress.done
        if done < len(STAGES):
            for text in wrap(STAGES[done].text, width):
                yield line((text, f"bold {palette.TEXT}"))
            yield line("")
        for number, stage in enumerate(STAGES):
            mark, colour = ("✓", palette.GOOD) if number < done else ("▶" if number == done else " ", palette.DIM)
            yield line((f"{mark} {stage.title}", palette.WARN if number == done else colour))


class PracticeScreen(StudyGame):
    """Plays the tutorial until all stages are done, or it is ended or begun anew (then `anew` is set).

    Args:
        session: the game, which may have been played in part.
        speed: steps a second; None for turn by turn.
        countdown: seconds before the first step.
        motion: whether points rise and borders pulse when something happens.
    """

    BINDINGS = bindings(PRACTICE_KEYS)

    def __init__(
        self, session: Session, *, speed: float | None = 10.0, countdown: int = COUNTDOWN, motion: bool = True
    ) -> None:
        super().__init__(session, "tutorial", speed=speed, countdown=countdown, motion=motion)
        self.progress = TutorialProgress()
        for tick in session.trace.ticks:
            self.progress.see(tick)
        self.anew = False
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
