"""Ctrl+Z where there is no shell, and what stands still meanwhile; tests/cli/ has a shell and a real terminal."""

from types import SimpleNamespace

import pytest

from tests.helpers.app import paused_app
from tests.helpers.playing import Playing
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.screens.play import PlayScreen


def notices(app) -> list[str]:
    return [notice.message for notice in app._notifications]


@pytest.mark.parametrize(("web", "place"), [(True, "the browser"), (False, "this system")])
async def test_where_there_is_no_shell_ctrl_z_says_so(monkeypatch, web, place):
    monkeypatch.setattr(BBAApp, "is_web", property(lambda app: web))
    app = paused_app(3)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("ctrl+z")
        assert notices(app) == [f"{place} has no shell that would bring the program back"]


@pytest.mark.parametrize("speed", [10.0, None])
async def test_a_game_in_real_time_stands_still_when_its_person_comes_back(tmp_path, speed):
    app, paused = Playing(tmp_path, speed=speed), []
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: isinstance(app.screen, PlayScreen))
        app._driver.suspend = lambda: paused.append(app.screen.clock.paused) or True
        await pilot.press("ctrl+z")
        assert paused == [speed is not None], "before the program is stopped"
        assert app.screen.clock.paused == (speed is not None), "and until the person goes on"
        assert notices(app) == []


async def test_in_the_kitchen_designer_the_key_undoes(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    app = BBAApp()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("d")
        await until(pilot, lambda: type(app.screen).__name__ == "DesignScreen")
        app._driver.suspend = SimpleNamespace  # which would not be called
        before = app.screen.drawing.draft
        await pilot.press("right", "right", "down", "down", "b")
        assert app.screen.drawing.draft != before
        await pilot.press("ctrl+z")
        assert app.screen.drawing.draft == before
        assert notices(app) == []
