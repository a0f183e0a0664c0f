"""The pad of numbers by which a person chooses a skill, which goes on by itself."""

from collections.abc import Callable

from textual.timer import Timer

from bba.analysis import Snapshot
from bba.kitchen import constants
from human.session import Session
from tui.playback.clock import Clock
from tui.screens.turns import Turns
from tui.widgets import SkillsPanel

DIGITS = "0123456789"
SKILL_PACE = 0.1  # seconds between two steps of a skill that goes on by itself


class SkillPad:
    """Offers the first person the skills that are possible now; turn by turn it asks for the steps of the chosen one.

    Args:
        session: the game.
        clock: the clock.
        turns: plays the steps that the pad asks for.
        set_interval: calls a function again and again, given the seconds between two calls.
        show_title: shows that a skill goes on by itself.
        show_panels: shows all of the game once none does any longer.

    Attributes:
        panel: shows the skills and the digits that are typed.
    """

    def __init__(
        self,
        session: Session,
        clock: Clock,
        turns: Turns,
        set_interval: Callable[[float, Callable[[], None]], Timer],
        *,
        show_title: Callable[[], None],
        show_panels: Callable[[], None],
    ) -> None:
        self.panel = SkillsPanel()
        self._session = session
        self._clock = clock
        self._turns = turns
        self._set_interval = set_interval
        self._show_title = show_title
        self._show_panels = show_panels
        self._seat = session.people[0]
        self._walk: Timer | None = None  # of the skill that goes on by itself

    def offer(self, snapshot: Snapshot) -> None:
        """Shows the skills that are possible now."""
        self.panel.offer(snapshot, self._feasible(), self._running_skill)

    def choose(self, skill: int) -> bool:
        """Begins a skill if it is possible now, and returns whether it is; turn by turn it goes on by itself."""
        if skill not in self._feasible():
            return False
        self._session.controls[self._seat].choose(skill)
        if not self._clock.timed:
            self._turns.take()
            self._begin_walk()
        return True

    @property
    def walks(self) -> bool:
        """Whether a skill goes on by itself, turn by turn."""
        return self._walk is not None

    def walk_on(self) -> None:
        """Asks for the next step of the skill that goes on by itself; stops it if it has ended."""
        if self._clock.owes_step:
            return  # the skill goes on once that step is played
        if self._clock.standstill is None and self._running_skill != constants.NO_SKILL:
            self._turns.take()
        if self._session.over or self._running_skill == constants.NO_SKILL:
            self.stop_walk()

    def stop_walk(self) -> bool:
        """Stops the skill that goes on by itself; returns whether there was one."""
        if self._walk is None:
            return False
        self._walk.stop()
        self._walk = None
        self._clock.owes_step = False
        self._show_panels()
        return True

    def _begin_walk(self) -> None:
        """Lets the chosen skill go on by itself, turn by turn, until it ends or a key is pressed."""
        self._walk = self._set_interval(SKILL_PACE, self.walk_on)
        self._show_title()

    def _feasible(self) -> tuple[int, ...]:
        mask = self._session.game.kitchen.mask(self._seat)
        skills = [skill for skill in range(constants.N_SKILLS) if mask[skill]]
        return tuple(skill for skill in skills if skill != constants.SKILL_STAY)

    @property
    def _running_skill(self) -> int:
        """The skill of the first person that has not ended yet."""
        return self._session.game.running(self._seat)
