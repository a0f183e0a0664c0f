"""Playing by skills: a number starts a skill, which turn by turn goes on by itself until it needs the person.

The window beside a game with people: its keys reach the game, and its end ends the game.

Turn by turn: a key is a step, which is played once the agents that the game waits for have decided.
"""

from abc import abstractmethod

from textual import events
from textual.timer import Timer

from bba.analysis import names
from bba.kitchen import constants
from human.session import Session
from tui.screens.play_clock import COUNTDOWN, PlayClock
from tui.widgets.how_to import NumberPad, SkillsPanel

TURN_CHECK = 0.1  # seconds between two looks whether an agent has decided


class Turns(PlayClock):
    """Plays the step that a key asks for; agents that take their time decide while the person thinks, too."""

    def __init__(self, session: Session, *, speed: float | None = 10.0, countdown: int = COUNTDOWN) -> None:
        super().__init__(session, speed=speed, countdown=countdown)
        self._owes_step = False

    @property
    def status(self) -> str:
        """The state of the game, or what the step that a key has asked for waits for."""
        owed = self._owes_step and self.playing and self.asked
        return self._waiting(owed) if owed else super().status

    def _take_turn(self) -> None:
        """Plays a step, now or as soon as the agents have decided."""
        self._owes_step = True
        self._play_owed()

    def _play_owed(self) -> None:
        """Plays the step that is owed, if the game need not wait any longer."""
        if self._owes_step and self.session.game.begin_step():
            self._owes_step = False
            self._step()
        elif self._owes_step:
            self._show_title()

    def _begin(self) -> None:
        super()._begin()
        if self._speed is None and self.session.game.world_waits:
            self.set_interval(TURN_CHECK, self._check_turn)

    def _check_turn(self) -> None:
        """Lets the agents begin with the next step, and plays the one that is owed."""
        if self.playing:
            self.session.game.begin_step()
            self._play_owed()


WINDOW_CHECK = 0.5  # seconds between two checks whether the window is still there


class PlayWindow(Turns):
    """Takes the keys of the session's window, if it has one."""

    @abstractmethod
    def _press(self, seat: int, action: int) -> None:
        """Takes a primitive action of the person in a seat."""

    @abstractmethod
    def _surrender(self, sure: bool | None) -> None:
        """Ends the game if that is sure."""

    def _listen(self) -> None:
        """Listens to the window, and looks from time to time whether it is still there."""
        window = self.session.window
        if window is not None:
            window.listen(
                lambda seat, action: self.app.call_from_thread(self._press, seat, action),
                lambda action: self.app.call_from_thread(self._act, action),
            )
            self.set_interval(WINDOW_CHECK, self._watch_window)

    def _act(self, action: str) -> None:
        """Runs an action that was asked for in the window."""
        self.run_worker(self.run_action(action))

    def _watch_window(self) -> None:
        """Ends the game when its window is gone, and the app too if the window was not closed by hand."""
        window = self.session.window
        if window is None or not window.gone.is_set() or self.session.over:
            return
        self._surrender(True)
        if not window.closed_by_hand:
            self.app.exit(message="the window has gone")


SKILL_PACE = 0.1  # seconds between two steps of a skill that goes on by itself


class SkillMode(PlayWindow):
    """Starts skills of the first person by their numbers, while `skill_mode` is on."""

    def __init__(self, session: Session, *, speed: float | None = 10.0, countdown: int = COUNTDOWN) -> None:
        super().__init__(session, speed=speed, countdown=countdown)
        self.skill_mode = False
        self._skills = SkillsPanel()
        self._pad = NumberPad()
        self._walk: Timer | None = None

    @abstractmethod
    def _show_panels(self) -> None:
        """Shows the newest step in all panels."""

    @property
    def status(self) -> str:
        """The state of the game, or how to stop a skill that goes on by itself."""
        stops = self._walk is not None and self.playing and not (self._owes_step and self.asked)
        return "any key stops it" if stops else super().status

    def on_screen_suspend(self) -> None:
        self._stop_walk()

    def action_stay(self) -> None:
        """Lets a step pass, turn by turn."""
        if not self._stop_walk() and self._speed is None and self.playing:
            self._take_turn()

    def action_pause(self) -> None:
        """Pauses, or goes on."""
        if not self._stop_walk():
            self.paused = not self.paused
            self._show_title()

    def on_key(self, event: events.Key) -> None:
        """Stops a skill that goes on by itself; reads digits as the number of a skill, in skill mode."""
        if not self._stop_walk() and self.skill_mode and event.character and event.character in "0123456789":
            event.stop()
            self._type(event.character)

    def _type(self, digit: str) -> None:
        skill = self._pad.digit(digit)
        if skill is not None and self.playing:
            self._choose(skill)
        self._offer_skills()

    def _choose(self, skill: int) -> None:
        """Starts a skill, or says that it cannot be done now."""
        if skill not in self._feasible():
            self.hint(f"{names.skill(skill)}: not possible now")
            return
        self.session.controls[self.session.people[0]].choose(skill)
        if self._speed is None:
            self._take_turn()
            self._begin_walk()

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
        walk, self._walk = self._walk, None
        if walk is None:
            return False
        walk.stop()
        self._owes_step = False
        self._show_panels()
        return True

    def _offer_skills(self) -> None:
        if self.skill_mode:
            self._skills.offer(self._feasible(), self._running_skill, self._pad.typed)

    @property
    def _running_skill(self) -> int:
        """The skill of the first person that has not ended yet."""
        return self.session.game.running(self.session.people[0])

    def _feasible(self) -> tuple[int, ...]:
        """Returns the skills that the first person can start now."""
        mask = self.session.game.kitchen.mask(self.session.people[0])
        return tuple(skill for skill in range(constants.N_SKILLS) if mask[skill] and skill != constants.SKILL_STAY)
