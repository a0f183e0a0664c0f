"""What is typed into a question is there again when the page is loaded again, and nobody else sees it."""

import asyncio
import shutil

import pytest

from tests.helpers.browser import browsing
from tests.helpers.studies import begin_study
from tests.helpers.study_screens import app_on
from tests.helpers.wait_for_idle import until
from tests.helpers.web_server import PATIENCE, serving
from tui.study.screens import QuestionScreen, TextScreen

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
STUDY = """
name = "drafts"
title = "A study"
consent = "Do you agree?"
layouts = ["open"]
agents = ["switching"]
tutorial = false
turns = true
horizon = 4
[online]
"""
QUESTIONS = {  # a question of each type, what is done in its form, and what its form then holds
    "text": ("", "answer.value = 'a draft, 你好'", "answer.value", "a draft, 你好"),
    "number": ("", "answer.value = '25.5'", "answer.value", "25.5"),
    "choice": ('choices = ["red", "blue"]', "answers[1].checked = true", "answers[1].checked", True),
    "choices": ('choices = ["red", "blue"]', "answers[1].checked = true", "answers[1].checked", True),
    "slider": ('ends = ["no", "yes"]', "answer.value = 77", "answer.value + ' ' + output.textContent", "77 77"),
}
FIND = """
const answers = [...document.querySelectorAll("#form [name=answer]")], answer = answers[0];
const output = document.querySelector("#form output");
"""
INPUT = "answer.dispatchEvent(new Event('input', { bubbles: true }))"


def asked(kind, more):
    return f'[[questions]]\nname = "q_{kind}"\ntext = "About {kind}?"\nwhen = "start"\ntype = "{kind}"\n{more}\n'


async def value_of(browser, kind):
    return await browser.run(f"(() => {{ {FIND} return {QUESTIONS[kind][2]} }})()")


async def fill_in(browser, kind):
    await browser.run(f"(() => {{ {FIND} {QUESTIONS[kind][1]}; {INPUT} }})()")


def stored(folder):
    (file,) = (folder / "results/drafts/participants").glob("*.json")
    return file.read_text()


async def press(browser, label):
    """Press a button as soon as it can be pressed."""
    found = f"[...document.querySelectorAll('#form button:enabled')].find((one) => one.innerText === '{label}')"
    async with asyncio.timeout(PATIENCE):
        while not await browser.run(f"Boolean({found})"):
            await asyncio.sleep(0.05)
    await browser.run(f"{found}.click()")


async def come_back(browser, question, how="location.reload()"):
    """Load the page again, and go on to the question."""
    await browser.run("window.before = true")
    await browser.run(how)
    async with asyncio.timeout(PATIENCE):
        while await browser.run("window.before"):
            await asyncio.sleep(0.05)
    await browser.asks("Welcome back")
    await press(browser, "Go on")
    await browser.asks(question)


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_a_draft_is_there_again_after_a_reload_and_gone_once_it_is_answered(tmp_path):
    text = STUDY + asked("text", "") + asked("number", "")
    (tmp_path / "study.toml").write_text(text)
    with serving(tmp_path, "--study", "study.toml") as (_, link):
        async with browsing(CHROMIUM, f"{link}&PROLIFIC_PID=anna", tmp_path) as browser:
            await browser.asks("Do you agree?")
            await press(browser, "I agree")
            await browser.asks("About text?")
            await fill_in(browser, "text")
            await come_back(browser, "About text?")
            assert await value_of(browser, "text") == QUESTIONS["text"][3]
            assert "draft" not in stored(tmp_path)
            await press(browser, "High contrast")
            await asyncio.sleep(0)
            assert await value_of(browser, "text") == QUESTIONS["text"][3]
            await press(browser, "Go on")  # what was typed before the reload is the answer
            await browser.asks("About number?")
            assert await browser.run("Object.keys(sessionStorage).length") == 0
    assert QUESTIONS["text"][3] in stored(tmp_path)


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("kind", QUESTIONS)
async def test_a_draft_of_each_kind_survives_going_back_and_forth_and_is_nobody_elses(tmp_path, kind):
    (tmp_path / "study.toml").write_text(STUDY + asked(kind, QUESTIONS[kind][0]))
    question = f"About {kind}?"
    with serving(tmp_path, "--study", "study.toml") as (_, link):
        async with browsing(CHROMIUM, f"{link}&PROLIFIC_PID=anna", tmp_path) as browser:
            await browser.asks("Do you agree?")
            await press(browser, "I agree")
            await browser.asks(question)
            nothing = await value_of(browser, kind)
            await fill_in(browser, kind)
            async with asyncio.timeout(PATIENCE):
                while not (await browser.address()).endswith("page.css"):
                    await browser.run("location.href = '/pages/page.css'")  # is lost while the page is being replaced
                    await asyncio.sleep(0.5)
            await come_back(browser, question, how="history.back()")
            assert await value_of(browser, kind) == QUESTIONS[kind][3]
            await press(browser, "Leave")
            await browser.asks("Leave here?")
            await press(browser, "Stay")
            await browser.asks(question)
            assert await value_of(browser, kind) == QUESTIONS[kind][3]
            await browser.do("Page.navigate", url=f"{link}&PROLIFIC_PID=ben")
            await browser.asks("Do you agree?")
            await press(browser, "I agree")
            await browser.asks(question)
            assert await value_of(browser, kind) == nothing


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_who_withdraws_leaves_no_draft(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY + asked("text", ""))
    with serving(tmp_path, "--study", "study.toml") as (_, link):
        async with browsing(CHROMIUM, f"{link}&PROLIFIC_PID=anna", tmp_path) as browser:
            await browser.asks("Do you agree?")
            await press(browser, "I agree")
            await browser.asks("About text?")
            await fill_in(browser, "text")
            assert await browser.run("Object.keys(sessionStorage).length") == 1
            await press(browser, "Leave")
            await browser.asks("Leave here?")
            await press(browser, "Withdraw")
            await browser.asks("This cannot be undone")
            await press(browser, "Delete my data")
            assert await browser.ended() == "withdrawn"
            assert await browser.run("Object.keys(sessionStorage).length") == 0


async def draft_name(folder, code):
    """The name under which the browser keeps what is typed into the first question."""
    app = app_on(folder, code)
    async with app.run_test() as pilot:
        await until(pilot, lambda: isinstance(app.screen, TextScreen))
        await pilot.press(*(("enter",) if folder.knows(code) else ("tab", "enter")))
        await until(pilot, lambda: isinstance(app.screen, QuestionScreen) and bool(app._form.get("draft")))
        return app._form["draft"]


async def test_the_name_of_a_draft_is_that_of_one_question_of_one_participant_and_says_neither(tmp_path):
    questions = [{"name": name, "text": "?", "type": "text", "when": "start"} for name in ("first", "second")]
    folder = begin_study(tmp_path, questions=questions)
    anna, ben, anna_again = [await draft_name(folder, code) for code in ("P1", "P2", "P1")]
    assert anna == anna_again
    assert anna != ben
    assert "P1" not in anna
    assert "first" not in anna
    with folder.participation("P1") as part:
        part.answer(part.task, "well")
    assert await draft_name(folder, "P1") not in (anna, ben)
