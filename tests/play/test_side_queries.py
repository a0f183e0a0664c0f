"""Agents that ask a model side queries: recorded, replayed and forked like all others, as either player."""

import gzip
import json

import pytest

from bba.agents import Profile
from bba.errors import BBAError
from bba.play import Game, Replay, fork, load, record, save
from tests.helpers.planner_scenes import side_queries

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


@pytest.mark.thorough
def test_a_replay_is_the_game_with_all_that_was_asked_and_answered(trace, file):
    again = Replay(load(file)).run()
    assert again.config == trace.config
    assert same(trace, again)


@pytest.mark.thorough
@pytest.mark.parametrize("step", [1, 130])
def test_a_fork_with_nothing_changed_has_the_same_future(trace, step):
    assert same(trace, fork(trace, step).run())


@pytest.mark.thorough
def test_a_fork_of_the_recording_has_the_same_future_too(trace, file):
    assert same(trace, fork(Replay(load(file)).run(), 99).run())


def test_both_seats_ask_what_their_agents_ask(trace):
    for player, name in enumerate(trace.config.agents):
        kinds = {call.kind for tick in trace.ticks for call in side_queries(tick.decisions[player])}
        expected = {"llm-judge": {"judge"}, "hypothetical-minds": {"evaluate", "generate", "predict"}}
        assert kinds == expected.get(name, set())
        assert trace.config.seats[player].planner == "scripted"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["proagent", "bayes", "periodic-10", "completion-held", "llm-judge"])
def test_any_planner_can_be_the_partner_and_plans_for_its_own_seat(name):
    trace = Game("open", "proagent", name, 1, horizon=60).run()
    plans = [tick.decisions[1].plan for tick in trace.ticks if tick.decisions[1].plan]
    assert plans
    assert all("\nP1 pos=" in plan.question for plan in plans)
    assert not any(plan.fallback for plan in plans)


@pytest.mark.thorough
def test_another_agent_can_go_on_where_one_with_side_queries_stopped():
    trace = Game("open", "llm-judge", "switching", 3, horizon=200).run()
    other = fork(trace, 150, (Profile("hypothetical-minds", "scripted"), trace.config.seats[1])).run()
    assert [tick.decisions for tick in other.ticks[:150]] == [tick.decisions for tick in trace.ticks[:150]]
    kinds = {call.kind for tick in other.ticks[150:] for call in side_queries(tick.decisions[0])}
    assert kinds == {"evaluate", "generate", "predict"}


def game_file(path):
    """A recording with side queries, as a file and as its JSON."""
    save(record(Game("open", "llm-judge", "switching", 3, horizon=60).run()), path)
    return path, json.loads(gzip.decompress(path.read_bytes()))


@pytest.mark.thorough
@pytest.mark.parametrize("number", [99_999, -1, "0", None, [], 0.5])
def test_a_call_with_a_text_that_is_not_there_is_damage(tmp_path, number):
    path, data = game_file(tmp_path / "game.bba")
    data["players"][0]["calls"][0][1]["texts"][0] = number
    path.write_bytes(gzip.compress(json.dumps(data).encode()))
    with pytest.raises(BBAError, match=r"damaged: a model call refers to a missing text$"):
        load(path)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("problem", "\x1b[2J", "calls.0.1.problem"),
        ("belief_text", "a\nb", "calls.0.1.belief_text"),
        ("intention", 27, "calls.0.1.intention"),
        ("skill", 99, "calls.0.1.skill"),
        ("attempts", 0, "calls.0.1.attempts"),
        ("turns", 7, "a call at step 0 without a question"),
        ("kind", "late", "calls.0.1.kind"),
        ("usage", {"prompt_tokens": -1}, "calls.0.1.usage.prompt_tokens"),
        ("extra", 1, "calls.0.1.extra"),
    ],
)
def test_a_damaged_call_is_one_line(tmp_path, key, value, message):
    path, data = game_file(tmp_path / "game.bba")
    data["players"][0]["calls"][0][1][key] = value
    path.write_bytes(gzip.compress(json.dumps(data).encode()))
    with pytest.raises(BBAError) as caught:
        load(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_each_text_is_written_once(tmp_path):
    _, data = game_file(tmp_path / "game.bba")
    texts = data["texts"]
    assert len(data["players"][0]["calls"]) > 10
    assert len(texts) == len(set(texts))
    assert sum("# How food is made" in text for text in texts) == 2
