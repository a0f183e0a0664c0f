"""A clone of people: plays from a file without torch, and pauses as often as the file says."""

import numpy as np
import pytest

from bba.agents import SeatSpec, load_agent
from bba.agents.learned.agent import PAUSE_NOTE
from bba.agents.learned.weights import PolicyWeights, save_weights
from bba.errors import BBAError
from bba.kitchen import constants
from bba.play import play_game
from tests.helpers.tiny_policies import write_clone


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


def test_its_name_and_its_file_are_checked(tmp_path):
    with pytest.raises(BBAError, match="human:tiny: has no weights for the layout open"):
        played(SeatSpec(weights=tmp_path))
    with pytest.raises(BBAError, match="no agent named 'human:Anna B'"):
        load_agent("human:Anna B")
    rows = np.full((2, 5), 0.5, np.float32)
    weights = PolicyWeights(
        "human:tiny", "open", "x", ((np.zeros((27, 9), np.float32), np.zeros(27, np.float32)),), pauses=rows
    )
    with pytest.raises(BBAError, match="no probabilities"):
        save_weights(tmp_path / "bad.safetensors", weights)
