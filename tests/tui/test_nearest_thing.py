"""Escape closes what lies nearest, and y and n answer a question."""

import pytest

from tests.helpers.playing import SIZE, Playing
from tui.screens.dialogs import ConfirmDialog
from tui.screens.play import PlayScreen


@pytest.mark.parametrize("key", ["escape", "q", "k"])
async def test_with_the_skills_open_escape_closes_them_and_asks_for_the_end_only_then(tmp_path, key):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("k")
        assert app.screen.skill_mode
        await pilot.press(key)
        assert isinstance(app.screen, PlayScreen)
        assert not app.screen.skill_mode
        await pilot.press("escape")
        assert isinstance(app.screen, ConfirmDialog)


@pytest.mark.parametrize(("key", "ends"), [("y", True), ("n", False), ("Y", False), ("escape", False)])
async def test_y_and_n_answer_a_question(tmp_path, key, ends):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("up", "escape")
        assert isinstance(app.screen, ConfirmDialog)
        await pilot.press(key)
        await pilot.pause()
        assert app.session.over == ends
        assert isinstance(app.screen, ConfirmDialog) == (key == "Y")
