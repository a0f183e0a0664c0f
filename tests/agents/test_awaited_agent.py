"""Agents that take their time, in a world that waits for them."""

import pytest

from bba.agents import AwaitedAgent, SeatSpec, load_agent
from bba.agents.planners import BACKENDS
from bba.config import BeliefConfig, GateConfig
from bba.errors import BBAError
from bba.play import Game, Replay, fork, record
from tests.agents.test_async_agent import PLANNED, Slow, same
from tests.helpers.slow_planners import AskedBackend, SlowBackend, wait_until_true


def awaited(monkeypatch, backend, name="bayes"):
    """An agent that is planned for by this backend, and for which the game waits."""
    monkeypatch.setitem(BACKENDS, "slow", lambda _: backend)
    agent = load_agent(name, SeatSpec(planner="slow", live=True))
    agent._patience = 0.0
    return agent


def played(game, horizon):
    """Play to a step as a screen does, which answers a question only once the game waits for it."""
    while game.kitchen.steps < horizon:
        wait_until_true(game.begin_step)
        game.step()
    return game.trace


class AnsweringBackend(SlowBackend):
    """Answers at once."""

    def __init__(self, *answers):
        super().__init__(*answers)
        self.free.set()


@pytest.mark.thorough
@pytest.mark.parametrize("name", PLANNED)
def test_a_game_that_waits_is_the_game_without_a_screen(monkeypatch, name):
    plain = Game("open", name, "switching", 3, horizon=200).run()
    game = Game("open", awaited(monkeypatch, AnsweringBackend(), name), "switching", 3, horizon=200)
    waited = played(game, 200)
    assert all(
        (a.state == b.state).all() and a.actions == b.actions for a, b in zip(plain.ticks, waited.ticks, strict=True)
    )
    assert [tick.decisions[0].skill for tick in plain.ticks] == [tick.decisions[0].skill for tick in waited.ticks]
    assert [tick.decisions[0].belief for tick in plain.ticks] == [tick.decisions[0].belief for tick in waited.ticks]


def test_no_step_can_be_played_until_the_answer_is_there_and_one_question_is_asked_however_often_one_looks(monkeypatch):
    backend = AskedBackend()
    game = Game("open", awaited(monkeypatch, backend), "switching", 0)
    assert not any(game.begin_step() for _ in range(5))
    wait_until_true(lambda: backend.asked)
    assert (backend.asked, game.trace.ticks) == (1, [])
    assert game.progress[0].seconds > 0
    backend.may_answer.release()
    wait_until_true(game.begin_step)
    assert game.progress == (None, None)
    assert not game.step().decisions[0].thinking
    assert backend.asked == 1


def test_two_think_at_the_same_time(monkeypatch):
    backend = AskedBackend()
    game = Game("open", awaited(monkeypatch, backend), awaited(monkeypatch, backend, "proagent"), 0)
    assert not game.begin_step()
    wait_until_true(lambda: backend.asked == 2)
    backend.may_answer.release(2)
    wait_until_true(game.begin_step)
    assert all(decision.plan for decision in game.step().decisions)


def test_a_game_says_whether_it_waits(monkeypatch):
    monkeypatch.setitem(BACKENDS, "slow", lambda _: AskedBackend())
    hasty = load_agent("bayes", SeatSpec(planner="slow", live=True, real_time=True))
    assert Game("open", awaited(monkeypatch, AskedBackend()), "switching").world_waits is True
    assert Game("open", hasty, "switching").world_waits is False
    assert Game("open", "bayes", "switching").world_waits is None
    assert Game("open", "bayes", "switching").begin_step()


def test_what_goes_wrong_is_raised_by_the_step_and_the_next_one_asks_anew_and_has_observed_once(monkeypatch):
    game = Game(
        "open", awaited(monkeypatch, AnsweringBackend(None, BBAError("no credit"))), "switching", 3, horizon=120
    )
    with pytest.raises(BBAError, match="no credit"):
        played(game, 120)
    assert same(played(game, 120), Replay(record(game.trace)).run())


def test_it_decides_at_once_where_nobody_has_asked_before(monkeypatch):
    game = Game("open", awaited(monkeypatch, AnsweringBackend()), "switching", 3, horizon=60)
    assert same(
        game.run(), played(Game("open", awaited(monkeypatch, AnsweringBackend()), "switching", 3, horizon=60), 60)
    )


def test_it_can_be_tuned_while_the_world_waits_for_it(monkeypatch):
    backend, tuned = SlowBackend(), BeliefConfig(gate=GateConfig(theta_obs=0.5))
    game = Game("open", awaited(monkeypatch, backend), "switching", 3, horizon=120)
    game.begin_step()
    game.reconfigure(0, tuned)
    backend.free.set()
    played(game, 60)
    assert game.trace.config_at(1).belief_config == tuned
    assert same(game.trace, Replay(record(game.trace)).run())


def test_a_new_game_knows_nothing_of_what_was_asked_in_the_last():
    slow = Slow(0, 0)
    agent = AwaitedAgent(slow, 0.0)
    Game("open", agent, "switching", 0).begin_step()
    game = Game("open", agent, "switching", 0)
    assert game.progress == (None, None)
    assert not game.begin_step()
    assert len(slow.asked) == 2
    slow.may_speak.release(2)


@pytest.mark.thorough
def test_a_fork_of_a_game_that_waits_waits_too(monkeypatch):
    backend = AnsweringBackend()
    game = Game("open", awaited(monkeypatch, backend), "switching", 3, horizon=120)
    played(game, 40)
    other = fork(game.trace, 40, options=SeatSpec(planner="slow", live=True, real_time=False))
    assert other.world_waits
    assert same(played(game, 120), played(other, 120))
