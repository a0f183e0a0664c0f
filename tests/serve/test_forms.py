"""A study of one's own, walked in a browser by its keys alone: every page is a form that a screen reader reads."""

import asyncio
import shutil

import pytest
from PIL import Image

from human.study import StudyFolder
from human.study.tables import tables_of
from tests.helpers.browser import browsing
from tests.helpers.web_server import PATIENCE, ROOT, serving
from tests.serve.test_browser import CHROMIUM, leave_the_page
from tests.serve.test_languages import check

STUDY = """
name = "own"
title = "My study"
consent = "We ask you to cook."
layouts = ["mine.toml"]
agents = ["switching", "proagent", "bayes"]
tutorial = false
turns = true
horizon = 1
[practice]
tries = 2
instructions = "A dish counts when it is served."
[[pages]]
name = "why"
when = "start"
heading = "Why we ask"
text = "We look at kitchens."
picture = "kitchen.png"
picture-text = "A kitchen from above"
[[pages]]
name = "bye"
when = "end"
heading = "What it was about"
text = "It was about three partners."
[[questions]]
name = "check"
text = "When does a dish count?"
when = "practice"
choices = ["when it is done", "when it is served"]
type = "choice"
expect = "when it is served"
[[questions]]
name = "fluent"
text = "Was it fluent?"
ends = ["not at all", "very"]
[[questions]]
name = "effort"
text = "How much effort?"
type = "slider"
ends = ["none", "much"]
when = "end"
[[questions]]
name = "saw"
text = "What did you see?"
type = "choices"
choices = ["a pot", "a sink", "a dog"]
when = "end"
[[questions]]
name = "hours"
text = "How many hours?"
type = "number"
when = "end"
[[questions]]
name = "words"
text = "Anything else?"
when = "end"
"""
END = {"effort": 51, "saw": "a pot | a dog", "hours": 25.0, "words": "No"}
FOCUS = "document.activeElement.innerText || document.activeElement.name"


async def press(browser, *keys):
    """Presses keys that have no letter, too."""
    codes = {"ArrowRight": 39, "Escape": 27, "Space": 32}
    for key in keys:
        if key not in codes:
            await browser.type(key)
            continue
        about = {"key": " " if key == "Space" else key, "code": key, "windowsVirtualKeyCode": codes[key]}
        await browser.do("Input.dispatchKeyEvent", type="keyDown", text=" " if key == "Space" else "", **about)
        await browser.do("Input.dispatchKeyEvent", type="keyUp", **about)


async def until(browser, expression):
    """Waits until an expression is true in the page, for as long as anything may take."""
    async with asyncio.timeout(PATIENCE):
        while not await browser.run(expression):
            await asyncio.sleep(0.05)


async def go_on(browser):
    """Presses the button of a page, once it has the keys."""
    await until(browser, "document.activeElement.tagName === 'BUTTON'")
    await press(browser, "Enter")


async def choose_how_it_looks(browser):
    """High contrast and larger letters, before consent; both outlast the page that they load anew."""
    await press(browser, "Tab", "Tab")
    assert await browser.run(FOCUS) == "High contrast"
    await press(browser, "Enter")
    await until(browser, "document.body.matches('.-contrast')")  # it is seen before the next key is pressed
    await press(browser, "Tab", "Enter")
    await browser.asks("the code that you were given")
    await until(browser, "document.body.matches('.-contrast')")
    assert await browser.run("getComputedStyle(document.documentElement).fontSize") == "20px"
    await check(browser, "en", "High contrast")
    found = await browser.run("document.querySelector('[data-button=contrast]').getAttribute('aria-pressed')")
    assert found == "true"


async def leave_and_stay(browser):
    """The dialog over a game is read out, and escape leads back to the game."""
    await browser.run("document.querySelector('.xterm-helper-textarea').focus()")
    common = {"key": "c", "windowsVirtualKeyCode": ord("C"), "modifiers": 2}
    await browser.do("Input.dispatchKeyEvent", type="keyDown", **common)
    await browser.do("Input.dispatchKeyEvent", type="keyUp", **common)
    await browser.asks("Leave here?", "Withdraw", "Stay")
    await check(browser, "en", "Leave here? What you have done is saved. The same code goes on from here another time.")
    assert await browser.run("document.querySelector('[role=alertdialog]').getAttribute('aria-modal')") == "true"
    for expected in ("Stay", "Leave", "Withdraw", "Stay"):  # no key leaves it by accident
        assert await browser.run(FOCUS) == expected
        await press(browser, "Tab")
    await press(browser, "Escape")
    await until(browser, "document.activeElement.matches('.xterm-helper-textarea')")


