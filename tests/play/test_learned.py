"""Games with learned policies: recorded, replayed, forked, and gone on with by somebody else."""

import gzip
import json
from dataclasses import replace

import pytest

from bba.agents import Profile, SeatSpec, load_agent
from bba.config import BeliefConfig
from bba.errors import BBAError
from bba.play import Game, Replay, fork, load, record, save
from tests.helpers.tiny_policies import CLUSTERS, write

STEPS = 220


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    return SeatSpec(weights=write(tmp_path_factory.mktemp("weights"), "gamma", "talents", "bp:G1-1"))


@pytest.fixture(scope="module")
def trace(options):
    return Game("open", load_agent("talents", options), load_agent("bp:G1-1", options), 5, horizon=STEPS).run()


def same(one, other):
    return (one.state == other.state).all() and one[1:] == other[1:]


@pytest.mark.thorough
def test_a_replay_gives_the_same_ticks_without_any_weights(trace, tmp_path):
    save(record(trace), tmp_path / "game.bba")
    again = Replay(load(tmp_path / "game.bba")).run()
    assert all(same(*pair) for pair in zip(trace.ticks, again.ticks, strict=True))
    assert len(again.ticks[-1].decisions[0].policy.clusters) == CLUSTERS
    assert (tmp_path / "game.bba").stat().st_size < 60_000


@pytest.mark.thorough
@pytest.mark.parametrize("step", [0, 1, 97, STEPS - 1])
def test_with_nothing_changed_the_future_is_the_original_one(trace, options, step):
    again = fork(trace, step, options=options).run()
    assert again.changes == []
    assert all(same(*pair) for pair in zip(trace.ticks, again.ticks, strict=True))


def test_a_recording_can_be_gone_on_with(trace, options, tmp_path):
    save(record(trace), tmp_path / "game.bba")
    again = fork(Replay(load(tmp_path / "game.bba")).run(), 150, options=options).run()
    assert all(same(*pair) for pair in zip(trace.ticks, again.ticks, strict=True))


def test_another_agent_can_go_on_and_is_replayed(trace, options, tmp_path):
    seats = Profile("bayes", "scripted", BeliefConfig()), trace.config.seats[1]
    other = fork(trace, 100, seats, options).run()
    assert [tick.decisions[0].policy is None for tick in other.ticks] == [False] * 100 + [True] * (STEPS - 100)
    save(record(other), tmp_path / "other.bba")
    again = Replay(load(tmp_path / "other.bba")).run()
    assert [tick.decisions[0].policy for tick in again.ticks] == [tick.decisions[0].policy for tick in other.ticks]


@pytest.mark.thorough
def test_a_policy_that_takes_over_has_watched_the_partner_and_says_nothing_of_what_it_did_not_choose(options):
    before = Game("open", "proagent", load_agent("bp:G1-1", options), 5, horizon=STEPS).run()
    after = fork(before, 100, (Profile("talents"), before.config.seats[1]), options).run()
    readings = [tick.decisions[0].policy for tick in after.ticks]
    assert readings[99] is None
    assert len(readings[100].clusters) == CLUSTERS
    assert len(set(readings[100].clusters)) > 1, "it has seen a hundred steps of its partner"
    running = not after.ticks[100].decisions[0].chosen
    assert (readings[100].probabilities == ()) == running
    assert len(readings[-1].probabilities) == 27


def test_a_kitchen_without_weights_is_one_line_for_a_fork_too(options):
    game = Game("ring", "proagent", "switching", horizon=20).run()
    with pytest.raises(BBAError, match="gamma: has no weights for the layout ring, only for open"):
        fork(game, 10, (Profile("gamma"), game.config.seats[1]), options)


def edited(file, edit):
    data = json.loads(gzip.decompress(file.read_bytes()))
    edit(data)
    file.write_bytes(gzip.compress(json.dumps(data).encode()))
    return file


def test_a_recording_of_before_there_were_policies_is_read(trace, tmp_path):
    def strip(data):
        for player in data["players"]:
            player.pop("policy")

    save(record(trace), tmp_path / "game.bba")
    again = Replay(load(edited(tmp_path / "game.bba", strip))).run()
    assert [tick.skills for tick in again.ticks] == [tick.skills for tick in trace.ticks]
    assert again.ticks[-1].decisions[0].policy is None


def test_probabilities_that_are_none_are_damage(trace, tmp_path):
    def shorten(data):
        data["players"][0]["policy"][0][1]["probabilities"].pop()

    save(record(replace(trace, ticks=trace.ticks[:20])), tmp_path / "game.bba")
    with pytest.raises(BBAError, match=r"damaged: players\.0\.policy\.0\.1\.probabilities: 26 of them"):
        load(edited(tmp_path / "game.bba", shorten))
