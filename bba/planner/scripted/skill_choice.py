"""The choice of a skill: full hands follow the rule for the held item, free hands take the best task: value minus cost.

The teammate's next task is predicted, so that the work is not done twice. With a belief in the prompt this is the best
task, weighted by the posterior of its role. Without one it is the use of what the teammate holds, or the work at the
station that it faces; for a teammate that walks with free hands it is unknown.

With a belief in the prompt the roles complement each other. A task in the teammate's probable role is rated lower by
the probability of that role, so that of two similar tasks the one outside the teammate's role is taken.

A cook that pursues one role works on tasks of it (`role_skill`). If the role has none, it takes a task of a
complementary role, then of any other; a locked cook prepares within its role or waits. If it holds an item that the
role has no use for, it puts the item down if the role has other work, and otherwise finishes it first; charcoal, which
no skill takes off a counter, it always finishes.
"""

from typing import NamedTuple

from bba.belief.roles import COMPLEMENTS, NO_ROLE, ROLE_NAMES, ROLE_OF_SKILL, ROLE_SKILLS
from bba.kernels import kernel, outlined_kernel
from bba.kitchen import (
    CHARCOAL,
    NO_SKILL,
    NOTHING,
    PASS_OBJECT,
    PUT_DOWN_OBJECT,
    SKILL_STAY,
    STATE_HEADER,
    STEP,
    Float64Array,
    Grid,
    Int32Array,
    StateVector,
)
from bba.kitchen import HELD as HOLDS
from bba.planner.scripted.dishes import STEAK, next_use
from bba.planner.scripted.free_hands import GOAL, HELD_AFTER, ITEM, NO_ITEM, SKILL, START, free_hand_tasks
from bba.planner.scripted.full_hands import full_hand_skill
from bba.planner.scripted.order_needs import first_dish, look, needs_handover, walking_cost
from bba.planner.scripted.scene_facts import (
    ACROSS_OF,
    CODE,
    CONFIDENT,
    DOWN_OF,
    FACED,
    FACING,
    HELD,
    IDLE,
    LIES,
    MATE,
    ME,
    NO_STATION,
    PADDED_SIDE,
    PLACE,
    TAG,
    TASKS,
    UNTAGGED,
    SceneFacts,
    distance,
    note_idleness,
    read_state,
    separated,
    show_belief,
)

HEADING_BONUS = 15.0  # tiles added to a task's rating if the teammate walks towards it, subtracted if it walks away
ROLE_BONUS = 40.0  # tiles added to a task's rating at posterior 1 of its role
LEAST_RATING = -15.0  # a task rated lower is not started: waiting for the teammate's hand-over is better
# Rating lost by a task in the teammate's role at probability 1, as work may be done twice. Told the true role, the
# planner earns as much at 12 as at 0, with fewer duplicates, and no more at 24 (docs/results/reproduction.md).
OVERLAP_PENALTY = 12.0
FIRST_SKILL = tuple(skills[0] for skills in ROLE_SKILLS)  # of each role


@kernel
def choose_skill(facts: SceneFacts) -> tuple[int, int]:
    """Returns the skill to run, always a feasible one, and the one that the teammate probably runs."""
    expected, held_after, item = likely_task(facts)
    if facts.cooks[ME, HELD] != NOTHING:
        look(facts)
        return full_hand_skill(facts), expected_skill(facts, expected)
    predict_mate(facts, expected, held_after, item)
    return best_skill(facts), expected_skill(facts, expected)


@outlined_kernel
def likely_task(facts: SceneFacts) -> tuple[int, int, int]:
    """Returns the probable task of a teammate with free hands: skill, item held after it, and the item that it takes.

    The skill is NO_SKILL if the teammate is idle or its task is unknown.
    """
    nothing = NO_SKILL, NOTHING, NO_ITEM
    if facts.cooks[MATE, HELD] != NOTHING or facts.numbers[IDLE]:
        return nothing
    list_work(facts, MATE)
    likely, best = -1, 0.0
    for number in range(facts.numbers[TASKS]):
        if facts.numbers[CONFIDENT] or facts.tasks[number, START] == facts.cooks[MATE, FACED]:
            task = facts.tasks[number]
            rating = facts.values[number] - walking_cost(facts, MATE, task[START], task[GOAL])
            rating += HEADING_BONUS * heading_towards(facts, task[START])
            rating += ROLE_BONUS * chance_of(facts, task[SKILL])
            if likely < 0 or rating > best:
                likely, best = number, rating
    if likely < 0:
        return nothing
    task = facts.tasks[likely]
    if distance(facts, facts.cooks[ME, PLACE], task[START]) < distance(facts, facts.cooks[MATE, PLACE], task[START]):
        return nothing  # the deciding cook is nearer, so that the task will be its own
    return task[SKILL], task[HELD_AFTER], task[ITEM]


