"""A tile in words: what it is, what lies there, how far that has got, and what comes next."""

from types import SimpleNamespace

import pytest

from bba.kitchen import Kitchen, constants
from bba.kitchen.constants import DIRTY_PLATES
from bba.kitchen.interactions import use
from tests.helpers.kitchen_states import find, give, place_player, put_item
from tui.widgets.tile_text import in_vain, tile_words


@pytest.fixture
def kitchen() -> Kitchen:
    return Kitchen("open", fast=False)


def said(kitchen: Kitchen, at: tuple[int, int], room: int | None = None) -> str:
    return tile_words(kitchen.layout, kitchen.scene(), at, room)


@pytest.mark.parametrize(
    ("char", "words"),
    [
        ("M", "meat"),
        ("Z", "mushrooms"),
        ("R", "rice"),
        ("T", "tortillas"),
        ("U", "trash"),
        ("S", "serving window"),
        ("D", "plate stack: 4 dirty plates"),
        ("B", "board: empty"),
        ("G", "grill: empty"),
        ("P", "pot: empty"),
        ("W", "sink: empty"),
        ("X", "counter"),
        (" ", "floor"),
    ],
)
def test_every_kind_of_tile_is_named_with_its_place(kitchen, char, words):
    x, y = find(kitchen.layout, char)
    assert said(kitchen, (x, y)) == f"({x},{y}) {words}"


@pytest.mark.parametrize(
    ("char", "item", "progress", "words"),
    [
        ("G", constants.CHOPPED_STEAK, 12, "grill: meat cooking, 12 of 80, ready in 68"),
        ("G", constants.CHOPPED_STEAK, 80, "grill: steak ready, burns in 140"),
        ("G", constants.FRIED_MUSHROOM, 211, "grill: mushroom about to burn, burns in 9"),
        ("P", constants.BOILED_RICE, 1, "pot: rice cooking, 1 of 80, ready in 79"),
        ("P", constants.BOILED_RICE, 220, "pot: rice on fire"),
        ("P", constants.CHARCOAL, 0, "pot: charcoal"),
        ("W", constants.DIRTY_PLATE, 2, "sink: dirty plate, 2 of 3 rinses"),
        ("W", constants.PLATE, 0, "sink: clean plate"),
        ("B", constants.CHOPPED_MEAT, 1, "board: meat, 1 of 2 chops"),
        ("B", constants.CHOPPED_MUSHROOM, 2, "board: chopped mushroom"),
        ("X", constants.PLATE, 0, "counter: clean plate"),
        ("X", constants.PLATE | constants.ON_RICE | constants.ON_TORTILLA, 0, "counter: plate: rice, tortilla"),
        ("X", constants.FIRE_EXT, 0, "counter: extinguisher"),
    ],
)
def test_what_lies_on_a_tile_is_named_with_its_timers(kitchen, char, item, progress, words):
    x, y = find(kitchen.layout, char)
    put_item(kitchen, (x, y), item, progress)
    assert said(kitchen, (x, y)) == f"({x},{y}) {words}"


def test_a_countdown_of_one_is_followed_by_what_it_announced(kitchen):
    grill = find(kitchen.layout, "G")
    put_item(kitchen, grill, constants.CHOPPED_STEAK, 79)
    assert said(kitchen, grill).endswith("ready in 1")
    kitchen.advance(constants.ACTION_STAY, constants.ACTION_STAY)
    assert "steak ready" in said(kitchen, grill)
    put_item(kitchen, grill, constants.CHOPPED_STEAK, 219)
    assert said(kitchen, grill).endswith("burns in 1")
    kitchen.advance(constants.ACTION_STAY, constants.ACTION_STAY)
    assert said(kitchen, grill).endswith("steak on fire")


def test_a_cook_is_named_with_what_it_holds(kitchen):
    place_player(kitchen, 0, (2, 1))
    give(kitchen, 0, constants.CHOPPED_MEAT)
    place_player(kitchen, 1, (1, 4))
    assert said(kitchen, (2, 1)) == "(2,1) cook 1 (ego), holds chopped meat"
    assert said(kitchen, (1, 4)) == "(1,4) cook 2 (partner), empty hand"


def test_an_empty_stack_and_a_last_plate_read_well(kitchen):
    stack = find(kitchen.layout, "D")
    for plates, words in ((0, "no dirty plates"), (1, "1 dirty plate")):
        kitchen.state[DIRTY_PLATES] = plates
        assert said(kitchen, stack).endswith(words)


