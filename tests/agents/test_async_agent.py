"""Agents that take their time, in a world that does not wait."""

import threading

import pytest

from bba.agents import AsyncAgent, Decision, Observation, Profile, SeatSpec, load_agent
from bba.agents.base import THINKING
from bba.agents.planners import BACKENDS
from bba.analysis.coordination import decision_points
from bba.analysis.measures import measure
from bba.config import BeliefConfig, GateConfig
from bba.errors import BBAError
from bba.kitchen import Skill, constants
from bba.planner.chat import TOO_LATE
from bba.play import Game, Replay, fork, record
from bba.play.ticks import step_arrays
from tests.helpers.slow_planners import (
    PATIENCE,
    SPENT,
    AskedBackend,
    SleepyBackend,
    SlowBackend,
    wait_for_answer,
    wait_until_true,
)

PLANNED = ["bayes", "llm-judge", "hypothetical-minds"]


class Slow:
    """An agent that says what it is told to say, once it is let go; its copies share all it has."""

    profile = Profile("slow", "a planner that takes its time")

    def __init__(self, *skills):
        self.skills = list(skills)
        self.may_speak = threading.Semaphore(0)
        self.asked, self.observed, self.committed = [], [], []

    def reset(self, context):
        pass

    def observe(self, observation):
        self.observed.append(int(observation.state[1]))

    def copy(self):
        return self

    def decide(self, observation):
        self.asked.append(observation)
        assert self.may_speak.acquire(timeout=PATIENCE)
        said = self.skills.pop(0)
        if isinstance(said, Exception):
            raise said
        return Decision(observation.running) if said is None else Decision(said, chosen=True)

    def commit(self, observation, decision):
        self.committed.append(decision)


def game_with(agent, patience=0.0, **settings):
    return Game("open", AsyncAgent(agent, patience), "switching", 0, **{"horizon": 300} | settings)


def answer(game, seat=0):
    """Let the agent speak, and play the step in which it is heard."""
    game.agents[seat]._agent.may_speak.release()
    wait_for_answer(game.agents[seat])
    return game.step()


def plans(monkeypatch, backend):
    """Let this backend plan, under the name "slow"."""
    monkeypatch.setitem(BACKENDS, "slow", lambda _: backend)
    return SeatSpec(planner="slow", live=True, real_time=True)


def same(one, other):
    return all((a.state == b.state).all() and a[1:] == b[1:] for a, b in zip(one.ticks, other.ticks, strict=True))


# --- steps that pass -------------------------------------------------------------------------------------------
def test_the_world_goes_on_while_the_agent_thinks_and_the_cook_stays():
    slow = Slow(Skill.GRAB_RICE)
    game = game_with(slow, patience=0.001)
    ticks = [game.step() for _ in range(5)]
    assert {tick.skills[0] for tick in ticks} == {constants.SKILL_STAY}
    assert {tick.decisions[0].note for tick in ticks} == {THINKING}
    assert len(slow.asked) == 1
    steps = step_arrays(ticks)
    assert not decision_points(steps).any()


def test_a_late_answer_counts_when_it_comes_and_the_agent_has_followed_every_step():
    slow = Slow(Skill.GRAB_RICE)
    game = game_with(slow)
    for _ in range(4):
        game.step()
    tick = answer(game)
    assert (tick.skills[0], tick.decisions[0].chosen, tick.decisions[0].replanned) == (Skill.GRAB_RICE, True, False)
    assert slow.committed == [tick.decisions[0] for tick in game.trace.ticks]
    assert len(slow.observed) == len(game.trace.ticks)


def test_a_late_answer_that_can_no_longer_be_done_is_dropped_and_asked_for_anew():
    slow = Slow(Skill.GO_TO_SERVE_DISH, Skill.GRAB_RICE)
    game = game_with(slow)
    game.step()
    assert (answer(game).skills[0], len(slow.asked)) == (constants.SKILL_STAY, 1)
    game.step()
    assert (answer(game).skills[0], len(slow.asked)) == (Skill.GRAB_RICE, 2)


def test_the_running_skill_goes_on_while_the_agent_wonders_whether_to_drop_it():
    slow = Slow(Skill.GRAB_RICE, Skill.GRAB_MEAT)
    game = game_with(slow)
    game.step()
    answer(game)
    assert [game.step().skills[0] for _ in range(3)] == [Skill.GRAB_RICE] * 3
    tick = answer(game)
    assert (tick.skills[0], tick.decisions[0].replanned, tick.ended[0]) == (
        Skill.GRAB_MEAT,
        True,
        constants.INTERRUPTED,
    )


def test_two_that_think_do_not_hold_each_other_up(monkeypatch):
    backend = SlowBackend()
    options = plans(monkeypatch, backend)
    game = Game("open", load_agent("bayes", options), load_agent("proagent", options), 0, horizon=300)
    for _ in range(5):
        game.step()
    assert [decision.note for decision in game.trace.ticks[-1].decisions] == [THINKING, THINKING]
    backend.free.set()
    for agent in game.agents:
        wait_for_answer(agent)
    first, second = (decision.plan for decision in game.step().decisions)
    assert "\nP0 pos=" in first.question
    assert "\nP1 pos=" in second.question


