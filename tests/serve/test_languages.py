"""The page that a browser gets is in the language of the study."""

import asyncio
from importlib.util import find_spec
from pathlib import Path

import aiohttp
import pytest

from bba.language import say
from tests.helpers.browser import browsing
from tests.helpers.languages import LANGUAGES, catalogue_of, english_in, spoken
from tests.helpers.studies import begin_study, plan
from tests.helpers.web_server import PATIENCE, STUDY, free_port, serving
from tests.serve.test_browser import CHROMIUM, leave_the_page, leave_the_study
from tests.serve.test_monitor import visiting
from tui.serve.auth import parse_address
from tui.serve.server import AppServer, Monitor
from tui.serve.session import ENDS

CLOSE = "You may close this page."


@pytest.mark.parametrize(
    ("language", "said"), [("en", "You may close this page."), ("de", "Sie können diese Seite schließen.")]
)
async def test_the_page_around_a_study_is_in_its_language(tmp_path, language, said):
    address = parse_address(f"127.0.0.1:{free_port()}")
    app = AppServer(address, "{}", 1, tmp_path, study=plan(language=language))
    runner = await visiting(await app.application(), address)
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as session, session.get(app.auth.link) as answer:
        page = await answer.text()
        async with session.get(f"{app.public_url}/?token=wrong") as refused:
            refusal = await refused.text()
    await runner.cleanup()
    assert f'<html lang="{language}">' in page
    assert said in page
    assert ("The link is missing or wrong." in refusal) == (language == "en")


def axe() -> str:
    """The script of axe-core, which finds what keeps people out of a page; "" where it is not installed."""
    found = find_spec("axe_core_python")
    return "" if found is None else Path(found.origin).with_name("axe.min.js").read_text("utf-8")


async def check(browser, language, *said):
    """Nothing keeps anybody out of what is shown; the accessibility tree has these words, and none in English."""
    tree = await browser.tree()
    assert [words for words in said if words not in tree] == []
    assert language == "en" or english_in(tree, language) == set()
    found = await browser.problems(axe()) if axe() else []
    assert [problem for problem in found if problem[2] != "meta-refresh"] == []  # researchers' page shows itself anew


async def check_endings(browser, language):
    """The page of each ending, one after the other, with a code and a way back; tab leads to its links."""
    await browser.run("give({code: 'C0DE', link: 'https://x.org/'})")
    for ending in (*ENDS, "lost"):
        await browser.run(f"document.querySelector('main.-shown')?.classList.remove('-shown'); end('{ending}')")
        title = await browser.run("document.querySelector('main.-shown h1').innerText")
        await check(browser, language, title, "C0DE")
        for link in range(await browser.run("document.querySelectorAll('main.-shown a').length")):
            await browser.type("Tab")
            focus = f"document.activeElement === document.querySelectorAll('main.-shown a')[{link}]"
            assert await browser.run(focus), ending


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("language", ["en", *LANGUAGES])
async def test_a_study_is_walked_in_the_browser_in_its_language_and_keeps_nobody_out(tmp_path, language):
    own = STUDY.replace("Do you agree?", "§§").replace("Fluent?", "§?").replace('"no", "yes"', '"§-", "§+"')
    page = '[[pages]]\nname = "why"\nwhen = "before-games"\nfile = "why.txt"\n'
    (tmp_path / "study.toml").write_text(own.replace("tutorial", f'language = "{language}"\ntutorial') + page)
    # Only the cells that change are sent: the page has none in common with the consent before it.
    (tmp_path / "why.txt").write_text("~ one day ~", encoding="utf-8")
    with spoken(language), serving(tmp_path, "--study", "study.toml") as (_, link):
        async with browsing(CHROMIUM, link, tmp_path) as browser:
            await browser.asks("A study")
            assert await browser.run("document.documentElement.lang") == language
            await check(browser, language, "A study", say("Go on"))
            await browser.type("p", "1", "Enter")
            await browser.asks(say("I agree"), say("I do not agree"), "§§")
            await check(browser, language, "§§", say("I agree"), say("I do not agree"))
            await browser.type("Tab")
            assert await browser.run("document.activeElement.innerText") == say("I agree")
            await browser.type("Enter")
            await browser.asks("~ one day ~", say("Go on"))
            await check(browser, language, "~ one day ~", say("Go on"))
            await browser.type("Enter")
            await browser.asks(say("Begin"))
            await check(browser, language, say("Begin"))
            await browser.type("Enter")
            await browser.shows(say("your turn"), say("orders"))
            await check(browser, language)
            assert say("Begin") not in await browser.tree()
            await browser.type("w", "a", "s", "d")
            await browser.asks(say("Game over"))
            await check(browser, language, say("Game over"))
            await leave_the_page(browser, "§?")
            await check(browser, language, "§?", "1 §-", "5 §+", say("Go on"))
            await browser.type("4")
            await leave_the_page(browser, say("That was all. Your games and answers are saved."), quiet=0.2)
            await check(browser, language, say("That was all. Your games and answers are saved."))
            assert await leave_the_study(browser) == "finished"
            shown = await browser.run("document.querySelector('main.-shown').innerText")
            page = await browser.run("document.body.innerText + document.title")
            await check_endings(browser, language)
    assert language == "en" or english_in(page, language) == set()
    assert (catalogue_of(language) if language != "en" else {}).get(CLOSE, CLOSE) in shown


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
async def test_the_page_without_a_place_and_that_for_researchers_keep_nobody_out(tmp_path):
    folder, runners = begin_study(tmp_path), []
    with folder.participation("P7") as part:
        part.log.note("joined")
    addresses = [parse_address(f"127.0.0.1:{free_port()}") for _ in range(2)]
    full = AppServer(addresses[0], "{}", 0, tmp_path, study=plan(language="de"))
    monitor = Monitor(addresses[1], folder, lambda: (0, 4))
    for app, address in zip((await full.application(), monitor.application()), addresses, strict=True):
        runners.append(await visiting(app, address))
    async with browsing(CHROMIUM, full.auth.link, tmp_path) as browser:
        for link, language, words in (
            (full.auth.link, "de", "Alle Plätze sind vergeben"),
            (monitor.auth.link, "en", "P7"),
        ):
            await browser.do("Page.navigate", url=link)
            async with asyncio.timeout(PATIENCE):
                while words not in await browser.tree():
                    await asyncio.sleep(0.05)
            await check(browser, language, words)
    for runner in runners:
        await runner.cleanup()
