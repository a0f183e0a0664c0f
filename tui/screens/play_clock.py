"""The clock of a game with people: preparation, countdown, and standing still behind other layers.

Then a step is played at every beat; or turn by turn, for a key or a skill that goes on by itself, once the agents that
the game waits for have decided.
"""

from abc import abstractmethod
from collections.abc import Callable, Iterable

from textual.timer import Timer
from textual.widgets import Digits

from bba.agents import Preparable
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from bba.language import marked, say
from bba.planner import QuestionProgress, futures_are_compiled
from human.session import Session
from tui.style import BackgroundTask, BaseScreen, Post
from tui.widgets import WAITS, KitchenView, game_time, longest, waiting

COUNTDOWN = 3  # seconds before the first step
PANEL_RATE = 5.0  # the panels are redrawn so often a second at most: they cost more than the kitchen
TURN_CHECK = 0.1  # seconds between two looks whether an agent has decided
SKILL_PACE = 0.1  # seconds between two steps of a skill that goes on by itself
COMPILING = marked("compiling the planner for this machine: a minute or so, only this once")
LOADING = marked("loading the planner, a moment")


class Preparation:
    """Prepares games, which may have to compile kernels: no game may be played until it is done.

    That happens in a thread, so that the screen answers its keys.

    Args:
        post: calls a function in the screen's thread, as for `BackgroundTask`.
    """

    def __init__(self, post: Post) -> None:
        self._task: BackgroundTask[None] = BackgroundTask(post)
        self.text = ""

    @property
    def waiting(self) -> bool:
        """Whether a game waits; `text` then says for what, in a line."""
        return self._task.busy

    def begin(self, games: Iterable[Preparable], then: Callable[[str | None], None]) -> None:
        """Prepares the games one after the other, then calls `then`: at once if all of them are ready.

        `then` takes why a game cannot be prepared, in a line, or None where nothing is wrong. While a game waits, this
        does nothing.
        """
        if self.waiting:
            return
        unprepared = [game for game in games if not game.ready]
        if not unprepared:
            then(None)
            return
        self.text = say(LOADING if futures_are_compiled() else COMPILING)
        self._task.begin(unprepared[0].prepare, lambda _: self.begin(games, then), lambda error: then(str(error)))


