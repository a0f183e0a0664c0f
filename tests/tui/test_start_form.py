"""The form of the start screen: what is chosen is shown, remembered, and refused where it is wrong."""

import pytest
from textual.widgets import Input, Static

from bba.agents import DESCRIPTIONS, LOCKED_PARTNERS, agent_names, unlocked
from bba.errors import BBAError
from bba.kitchen import Layout
from tests.helpers.samples import few
from tests.helpers.start_screen import SIZE
from tui.app.app import BBAApp
from tui.arguments.options import ChosenGame
from tui.screens.cook_choice import BELIEVING, KEEPS_ROLE, CookSelect, RoleBox, cooks_by_family
from tui.screens.game_form import GameForm
from tui.screens.help import HelpScreen
from tui.screens.start import FirstChoice, StartScreen
from tui.widgets.form_fields import NumberField, OptionSelect, problem_of
from tui.widgets.kitchen_view import LayoutPicture


@pytest.mark.thorough
async def test_every_layout_is_pictured_and_fits(app):
    async with app.run_test(size=SIZE) as pilot:
        for name in Layout.names():
            app.screen.query_one("#layout", OptionSelect).value = name
            await pilot.pause()
            picture = app.screen.query_one(LayoutPicture)
            assert picture.border_title == f"kitchen: {name}"
            assert 0 < picture.picture_size.width <= picture.content_size.width
            assert 0 < picture.picture_size.height <= picture.content_size.height


@pytest.mark.thorough
async def test_the_picture_grows_with_the_terminal(app):
    async with app.run_test(size=SIZE) as pilot:
        picture = app.screen.query_one(LayoutPicture)
        small = picture.picture_size.width
        await pilot.resize_terminal(160, 50)
        await pilot.pause()
        assert picture.picture_size.width > small


WRONG = [
    ("seed", "x", "takes a whole number"),
    ("seed", "-1", "takes 0 or more"),
    ("seed", str(2**63), "takes 9223372036854775807 or less"),
    ("speed", "51", "takes 50 or less"),
    ("speed", "nan", "takes 50 or less"),
    ("speed", "quick", "takes a number"),
]


async def test_a_number_is_bounded_by_buttons_named_where_it_is_wrong_and_takes_only_its_own_keys(app):
    async with app.run_test(size=SIZE) as pilot:
        first = app.screen.query(NumberField).first()
        await pilot.click(first.query_one(".less"))
        assert (first.input.value, first.problem) == ("0", None)

        choice, form = app.focused, app.screen.query_one("#form")
        for name, text, complaint in WRONG:
            assert problem_of(name, text) == complaint
            assert len(f"{name} {complaint}") <= form.content_size.width, complaint
        for name, text, complaint in (WRONG[0], WRONG[-1]):
            field = app.screen.query_one(f"#{name}", Input)
            field.value = text
            await pilot.pause()
            assert str(form.border_subtitle) == f"{name} {complaint}"
            await pilot.press("enter")
            await pilot.pause()
            assert isinstance(app.screen, StartScreen), "a game has started"
            assert app.focused is field
            field.value = "10"
            app.screen.set_focus(choice)
            await pilot.pause()
            assert str(form.border_subtitle) == ""

        seed = app.screen.query_one("#seed", Input)
        seed.focus()
        await pilot.press("4", "x", "2", "question_mark")
        assert seed.value == "42"
        assert isinstance(app.screen, HelpScreen)
        await pilot.press("escape", "escape")
        assert (app.focused, seed.value) == (app.screen.query_one("#watch"), "42")
        seed.focus()
        await pilot.press("ctrl+c")
    assert app.return_code == 0


@pytest.mark.thorough
async def test_the_choice_is_remembered_when_a_game_starts_and_only_then(app, app_state):
    async with app.run_test(size=SIZE) as pilot:
        app.screen.query_one("#layout", OptionSelect).value = "ring"
        app.screen.query_one("#speed", Input).value = "2.5"
        await pilot.pause()
        assert not app_state.path.exists()
        await pilot.press("enter")
        await pilot.pause()
    again = BBAApp(state=app_state)
    async with again.run_test(size=SIZE):
        assert again.screen.query_one("#layout", OptionSelect).chosen == "ring"
        assert again.screen.query_one("#speed", Input).value == "2.5"


@pytest.mark.thorough
async def test_a_remembered_name_that_is_gone_gives_way_to_the_first(app_state):
    app_state.keep(ChosenGame(layout="gone", agent="nobody"))
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE):
        assert app.screen.query_one("#layout", OptionSelect).chosen == Layout.names()[0]
        assert app.screen.query_one("#agent", OptionSelect).chosen == "bayes"


