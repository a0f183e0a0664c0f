"""Running a skill: walk to the nearest floor tile beside the target, face it, interact as often as the job needs.

What a player is running is a small row of numbers, kept apart from the public state: nobody can see it. Two controlled
players plan their steps together by priority inheritance with backtracking (PIBT; Okumura et al., 2022), which for two
is: whoever has been under way longer steps first; if the other stands in the way it is pushed aside; if it cannot be,
the other, where it can, comes out first and has precedence from then on; else the first one goes another way round.
Someone at work is never pushed.
A player that is not controlled (a person) is walked around where a way exists and given way to where none does.
"""

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel
from bba.kitchen.constants import (
    ACTION_STAY,
    DONE,
    FLOOR,
    GRAB_ONE_INGREDIENT_PLATE,
    GRAB_TORTILLA,
    GRAB_TWO_INGREDIENT_PLATE,
    INTERACT,
    INVALID,
    NO_SKILL,
    RUNNING,
    SKILL_STAY,
    TIMEOUT,
)
from bba.kitchen.grid import UNREACHABLE, Grid
from bba.kitchen.skills import nearest_target, skill_at
from bba.kitchen.state import COMPLETED, EVENT, FACING, HELD, POSITION, StateVector

# A run: what one player is doing. Shape (N_RUN,); two of them, shape (2, N_RUN), for a game.
SKILL, TARGET, AGE, ENDED, RANK, CONTROLLED = range(6)
N_RUN = 6
SkillRuns = NDArray[np.int32]

DETOUR_MARGIN = 2  # extra tiles that are better walked than waiting for someone at work


def new_skill_runs(controlled: tuple[bool, bool] = (True, True)) -> SkillRuns:
    """Two players that run nothing yet."""
    runs = np.zeros((2, N_RUN), np.int32)
    runs[:, SKILL] = NO_SKILL
    runs[:, TARGET] = -1
    runs[:, CONTROLLED] = controlled
    return runs


@kernel
def start_skill(grid: Grid, state: StateVector, runs: SkillRuns, p: int, skill: int) -> bool:
    """Player p begins a skill; False, and nothing changes, where the skill is infeasible."""
    target = nearest_target(grid, state, p, skill)
    if target < 0:
        return False
    # Who has run out of time keeps its rank, or two cooks would push each other back and forth; so does who was asked
    # mid-skill and goes on with the same.
    if runs[p, ENDED] != TIMEOUT and runs[p, SKILL] != skill:
        runs[p, RANK] = 0
    runs[p, SKILL], runs[p, TARGET], runs[p, AGE], runs[p, ENDED] = skill, target, 0, RUNNING
    return True


@kernel
def stop_skill(runs: SkillRuns, p: int, why: int) -> None:
    """Player p's skill ends: DONE, INVALID, TIMEOUT or INTERRUPTED."""
    runs[p, SKILL], runs[p, TARGET], runs[p, ENDED] = NO_SKILL, -1, why


@kernel
def check_completion(grid: Grid, state: StateVector, runs: SkillRuns, p: int, timeout: int) -> None:
    """After a step: end player p's skill if it is done, has no target left or has run for `timeout` steps."""
    skill = runs[p, SKILL]
    if skill == NO_SKILL:
        return
    runs[p, AGE] += 1
    runs[p, RANK] += 1
    if skill == SKILL_STAY or (state[COMPLETED + p] and completes(skill, state[EVENT + p])):
        stop_skill(runs, p, DONE)
    elif not retarget(grid, state, runs, p):
        stop_skill(runs, p, INVALID)
    elif runs[p, AGE] >= timeout:
        stop_skill(runs, p, TIMEOUT)


@kernel
def completes(skill: int, event: int) -> bool:
    """Whether this event is what the skill was for: its own, or a tortilla laid onto the plate that it went for."""
    if event == GRAB_TORTILLA:
        return skill == GRAB_TORTILLA or skill == GRAB_ONE_INGREDIENT_PLATE or skill == GRAB_TWO_INGREDIENT_PLATE
    return event == skill


