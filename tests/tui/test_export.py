"""Exported films, casts and pictures show what the screen shows, and the key that asks for them."""

import asyncio
import io
import json
import re
import signal
import threading
from functools import partial
from itertools import pairwise

import numpy as np
import pyte
import pytest
from PIL import Image
from textual.widgets import Input, Static

from bba.analysis.events import replan_event
from bba.analysis.replans import last_replan
from bba.errors import BBAError
from bba.files import free_path
from bba.film.film import BORDER, FLASH, FLICKER_FRAMES, FilmPalette, edge, encode, to_gif
from bba.kitchen.render.painter import Painter
from bba.palette import DARK, rgb
from bba.play import Game, Trace
from tests.helpers.app import paused_app, with_panels
from tests.helpers.games import played
from tests.helpers.notifications import notified
from tests.helpers.wait_for_idle import PATIENCE, until
from tui.export.dialog import ExportDialog
from tui.export.formats import default_name
from tui.export.screen_capture import CAPTURED, capture, to_cast, to_svg
from tui.widgets.form_fields import OptionSelect

STEPS = 24


@pytest.fixture(scope="module")
def trace():
    return played(STEPS)


@pytest.fixture(autouse=True)
def in_an_empty_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)


# --- the film --------------------------------------------------------------------------------------------------
def frames_of(data: bytes) -> list[np.ndarray]:
    """The frames as a viewer shows them, RGB."""
    film = Image.open(io.BytesIO(data))
    return [np.asarray(seek(film, number).convert("RGB")) for number in range(film.n_frames)]


def seek(film: Image.Image, number: int) -> Image.Image:
    film.seek(number)
    return film


