"""Questions over a screen."""

import pytest
from textual.widgets import Button

from tests.helpers.app import paused_app
from tui.screens.dialogs import ConfirmDialog


@pytest.mark.thorough
@pytest.mark.parametrize(("careful", "answer"), [(True, "no"), (False, "yes")])
async def test_the_answer_that_enter_gives_is_the_green_one(careful, answer):
    app = paused_app()
    async with app.run_test() as pilot:
        await app.push_screen(ConfirmDialog("Go on?", yes="Go on", no="To the menu", careful=careful))
        await pilot.pause()
        green = [button.id for button in app.screen.query(Button) if button.variant == "success"]
        assert [app.focused and app.focused.id] == green == [answer]
