"""A clone of people: plays from a file without torch, pauses as often as the file says, and forks exactly."""

import numpy as np
import pytest

from bba.agents import AgentOptions, load_agent
from bba.agents.learned import save_weights
from bba.agents.learned.agent import PAUSE_NOTE
from bba.agents.learned.weights import PolicyWeights
from bba.errors import BBAError
from bba.kitchen import Layout, constants, layout_digest
from bba.kitchen.grid import grid_of
from bba.kitchen.observation import observation_size
from bba.play import Replay, load, play_game, record, save
from bba.play.fork import fork

OPEN = Layout.load("open")


def write_clone(folder, pauses):
    rng = np.random.default_rng(0)
    size = observation_size(grid_of(OPEN)) + 7
    layer = (rng.normal(0, 0.2, (27, size)).astype(np.float32), np.zeros(27, np.float32))
    table = np.zeros((2, 11), np.float32)
    table[[0, 1], pauses] = 1
    weights = PolicyWeights("human:tiny", "open", layout_digest(OPEN), (layer,), pauses=table)
    save_weights(folder / "human-tiny-open.safetensors", weights)
    return AgentOptions(weights=folder)


def played(options, steps=120):
    return play_game("open", "switching", "human:tiny", 3, options, horizon=steps, fast=False)


def pauses_of(trace):
    """The lengths of the pauses of player 1 between two skills."""
    found, now = [], 0
    for tick in trace.ticks:
        if tick.decisions[1].note == PAUSE_NOTE:
            now += 1
        elif tick.decisions[1].chosen:
            found.append(now)
            now = 0
    return found


def test_it_pauses_as_long_as_its_file_says_and_then_works(tmp_path):
    trace = played(write_clone(tmp_path, (3, 3)))
    assert set(pauses_of(trace)) == {3}
    assert played(write_clone(tmp_path, (0, 0))).ticks[0].skills[1] != constants.SKILL_STAY


def test_pauses_before_other_work_are_drawn_from_a_row_of_their_own(tmp_path):
    assert set(pauses_of(played(write_clone(tmp_path, (1, 4)), 200))) == {1, 4}


def test_the_same_seed_gives_the_same_game_and_a_fork_and_a_recording_continue_it(tmp_path):
    options = write_clone(tmp_path, (1, 4))
    trace = played(options)
    assert [tick.skills for tick in played(options).ticks] == [tick.skills for tick in trace.ticks]
    save(record(trace), tmp_path / "game.bba")
    again = Replay(load(tmp_path / "game.bba"), "game").run()
    assert [tick.skills for tick in again.ticks] == [tick.skills for tick in trace.ticks]
    pausing = next(index for index, tick in enumerate(trace.ticks) if tick.decisions[1].note == PAUSE_NOTE)
    for step in range(pausing, pausing + 4):
        forked = fork(trace, step, options=options).run()
        assert [tick.skills for tick in forked.ticks] == [tick.skills for tick in trace.ticks]


def test_its_name_and_its_file_are_checked(tmp_path):
    with pytest.raises(BBAError, match="human:tiny: has no weights for the layout open"):
        played(AgentOptions(weights=tmp_path))
    with pytest.raises(BBAError, match="no agent named 'human:Anna B'"):
        load_agent("human:Anna B")
    rows = np.full((2, 5), 0.5, np.float32)
    weights = PolicyWeights(
        "human:tiny", "open", "x", ((np.zeros((27, 9), np.float32), np.zeros(27, np.float32)),), pauses=rows
    )
    with pytest.raises(BBAError, match="no probabilities"):
        save_weights(tmp_path / "bad.safetensors", weights)