@kernel
def chance_of(facts: SceneFacts, skill: int) -> float:
    """Returns the probability that the teammate is in the role of a skill; 0 for a skill of no role, and if unknown."""
    role = ROLE_OF_SKILL[skill]
    return 0.0 if role == NO_ROLE else facts.posterior[role]


@kernel
def heading_towards(facts: SceneFacts, place: int) -> int:
    """Returns 1 if the teammate walks towards a place, -1 if away from it, 0 if it faces a station."""
    mate = facts.cooks[MATE]
    if facts.stations.kind[mate[FACED]] != NO_STATION:
        return 0
    across, down = place % PADDED_SIDE - mate[PLACE] % PADDED_SIDE, place // PADDED_SIDE - mate[PLACE] // PADDED_SIDE
    along = across * ACROSS_OF[mate[FACING]] + down * DOWN_OF[mate[FACING]]
    return int(along > 0) - int(along < 0)


@kernel
def expected_skill(facts: SceneFacts, skill: int) -> int:
    """Returns the skill that the teammate probably runs: the use of what it held or else its probable task."""
    held = facts.cooks[MATE, HELD]
    if skill != NO_SKILL:
        return skill
    return SKILL_STAY if held == NOTHING else next_use(held, first_dish(facts))


@kernel
def predict_mate(facts: SceneFacts, expected: int, held_after: int, item: int) -> None:
    """Lets the teammate start its probable task; a pass counter that it empties counts as occupied all the same."""
    if expected != NO_SKILL:
        facts.cooks[MATE, HELD] = held_after
        if item != NO_ITEM:
            facts.item_at[facts.items[item, LIES]] = -1
            facts.items[item, CODE], facts.items[item, TAG] = NOTHING, UNTAGGED
    look(facts)


@outlined_kernel
def best_skill(facts: SceneFacts) -> int:
    """Returns the skill that starts the best task for free hands; STAY if there is no useful one."""
    free_hand_tasks(facts, ME)
    best, highest = -1, 0.0
    for number in range(facts.numbers[TASKS]):
        task = facts.tasks[number]
        if not facts.feasible[task[SKILL]]:
            continue
        rating = facts.values[number] - walking_cost(facts, ME, task[START], task[GOAL])
        if rating > LEAST_RATING:
            rating -= overlap_penalty(facts, number)
            if best < 0 or rating > highest:
                best, highest = number, rating
    return SKILL_STAY if best < 0 else facts.tasks[best, SKILL]


@kernel
def overlap_penalty(facts: SceneFacts, number: int) -> float:
    """Returns what a task loses because the teammate, probably in its role, could do it too; 0 without a belief."""
    mate, task = facts.cooks[MATE, PLACE], facts.tasks[number]
    if separated(facts, mate, task[START]) or separated(facts, mate, task[GOAL]):
        return 0.0
    return OVERLAP_PENALTY * chance_of(facts, task[SKILL])


@kernel
def is_superseded(facts: SceneFacts, running: int) -> bool:
    """Whether the teammate's probable skill has the same role as a running skill, or makes it useless."""
    if running == SKILL_STAY:
        return False
    expected, held_after, item = likely_task(facts)
    if ROLE_OF_SKILL[expected_skill(facts, expected)] == ROLE_OF_SKILL[running]:
        return True
    if facts.cooks[ME, HELD] != NOTHING:
        look(facts)
        return full_hand_skill(facts) != running
    predict_mate(facts, expected, held_after, item)
    free_hand_tasks(facts, ME)
    useful = False
    for number in range(facts.numbers[TASKS]):
        useful = useful or facts.tasks[number, SKILL] == running
    return not useful


@kernel
def mates_skill(facts: SceneFacts, role: int) -> int:
    """Returns the skill that a teammate in this role would complete next."""
    held = facts.cooks[MATE, HELD]
    if held != NOTHING and ROLE_OF_SKILL[next_use(held, first_dish(facts))] == role:
        return next_use(held, first_dish(facts))
    list_work(facts, MATE)
    best = best_of_role(facts, MATE, role, False)
    return FIRST_SKILL[role] if best < 0 else facts.tasks[best, SKILL]


