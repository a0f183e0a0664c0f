"""Integer codes of actions, tiles, items and skills, and their names.

The kernels (rules, skills, controller, likelihood) use these module-level ints, because enum members are many times
slower in plain Python. The enums at the end hold the same numbers for all other code.

Item codes: 0 is nothing; 1 to 12 are single items; a clean plate is ``PLATE`` (16) plus one bit for each food on it.
"""

from enum import IntEnum

# --- primitive actions, in Overcooked-AI's order; the first four are also directions -----------------------------
NORTH, SOUTH, EAST, WEST, ACTION_STAY, INTERACT = range(6)
N_ACTIONS = 6
ACTION_NAMES = ("north", "south", "east", "west", "stay", "interact")

# --- tiles -----------------------------------------------------------------------------------------------------
(
    FLOOR,
    COUNTER,
    MEAT_DISPENSER,
    MUSHROOM_DISPENSER,
    RICE_DISPENSER,
    TORTILLA_DISPENSER,
    TRASH,
    BOARD,
    GRILL,
    POT,
    SINK,
    PLATE_STACK,
    WINDOW,
) = range(13)
TILE_CHARS = " XMZRTUBGPWDS"
TILE_NAMES = (
    "floor",
    "counter",
    "meat_dispenser",
    "mushroom_dispenser",
    "rice_dispenser",
    "tortilla_dispenser",
    "trash",
    "board",
    "grill",
    "pot",
    "sink",
    "plate_stack",
    "window",
)

# --- items -----------------------------------------------------------------------------------------------------
NOTHING = 0
MEAT, MUSHROOM, RICE, TORTILLA = 1, 2, 3, 4
CHOPPED_MEAT, CHOPPED_MUSHROOM = 5, 6
DIRTY_PLATE, CHARCOAL, FIRE_EXT = 7, 8, 9
CHOPPED_STEAK, FRIED_MUSHROOM, BOILED_RICE = 10, 11, 12  # on a grill or in a pot only, never held

PLATE = 16
ON_STEAK, ON_MUSHROOM, ON_RICE, ON_TORTILLA = 1, 2, 4, 8
ON_PROTEIN = ON_STEAK | ON_MUSHROOM
STEAK_BURRITO = PLATE | ON_STEAK | ON_RICE | ON_TORTILLA
MUSHROOM_BURRITO = PLATE | ON_MUSHROOM | ON_RICE | ON_TORTILLA

ITEM_NAMES: dict[int, str] = {
    MEAT: "meat",
    MUSHROOM: "mushroom",
    RICE: "rice",
    TORTILLA: "tortilla",
    CHOPPED_MEAT: "chopped_meat",
    CHOPPED_MUSHROOM: "chopped_mushroom",
    DIRTY_PLATE: "dirty_plate",
    CHARCOAL: "charcoal",
    FIRE_EXT: "fire_ext",
    CHOPPED_STEAK: "chopped_steak",
    FRIED_MUSHROOM: "fried_mushroom",
    BOILED_RICE: "boiled_rice",
    PLATE: "clean_plate",
    PLATE | ON_RICE: "boiled_rice-plate",
    PLATE | ON_TORTILLA: "tortilla-plate",
    PLATE | ON_STEAK: "chopped_steak-plate",
    PLATE | ON_MUSHROOM: "fried_mushroom-plate",
    PLATE | ON_RICE | ON_TORTILLA: "boiled_rice-tortilla-plate",
    PLATE | ON_STEAK | ON_RICE: "chopped_steak-boiled_rice-plate",
    PLATE | ON_STEAK | ON_TORTILLA: "chopped_steak-tortilla-plate",
    PLATE | ON_MUSHROOM | ON_RICE: "fried_mushroom-boiled_rice-plate",
    PLATE | ON_MUSHROOM | ON_TORTILLA: "fried_mushroom-tortilla-plate",
    STEAK_BURRITO: "steak_burrito",
    MUSHROOM_BURRITO: "mushroom_burrito",
}
ITEM_CODES = {name: code for code, name in ITEM_NAMES.items()}