@kernel
def retarget(grid: Grid, state: StateVector, runs: SkillRuns, p: int) -> bool:
    """Keep the target while it serves the skill, else take the next nearest; False if none is left."""
    skill, target = runs[p, SKILL], runs[p, TARGET]
    if skill != SKILL_STAY and skill_at(grid, state, target, state[HELD + p]) != skill:
        target = nearest_target(grid, state, p, skill)
        runs[p, TARGET] = target
    return target >= 0


@kernel
def next_actions(grid: Grid, state: StateVector, runs: SkillRuns, actions: NDArray[np.int32]) -> None:
    """Write the next primitive action of each controlled player into `actions` (2,); leave the others' alone."""
    working0, working1 = work_action(grid, state, runs, 0), work_action(grid, state, runs, 1)
    if runs[0, CONTROLLED] and runs[1, CONTROLLED]:
        if working0 == ACTION_STAY or (working1 < 0 and working0 < 0 and runs[1, RANK] > runs[0, RANK]):
            next_actions_pair(grid, state, runs, 1, working1, working0, actions)
        else:
            next_actions_pair(grid, state, runs, 0, working0, working1, actions)
    elif runs[0, CONTROLLED]:
        actions[0] = working0 if working0 >= 0 else next_action_alone(grid, state, runs, 0)
    elif runs[1, CONTROLLED]:
        actions[1] = working1 if working1 >= 0 else next_action_alone(grid, state, runs, 1)


@kernel
def work_action(grid: Grid, state: StateVector, runs: SkillRuns, p: int) -> int:
    """Player p's action where it need not walk: interact, turn to the target, or WAIT if it has none; else -1."""
    target = runs[p, TARGET]
    if runs[p, SKILL] == NO_SKILL or runs[p, SKILL] == SKILL_STAY:
        return ACTION_STAY
    if grid.distance_to_adjacent[target, state[POSITION + p]] > 0:
        return -1
    return face_or_interact(grid, state, p, target)


@kernel
def face_or_interact(grid: Grid, state: StateVector, p: int, target: int) -> int:
    """The action of player p that stands beside its target."""
    here = state[POSITION + p]
    if grid.neighbour[here, state[FACING + p]] == target:
        return INTERACT
    for direction in range(4):
        if grid.neighbour[here, direction] == target:
            return direction
    return ACTION_STAY


@kernel
def next_actions_pair(
    grid: Grid,
    state: StateVector,
    runs: SkillRuns,
    first: int,
    first_work: int,
    second_work: int,
    actions: NDArray[np.int32],
) -> None:
    """Both players' actions; `first` has precedence. A work action of -1 means that the player has to walk."""
    second = 1 - first
    if first_work >= 0:
        actions[first] = first_work
        if second_work >= 0:
            actions[second] = second_work
        else:
            actions[second] = step_past(
                grid, runs, second, state[POSITION + second], state[POSITION + first], DETOUR_MARGIN
            )
    elif second_work >= 0 and second_work != ACTION_STAY:
        actions[second] = second_work
        actions[first] = step_past(grid, runs, first, state[POSITION + first], state[POSITION + second], DETOUR_MARGIN)
    elif not priority_step(grid, state, runs, first, actions):
        if second_work < 0 and priority_step(grid, state, runs, second, actions):
            runs[second, RANK] = runs[first, RANK] + 1  # lasting, or the first would push it back in
        else:
            actions[first] = step_past(
                grid, runs, first, state[POSITION + first], state[POSITION + second], UNREACHABLE
            )
            actions[second] = ACTION_STAY


@kernel
def priority_step(grid: Grid, state: StateVector, runs: SkillRuns, first: int, actions: NDArray[np.int32]) -> bool:
    """`first` walks on and the other yields as it must; False if the other is in the way and cannot yield."""
    second = 1 - first
    here, other = state[POSITION + first], state[POSITION + second]
    way = step_closer(grid, runs, first, here, other)
    ahead = grid.neighbour[here, way]
    if ahead != other:
        actions[first] = way
        actions[second] = yield_step(grid, state, runs, second, ahead)
        return True
    aside = push_aside(grid, runs, first, other, here)
    if aside == ACTION_STAY:
        return False
    actions[first], actions[second] = way, aside
    return True


