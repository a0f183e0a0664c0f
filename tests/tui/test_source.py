"""Playing a source on: as far as it goes, and a line where it does not."""

from bba.errors import BBAError
from tests.helpers.app import fresh_source


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
