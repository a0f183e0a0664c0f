"""What the screen looks like while the world waits for a language model, as pictures."""

import pytest

from bba.planner.chat import QuestionProgress
from tests.helpers.app import slow_source
from tests.helpers.slow_planners import SlowBackend
from tests.helpers.wait_for_idle import drawn, until
from tui.app.app import BBAApp


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_world_waits_for_the_model(snap_compare, monkeypatch, size):
    monkeypatch.setattr(QuestionProgress, "seconds", 3.2)
    monkeypatch.setattr(QuestionProgress, "silence", 3.2)
    backend = SlowBackend()
    app = BBAApp(slow_source(monkeypatch, backend, real_time=False), motion=False)

    async def asked(pilot) -> None:
        await until(pilot, lambda: app.game_screen._title.status.startswith("waiting for the model 3 s"))
        await drawn(pilot)

    assert snap_compare(app, terminal_size=size, run_before=asked)
    backend.free.set()
