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

import numpy as np

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
REPLAN_COST = 40.0  # tiles by which another task must be rated higher than the running one; at 20 it lost 4 % of points
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
    unknown_task = NO_SKILL, NOTHING, NO_ITEM
    if facts.cooks[MATE, HELD] != NOTHING or facts.numbers[IDLE]:
        return unknown_task
    list_work(facts, MATE)
    likeliest = -1
    highest = 0.0
    for number in range(facts.numbers[TASKS]):
        task = facts.tasks[number]
        if not facts.numbers[CONFIDENT] and task[START] != facts.cooks[MATE, FACED]:
            continue
        rating = facts.values[number] - walking_cost(facts, MATE, task[START], task[GOAL])
        rating += HEADING_BONUS * heading_towards(facts, task[START])
        rating += ROLE_BONUS * chance_of(facts, task[SKILL])
        if likeliest < 0 or rating > highest:
            likeliest = number
            highest = rating
    if likeliest < 0:
        return unknown_task
    task = facts.tasks[likeliest]
    my_tiles = distance(facts, facts.cooks[ME, PLACE], task[START])
    mates_tiles = distance(facts, facts.cooks[MATE, PLACE], task[START])
    if my_tiles < mates_tiles:  # the deciding cook will do the task itself
        return unknown_task
    return task[SKILL], task[HELD_AFTER], task[ITEM]


@kernel
def chance_of(facts: SceneFacts, skill: int) -> float:
    """Returns the probability that the teammate is in the role of a skill; 0 for a skill of no role, and if unknown."""
    role = ROLE_OF_SKILL[skill]
    if role == NO_ROLE:
        return 0.0
    return facts.posterior[role]


@kernel
def heading_towards(facts: SceneFacts, place: int) -> int:
    """Returns 1 if the teammate walks towards a place, -1 if away from it, 0 if it faces a station."""
    mate = facts.cooks[MATE]
    if facts.stations.kind[mate[FACED]] != NO_STATION:
        return 0
    across = place % PADDED_SIDE - mate[PLACE] % PADDED_SIDE
    down = place // PADDED_SIDE - mate[PLACE] // PADDED_SIDE
    tiles_ahead = across * ACROSS_OF[mate[FACING]] + down * DOWN_OF[mate[FACING]]
    if tiles_ahead > 0:
        return 1
    if tiles_ahead < 0:
        return -1
    return 0


@kernel
def expected_skill(facts: SceneFacts, skill: int) -> int:
    """Returns the skill that the teammate probably runs: that of its probable task, or the use of what it holds."""
    if skill != NO_SKILL:
        return skill
    held = facts.cooks[MATE, HELD]
    if held == NOTHING:
        return SKILL_STAY
    return next_use(held, first_dish(facts))


@kernel
def predict_mate(facts: SceneFacts, expected: int, held_after: int, item: int) -> None:
    """Lets the teammate start its probable task; a pass counter that it empties counts as occupied all the same."""
    if expected != NO_SKILL:
        facts.cooks[MATE, HELD] = held_after
        if item != NO_ITEM:
            facts.item_at[facts.items[item, LIES]] = -1
            facts.items[item, CODE] = NOTHING
            facts.items[item, TAG] = UNTAGGED
    look(facts)


@kernel
def best_skill(facts: SceneFacts) -> int:
    """Returns the skill that starts the best task for free hands; STAY if there is no useful task."""
    free_hand_tasks(facts, ME)
    skill, _ = best_rated(facts, NO_SKILL)
    return skill


@outlined_kernel
def best_rated(facts: SceneFacts, only: int) -> tuple[int, float]:
    """Returns the skill that starts the best of the listed tasks, and its rating in tiles; STAY if none is useful.

    Unless `only` is NO_SKILL it is the one skill that counts.
    """
    best = -1
    highest = 0.0
    for number in range(facts.numbers[TASKS]):
        task = facts.tasks[number]
        if not facts.feasible[task[SKILL]] or (only != NO_SKILL and task[SKILL] != only):
            continue
        rating = facts.values[number] - walking_cost(facts, ME, task[START], task[GOAL])
        if rating > LEAST_RATING:
            rating -= overlap_penalty(facts, number)
            if best < 0 or rating > highest:
                best = number
                highest = rating
    if best < 0:
        return SKILL_STAY, 0.0
    return facts.tasks[best, SKILL], highest


