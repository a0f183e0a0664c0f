"""A terminal is sent the cells that change, and then shows what it would have shown anyway."""

import random
import re

import pytest
from textual.content import Content
from textual.driver import Driver

from bba.analysis.snapshot import Snapshot
from tests.helpers.app import draw_anew, paused_app
from tests.helpers.games import game
from tui.style.base_app import BaseApp
from tui.style.terminal import TerminalCells, sparing_driver
from tui.widgets.kitchen_view import KitchenView
from tui.widgets.panel import Panel

FIRST = "\x1b[1;1H\x1b[31mred\x1b[0m and plain\x1b[2;1H\x1b[1;32mgreen\x1b[0m"
KEYS = ["right", *["."] * 12, "P", "u", "right", "t", "up", "down", "t", "escape", "left", "space", "space"]


class Terminal:
    """A terminal that keeps what it is sent: a character and its style in every cell."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], tuple[str, str]] = {}
        self.row, self.column, self.style = 1, 1, ""

    def take(self, data: str) -> None:
        """Obeys moves and styles, and writes text."""
        for sequence, final, char in re.findall(r"\x1b\[([?\d;]*)([a-zA-Z])|([^\x1b])", data, re.S):
            if final == "H":
                self.row, self.column = map(int, sequence.split(";"))
            elif final == "m":
                self.style = "" if sequence in ("", "0") else sequence.removeprefix("0;")
            elif final == "J":
                self.cells.clear()
            elif char not in ("", "\n"):
                self.cells[self.row, self.column] = char, self.style
                self.column += 1


def frame(choices: random.Random) -> str:
    """A frame of a few texts in a few styles at a few places."""
    texts = []
    for _ in range(choices.randrange(1, 12)):
        text = "".join(choices.choices("ab ▀│", k=choices.randrange(1, 9)))
        style = choices.choice(("", "1;31", "38;2;1;2;3;48;2;4;5;6"))
        texts.append(f"\x1b[{choices.randrange(1, 5)};{choices.randrange(1, 20)}H")
        texts.append(f"\x1b[{style}m{text}\x1b[0m" if style else text)
    return "".join(texts)


@pytest.mark.parametrize("seed", range(20))
def test_any_frames_leave_the_terminal_as_they_would_have_without(seed):
    choices, cells, plain, sparing = random.Random(seed), TerminalCells(), Terminal(), Terminal()
    for _ in range(30):
        data = frame(choices)
        plain.take(data)
        sparing.take(cells.changed(data))
        assert sparing.cells == plain.cells
        assert (sparing.row, sparing.column, sparing.style) == (plain.row, plain.column, plain.style)


def test_what_is_shown_already_is_not_sent_again():
    cells = TerminalCells()
    assert len(cells.changed(FIRST)) >= len(FIRST) - 10
    assert cells.changed(FIRST) == "\x1b[2;6H"  # the cursor alone
    assert cells.changed(FIRST.replace("and", "und")) == "\x1b[1;4H und plain\x1b[2;6H"


def test_changes_beside_each_other_need_no_move_between_them():
    cells = TerminalCells()
    cells.changed("\x1b[1;1Habc\x1b[31mdef\x1b[0mghi\x1b[31mjkl\x1b[0m")
    changed = cells.changed("\x1b[1;1HabC\x1b[31mdeF\x1b[0mghi\x1b[31mjkL\x1b[0m")
    assert changed == "\x1b[1;1HabC\x1b[0;31mdeF\x1b[1;10HjkL\x1b[0m"


@pytest.mark.parametrize("other", ["\x1b[2J", "\x1b[?1049h", "\x1b[>25u", "\x1bc", "\x1b]8;;http://localhost\x1b\\"])
def test_after_what_it_does_not_know_everything_is_sent_anew(other):
    cells = TerminalCells()
    cells.changed(FIRST)
    assert cells.changed(other) == other
    assert "red" in cells.changed(FIRST)


@pytest.mark.parametrize("other", ["\x1b[?2026h", "\x1b[?2026l", "\x1b]22;pointer\x07", "\x07"])
def test_what_changes_no_cell_is_sent_as_it_is_and_nothing_is_forgotten(other):
    cells = TerminalCells()
    cells.changed(FIRST)
    assert cells.changed(other) == other
    assert "red" not in cells.changed(FIRST)


def test_what_is_no_frame_is_sent_as_it_is_however_often():
    cells = TerminalCells()
    for data in ("text", "\x1b[0m", "\x1b[?25l", "\x1bPq\x1b\\"):
        assert [cells.changed(data) for _ in range(2)] == [data, data]


def test_characters_of_two_cells_are_always_sent():
    cells = TerminalCells()
    for _ in range(2):
        assert cells.changed("\x1b[1;1H汉字\x1b[31mx\x1b[0m") == "\x1b[1;1H汉字\x1b[0;31mx\x1b[0m"


async def test_a_terminal_of_another_size_is_sent_everything_anew():
    app = BaseApp()
    async with app.run_test(size=(80, 24)) as pilot:
        cells = app._cells
        cells.changed(FIRST)
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert "red" in cells.changed(FIRST)


@pytest.fixture
def written(monkeypatch) -> list[tuple[str, str]]:
    """What an app under test writes to its terminal, and what of that is sent."""
    frames: list[tuple[str, str]] = []

    class Recorded(Driver):
        def write(self, data: str) -> None:
            frames[-1] = frames[-1][0], data

        def start_application_mode(self) -> None:
            """Has nothing to start."""

        disable_input = stop_application_mode = start_application_mode

    def recorded(app, *how, **options):
        driver = sparing_driver(Recorded, app._cells)(app, *how, **options)
        write = driver.write
        driver.write = lambda data: (frames.append((data, "")), write(data))
        return driver

    monkeypatch.setattr("textual.drivers.headless_driver.HeadlessDriver", recorded)
    monkeypatch.setattr("textual.app.App.is_headless", False)
    return frames


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_terminal_shows_the_screen_after_every_key(written, size):
    app, plain, sparing = paused_app(), Terminal(), Terminal()
    async with app.run_test(size=size, notifications=True) as pilot:
        for key in KEYS:
            await pilot.press(key)
            await pilot.pause()
    assert written
    for data, sent in written:
        plain.take(data)
        sparing.take(sent)
        assert sparing.cells == plain.cells
    assert 2 * sum(len(sent) for _, sent in written) < sum(len(data) for data, _ in written)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_after_every_key_the_lines_that_widgets_kept_are_those_they_would_make(size):
    app = paused_app()
    async with app.run_test(size=size) as pilot:
        for key in (*KEYS, "o", "right", "o", "left", "P", "P"):
            await pilot.press(key)
            await pilot.pause()
            draw_anew(app.screen)
        kitchen = app.screen.query_one(KitchenView)
        whole = kitchen.outer_size.region
        assert kitchen.render_lines(whole) is kitchen.render_lines(whole)


class Tall(Panel):
    """More lines than its box has room for, a number in each."""

    TITLE, DEFAULT_CSS = "tall", "Tall { height: 4; border: round red; }"
    number = 0

    def lines(self, snapshot, width):
        return [Content(f"{self.number}") for _ in range(4)]


@pytest.mark.parametrize("plain", [False, True])
async def test_lines_beyond_a_box_leave_its_border_alone_with_and_without_colours(monkeypatch, plain):
    if plain:
        monkeypatch.setenv("NO_COLOR", "1")
    app, panel = BaseApp(), Tall()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.screen.mount(panel)
        for panel.number in (1, 2, 3):
            panel.show_snapshot(Snapshot(game().trace, 0))
            await pilot.pause()
            draw_anew(app.screen)
            await pilot.pause()