def test_a_pass_counter_is_called_one():
    kitchen = Kitchen("forced_coordination", fast=False)
    assert said(kitchen, (4, 3)) == "(4,3) pass counter"
    put_item(kitchen, (4, 3), constants.RICE)
    assert said(kitchen, (4, 3)) == "(4,3) pass counter: rice"


def test_where_there_is_little_room_the_place_goes_first_and_then_the_count(kitchen):
    grill = find(kitchen.layout, "G")
    put_item(kitchen, grill, constants.CHOPPED_STEAK, 12)
    full = said(kitchen, grill)
    without_place = full.split(" ", 1)[1]
    assert said(kitchen, grill, len(full)) == full
    assert said(kitchen, grill, len(full) - 1) == without_place
    assert said(kitchen, grill, len(without_place) - 1) == "grill: meat cooking, ready in 68"


@pytest.mark.parametrize(
    ("room", "words"), [(25, "meat cooking, ready in 68"), (24, "ready in 68"), (11, "ready in 68")]
)
def test_what_a_cook_faces_says_when_it_is_ready_in_the_narrowest_panel(kitchen, room, words):
    grill = find(kitchen.layout, "G")
    put_item(kitchen, grill, constants.CHOPPED_STEAK, 12)
    assert said(kitchen, grill, room) == words


def test_words_that_still_do_not_fit_are_cut_short_with_a_sign(kitchen):
    assert said(kitchen, find(kitchen.layout, "S"), 10) == "serving w…"


READY_FOOD = "ready food goes on a plate that lacks it; a fire takes the extinguisher"


@pytest.mark.parametrize(
    ("char", "lies", "held", "needs"),
    [
        ("P", constants.BOILED_RICE, constants.RICE, "this is cooking already: wait for it, or take another one"),
        ("G", constants.CHOPPED_STEAK, constants.PLATE, "this is cooking already: wait for it, or take another one"),
        ("X", 0, 0, "the counter is empty, and so are your hands"),
        ("M", 0, constants.RICE, "this takes empty hands: put down what you hold"),
        ("T", 0, constants.RICE, "this takes empty hands, or a plate without a tortilla"),
        ("U", 0, constants.PLATE, "the trash takes food and charcoal, no empty plate"),
        ("B", 0, 0, "the board takes raw meat or a mushroom"),
        ("B", constants.CHOPPED_MEAT, constants.RICE, "this takes empty hands: put down what you hold"),
        ("G", 0, constants.MEAT, "the grill takes chopped meat or a chopped mushroom"),
        ("P", 0, constants.MEAT, "the pot takes rice"),
        ("P", (constants.BOILED_RICE, 100), 0, READY_FOOD),
        ("G", (constants.CHOPPED_STEAK, 10_000), constants.MEAT, READY_FOOD),
        ("W", 0, 0, "the sink takes a dirty plate"),
        ("D", 0, constants.MEAT, "this takes empty hands, and a dirty plate that is left"),
        ("S", 0, constants.PLATE, "the window takes a plate with a tortilla, rice, and meat or mushroom"),
        (" ", 0, 0, "turn to a counter or a station: there is nothing to use in front of you"),
    ],
)
def test_what_using_a_tile_in_vain_would_have_needed_is_said_in_80_columns(kitchen, char, lies, held, needs):
    at = find(kitchen.layout, char)
    if lies:
        put_item(kitchen, at, *(lies if isinstance(lies, tuple) else (lies,)))
    give(kitchen, 0, held)
    before = kitchen.state.copy()
    assert use(kitchen.grid, kitchen.state, 0, at[1] * kitchen.layout.width + at[0]) == constants.NO_SKILL
    assert (kitchen.state == before).all()
    kitchen.state[constants.EVENT] = constants.NO_SKILL
    cook = SimpleNamespace(ahead=at)
    tick = SimpleNamespace(skills=(constants.NO_SKILL,), actions=(constants.INTERACT,), state=kitchen.state)
    scene = SimpleNamespace(players=(cook,), objects=kitchen.scene().objects)
    snapshot = SimpleNamespace(tick=tick, scene=scene, config=SimpleNamespace(layout=kitchen.layout))
    assert in_vain(snapshot, 0) == needs
    assert len(needs) < 78
