"""Every row of the interaction table, and that nothing else ever happens."""

import pytest

from bba.kitchen import Kitchen, codes, interactions
from bba.kitchen.codes import Skill
from bba.kitchen.state import COMPLETE, DELIVERIES, EVENT, STACK
from tests.kitchen.support import FOODS, IN_HAND, PLATES, find, give, held, lay, lying, stand

N = codes.NOTHING
NO_TORTILLA = [plate for plate in PLATES if not plate & codes.ON_TORTILLA]
NO_PROTEIN = [plate for plate in PLATES if not plate & codes.ON_PROTEIN]
NO_RICE = [plate for plate in PLATES if not plate & codes.ON_RICE]
BURRITOS = [codes.STEAK_BURRITO, codes.MUSHROOM_BURRITO]
TAKING = {
    codes.MEAT: Skill.GRAB_MEAT,
    codes.MUSHROOM: Skill.GRAB_MUSHROOM,
    codes.RICE: Skill.GRAB_RICE,
    codes.TORTILLA: Skill.GRAB_TORTILLA,
    codes.CHOPPED_MEAT: Skill.GRAB_CHOPPED_MEAT,
    codes.CHOPPED_MUSHROOM: Skill.GRAB_CHOPPED_MUSHROOM,
    codes.DIRTY_PLATE: Skill.GRAB_DIRTY_PLATE,
    codes.CHARCOAL: Skill.GRAB_CHARCOAL,
    codes.FIRE_EXT: Skill.GRAB_FIRE_EXT,
    codes.PLATE: Skill.GRAB_CLEAN_PLATE,
    codes.STEAK_BURRITO: Skill.GRAB_STEAK_BURRITO_PLATE,
    codes.MUSHROOM_BURRITO: Skill.GRAB_MUSHROOM_BURRITO_PLATE,
} | {
    codes.PLATE | bits: (Skill.GRAB_ONE_INGREDIENT_PLATE, Skill.GRAB_TWO_INGREDIENT_PLATE)[bits.bit_count() - 1]
    for bits in FOODS
    if 1 <= bits.bit_count() <= 2
}

# (tile, item there, its progress, item in hand) -> (item there, its progress, item in hand, skill, complete)
Before = tuple[str, int, int, int]
After = tuple[int, int, int, Skill, bool]
TABLE: dict[Before, After] = {}


def fill_counter() -> None:
    for hand in IN_HAND:
        TABLE["X", N, 0, hand] = (hand, 0, N, Skill.PUT_DOWN_OBJECT, True)
    for item in IN_HAND:
        TABLE["X", item, 0, N] = (N, 0, item, TAKING[item], True)
        for hand in IN_HAND:
            TABLE["X", item, 0, hand] = (hand, 0, item, TAKING[item], True)
    for plate in NO_TORTILLA:
        merged = (N, 0, plate | codes.ON_TORTILLA, Skill.GRAB_TORTILLA, True)
        TABLE["X", plate, 0, codes.TORTILLA] = TABLE["X", codes.TORTILLA, 0, plate] = merged


def fill_sources() -> None:
    for char, item in zip("MZRT", (codes.MEAT, codes.MUSHROOM, codes.RICE, codes.TORTILLA), strict=True):
        TABLE[char, N, 0, N] = (N, 0, item, TAKING[item], True)
    for plate in NO_TORTILLA:
        TABLE["T", N, 0, plate] = (N, 0, plate | codes.ON_TORTILLA, Skill.GRAB_TORTILLA, True)
    TABLE["D", N, 0, N] = (N, 0, codes.DIRTY_PLATE, Skill.GRAB_DIRTY_PLATE, True)


def fill_sink_and_board() -> None:
    wash, chop = Skill.GO_TO_SINK_TO_WASH_PLATE, Skill.GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT
    dirty, clean = codes.DIRTY_PLATE, codes.PLATE
    TABLE["W", N, 0, dirty] = (dirty, 0, N, wash, False)
    TABLE["W", dirty, 0, N] = (dirty, 1, N, wash, False)
    TABLE["W", dirty, 1, N] = (dirty, 2, N, wash, False)
    TABLE["W", dirty, 2, N] = (clean, 0, N, wash, True)
    TABLE["W", clean, 0, N] = (N, 0, clean, Skill.GRAB_CLEAN_PLATE, True)
    for raw, chopped in ((codes.MEAT, codes.CHOPPED_MEAT), (codes.MUSHROOM, codes.CHOPPED_MUSHROOM)):
        TABLE["B", N, 0, raw] = (chopped, 0, N, chop, False)
        TABLE["B", chopped, 0, N] = (chopped, 1, N, chop, False)
        TABLE["B", chopped, 1, N] = (chopped, 2, N, chop, True)
        TABLE["B", chopped, 2, N] = (N, 0, chopped, TAKING[chopped], True)


