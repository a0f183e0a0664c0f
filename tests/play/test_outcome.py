"""What came of a recorded game, without the beliefs."""

import numpy as np
import pytest

from bba.errors import BBAError
from bba.play import Game, record
from bba.play.recording import outcome
from tests.helpers.games import played


def test_it_is_what_the_game_itself_says():
    trace = played(60, layout="open", seed=2)
    came = outcome(record(trace))
    assert came.scores == tuple(tick.score for tick in trace.ticks)
    assert np.array_equal(came.state, trace.ticks[-1].state)


def test_replans_are_those_of_the_ego():
    game = Game("ring", "periodic-10", "switching", 0, horizon=80)
    trace = game.run()
    replans = sum(tick.decisions[0].replanned for tick in trace.ticks)
    assert outcome(record(trace)).replans == replans > 0


def test_a_game_without_a_step_has_no_score():
    assert outcome(record(Game("open", "switching", "switching").trace)).scores == ()


def test_a_game_that_differs_from_the_recorded_one_is_named():
    recording = record(played(20))
    actions = "5" + recording.players[0].actions[1:]
    changed = recording.model_copy(
        update={"players": (recording.players[0].model_copy(update={"actions": actions}), recording.players[1])}
    )
    with pytest.raises(BBAError, match=r"^game\.bba: the game differs from the recorded one at its end$"):
        outcome(changed.model_copy(update={"hashes": {20: "0" * 16}}), "game.bba")
