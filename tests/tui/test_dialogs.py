"""Questions over a screen."""

import pytest
from textual.widgets import Button
from textual.widgets._footer import FooterKey

from tests.helpers.app import paused_app
from tests.helpers.wait_for_idle import until
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


async def test_the_keys_in_the_footer_are_those_of_the_field_in_a_dialog_that_has_the_focus():
    app = paused_app(5)
    async with app.run_test(size=(120, 40)) as pilot:

        def told() -> set[str]:
            return {key.description for key in app.game_screen.query(FooterKey)}

        await pilot.press("w")
        assert not app.screen._layout_required, "the dialog is drawn, and waits for no other key"
        await until(pilot, lambda: told() == {"go", "choose", "next", "close"})
        await pilot.press("tab")  # on to a button
        await until(pilot, lambda: told() == {"next", "close"})
        await pilot.press("shift+tab")
        await until(pilot, lambda: "choose" in told())
        await pilot.press("escape")
        await until(pilot, lambda: "pause" in told())
