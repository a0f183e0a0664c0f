"""The command palette: everything that keys do on the screen below, themes, and steps by their number."""

import pytest
from textual.command import CommandList, CommandPalette

from human.keymap import APP_KEYS, MENU_KEYS, WATCH_KEYS, remapped
from tests.helpers.app import paused_app
from tui.app.app import BBAApp
from tui.preferences import AppState
from tui.screens.help import HelpScreen
from tui.screens.start import StartScreen
from tui.style.base_app import PALETTES


@pytest.fixture
def app_state(tmp_path):
    return AppState(tmp_path / "start.json")


async def asked(pilot, query: str = "") -> list[str]:
    """Open the palette, type, and read what is offered."""
    await pilot.press("ctrl+p", *query)
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    options = pilot.app.screen.query_one(CommandList).options
    return [str(option.prompt) for option in options if not option.disabled]  # half a second later: "No matches found"


def named(offers: list[str]) -> list[str]:
    return [offer.split("  ")[0] for offer in offers]


@pytest.mark.thorough
async def test_it_offers_every_action_of_the_game_with_key_and_description_and_nothing_of_textuals_own():
    async with paused_app(20).run_test(size=(120, 40)) as pilot:
        offers = await asked(pilot)
    wanted = [entry for entry in (*WATCH_KEYS, *MENU_KEYS, *APP_KEYS) if entry.name not in ("find", "debrief")]
    assert named(offers) == [entry.name.replace("_", " ") for entry in wanted] + [
        *(f"theme {name}" for name in PALETTES),
        "motion on",
        "motion off",
        "pause on replan",
        "pause on contradiction",
        "pause on switch",
    ]
    for entry, offer in zip(wanted, offers, strict=False):
        assert offer.endswith(f"\n{entry.description}")
    assert "step  → .\none step forward; at the newest, play one" in offers


async def test_it_shows_the_keys_as_they_are():
    async with paused_app(0, {"keymap": remapped({"restart": ["x", "["], "leap_back": "j"}, "")}).run_test() as pilot:
        assert "restart  x [\nbegin this game again" in await asked(pilot, "restart")


@pytest.mark.thorough
@pytest.mark.parametrize("query", ["step back", "into the past"])
async def test_a_command_is_found_by_name_and_by_description_and_done(query):
    app = paused_app(20)
    async with app.run_test() as pilot:
        assert named(await asked(pilot, query))[0] == "step back"
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen is app.game_screen
        assert app.game_screen.snapshot.step == 19


@pytest.mark.thorough
async def test_a_number_leads_to_its_step():
    app = paused_app(40)
    async with app.run_test() as pilot:
        assert named(await asked(pilot, "17"))[0].startswith("jump to step 17")
        await pilot.press("enter")
        await pilot.pause()
        assert app.game_screen.snapshot.step == 17


@pytest.mark.exhaustive
@pytest.mark.parametrize("query", ["999", "9" * 9])
async def test_a_number_beyond_the_newest_step_stands_for_that(query):
    async with paused_app(40).run_test() as pilot:
        assert "jump to step 40\nof 40 so far" in await asked(pilot, query)


@pytest.mark.thorough
async def test_endless_digits_are_no_step():
    async with paused_app(40).run_test() as pilot:
        assert not await asked(pilot, "9" * 30)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["light", "contrast"])
async def test_a_theme_is_taken_and_remembered(app_state, name):
    app = paused_app(0, {"state": app_state})
    async with app.run_test() as pilot:
        await asked(pilot, f"theme {name}")
        await pilot.press("enter")
        await pilot.pause()
        assert app.theme == name
    assert app_state.recall(["theme"]).theme == name


@pytest.mark.thorough
async def test_the_help_opens_from_it_and_offers_no_action_of_the_game_below():
    app = paused_app(5)
    async with app.run_test() as pilot:
        await asked(pilot, "help")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, HelpScreen)
        assert "pause" not in named(await asked(pilot))


@pytest.mark.thorough
async def test_the_start_screen_has_its_own(app_state):
    app = BBAApp(state=app_state, autostart=False)
    async with app.run_test() as pilot:
        offers = named(await asked(pilot))
        assert "replay" in offers
        assert "pause" not in offers
        assert "menu" not in offers
        await pilot.press(*"start", "enter")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.pause()
        assert app.screen is app.game_screen
        await asked(pilot, "menu")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)


@pytest.mark.thorough
async def test_letters_typed_into_it_are_no_keys_and_escape_closes_it():
    app = paused_app(5)
    async with app.run_test() as pilot:
        await asked(pilot, "qT")
        assert isinstance(app.screen, CommandPalette)
        assert app.theme == "dark"
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen is app.game_screen