async def play(browser, number):
    await browser.asks(f"Game {number} of 3")
    await go_on(browser)
    await browser.shows("your turn")
    if number == 1:
        await leave_and_stay(browser)
    await press(browser, "w")
    await browser.asks("Game over")
    await leave_the_page(browser, "Was it fluent?")
    await check(browser, "en", "Was it fluent?", "1  not at all".replace("  ", " "))
    await press(browser, str(number), "Enter")


async def begin(browser):
    """Consent, a page with a picture, and two tries of the check."""
    await press(browser, "p", "1", "Enter")
    await browser.asks("We ask you to cook.")
    assert "Larger letters" in await browser.tree()
    await press(browser, "Tab", "Enter")
    await browser.asks("We look at kitchens.")
    await check(browser, "en", "Why we ask", "A kitchen from above")
    assert await browser.run("document.querySelector('#form img').naturalWidth") == 300
    await go_on(browser)
    await browser.asks("A dish counts when it is served.")
    await go_on(browser)
    await browser.asks("When does a dish count?")
    await press(browser, "Enter", "Enter")
    await browser.asks("please answer this question")
    await check(browser, "en", "please answer this question")
    await press(browser, "1", "Enter")
    await browser.asks("This is the last try.")
    await go_on(browser)
    await browser.asks("A dish counts when it is served.")
    await go_on(browser)
    await browser.asks("When does a dish count?")
    await press(browser, "2", "Enter")


async def end(browser):
    """The questions of every other kind, the debriefing, and the last page."""
    await browser.asks("How much effort?", "not set")
    await check(browser, "en", "How much effort?", "none", "much", "not set")
    await press(browser, "ArrowRight", "Enter", "Enter")
    await browser.asks("What did you see?")
    await check(browser, "en", "What did you see?", "a dog")
    await press(browser, "Space", "Tab", "Tab", "Space", "Tab", "Enter")
    await browser.asks("How many hours?")
    await check(browser, "en", "How many hours?")
    await press(browser, "2", "5", "Enter", "Enter")
    await browser.asks("Anything else?")
    await check(browser, "en", "Anything else?")
    await press(browser, "N", "o", "Tab", "Enter")
    await browser.asks("It was about three partners.")
    await go_on(browser)
    await browser.asks("That was all.")
    await check(browser, "en", "That was all. Your games and answers are saved.", "Withdraw")
    await go_on(browser)


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize(("width", "height"), [(400, 700), (1280, 800)])
async def test_a_study_of_ones_own_is_walked_by_keys_on_a_narrow_and_a_wide_window(
    tmp_path, monkeypatch, width, height
):
    monkeypatch.chdir(tmp_path)  # where its kitchen is
    (tmp_path / "study.toml").write_text(STUDY)
    shutil.copy(ROOT / "configs" / "layouts" / "ring.toml", tmp_path / "mine.toml")
    Image.new("RGB", (300, 200), (200, 30, 30)).save(tmp_path / "kitchen.png")
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    with serving(tmp_path, "--study", "study.toml") as (_, link):
        async with browsing(CHROMIUM, link, tmp_path) as browser:
            await browser.asks("My study")
            await browser.do("Emulation.setDeviceMetricsOverride", **size)
            await choose_how_it_looks(browser)
            await browser.do("Emulation.setDeviceMetricsOverride", **size)
            await begin(browser)
            for number in (1, 2, 3):
                await play(browser, number)
            await end(browser)
            assert await browser.ended() == "finished"
    rows = tables_of(StudyFolder.open(tmp_path / "results" / "own"))
    given = {(row["question"], row["game"]): row for row in rows["answers"]}
    assert [given["fluent", game]["score"] for game in (1, 2, 3)] == [1, 2, 3]
    columns = {"effort": "score", "saw": "chosen", "hours": "number", "words": "words"}
    assert {name: given[name, None][column] for name, column in columns.items()} == END
    assert [row["ending"] for row in rows["participants"]] == ["finished"]
    assert len(rows["games"]) == 3
    assert [row for row in rows["events"] if row["event"] == "blur"] == [], "a form takes no keys from the window"
