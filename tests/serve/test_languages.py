"""The page that a browser gets is in the language of the study."""

import aiohttp
import pytest

from tests.helpers.studies import plan
from tests.helpers.web_server import free_port
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
