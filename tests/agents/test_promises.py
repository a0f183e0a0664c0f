"""What every agent promises: the same game under the same seed, in a replay of its recording and in a fork of it."""

import pytest

from bba.agents import LEARNED, SeatSpec, agent_names, load_agent
from bba.agents.human import HUMAN
from bba.play import Game, Replay, fork, load, record, save
from tests.helpers.tiny_policies import write, write_clone

STEPS, PAUSING = 120, 60
CLONE = "human:tiny"
# Of agents of one class one is quick, unless other tests reach all its lines.
QUICK = ("bayes", "hypothetical-minds", "switching", "talents", "bp:G1-1", CLONE)
NAMES = [name for name in (*agent_names(), CLONE) if name != HUMAN]


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    folder = tmp_path_factory.mktemp("weights")
    write_clone(folder, (1, 4))
    return SeatSpec(weights=write(folder, *LEARNED), ask="changed")


def case(name):
    return name if name in QUICK else pytest.param(name, marks=pytest.mark.thorough)


def same(trace, other):
    return all((a.state == b.state).all() and a[1:] == b[1:] for a, b in zip(trace.ticks, other.ticks, strict=True))


@pytest.mark.parametrize("name", map(case, NAMES))
def test_a_game_is_the_same_again_replayed_and_continued(name, options, tmp_path):
    if name == "bayes-value":
        options = SeatSpec(ask="changed")  # its belief sees the networks, and a replay has those that ship

    def game():
        return Game("open", load_agent(name, options), "switching", 7, horizon=STEPS).run()

    trace = game()
    assert same(trace, game())
    save(record(trace), tmp_path / "game.bba")
    again = Replay(load(tmp_path / "game.bba")).run()
    assert same(trace, again)
    assert again.config == trace.config
    waits = (index for index, tick in enumerate(trace.ticks) if tick.decisions[0].note)
    for step in {next(waits, PAUSING), PAUSING}:
        assert same(trace, fork(again, step, options=options).run())
