"""What two futures look like, as a picture. `make snapshots` draws it anew after a change that is meant."""

from pathlib import Path

from bba.analysis.timeline import TimelineData
from tests.helpers.forks import still
from tests.helpers.games import BEFORE
from tests.helpers.recordings import source_of
from tui.screens.comparison import ComparisonScreen
from tui.screens.watch import WatchScreen

RECORDINGS = Path(__file__).parent / "recordings"


def test_two_futures_of_one_game(snap_compare):
    original, fork = (source_of(RECORDINGS / f"future-{name}.bba", BEFORE) for name in ("original", "fork"))
    shared = TimelineData(original.trace)
    shared.extend()
    screen = ComparisonScreen(original, shared, fork, BEFORE, speed=10, show_truth=True, alone=WatchScreen)

    async def compare_and_play_on(pilot):
        await pilot.app.push_screen(screen)
        screen._play(60)
        await pilot.pause()

    assert snap_compare(still(original), terminal_size=(120, 40), run_before=compare_and_play_on)