@pytest.mark.parametrize("name", PLANNED)
def test_the_game_goes_on_however_many_questions_an_agent_asks(monkeypatch, name):
    backend = AskedBackend()
    agent = load_agent(name, plans(monkeypatch, backend))
    game, ticks, answered = Game("open", agent, "switching", 0, horizon=2400), [], 0
    agent._patience = 0.0

    def asks_or_has_decided():
        return backend.asked > answered or agent._answer.done()

    while sum(tick.decisions[0].plan is not None for tick in ticks) < 2:
        assert not game.done, "two decisions never came"
        ticks.append(game.step())
        if len(ticks) % 4 == 0 and agent._answer is not None:  # a question is answered every fourth step at most
            wait_until_true(asks_or_has_decided)
            if backend.asked > answered:
                backend.may_answer.release()
                answered += 1
                wait_until_true(asks_or_has_decided)


# --- what goes wrong -------------------------------------------------------------------------------------------
def test_what_goes_wrong_while_it_thinks_is_raised_by_the_game_and_the_next_step_asks_anew():
    slow = Slow(BBAError("no key"), Skill.GRAB_RICE)
    game = game_with(slow)
    game.step()
    with pytest.raises(BBAError, match="no key"):
        answer(game)
    assert len(game.trace.ticks) == 1
    game.step()
    assert answer(game).skills[0] == Skill.GRAB_RICE
    assert len(slow.asked) == 2


@pytest.mark.thorough
def test_a_step_that_could_not_be_played_leaves_nothing_behind(monkeypatch):
    backend = SlowBackend(None, BBAError("the limit is reached"))
    backend.free.set()
    agent = load_agent("bayes", plans(monkeypatch, backend))
    agent._patience = 30
    game = Game("open", agent, "switching", 3, horizon=120)
    with pytest.raises(BBAError, match="limit"):
        game.run()
    assert same(game.run(), Replay(record(game.trace)).run())


# --- nothing is lost -------------------------------------------------------------------------------------------
@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PLANNED)
def test_an_agent_that_answers_at_once_plays_as_if_the_world_waited(name):
    plain = Game("open", name, "switching", 3, horizon=200).run()
    unhurried = Game("open", AsyncAgent(load_agent(name), 30), "switching", 3, horizon=200).run()
    assert same(plain, unhurried)


@pytest.mark.thorough
@pytest.mark.exhaustive
@pytest.mark.parametrize("name", PLANNED)
def test_whatever_came_late_a_replay_and_a_fork_know_it_too(monkeypatch, name):
    options = plans(monkeypatch, SleepyBackend(0.003))
    agent = load_agent(name, options)
    game = Game("open", agent, "switching", 3, horizon=200)
    agent._patience = 0.0
    while game.kitchen.steps < 80:
        game.step()
    while agent._answer is not None:
        wait_for_answer(agent)
        game.step()
    other = fork(game.trace, game.kitchen.steps, options=options)
    agent._patience = other.agents[0]._patience = 30
    assert same(game.run(), other.run())
    assert same(game.trace, Replay(record(game.trace)).run())


def test_belief_and_gate_are_there_in_every_step_however_long_it_thinks(monkeypatch):
    backend = SlowBackend()
    game = Game("open", load_agent("bayes", plans(monkeypatch, backend)), "switching", 0, horizon=300)
    ticks = [game.step() for _ in range(30)]
    assert all(tick.decisions[0].belief == tick.observer for tick in ticks)
    backend.free.set()


def test_it_can_be_tuned_while_it_thinks(monkeypatch):
    backend, belief_config = SlowBackend(), BeliefConfig(gate=GateConfig(theta_obs=0.5))
    game = Game("open", load_agent("bayes", plans(monkeypatch, backend)), "switching", 3, horizon=120)
    for _ in range(3):
        game.step()
    game.reconfigure(0, belief_config)
    assert (game.trace.config_at(3).belief_config, game.trace.config_at(4).belief_config) == (
        BeliefConfig(),
        belief_config,
    )
    backend.free.set()
    wait_for_answer(game.agents[0])
    assert game.step().decisions[0].plan is not None
    assert same(game.run(), Replay(record(game.trace)).run())


def test_what_was_asked_for_an_answer_that_is_dropped_is_counted_and_recorded_but_not_remembered(monkeypatch):
    backend = SlowBackend()
    game = Game("open", load_agent("bayes", plans(monkeypatch, backend)), "switching", 0, horizon=300)
    game.step()
    monkeypatch.setattr(Observation, "feasible", lambda self: ())
    backend.free.set()
    wait_for_answer(game.agents[0])
    (late,) = game.step().decisions[0].calls
    monkeypatch.undo()
    game.agents[0]._patience = 30
    assert (late.kind, late.late, late.problem, late.usage) == ("plan", True, TOO_LATE, SPENT)
    assert game.step().decisions[0].plan.turns == 0
    measures = measure(game.trace)
    assert (measures["planner_calls"], measures["planner_prompt_tokens"]) == (2, 200)
    assert same(game.trace, Replay(record(game.trace)).run())


# --- other games -----------------------------------------------------------------------------------------------
@pytest.mark.thorough
@pytest.mark.parametrize("name", PLANNED)
def test_a_new_game_knows_nothing_of_what_was_thought_about_in_the_last(monkeypatch, name):
    backend = SlowBackend()
    agent = load_agent(name, plans(monkeypatch, backend))
    Game("open", agent, "switching", 0).step()
    game = Game("open", agent, "switching", 3, horizon=120)
    backend.free.set()
    assert backend.answered.wait(PATIENCE)
    agent._patience = 30
    fresh = load_agent(name, plans(monkeypatch, backend))
    fresh._patience = 30
    assert same(game.run(), Game("open", fresh, "switching", 3, horizon=120).run())
