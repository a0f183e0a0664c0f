"""Playing a source on: as far as it goes, and a line where it does not."""

import pytest

from bba.errors import BBAError
from bba.play import Replay, record, save
from tests.helpers.app import fresh_source
from tests.helpers.games import game
from tui.game_factory import recorded_source


def test_a_source_is_not_played_beyond_its_end():
    source = fresh_source(horizon=5)
    assert (source.play(3), len(source.trace.ticks)) == (None, 3)
    assert (source.play(3), len(source.trace.ticks)) == (None, 5)
    assert source.play(1) is None


def test_what_people_should_read_is_passed_on(monkeypatch):
    source = fresh_source()
    step = source.step

    def fail():
        if len(source.trace.ticks) == 2:
            raise BBAError("the model is away")
        return step()

    monkeypatch.setattr(source, "step", fail)
    assert (source.play(9), len(source.trace.ticks)) == ("the model is away", 2)


@pytest.mark.parametrize("duel", [False, True])
def test_a_recording_on_the_screen_is_computed_with_compiled_kernels(tmp_path, monkeypatch, duel):
    trace = game(horizon=3).run()
    save(record(trace, trace if duel else None), tmp_path / "game.bba")
    made = []

    def replay(*args, fast):
        made.append(fast)
        return Replay(*args, fast=fast)

    monkeypatch.setattr("tui.game_factory.Replay", replay)
    recorded_source(tmp_path / "game.bba")
    assert made == [True] * (1 + duel), "else a game takes a minute, for which its replans cannot be gone to"
