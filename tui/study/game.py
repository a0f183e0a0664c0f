"""The games of a study: the play screen without a word on the partner or its belief.

Notes the pauses of a game: when it stood still, at which step, and why.
"""

from collections.abc import Callable
from datetime import UTC, datetime

from textual.content import Content

from bba import palette
from bba.errors import BBAError
from bba.planner.chat import QuestionProgress
from human.session import Session
from human.study.activity_log import Activity, GameLog, LoggedControls
from human.study.progress import Pause, PauseReason
from tui.screens.play import PlayScreen
from tui.screens.play_clock import COUNTDOWN
from tui.widgets.how_to import HowToPanel
from tui.widgets.panel import TitleBar, line, spread
from tui.widgets.player_status import PartnerPanel


class PauseWatch:
    """Turns what is seen from time to time into pauses.

    Args:
        keep: receives each pause once it has ended.
        note: is told when a pause begins, and why, and when it ends.
        now: returns the time.
    """

    def __init__(
        self,
        keep: Callable[[Pause], object],
        note: Callable[[Activity, str | None], object] = lambda *_: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._keep, self._note, self._now = keep, note, now
        self._open: tuple[int, datetime, PauseReason] | None = None

    def see(self, step: int, why: PauseReason | None) -> None:
        """Notes that the game stands still after `step` steps for this reason, or that it does not (None)."""
        before = self._open[2] if self._open else None
        if why == before:
            return
        self.end()
        if why is not None:
            self._open = step, self._now(), why
            self._note("paused", why)

    def end(self) -> None:
        """Ends the pause that is under way, if there is one."""
        if self._open is not None:
            (step, started, why), self._open = self._open, None
            self._note("resumed", None)
            self._keep(Pause(step=step, started=started, ended=self._now(), why=why))


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
        log: the log of this game; None for no log.
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
        log: GameLog | None = None,
    ) -> None:
        super().__init__(session, speed=speed, countdown=countdown, show_hint=hints, motion=motion)
        self._log = log
        for controls in session.controls.values():
            if isinstance(controls, LoggedControls):
                controls.log = log
        self._pauses = PauseWatch(keep_pause, self.note)
        self._title = StudyTitle(name)
        self._status.leave_out(hints=not hints, declares=True)
        self._panels = tuple(panel for panel in self._panels if not isinstance(panel, PartnerPanel | HowToPanel))
        self._withheld = {"mind", "declare"} if hints else {"mind", "declare", "hint"}

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        # A participant must not see what the agent believes, and has no debrief to tell anything to.
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

    def note(self, what: Activity, detail: str | None = None) -> None:
        """Notes in the log what happens between two steps; the game stands still where that fails."""
        self._write(lambda log: log.note(what, detail))

    def note_key(self, key: str) -> None:
        """Notes a key in the log."""
        self._write(lambda log: log.key(key))

    def _write(self, note: Callable[[GameLog], object]) -> None:
        try:
            if self._log is not None:
                note(self._log)
        except BBAError as error:
            self.paused = True
            self.show_problem(str(error))

    def _step(self) -> None:
        """Plays one step, and notes it."""
        before = len(self.session.trace.ticks)
        super()._step()
        steps = len(self.session.trace.ticks)
        if steps > before:
            self._write(lambda log: log.step(steps))

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
