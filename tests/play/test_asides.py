"""Agents that ask a model more than one thing: recorded, replayed and forked like all others, in either seat."""

import gzip
import json

import pytest

from bba.agents import Profile
from bba.errors import BBAError
from bba.play import Game, Replay, fork, load, record, save

STEPS = 240
PAIRS = [
    ("llm-judge", "hypothetical-minds", "open"),
    ("hypothetical-minds", "llm-judge", "ring"),
    ("periodic-10", "completion-held", "forced_coordination"),
]


@pytest.fixture(scope="module", params=PAIRS, ids=lambda pair: " with ".join(pair[:2]))
def trace(request):
    ego, partner, layout = request.param
    return Game(layout, ego, partner, 3, horizon=STEPS).run()


@pytest.fixture
def file(trace, tmp_path):
    save(record(trace), tmp_path / "game.bba")
    return tmp_path / "game.bba"


def same(one, other):
    return all((a.state == b.state).all() and a[1:] == b[1:] for a, b in zip(one.ticks, other.ticks, strict=True))


def test_a_replay_is_the_game_with_all_that_was_asked_and_answered(trace, file):
    again = Replay(load(file)).run()
    assert again.config == trace.config
    assert same(trace, again)


@pytest.mark.parametrize("step", [1, 130])
def test_a_fork_with_nothing_changed_has_the_same_future(trace, step):
    assert same(trace, fork(trace, step).run())


def test_a_fork_of_the_recording_has_the_same_future_too(trace, file):
    assert same(trace, fork(Replay(load(file)).run(), 99).run())


def test_both_seats_ask_what_their_agents_ask(trace):
    for player, name in enumerate(trace.config.agents):
        kinds = {aside.kind for tick in trace.ticks for aside in tick.decisions[player].asides}
        expected = {"llm-judge": {"judge"}, "hypothetical-minds": {"evaluate", "generate", "predict"}}
        assert kinds == expected.get(name, set())
        assert trace.config.seats[player].planner == "scripted"


@pytest.mark.parametrize("name", ["proagent", "bayes", "periodic-10", "completion-held", "llm-judge"])
def test_any_planner_can_be_the_partner_and_plans_for_its_own_seat(name):
    trace = Game("open", "proagent", name, 1, horizon=60).run()
    exchanges = [tick.decisions[1].exchange for tick in trace.ticks if tick.decisions[1].exchange]
    assert exchanges
    assert all("\nP1 pos=" in exchange.asked[0]["content"] for exchange in exchanges)
    assert not any(exchange.fallback for exchange in exchanges)


def test_another_agent_can_go_on_where_one_with_asides_stopped():
    trace = Game("open", "llm-judge", "switching", 3, horizon=200).run()
    other = fork(trace, 150, (Profile("hypothetical-minds", "scripted"), trace.config.seats[1])).run()
    assert [tick.decisions for tick in other.ticks[:150]] == [tick.decisions for tick in trace.ticks[:150]]
    kinds = {aside.kind for tick in other.ticks[150:] for aside in tick.decisions[0].asides}
    assert kinds == {"evaluate", "generate", "predict"}


def test_an_aside_to_a_system_prompt_that_is_not_there_is_damage(tmp_path):
    trace = Game("open", "llm-judge", "switching", 3, horizon=60).run()
    path = tmp_path / "game.bba"
    save(record(trace), path)
    data = json.loads(gzip.decompress(path.read_bytes()))
    data["seats"][0]["asides"][0]["system"] = 9
    path.write_bytes(gzip.compress(json.dumps(data).encode()))
    with pytest.raises(BBAError, match=r"damaged: .*a system prompt that is not there"):
        load(path)


def test_each_question_is_written_without_its_system_prompt(tmp_path):
    trace = Game("open", "llm-judge", "switching", 3, horizon=60).run()
    seat = record(trace).seats[0]
    assert len(seat.asides) > 10
    assert len(seat.systems) == 2
    assert not any("# How food is made" in text for side in seat.asides for text in side.asked)