@kernel
def overlap_penalty(facts: SceneFacts, number: int) -> float:
    """Returns what a task loses because the teammate, probably in its role, could do it too; 0 without a belief."""
    task = facts.tasks[number]
    mates_place = facts.cooks[MATE, PLACE]
    if separated(facts, mates_place, task[START]) or separated(facts, mates_place, task[GOAL]):
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
    if held != NOTHING:
        use = next_use(held, first_dish(facts))
        if ROLE_OF_SKILL[use] == role:
            return use
    list_work(facts, MATE)
    best = best_of_role(facts, MATE, role, False)
    if best < 0:
        return FIRST_SKILL[role]
    return facts.tasks[best, SKILL]


class PromptContents(NamedTuple):
    """What the prompt of one decision says besides the scene: a belief over H hypotheses, and the T last turns."""

    posterior: Float64Array  # (H,) empty where no belief is shown
    roles: Int32Array  # (H,) of the hypotheses
    confident_from: float  # Γ
    turns: Int32Array  # (T, 4) a ring: the step of each turn, and the teammate's place, direction and held item then
    past: int  # turns so far


NO_BELIEF = np.zeros(0)
NO_ROLES = np.zeros(0, np.int32)


@kernel
def plan_skill(
    grid: Grid, width: int, state: StateVector, player: int, prompt: PromptContents, facts: SceneFacts
) -> tuple[int, int]:
    """Returns the skill to run, always a feasible one, and the one that the teammate probably runs."""
    read_state(grid, width, state, player, facts)
    show_belief(facts, prompt.posterior, prompt.roles, prompt.confident_from)
    note_idleness(facts, prompt.turns, prompt.past, state[STEP])
    return choose_skill(facts)


@kernel
def judge_skill(
    grid: Grid, width: int, state: StateVector, player: int, running: int, prompt: PromptContents, facts: SceneFacts
) -> bool:
    """Whether the teammate's probable skill supersedes the running one; earlier turns do not count."""
    read_state(grid, width, state, player, facts)
    show_belief(facts, prompt.posterior, prompt.roles, prompt.confident_from)
    return is_superseded(facts, running)


@kernel
def another_pays(
    grid: Grid, width: int, state: StateVector, player: int, running: int, prompt: PromptContents, facts: SceneFacts
) -> bool:
    """Whether the skill that would be chosen now is rated higher than the running one by more than a replan costs."""
    read_state(grid, width, state, player, facts)
    show_belief(facts, prompt.posterior, prompt.roles, prompt.confident_from)
    note_idleness(facts, prompt.turns, prompt.past, state[STEP])
    chosen, _ = choose_skill(facts)
    if chosen == running or chosen == SKILL_STAY:
        return False
    if facts.cooks[ME, HELD] != NOTHING:
        return False
    _, highest = best_rated(facts, NO_SKILL)
    _, rating = best_rated(facts, running)  # 0 where it is no useful task any more
    return highest - rating > REPLAN_COST


# What a cook may note beside its choice.
NO_NOTE, PUTS_DOWN, FINISHES, INSTEAD, USELESS, WAITS, PREPARES = range(7)


def _pursued_in_turn(role: int) -> tuple[int, ...]:
    """Returns a role, the roles that complement it, the remaining roles, and NO_ROLE."""
    roles = [role, *COMPLEMENTS[role]]
    roles += [remaining for remaining in range(len(ROLE_NAMES)) if remaining not in roles]
    return (*roles, NO_ROLE)


PURSUED = tuple([_pursued_in_turn(role) for role in range(len(COMPLEMENTS))])  # by the role of a cook


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
        if locked:
            return work_within(facts, role)
        return work_for(facts, role)
    look(facts)
    finishing = full_hand_skill(facts)
    if ROLE_OF_SKILL[finishing] == role:
        return finishing, NO_NOTE
    if held != CHARCOAL and has_other_work(grid, width, state, player, role, facts):
        return PUT_DOWN_OBJECT, PUTS_DOWN
    return finishing, FINISHES


