"""The list of tasks: what a task is, and the ways in which one begins.

Each has a value, a start and a goal. The values were tuned on games of two such cooks in the four shipped kitchens, to
about ten per cent.
"""

from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import GRAB_CLEAN_PLATE, GRAB_ONE_INGREDIENT_PLATE, GRAB_TWO_INGREDIENT_PLATE
from bba.planner.scripted.dishes import parts_on
from bba.planner.scripted.planning_view import ANY, nearer_decoy, nearest_station, needs_handover, passes_full
from bba.planner.scripted.scene_facts import (
    CHOPPED_READY,
    CODE,
    ITEMS,
    LIES,
    NOWHERE,
    PASSES,
    PLACE,
    TAG,
    TASKS,
    UNTAGGED,
    SceneFacts,
)

# Columns of `SceneFacts.tasks`: the skill that starts a task; where it ends, and where the item goes then; the code of
# the item that the cook then holds; and the item that it removes from the scene, NO_ITEM from a dispenser or the stack.
# A value is the number of tiles that a cook may walk for it.
SKILL, START, GOAL, HELD_AFTER, ITEM = range(5)
NO_ITEM = -1

RANK_VALUE = (1.0, 0.85, 0.7, 0.5)  # factor on a task's value for the first order, the second, ...

# Value of a task for the first order, in tiles that a cook may walk for it.
FIRE = 200.0
SERVE_FIRST = 90.0
FILL = 55.0
FILLED = 5.0  # added for each part that is already on the plate
FRY_NEXT = 55.0
REMOVE_CHARCOAL = 50.0
CONTINUE_CHOPPING = 50.0
FETCH = 52.0
DIRTY = 39.0
LATE = 5.0  # added for plates if food that needs one is cooking or ready
RUSH = 10.0  # added for plates if food will burn without one
RINSE = 10.0  # added to continue with a plate that is in the sink
CLEAR_PASS = 20.0

STEPS_A_TILE = 3  # with mobility noise a move succeeds about once in three steps
SPOILING = 50  # steps before its warning from which ready food is urgent if the teammate is idle
SLACK = 10  # steps that a plate may arrive before the food is ready


@outlined_kernel
def add_task(
    facts: SceneFacts, cook: int, skill: int, value: float, start: int, goal: int, held_after: int, item: int
) -> None:
    """Lists a task if it can go on: a hand-over must not start at a pass counter and needs a free one."""
    if needs_handover(facts, cook, goal) and (facts.stations.kind[start] == PASSES or passes_full(facts)):
        return
    number = facts.numbers[TASKS]
    task = facts.tasks[number]
    task[SKILL], task[START], task[GOAL], task[HELD_AFTER], task[ITEM] = skill, start, goal, held_after, item
    facts.values[number] = value
    facts.numbers[TASKS] = number + 1


@outlined_kernel
def fetch(facts: SceneFacts, cook: int, kind: int, skill: int, code: int, value: float, goals: int, which: int) -> None:
    """Take an item from its dispenser or the plate stack to the nearest of the goals."""
    source = nearest_station(facts, kind, ANY, facts.cooks[cook, PLACE])
    if source == NOWHERE:
        return
    goal = nearest_station(facts, goals, which, source)
    if goal != NOWHERE and not nearer_decoy(facts, cook, code, source):
        add_task(facts, cook, skill, value, source, goal, code, NO_ITEM)


@outlined_kernel
def take(facts: SceneFacts, cook: int, skill: int, code: int, value: float, goals: int, which: int) -> None:
    """Take an item that is ready somewhere to the nearest of the goals."""
    for number in range(facts.numbers[ITEMS]):
        item = facts.items[number]
        if item[CODE] == code and (item[TAG] == UNTAGGED or item[TAG] == CHOPPED_READY):
            goal = nearest_station(facts, goals, which, item[LIES])
            if goal != NOWHERE:
                add_task(facts, cook, skill, value, item[LIES], goal, code, number)


@kernel
def plate_skill(plate: int) -> int:
    """Returns the skill that picks up a plate with no, one or two parts on it."""
    return (GRAB_CLEAN_PLATE, GRAB_ONE_INGREDIENT_PLATE, GRAB_TWO_INGREDIENT_PLATE)[parts_on(plate)]
