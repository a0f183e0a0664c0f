"""A study on the screen, as its tests walk through it."""

from textual.widgets import Button

from bba.settings import GameOptions
from tests.helpers.wait_for_idle import until
from tui.study.app import StudyApp
from tui.study.forms import QuestionPage
from tui.study.game import StudyGame


def app_on(folder, code="P1", **options):
    return StudyApp(folder, GameOptions.model_validate({}), code, countdown=0, pause=0, **options)


async def pass_the_end_of_the_game(pilot):
    await pilot.pause()
    assert pilot.app.screen._title == "Game over"
    await pilot.press("enter")
    await pilot.pause()


def asks_for(app, field):
    return isinstance(app.screen, QuestionPage) and isinstance(app.screen.field, field)


async def agree(pilot):
    await pilot.press("tab", "enter")
    await pilot.pause()


async def play_the_only_step(pilot):
    """Agree, and play a game of one step to the page after it."""
    await agree(pilot)
    await pilot.press("enter")
    await pilot.pause()
    await pilot.press(".")
    await pass_the_end_of_the_game(pilot)


def progress_of(folder):
    (progress,) = folder.everybody()
    return progress


async def page(pilot, title):
    """Wait for a page of this title."""
    await until(pilot, lambda: getattr(pilot.app.screen, "_title", None) == title)


async def play_one_step(pilot):
    """Begin a game of one step, play it, and wait until its end can be left."""
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, StudyGame))
    await pilot.press(".")
    await page(pilot, "Game over")
    await until(pilot, lambda: not pilot.app.screen.query_one("#yes", Button).disabled)
