"""A visitor in the browser reaches no file of the server."""

import sys

import pytest

from tests.helpers.app import paused_app
from tui import cli, visitor
from tui.app.app import BBAApp
from tui.arguments import parse
from tui.arguments.commands import START
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.serve.command import visitor_options


@pytest.fixture
def in_the_browser(monkeypatch):
    monkeypatch.setattr(BBAApp, "is_web", property(lambda app: True))


async def test_no_recording_can_be_opened_from_the_browser(in_the_browser):
    app = BBAApp()
    async with app.run_test() as pilot:
        assert not app.screen.query("#replay")
        await pilot.press("o")
        assert isinstance(app.screen, StartScreen)
        await app.run_action("replay", app.screen)
        assert isinstance(app.screen, StartScreen)


async def test_no_file_can_be_written_from_the_browser(in_the_browser):
    app = paused_app(3)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("e")
        await app.run_action("export", app.screen)
        assert isinstance(app.screen, WatchScreen)
        assert app.screen.check_action("export", ()) is False


def test_a_file_of_options_that_asks_for_a_server_starts_none_for_a_visitor(tmp_path, monkeypatch):
    file = tmp_path / "options.toml"
    file.write_text('serve = "127.0.0.1:8000"\nlayout = "ring"\n')
    seen = []
    operators = visitor_options(parse(["serve", "--config", str(file)]).options)
    monkeypatch.setattr(sys, "argv", ["visitor", operators])
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(cli, "run", seen.append)
    assert visitor.main() == 0
    assert (seen[0].command, seen[0].options.layout) == (START, "ring")
