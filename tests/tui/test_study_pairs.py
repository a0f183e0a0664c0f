"""Two study apps in one process: both wait for one another, play one game, and pause for both."""

import asyncio
import time
from contextlib import AsyncExitStack, asynccontextmanager
from weakref import WeakKeyDictionary

from textual.widgets import Button

from bba.play import load
from bba.settings import GameOptions
from human.pair import HUB, PairHub
from human.study.tables import tables_of
from tests.helpers.studies import begin_study
from tests.helpers.study_screens import title_on
from tests.helpers.wait_for_idle import PATIENCE
from tui.study.pair_app import PairGame, PairStudyApp

SIZE = (80, 24)
TWO = {"people": 2, "agents": ["human"], "turns": False, "questions": [], "speed": 50, "horizon": 5}
STARTS: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()


def app_on(folder, code, **options):
    return PairStudyApp(folder, GameOptions.model_validate({}), code, countdown=0, pause=0, **options)


@asynccontextmanager
async def hub_for(monkeypatch, path):
    hub = PairHub()
    monkeypatch.setenv(HUB, str(path))
    await hub.open(path)
    try:
        yield hub
    finally:
        await hub.close()


async def soon(holds):
    """Wait until something holds. A pilot would wait until the app rests, and the other app never does."""
    deadline = time.monotonic() + 4 * PATIENCE  # two apps share the machine
    while not holds():
        assert time.monotonic() < deadline, "it never came"
        await asyncio.sleep(0.01)


async def press_on(app, page, *keys):
    """Press keys on a page once it is there and its button counts."""
    await soon(lambda: app.screen_stack and title_on(app) == page)
    screen = app.screen
    await soon(lambda: screen.query(Button) and not screen.query(Button).first().disabled and screen.focused)
    for key in keys:
        app.simulate_key(key)
        await asyncio.sleep(0)
    await soon(lambda: app._exit or app.screen is not screen)


@asynccontextmanager
async def running(app):
    """Runs an app. Of two that start at the same time each would wait until the other rests, which neither does."""
    async with AsyncExitStack() as stack:
        async with STARTS.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            await stack.enter_async_context(app.run_test(size=SIZE))
        yield


async def take_part(app, come):
    """Goes as far as the game, does there what it is told, and goes on to the end."""
    async with running(app):
        await press_on(app, "A small study", "tab", "enter")
        await press_on(app, "Game 1 of 1", "enter")
        await soon(lambda: isinstance(app.screen, PairGame) and app.screen.is_active)
        await come(app)
        await press_on(app, "Game over", "enter")
        await press_on(app, "Thank you", "enter")


async def test_two_people_play_one_game_and_a_pause_of_one_is_a_pause_of_both(tmp_path, monkeypatch):
    folder = begin_study(tmp_path, **TWO)
    stood, begin = [], PairGame._begin
    monkeypatch.setattr(PairGame, "_begin", lambda game: None)  # nobody is ready before this test says so

    async def wait(app):
        await soon(lambda: app.screen.partner_presence == "key")
        app.screen.see_pauses()
        stood.append(app.screen.status)
        begin(app.screen)

    async def pause(app):
        app.simulate_key("p")
        begin(app.screen)
        await soon(lambda: stood)
        assert not app.screen.session.trace.ticks
        app.simulate_key("p")

    async with hub_for(monkeypatch, tmp_path / "hub"):
        first, second = app_on(folder, "P1"), app_on(folder, "P2")
        await asyncio.gather(take_part(first, wait), take_part(second, pause))
    assert stood == ["the other one pauses"]
    one, other = (load(folder.recordings / f"P{number}-game-1.bba") for number in (1, 2))
    assert one.steps == other.steps == TWO["horizon"]
    assert [list(player.actions) for player in one.players] == [list(player.actions) for player in other.players]
    people = folder.everybody()
    assert sorted(person.pair.seat for person in people) == [0, 1]
    assert {person.pair.number for person in people} == {0}
    assert {person.pair.other for person in people} == {None}, "a code in another's file outlasts a withdrawal"
    assert all(person.games[0].ended and not person.games[0].given_up for person in people)
    tables = tables_of(folder)
    seats = {row["participant"]: row["seat"] for row in tables["participants"]}
    assert {seats[row["participant"]]: row["contradictions"] is None for row in tables["games"]} == {0: True, 1: False}
    assert {row["deliveries"] for row in tables["games"]} == {0}
    where = {(seats[row["participant"]], row["step"]): row for row in tables["steps"]}
    for step in (1, TWO["horizon"]):
        assert all(where[0, step][f"participant_{name}"] == where[1, step][f"agent_{name}"] for name in "xy")
    assert where[0, 1]["observer_map"] is None
    by_code = {person.participant: [pause.why for pause in person.games[0].pauses] for person in people}
    assert by_code == {"P1": ["partner"], "P2": ["key"]}


