"""The complete table of interactions: each has its effect, and all others have none."""

import pytest

from bba.kitchen import Kitchen, constants, interactions
from bba.kitchen.constants import COMPLETED, DELIVERIES, DIRTY_PLATES, EVENT, Skill
from tests.helpers.kitchen_states import FOODS, HOLDABLE, PLATES, find, give, held, item_on, place_player, put_item

N = constants.NOTHING
NO_TORTILLA = [plate for plate in PLATES if not plate & constants.ON_TORTILLA]
NO_PROTEIN = [plate for plate in PLATES if not plate & constants.ON_PROTEIN]
NO_RICE = [plate for plate in PLATES if not plate & constants.ON_RICE]
BURRITOS = [constants.STEAK_BURRITO, constants.MUSHROOM_BURRITO]
TAKING = {
    constants.MEAT: Skill.GRAB_MEAT,
    constants.MUSHROOM: Skill.GRAB_MUSHROOM,
    constants.RICE: Skill.GRAB_RICE,
    constants.TORTILLA: Skill.GRAB_TORTILLA,
    constants.CHOPPED_MEAT: Skill.GRAB_CHOPPED_MEAT,
    constants.CHOPPED_MUSHROOM: Skill.GRAB_CHOPPED_MUSHROOM,
    constants.DIRTY_PLATE: Skill.GRAB_DIRTY_PLATE,
    constants.CHARCOAL: Skill.GRAB_CHARCOAL,
    constants.FIRE_EXT: Skill.GRAB_FIRE_EXT,
    constants.PLATE: Skill.GRAB_CLEAN_PLATE,
    constants.STEAK_BURRITO: Skill.GRAB_STEAK_BURRITO_PLATE,
    constants.MUSHROOM_BURRITO: Skill.GRAB_MUSHROOM_BURRITO_PLATE,
} | {
    constants.PLATE | bits: (Skill.GRAB_ONE_INGREDIENT_PLATE, Skill.GRAB_TWO_INGREDIENT_PLATE)[bits.bit_count() - 1]
    for bits in FOODS
    if 1 <= bits.bit_count() <= 2
}

# (tile, item on it, its progress, held item) -> (item on it, its progress, held item, skill, complete)
Before = tuple[str, int, int, int]
After = tuple[int, int, int, Skill, bool]
TABLE: dict[Before, After] = {}


def fill_counter() -> None:
    for held_before in HOLDABLE:
        TABLE["X", N, 0, held_before] = (held_before, 0, N, Skill.PUT_DOWN_OBJECT, True)
    for item in HOLDABLE:
        TABLE["X", item, 0, N] = (N, 0, item, TAKING[item], True)
        for held_before in HOLDABLE:
            TABLE["X", item, 0, held_before] = (held_before, 0, item, TAKING[item], True)
    for plate in NO_TORTILLA:
        merged = (N, 0, plate | constants.ON_TORTILLA, Skill.GRAB_TORTILLA, True)
        TABLE["X", plate, 0, constants.TORTILLA] = TABLE["X", constants.TORTILLA, 0, plate] = merged


def fill_dispensers() -> None:
    for char, item in zip(
        "MZRT", (constants.MEAT, constants.MUSHROOM, constants.RICE, constants.TORTILLA), strict=True
    ):
        TABLE[char, N, 0, N] = (N, 0, item, TAKING[item], True)
    for plate in NO_TORTILLA:
        TABLE["T", N, 0, plate] = (N, 0, plate | constants.ON_TORTILLA, Skill.GRAB_TORTILLA, True)
    TABLE["D", N, 0, N] = (N, 0, constants.DIRTY_PLATE, Skill.GRAB_DIRTY_PLATE, True)


def fill_sink_and_board() -> None:
    wash, chop = Skill.GO_TO_SINK_TO_WASH_PLATE, Skill.GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT
    dirty, clean = constants.DIRTY_PLATE, constants.PLATE
    TABLE["W", N, 0, dirty] = (dirty, 0, N, wash, False)
    TABLE["W", dirty, 0, N] = (dirty, 1, N, wash, False)
    TABLE["W", dirty, 1, N] = (dirty, 2, N, wash, False)
    TABLE["W", dirty, 2, N] = (clean, 0, N, wash, True)
    TABLE["W", clean, 0, N] = (N, 0, clean, Skill.GRAB_CLEAN_PLATE, True)
    for raw, chopped in ((constants.MEAT, constants.CHOPPED_MEAT), (constants.MUSHROOM, constants.CHOPPED_MUSHROOM)):
        TABLE["B", N, 0, raw] = (chopped, 0, N, chop, False)
        TABLE["B", chopped, 0, N] = (chopped, 1, N, chop, False)
        TABLE["B", chopped, 1, N] = (chopped, 2, N, chop, True)
        TABLE["B", chopped, 2, N] = (N, 0, chopped, TAKING[chopped], True)


