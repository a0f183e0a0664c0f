"""Walking works whatever the layout of the keyboard and Caps Lock; keys that do nothing say what walks."""

import json
from io import StringIO

import pytest

from bba.kitchen import Action
from human.keymap import DEFAULT, LEFT_HAND, PLAY_KEYS, RIGHT_HAND, meant, movement_keys, on_latin_keyboard
from human.window import GameWindow
from tests.helpers.notifications import notified
from tests.helpers.playing import SIZE, Playing, actions
from tui.plain.words import understood

WALK = ["north", "west", "south", "east"]
STEPS = [Action.NORTH, Action.WEST, Action.SOUTH, Action.EAST]
KEYBOARDS = {
    "Caps Lock": "WASD",
    "Russian": "цфыв",
    "Russian with Caps Lock": "ЦФЫВ",
    "Ukrainian": "цфів",
    "Greek": "ςασδ",
    "Hebrew": "'שדג",
    "Arabic": "صشسي",
    "Korean": "ㅈㅁㄴㅇ",
    "wide letters": "ｗａｓｄ",
}
WALKING, OTHERS = movement_keys((1,), DEFAULT), {key for entry in PLAY_KEYS for key in entry.keys} | {"T", "q", "?"}


@pytest.mark.exhaustive
@pytest.mark.parametrize("keyboard", KEYBOARDS)
async def test_every_layout_walks_turn_by_turn(tmp_path, keyboard):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*KEYBOARDS[keyboard])
        assert actions(app) == STEPS


@pytest.mark.parametrize(
    ("typed", "key"),
    [("P", "p"), ("K", "k"), ("H", "h"), ("M", "m"), ("Q", "q"), ("з", "p"), ("Л", "k"), ("й", "q"), ("κ", "k")],
)
def test_every_letter_of_a_game_counts_without_its_case(typed, key):
    assert meant(typed, WALKING, OTHERS) == key


def test_a_capital_keeps_what_it_means_itself_unless_its_small_letter_walks():
    assert meant("T", WALKING, OTHERS) == "T"
    assert meant("N", (), {"n", "N"}) == "N"
    assert meant("N", (), {"n"}) == "N"  # only while somebody walks
    assert meant("W", {"w"}, {"W"}) == "w"
    assert meant("W", {"W"}, {"w"}) == "W"
    assert meant("т", (), {"n", "N"}) == "n"
    assert meant("Т", (), {"n", "N"}) == "N"
    assert meant("й", {"й"}, {"q"}) == "й"  # of a keymap of one's own
    for key in ("up", "space", "f5", "comma", "1", "é", "ß", "ñ"):
        assert on_latin_keyboard(key) == key


@pytest.mark.parametrize("keys", ["xxx", "7é9", "vnx"])
async def test_three_keys_that_do_nothing_say_which_walk(tmp_path, keys):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press(*keys)
        assert await notified(app, pilot, "these keys walk: ↑ ↓ → ←; w s d a")
        assert actions(app) == []


async def test_letters_that_are_typed_into_a_field_stay_as_they_are(tmp_path):
    from tests.helpers.app import paused_app
    from tui.screens.dialogs import BookmarkDialog

    app = paused_app(5)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("B", *"Привет WASD'")
        assert isinstance(app.screen, BookmarkDialog)
        await pilot.press("enter")
        await pilot.pause()
        assert app.game_screen.source.trace.bookmarks == {5: "Привет WASD'"}


@pytest.mark.parametrize("keyboard", KEYBOARDS)
def test_every_layout_walks_in_lines_of_text(keyboard):
    letters = {key: entry.name for entry in (*LEFT_HAND, *PLAY_KEYS) for key in entry.keys if len(key) == 1}
    assert [name for name, _ in understood(KEYBOARDS[keyboard], letters)] == WALK


class Display:
    """What a window needs of pygame to take keys."""

    def __init__(self) -> None:
        self.title, self.display = "", self

    def set_caption(self, title: str) -> None:
        self.title = title


@pytest.mark.parametrize("keyboard", KEYBOARDS)
def test_every_layout_walks_in_the_window_which_says_which_keys_walk(keyboard):
    window, out, display = GameWindow.__new__(GameWindow), StringIO(), Display()
    window._pygame, window._out, window._title, window._walking = display, out, "a game", "these keys walk: …"
    window._movement_keys, window._command_keys, window._held = WALKING, {"p": "pause"}, {1: []}
    window._unknown_keys = 0
    for key in KEYBOARDS[keyboard]:
        window._handle_key(key, down=True)
    pressed = [json.loads(line)["press"][1] for line in out.getvalue().splitlines() if "press" in line]
    assert pressed == STEPS
    for key in "xyz":
        window._handle_key(key, down=True)
    assert display.title == "a game   these keys walk: …"


def test_both_hands_have_a_key_for_each_way():
    assert [len(hand) for hand in (LEFT_HAND, RIGHT_HAND)] == [5, 5]
