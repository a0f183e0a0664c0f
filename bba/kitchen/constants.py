"""Integer codes of actions, tiles, items and skills, their names, and the indices of the state vector.

Each enum declares its numbers once, for all code outside the kernels. The kernels (rules, skills, controller,
likelihood) use the module-level ints taken from them, because enum members are many times slower in plain Python.

Item codes: 0 is nothing; 1 to 12 are single items; a clean plate is ``CLEAN_PLATE`` (16) plus one bit for each food on
it: 1 steak, 2 mushroom, 4 rice, 8 tortilla.

The state of one game is a vector of int32: a header of `STATE_HEADER` numbers, then the item on each of the T tiles,
then the progress on each tile: chops on a board, rinses in a sink, steps of cooking on a grill or in a pot. The vector
is the whole game: a copy is a fork, its bytes give its hash, and N of them stacked are a batch.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray


# --- primitive actions, in Overcooked-AI's order -----------------------------------------------------------------
class Action(IntEnum):
    """A primitive action; the first four are also the directions that a player can face."""

    NORTH, SOUTH, EAST, WEST, STAY, INTERACT = range(6)


NORTH, SOUTH, EAST, WEST, ACTION_STAY, INTERACT = map(int, Action)
N_ACTIONS = len(Action)
ACTION_NAMES = tuple(action.name.lower() for action in Action)


# --- tiles -----------------------------------------------------------------------------------------------------
class Tile(IntEnum):
    """A kind of tile."""

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
) = map(int, Tile)
TILE_CHARS = " XMZRTUBGPWDS"
TILE_NAMES = tuple(tile.name.lower() for tile in Tile)


# --- items -----------------------------------------------------------------------------------------------------
class Item(IntEnum):
    """An item that can lie on a tile or be held."""

    NOTHING, MEAT, MUSHROOM, RICE, TORTILLA, CHOPPED_MEAT, CHOPPED_MUSHROOM, DIRTY_PLATE, CHARCOAL, FIRE_EXT = range(10)
    CHOPPED_STEAK, FRIED_MUSHROOM, BOILED_RICE = range(10, 13)  # on a grill or in a pot only, never held
    CLEAN_PLATE, CHOPPED_STEAK_PLATE, FRIED_MUSHROOM_PLATE = range(16, 19)
    BOILED_RICE_PLATE, CHOPPED_STEAK_BOILED_RICE_PLATE, FRIED_MUSHROOM_BOILED_RICE_PLATE = range(20, 23)
    TORTILLA_PLATE, CHOPPED_STEAK_TORTILLA_PLATE, FRIED_MUSHROOM_TORTILLA_PLATE = range(24, 27)
    BOILED_RICE_TORTILLA_PLATE, STEAK_BURRITO, MUSHROOM_BURRITO = range(28, 31)


NOTHING, MEAT, MUSHROOM, RICE, TORTILLA = map(int, list(Item)[:5])
CHOPPED_MEAT, CHOPPED_MUSHROOM, DIRTY_PLATE, CHARCOAL, FIRE_EXT = map(int, list(Item)[5:10])
CHOPPED_STEAK, FRIED_MUSHROOM, BOILED_RICE, PLATE = map(int, list(Item)[10:14])
STEAK_BURRITO = int(Item.STEAK_BURRITO)
MUSHROOM_BURRITO = int(Item.MUSHROOM_BURRITO)
ON_STEAK = 1
ON_MUSHROOM = 2
ON_RICE = 4
ON_TORTILLA = 8
ON_PROTEIN = ON_STEAK | ON_MUSHROOM

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
class Skill(IntEnum):
    """One of the 27 macro-skills."""

    (
        GO_TO_PAN_AND_FRY_INGREDIENT,
        GO_TO_POT_AND_BOIL_RICE,
        GO_TO_CHOP_BOARD_AND_CHOP_INGREDIENT,
        GO_TO_PUT_OUT_FIRE,
        STAY,
        GO_TO_SINK_TO_WASH_PLATE,
        GO_TO_TRASH_AND_THROW,
        GO_TO_SERVE_DISH,
        GRAB_MEAT,
        GRAB_MUSHROOM,
        GRAB_TORTILLA,
        GRAB_RICE,
        GRAB_DIRTY_PLATE,
        GRAB_CLEAN_PLATE,
        GRAB_FIRE_EXT,
        GRAB_CHOPPED_MUSHROOM,
        GRAB_CHOPPED_MEAT,
        GRAB_ONE_INGREDIENT_PLATE,
        GRAB_TWO_INGREDIENT_PLATE,
        GRAB_MUSHROOM_BURRITO_PLATE,
        GRAB_STEAK_BURRITO_PLATE,
        GET_MUSHROOM_FROM_GRILLER,
        GET_STEAK_FROM_GRILLER,
        GET_BOILED_RICE,
        GRAB_CHARCOAL,
        PASS_OBJECT,
        PUT_DOWN_OBJECT,
    ) = range(27)


(
    FRY,
    BOIL,
    CHOP,
    PUT_OUT_FIRE,
    SKILL_STAY,
    WASH,
    THROW,
    SERVE,
    GRAB_MEAT,
    GRAB_MUSHROOM,
    GRAB_TORTILLA,
    GRAB_RICE,
    GRAB_DIRTY_PLATE,
    GRAB_CLEAN_PLATE,
    GRAB_FIRE_EXT,
    GRAB_CHOPPED_MUSHROOM,
    GRAB_CHOPPED_MEAT,
    GRAB_ONE_INGREDIENT_PLATE,
    GRAB_TWO_INGREDIENT_PLATE,
    GRAB_MUSHROOM_BURRITO,
    GRAB_STEAK_BURRITO,
    GET_MUSHROOM,
    GET_STEAK,
    GET_BOILED_RICE,
    GRAB_CHARCOAL,
    PASS_OBJECT,
    PUT_DOWN_OBJECT,
) = map(int, Skill)
N_SKILLS = len(Skill)
NO_SKILL = -1
SKILL_NAMES = tuple(skill.name for skill in Skill)

# --- cooking stages of food on a grill or in a pot -------------------------------------------------------------
COOKING, READY, WARNING, BURNING = range(4)
STAGE_NAMES = ("cooking", "ready", "warning", "burning")

# --- how a skill ended -----------------------------------------------------------------------------------------
RUNNING, DONE, INVALID, TIMEOUT, INTERRUPTED = range(5)
END_NAMES = ("running", "done", "invalid", "timeout", "interrupted")

# --- arrays by what they hold --------------------------------------------------------------------------------------
Int32Array = NDArray[np.int32]
Int64Array = NDArray[np.int64]
IndexArray = NDArray[np.intp]
Float32Array = NDArray[np.float32]
Float64Array = NDArray[np.float64]
BoolArray = NDArray[np.bool_]
ByteArray = NDArray[np.uint8]

# --- the state vector ----------------------------------------------------------------------------------------------
StateVector = Int32Array
MAX_ORDERS = 4

(
    STEP,  # steps played
    KEY,  # the key of all random draws
    SCORE,  # reward so far
    REWARD,  # reward of the last step
    STREAK,  # deliveries for the first order in a row
    DIRTY_PLATES,  # dirty plates on the stack
    NEXT_DISH,  # dish of the next new order: 0 steak, 1 mushroom
    N_ORDERS,  # active orders
    DELIVERIES,  # burritos delivered
    DELIVERED_IN_ORDER,  # of these, those that matched the first order
    EXPIRED,  # orders that ran out of time
    FIRES,  # times that food began to burn
) = range(12)
DISH = 12  # one number per order slot: 0 steak, 1 mushroom
TIME_LEFT = DISH + MAX_ORDERS  # one number per order slot: steps left
POSITION = TIME_LEFT + MAX_ORDERS  # from here on one number per player: the tile that it stands on
FACING = POSITION + 2  # direction, 0 to 3
HELD = FACING + 2  # code of the held item, NOTHING for none
MOBILITY = HELD + 2  # probability that a direction action is carried out, times MOBILITY_ONE
EVENT = MOBILITY + 2  # skill that the interaction of the last step completed or advanced; NO_SKILL for none
COMPLETED = EVENT + 2  # 1 where that skill was completed
STATE_HEADER = COMPLETED + 2

MOBILITY_ONE = 2**31 - 1  # a mobility of 1: every direction action is carried out
DISHES = ITEM_NAMES[STEAK_BURRITO], ITEM_NAMES[MUSHROOM_BURRITO]