def fill_stove(char: str, raw: int, cooked: int, bit: int, start: Skill, get: Skill, plates: list[int]) -> None:
    TABLE[char, N, 0, raw] = (cooked, 0, N, start, True)
    TABLE[char, constants.CHARCOAL, 0, raw] = (cooked, 0, constants.CHARCOAL, Skill.GRAB_CHARCOAL, True)
    TABLE[char, constants.CHARCOAL, 0, N] = (N, 0, constants.CHARCOAL, Skill.GRAB_CHARCOAL, True)
    TABLE[char, cooked, 220, constants.FIRE_EXT] = (
        constants.CHARCOAL,
        0,
        constants.FIRE_EXT,
        Skill.GO_TO_PUT_OUT_FIRE,
        True,
    )
    for plate in plates:
        for progress in (80, 159, 160, 219):
            TABLE[char, cooked, progress, plate] = (N, 0, plate | bit, get, True)


def fill_trash_and_window() -> None:
    throw, serve = Skill.GO_TO_TRASH_AND_THROW, Skill.GO_TO_SERVE_DISH
    for item in (*range(constants.MEAT, constants.CHOPPED_MUSHROOM + 1), constants.CHARCOAL):
        TABLE["U", N, 0, item] = (N, 0, N, throw, True)
    for plate in PLATES:
        if plate != constants.PLATE:
            TABLE["U", N, 0, plate] = (N, 0, constants.DIRTY_PLATE, throw, True)
    for burrito in BURRITOS:
        TABLE["S", N, 0, burrito] = (N, 0, N, serve, True)


fill_counter()
fill_dispensers()
fill_sink_and_board()
fry, boil = Skill.GO_TO_PAN_AND_FRY_INGREDIENT, Skill.GO_TO_POT_AND_BOIL_RICE
fill_stove(
    "G",
    constants.CHOPPED_MEAT,
    constants.CHOPPED_STEAK,
    constants.ON_STEAK,
    fry,
    Skill.GET_STEAK_FROM_GRILLER,
    NO_PROTEIN,
)
fill_stove(
    "G",
    constants.CHOPPED_MUSHROOM,
    constants.FRIED_MUSHROOM,
    constants.ON_MUSHROOM,
    fry,
    Skill.GET_MUSHROOM_FROM_GRILLER,
    NO_PROTEIN,
)
fill_stove("P", constants.RICE, constants.BOILED_RICE, constants.ON_RICE, boil, Skill.GET_BOILED_RICE, NO_RICE)
fill_trash_and_window()

EMPTY = [(N, 0)]
COOKING_STEPS = (1, 79, 80, 159, 160, 219, 220)
CONTENTS: dict[str, list[tuple[int, int]]] = {
    "X": EMPTY + [(item, 0) for item in HOLDABLE],
    "B": EMPTY + [(item, n) for item in (constants.CHOPPED_MEAT, constants.CHOPPED_MUSHROOM) for n in range(3)],
    "W": [*EMPTY, *((constants.DIRTY_PLATE, n) for n in range(3)), (constants.PLATE, 0)],
    "G": [
        *EMPTY,
        (constants.CHARCOAL, 0),
        *((item, n) for item in (constants.CHOPPED_STEAK, constants.FRIED_MUSHROOM) for n in COOKING_STEPS),
    ],
    "P": [*EMPTY, (constants.CHARCOAL, 0), *((constants.BOILED_RICE, n) for n in COOKING_STEPS)],
} | dict.fromkeys("MZRTDUS", EMPTY)


