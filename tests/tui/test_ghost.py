"""The ghost path on the watch screen: dots on the tiles that the ego passes, on and off with a key."""

import pytest

from bba.agents import SeatSpec
from tests.helpers.app import paused_app
from tests.helpers.comparisons import compared_game
from tests.helpers.forks import still
from tests.helpers.notifications import notified
from tui.playback.source import PlaybackSource
from tui.playback.traces import TracePlayback
from tui.widgets import ghost_path
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.tile_text import GHOST, ghost_labels


def dots(app):
    """The tiles of the board that have a dot."""
    view = app.screen.query_one(KitchenView)
    size = view._painter.size
    return {
        (x // size, 2 * y // size) for y, row in view._labels.items() for x, (char, _) in row.items() if char == GHOST
    }


def free(tiles, snapshot):
    return set(tiles) - {player.position for player in snapshot.scene.players}


@pytest.mark.thorough
@pytest.mark.parametrize("size", [1, 2, 4, 7, 24])
def test_a_dot_lies_in_the_middle_of_its_tile_unless_a_cook_stands_there(size):
    scene = compared_game().scene(60)
    cook = scene.players[0].position
    labels = ghost_labels([(3, 2), cook], scene, size)
    ((x, y),) = labels
    assert (x // size, 2 * y // size if size > 1 else 2 * y) == (3, 2)


@pytest.mark.thorough
async def test_f_shows_it_at_every_step_that_is_shown_and_hides_it_again():
    trace = compared_game()
    app = still(PlaybackSource(lambda: TracePlayback(trace)))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("end")
        await pilot.pause()
        assert not dots(app)
        await pilot.press("f")
        seen = set()
        for key in ("end", "left", "[", "home"):
            await pilot.press(key)
            await pilot.pause()
            snapshot = app.game_screen.snapshot
            expected = free(ghost_path(snapshot), snapshot)
            assert dots(app) == expected
            seen.add(frozenset(expected))
        assert len(seen) > 1
        await pilot.press("f")
        await pilot.pause()
        assert not dots(app)


async def test_of_an_ego_without_the_planner_there_is_none_and_it_says_why():
    app = paused_app(5)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f")
        assert await notified(app, pilot, "There is no ghost path: only the rollout planner looks ahead.")
        assert not dots(app)


async def test_without_networks_it_says_so_and_stays_off(tmp_path):
    trace, options = compared_game(), SeatSpec(weights=tmp_path)
    app = still(PlaybackSource(lambda: TracePlayback(trace), options=options))
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("f", "right")
        assert "no weights" in await notified(app, pilot, "There is no ghost path: ")
        assert not dots(app)
