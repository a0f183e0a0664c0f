"""What two futures look like, as a picture. `make snapshots` draws it anew after a change that is meant."""

from tests.helpers.forks import fork_it, live, still
from tests.helpers.games import BEFORE, parting_game


def test_two_futures_of_one_game(snap_compare):
    async def fork_and_play_on(pilot):
        screen = await fork_it(pilot, "right", "right")
        screen._play(60)
        await pilot.pause()

    assert snap_compare(still(live(BEFORE, parting_game)), terminal_size=(120, 40), run_before=fork_and_play_on)