@pytest.mark.parametrize("layout", ["open", "forced_coordination"])
def test_every_frame_of_a_film_shows_the_board_of_its_step(layout):
    trace = played(STEPS, layout=layout)
    steps = range(1, STEPS + 1, 3)
    frames = frames_of(to_gif(trace, steps, 10))
    assert len(frames) == len(steps)
    rows, scale = trace.config.layout.rows, edge(trace.config)
    painter = Painter(rows, 8, trace.config.layout.pass_counters)
    for step, frame in zip(steps, frames, strict=True):
        board = painter.paint(trace.scene(step), step // FLICKER_FRAMES).repeat(scale, axis=0).repeat(scale, axis=1)
        left = (frame.shape[1] - board.shape[1]) // 2
        assert (frame[: len(board), left : left + board.shape[1]] == board).all(), step


def test_a_film_runs_at_its_speed_for_ever_and_stays_on_its_last_frame(trace):
    film = Image.open(io.BytesIO(to_gif(trace, range(1, STEPS + 1, 2), 10)))
    assert film.info["loop"] == 0
    assert film.n_frames == STEPS // 2
    assert [seek(film, number).info["duration"] for number in (0, 5, film.n_frames - 1)] == [200, 200, 2000]


def framed(trace: Trace, steps: range) -> list[int]:
    """The steps whose frame of the film has a frame around the board."""
    frames = dict(zip(steps, frames_of(to_gif(trace, steps, 10)), strict=True))
    board = edge(trace.config) * 8 * trace.config.layout.height
    return [step for step, frame in frames.items() if (frame[board - BORDER : board] == np.array(rgb(DARK.warn))).all()]


def test_a_replan_frames_the_board_and_is_over_soon():
    trace = Game("open", "bayes-commit", "switching", 0, horizon=60).run()
    assert [tick.step for tick in trace.ticks if tick.decisions[0].replanned] == [39]
    assert framed(trace, range(36, 48)) == [39, 40, 41, 42, 43, 44]
    assert [last_replan(trace, step, FLASH) for step in (38, 39, 44, 45)] == [None, 39, 39, None]


def test_a_replan_that_kept_the_plan_frames_nothing():
    trace = Game("open", "bayes", "switching", 2, horizon=80).run()
    assert [tick.step for tick in trace.ticks if tick.decisions[0].replanned] == [71]
    assert replan_event(trace, 71).kept
    assert framed(trace, range(68, 80)) == []


@pytest.mark.thorough
def test_the_posterior_and_its_history_grow_in_the_colours_of_the_roles(trace):
    frames = frames_of(to_gif(trace, range(1, STEPS + 1), 10))
    colours = [np.array(rgb(colour)) for colour in DARK.roles]
    board = edge(trace.config) * 8 * trace.config.layout.height
    coloured = [sum(int((frame[board:] == colour).all(axis=2).sum()) for colour in colours) for frame in frames]
    assert coloured[0] < coloured[STEPS // 2] < coloured[-1]


def test_one_step_is_a_film_too(trace):
    assert len(frames_of(to_gif(trace, range(5, 6), 10))) == 1


def test_frames_that_do_not_differ_take_their_time_all_the_same():
    still = np.zeros((4, 6), np.uint8)
    moved = still.copy()
    moved[1, 2] = 1
    data = encode([(still, 100), (still, 70), (moved, 50)], bytes([9, 8, 7, 255, 0, 0]))
    film = Image.open(io.BytesIO(data))
    assert [seek(film, number).info["duration"] for number in range(film.n_frames)] == [100, 70, 50]
    last = frames_of(data)[-1]
    assert last[1, 2].tolist() == [255, 0, 0]
    assert last[0, 0].tolist() == [9, 8, 7]


def test_art_of_too_many_colours_keeps_the_commonest_and_takes_the_nearest_for_the_rest():
    gradient = np.zeros((1, 1000, 3), np.uint8)
    gradient[0, :, 0], gradient[0, :, 1] = np.arange(1000) % 256, np.arange(1000) // 4
    common = np.full((1, 1, 3), 201, np.uint8)
    colours = FilmPalette([gradient, common, common])
    chosen = np.frombuffer(colours.palette, np.uint8).reshape(-1, 3)
    assert len(chosen) == 255
    assert (chosen[colours.numbers(common)] == common).all()
    assert np.abs(chosen[colours.numbers(gradient)].astype(int) - gradient).sum(axis=2).max() < 256


# --- the cast and the picture ----------------------------------------------------------------------------------
async def screens(steps: set[int]) -> dict[int, list[str]]:
    """The text of the real screen after these steps, played by key."""
    seen = {}
    app = with_panels(paused_app(), *CAPTURED)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        for step in range(1, max(steps) + 1):
            await pilot.press("full_stop")
            if step in steps:
                await pilot.pause()
                seen[step] = [strip.text for strip in app.screen._compositor.render_strips()]
    return seen


@pytest.mark.thorough
async def test_a_cast_played_in_a_terminal_shows_the_screen_of_every_step(trace):
    live = await screens({1, 7, 8, STEPS})
    data = await in_thread(to_cast, trace, range(1, STEPS + 1), 10)
    header, *events = [json.loads(line) for line in data.decode().splitlines()]
    assert (header["version"], header["width"], header["height"]) == (2, 120, 40)
    assert len(events) == STEPS + 1, "one a step, and the end"
    assert [event[0] for event in events[:3]] == [0, 0.1, 0.2]
    assert all(earlier[0] < later[0] and later[1] == "o" for earlier, later in pairwise(events))
    terminal = pyte.Screen(120, 40)
    stream = pyte.Stream(terminal)
    for step, (_, _, text) in enumerate(events, start=1):
        stream.feed(text)
        if step in live:
            assert terminal.display[1:-1] == live[step][1:-1], step  # a film has no menu to go back to
            assert terminal.display[0].split("seed")[0] == live[step][0].split("seed")[0]
            assert "10 steps/s" in terminal.display[0]


async def test_a_cast_holds_only_what_changed(trace):
    data = await in_thread(to_cast, trace, range(1, 9), 10)
    sizes = [len(line) for line in data.splitlines()[1:]]
    assert sorted(sizes)[4] < sizes[0] / 5


async def test_a_picture_shows_the_screen_after_the_last_of_the_steps(trace):
    picture = (await in_thread(partial(to_svg, trace, steps=range(1, 23)))).decode()
    assert picture.startswith("<svg")
    assert "22/60" in text_of(picture)
    assert "open: switching and switching, seed 0" in text_of(picture)


def test_an_interruption_ends_the_play_at_once(trace):
    shown = []

    def show(app):
        shown.append(app)
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        asyncio.run(capture(trace, range(1, STEPS + 1), 10, show))
    assert len(shown) == 1


def text_of(picture: str) -> str:
    """What stands in a picture of the screen."""
    return "".join(re.findall(r">([^<]*)</text>", picture)).replace("&#160;", " ")


async def in_thread(make, *arguments):
    """What `make` gives; it runs an event loop of its own, and this test has one already."""
    found = []
    thread = threading.Thread(target=lambda: found.append(make(*arguments)))
    thread.start()
    thread.join()
    return found[0]


# --- the key ---------------------------------------------------------------------------------------------------
def written(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.thorough
async def test_e_pauses_and_enter_writes_a_film_of_the_game_so_far(tmp_path):
    app = paused_app(12)
    async with app.run_test(size=(120, 40)) as pilot:
        app.game_screen.action_pause()
        await pilot.press("e")
        assert isinstance(app.screen, ExportDialog)
        assert not app.game_screen.playing
        shown = len(app.game_screen.source.trace.ticks)
        await pilot.press("enter")
        assert await notified(app, pilot, str(tmp_path))
        assert written(tmp_path) == [f"open-switching-switching-0-step{shown}.gif"]
        assert app.screen is app.game_screen
    assert len(frames_of((tmp_path / f"open-switching-switching-0-step{shown}.gif").read_bytes())) == shown


@pytest.mark.thorough
async def test_the_format_gives_the_name_and_the_file_is_made_beside_the_app(tmp_path):
    app = paused_app(6)
    async with app.run_test(size=(120, 40)) as pilot:
        for count, suffix in enumerate((".cast", ".jsonl", ".parquet"), start=1):
            await pilot.press("e")
            app.screen.query_one(OptionSelect).value = suffix
            app.screen.query_one("#steps", Input).value = "2:4"
            await pilot.pause()
            await pilot.press("enter")
            await until(pilot, lambda count=count: len(written(tmp_path)) == count)
    assert written(tmp_path) == [f"open-switching-switching-0-step6{end}" for end in (".cast", ".jsonl", ".parquet")]
    lines = (tmp_path / "open-switching-switching-0-step6.jsonl").read_text().splitlines()
    assert [json.loads(line)["step"] for line in lines] == [2, 3, 4]


@pytest.mark.thorough
async def test_a_picture_is_of_the_screen_as_it_stands_without_the_dialog(tmp_path):
    app = paused_app(20)
    async with app.run_test(size=(100, 30)) as pilot:
        await pilot.press("left", "left", "e")
        app.screen.query_one(OptionSelect).value = ".svg"
        await pilot.pause()
        assert app.screen.query_one("#steps", Input).disabled
        await pilot.press("enter")
        await until(pilot, lambda: written(tmp_path))
    text = text_of((tmp_path / "open-switching-switching-0-step18.svg").read_text())
    assert "step 18 of 20" in text
    assert "export the game" not in text


@pytest.mark.thorough
async def test_another_format_changes_only_the_end_of_a_name():
    names = {
        "talk.gif": "talk.svg",
        "a/talk": "a/talk.svg",
        "v.2": "v.2.svg",
        "": "open-switching-switching-0-step3.svg",
    }
    app = paused_app(3)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("e")
        file, choice = app.screen.query_one("#file", Input), app.screen.query_one(OptionSelect)
        for typed, named in names.items():
            choice.value = ".gif"
            await pilot.pause()
            file.value = typed
            await pilot.pause()
            choice.value = ".svg"
            await pilot.pause()
            assert file.value == named
        file.value = "other.jsonl"
        await pilot.pause()
        assert choice.chosen == ".jsonl"


@pytest.mark.thorough
async def test_a_file_that_is_there_is_not_overwritten(tmp_path):
    (tmp_path / "mine.jsonl").write_text("kept")
    app = paused_app(3)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("e")
        app.screen.query_one("#file", Input).value = "mine.jsonl"
        await pilot.pause()
        assert "so mine-2.jsonl" in str(app.screen.query_one("#will", Static).visual)
        await pilot.press("enter")
        await until(pilot, lambda: len(written(tmp_path)) > 1)
    assert written(tmp_path) == ["mine-2.jsonl", "mine.jsonl"]
    assert (tmp_path / "mine.jsonl").read_text() == "kept"


WRONG = [
    (
        "game.bmp",
        "",
        "game.bmp: cannot tell the format; the name must end in .gif, .png, .cast, .svg, .jsonl, .parquet",
    ),
    ("", "", ".: cannot tell the format"),
    ("no/such/game.gif", "", "no/such is not a folder that can be written to"),
    ("~nobody-of-that-name/game.gif", "", "Could not determine home directory"),
    ("x" * 300 + ".gif", "", "cannot be written: File name too long"),
    ("game.gif", "9:4", "'9:4' must count from 1, forward"),
    ("game.gif", "x", "'x' is not FIRST:LAST"),
    ("game.gif", "7:9", "there is no step 7 to export; the game has 4"),
]


async def test_what_cannot_be_written_is_said_and_a_film_has_a_speed_of_its_own_which_the_dialog_asks_for(
    monkeypatch, tmp_path
):
    app = paused_app(4, {"speed": 50})
    async with app.run_test(size=(80, 24)) as pilot:
        # An unusable choice is named in the dialog.
        await pilot.press("e")
        for file, steps, problem in WRONG:
            app.screen.query_one("#file", Input).value = file
            app.screen.query_one("#steps", Input).value = steps
            await pilot.pause()
            await pilot.press("enter")
            assert isinstance(app.screen, ExportDialog)
            assert problem in str(app.screen.query_one(".problem", Static).visual)
        await pilot.press("escape")

        # A failure is reported.
        with monkeypatch.context() as patch:
            patch.setattr("bba.film.film.to_gif", fail)
            await pilot.press("e", "enter")
            assert await notified(app, pilot, "the disk has gone")
        assert written(tmp_path) == []

        # A film has the speed that is asked for, within its bounds; a table has none.
        for count, (typed, pause) in enumerate((("", 100), ("5", 200)), start=1):
            await pilot.press("e")
            app.screen.query_one("#film_speed", Input).value = typed
            await pilot.press("enter")
            await until(pilot, lambda count=count: len(written(tmp_path)) == count)
            film = Image.open(io.BytesIO((tmp_path / written(tmp_path)[0]).read_bytes()))
            assert film.info["duration"] == pause
            await pilot.pause()
            (tmp_path / written(tmp_path)[0]).rename(tmp_path / f"z{count}.gif")
        await pilot.press("e")
        speed = app.screen.query_one("#film_speed", Input)
        speed.value = "51"
        await pilot.press("enter")
        assert "speed: takes 50 or less" in str(app.screen.query_one(".problem", Static).visual)
        app.screen.query_one(OptionSelect).value = ".jsonl"
        await pilot.pause()
        assert speed.disabled
        await pilot.press("enter")
        await until(pilot, lambda: len(written(tmp_path)) == 3)


def fail(trace, steps, speed):
    raise BBAError("the disk has gone")


async def test_before_the_first_step_there_is_nothing_to_export(tmp_path):
    app = paused_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("e", "enter")
        assert "there is no step 1 to export" in str(app.screen.query_one(".problem", Static).visual)
        await pilot.press("escape")
        assert app.screen is app.game_screen
    assert written(tmp_path) == []


@pytest.mark.thorough
async def test_leaving_meanwhile_leaves_nothing_half_written(monkeypatch, tmp_path):
    begun, go_on = threading.Event(), threading.Event()

    def slow(trace, steps, speed):
        begun.set()
        go_on.wait(PATIENCE)
        return b"whole"

    monkeypatch.setattr("bba.film.film.to_gif", slow)
    app = paused_app(3)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.press("e", "enter")
        await until(pilot, begun.is_set)
    go_on.set()
    assert written(tmp_path) == []


def test_free_names_are_counted_and_default_names_tell_the_game(trace, tmp_path):
    name = default_name(trace.config, 17, ".gif")
    assert name == "open-switching-switching-0-step17.gif"
    for expected in (name, "open-switching-switching-0-step17-2.gif", "open-switching-switching-0-step17-3.gif"):
        free = free_path(tmp_path / name)
        assert free.name == expected
        free.touch()
