"""What the ego believes, above everything in a sentence, and over its head as a picture or a word."""

from dataclasses import replace

import numpy as np
import pytest

from bba.analysis import Snapshot, belief_texts, likeliest_role
from bba.kitchen import Layout
from bba.kitchen.kitchen import PlayerView
from bba.kitchen.render.painter import Painter, ThoughtOverlay
from bba.play import Game
from tests.helpers.app import paused_app
from tests.helpers.playing import Playing
from tests.helpers.samples import few
from tests.helpers.wait_for_idle import drawn
from tui.app.app import BBAApp
from tui.arguments.options import DuelGame
from tui.game_factory import duel_source
from tui.playback.source import PlaybackSource
from tui.screens.play import PlayScreen
from tui.study.game import StudyGame
from tui.widgets.kitchen_view import SMALL_PICTURES, THOUGHTS, KitchenView, bubble, thought_of
from tui.widgets.sentence import SentenceLine

OPEN = Layout.load("open")


def bayes_app(steps: int = 12) -> BBAApp:
    source = PlaybackSource(lambda: Game("open", "bayes", "switching", 0, horizon=100))
    for _ in range(steps):
        source.step()
    return BBAApp(source, autostart=False, motion=False)


def scene_with(ego: PlayerView, partner: PlayerView):
    scene = Snapshot(Game("open", "bayes", "switching", 0, horizon=5).trace, 0).scene
    return replace(scene, players=(ego, partner))


@pytest.mark.parametrize("size", few([(80, 24), (120, 40), (160, 50)]))
async def test_the_sentence_stands_in_a_line_above_the_kitchen_in_as_many_words_as_fit(size):
    app = bayes_app()
    async with app.run_test(size=size) as pilot:
        await drawn(pilot)
        line = app.screen.query_one(SentenceLine)
        assert (line.region.y, line.region.height, line.region.width) == (1, 1, size[0])
        texts = belief_texts(app.game_screen.snapshot)
        assert line.render().plain.strip() in texts
        assert line.render().plain.strip() == next(text for text in texts if len(text) <= size[0] - 2)
        await pilot.press("left")
        await drawn(pilot)
        assert line.render().plain.strip() in belief_texts(Snapshot(app.game_screen.source.trace, 11))


async def test_the_bubble_is_switched_off_and_on_by_its_key():
    app = bayes_app()
    async with app.run_test(size=(140, 45)) as pilot:
        await drawn(pilot)
        kitchen = app.screen.query_one(KitchenView)
        with_bubble = kitchen._buffer.copy()
        await pilot.press("h")
        await drawn(pilot)
        without = kitchen._buffer.copy()
        assert (with_bubble != without).any()
        await pilot.press("h")
        await drawn(pilot)
        assert np.array_equal(kitchen._buffer, with_bubble)


async def test_on_small_tiles_the_bubble_is_a_word():
    app = bayes_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await drawn(pilot)
        kitchen = app.screen.query_one(KitchenView)
        role = likeliest_role(app.game_screen.snapshot.belief_state.belief)
        rows = "\n".join(kitchen.render_line(row).text for row in range(kitchen.size.height))
        assert f"{THOUGHTS[role]}?" in rows
        await pilot.press("h")
        await drawn(pilot)
        rows = "\n".join(kitchen.render_line(row).text for row in range(kitchen.size.height))
        assert f"{THOUGHTS[role]}?" not in rows


async def test_over_the_partner_of_a_person_a_bubble_shows_what_it_thinks_until_a_key_hides_it(tmp_path):
    app = Playing(tmp_path, ego="bayes")
    async with app.run_test(size=(140, 45)) as pilot:
        await pilot.press(*["left"] * 3)
        kitchen = app.screen.query_one(KitchenView)
        assert thought_of(app.screen.snapshot) is not None
        with_bubble = kitchen._buffer.copy()
        await pilot.press("b")
        assert (with_bubble != kitchen._buffer).any()
        await pilot.press("b")
        assert np.array_equal(kitchen._buffer, with_bubble)


def test_participants_of_a_study_see_no_thought():
    assert PlayScreen.shows_thoughts
    assert not StudyGame.shows_thoughts


async def test_in_a_duel_the_ego_with_a_belief_has_a_bubble_and_the_other_has_none():
    said = {"agents": "bayes,proagent", "partner": "switching", "planner": "scripted", "seed": 5, "horizon": 60}
    app = BBAApp(duel_source(DuelGame.model_validate(said)), autostart=False, motion=False)
    async with app.run_test(size=(160, 50)) as pilot:
        for source in app.screen.sources:
            source.play(20)
        app.screen._seek(20)
        await drawn(pilot)
        pictures = [kitchen._buffer.copy() for kitchen in app.screen._kitchens]
        await pilot.press("h")
        await drawn(pilot)
        changed = [(old != board._buffer).any() for old, board in zip(pictures, app.screen._kitchens, strict=True)]
        assert changed == [True, False]
        assert not app.thoughts, "the choice counts on every screen"


async def test_an_ego_without_a_belief_has_no_bubble():
    app = paused_app(12)
    async with app.run_test(size=(140, 45)) as pilot:
        await drawn(pilot)
        assert thought_of(app.game_screen.snapshot) is None


def test_it_hides_neither_the_partner_nor_what_the_ego_faces_nor_a_station():
    for x in range(OPEN.width):
        for y in range(OPEN.height):
            for facing in ("north", "south", "east", "west"):
                ego = PlayerView((x, y), facing, None)
                partner = PlayerView((x, max(0, y - 1)), "south", None)
                scene = scene_with(ego, partner)
                place = bubble(OPEN, scene, 1)
                if place is None:
                    continue
                tile, overlay = place
                assert tile not in (ego.ahead, partner.position, ego.position)
                assert OPEN.char(tile) in " X12"
                assert abs(tile[0] - x) + abs(tile[1] - y) == 1
                assert overlay.sprites == SMALL_PICTURES[1]


@pytest.mark.parametrize("size", [8, 12, 16, 24])
def test_each_role_has_a_picture_of_its_own(size):
    nobody = PlayerView((-1, -1), "south", None)
    scene = replace(scene_with(nobody, nobody), objects=())
    painter = Painter(OPEN.rows, size)
    tile = next(place for place, char in OPEN.tiles() if char == " ")
    pictures = set()
    for sprites in SMALL_PICTURES:
        image = painter.paint(scene, overlays={tile: (ThoughtOverlay(sprites, 1),)})
        x, y = tile[0] * size, tile[1] * size
        pictures.add(image[y : y + size, x : x + size].tobytes())
    assert len(pictures) == len(SMALL_PICTURES)