# --- the 27 macro-skills ---------------------------------------------------------------------------------------
N_SKILLS = 27
NO_SKILL = -1
FRY, BOIL, CHOP, PUT_OUT_FIRE, SKILL_STAY, WASH, THROW, SERVE = range(8)
GRAB_MEAT, GRAB_MUSHROOM, GRAB_TORTILLA, GRAB_RICE, GRAB_DIRTY_PLATE, GRAB_CLEAN_PLATE, GRAB_FIRE_EXT = range(8, 15)
GRAB_CHOPPED_MUSHROOM, GRAB_CHOPPED_MEAT, GRAB_ONE_INGREDIENT_PLATE, GRAB_TWO_INGREDIENT_PLATE = range(15, 19)
GRAB_MUSHROOM_BURRITO, GRAB_STEAK_BURRITO, GET_MUSHROOM, GET_STEAK, GET_BOILED_RICE = range(19, 24)
GRAB_CHARCOAL, PASS_OBJECT, PUT_DOWN_OBJECT = range(24, 27)

# --- cooking stages of food on a grill or in a pot -------------------------------------------------------------
COOKING, READY, WARNING, BURNING = range(4)
STAGE_NAMES = ("cooking", "ready", "warning", "burning")

# --- how a skill ended -----------------------------------------------------------------------------------------
RUNNING, DONE, INVALID, TIMEOUT, INTERRUPTED = range(5)
END_NAMES = ("running", "done", "invalid", "timeout", "interrupted")

# --- public enums: the same numbers with names -------------------------------------------------------------------


class Action(IntEnum):
    """A primitive action; the first four are also the directions that a player can face."""

    NORTH = 0
    SOUTH = 1
    EAST = 2
    WEST = 3
    STAY = 4
    INTERACT = 5


class Skill(IntEnum):
    """One of the 27 macro-skills."""

    GO_TO_PAN_AND_FRY_INGREDIENT = 0
    GO_TO_POT_AND_BOIL_RICE = 1
    GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT = 2
    GO_TO_PUT_OUT_FIRE = 3
    STAY = 4
    GO_TO_SINK_TO_WASH_PLATE = 5
    GO_TO_TRASH_AND_THROW = 6
    GO_TO_SERVE_DISH = 7
    GRAB_MEAT = 8
    GRAB_MUSHROOM = 9
    GRAB_TORTILLA = 10
    GRAB_RICE = 11
    GRAB_DIRTY_PLATE = 12
    GRAB_CLEAN_PLATE = 13
    GRAB_FIRE_EXT = 14
    GRAB_CHOPPED_MUSHROOM = 15
    GRAB_CHOPPED_MEAT = 16
    GRAB_ONE_INGREDIENT_PLATE = 17
    GRAB_TWO_INGREDIENT_PLATE = 18
    GRAB_MUSHROOM_BURRITO_PLATE = 19
    GRAB_STEAK_BURRITO_PLATE = 20
    GET_MUSHROOM_FROM_GRILLER = 21
    GET_STEAK_FROM_GRILLER = 22
    GET_BOILED_RICE = 23
    GRAB_CHARCOAL = 24
    PASS_OBJECT = 25
    PUT_DOWN_OBJECT = 26


class Item(IntEnum):
    """An item that can lie on a tile or be held."""

    NOTHING = 0
    MEAT = 1
    MUSHROOM = 2
    RICE = 3
    TORTILLA = 4
    CHOPPED_MEAT = 5
    CHOPPED_MUSHROOM = 6
    DIRTY_PLATE = 7
    CHARCOAL = 8
    FIRE_EXT = 9
    CHOPPED_STEAK = 10
    FRIED_MUSHROOM = 11
    BOILED_RICE = 12
    CLEAN_PLATE = 16
    BOILED_RICE_PLATE = 20
    TORTILLA_PLATE = 24
    CHOPPED_STEAK_PLATE = 17
    FRIED_MUSHROOM_PLATE = 18
    BOILED_RICE_TORTILLA_PLATE = 28
    CHOPPED_STEAK_BOILED_RICE_PLATE = 21
    CHOPPED_STEAK_TORTILLA_PLATE = 25
    FRIED_MUSHROOM_BOILED_RICE_PLATE = 22
    FRIED_MUSHROOM_TORTILLA_PLATE = 26
    STEAK_BURRITO = 29
    MUSHROOM_BURRITO = 30


class Tile(IntEnum):
    """A kind of tile."""

    FLOOR = 0
    COUNTER = 1
    MEAT_DISPENSER = 2
    MUSHROOM_DISPENSER = 3
    RICE_DISPENSER = 4
    TORTILLA_DISPENSER = 5
    TRASH = 6
    BOARD = 7
    GRILL = 8
    POT = 9
    SINK = 10
    PLATE_STACK = 11
    WINDOW = 12


SKILL_NAMES = tuple(skill.name for skill in Skill)
