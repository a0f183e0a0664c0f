"""Notices lie over the keys at the bottom, and over nothing that is looked at."""

import pytest
from textual.widgets._toast import Toast

from tests.helpers.app import paused_app
from tui.style.base_screen import KeyFooter


def notices(app) -> dict[str, Toast]:
    """The notices on the screen, by what they say."""
    return {str(toast.render()): toast for toast in app.screen.query(Toast)}


@pytest.mark.parametrize("size", [(80, 24), (140, 45)])
async def test_a_hint_lies_above_the_keys_in_one_row_and_takes_the_place_of_the_one_before(size):
    app = paused_app(5)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.press("c", "g", "g", "g")
        ((said, hint),) = notices(app).items()
        assert said == "no gap after step 5 so far"
        keys = app.screen.query_one(KeyFooter).region
        assert (hint.region.bottom, hint.region.size) == (keys.y, keys.size)


async def test_a_problem_stays_for_longer_and_leaves_the_keys_in_view():
    app = paused_app(5)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        app.screen.show_problem("it broke")
        await pilot.pause()
        (problem,) = notices(app).values()
        assert problem.region.bottom == app.screen.query_one(KeyFooter).region.y
