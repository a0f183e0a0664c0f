"""The useful tasks of a cook with free hands: with food, with plates, with burritos, against fire and full counters."""

from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import (
    CHARCOAL,
    DIRTY_PLATE,
    FIRE_EXT,
    GRAB_CHARCOAL,
    GRAB_DIRTY_PLATE,
    GRAB_FIRE_EXT,
    GRAB_RICE,
    NO_SKILL,
    PLATE,
    RICE,
)
from bba.planner.scripted.dishes import (
    GRAB_BURRITO,
    GRAB_CHOPPED,
    GRAB_RAW,
    NO_DISH,
    burrito_dish,
    chopped_dish,
    next_station,
    raw_dish,
)
from bba.planner.scripted.food_tasks import protein_tasks, rice_tasks
from bba.planner.scripted.planning_view import ANY, all_need_handover, may_serve, nearest_station, passes_full
from bba.planner.scripted.plate_tasks import plate_tasks, wash_tasks
from bba.planner.scripted.scene_facts import (
    BURNT,
    CODE,
    GRILLS,
    HELD,
    ITEMS,
    LIES,
    NOWHERE,
    OCCUPIED,
    PLACE,
    POTS,
    TAG,
    TASKS,
    TRASHES,
    WINDOWS,
    SceneFacts,
)
from bba.planner.scripted.task_list import CLEAR_PASS, FIRE, REMOVE_CHARCOAL, SERVE_FIRST, add_task, plate_skill


@outlined_kernel
def free_hand_tasks(facts: SceneFacts, cook: int) -> None:
    """Lists every task that the orders need and that can be continued, in no special order."""
    facts.numbers[TASKS] = 0
    fire_tasks(facts, cook)
    burrito_tasks(facts, cook)
    plate_tasks(facts, cook)
    protein_tasks(facts, cook)
    rice_tasks(facts, cook)
    wash_tasks(facts, cook)
    clearing_tasks(facts, cook)


@outlined_kernel
def fire_tasks(facts: SceneFacts, cook: int) -> None:
    """Fetch the extinguisher; take charcoal off a grill or out of a pot."""
    fire = NOWHERE
    for number in range(facts.numbers[ITEMS] - 1, -1, -1):
        if facts.items[number, TAG] == BURNT:
            fire = facts.items[number, LIES]
    if fire != NOWHERE and facts.cooks[1 - cook, HELD] != FIRE_EXT:
        for number in range(facts.numbers[ITEMS]):
            if facts.items[number, CODE] == FIRE_EXT:
                add_task(facts, cook, GRAB_FIRE_EXT, FIRE, facts.items[number, LIES], fire, FIRE_EXT, number)
    trash = nearest_station(facts, TRASHES, ANY, facts.cooks[cook, PLACE])
    stations = facts.stations
    for stove in range(stations.first[GRILLS], stations.first[POTS + 1]):
        place = stations.places[stove]
        burnt = facts.item_at[place]
        if burnt >= 0 and facts.items[burnt, CODE] == CHARCOAL and trash != NOWHERE:
            add_task(facts, cook, GRAB_CHARCOAL, REMOVE_CHARCOAL, place, trash, CHARCOAL, burnt)


@outlined_kernel
def burrito_tasks(facts: SceneFacts, cook: int) -> None:
    """Pick up a burrito that may be served."""
    window = nearest_station(facts, WINDOWS, ANY, facts.cooks[cook, PLACE])
    for number in range(facts.numbers[ITEMS]):
        code = facts.items[number, CODE]
        dish = burrito_dish(code)
        if dish != NO_DISH and window != NOWHERE and may_serve(facts, dish):
            add_task(facts, cook, GRAB_BURRITO[dish], SERVE_FIRST, facts.items[number, LIES], window, code, number)


@outlined_kernel
def clearing_tasks(facts: SceneFacts, cook: int) -> None:
    """If every pass counter is full, pick up what is not on its way to the other side."""
    if facts.numbers[OCCUPIED] == 0 or not passes_full(facts):
        return
    for counter in facts.stations.passes:
        number = facts.item_at[counter]
        if number >= 0:
            code = facts.items[number, CODE]
            skill = skill_to_grab(code)
            if skill != NO_SKILL and not all_need_handover(facts, cook, next_station(code)):
                add_task(facts, cook, skill, CLEAR_PASS, counter, counter, code, number)


@kernel
def skill_to_grab(code: int) -> int:
    """Returns the skill that picks an item up from a counter; NO_SKILL for charcoal, which no skill picks up there."""
    if burrito_dish(code) != NO_DISH:
        return GRAB_BURRITO[burrito_dish(code)]
    if raw_dish(code) != NO_DISH:
        return GRAB_RAW[raw_dish(code)]
    if chopped_dish(code) != NO_DISH:
        return GRAB_CHOPPED[chopped_dish(code)]
    if code >= PLATE:
        return plate_skill(code)
    if code == RICE:
        return GRAB_RICE
    if code == DIRTY_PLATE:
        return GRAB_DIRTY_PLATE
    return GRAB_FIRE_EXT if code == FIRE_EXT else NO_SKILL