@kernel
def role_skills(
    grid: Grid, width: int, state: StateVector, player: int, role: int, facts: SceneFacts, skills: Int32Array
) -> None:
    """Writes 1 for the skills of a cook with free hands that start tasks of the role, or that prepare for it, (27,).

    Without such a task it writes 1 for the skills that handle a fire.
    """
    read_state(grid, width, state, player, facts)
    list_work(facts, ME)
    skills[:] = 0
    for number in range(facts.numbers[TASKS]):
        skill = facts.tasks[number, SKILL]
        if ROLE_OF_SKILL[skill] == NO_ROLE or not facts.feasible[skill]:
            continue
        if ROLE_OF_SKILL[skill] == role or ROLE_OF_SKILL[next_skill(facts, number)] == role:
            skills[skill] = 1
    if skills.sum() == 0:
        for number in range(facts.numbers[TASKS]):
            skill = facts.tasks[number, SKILL]
            if ROLE_OF_SKILL[skill] == NO_ROLE and facts.feasible[skill]:
                skills[skill] = 1


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
    """Returns a note in words; `skill` is what the cook of this role runs."""
    role_of_work = ROLE_OF_SKILL[skill]
    instead = "handles the fire" if role_of_work == NO_ROLE else f"does {ROLE_NAMES[role_of_work]}"
    return NOTES[note].format(name=ROLE_NAMES[role], instead=instead)


@outlined_kernel
def has_other_work(grid: Grid, width: int, state: StateVector, player: int, role: int, facts: SceneFacts) -> bool:
    """Whether the role has work for free hands other than picking up again what was put down for it."""
    tile = facts.targets[0, PUT_DOWN_OBJECT]
    if tile < 0:
        return False
    held = state[HOLDS + player]
    state[STATE_HEADER + tile] = held
    state[HOLDS + player] = NOTHING
    read_state(grid, width, state, player, facts)
    state[STATE_HEADER + tile] = NOTHING
    state[HOLDS + player] = held
    list_work(facts, ME)
    task = best_of_role(facts, ME, role, False)
    return task >= 0 and facts.tasks[task, HELD_AFTER] != held


@outlined_kernel
def best_of_role(facts: SceneFacts, cook: int, role: int, prepares: bool) -> int:
    """Returns the task of a role with the highest value minus walking cost that can be started; -1 if there is none.

    What the teammate can start is not known: any of its tasks counts. With `prepares`, tasks that prepare for the role
    count, too.
    """
    best = -1
    least = 0.0
    for number in range(facts.numbers[TASKS]):
        task = facts.tasks[number]
        suits = ROLE_OF_SKILL[task[SKILL]] == role or (prepares and ROLE_OF_SKILL[next_skill(facts, number)] == role)
        if suits and (cook == MATE or facts.feasible[task[SKILL]]):
            cost = walking_cost(facts, cook, task[START], task[GOAL]) - facts.values[number]
            if best < 0 or cost < least:
                best = number
                least = cost
    return best


@kernel
def next_skill(facts: SceneFacts, number: int) -> int:
    """Returns the skill for which a task picks its item up; its own skill if it is work in one place."""
    task = facts.tasks[number]
    if task[START] == task[GOAL]:
        return task[SKILL]
    if needs_handover(facts, ME, task[GOAL]):
        return PASS_OBJECT
    return next_use(task[HELD_AFTER], STEAK)


@outlined_kernel
def work_for(facts: SceneFacts, role: int) -> tuple[int, int]:
    """Returns the skill of the best task of the role, else of its complements in order, else of any; or STAY.

    The second number is a note about the choice.
    """
    for pursued in PURSUED[role]:
        task = best_of_role(facts, ME, pursued, False)
        if task >= 0:
            note = NO_NOTE if pursued == role else INSTEAD
            return facts.tasks[task, SKILL], note
    return SKILL_STAY, USELESS


@outlined_kernel
def work_within(facts: SceneFacts, role: int) -> tuple[int, int]:
    """Returns the skill of the best task of the role or that prepares for it, else that handles a fire; or STAY.

    The second number is a note about the choice.
    """
    task = best_of_role(facts, ME, role, True)
    if task < 0:
        task = best_of_role(facts, ME, NO_ROLE, False)
    if task < 0:
        return SKILL_STAY, WAITS
    skill = facts.tasks[task, SKILL]
    if ROLE_OF_SKILL[skill] == NO_ROLE:
        return skill, INSTEAD
    if ROLE_OF_SKILL[skill] == role:
        return skill, NO_NOTE
    return skill, PREPARES
