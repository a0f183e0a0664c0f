"""What a screen costs when it appears and when the focus moves: nothing is made or computed twice."""

import pytest
from textual.app import App
from textual.widgets._footer import FooterKey

from tests.helpers.app import paused_app
from tests.helpers.footer import footer
from tui.app.app import BBAApp
from tui.style.base_screen import BaseScreen

SIZE = (80, 24)


@pytest.mark.thorough
async def test_the_footer_is_made_anew_only_where_its_keys_are_others():
    app = BBAApp(autostart=False)
    async with app.run_test(size=SIZE) as pilot:
        keys, words = list(app.screen.query(FooterKey)), footer(app)
        focused = app.focused
        await pilot.press("down")
        assert app.focused is not focused
        assert list(app.screen.query(FooterKey)) == keys
        app.screen._bindings.bind("f12", "app.quit", "another key")
        app.screen.refresh_bindings()
        await pilot.pause()
        assert footer(app) == words | {"another key": "F12"}


async def test_the_keys_of_a_footer_begin_as_wide_as_they_stay(monkeypatch):
    changes = []
    monkeypatch.setattr(FooterKey, "update_node_styles", lambda key, animate=True: changes.append(key.description))
    async with paused_app().run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert footer(pilot.app)
    assert changes == []


async def test_a_screen_has_the_classes_for_its_terminal_before_its_widgets():
    classes = []

    class Probe(BaseScreen):
        def compose(self):
            classes.append(set(self.classes))
            yield from self.compose_bottom()

    app = App()
    async with app.run_test(size=(100, 30)) as pilot:
        await app.push_screen(Probe())
        assert classes == [{"-fits-across", "-medium"}]
        await pilot.pause()
        assert {"-fits-across", "-medium"} <= app.screen.classes
        await pilot.resize_terminal(70, 20)
        assert {"-narrow", "-low"} <= app.screen.classes
