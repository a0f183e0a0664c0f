"""The work of a role: what a cook does that pursues one role, out of the tasks that the scripted planner sees.

It works on tasks of its role. If the role has none, it takes a task of a complementary role, then of any other; a
locked cook prepares within its role or waits. If it holds an item that the role has no use for, it puts the item down
if the role has other work, and otherwise finishes it first; charcoal, which no skill takes off a counter, it always
finishes.
"""

from bba.belief import COMPLEMENTS, NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL
from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import CHARCOAL, NOTHING, PASS_OBJECT, PUT_DOWN_OBJECT, SKILL_STAY
from bba.kitchen.grid import Grid
from bba.kitchen.state import HEADER, StateVector
from bba.kitchen.state import HELD as HOLDS
from bba.planner.scripted.carrying import full_hand_skill
from bba.planner.scripted.dishes import STEAK, next_use
from bba.planner.scripted.planning_view import look, needs_handover, walking_cost
from bba.planner.scripted.scene_facts import ME, TASKS, Ints, SceneFacts
from bba.planner.scripted.state_facts import read_state
from bba.planner.scripted.task_list import GOAL, HELD_AFTER, SKILL, START
from bba.planner.scripted.tasks import free_hand_tasks

# What a cook may note beside its choice.
NO_NOTE, PUTS_DOWN, FINISHES, INSTEAD, USELESS, WAITS, PREPARES = range(7)
# The roles that a cook pursues in turn, its own first, then those that complement it and the others, then none.
PURSUED = tuple(
    (role, *fitting, *[other for other in range(len(ROLE_NAMES)) if other not in (role, *fitting)], NO_ROLE)
    for role, fitting in enumerate(COMPLEMENTS)
)


@outlined_kernel
def role_skill(
    grid: Grid, width: int, state: StateVector, player: int, role: int, locked: bool, facts: SceneFacts
) -> tuple[int, int]:
    """Returns a skill for the role, or for another role if this one has no work, and a note about that.

    The state is changed for a moment.
    """
    read_state(grid, width, state, player, facts)
    held = state[HOLDS + player]
    if held == NOTHING:
        list_work(facts)
        return work_within(facts, role) if locked else work_for(facts, role)
    look(facts)
    finishing = full_hand_skill(facts)
    if ROLE_OF_SKILL[finishing] == role:
        return finishing, NO_NOTE
    if held != CHARCOAL and has_other_work(grid, width, state, player, role, facts):
        return PUT_DOWN_OBJECT, PUTS_DOWN
    return finishing, FINISHES


@kernel
def role_skills(
    grid: Grid, width: int, state: StateVector, player: int, role: int, facts: SceneFacts, found: Ints
) -> None:
    """Writes 1 for the skills within the role of a cook with free hands, (27,)."""
    read_state(grid, width, state, player, facts)
    list_work(facts)
    skills_within(facts, role, found)


@outlined_kernel
def list_work(facts: SceneFacts) -> None:
    """Lists the tasks of the deciding cook, as of one with free hands."""
    look(facts)
    free_hand_tasks(facts, ME)


def note_text(note: int, role: int, skill: int) -> str:
    """Returns a note in words."""
    name, does = ROLE_NAMES[role], ROLE_OF_SKILL[skill]
    instead = "handles the fire" if does == NO_ROLE else f"does {ROLE_NAMES[does]}"
    return (
        "",
        f"puts down what {name} has no use for",
        f"finishes what it holds before {name}",
        f"nothing for {name}: {instead}",
        f"nothing useful for {name} or any other role",
        f"nothing for {name}: waits",
        f"prepares for {name}",
    )[note]


@outlined_kernel
def has_other_work(grid: Grid, width: int, state: StateVector, player: int, role: int, facts: SceneFacts) -> bool:
    """Whether the role has work for free hands other than picking up again what was put down for it."""
    tile = facts.targets[0, PUT_DOWN_OBJECT]
    if tile < 0:
        return False
    held = state[HOLDS + player]
    state[HEADER + tile], state[HOLDS + player] = held, NOTHING
    read_state(grid, width, state, player, facts)
    state[HEADER + tile], state[HOLDS + player] = NOTHING, held
    list_work(facts)
    task = best_of_role(facts, role, False)
    return task >= 0 and facts.tasks[task, HELD_AFTER] != held


@outlined_kernel
def best_of_role(facts: SceneFacts, role: int, prepares: bool) -> int:
    """Returns the task of a role with the highest value minus walking cost that can be started; -1 if there is none.

    With `prepares`, tasks that prepare for the role count, too.
    """
    best, least = -1, 0.0
    for number in range(facts.numbers[TASKS]):
        task = facts.tasks[number]
        suits = ROLE_OF_SKILL[task[SKILL]] == role or (prepares and ROLE_OF_SKILL[next_skill(facts, number)] == role)
        if suits and facts.feasible[task[SKILL]]:
            cost = walking_cost(facts, ME, task[START], task[GOAL]) - facts.values[number]
            if best < 0 or cost < least:
                best, least = number, cost
    return best


@kernel
def next_skill(facts: SceneFacts, number: int) -> int:
    """Returns the skill for which a task picks its item up; its own skill if it is work in one place."""
    task = facts.tasks[number]
    if task[START] == task[GOAL]:
        return task[SKILL]
    return PASS_OBJECT if needs_handover(facts, ME, task[GOAL]) else next_use(task[HELD_AFTER], STEAK)


@outlined_kernel
def work_for(facts: SceneFacts, role: int) -> tuple[int, int]:
    """Returns the skill of the first task of the role, else of its complements in order, else of any; or STAY."""
    for pursued in PURSUED[role]:
        task = best_of_role(facts, pursued, False)
        if task >= 0:
            return facts.tasks[task, SKILL], NO_NOTE if pursued == role else INSTEAD
    return SKILL_STAY, USELESS


@outlined_kernel
def work_within(facts: SceneFacts, role: int) -> tuple[int, int]:
    """Returns the skill of the first task of the role or that prepares for it, else that handles a fire; or STAY."""
    task = best_of_role(facts, role, True)
    if task < 0:
        task = best_of_role(facts, NO_ROLE, False)
    if task < 0:
        return SKILL_STAY, WAITS
    skill = facts.tasks[task, SKILL]
    if ROLE_OF_SKILL[skill] == NO_ROLE:
        return skill, INSTEAD
    return skill, NO_NOTE if ROLE_OF_SKILL[skill] == role else PREPARES


@outlined_kernel
def skills_within(facts: SceneFacts, role: int, found: Ints) -> None:
    """Writes 1 for the skills that start the role's own tasks, or tasks that prepare for it, (27,).

    Without such a task it writes those that handle a fire.
    """
    found[:] = 0
    for number in range(facts.numbers[TASKS]):
        skill = facts.tasks[number, SKILL]
        own = ROLE_OF_SKILL[skill] == role or ROLE_OF_SKILL[next_skill(facts, number)] == role
        if own and ROLE_OF_SKILL[skill] != NO_ROLE and facts.feasible[skill]:
            found[skill] = 1
    if found.sum() == 0:
        for number in range(facts.numbers[TASKS]):
            skill = facts.tasks[number, SKILL]
            if ROLE_OF_SKILL[skill] == NO_ROLE and facts.feasible[skill]:
                found[skill] = 1
