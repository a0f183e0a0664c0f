"""A study on the screen, as its tests walk through it."""

from textual.widgets import Button

from bba.settings import GameOptions
from tests.helpers.wait_for_idle import until
from tui.study.app import StudyApp
from tui.study.game import StudyGame
from tui.study.screens import PageScreen, QuestionScreen


def app_on(folder, code="P1", **options):
    return StudyApp(folder, GameOptions.model_validate({}), code, countdown=0, pause=0, **options)


def title_on(app):
    """Returns the title of the page on the screen; "" where there is none."""
    return app.screen.page.title if isinstance(app.screen, PageScreen) else ""


def text_on(app):
    """Returns the text of the page on the screen; "" where there is none."""
    return app.screen.page.text if isinstance(app.screen, PageScreen) else ""


async def pass_the_end_of_the_game(pilot):
    await pilot.pause()
    assert title_on(pilot.app) == "Game over"
    await pilot.press("enter")
    await pilot.pause()


def asks_for(app, field):
    return isinstance(app.screen, QuestionScreen) and isinstance(app.screen.field, field)


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
    await until(pilot, lambda: title_on(pilot.app) == title)


async def play_one_step(pilot):
    """Begin a game of one step, play it, and wait until its end can be left."""
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, StudyGame))
    await pilot.press(".")
    await page(pilot, "Game over")
    await until(pilot, lambda: not pilot.app.screen.query_one("#yes", Button).disabled)