@kernel
def distance_for(grid: Grid, runs: SkillRuns, p: int, tile: int) -> int:
    """Player p's walking distance from a floor tile to its work; 0 everywhere for someone without a walk to do."""
    if runs[p, SKILL] == NO_SKILL or runs[p, SKILL] == SKILL_STAY:
        return 0
    return int(grid.distance_to_adjacent[runs[p, TARGET], tile])


@kernel
def step_closer(grid: Grid, runs: SkillRuns, p: int, here: int, avoid: int) -> int:
    """A direction that shortens player p's way, past the tile `avoid` where there is a choice."""
    way = ACTION_STAY
    for direction in range(4):
        there = grid.neighbour[here, direction]
        if (
            there >= 0
            and grid.tile[there] == FLOOR
            and distance_for(grid, runs, p, there) < distance_for(grid, runs, p, here)
        ):
            if there != avoid:
                return direction
            way = direction
    return way


@kernel
def yield_step(grid: Grid, state: StateVector, runs: SkillRuns, p: int, taken: int) -> int:
    """The step of the player without precedence: nearer to its work, but not onto the tile that the other takes."""
    here = state[POSITION + p]
    way = step_closer(grid, runs, p, here, taken)
    if way == ACTION_STAY:
        return ACTION_STAY
    if grid.neighbour[here, way] != taken:
        return way
    return step_past(grid, runs, p, here, taken, DETOUR_MARGIN)


@kernel
def push_aside(grid: Grid, runs: SkillRuns, pusher: int, here: int, pushed_from: int) -> int:
    """Where the other player goes when pushed off `here`: nearest to its own work, then off the pusher's way."""
    p = 1 - pusher
    way, best = ACTION_STAY, 2 * UNREACHABLE * UNREACHABLE
    for direction in range(4):
        there = grid.neighbour[here, direction]
        if there >= 0 and there != pushed_from and grid.tile[there] == FLOOR:
            cost = distance_for(grid, runs, p, there) * UNREACHABLE - distance_for(grid, runs, pusher, there)
            if cost < best:
                way, best = direction, cost
    return way


@kernel
def step_past(grid: Grid, runs: SkillRuns, p: int, here: int, blocked: int, patience: int) -> int:
    """A step that gets player p nearer while `blocked` is a wall; WAIT if that way is over `patience` tiles longer."""
    away = distances_past(grid, runs[p, TARGET], blocked)
    if away[here] > grid.distance_to_adjacent[runs[p, TARGET], here] + patience:
        return ACTION_STAY
    for direction in range(4):
        there = grid.neighbour[here, direction]
        if there >= 0 and away[there] < away[here]:
            return direction
    return ACTION_STAY


@kernel
def distances_past(grid: Grid, target: int, blocked: int) -> NDArray[np.int32]:
    """Walking distances (T,) to beside `target` when `blocked` cannot be entered; FAR where there is no way."""
    away = np.full(len(grid.tile), UNREACHABLE, np.int32)
    queue = np.empty(len(grid.tile), np.int32)
    head = tail = 0
    for direction in range(4):
        floor = grid.neighbour[target, direction]
        if floor >= 0 and floor != blocked and grid.tile[floor] == FLOOR:
            away[floor] = 0
            queue[tail] = floor
            tail += 1
    while head < tail:
        here = queue[head]
        head += 1
        for direction in range(4):
            there = grid.neighbour[here, direction]
            if there >= 0 and there != blocked and grid.tile[there] == FLOOR and away[there] == UNREACHABLE:
                away[there] = away[here] + 1
                queue[tail] = there
                tail += 1
    return away


@kernel
def next_action_alone(grid: Grid, state: StateVector, runs: SkillRuns, p: int) -> int:
    """The step of a walking player whose fellow is not controlled: around it, or out of its way if it comes."""
    here, other = state[POSITION + p], state[POSITION + 1 - p]
    around = step_past(grid, runs, p, here, other, UNREACHABLE)
    if around != ACTION_STAY:
        return around
    way = step_closer(grid, runs, p, here, other)
    if way != ACTION_STAY and grid.neighbour[here, way] != other:
        return way
    return (
        push_aside(grid, runs, 1 - p, here, other)
        if grid.neighbour[other, state[FACING + 1 - p]] == here
        else ACTION_STAY
    )
