"""One switch for all motion: set by an option or a file, chosen in the palette, remembered."""

import pytest

from bba.kitchen.render.painter import STILL
from tests.helpers.app import paused_app
from tests.helpers.command_line import parsed
from tui.arguments.options import ScreenOptions
from tui.preferences import AppState, preferences


@pytest.mark.thorough
@pytest.mark.parametrize(("motion", "slides"), [(True, True), (False, False)])
async def test_cooks_slide_only_with_motion(motion, slides):
    app = paused_app(0, {"motion": motion})
    async with app.run_test(size=(120, 40)):
        screen, slid = app.game_screen, []
        while len(screen.source.trace.ticks) < 20:
            screen.source.step()
            screen._show_kitchens(slide=0.01)
            slid.append(screen._kitchen._offsets != STILL)
        assert any(slid) == slides


@pytest.mark.parametrize("arguments", [["--no-motion"], ["watch", "--no-motion"]])
def test_the_option_turns_it_off(tmp_path, arguments):
    assert preferences(parsed(arguments), tmp_path / "none.toml").motion is False
    assert preferences(parsed(["--motion"]), tmp_path / "none.toml").motion is True


def test_the_option_overrules_the_file_of_ones_own(tmp_path):
    own = tmp_path / "config.toml"
    own.write_text("motion = false\n")
    assert preferences(ScreenOptions(), own).motion is False
    assert preferences(parsed(["--motion"]), own).motion is True
    assert preferences(ScreenOptions(), tmp_path / "none.toml").motion is None


async def test_a_choice_in_the_palette_is_remembered(tmp_path):
    app_state = AppState(tmp_path / "start.json")
    app = paused_app(0, {"state": app_state})
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p", *"motion off")
        await app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert not app.motion
    assert app_state.recall(["motion"]).motion is False


def test_a_damaged_memory_stands_for_no_choice(tmp_path):
    (tmp_path / "start.json").write_text('{"motion": "sometimes"}')
    assert AppState(tmp_path / "start.json").recall(["motion"]).motion
