"""The world waits for a language model: no step is played while it is asked, keys answer, and the screen says so."""

import pytest

from bba.agents.planners import BACKENDS
from bba.kitchen import Action, Skill
from bba.planner import Usage
from bba.planner.chat import QuestionProgress, Retry
from tests.helpers.app import slow_source, texts
from tests.helpers.command_line import parsed, requested
from tests.helpers.keys import press_at_once
from tests.helpers.playing import Playing, actions
from tests.helpers.slow_planners import AskedBackend, SlowBackend, wait_until_true
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.game_factory import live_source
from tui.screens.comparison import ComparisonScreen
from tui.screens.help import HelpScreen
from tui.study.game import StudyGame
from tui.widgets.panel import TitleBar
from tui.widgets.planner import GameCost, money, thinking, waiting
from tui.widgets.player_panels import PartnerPanel

SIZE = (120, 40)


@pytest.fixture(autouse=True)
def three_seconds(monkeypatch):
    """Every decision has been under way for 3 seconds, and nothing usable has come for 3."""
    monkeypatch.setattr(QuestionProgress, "seconds", 3.2)
    monkeypatch.setattr(QuestionProgress, "silence", 3.2)


def waiting_app(monkeypatch, backend, **options):
    """The app on a game that waits for this backend."""
    source = slow_source(monkeypatch, backend, real_time=False)
    return BBAApp(source, **{"autostart": False} | options), source


def asked_of(source) -> QuestionProgress:
    return source._game.agents[0]._progress


# --- watching --------------------------------------------------------------------------------------------------
@pytest.mark.thorough
async def test_the_clock_stands_still_keys_answer_and_the_title_says_for_how_long(monkeypatch):
    backend = AskedBackend()
    app, source = waiting_app(monkeypatch, backend, autostart=True, speed=50.0)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: backend.asked)
        await until(pilot, lambda: app.screen.query_one(TitleBar).status == "waiting for the model 3 s")
        await pilot.press("t", "question_mark")
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape", "space")
        assert not app.game_screen._show_truth
        assert app.game_screen.status == "waiting for the model 3 s, paused"
        assert (source.trace.ticks, backend.asked) == ([], 1)
        await pilot.press("space")
        backend.may_answer.release()
        await until(pilot, lambda: source.trace.ticks)
        assert not any(tick.decisions[0].thinking for tick in source.trace.ticks)


@pytest.mark.thorough
async def test_whoever_pauses_meanwhile_is_owed_no_step(monkeypatch):
    backend = AskedBackend()
    app, source = waiting_app(monkeypatch, backend)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("full_stop", "space", "space")
        backend.may_answer.release(5)
        wait_until_true(lambda: source.progress == (None, None))
        app.game_screen._refresh()
        assert source.trace.ticks == []


@pytest.mark.thorough
async def test_while_the_world_waits_one_can_look_back(monkeypatch):
    backend = AskedBackend()
    app, source = waiting_app(monkeypatch, backend)
    backend.may_answer.release()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("full_stop")
        await until(pilot, lambda: source.trace.ticks)
        while source.progress == (None, None):  # until the next question
            await pilot.press("full_stop")
        newest = len(source.trace.ticks)
        await pilot.press("left")
        assert app.game_screen.snapshot.step == newest - 1
        assert app.game_screen.status.startswith(f"step {newest - 1} of {newest}, in the past")
        await pilot.press("end")
        assert app.game_screen.status == "waiting for the model 3 s, paused"


async def test_a_step_is_played_once_when_its_answer_comes_and_neither_quitting_nor_beginning_again_waits(monkeypatch):
    backend = AskedBackend()
    app, source = waiting_app(monkeypatch, backend)
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.game_screen.status == "paused (10/s), the world waits"
        await pilot.press("full_stop", "r")
        app.game_screen._refresh()
        assert source.progress == (None, None), "begun again, it has not asked yet"

        # asked for twice, played once
        await pilot.press("full_stop", "full_stop")
        await until(pilot, lambda: backend.asked == 2)
        assert source.trace.ticks == []
        backend.may_answer.release(2)  # also to the question of the game before
        await until(pilot, lambda: source.trace.ticks)
        app.game_screen._refresh()
        assert len(source.trace.ticks) == 1
        await pilot.press("plus")
        assert app.screen.query_one(TitleBar).status == "paused (20/s), the world waits, cost $0.5"

        # the next question is not waited for
        while source.progress == (None, None):
            await press_at_once(pilot, "full_stop")
        played = len(source.trace.ticks)
        await pilot.press("q")
        await pilot.pause()
        assert app._exit
    assert len(source.trace.ticks) == played
    backend.may_answer.release()