def fill_heat(char: str, raw: int, cooked: int, bit: int, start: Skill, get: Skill, plates: list[int]) -> None:
    TABLE[char, N, 0, raw] = (cooked, 0, N, start, True)
    TABLE[char, codes.CHARCOAL, 0, raw] = (cooked, 0, codes.CHARCOAL, Skill.GRAB_CHARCOAL, True)
    TABLE[char, codes.CHARCOAL, 0, N] = (N, 0, codes.CHARCOAL, Skill.GRAB_CHARCOAL, True)
    TABLE[char, cooked, 220, codes.FIRE_EXT] = (codes.CHARCOAL, 0, codes.FIRE_EXT, Skill.GO_TO_PUT_OUT_FIRE, True)
    for plate in plates:
        for progress in (80, 159, 160, 219):
            TABLE[char, cooked, progress, plate] = (N, 0, plate | bit, get, True)


def fill_trash_and_window() -> None:
    throw, serve = Skill.GO_TO_TRASH_AND_THROW, Skill.GO_TO_SERVE_DISH
    for item in (*range(codes.MEAT, codes.CHOPPED_MUSHROOM + 1), codes.CHARCOAL):
        TABLE["U", N, 0, item] = (N, 0, N, throw, True)
    for plate in PLATES:
        if plate != codes.PLATE:
            TABLE["U", N, 0, plate] = (N, 0, codes.DIRTY_PLATE, throw, True)
    for burrito in BURRITOS:
        TABLE["S", N, 0, burrito] = (N, 0, N, serve, True)


fill_counter()
fill_sources()
fill_sink_and_board()
fry, boil = Skill.GO_TO_PAN_AND_FRY_INGREDIENT, Skill.GO_TO_POT_AND_BOIL_RICE
fill_heat("G", codes.CHOPPED_MEAT, codes.CHOPPED_STEAK, codes.ON_STEAK, fry, Skill.GET_STEAK_FROM_GRILLER, NO_PROTEIN)
fill_heat(
    "G",
    codes.CHOPPED_MUSHROOM,
    codes.FRIED_MUSHROOM,
    codes.ON_MUSHROOM,
    fry,
    Skill.GET_MUSHROOM_FROM_GRILLER,
    NO_PROTEIN,
)
fill_heat("P", codes.RICE, codes.BOILED_RICE, codes.ON_RICE, boil, Skill.GET_BOILED_RICE, NO_RICE)
fill_trash_and_window()

NOTHING_THERE = [(N, 0)]
HEAT_TIMES = (1, 79, 80, 159, 160, 219, 220)
CONTENTS: dict[str, list[tuple[int, int]]] = {
    "X": NOTHING_THERE + [(item, 0) for item in IN_HAND],
    "B": NOTHING_THERE + [(item, n) for item in (codes.CHOPPED_MEAT, codes.CHOPPED_MUSHROOM) for n in range(3)],
    "W": [*NOTHING_THERE, *((codes.DIRTY_PLATE, n) for n in range(3)), (codes.PLATE, 0)],
    "G": [
        *NOTHING_THERE,
        (codes.CHARCOAL, 0),
        *((item, n) for item in (codes.CHOPPED_STEAK, codes.FRIED_MUSHROOM) for n in HEAT_TIMES),
    ],
    "P": [*NOTHING_THERE, (codes.CHARCOAL, 0), *((codes.BOILED_RICE, n) for n in HEAT_TIMES)],
} | dict.fromkeys("MZRTDUS", NOTHING_THERE)