@pytest.mark.parametrize("char", CONTENTS)
def test_each_held_item_on_each_tile_content_does_what_the_table_says(char: str) -> None:
    kitchen = Kitchen("open")
    position = (0, 1) if char == "X" else find(kitchen.layout, char)
    beside, facing = next(
        ((position[0] - dx, position[1] - dy), action)
        for action, (dx, dy) in enumerate(((0, -1), (0, 1), (1, 0), (-1, 0)))
        if kitchen.layout.is_floor((position[0] - dx, position[1] - dy))
    )
    for item, progress in CONTENTS[char]:
        for held_before in (N, *HOLDABLE):
            kitchen.reset()
            place_player(kitchen, 0, beside, facing)
            put_item(kitchen, position, item, progress)
            give(kitchen, 0, held_before)
            before = kitchen.state.copy()
            interactions.interact(kitchen.grid, kitchen.state, 0)
            expected = TABLE.get((char, item, progress, held_before))
            if expected is None:
                assert (kitchen.state == before).all(), (char, item, progress, held_before)
            else:
                event = Skill(int(kitchen.state[EVENT])), bool(kitchen.state[COMPLETED])
                assert (*item_on(kitchen, position), held(kitchen, 0), *event) == expected, (
                    char,
                    item,
                    progress,
                    held_before,
                )


def test_the_stack_gives_one_plate_fewer_each_time_and_nothing_when_empty() -> None:
    kitchen = Kitchen("open")
    place_player(kitchen, 0, (5, 1))
    for left in (3, 2, 1, 0):
        give(kitchen, 0, N)
        assert kitchen.step((constants.INTERACT, constants.ACTION_STAY)).events[0].skill == Skill.GRAB_DIRTY_PLATE
        assert kitchen.state[DIRTY_PLATES] == left
    give(kitchen, 0, N)
    assert kitchen.step((constants.INTERACT, constants.ACTION_STAY)).events == ()
    assert held(kitchen, 0) == N


def test_a_delivered_plate_returns_dirty_to_the_stack_which_never_grows_above_the_layouts_plates() -> None:
    kitchen = Kitchen("open")
    place_player(kitchen, 0, (6, 1))
    kitchen.state[DIRTY_PLATES] = 3
    give(kitchen, 0, constants.STEAK_BURRITO)
    kitchen.step((constants.INTERACT, constants.ACTION_STAY))
    assert kitchen.state[DIRTY_PLATES] == 4
    give(kitchen, 0, constants.STEAK_BURRITO)
    kitchen.step((constants.INTERACT, constants.ACTION_STAY))
    assert (kitchen.state[DIRTY_PLATES], kitchen.state[DELIVERIES]) == (4, 2)


def test_putting_an_item_on_a_pass_counter_is_passing_it() -> None:
    kitchen = Kitchen("forced_coordination")
    place_player(kitchen, 0, (3, 3), constants.EAST)
    give(kitchen, 0, constants.MEAT)
    assert kitchen.step((constants.INTERACT, constants.ACTION_STAY)).events[0].skill == Skill.PASS_OBJECT
    assert item_on(kitchen, (4, 3)) == (constants.MEAT, 0)


def test_player_0_interacts_first() -> None:
    kitchen = Kitchen("forced_coordination")
    place_player(kitchen, 0, (3, 3), constants.EAST)
    place_player(kitchen, 1, (5, 3), constants.WEST)
    put_item(kitchen, (4, 3), constants.MEAT)
    events = kitchen.step((constants.INTERACT, constants.INTERACT)).events
    assert [event.player for event in events] == [0]
    assert (held(kitchen, 0), held(kitchen, 1)) == (constants.MEAT, N)


def test_player_1_can_take_what_player_0_puts_down_in_the_same_step() -> None:
    kitchen = Kitchen("forced_coordination")
    place_player(kitchen, 0, (3, 3), constants.EAST)
    place_player(kitchen, 1, (5, 3), constants.WEST)
    give(kitchen, 0, constants.RICE)
    kitchen.step((constants.INTERACT, constants.INTERACT))
    assert (held(kitchen, 0), held(kitchen, 1)) == (N, constants.RICE)


def test_facing_floor_or_another_player_does_nothing() -> None:
    kitchen = Kitchen("open")
    give(kitchen, 0, constants.MEAT)
    place_player(kitchen, 0, (3, 2), constants.WEST)
    place_player(kitchen, 1, (2, 2), constants.EAST)
    assert kitchen.step((constants.INTERACT, constants.INTERACT)).events == ()
    assert held(kitchen, 0) == constants.MEAT
