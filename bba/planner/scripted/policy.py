"""The policy: full hands follow the rule for the held item, free hands take the task with the best value minus cost.

The teammate's next task is predicted, so that the work is not done twice. With a belief in the prompt this is the best
task, weighted by the posterior of its role. Without one it is the use of what the teammate holds, or the work at the
station that it faces; for a teammate that walks with free hands it is unknown.

With a belief in the prompt the roles complement each other. A task in the teammate's probable role is rated lower by
the probability of that role, so that of two similar tasks the one outside the teammate's role is taken.
"""

from bba.belief import NO_ROLE, ROLE_OF_SKILL, ROLE_SKILLS
from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import NO_SKILL, NOTHING, SKILL_STAY
from bba.planner.scripted.carrying import full_hand_skill
from bba.planner.scripted.dishes import next_use
from bba.planner.scripted.order_needs import first_dish
from bba.planner.scripted.planning_view import look, walking_cost
from bba.planner.scripted.scene_facts import (
    CONFIDENT,
    FACED,
    FACING,
    HELD,
    IDLE,
    MATE,
    ME,
    NO_STATION,
    PLACE,
    TASKS,
    WIDTH,
    SceneFacts,
    distance,
    separated,
    take_item,
)
from bba.planner.scripted.task_list import GOAL, HELD_AFTER, ITEM, NO_ITEM, SKILL, START
from bba.planner.scripted.tasks import free_hand_tasks

HEADING_BONUS = 15.0  # tiles added to a task's rating if the teammate walks towards it, subtracted if it walks away
ROLE_BONUS = 40.0  # tiles added to a task's rating at posterior 1 of its role
LEAST_RATING = -15.0  # a task rated lower is not started: waiting for the teammate's hand-over is better
# Rating lost by a task in the teammate's role at probability 1, as work may be done twice. Told the true role, the
# planner earns as much at 12 as at 0, with fewer duplicates, and no more at 24 (docs/reproduction.md).
OVERLAP_PENALTY = 12.0
FIRST_SKILL = tuple(skills[0] for skills in ROLE_SKILLS)  # of each role
_ACROSS, _DOWN = (0, 0, 1, -1), (-1, 1, 0, 0)  # of the directions


@kernel
def choose_skill(facts: SceneFacts) -> tuple[int, int]:
    """Returns the skill to run, always a feasible one, and the one that the teammate probably runs."""
    expected, held_after, item = likely_task(facts)
    skill = choose_beside(facts, expected, held_after, item)
    return skill, expected_skill(facts, expected)


@outlined_kernel
def likely_task(facts: SceneFacts) -> tuple[int, int, int]:
    """Returns the probable task of a teammate with free hands: skill, item held after it, and the item that it takes.

    The skill is NO_SKILL if the teammate is idle or its task is unknown.
    """
    nothing = NO_SKILL, NOTHING, NO_ITEM
    if facts.cooks[MATE, HELD] != NOTHING or facts.numbers[IDLE]:
        return nothing
    look(facts)
    free_hand_tasks(facts, MATE)
    likely, best = -1, 0.0
    for number in range(facts.numbers[TASKS]):
        if facts.numbers[CONFIDENT] or facts.tasks[number, START] == facts.cooks[MATE, FACED]:
            rating = likelihood(facts, number)
            if likely < 0 or rating > best:
                likely, best = number, rating
    if likely < 0:
        return nothing
    task = facts.tasks[likely]
    if distance(facts, facts.cooks[ME, PLACE], task[START]) < distance(facts, facts.cooks[MATE, PLACE], task[START]):
        return nothing  # the deciding cook is nearer, so that the task will be its own
    return task[SKILL], task[HELD_AFTER], task[ITEM]


@kernel
def likelihood(facts: SceneFacts, number: int) -> float:
    """Returns the rating of a task for the teammate: value, cost, its direction of walking, and the belief."""
    task = facts.tasks[number]
    cost = walking_cost(facts, MATE, task[START], task[GOAL])
    rating = facts.values[number] - cost + HEADING_BONUS * heading_towards(facts, task[START])
    return rating + ROLE_BONUS * chance_of(facts, task[SKILL])


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
    across, down = place % WIDTH - mate[PLACE] % WIDTH, place // WIDTH - mate[PLACE] // WIDTH
    along = across * _ACROSS[mate[FACING]] + down * _DOWN[mate[FACING]]
    return int(along > 0) - int(along < 0)


@kernel
def expected_skill(facts: SceneFacts, skill: int) -> int:
    """Returns the skill that the teammate probably runs: the use of what it held or else its probable task."""
    held = facts.cooks[MATE, HELD]
    if skill != NO_SKILL:
        return skill
    return SKILL_STAY if held == NOTHING else next_use(held, first_dish(facts))


@kernel
def choose_beside(facts: SceneFacts, expected: int, held_after: int, item: int) -> int:
    """Returns the skill to run beside the teammate's probable task."""
    if facts.cooks[ME, HELD] != NOTHING:
        look(facts)
        return full_hand_skill(facts)
    predict_mate(facts, expected, held_after, item)
    return best_skill(facts)


@kernel
def predict_mate(facts: SceneFacts, expected: int, held_after: int, item: int) -> None:
    """Lets the teammate start its probable task."""
    if expected != NO_SKILL:
        facts.cooks[MATE, HELD] = held_after
        if item != NO_ITEM:
            take_item(facts, item)
    look(facts)


@outlined_kernel
def best_skill(facts: SceneFacts) -> int:
    """Returns the skill that starts the best task for free hands; STAY if there is no useful one."""
    free_hand_tasks(facts, ME)
    best, highest = SKILL_STAY, 0.0
    found = False
    for number in range(facts.numbers[TASKS]):
        task = facts.tasks[number]
        if not facts.feasible[task[SKILL]]:
            continue
        rating = facts.values[number] - walking_cost(facts, ME, task[START], task[GOAL])
        if rating > LEAST_RATING:
            rating -= overlap_penalty(facts, number)
            if not found or rating > highest:
                found, best, highest = True, task[SKILL], rating
    return best


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
    look(facts)
    free_hand_tasks(facts, MATE)
    best, highest = -1, 0.0
    for number in range(facts.numbers[TASKS]):
        task = facts.tasks[number]
        if ROLE_OF_SKILL[task[SKILL]] == role:
            rating = facts.values[number] - walking_cost(facts, MATE, task[START], task[GOAL])
            if best < 0 or rating > highest:
                best, highest = number, rating
    return FIRST_SKILL[role] if best < 0 else facts.tasks[best, SKILL]
