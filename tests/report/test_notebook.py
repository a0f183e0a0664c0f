"""What objects show of themselves in a notebook: kitchens, beliefs, and games with a slider."""

import io
import json
import re
import shutil
import subprocess
import sys
from base64 import b64decode
from dataclasses import replace
from html import unescape
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from bba import Game, Kitchen, Layout
from bba.analysis.snapshot import belief_snapshot, role_posterior
from bba.kitchen.render.painter import Painter
from bba.notebook import FULL_BAR_WIDTH, MOST_FRAMES, PIXELS, frame_steps, png, trace_html
from bba.play import Trace
from tests.helpers.games import played
from tests.helpers.snapshots import belief

STEPS = 30
CHROMIUM = shutil.which("chromium")
MOVE = (
    "<script>const slider = document.querySelector('input'); slider.value = 17;"
    "slider.dispatchEvent(new Event('input'))</script>"
)


@pytest.fixture(scope="module")
def trace():
    return played(STEPS)


def pictures(page: str) -> list[np.ndarray]:
    """The images in a page, RGB."""
    data = re.findall(r'href="data:image/png;base64,([^"]+)"', page)
    return [np.asarray(Image.open(io.BytesIO(b64decode(one))).convert("RGB")) for one in data]


def painted(trace: Trace, step: int) -> np.ndarray:
    layout = trace.config.layout
    return Painter(layout.rows, 8, layout.pass_counters).paint(trace.scene(step))


def frames(page: str) -> list[dict]:
    return json.loads(unescape(re.search(r'data-frames="([^"]+)"', page)[1]))


# --- pictures --------------------------------------------------------------------------------------------------
def test_an_image_is_a_file_that_programs_read():
    image = np.random.default_rng(0).integers(0, 256, (5, 7, 3), np.uint8)
    assert (np.asarray(Image.open(io.BytesIO(png(image)))) == image).all()


def test_a_kitchen_and_a_scene_show_the_board_and_what_it_does_not_show(trace):
    shown = trace.scene(STEPS)._repr_svg_()
    assert (pictures(shown)[0] == painted(trace, STEPS)).all()
    lines = [
        "".join(text.itertext()) for text in ElementTree.fromstring(shown).iter("{http://www.w3.org/2000/svg}text")
    ]
    assert lines[0] == f"step {STEPS}, score {trace.score}"
    assert lines[1].startswith("player 0: ")
    assert any(line.startswith("order: ") for line in lines[2:])
    kitchen = Kitchen("ring", seed=2)
    assert kitchen._repr_svg_() == kitchen.scene()._repr_svg_()


def test_a_scene_of_a_kitchen_of_ones_own_shows_it_too():
    layout = Layout.load("open").model_copy(update={"name": "mine"})
    assert pictures(Kitchen(layout).scene()._repr_svg_())


def test_what_a_scene_is_drawn_on_is_no_part_of_its_state(trace):
    scene = trace.scene(3)
    assert "kitchen" not in scene.to_dict()
    assert replace(scene, kitchen=None) == scene
    assert replace(scene, kitchen=None)._repr_svg_() is None


def test_a_belief_shows_a_bar_for_each_hypothesis():
    shown = belief(posterior=(0.1, 0.1, 0.1, 0.1, 0.5, 0.1), map_index=4)._repr_svg_()
    ElementTree.fromstring(shown)
    assert [int(width) for width in re.findall(r'class="bar"[^>]* width="(\d+)"', shown)] == [22] * 4 + [110, 22]
    assert "MAP serve with 50%" in shown
    skills = belief(posterior=(1 / 22,) * 22, map_index=0)._repr_svg_()
    assert len(re.findall('class="bar"', skills)) == 22


# --- games -----------------------------------------------------------------------------------------------------
def test_every_frame_of_a_game_shows_board_belief_and_text_of_its_step(trace):
    page = trace._repr_html_()
    boards, _ = pictures(page)
    shown = frames(page)
    assert len(shown) == STEPS
    for step, frame in enumerate(shown, 1):
        x, y, wide, high = map(int, frame["board"].split())
        assert (boards[y : y + high, x : x + wide] == painted(trace, step)).all()
        shares = role_posterior(belief_snapshot(trace, step).belief)
        assert frame["bars"] == [round(share * FULL_BAR_WIDTH) for share in shares]
        assert frame["lines"][0] == f"step {step} of {STEPS}, score {trace.ticks[step - 1].score}"


def test_a_replan_is_named_for_some_steps():
    trace = Game("open", "bayes", "switching", 2, horizon=80).run()
    lines = [frame["lines"][3] for frame in frames(trace_html(trace))]
    assert lines[69] == ""
    assert re.fullmatch("step 71: keeps its plan: not [a-z]+ing.*", lines[70])


def test_a_page_needs_nothing_from_outside_and_text_cannot_leave_its_place(trace):
    page = trace_html(trace)
    assert "<script" not in page
    assert not re.search(r'(src|href)="(?!data:)', page)
    assert page.count("<div") == page.count("</div>")


@pytest.mark.thorough
def test_a_long_game_is_shown_in_a_bounded_page_that_ends_with_the_last_step():
    trace = Game("open", "switching", "switching", fast=True).run()
    shown = frame_steps(trace)
    assert len(shown) == MOST_FRAMES
    assert shown[-1] == len(trace.ticks) == 2400
    assert len(trace_html(trace)) < 500_000


def test_a_large_kitchen_is_shown_in_fewer_frames():
    layout = SimpleNamespace(width=30, height=30)
    shown = frame_steps(SimpleNamespace(config=SimpleNamespace(layout=layout), ticks=range(2400)))
    assert len(shown) * 30 * 30 * 8 * 8 <= PIXELS
    assert 2 < len(shown) < MOST_FRAMES
    assert shown[-1] == 2400


def test_a_game_before_its_first_step_shows_its_kitchen():
    game = Game("open", "switching", "switching")
    assert game.trace._repr_html_() == game.kitchen._repr_svg_()


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_the_slider_shows_another_step_in_a_browser(trace, tmp_path):
    page = tmp_path / "game.html"
    page.write_text(f"<!doctype html><meta charset=utf-8>{trace_html(trace)}{MOVE}", encoding="utf-8")
    flags = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/chromium", "--dump-dom")
    done = subprocess.run([CHROMIUM, *flags, page.as_uri()], capture_output=True, text=True, check=True)
    frame = frames(trace_html(trace))[17]
    assert f'viewBox="{frame["board"]}"' in done.stdout
    assert f">{frame['lines'][0]}<" in done.stdout
    assert [int(width) for width in re.findall(r'class="bar"[^>]* width="(\d+)"', done.stdout)] == frame["bars"]
    assert re.search(rf'class="now" x="{frame["now"]}"', done.stdout)


@pytest.mark.parametrize(("first", "shows"), [("IPython", True), ("marimo", True), ("no_notebook", False)])
def test_objects_have_their_views_where_a_notebook_imports_the_package(first, shows):
    program = f"""
import sys, types
sys.modules.setdefault({first!r}, types.ModuleType({first!r}))
from bba import Kitchen, Trace, load_results
print([hasattr(Kitchen, "_repr_svg_"), hasattr(Trace, "_repr_html_")])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str([shows, shows])
