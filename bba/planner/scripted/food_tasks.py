"""The tasks that make food for the next orders: protein and rice."""

from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import CHOP, GRAB_RICE, RICE
from bba.planner.scripted.dishes import (
    CHOPPED_OF,
    GRAB_CHOPPED,
    GRAB_RAW,
    NO_DISH,
    RAW_OF,
    SOURCE,
    chopped_dish,
    raw_dish,
)
from bba.planner.scripted.order_needs import CHOPPED, DISH, GRAINS, MISSING, PROTEIN, RAW
from bba.planner.scripted.planning_view import EMPTY, USABLE, count_stations
from bba.planner.scripted.scene_facts import (
    BOARDS,
    CODE,
    GRILLS,
    HELD,
    ITEMS,
    LIES,
    POTS,
    RICES,
    SLOTS,
    TAG,
    UNREADY,
    SceneFacts,
)
from bba.planner.scripted.task_list import CONTINUE_CHOPPING, FETCH, FRY_NEXT, RANK_VALUE, add_task, fetch, take


@outlined_kernel
def protein_tasks(facts: SceneFacts, cook: int) -> None:
    """Fetch protein, chop it and fry it."""
    held = facts.cooks[1 - cook, HELD]
    grill_left = count_stations(facts, GRILLS, USABLE) - (chopped_dish(held) != NO_DISH) > 0
    board_left = count_stations(facts, BOARDS, EMPTY) - (raw_dish(held) != NO_DISH) > 0
    for rank in range(facts.numbers[SLOTS]):
        value, dish, stage = RANK_VALUE[rank], facts.slots[rank, DISH], facts.slots[rank, PROTEIN]
        if stage == CHOPPED and grill_left:
            take(facts, cook, GRAB_CHOPPED[dish], CHOPPED_OF[dish], FRY_NEXT * value, GRILLS, USABLE)
        elif stage == RAW:
            continue_chopping(facts, cook, CHOPPED_OF[dish], CONTINUE_CHOPPING * value)
            if board_left:
                take(facts, cook, GRAB_RAW[dish], RAW_OF[dish], FETCH * value, BOARDS, EMPTY)
        elif stage == MISSING and board_left:
            fetch(facts, cook, SOURCE[dish], GRAB_RAW[dish], RAW_OF[dish], FETCH * value, BOARDS, EMPTY)


@outlined_kernel
def rice_tasks(facts: SceneFacts, cook: int) -> None:
    """Fetch rice."""
    if count_stations(facts, POTS, USABLE) - (facts.cooks[1 - cook, HELD] == RICE) <= 0:
        return
    for rank in range(facts.numbers[SLOTS]):
        value, stage = FETCH * RANK_VALUE[rank], facts.slots[rank, GRAINS]
        if stage == RAW:
            take(facts, cook, GRAB_RICE, RICE, value, POTS, USABLE)
        elif stage == MISSING:
            fetch(facts, cook, RICES, GRAB_RICE, RICE, value, POTS, USABLE)


@kernel
def continue_chopping(facts: SceneFacts, cook: int, code: int, value: float) -> None:
    """Chop food on that is on a board."""
    for number in range(facts.numbers[ITEMS]):
        item = facts.items[number]
        if item[CODE] == code and item[TAG] == UNREADY:
            add_task(facts, cook, CHOP, value, item[LIES], item[LIES], code, number)
