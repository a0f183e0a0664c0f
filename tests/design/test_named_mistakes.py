"""The designer names each mistake that a map can have: at once while it is drawn by keys, or when it is opened."""

from dataclasses import replace

from tests.design.test_draft import FORCED, KINDS, OPEN
from tests.design.test_screen import designer, found, nothing_elsewhere, state  # noqa: F401 - fixtures
from tests.helpers.notifications import said
from tui.arguments.options import WatchedGame
from tui.design.kitchen_file import kitchen_text, named_kitchen
from tui.design.panels import mistake_words
from tui.design.screen import DesignScreen

# By kind: the kitchen that is drawn on, the tile, the key, and what is said.
DRAWN = {
    "no start": ("open", (6, 4), "space", "✗ missing cook 2 (2)"),
    "out of reach": ("open", (0, 0), "g", "✗ (0,0): nobody can reach this grill"),
    "missing": ("open", (9, 2), "x", "✗ missing sink (w)"),
    "extinguisher": ("open", (0, 0), "e", "(0,0): not a counter that a player can reach"),
    "no extinguisher": ("open", OPEN.extinguisher, "space", "✗ missing exting. (e)"),
    "pass counter": ("forced_coordination", (7, 1), "c", "(7,1): not a counter that both players' floors touch"),
}
# What no key can draw: a start is moved, rows stay even, and a map stays within its bounds.
OPENED = {
    "two starts": (KINDS["two starts"][0], "✗ (3,2): a second start for cook 1"),
    "unknown": (KINDS["unknown"][0], "✗ (5,5): unknown character 'Q'"),
    "too large": (replace(OPEN, rows=("X" * 41,) * 3), "✗ map: 41x3 tiles; at most 40x40"),
    "mark outside": (replace(OPEN, extinguisher=(90, 5)), "✗ extinguisher: (90,5): not a counter"),
    "ragged": (KINDS["ragged"][0], "shorter than others; filled up with counters"),
    "empty": (KINDS["empty"][0], "the map is empty; an empty room was drawn"),
}


def test_every_kind_of_mistake_is_drawn_or_opened_here():
    assert set(DRAWN) - {"no extinguisher"} | set(OPENED) - {"mark outside"} == set(KINDS)


async def open_kitchen(pilot, name: str) -> None:
    """Opens a kitchen in a designer of its own."""
    await pilot.app.switch_screen(DesignScreen(*named_kitchen(name), WatchedGame()))
    await pilot.pause()


async def test_a_mistake_is_named_as_soon_as_it_is_drawn(state):  # noqa: F811
    here, app = "open", designer(state, "open")
    async with app.run_test(size=(80, 24)) as pilot:
        for kind, (kitchen, tile, key, words) in DRAWN.items():
            if kitchen != here:
                here = kitchen
                await open_kitchen(pilot, kitchen)
            assert "✗" not in found(app), kind
            app.screen.drawing.cursor = tile
            await pilot.press(key)
            assert words in " ".join(found(app).split()), kind
            await pilot.press("ctrl+z")


async def test_a_mistake_that_no_key_draws_is_named_when_its_file_is_opened(state, tmp_path):  # noqa: F811
    app = designer(state)
    async with app.run_test(size=(80, 24)) as pilot:
        for kind, (draft, words) in OPENED.items():
            (tmp_path / "mine.toml").write_text(kitchen_text(draft, "mine"))
            before = len(said(app))
            await open_kitchen(pilot, "mine.toml")
            assert any(words in " ".join(text.split()) for text in (found(app), *said(app)[before:])), kind


def test_a_mistake_in_a_mark_names_the_cursors_tile():
    assert mistake_words(FORCED.drawn((7, 1), "pass").mistake, []).startswith("pass counters: (7,1): ")
