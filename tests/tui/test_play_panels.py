"""What the screen of a game of one's own says: recipes, stations, a hint, and what happens."""

import pytest

from bba.analysis.advice import WAIT_ADVICE, way_to
from bba.analysis.snapshot import Snapshot
from bba.kitchen import Skill, constants
from bba.kitchen.constants import N_ORDERS, ON_RICE, ON_STEAK, ON_TORTILLA, PLATE, TIME_LEFT
from tests.helpers.app import texts
from tests.helpers.kitchen_states import find, give, place_player, put_item
from tests.helpers.notifications import said
from tests.helpers.playing import SIZE, Playing, session
from tui.study.game import StudyGame
from tui.widgets.kitchen_view import BORDERS, FRAMES, Happening, happenings
from tui.widgets.player_panels import PartnerPanel, PlayerPanel, hint_line
from tui.widgets.recipe_cards import card_lines, recipe_cards
from tui.widgets.stations import station_lines

PERSON = 1


@pytest.fixture
def prepared(tmp_path):
    """A session before its first step, with work under way on both orders."""
    begun = session(tmp_path)
    kitchen = begun.game.kitchen
    grill, pot = find(kitchen.layout, "G"), find(kitchen.layout, "P")
    put_item(kitchen, find(kitchen.layout, "B"), constants.CHOPPED_MUSHROOM, 2)
    put_item(kitchen, grill, constants.CHOPPED_STEAK, 165)
    put_item(kitchen, pot, constants.BOILED_RICE, 30)
    give(kitchen, PERSON, constants.DIRTY_PLATE)
    begun.trace.start[:] = kitchen.state
    return begun


def recipes(begun, width: int = 36, rows: int = 20) -> list[str]:
    return texts(card_lines(recipe_cards(begun.trace.scene(0)), width, rows))


def stations(begun, width: int, rows: int = 20) -> list[str]:
    return texts(station_lines(Snapshot(begun.trace, 0), width, rows))


def test_a_recipe_card_says_what_is_done_and_what_comes_next(prepared):
    lines = recipes(prepared)
    assert lines[0].startswith("steak burrito")
    assert lines[1:5] == [
        " ▸ meat     ▸ plate it ‼ burns in 55",
        " ▸ rice     boiling ▸ ready in 50",
        " ▸ plate    dirty ▸ wash it",
        " · tortilla ▸ put it on",
    ]
    assert lines[5].startswith("mushroom burrito")
    assert lines[6] == " ▸ mushroom chopped ▸ fry it"
    narrow = recipes(prepared, 34)  # as in 80 columns
    assert narrow[1:3] == [" ▸ meat     ‼ burns in 55", " ▸ rice     boiling ▸ ready in 50"]


def test_where_rows_are_few_the_first_order_keeps_its_card_and_the_next_has_a_line(prepared):
    lines = recipes(prepared, rows=7)
    assert len(lines) == 7
    assert lines[6] == " ▸mushroom ·rice ·plate ·tortilla"
    assert [line.split(" burrito")[0] for line in recipes(prepared, rows=2)] == ["steak", "mushroom"]


def test_a_burrito_only_has_to_be_served(prepared):
    give(prepared.game.kitchen, PERSON, PLATE | ON_STEAK | ON_RICE | ON_TORTILLA)
    prepared.trace.start[:] = prepared.game.kitchen.state
    assert " ▸ serve it" in recipes(prepared)


def test_the_stations_say_what_they_hold_and_when_it_is_ready(prepared):
    said = " ".join(stations(prepared, 80))
    assert "grill 1 steak about to burn, burns in 55" in said
    assert "grill 2 free" in said
    assert "pot 1 rice cooking, ready in 50" in said
    assert "board 1 chopped mushroom" in said
    assert "sink free" in said
    assert "dirty plates 4" in said


def test_where_not_all_stations_fit_those_in_use_come_first(prepared):
    lines = stations(prepared, 44, rows=3)
    assert len(lines) == 3
    assert "ready in 50" in " ".join(lines[:2])
    assert "free" not in lines[0]