class Told(NamedTuple):
    """What the prompt of one decision says besides the scene: a belief over H hypotheses, and the T last turns."""

    posterior: Float64Array  # (H,) empty where no belief is shown
    roles: Int32Array  # (H,) of the hypotheses
    confident_from: float  # Γ
    turns: Int32Array  # (T, 4) a ring: the step of each turn, and the teammate's place, direction and held item then
    past: int  # turns so far


@kernel
def plan_skill(
    grid: Grid, width: int, state: StateVector, player: int, told: Told, facts: SceneFacts
) -> tuple[int, int]:
    """Returns the skill to run, always a feasible one, and the one that the teammate probably runs."""
    read_state(grid, width, state, player, facts)
    show_belief(facts, told.posterior, told.roles, told.confident_from)
    note_idleness(facts, told.turns, told.past, state[STEP])
    return choose_skill(facts)


@kernel
def judge_skill(
    grid: Grid, width: int, state: StateVector, player: int, running: int, told: Told, facts: SceneFacts
) -> bool:
    """Whether the teammate's probable skill supersedes the running one; earlier turns do not count."""
    read_state(grid, width, state, player, facts)
    show_belief(facts, told.posterior, told.roles, told.confident_from)
    return is_superseded(facts, running)


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
        list_work(facts, ME)
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
    grid: Grid, width: int, state: StateVector, player: int, role: int, facts: SceneFacts, found: Int32Array
) -> None:
    """Writes 1 for the skills of a cook with free hands that start tasks of the role, or that prepare for it, (27,).

    Without such a task it writes those that handle a fire.
    """
    read_state(grid, width, state, player, facts)
    list_work(facts, ME)
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


@outlined_kernel
def list_work(facts: SceneFacts, cook: int) -> None:
    """Lists the tasks of a cook, as of one with free hands."""
    look(facts)
    free_hand_tasks(facts, cook)


NOTES = (
    "",
    "puts down what {name} has no use for",
    "finishes what it holds before {name}",
    "nothing for {name}: {instead}",
    "nothing useful for {name} or any other role",
    "nothing for {name}: waits",
    "prepares for {name}",
)


def note_text(note: int, role: int, skill: int) -> str:
    """Returns a note in words."""
    does = ROLE_OF_SKILL[skill]
    instead = "handles the fire" if does == NO_ROLE else f"does {ROLE_NAMES[does]}"
    return NOTES[note].format(name=ROLE_NAMES[role], instead=instead)


@outlined_kernel
def has_other_work(grid: Grid, width: int, state: StateVector, player: int, role: int, facts: SceneFacts) -> bool:
    """Whether the role has work for free hands other than picking up again what was put down for it."""
    tile = facts.targets[0, PUT_DOWN_OBJECT]
    if tile < 0:
        return False
    held = state[HOLDS + player]
    state[STATE_HEADER + tile], state[HOLDS + player] = held, NOTHING
    read_state(grid, width, state, player, facts)
    state[STATE_HEADER + tile], state[HOLDS + player] = NOTHING, held
    list_work(facts, ME)
    task = best_of_role(facts, ME, role, False)
    return task >= 0 and facts.tasks[task, HELD_AFTER] != held


@outlined_kernel
def best_of_role(facts: SceneFacts, cook: int, role: int, prepares: bool) -> int:
    """Returns the task of a role with the highest value minus walking cost that can be started; -1 if there is none.

    What the teammate can start is not known: any of its tasks counts. With `prepares`, tasks that prepare for the role
    count, too.
    """
    best, least = -1, 0.0
    for number in range(facts.numbers[TASKS]):
        task = facts.tasks[number]
        suits = ROLE_OF_SKILL[task[SKILL]] == role or (prepares and ROLE_OF_SKILL[next_skill(facts, number)] == role)
        if suits and (cook == MATE or facts.feasible[task[SKILL]]):
            cost = walking_cost(facts, cook, task[START], task[GOAL]) - facts.values[number]
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
        task = best_of_role(facts, ME, pursued, False)
        if task >= 0:
            return facts.tasks[task, SKILL], NO_NOTE if pursued == role else INSTEAD
    return SKILL_STAY, USELESS


@outlined_kernel
def work_within(facts: SceneFacts, role: int) -> tuple[int, int]:
    """Returns the skill of the first task of the role or that prepares for it, else that handles a fire; or STAY."""
    task = best_of_role(facts, ME, role, True)
    if task < 0:
        task = best_of_role(facts, ME, NO_ROLE, False)
    if task < 0:
        return SKILL_STAY, WAITS
    skill = facts.tasks[task, SKILL]
    if ROLE_OF_SKILL[skill] == NO_ROLE:
        return skill, INSTEAD
    return skill, NO_NOTE if ROLE_OF_SKILL[skill] == role else PREPARES
