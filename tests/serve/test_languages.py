"""The page that a browser gets is in the language of the study."""

import aiohttp
import pytest

from bba.language import say
from tests.helpers.browser import browsing
from tests.helpers.languages import LANGUAGES, catalogue_of, english_in, spoken
from tests.helpers.studies import plan
from tests.helpers.web_server import STUDY, free_port, serving
from tests.serve.test_browser import CHROMIUM, leave_the_page
from tests.serve.test_monitor import visiting
from tui.serve.auth import parse_address
from tui.serve.server import AppServer


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


@pytest.mark.thorough
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
@pytest.mark.parametrize("language", LANGUAGES)
async def test_a_study_is_walked_in_the_browser_in_its_language(tmp_path, language):
    page = '[[pages]]\nname = "why"\nwhen = "before-games"\nfile = "why.txt"\n'
    (tmp_path / "study.toml").write_text(STUDY.replace("tutorial", f'language = "{language}"\ntutorial') + page)
    (tmp_path / "why.txt").write_text("§ one day §", encoding="utf-8")
    with spoken(language), serving(tmp_path, "--study", "study.toml") as (_, link):
        async with browsing(CHROMIUM, link, tmp_path) as browser:
            await browser.shows("A study")
            assert await browser.run("document.documentElement.lang") == language
            await browser.type("p", "1", "Enter")
            await browser.shows(say("I agree"), say("I do not agree"), "Do you agree?")
            await browser.type("Tab", "Enter")
            await browser.shows("§ one day §", say("Go on"))
            await browser.type("Enter")
            await browser.shows(say("Begin"))
            await browser.type("Enter")
            await browser.shows(say("your turn"), say("orders"))
            await browser.screenshot(tmp_path / "game.png")
            await browser.type("w", "a", "s", "d")
            await browser.shows(say("Game over"))
            await leave_the_page(browser, "Fluent?")
            await browser.type("4")
            await leave_the_page(browser, say("That was all. Your games and answers are saved."), quiet=0.2)
            await browser.type("Enter")
            assert await browser.ended() == "finished"
            shown = await browser.run("document.querySelector('main.-shown').innerText")
            page = await browser.run("document.body.innerText + document.title")
    assert english_in(page, language) == set()
    assert catalogue_of(language)["You may close this page."] in shown