async def test_two_futures_wait_for_each_other(monkeypatch):
    backend = AskedBackend()
    app, _ = waiting_app(monkeypatch, backend)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("w")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ComparisonScreen))
        await pilot.press("full_stop")
        await until(pilot, lambda: backend.asked == 2)
        assert app.screen.status == "waiting for the model 3 s, paused"
        assert [len(one.trace.ticks) for one in app.screen.sources] == [0, 0]
        backend.may_answer.release(2)
        await until(pilot, lambda: [len(one.trace.ticks) for one in app.screen.sources] == [1, 1])


# --- the words -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("retry", "silence", "words"),
    [
        (None, 3.9, "waiting for the model 3 s"),
        (None, 30.0, "no answer for 30 s"),
        (Retry(3, 5, False, "no connection to http://127.0.0.1:9"), 40.9, "no connection for 40 s, attempt 3 of 5"),
        (Retry(2, 5, True, "503: overloaded"), 12.0, "no answer for 12 s, attempt 2 of 5"),
    ],
)
def test_the_words_for_a_wait(monkeypatch, retry, silence, words):
    now = QuestionProgress()
    now.retry = retry
    monkeypatch.setattr(QuestionProgress, "silence", silence)
    assert waiting(now) == words
    assert thinking(now) == ("thinking 3 s" if retry is None else words)


def test_what_the_endpoint_is_doing_is_said(monkeypatch):
    now = QuestionProgress()
    now.hear("reading the question, 40 %")
    monkeypatch.setattr(QuestionProgress, "seconds", 61.2)
    assert waiting(now) == "the model is reading the question, 40 %, 61 s"


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (None, "—"),
        (Usage(100, 10, 2.0, 0.0841), "$0.0841"),
        (Usage(100, 10, 2.0, 12.3456), "$12.35"),
        (Usage(100, 10, 2.0, 0.0841, estimated=1), "~$0.0841"),
        (Usage(100, 10, 2.0), "unknown"),
        (Usage(cached=3), "$0"),
    ],
)
def test_what_answers_cost_is_unknown_without_a_price_and_marked_where_it_is_estimated(usage, words):
    assert money(usage) == words


def test_the_cost_of_a_game_is_that_of_both_cooks_until_the_step_that_is_shown(monkeypatch):
    from bba.agents import SeatSpec, load_agent
    from bba.analysis.snapshot import Snapshot
    from bba.play import Game

    backend = SlowBackend()
    backend.free.set()
    monkeypatch.setitem(BACKENDS, "slow", lambda _: backend)
    options = SeatSpec(planner="slow")
    trace = Game("open", load_agent("bayes", options), load_agent("proagent", options), 0, horizon=60).run()
    calls = sum(len(decision.calls) for tick in trace.ticks for decision in tick.decisions)
    cost = GameCost()
    assert cost.words(Snapshot(trace, 0)) == ""
    assert cost.words(Snapshot(trace, 1)) == ", cost $1.00"
    assert cost.words(Snapshot(trace, 60)) == f", cost {money(Usage(1, 1, 0.0, calls / 2))}"


# --- with people -----------------------------------------------------------------------------------------------
def request(monkeypatch, tmp_path, backend, *options):
    monkeypatch.setitem(BACKENDS, "openai", lambda _: backend)
    monkeypatch.setenv("BBA_BASE_URL", "http://127.0.0.1:9/v1")
    record = ("--record", str(tmp_path / "game.bba"))
    return requested(["--planner", "openai", "--partner", "human", *record, *options])


def beside_its_name(app) -> str:
    app.screen._show_panels()
    panel = app.screen.query_one(PartnerPanel)
    return texts(panel.lines(app.screen.snapshot, 40))[0]


