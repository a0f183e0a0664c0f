"""What a cook with full hands does: one rule for each kind of held item.

A rule returns the skill to run, or NO_SKILL if the item is of no use now and is to be put down.
"""

from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import (
    BOIL,
    BOILED_RICE,
    CHARCOAL,
    CHOP,
    DIRTY_PLATE,
    FIRE_EXT,
    FRY,
    GET_BOILED_RICE,
    GRAB_CHARCOAL,
    GRAB_ONE_INGREDIENT_PLATE,
    GRAB_TORTILLA,
    GRAB_TWO_INGREDIENT_PLATE,
    NO_SKILL,
    NOTHING,
    ON_PROTEIN,
    ON_RICE,
    ON_TORTILLA,
    PASS_OBJECT,
    PUT_DOWN_OBJECT,
    PUT_OUT_FIRE,
    RICE,
    SERVE,
    SKILL_STAY,
    THROW,
    TORTILLA,
    WASH,
)
from bba.planner.scripted.dishes import (
    BIT_OF,
    BURRITO_DISH,
    CHOPPED_DISH,
    COOKED_OF,
    GET_COOKED,
    NO_DISH,
    NO_FOOD,
    RAW_DISH,
)
from bba.planner.scripted.order_needs import (
    ANY,
    CHOPPED,
    DISH,
    GRAINS,
    GRAINS_WAIT,
    HAS_PLATE,
    HEATING,
    PROTEIN,
    PROTEIN_WAIT,
    RAW,
    READY,
    all_beyond,
    may_serve,
    nearest_food,
    nearest_station,
    needs_handover,
)
from bba.planner.scripted.scene_facts import (
    BOARDS,
    BURNT,
    GRILLS,
    HELD,
    ITEMS,
    LIES,
    ME,
    NOWHERE,
    PLACE,
    POTS,
    SINKS,
    SLOTS,
    TAG,
    TORTILLAS,
    WINDOWS,
    SceneFacts,
    distance,
)

COOKING_PATIENCE = 25  # steps to wait with a held plate for food that is cooking
ORDER_DELAY = 25  # steps of waiting that are acceptable to serve the orders in sequence
NOT_COOKING_WAIT = 100  # assumed steps until a protein is ready that is not on a grill yet


@outlined_kernel
def full_hand_skill(facts: SceneFacts) -> int:
    """Returns the skill of the deciding cook, which holds something."""
    skill = use_of(facts, facts.cooks[ME, HELD])
    if skill == NO_SKILL:
        skill = first_feasible(facts, PUT_DOWN_OBJECT, PASS_OBJECT)  # pass the item if no counter is free
    if skill == NO_SKILL:
        skill = SKILL_STAY
    return skill


@kernel
def use_of(facts: SceneFacts, held: int) -> int:
    """Returns the skill that uses the held item; NO_SKILL if there is no use for it now."""
    if RAW_DISH[held] != NO_DISH:
        if not is_needed(facts, RAW_DISH[held], PROTEIN, RAW):
            return NO_SKILL
        return use_station(facts, BOARDS, CHOP, CHOP)
    if CHOPPED_DISH[held] != NO_DISH:
        if not is_needed(facts, CHOPPED_DISH[held], PROTEIN, CHOPPED):
            return NO_SKILL
        return use_station(facts, GRILLS, FRY, GRAB_CHARCOAL)
    if BURRITO_DISH[held] != NO_DISH:
        if not may_serve(facts, BURRITO_DISH[held]):  # serving it before its order is next would end the streak
            return NO_SKILL
        return use_station(facts, WINDOWS, SERVE, SERVE)
    if held == RICE:
        if not is_needed(facts, NO_DISH, GRAINS, RAW):
            return NO_SKILL
        return use_station(facts, POTS, BOIL, GRAB_CHARCOAL)
    if held == DIRTY_PLATE:
        return use_station(facts, SINKS, WASH, WASH)
    if held == CHARCOAL:  # however far the trash is: no skill picks charcoal up from a counter
        return first_feasible(facts, THROW, THROW)
    if held == FIRE_EXT:
        return extinguish(facts)
    if held == TORTILLA:  # goes onto a plate that is on a counter
        return first_feasible(facts, GRAB_TWO_INGREDIENT_PLATE, GRAB_ONE_INGREDIENT_PLATE)
    return fill_plate(facts)


