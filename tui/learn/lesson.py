"""The way through Learn: a lesson of ten stages to a burrito, then two minutes beside an agent, then one's own game."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from textual.app import App
from textual.content import Content

from bba import palette
from bba.agents import HUMAN
from bba.analysis.advice import Advice
from bba.analysis.snapshot import Snapshot
from bba.kitchen import constants
from bba.settings import Settings
from human.keymap import Keymap
from human.lesson import next_thing
from human.session import Session
from human.study.practice import PERSON_SEAT, STAGES, TutorialProgress, practice_session
from tui.game_factory import SessionRequest, session_request
from tui.learn.beside import LESSON_STEPS, BesideScreen, Card, CardPanel, in_the_way, key_for, now
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play_clock import COUNTDOWN
from tui.study.game import PracticeScreen, StudyTitle
from tui.widgets.how_to import HowToPanel
from tui.widgets.panel import Panel, line

WALK_KEYS = (constants.NORTH, constants.SOUTH, constants.WEST, constants.EAST)


class LessonSession(Session):
    """A session that leaves no recording."""

    def save(self) -> None:
        """Writes nothing."""


class StagesPanel(Panel):
    """The stages by title, with the current one and those that are done.

    Args:
        progress: the stages that are done.
    """

    TITLE = "stages"
    ABOUT = "The ten stages of the lesson."

    def __init__(self, progress: TutorialProgress) -> None:
        super().__init__()
        self._progress = progress

    def lines(self, snapshot: Snapshot, width: int) -> Iterable[Content]:  # noqa: ARG002 - the progress knows
        """Yields a line for each stage."""
        done = self._progress.done
        for number, stage in enumerate(STAGES):
            mark, colour = ("✓", palette.GOOD) if number < done else ("▸" if number == done else "·", palette.DIM)
            yield line((f"{mark} {stage.title}", f"bold {palette.WARN}" if number == done else colour))


class LessonScreen(PracticeScreen):
    """Leads through the lesson; dismissed when it is done, left or begun anew (then `anew` is set).

    Args:
        session: the game of the lesson.
        keymap: the keys of every action.
        countdown: seconds before the first step.
        motion: whether points rise and borders pulse when something happens.
    """

    LEAVING = "Leave the lesson?", "Leave", "Go on"

    def __init__(self, session: Session, keymap: Keymap, *, countdown: int = COUNTDOWN, motion: bool = True) -> None:
        super().__init__(session, countdown=countdown, motion=motion)
        self._keymap = keymap
        self._title = StudyTitle("learn: make a burrito")
        self._withheld |= {"skills", "declare"}
        self._status.leave_out(clock=True, hints=True, declares=True)
        self._card = CardPanel()
        self._below = (self._card,)
        self._panels = (StagesPanel(self.progress), self._status, HowToPanel())

    @property
    def finished(self) -> bool:
        """Whether the burrito is served."""
        return self.progress.done == len(STAGES)

    def _step(self) -> None:
        super()._step()
        self._show_panels()

    def _show_advice(self) -> None:
        if not self.finished:
            advice = self._next()
            self._card.card = stage_card(self.progress, self.snapshot, advice, self._keymap)
            self._kitchen.show_target(advice.target)

    def _next(self) -> Advice:
        snapshot = self.snapshot
        return next_thing(snapshot.config.layout, snapshot.trace.state(snapshot.step), PERSON_SEAT, self.progress.done)


def stage_card(progress: TutorialProgress, snapshot: Snapshot, advice: Advice, keymap: Keymap) -> Card:
    """Returns the card of the current stage, with the next thing to do."""
    stage, title = STAGES[progress.done], f"{progress.done + 1} of {len(STAGES)}: {STAGES[progress.done].title}"
    if progress.done == 0:
        left, keys = progress.tiles_left, " ".join(key_for(action, keymap) for action in WALK_KEYS)
        return Card(title, stage.text, (f"{left} more tile{'s' * (left != 1)}",), keys)
    wrong = advice.skill == constants.PUT_DOWN_OBJECT
    text = in_the_way(snapshot, PERSON_SEAT) if wrong else stage.text
    return Card(title, text, now(snapshot.config.layout, advice), key_for(advice.action, keymap))


OFFER = "Your first game? Learn makes a burrito with you, then shows what your partner believes: three minutes."
NEXT = (
    "Your first burrito! Now work for two minutes beside an agent that tries to make out what you do. Its mind lies "
    "open: what it believes of you, and when it changes its plan for it."
)
AFTER_LEARN = "That was Learn. Play a game of your own now? It takes four minutes."


def own_game() -> SessionRequest:
    """Returns a request for a first game: the default kitchen and agent."""
    return session_request(Settings.model_validate({"partner": HUMAN}))


async def learn(app: App[Any], keymap: Keymap, *, motion: bool) -> bool:
    """Leads through Learn, screen by screen; returns whether a game is wanted then.

    Raises:
        BBAError: the recording of the second part cannot be written.
    """
    goes_on = await _lesson(app, keymap, motion=motion) and await app.push_screen_wait(_question(NEXT, yes="Go on"))
    if not goes_on:
        return False
    beside = session_request(Settings.model_validate({"partner": HUMAN, "horizon": LESSON_STEPS})).make(keymap)
    await app.push_screen_wait(BesideScreen(beside, keymap, motion=motion))
    return await app.push_screen_wait(_question(AFTER_LEARN, yes="Play"))


def _question(text: str, *, yes: str) -> ConfirmDialog:
    """Returns the question whether to go on, which comes by itself when a part has ended."""
    return ConfirmDialog(text, yes=yes, no="To the menu", careful=False, asked_for=False)


async def _lesson(app: App[Any], keymap: Keymap, *, motion: bool) -> bool:
    """Shows the lesson, as often as it is begun anew; returns whether it was finished."""
    while True:
        game = practice_session(Path(os.devnull))
        screen = LessonScreen(LessonSession(game.game, game.controls, game.path), keymap, motion=motion)
        await app.push_screen_wait(screen)
        if not screen.anew:
            return screen.finished
