"""People at the keyboard: keys reach the game, nothing queues up, and the game is kept."""

import pytest

from bba.agents import Controls
from bba.agents.planners import BACKENDS
from bba.analysis.partner_reading import PlanNews
from bba.kitchen import Action, constants
from bba.play import Replay, load
from human.keymap import DEFAULT
from human.session import SAVE_EVERY
from tests.helpers.app import texts
from tests.helpers.command_line import requested
from tests.helpers.notifications import notified, said
from tests.helpers.playing import SIZE, Playing, actions
from tests.helpers.slow_planners import SlowBackend, wait_for_answer
from tui.widgets.gate import GatePanel
from tui.widgets.player_panels import PlayerPanel, game_time
from tui.widgets.posterior import PosteriorPanel

STEPS = [
    ("up", Action.NORTH),
    ("w", Action.NORTH),
    ("down", Action.SOUTH),
    ("s", Action.SOUTH),
    ("right", Action.EAST),
    ("d", Action.EAST),
    ("left", Action.WEST),
    ("a", Action.WEST),
    ("space", Action.INTERACT),
    ("enter", Action.INTERACT),
    (".", Action.STAY),
]


@pytest.mark.thorough
async def test_turn_by_turn_a_key_is_a_step(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        for number, (key, action) in enumerate(STEPS, 1):
            await pilot.press(key)
            assert len(actions(app)) == number
            assert actions(app)[-1] == action


async def test_to_let_a_step_pass_says_how_the_world_is_made_to_wait_where_it_does_not(tmp_path):
    app = Playing(tmp_path, speed=0.001)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("full_stop")
        assert await notified(app, pilot, "the clock runs")
        assert actions(app) == []


async def test_to_use_what_cannot_be_used_says_what_that_would_need(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("up", "space")
        assert said(app) == []
        await pilot.press("space")
        assert said(app) == ["this takes empty hands, or a plate without a tortilla"]
        await pilot.press("left", "space")
        assert said(app)[1:] == ["turn to a counter or a station: there is nothing to use in front of you"]


@pytest.mark.parametrize("tells", [True, False])
async def test_that_the_partner_changed_its_plan_is_said_at_once_and_not_talked_over(tmp_path, monkeypatch, tells):
    told = "your partner changed its plan, since you seemed to wash plates"
    news = PlanNews("▲", told)
    monkeypatch.setattr("tui.screens.play.plan_news", lambda _, step: news if step == 2 else None)
    monkeypatch.setattr("tui.screens.play.HINT", 1000.0)
    app = Playing(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        app.screen.tells_changes = tells  # a study does not
        assert not app.screen.show_belief
        await pilot.press("left", "left", "space")
        in_vain = "turn to a counter or a station: there is nothing to use in front of you"
        assert said(app) == [f"▲ {told}" if tells else in_vain]


@pytest.mark.thorough
async def test_every_step_takes_a_key_while_the_agent_thinks(tmp_path, monkeypatch):
    backend = SlowBackend()
    monkeypatch.setitem(BACKENDS, "openai", lambda _: backend)
    monkeypatch.setenv("BBA_BASE_URL", "http://127.0.0.1:9/v1")
    match = requested(["--planner", "openai", "--partner", "human", "--record", str(tmp_path / "game.bba")])
    app = Playing(tmp_path, request=match, speed=0.001)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        for key in ("left", "up", "right"):
            await pilot.press(key)
            app.screen._on_beat()
        assert actions(app) == [Action.WEST, Action.NORTH, Action.EAST]
        assert all(tick.decisions[0].thinking for tick in app.session.trace.ticks)
        backend.free.set()
        wait_for_answer(app.session.game.agents[0])
        app.screen._on_beat()
        assert app.session.trace.ticks[-1].decisions[0].plan is not None


def test_a_game_played_again_leaves_the_recording_of_the_first_one_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    request = requested(["--partner", "human", "--record", str(tmp_path / "game.bba")])
    first, again = request.make(DEFAULT), request.make(DEFAULT)
    assert first.path == tmp_path / "game.bba"
    assert again.path != first.path


@pytest.mark.thorough
async def test_two_people_share_the_keyboard(tmp_path):
    app = Playing(tmp_path, ego="human")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "left")
        assert (actions(app, 0), actions(app, 1)) == ([Action.EAST, Action.STAY], [Action.STAY, Action.WEST])


async def test_the_egos_seat_can_be_had_too(tmp_path):
    app = Playing(tmp_path, ego="human", partner="switching")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("d", "left")
        assert actions(app, 0) == [Action.EAST, Action.WEST]


async def test_in_real_time_quick_taps_are_steps_one_after_the_other(tmp_path):
    app = Playing(tmp_path, speed=0.001)  # the test beats
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "up", "left")
        assert actions(app) == []
        for _ in range(4):
            app.screen._on_beat()
        assert actions(app) == [Action.NORTH, Action.NORTH, Action.WEST, Action.STAY]


async def test_while_counting_down_and_while_paused_keys_do_nothing(tmp_path):
    app = Playing(tmp_path, countdown=1000)  # the test counts
    async with app.run_test(size=SIZE) as pilot:
        assert app.screen.query_one("#countdown").display
        await pilot.press("left")
        assert actions(app) == []
        app.screen.clock.countdown = 1
        app.screen._count_on()
        assert not app.screen.query_one("#countdown").display
        await pilot.press("p", "left")
        assert (actions(app), app.screen.status) == ([], "paused")
        assert said(app) == ["paused; p goes on"]
        await pilot.press("p", "left")
        assert actions(app) == [Action.WEST]


async def test_the_agents_belief_is_hidden_until_it_is_asked_for_then_it_is_called_a_guess(tmp_path):
    app = Playing(tmp_path, ego="bayes")
    async with app.run_test(size=SIZE) as pilot:
        assert [app.screen.query_one(panel).display for panel in (PosteriorPanel, GatePanel)] == [False, False]
        await pilot.press("m")
        assert [app.screen.query_one(panel).display for panel in (PosteriorPanel, GatePanel)] == [True, True]
        await pilot.press("m")
        assert said(app) == ["a guess about you from each of your steps: standing still counts, too"]


@pytest.mark.parametrize(("ego", "cooks"), [("bayes", 1), ("human", 2)])
async def test_what_each_key_notes_is_said_once_in_the_order_of_the_keys(tmp_path, ego, cooks):
    app = Playing(tmp_path, ego=ego)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        you = app.screen.query_one(PlayerPanel)
        said = "\n".join(you.words_at(row) for row in range(you.content_size.height))
        assert said.count("  ahead: ") == cooks
        assert said.endswith("  plates, assemble, serve, pass") or cooks > 1
        told = said.partition("F5–F10 your work: ")[2].replace("\n", "").split("ahead")[0]
        order = [told.index(word) for word in ("meat", "rice", "plates", "assemble", "serve", "pass")]
        assert order == sorted(order)
        assert said.count("F5") == 1, "the keys are those of the first person"


async def test_a_declared_role_is_shown_and_recorded(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        said = []
        app.screen.hint = said.append
        await pilot.press("f9", "left")
        assert app.session.trace.ticks[-1].decisions[1].declared_role == 4
        you = next(panel for panel in app.screen._panels if panel.TITLE == "you")
        assert "  you noted: I serve" in texts(you.lines(app.screen.snapshot, 34))
        assert said == ["Noted: I serve. Your partner is not told; the last screen says if it believed it."]


@pytest.mark.long
async def test_a_whole_burrito_by_keys(tmp_path):
    """The keys of somebody who knows the kitchen: what the controller walks for the scripted partner, typed."""
    from tests.helpers.typist import Typist

    app = Playing(tmp_path, ego="proagent", horizon=2400)
    names = {
        constants.NORTH: "up",
        constants.SOUTH: "down",
        constants.EAST: "right",
        constants.WEST: "left",
        constants.INTERACT: "space",
    }
    async with app.run_test(size=SIZE) as pilot:
        typed = Controls()
        typist = Typist(app.session.game, typed, ((0, 4),))
        while app.session.trace.score == 0 and len(app.session.trace.ticks) < 700:
            typist.press()
            await pilot.press(names.get(typed.take().action, "."))
        served = [event for tick in app.session.trace.ticks for event in tick.events if event.skill == constants.SERVE]
        assert app.session.trace.score > 0
        assert [event.player for event in served] == [1]


@pytest.mark.thorough
async def test_what_was_played_is_on_the_disk_even_if_the_program_is_killed(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*["."] * (SAVE_EVERY + 5))
        assert load(tmp_path / "game.bba").steps == SAVE_EVERY
    assert Replay(load(tmp_path / "game.bba")).run().config.agents == ("switching", "human")


def test_the_clock_is_in_minutes_and_seconds_of_the_games_own_speed():
    assert [game_time(steps, 10.0) for steps in (2400, 605, 0)] == ["4:00", "1:00", "0:00"]
    assert [game_time(2400, speed) for speed in (5.0, 20.0, None)] == ["8:00", "2:00", "2400"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("speed", "left", "status"), [(5.0, "time left  0:11", "0:11"), (None, "steps left   57", "your turn")]
)
async def test_the_time_left_follows_the_speed_of_the_game_in_panel_and_title(tmp_path, speed, left, status):
    app = Playing(tmp_path, speed=speed, horizon=60)
    async with app.run_test(size=SIZE):
        for _ in range(3):
            app.screen._step()
        you = app.screen.query_one(PlayerPanel)
        assert texts(you.lines(app.screen.snapshot, 15))[0] == left
        assert app.screen.status == status


async def test_the_clocks_of_title_and_panel_agree_in_every_step(tmp_path):
    app = Playing(tmp_path, speed=10.0, horizon=60)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        you = app.screen.query_one(PlayerPanel)
        for _ in range(12):
            app.screen._step()
            assert you.words_at(0).split()[-1] == app.screen.status