def test_the_hint_names_skill_tile_and_distance_in_as_many_words_as_fit(prepared):
    snapshot = Snapshot(prepared.trace, 0)
    advice = way_to(snapshot.config.layout, prepared.trace.start, PERSON, Skill.GO_TO_SINK_TO_WASH_PLATE)
    assert hint_line(advice, snapshot, 60).plain == f"hint: wash a plate, sink (9,2), {advice.distance} away"
    assert hint_line(advice, snapshot, 36).plain == f"hint: wash a plate, (9,2), {advice.distance} away"
    assert hint_line(advice, snapshot, 20).plain == "hint: wash a plate"
    assert hint_line(WAIT_ADVICE, snapshot, 30).plain == "hint: wait"
    assert hint_line(None, snapshot, 30).plain == "hint: off (h)"


async def test_h_hides_the_hint_and_the_frame_of_its_tile(tmp_path):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("left")
        advice = app.screen.query_one(PlayerPanel).advice
        assert app.screen._kitchen.target == advice.target is not None
        await pilot.press("h")
        assert (app.screen.query_one(PlayerPanel).advice, app.screen._kitchen.target) == (None, None)


def serving(tmp_path):
    """A session in which the person stands before the window with a burrito that is ordered."""
    begun = session(tmp_path)
    kitchen = begun.game.kitchen
    x, y = find(kitchen.layout, "S")
    place_player(kitchen, PERSON, (x, y + 1), constants.NORTH)
    give(kitchen, PERSON, constants.STEAK_BURRITO)
    begun.trace.start[:] = kitchen.state
    return begun, (x, y)


def test_what_happens_is_read_from_the_last_step(tmp_path):
    begun, window = serving(tmp_path)
    kitchen = begun.game.kitchen
    pot = find(kitchen.layout, "P")
    put_item(kitchen, pot, constants.BOILED_RICE, 219)
    kitchen.state[TIME_LEFT + 1] = 1
    begun.controls[PERSON].press(constants.INTERACT)
    assert list(happenings(Snapshot(begun.trace, 0))) == []
    begun.trace.start[:] = kitchen.state
    tick = begun.step()
    found = list(happenings(Snapshot(begun.trace, 1)))
    assert found == [Happening("delivery", window, tick.reward), Happening("lost"), Happening("fire", pot)]
    assert tick.state[N_ORDERS] == 2
    begun.step()
    assert list(happenings(Snapshot(begun.trace, 2))) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("motion", [True, False])
async def test_a_delivery_is_seen_for_a_moment_with_and_without_motion(tmp_path, motion):
    app = Playing(tmp_path)
    async with app.run_test(size=SIZE):
        screen = app.screen
        screen._celebrations._motion = motion
        screen._celebrations.begin(Happening("delivery", (7, 0), 90))
        screen._celebrations._timer.stop()  # the test goes on
        places, lit = [], []
        for _ in range(FRAMES):
            written = screen._kitchen.written
            assert "".join(char for _, (char, _) in sorted(written.items())) == "+90"
            places.append(min(row for _, row in written))
            lit.append(screen._kitchen.has_class("-delivery"))
            screen._celebrations._draw(Happening("delivery", (7, 0), 90))
        assert screen._kitchen.written == {}
        assert not any(screen._kitchen.has_class(name) for name in BORDERS)
        assert (places == sorted(places, reverse=True), len(set(places)) > 1, all(lit)) == (True, motion, not motion)


@pytest.mark.parametrize("bell", [True, False])
async def test_the_bell_rings_only_if_it_is_wanted(tmp_path, bell, monkeypatch):
    app, rung = Playing(tmp_path), []
    async with app.run_test(size=SIZE):
        monkeypatch.setattr(app, "bell", lambda: rung.append(True))
        app.screen._celebrations._bell = bell
        app.screen._celebrations.begin(Happening("lost"))
        assert bool(rung) == bell
        assert app.screen._kitchen.has_class("-lost")


@pytest.mark.exhaustive
@pytest.mark.parametrize("hints", [True, False])
async def test_in_a_study_there_are_hints_only_if_the_plan_allows_them(tmp_path, hints):
    app = Playing(tmp_path)
    async with app.run_test(size=(200, 60)) as pilot:
        screen = StudyGame(session(tmp_path, ego="bayes"), "game 1 of 4", speed=None, countdown=0, hints=hints)
        await app.push_screen(screen)
        await pilot.press("left", "space")
        assert said(app) == [], "nor is said what a tile would need"
        you = screen.query_one(PlayerPanel)
        assert any(text.startswith("hint: ") for text in texts(you.lines(screen.snapshot, 60))) == hints
        assert (you.advice is not None) == hints
        await pilot.press("h")
        assert you.advice is None
        assert not screen.query(PartnerPanel)  # it names the key for the mind, which a participant must not see
