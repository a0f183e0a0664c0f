"""The way through Learn: the lesson, then two minutes beside an agent, then the offer of a game of one's own."""

from typing import Any

from textual.app import App

from bba.agents import HUMAN
from bba.settings import Settings
from human.keymap import Keymap
from tui.game_factory import SessionRequest, session_request
from tui.learn.beside import STEPS, BesideScreen
from tui.learn.lesson import LessonScreen, lesson_session
from tui.screens.dialogs import ConfirmDialog

OFFER = "Your first game? Learn makes a burrito with you, then shows what your partner believes: three minutes."
NEXT = (
    "Your first burrito! Now work for two minutes beside an agent that tries to make out what you do. Its mind lies "
    "open: what it believes of you, and when it changes its plan for it."
)
MORE = "That was Learn. Play a game of your own now? It takes four minutes."


def own_game() -> SessionRequest:
    """Returns a request for a first game: the default kitchen and agent."""
    return session_request(Settings.model_validate({"partner": HUMAN}))


def offer() -> ConfirmDialog:
    """Returns the question before a first game."""
    return ConfirmDialog(OFFER, yes="Learn", no="Play at once", careful=False)


async def learn(app: App[Any], keymap: Keymap, *, motion: bool) -> bool:
    """Leads through Learn, screen by screen; returns whether a game is wanted then.

    Raises:
        BBAError: the recording of the second part cannot be written.
    """
    if not await _lesson(app, keymap, motion=motion):
        return False
    if not await app.push_screen_wait(_question(NEXT, yes="Go on")):
        return False
    beside = session_request(Settings.model_validate({"partner": HUMAN, "horizon": STEPS})).make(keymap)
    await app.push_screen_wait(BesideScreen(beside, keymap, motion=motion))
    return await app.push_screen_wait(_question(MORE, yes="Play"))


def _question(text: str, *, yes: str) -> ConfirmDialog:
    """Returns the question whether to go on, which comes by itself when a part has ended."""
    return ConfirmDialog(text, yes=yes, no="To the menu", careful=False, asked_for=False)


async def _lesson(app: App[Any], keymap: Keymap, *, motion: bool) -> bool:
    """Shows the lesson, as often as it is begun anew; returns whether it was finished."""
    while True:
        screen = LessonScreen(lesson_session(), keymap, motion=motion)
        await app.push_screen_wait(screen)
        if not screen.anew:
            return screen.finished