@outlined_kernel
def use_station(facts: SceneFacts, kind: int, skill: int, otherwise: int) -> int:
    """Returns the hand-over if only the other cook reaches stations of a kind, else the first feasible skill of two."""
    if facts.feasible[PASS_OBJECT] and all_beyond(facts, ME, kind, True):
        return PASS_OBJECT
    return first_feasible(facts, skill, otherwise)


@kernel
def first_feasible(facts: SceneFacts, skill: int, otherwise: int) -> int:
    """Returns the first of two skills that can be started; NO_SKILL if neither can."""
    if facts.feasible[skill]:
        return skill
    if facts.feasible[otherwise]:
        return otherwise
    return NO_SKILL


@kernel
def is_needed(facts: SceneFacts, dish: int, part: int, stage: int) -> bool:
    """Whether an order for this dish, or for any with NO_DISH, needs a part (PROTEIN or GRAINS) of this stage.

    Food that no order needs would end as charcoal.
    """
    for rank in range(facts.numbers[SLOTS]):
        slot = facts.slots[rank]
        if slot[part] == stage and (dish == NO_DISH or dish == slot[DISH]):
            return True
    return False


@kernel
def extinguish(facts: SceneFacts) -> int:
    """Put the fire out, or pass the extinguisher to the side of the fire; without a fire it is of no use."""
    any_fire = False
    all_beyond_wall = True
    for number in range(facts.numbers[ITEMS]):
        if facts.items[number, TAG] == BURNT:
            any_fire = True
            all_beyond_wall = all_beyond_wall and needs_handover(facts, ME, facts.items[number, LIES])
    if any_fire and all_beyond_wall and facts.feasible[PASS_OBJECT]:
        return PASS_OBJECT
    return first_feasible(facts, PUT_OUT_FIRE, PUT_OUT_FIRE)


@outlined_kernel
def fill_plate(facts: SceneFacts) -> int:
    """Add the nearest part that the plate's order lacks; wait for one that is nearly ready; else put the plate down."""
    rank = order_for(facts)
    if rank < 0:
        return NO_SKILL
    slot = facts.slots[rank]
    held = facts.cooks[ME, HELD]
    start = facts.cooks[ME, PLACE]
    tortilla = NOWHERE
    if not held & ON_TORTILLA:
        tortilla = nearest_station(facts, TORTILLAS, ANY, start)
    protein = NOWHERE
    if not held & ON_PROTEIN:
        protein = nearest_food(facts, COOKED_OF[slot[DISH]], NO_FOOD, start, True)
    rice = NOWHERE
    if slot[GRAINS] == READY and not held & ON_RICE:
        rice = nearest_food(facts, NO_FOOD, BOILED_RICE, start, True)
    best = NO_SKILL
    least = 0
    any_part = False
    for skill, place in ((GRAB_TORTILLA, tortilla), (GET_COOKED[slot[DISH]], protein), (GET_BOILED_RICE, rice)):
        if place == NOWHERE:
            continue
        is_feasible = bool(facts.feasible[skill])
        is_beyond = needs_handover(facts, ME, place)
        any_part = any_part or is_feasible or is_beyond
        tiles = distance(facts, start, place)
        if is_feasible and not is_beyond and (best == NO_SKILL or tiles < least):
            best = skill
            least = tiles
    if best != NO_SKILL:
        return best
    if any_part and facts.feasible[PASS_OBJECT]:
        return PASS_OBJECT
    if is_soon(slot[PROTEIN], slot[PROTEIN_WAIT]) or is_soon(slot[GRAINS], slot[GRAINS_WAIT]):
        return SKILL_STAY
    return NO_SKILL


@kernel
def is_soon(stage: int, wait: int) -> bool:
    """Whether a part is nearly cooked."""
    return stage == HEATING and wait <= COOKING_PATIENCE


@kernel
def order_for(facts: SceneFacts) -> int:
    """Returns the rank of the held plate's order; -1 if there is none.

    It is the first one, unless the protein of another is ready much earlier.
    """
    held = facts.cooks[ME, HELD]
    protein = held & ON_PROTEIN
    best = -1
    least = 0
    for rank in range(facts.numbers[SLOTS]):
        slot = facts.slots[rank]
        plate_suits = slot[HAS_PLATE] == NOTHING or slot[HAS_PLATE] == held
        if plate_suits and (protein == 0 or protein == BIT_OF[slot[DISH]]):
            delay = rank * ORDER_DELAY
            if protein == 0:
                delay += min(slot[PROTEIN_WAIT], NOT_COOKING_WAIT)
            if best < 0 or delay < least:
                best = rank
                least = delay
    return best