async def test_who_waits_in_vain_or_loses_the_other_one_gets_the_code_of_a_lost_partner(tmp_path, monkeypatch):
    codes = {"partner-lost": {"code": "L0ST"}, "finished": {"code": "F1N"}}
    folder = begin_study(tmp_path, **TWO | {"horizon": 2000, "wait": 1, "online": {"endings": codes}})

    async def leave(app):
        await soon(lambda: app.screen.session.trace.ticks)
        app.exit()

    async def lose(app):
        async with running(app):
            await press_on(app, "A small study", "tab", "enter")
            await press_on(app, "Game 1 of 1", "enter")
            await press_on(app, "Game over", "enter")
            await read_the_end(app)

    async def read_the_end(app):
        await soon(lambda: app.study_end == "partner-lost" and app.screen.query(Button))
        assert app.screen.page.text.endswith("Your completion code: L0ST")

    async def go(app):
        async with running(app):
            await press_on(app, "A small study", "tab", "enter")
            await press_on(app, "Game 1 of 1", "enter")
            await soon(lambda: isinstance(app.screen, PairGame) and app.screen.is_active)
            await leave(app)

    async with hub_for(monkeypatch, tmp_path / "hub"):
        app = app_on(folder, "P3")
        async with running(app):
            await press_on(app, "A small study", "tab", "enter")
            await read_the_end(app)
        first, second = app_on(folder, "P1"), app_on(folder, "P2")
        await asyncio.gather(lose(first), go(second))
        app = app_on(folder, "P2")
        async with running(app):  # the game is over: who left has lost nobody
            await press_on(app, "Welcome back", "enter")
            await press_on(app, "Game 1 of 1", "enter")
            await press_on(app, "Game over", "enter")
            await press_on(app, "Thank you", "enter")
        assert app.study_end == "finished"
    endings = {row["participant"]: row["ending"] for row in tables_of(folder)["participants"]}
    assert endings == {"P1": "partner-lost", "P2": "finished", "P3": "partner-lost"}


async def test_who_finds_nobody_reads_so_and_can_come_again(tmp_path, monkeypatch):
    folder = begin_study(tmp_path, **TWO)
    async with hub_for(monkeypatch, tmp_path / "hub"):
        app = app_on(folder, "P1")
        async with running(app):
            await press_on(app, "A small study", "tab", "enter")
            await soon(lambda: title_on(app) == "Waiting" and app.screen.query(Button))
            app.screen.query_one(Button).press()
            await press_on(app, "Nobody has come", "enter")
    assert app.study_end == "left-study", "who does not wait gets no code for it"
    assert folder.everybody()[0].pair is None


async def test_without_a_server_it_says_that_it_must_be_served(tmp_path, monkeypatch):
    monkeypatch.delenv(HUB, raising=False)
    app = app_on(begin_study(tmp_path, **TWO), "P1")
    async with running(app):
        await press_on(app, "A small study", "tab", "enter")
        await press_on(app, "This cannot go on", "enter")
    assert "bba-tui serve" in str(app.problem)


async def test_a_check_of_a_study_for_two_skips_its_games(tmp_path):
    folder = begin_study(tmp_path, **TWO)
    app = app_on(folder, "CHECK-1", check=True)
    async with running(app):
        await press_on(app, "A small study", "tab", "enter")
        await press_on(app, "Game 1 of 1", "enter")
        await press_on(app, "Thank you", "enter")
    assert folder.everybody()[0].games[0].given_up
