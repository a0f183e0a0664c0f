"""The small integers that the rules compute with, and their names.

The kernels (rules, skills, controller, likelihood) use these module-level ints: enum members are many times
slower in plain Python. The enums at the end are the same numbers for everybody else.

Items: 0 is nothing; 1 to 12 are single items; a clean plate is ``PLATE`` (16) plus the bits of what lies on it.
"""

from enum import IntEnum

# --- primitive actions, in Overcooked-AI's order; the first four double as facings -----------------------------
NORTH, SOUTH, EAST, WEST, WAIT, INTERACT = range(6)
N_ACTIONS = 6
ACTION_NAMES = ("north", "south", "east", "west", "stay", "interact")

# --- tiles -----------------------------------------------------------------------------------------------------
(
    FLOOR,
    COUNTER,
    MEAT_SOURCE,
    MUSHROOM_SOURCE,
    RICE_SOURCE,
    TORTILLA_SOURCE,
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
CHOPPED_STEAK, FRIED_MUSHROOM, BOILED_RICE = 10, 11, 12  # on a grill or in a pot only, never in a hand

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
SKILL_NAMES = (
    "GO_TO_PAN_AND_FRY_INGREDIENT",
    "GO_TO_POT_AND_BOIL_RICE",
    "GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT",
    "GO_TO_PUT_OUT_FIRE",
    "STAY",
    "GO_TO_SINK_TO_WASH_PLATE",
    "GO_TO_TRASH_AND_THROW",
    "GO_TO_SERVE_DISH",
    "GRAB_MEAT",
    "GRAB_MUSHROOM",
    "GRAB_TORTILLA",
    "GRAB_RICE",
    "GRAB_DIRTY_PLATE",
    "GRAB_CLEAN_PLATE",
    "GRAB_FIRE_EXT",
    "GRAB_CHOPPED_MUSHROOM",
    "GRAB_CHOPPED_MEAT",
    "GRAB_ONE_INGREDIENT_PLATE",
    "GRAB_TWO_INGREDIENT_PLATE",
    "GRAB_MUSHROOM_BURRITO_PLATE",
    "GRAB_STEAK_BURRITO_PLATE",
    "GET_MUSHROOM_FROM_GRILLER",
    "GET_STEAK_FROM_GRILLER",
    "GET_BOILED_RICE",
    "GRAB_CHARCOAL",
    "PASS_OBJECT",
    "PUT_DOWN_OBJECT",
)
N_SKILLS = 27
NO_SKILL = -1
FRY, BOIL, CHOP, PUT_OUT_FIRE, STAY, WASH, THROW, SERVE = range(8)
GRAB_MEAT, GRAB_MUSHROOM, GRAB_TORTILLA, GRAB_RICE, GRAB_DIRTY_PLATE, GRAB_CLEAN_PLATE, GRAB_FIRE_EXT = range(8, 15)
GRAB_CHOPPED_MUSHROOM, GRAB_CHOPPED_MEAT, GRAB_ONE_INGREDIENT_PLATE, GRAB_TWO_INGREDIENT_PLATE = range(15, 19)
GRAB_MUSHROOM_BURRITO, GRAB_STEAK_BURRITO, GET_MUSHROOM, GET_STEAK, GET_BOILED_RICE = range(19, 24)
GRAB_CHARCOAL, PASS_OBJECT, PUT_DOWN_OBJECT = range(24, 27)

# --- how far food on a grill or in a pot has got ---------------------------------------------------------------
COOKING, READY, WARNING, BURNING = range(4)
STAGE_NAMES = ("cooking", "ready", "warning", "burning")

# --- how a skill ended -----------------------------------------------------------------------------------------
RUNNING, DONE, INVALID, TIMEOUT, INTERRUPTED = range(5)
END_NAMES = ("running", "done", "invalid", "timeout", "interrupted")

# The public face: the same numbers with names.
Action = IntEnum("Action", {n.upper(): i for i, n in enumerate(ACTION_NAMES)})
Skill = IntEnum("Skill", {n: i for i, n in enumerate(SKILL_NAMES)})
Item = IntEnum("Item", {n.upper().replace("-", "_"): c for c, n in ITEM_NAMES.items()} | {"NOTHING": 0})
Tile = IntEnum("Tile", {n.upper(): i for i, n in enumerate(TILE_NAMES)})