class PlayClock(BaseScreen[None]):
    """Counts down, then steps a session in real time, or leaves the steps to the keys, turn by turn.

    Args:
        session: the game and its people.
        speed: steps a second; None for turn by turn, where the world waits for a key.
        countdown: seconds before the first step.
    """

    def __init__(self, session: Session, *, speed: float | None = 10.0, countdown: int = COUNTDOWN) -> None:
        super().__init__()
        self.session = session
        self.paused = False
        self._speed = speed
        self._countdown = countdown
        self._owes_step = False  # whether a key has asked for a step that waits for an agent
        self._walk: Timer | None = None  # of the skill that goes on by itself
        self._digits = Digits(id="countdown")
        self._kitchen = KitchenView(session.trace.config.layout, self._digits)
        self._preparation = Preparation(self.call_later)

    @abstractmethod
    def _step(self) -> None:
        """Plays one step and shows it."""

    @abstractmethod
    def _show_panels(self) -> None:
        """Shows the newest step in all panels."""

    @abstractmethod
    def _show_title(self) -> None:
        """Shows the state of the game."""

    def on_screen_suspend(self) -> None:
        self._stop_walk()
        self._show_title()

    def on_screen_resume(self) -> None:
        self._show_title()

    def stand_still(self) -> None:
        """Pauses a game in real time, whose person may be away for long; turn by turn it waits anyway."""
        if self._speed is not None and not self.session.over:
            self.paused = True
            self._show_title()

    @property
    def snapshot(self) -> Snapshot:
        """The newest step, without the partner's true role: the partner is a person."""
        trace = self.session.trace
        return Snapshot(trace, len(trace.ticks), truth=False)

    @property
    def counting(self) -> bool:
        """Whether the countdown is running."""
        return self._countdown > 0

    @property
    def covered(self) -> bool:
        """Whether another screen, or the line for small terminals, lies over the game (which a window shows still)."""
        return not self.is_active or (self.too_small and self.session.window is None)

    @property
    def playing(self) -> bool:
        """Whether the game goes on and takes keys."""
        if self._preparation.waiting or self.counting:
            return False
        if self.paused or self.covered:
            return False
        return not self.session.over

    @property
    def status(self) -> str:
        """The state of the game in a word or two, or what it waits for; how to stop a skill that goes on by itself."""
        if self._preparation.waiting:
            return self._preparation.text
        if self.counting:
            return say("get ready")
        if self.paused or self.covered:
            return say("paused")
        if self._owes_step and self.playing:
            question = self.pending_question
            if question is not None:
                return self._waiting(question)
        if self._walk is not None and self.playing:
            return say("any key stops it")
        if self._speed is None:
            return say("your turn") + self._mode
        steps_to_go = self.snapshot.config.horizon - self.snapshot.step
        return game_time(steps_to_go, self._speed) + self._mode

    @property
    def pending_question(self) -> QuestionProgress | None:
        """How far the decision is that has been under way for longest; None if there is none."""
        return longest(self.session.game.progress)

    @property
    def _mode(self) -> str:
        """Whether the game waits while a language model is asked, for the title; "" where none is."""
        return WAITS[self.session.game.world_waits]

    def _waiting(self, question: QuestionProgress) -> str:
        return waiting(question)

    def _prepared(self, problem: str | None) -> None:
        """Begins, or says why the game cannot; the first step would say so again."""
        if problem is not None:
            self.paused = True
            self.show_problem(problem)
        self._count()

    def _count(self) -> None:
        """Shows the countdown, then starts the clock; turn by turn, looks whether slow agents have decided."""
        self._digits.display = self.counting
        if self.counting:
            self._digits.update(str(self._countdown))
            self.set_timer(1.0, self._count_on)
        else:
            self._begin()
        self._show_title()

    def _begin(self) -> None:
        """Starts the clock of this screen; a game of two people has that of the server in its place."""
        if self._speed is not None:
            self.set_interval(1 / self._speed, self._on_beat)
        elif self.session.game.world_waits:
            self.set_interval(TURN_CHECK, self._check_turn)

    def _count_on(self) -> None:
        if not self.covered:
            self._countdown -= 1
        self._count()

    def _on_beat(self) -> None:
        if self.playing:
            self._step()

    # --- turn by turn ------------------------------------------------------------------------------------------
    def _take_turn(self) -> None:
        """Plays a step, now or as soon as the agents have decided."""
        self._owes_step = True
        self._play_owed()

    def _play_owed(self) -> None:
        """Plays the step that is owed, if the game need not wait any longer."""
        if not self._owes_step:
            return
        if self.session.game.begin_step():
            self._owes_step = False
            self._step()
        else:
            self._show_title()

    def _check_turn(self) -> None:
        """Lets the agents begin with the next step, and plays the one that is owed."""
        if self.playing:
            self.session.game.begin_step()
            self._play_owed()

    def _begin_walk(self) -> None:
        """Lets the chosen skill go on by itself, turn by turn, until it ends or a key is pressed."""
        self._walk = self.set_interval(SKILL_PACE, self._walk_on)
        self._show_title()

    def _walk_on(self) -> None:
        if self._owes_step:
            return  # the skill goes on once that step is played
        if self.playing and self._running_skill != constants.NO_SKILL:
            self._take_turn()
        if self.session.over or self._running_skill == constants.NO_SKILL:
            self._stop_walk()

    def _stop_walk(self) -> bool:
        """Stops the skill that goes on by itself; returns whether there was one."""
        if self._walk is None:
            return False
        self._walk.stop()
        self._walk = None
        self._owes_step = False
        self._show_panels()
        return True

    @property
    def _running_skill(self) -> int:
        """The skill of the first person that has not ended yet."""
        return self.session.game.running(self.session.people[0])
