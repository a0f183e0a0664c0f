"""The help begins with the keys of the screen that it was opened from, and explains the kitchen."""

import pytest
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, Static, Tab, TabbedContent
from textual.widgets._footer import FooterKey

from bba.kitchen import Layout
from human.keymap import DEFAULT, LEFT_HAND, PLAY_KEYS, SITUATIONS, TRAVEL_KEYS, remapped
from tests.helpers.app import paused_app
from tests.helpers.keys import press_at_once
from tests.helpers.playing import SIZE, Playing
from tests.helpers.wait_for_idle import until
from tui.app.app import BBAApp
from tui.export.dialog import ExportDialog
from tui.glossary import TERMS
from tui.preferences import AppState
from tui.screens.debrief import DebriefScreen
from tui.screens.help import HIT, HelpScreen
from tui.screens.legend import LEGEND, Legend, tile_picture
from tui.widgets.recipe_cards import RECIPE


def first_page(app) -> str:
    """The title of the help, and the keys of the page that is open at first."""
    assert isinstance(app.screen, HelpScreen)
    pane, title = app.screen.query_one(TabbedContent).active_pane, app.screen.query_one("#help").border_title
    return "\n".join((title, *(table.visual.plain for table in pane.query(Static))))


def shown_keys(screen: Screen) -> set[str]:
    """The labels in the footer of a screen, whatever lies over it."""
    return {key.description for key in screen.query(FooterKey) if key.display}


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_while_playing_it_shows_the_keys_of_play_on_one_page(tmp_path, size):
    app = Playing(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        text = first_page(app)
        assert "while playing" in text
        assert all(entry.description in text for entry in (*LEFT_HAND, *PLAY_KEYS))
        assert not any(entry.description in text for entry in TRAVEL_KEYS if entry.name != "pause")
        assert "space ENTER" in text
        assert app.screen.focused.max_scroll_y == 0


@pytest.mark.thorough
async def test_each_screen_has_its_own(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left")
        app.screen._surrender(True)
        await pilot.pause()
        assert isinstance(app.screen, DebriefScreen)
        for situation, way in (
            ("after playing", "enter"),
            ("while looking back", "escape"),
            ("after playing", "escape"),
        ):
            await pilot.press("question_mark")
            assert situation in first_page(app)
            await pilot.press("escape", way)
            await pilot.pause()
        await pilot.press("question_mark")
        assert "on the start screen" in first_page(app)
        await pilot.press("escape", "plus", "question_mark")
        assert "in a dialog" in first_page(app)
        assert "close without doing anything" in first_page(app)


async def open_with_whole_tabs(app, pilot, situation):
    """Open the help of a situation, whose tabs all stand in the frame, and whose name stands in its title."""
    app.push_screen(HelpScreen(DEFAULT, situation))
    await pilot.pause()
    tabs = app.screen.query(Tab)
    assert tabs.last().region.right <= app.screen.query_one("#help").content_region.right
    assert all(tab.region.width >= len(tab.label_text) for tab in tabs)
    assert situation in app.screen.query_one("#help").border_title


async def test_in_80_columns_the_tabs_are_whole_and_what_is_looked_for_is_shown_line_by_line_on_whatever_page():
    async with (app := paused_app()).run_test(size=(80, 24)) as pilot:
        await open_with_whole_tabs(app, pilot, "while watching")
        await press_at_once(pilot, "slash", *"washing")
        book, box = app.screen.query_one(TabbedContent), app.screen.query_one("#help")
        first = book.active
        assert box.border_subtitle.split("   ") == ["1 of 2", "enter: next", "esc: end the search"]
        await pilot.press("enter")
        assert book.active != first
        await until(pilot, lambda: book.active_pane.query_one(VerticalScroll).scroll_y > 0)
        await pilot.press("enter")
        assert (box.border_subtitle[:6], book.active) == ("1 of 2", first)
        await pilot.press(*"xx")
        assert box.border_subtitle.startswith("no line has this   esc")
        await pilot.press("escape")
        assert isinstance(app.screen, HelpScreen), "the first one ends the search alone"
        assert not isinstance(app.screen.focused, Input)
        await pilot.press("escape")
        assert not isinstance(app.screen, HelpScreen)


async def test_the_search_says_first_what_a_word_means_and_marks_what_is_found():
    async with (app := paused_app(5)).run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark")
        await press_at_once(pilot, "slash", *"gap")
        await pilot.pause()
        pane = app.screen.query_one(TabbedContent).active_pane
        name = next(text for text in pane.query(".term").results(Static) if str(text.visual) == "gap")
        marked = [text for text in app.screen.query(Static) if HIT in {str(span.style) for span in spans(text)}]
        assert name in marked
        assert all("gap" in str(text.visual).lower() for text in marked)
        assert len(marked) > 2
        await pilot.press("escape")
        assert not any(HIT in {str(span.style) for span in spans(text)} for text in marked)


def spans(text: Static) -> list:
    return getattr(text.visual, "spans", [])


@pytest.mark.thorough
@pytest.mark.parametrize("situation", [name for name in SITUATIONS if name != "while watching"])
async def test_every_tab_is_whole_in_80_columns_in_every_situation(situation):
    async with (app := paused_app(5)).run_test(size=(80, 24)) as pilot:
        await open_with_whole_tabs(app, pilot, situation)


@pytest.mark.thorough
async def test_over_the_tour_and_over_the_watch_screen():
    app = paused_app(5)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("question_mark")
        assert "while watching" in first_page(app)
        await pilot.press("escape", "f2", "question_mark")
        assert "on the tour" in first_page(app)


@pytest.mark.thorough
async def test_over_the_question_what_if():
    app = paused_app(5)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("w", "question_mark")
        assert "in what if" in first_page(app)
        assert "no gate interrupts the ego" in first_page(app)


@pytest.mark.thorough
async def test_the_arrows_turn_its_pages_and_every_situation_is_on_one(tmp_path):
    app = BBAApp(state=AppState(tmp_path / "start.json"))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("question_mark")
        book = app.screen.query_one(TabbedContent)
        pages = []
        for _ in range(5):
            pages.append(book.active_pane)
            await pilot.press("right")
            await pilot.pause()
        assert len(set(pages)) == 5
        assert book.active_pane is pages[0]
        text = "\n".join(str(one.visual) for one in app.screen.query(Static))
        assert all(name in text for name in SITUATIONS if name != "on the start screen")
        await pilot.press("left")
        assert book.active_pane is pages[4]


@pytest.mark.thorough
async def test_the_kitchen_has_its_recipe_and_a_picture_of_every_tile():
    app = paused_app(5)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("question_mark", "right")
        await pilot.pause()
        assert RECIPE in [str(one.visual) for one in app.screen.query(Static)]
        assert app.screen.query_one(Legend)._cells.any()
    shown = {entry.char for entry in LEGEND}
    rows = "".join("".join(Layout.load(name).rows) for name in Layout.names())
    assert shown == set(rows) - set(" 12")
    pictures = {tile_picture(entry).tobytes() for entry in LEGEND}
    assert len(pictures) == len(LEGEND)


def test_the_legend_says_what_the_rules_say():
    timing = Layout.load("open").timing
    uses = {entry.char: entry.use for entry in LEGEND if entry.item is None}
    assert (uses["B"], uses["W"]) == (f"chops: {timing.chops} times", f"rinses: {timing.rinses} times")


@pytest.mark.thorough
async def test_it_explains_what_the_top_line_says_of_a_language_model():
    app = paused_app()
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("question_mark")
        await pilot.pause()
        said = [str(text.visual) for text in app.screen.query(".about").results(Static)]
        assert any("whether the world waits" in text and "what the game has cost so far" in text for text in said)


async def test_the_footer_shows_the_keys_of_the_layer_above_and_f1_opens_the_help_where_letters_are_typed():
    app = paused_app(3)
    async with app.run_test(size=(80, 24)) as pilot:
        own = shown_keys(app.game_screen)
        assert "what if" in own
        for keys, layer, other in (
            ("question_mark", {"page before", "next page", "search", "close"}, "help"),
            ("f2", {"next", "before", "end"}, "find"),
            ("B", {"next", "close"}, "what if"),
            ("ctrl+p", {"Exit the command palette"}, "what if"),
        ):
            await pilot.press(keys)
            await until(pilot, lambda layer=layer: layer <= shown_keys(app.game_screen))
            assert other not in shown_keys(app.game_screen)
            if keys == "B":
                # A field takes the question mark, but not f1.
                await pilot.press("question_mark")
                assert app.screen.query_one(Input).value == "?"
                await pilot.press("f1")
                assert "in a dialog" in first_page(app)
                await until(pilot, lambda: "next page" in shown_keys(app.game_screen))
                await pilot.press("escape")
                await until(pilot, lambda: "next page" not in shown_keys(app.game_screen))
            await pilot.press("escape")
            await until(pilot, lambda: shown_keys(app.game_screen) == own)
        # One key leads to the words, and back.
        await pilot.press("f3")
        page = app.screen.query_one(TabbedContent).active_pane
        assert {term.meaning for term in TERMS} <= {text.visual.plain for text in page.query(Static)}
        await pilot.press("f3")
        assert app.screen is app.game_screen


async def test_the_keys_of_the_help_and_of_forms_can_be_set():
    app = paused_app(3, {"keymap": remapped({"next_page": "x", "take_form": "f9"}, "mine.toml")})
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("question_mark", "x")
        assert app.screen.query_one(TabbedContent).active_pane.query_one(Legend)
        await pilot.press("escape", "e")
        assert isinstance(app.screen, ExportDialog)
        app.screen.query_one("#file", Input).value = ""
        await pilot.press("f9")
        assert str(app.screen.query_one(".problem", Static).visual)


def test_there_are_fewer_than_twenty_words_to_know():
    assert len(TERMS) < 20