@pytest.mark.thorough
async def test_in_play_the_clock_runs_on_and_says_so_and_the_partner_is_seen_to_think(tmp_path, monkeypatch):
    backend = AskedBackend()
    app = Playing(tmp_path, request=request(monkeypatch, tmp_path, backend), speed=0.001)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        assert app.screen.status.endswith(", real time")
        assert "thinking" not in beside_its_name(app)
        app.screen._on_beat()
        app.screen._on_beat()
        assert len(app.session.trace.ticks) == 2
        assert beside_its_name(app).split()[:5] == ["cook", "1", "thinking", "3", "s"]
        await until(pilot, lambda: backend.asked)
        backend.may_answer.release()
        wait_until_true(lambda: app.screen.pending_question is None)
        assert "thinking" not in beside_its_name(app)


@pytest.mark.thorough
async def test_in_play_the_title_says_that_the_partner_thinks_where_there_is_no_room_for_it(tmp_path, monkeypatch):
    app = Playing(tmp_path, request=request(monkeypatch, tmp_path, AskedBackend()), speed=0.001)
    async with app.run_test(size=(80, 24)) as pilot:
        app.screen._on_beat()
        await pilot.pause()
        assert not app.screen.query_one(PartnerPanel).size
        assert ", partner thinking 3 s, real time" in app.screen.query_one(TitleBar).status
        await pilot.resize_terminal(*SIZE)
        await until(pilot, lambda: "thinking" not in app.screen.query_one(TitleBar).status)


async def test_turn_by_turn_the_world_waits_while_the_person_thinks_and_a_pause_holds_the_step_asked_for(
    tmp_path, monkeypatch
):
    backend = AskedBackend()
    app = Playing(tmp_path, request=request(monkeypatch, tmp_path, backend, "--turns"))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: backend.asked)
        assert app.screen.status == "your turn, the world waits"
        assert "thinking 3 s" in beside_its_name(app)
        await pilot.press("left")
        assert (app.screen.status, actions(app)) == ("waiting for the model 3 s", [])
        await pilot.press("up", "p")  # one may think better of it
        backend.may_answer.release()
        wait_until_true(lambda: app.screen.pending_question is None)
        app.screen._turns.check()
        assert (app.screen.status, actions(app)) == ("paused", [])
        await pilot.press("p")
        await until(pilot, lambda: app.session.trace.ticks)
        assert actions(app) == [Action.NORTH]
        assert not app.session.trace.ticks[0].decisions[0].thinking


@pytest.mark.thorough
async def test_turn_by_turn_real_time_is_an_option(tmp_path, monkeypatch):
    app = Playing(tmp_path, request=request(monkeypatch, tmp_path, AskedBackend(), "--turns", "--real-time"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left", "up")
        assert actions(app) == [Action.WEST, Action.NORTH]
        assert app.screen.status == "your turn, real time"


async def test_a_skill_that_goes_on_by_itself_waits_for_the_model_in_every_step(tmp_path, monkeypatch):
    backend = AskedBackend()
    app = Playing(tmp_path, request=request(monkeypatch, tmp_path, backend, "--turns"))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: backend.asked)
        app.screen._pad.choose(int(Skill.GRAB_RICE))
        app.screen._pad.walk_on()
        assert (app.screen.status, app.session.trace.ticks) == ("waiting for the model 3 s", [])
        backend.may_answer.release(100)
        await until(pilot, lambda: len(app.session.trace.ticks) > 1)
        assert app.session.trace.ticks[1].skills[1] == Skill.GRAB_RICE


async def test_a_participant_is_not_told_what_its_partner_is(tmp_path, monkeypatch):
    backend = AskedBackend()
    app = Playing(tmp_path, request=request(monkeypatch, tmp_path, backend, "--turns"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = StudyGame(app.session, "game 1 of 2", speed=None, countdown=0)
        app.push_screen(screen)
        await until(pilot, lambda: backend.asked)
        assert screen.status == "your turn"
        await pilot.press("left")
        assert screen.status == "one moment"


# --- options ---------------------------------------------------------------------------------------------------
def test_watching_waits_unless_real_time_is_asked_for_and_other_planners_are_never_waited_for(monkeypatch):
    monkeypatch.setitem(BACKENDS, "openai", lambda _: SlowBackend())
    model = ["watch", "--planner", "openai", "--base-url", "http://127.0.0.1:9/v1"]
    assert live_source(parsed(model)).world_waits is True
    assert live_source(parsed([*model, "--real-time"])).world_waits is False
    assert live_source(parsed(["watch"])).world_waits is None
