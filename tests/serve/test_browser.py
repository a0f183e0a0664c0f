"""A remote participant, in a real browser."""

import asyncio
import json
import shutil
from contextlib import suppress

import pytest

from bba.kitchen import Action
from bba.play import load
from tests.helpers.browser import browsing
from tests.helpers.web_server import PATIENCE, STUDY, serving

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


async def leave_the_page(browser, *words, quiet=2.2):
    """Go on to the page with these words; a page after a game takes no key before it was quiet for two seconds.

    A key that comes before the one before it has been seen to may find another widget, and is pressed again.
    """
    while True:
        await asyncio.sleep(quiet)
        await browser.type("Enter")
        with suppress(TimeoutError):
            async with asyncio.timeout(3):
                return await browser.asks(*words)


async def leave_the_study(browser):
    """Confirm its last page, as in `leave_the_page`; returns how it has ended."""
    while True:
        await browser.type("Enter")
        with suppress(TimeoutError):
            async with asyncio.timeout(3):
                return await browser.ended()


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_a_visitor_takes_part_in_a_study_in_the_browser(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    progress, recording = (tmp_path / "results" / "remote" / name for name in ("participants/P1.json", "recordings"))
    with serving(tmp_path, "--study", "study.toml") as (_, link):
        async with browsing(CHROMIUM, link, tmp_path) as browser:
            await browser.asks("given")
            assert "token" not in await browser.address()
            await browser.run("document.body.classList.add('-touch')")  # a tablet: a hint lies over the page
            await browser.type("p", "1", "Enter")
            await browser.asks("Do you agree?")
            assert not await browser.run("document.body.classList.contains('-touch')")
            await browser.type("Tab", "Enter")
            await browser.asks("Begin")
            assert progress.is_file()
            await browser.type("Enter")
            await browser.shows("your turn")
            await browser.screenshot(tmp_path / "game.png")
            await browser.type("w", "a", "s", "d")
            await browser.asks("Game over")
            await leave_the_page(browser, "Fluent?")
            await browser.type("4")
            await leave_the_page(browser, "That was all.", quiet=0.2)
            assert await leave_the_study(browser) == "finished"
    done = json.loads(progress.read_text())
    assert [answer["score"] for answer in done["answers"]] == [4]
    played = [int(action) for action in load(recording / "P1-game-1.bba").players[1].actions]
    assert played == [Action.NORTH, Action.WEST, Action.SOUTH, Action.EAST]
    assert (tmp_path / "game.png").stat().st_size > 10_000


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_the_page_in_the_browser_shows_the_code_and_the_way_back_of_its_ending_alone(tmp_path):
    endings = """
[online.endings]
finished = { code = "F1N", redirect = "https://x.org/done" }
declined = { code = "N0", redirect = "https://x.org/{PROLIFIC_PID}" }
"""
    (tmp_path / "study.toml").write_text(STUDY + endings)
    with serving(tmp_path, "--study", "study.toml") as (_, link):
        async with browsing(CHROMIUM, f"{link}&PROLIFIC_PID=abc", tmp_path) as browser:
            await browser.asks("Do you agree?")
            await browser.type("Tab", "Tab", "Enter")
            await browser.asks("Your completion code: N0")
            await browser.type("Enter")
            assert await browser.ended() == "declined"
            shown = await browser.run("document.querySelector('main.-shown').innerText")
            assert "Your completion code: N0" in shown
            assert "You may close this page" not in shown
            assert await browser.run("document.getElementById('link').href") == "https://x.org/abc"
            assert "F1N" not in await browser.run("document.documentElement.outerHTML")


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_keys_that_are_pressed_on_after_a_game_press_nothing(tmp_path):
    """Neither the page's buttons nor those below them, and no question whether to leave comes."""
    (tmp_path / "study.toml").write_text(STUDY)
    with serving(tmp_path, "--study", "study.toml") as (_, link):
        async with browsing(CHROMIUM, link, tmp_path) as browser:
            await browser.asks("given")
            await browser.type("p", "1", "Enter")
            await browser.asks("Do you agree?")
            await browser.type("Tab", "Enter")
            await browser.asks("Begin")
            await browser.type("Enter")
            await browser.shows("your turn")
            await browser.run("addEventListener('click', ({ target }) => (window.pressed = target.innerText), true)")
            text = "document.getElementById('form').innerText"
            async with asyncio.timeout(PATIENCE):
                while "Game over" not in await browser.run(text):
                    await browser.type("w", "d")
            for _ in range(5):
                await browser.type("w", "d", "Tab", "Enter", " ", "Tab", "Tab", "Enter", "Escape", "a", "Enter", "Tab")
            assert "Game over" in await browser.run(text)
            assert await browser.run("window.pressed || ''") == ""
            await leave_the_page(browser, "Fluent?")
