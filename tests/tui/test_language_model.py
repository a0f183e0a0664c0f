"""A language model as the planner, on the screen: it holds up no key, and its troubles are a line."""

import asyncio
import re
import threading

import pytest
from textual.widgets import Input, Select

from bba.agents.planners import BACKENDS
from bba.llm.pipeline import model_backend
from tests.helpers.command_line import parsed
from tests.helpers.fake_endpoint import plays, refuses, running, unreachable
from tests.helpers.model_backends import clear_environment
from tests.helpers.notifications import notified, said
from tests.helpers.slow_planners import wait_for_answer
from tests.helpers.wait_for_idle import PATIENCE, until
from tui.app.app import BBAApp
from tui.game_factory import live_source
from tui.preferences import AppState
from tui.screens.start import StartScreen
from tui.screens.watch import WatchScreen
from tui.widgets.panel import TitleBar

SIZE = (100, 30)


@pytest.fixture(autouse=True)
def nothing_from_outside(monkeypatch):
    clear_environment(monkeypatch)


@pytest.fixture
def app(tmp_path):
    return BBAApp(state=AppState(tmp_path / "start.json"), autostart=False)


async def choose_openai(app, pilot):
    await pilot.press("plus")
    app.screen.query_one("#planner", Select).value = "openai"
    await pilot.pause()
    await pilot.press("enter", "enter")  # takes it, then watches
    await pilot.pause()


@pytest.mark.thorough
async def test_keys_answer_and_the_world_waits_while_the_model_is_asked(app, monkeypatch):
    asked, may_answer = threading.Event(), threading.Event()

    def slow(handler):
        asked.set()
        may_answer.wait(PATIENCE)
        plays(handler)

    with running() as endpoint:
        endpoint.behaviours = [slow]
        monkeypatch.setenv("BBA_BASE_URL", endpoint.url)
        async with app.run_test(size=SIZE) as pilot:
            await choose_openai(app, pilot)
            assert isinstance(app.screen, WatchScreen)
            assert app.screen.status == "paused (10/s), the world waits"
            source = app.screen.source
            await pilot.press("right")
            await asyncio.to_thread(asked.wait, PATIENCE)
            await pilot.press("right", "right", "t", "t", "w", "escape", "right")
            assert source.trace.ticks == []
            assert re.fullmatch(r"waiting for the model \d+ s, paused", app.screen.status)
            may_answer.set()
            await until(pilot, lambda: source.trace.ticks)
            assert len(source.trace.ticks) == 1
            assert source.trace.ticks[0].decisions[0].plan.usage.prompt_tokens == 100
            assert app.screen.query_one(TitleBar).status.endswith(", cost $0.00035")


@pytest.mark.thorough
async def test_in_real_time_the_game_goes_on_while_the_model_is_asked(monkeypatch):
    asked, may_answer = threading.Event(), threading.Event()

    def slow(handler):
        asked.set()
        may_answer.wait(PATIENCE)
        plays(handler)

    with running() as endpoint:
        endpoint.behaviours = [slow]
        settings = parsed(["--planner", "openai", "--base-url", endpoint.url, "--real-time"])
        app = BBAApp(source := live_source(settings), autostart=False)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.press("right")
            await asyncio.to_thread(asked.wait, PATIENCE)
            await pilot.press("right", "right", "right")
            assert len(source.trace.ticks) == 4
            assert re.fullmatch(r"thinking \d+ s, paused \(10/s\), real time", app.screen.status)
            may_answer.set()
            await asyncio.to_thread(wait_for_answer, source._game.agents[0])
            await pilot.press("right")
            assert source.trace.ticks[4].decisions[0].plan.usage.prompt_tokens == 100


@pytest.mark.thorough
async def test_the_title_says_which_attempt_it_is_while_the_model_is_asked_again(monkeypatch):
    may_answer = threading.Event()

    def slow(handler):
        may_answer.wait(PATIENCE)
        plays(handler)

    with running() as endpoint:
        endpoint.behaviours = [refuses(503, "overloaded"), slow]
        app = BBAApp(source := live_source(parsed(["--planner", "openai", "--base-url", endpoint.url])), speed=50.0)
        async with app.run_test(size=SIZE) as pilot:
            said = re.compile(r"no answer for \d+ s, attempt 2 of 5")
            await until(pilot, lambda: said.fullmatch(app.screen.query_one(TitleBar).status))
            assert source.trace.ticks == []
            assert app.screen.query_one(TitleBar).past  # highlighted
            may_answer.set()
            await until(pilot, lambda: source.trace.ticks)
            await until(pilot, lambda: not app.screen.query_one(TitleBar).past)


@pytest.fixture
def gone():
    with unreachable() as url:
        yield url


async def test_without_a_connection_the_title_says_so_keys_answer_and_the_game_ends_in_one_line(gone, monkeypatch):
    go_on = threading.Event()
    monkeypatch.setitem(
        BACKENDS, "openai", lambda options: model_backend(options.model, sleep=lambda _: go_on.wait(PATIENCE))
    )
    app = BBAApp(source := live_source(parsed(["--planner", "openai", "--base-url", gone])), speed=50.0)
    async with app.run_test(size=SIZE) as pilot:
        said = re.compile(r"no connection for \d+ s, attempt 2 of 2")
        await until(pilot, lambda: said.fullmatch(app.screen.query_one(TitleBar).status))
        await pilot.press("t", "space")
        assert not app.screen._show_truth
        assert re.fullmatch(said.pattern + ", paused", app.screen.status)
        await pilot.press("space")
        go_on.set()
        assert (await notified(app, pilot, "check --base-url")).endswith("check --base-url")
        assert (source.trace.ticks, app.screen.playing) == ([], False)


async def test_without_a_key_the_start_screen_says_what_to_set_and_a_refused_key_stops_the_game(app):
    with running() as endpoint:
        endpoint.behaviours = [refuses(401, "who are you?")]
        async with app.run_test(size=SIZE) as pilot:
            await choose_openai(app, pilot)
            assert isinstance(app.screen, StartScreen)
            assert await notified(app, pilot, "set OPENAI_API_KEY or BBA_API_KEY, or --base-url")

            before = len(said(app))
            await pilot.press("plus")
            app.screen.query_one("#base_url", Input).value = endpoint.url
            await pilot.pause()
            await pilot.press("enter", "enter")
            await pilot.pause()
            await pilot.press("space")
            assert "\n" not in await notified(app, pilot, "the endpoint refuses (401: who are you?)")
            assert not app.screen.playing
            assert len(said(app)) == before + 1
