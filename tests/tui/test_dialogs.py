"""Questions over a screen."""

import pytest
from textual.color import Color
from textual.widgets import Input
from textual.widgets._footer import FooterKey

from tests.helpers.app import paused_app
from tests.helpers.wait_for_idle import until
from tui.screens.dialogs import ConfirmDialog, recording_dialog


def filled(app) -> list[str | None]:
    """The buttons that are not plain."""
    plain = Color.parse(app.get_css_variables()["panel"])
    return [button.id for button in app.screen.query("#buttons Button") if button.styles.background != plain]


@pytest.mark.parametrize(("careful", "answer", "other"), [(True, "no", "yes"), (False, "yes", "no")])
async def test_the_answer_that_enter_gives_is_filled_and_the_other_one_plain(careful, answer, other):
    app = paused_app()
    async with app.run_test() as pilot:
        await app.push_screen(ConfirmDialog("Go on?", yes="Go on", no="To the menu", careful=careful))
        await pilot.pause()
        assert [app.focused and app.focused.id] == filled(app) == [answer]
        await pilot.press("tab")
        assert [app.focused and app.focused.id] == filled(app) == [other]


async def test_in_a_dialog_with_a_field_what_enter_does_is_filled_there_too():
    app = paused_app()
    async with app.run_test() as pilot:
        await app.push_screen(recording_dialog())
        await pilot.pause()
        assert isinstance(app.focused, Input)
        assert filled(app) == ["open"]
        for button in ("open", "cancel"):
            app.screen.query_one(f"#{button}").focus()
            await pilot.pause()
            assert filled(app) == [button]


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
