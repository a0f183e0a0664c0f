"""Themes: every text can be read on its ground, a change reaches every cell, and the last choice comes back."""

from typing import get_args

import pytest

from bba.config import ThemeName
from bba.palette import CONTRAST, LIGHT, rgb
from tests.helpers.app import paused_app
from tests.helpers.contrast import contrast, lines, unreadable
from tests.helpers.samples import few
from tui.app.app import BBAApp
from tui.arguments.options import ChosenGame, ScreenOptions
from tui.preferences import AppState, preferences
from tui.style.base_app import PALETTES

SIZE = (120, 40)


@pytest.fixture
def app_state(tmp_path):
    return AppState(tmp_path / "start.json")


LEAST = {"light": 4.5, "contrast": 7.0}  # the least contrast of a text


# --- what can be read ------------------------------------------------------------------------------------------
SCREENS = {
    "watch": ((), None),
    "in the past": (("left_square_bracket", "left_square_bracket"), None),
    "help": (("f1",), "#help"),
    "commands": (("ctrl+p",), "CommandList"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("theme", few(LEAST))
@pytest.mark.parametrize(("keys", "box"), SCREENS.values(), ids=SCREENS)
async def test_every_text_of_a_game_stands_out_from_its_ground(theme, keys, box):
    app = paused_app(200, {"theme": theme}, horizon=400)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        assert not unreadable(app, LEAST[theme], box)


@pytest.mark.thorough
@pytest.mark.parametrize("theme", few(LEAST))
@pytest.mark.parametrize(
    ("keys", "box"),
    [((), None), (("o", "o"), "#path"), ((*("down",) * 7, "space"), "SelectOverlay")],
    ids=["form", "recording", "list"],
)
async def test_every_text_of_the_start_screen_stands_out_from_its_ground(app_state, theme, keys, box):
    app = BBAApp(state=app_state, theme=theme)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        assert not unreadable(app, LEAST[theme], box)


@pytest.mark.parametrize(("palette", "least"), [(LIGHT, 4.5), (CONTRAST, 7.0)])
def test_every_colour_that_text_may_take_can_be_read_in_boxes_and_under_titles(palette, least):
    inks = (*palette.cooks, palette.text, palette.dim, palette.good, palette.warn, palette.bad)
    for ground in (palette.panel, palette.strip, palette.background):
        assert all(contrast(rgb(ink), rgb(ground)) >= least for ink in inks)
    for ink in (*palette.roles, palette.title, palette.subtitle, palette.faint):
        assert contrast(rgb(ink), rgb(palette.panel)) >= least
    assert contrast(rgb(palette.background), rgb(palette.warn)) >= least  # the title and the place in the past


@pytest.mark.parametrize("palette", PALETTES.values(), ids=PALETTES)
def test_bars_stand_out_from_what_lies_behind_them_and_roles_from_each_other(palette):
    fills = (*palette.roles, *palette.cooks, palette.good, palette.warn, palette.bad)
    for ground in (palette.ground, palette.panel):
        assert all(contrast(rgb(fill), rgb(ground)) >= 3 for fill in fills)
    apart = [
        sum((a - b) ** 2 for a, b in zip(rgb(one), rgb(other), strict=True)) ** 0.5
        for place, one in enumerate(palette.roles)
        for other in palette.roles[:place]
    ]
    assert min(apart) > 60


# --- changing --------------------------------------------------------------------------------------------------
@pytest.mark.thorough
@pytest.mark.parametrize("keys", [(), ("f1",)], ids=["watch", "help"])
async def test_a_change_of_theme_reaches_every_cell(app_state, keys):
    drawn = {}
    for first in ("dark", "light"):
        app = paused_app(200, {"theme": first, "state": app_state}, horizon=400)
        async with app.run_test(size=SIZE) as pilot:
            await pilot.pause()
            if first == "dark":
                await pilot.press("T")
                await pilot.pause()
            await pilot.press(*keys)
            await pilot.pause()
            drawn[first] = lines(app)
    assert drawn["dark"] == drawn["light"]


@pytest.mark.thorough
async def test_the_board_keeps_its_colours_in_every_theme(app_state):
    app = paused_app(50, {"state": app_state})
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        region = app.screen.query_one("#kitchen").content_region
        boards = []
        for _ in PALETTES:
            strips = app.screen._compositor.render_strips(app.size)[region.y : region.bottom]
            boards.append([strip.crop(region.x, region.right) for strip in strips])
            await pilot.press("T")
            await pilot.pause()
        assert boards[0] == boards[1] == boards[2]


async def test_t_goes_through_all_themes_also_below_the_help_and_the_last_one_is_remembered(app_state):
    app = paused_app(200, {"state": app_state}, horizon=400)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f1", "T", "f1")
        seen = [app.theme]
        assert not unreadable(app, 4.5), "the screen below has taken the theme"
        for _ in range(3):
            await pilot.press("T")
            seen.append(app.theme)
    assert seen == ["light", "contrast", "dark", "light"]
    assert app_state.recall(["theme"]).theme == "light"


# --- what is remembered and set --------------------------------------------------------------------------------
def test_theme_and_game_are_remembered_side_by_side(app_state):
    app_state.note(theme="contrast")
    app_state.keep(ChosenGame(layout="ring"))
    app_state.note(theme="light")
    assert (app_state.recall(["theme"]).theme, app_state.recall().layout) == ("light", "ring")


@pytest.mark.parametrize("text", ["", "[]", '{"theme": "pink"}', '{"theme": ["light"]}', '{"theme": null}'])
def test_a_damaged_memory_stands_for_no_theme(app_state, text):
    app_state.path.write_text(text)
    assert app_state.recall(["theme"]).theme is None


def test_every_theme_can_be_asked_for_by_name():
    assert set(PALETTES) == set(get_args(ThemeName))


def test_the_option_overrules_the_file_of_ones_own(tmp_path):
    own = tmp_path / "config.toml"
    own.write_text('theme = "light"\n')
    assert preferences(ScreenOptions(), own).theme == "light"
    assert preferences(ScreenOptions(theme="contrast"), own).theme == "contrast"
    assert preferences(ScreenOptions(), tmp_path / "none.toml").theme is None