@pytest.mark.parametrize("char", CONTENTS)
def test_each_hand_on_each_content_of_a_tile_does_what_the_table_says_and_nothing_else(char: str) -> None:
    kitchen = Kitchen("open")
    position = (0, 1) if char == "X" else find(kitchen.layout, char)
    beside, facing = next(
        ((position[0] - dx, position[1] - dy), action)
        for action, (dx, dy) in enumerate(((0, -1), (0, 1), (1, 0), (-1, 0)))
        if kitchen.layout.is_floor((position[0] - dx, position[1] - dy))
    )
    for item, progress in CONTENTS[char]:
        for hand in (N, *IN_HAND):
            kitchen.reset()
            stand(kitchen, 0, beside, facing)
            lay(kitchen, position, item, progress)
            give(kitchen, 0, hand)
            before = kitchen.row.copy()
            interactions.interact(kitchen.grid, kitchen.row, 0)
            expected = TABLE.get((char, item, progress, hand))
            if expected is None:
                assert (kitchen.row == before).all(), (char, item, progress, hand)
            else:
                event = Skill(int(kitchen.row[EVENT])), bool(kitchen.row[COMPLETE])
                assert (*lying(kitchen, position), held(kitchen, 0), *event) == expected, (char, item, progress, hand)


def test_the_stack_gives_one_plate_fewer_each_time_and_nothing_when_empty() -> None:
    kitchen = Kitchen("open")
    stand(kitchen, 0, (5, 1))
    for left in (3, 2, 1, 0):
        give(kitchen, 0, N)
        assert kitchen.step((codes.INTERACT, codes.WAIT)).events[0].skill == Skill.GRAB_DIRTY_PLATE
        assert kitchen.row[STACK] == left
    give(kitchen, 0, N)
    assert kitchen.step((codes.INTERACT, codes.WAIT)).events == ()
    assert held(kitchen, 0) == N


def test_a_delivered_plate_returns_dirty_to_the_stack_which_never_grows_above_the_layouts_plates() -> None:
    kitchen = Kitchen("open")
    stand(kitchen, 0, (6, 1))
    kitchen.row[STACK] = 3
    give(kitchen, 0, codes.STEAK_BURRITO)
    kitchen.step((codes.INTERACT, codes.WAIT))
    assert kitchen.row[STACK] == 4
    give(kitchen, 0, codes.STEAK_BURRITO)
    kitchen.step((codes.INTERACT, codes.WAIT))
    assert (kitchen.row[STACK], kitchen.row[DELIVERIES]) == (4, 2)


def test_putting_an_item_on_a_pass_counter_is_passing_it() -> None:
    kitchen = Kitchen("forced_coordination")
    stand(kitchen, 0, (3, 3), codes.EAST)
    give(kitchen, 0, codes.MEAT)
    assert kitchen.step((codes.INTERACT, codes.WAIT)).events[0].skill == Skill.PASS_OBJECT
    assert lying(kitchen, (4, 3)) == (codes.MEAT, 0)


def test_player_0_interacts_first() -> None:
    kitchen = Kitchen("forced_coordination")
    stand(kitchen, 0, (3, 3), codes.EAST)
    stand(kitchen, 1, (5, 3), codes.WEST)
    lay(kitchen, (4, 3), codes.MEAT)
    events = kitchen.step((codes.INTERACT, codes.INTERACT)).events
    assert [event.player for event in events] == [0]
    assert (held(kitchen, 0), held(kitchen, 1)) == (codes.MEAT, N)


def test_what_player_0_lays_down_player_1_takes_in_the_same_step() -> None:
    kitchen = Kitchen("forced_coordination")
    stand(kitchen, 0, (3, 3), codes.EAST)
    stand(kitchen, 1, (5, 3), codes.WEST)
    give(kitchen, 0, codes.RICE)
    kitchen.step((codes.INTERACT, codes.INTERACT))
    assert (held(kitchen, 0), held(kitchen, 1)) == (N, codes.RICE)


def test_facing_floor_or_another_player_does_nothing() -> None:
    kitchen = Kitchen("open")
    give(kitchen, 0, codes.MEAT)
    stand(kitchen, 0, (3, 2), codes.WEST)
    stand(kitchen, 1, (2, 2), codes.EAST)
    assert kitchen.step((codes.INTERACT, codes.INTERACT)).events == ()
    assert held(kitchen, 0) == codes.MEAT