async def test_a_damaged_layout_and_a_terminal_that_has_become_too_small_are_one_line(app, monkeypatch):
    async with app.run_test(size=SIZE) as pilot:

        def damaged(name):
            raise BBAError("ring.toml: map row 1, column 1: the map is empty")

        monkeypatch.setattr(Layout, "load", damaged)
        app.screen.query_one("#layout", OptionSelect).value = "ring"
        await pilot.pause()
        assert "the map is empty" in str(app.screen.query_one("#about", Static).visual)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)

        await pilot.resize_terminal(79, 24)
        await pilot.pause()
        assert not app.screen.query_one("#body").display
        assert "needs 80x24, has 79x24" in str(app.screen.query_one("#too-small", Static).visual)


@pytest.mark.thorough
@pytest.mark.parametrize("size", few([(80, 24), (120, 40), (200, 60)]))
async def test_everything_is_in_view_at_every_size(app, size):
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        room = app.screen.query_one("#first").content_region
        fields = (app.screen.query(kind) for kind in (FirstChoice, OptionSelect, Input, "#more"))
        for widget in (one for several in fields for one in several):
            assert widget.region.area, widget
            assert room.contains_region(widget.region), widget


@pytest.mark.thorough
async def test_every_cook_is_described_in_full_and_leaves_room_for_the_picture(app):
    async with app.run_test(size=SIZE) as pilot:
        cooks = [app.screen.query_one(seat, OptionSelect) for seat in ("#agent", "#partner")]
        for name in agent_names():
            if name in LOCKED_PARTNERS:  # of which a box is chosen, beside the partner
                continue
            cooks[0].value = cooks[1].value = name
            await pilot.pause()
            assert app.screen.query_one("#about").content_size.height <= 8, name
            assert app.screen.query_one(LayoutPicture).picture_size.height >= 7, name
            assert str(app.screen.query_one("#about", Static).visual).count(DESCRIPTIONS[name]) == 2


@pytest.mark.parametrize("last", ["switching", "bp:G1-1+locked", "human"])
async def test_a_box_says_whether_the_partner_keeps_to_a_role_where_there_is_such_a_partner(app_state, last):
    app_state.keep(ChosenGame(partner=last))
    app = BBAApp(state=app_state)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        partner, box = app.screen.query_one("#partner", CookSelect), app.screen.query_one("#keeps-role", RoleBox)
        form = app.screen.query_one(GameForm)
        assert (partner.chosen, box.value) == (unlocked(last), last in LOCKED_PARTNERS)
        assert box.display == (partner.chosen in KEEPS_ROLE)
        assert form.settings().partner == last
        if box.display:
            assert form.content_region.contains_region(box.region)
            assert ("✓" in str(box.render())) == box.value, "also without colours"
            box.focus()
            await pilot.press("space")
            await pilot.pause()
            other = form.settings().partner
            assert other != last
            assert unlocked(other) == unlocked(last)
            assert DESCRIPTIONS[other] in str(app.screen.query_one("#about", Static).visual)


async def test_the_cooks_stand_by_family_and_the_cursor_passes_over_their_names(app):
    rows = cooks_by_family("switching")
    names = [row for row in rows if not row.endswith(":")]
    assert sorted(names) == sorted(name for name in agent_names() if name not in LOCKED_PARTNERS)
    assert "bp:G1-1+locked" in cooks_by_family("bp:G1-1+locked"), "what was chosen last stays"
    async with app.run_test(size=SIZE) as pilot:
        cook = app.screen.query_one("#agent", CookSelect)
        assert (rows[0], cook.chosen) == (BELIEVING, names[0])
        cook.focus()
        await pilot.press("left")
        assert cook.chosen == names[-1]
        await pilot.press("right", "space", "up")
        assert cook.pointed == names[-1]
        await pilot.press("enter")
        await pilot.pause()
        assert cook.chosen == names[-1]


async def test_what_the_cursor_of_an_open_list_is_on_is_described_and_shown_until_the_list_is_closed(app):
    async with app.run_test(size=SIZE) as pilot:
        about, picture = app.screen.query_one("#about", Static), app.screen.query_one(LayoutPicture)
        before, kitchen = str(about.visual), picture.border_title
        choice = app.screen.query_one("#agent", OptionSelect)
        choice.focus()
        await pilot.press("space", "down", "down")
        await pilot.pause()
        assert DESCRIPTIONS[choice.pointed] in str(about.visual)
        assert DESCRIPTIONS[choice.chosen] not in str(about.visual)
        await pilot.press("escape")
        await pilot.pause()
        assert str(about.visual) == before
        app.screen.query_one("#layout", OptionSelect).focus()
        await pilot.press("space", "down")
        await pilot.pause()
        assert picture.border_title != kitchen


def test_a_number_that_will_do_has_no_problem():
    assert problem_of("seed", "12") is None
