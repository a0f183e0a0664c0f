"""The controller: turns running skills into primitive actions.

A skill is an option (Sutton et al., 1999): walk to the nearest floor tile beside the target, face the target, interact
until the skill is done. The state of the running skills is a small array kept apart from the public state, because no
player can see it. If the controller drives both players, it plans their steps together by priority inheritance with
backtracking (PIBT; Okumura et al., 2022), which for two players means:

- The player with the higher priority (more steps under way) moves first; the other is pushed aside if it is in the way.
- If it cannot be pushed aside, it moves first where it can, and keeps the higher priority from then on.
- If neither works, the first player takes a way around. A player that is at work is never pushed.

A player that the controller does not drive (a person) is walked around where a way exists, and given way to otherwise.

`game_step` is the step of every game: live, in a run, in a batch or in a future. Given a skill and the states since
it was chosen, the controller is deterministic, so `route_of` finds the hidden route in any step of any game.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bba.kernels import disjoint, kernel
from bba.kitchen.constants import (
    ACTION_STAY,
    COMPLETED,
    DONE,
    EVENT,
    FACING,
    FLOOR,
    GRAB_ONE_INGREDIENT_PLATE,
    GRAB_TORTILLA,
    GRAB_TWO_INGREDIENT_PLATE,
    HELD,
    INTERACT,
    INVALID,
    NO_SKILL,
    POSITION,
    RUNNING,
    SKILL_STAY,
    TIMEOUT,
    Int32Array,
    StateVector,
)
from bba.kitchen.layout import UNREACHABLE, Grid, Layout, Position, grid_of
from bba.kitchen.skills import nearest_target, skill_at
from bba.kitchen.transition import step

# Columns of `SkillRuns`, the controller state: one row for each player, shape (2, N_RUN).
SKILL, TARGET, AGE, ENDED, PRIORITY, CONTROLLED = range(6)
N_RUN = 6
SkillRuns = Int32Array

DETOUR_MARGIN = 2  # extra tiles to walk rather than wait for a player at work


def new_skill_runs(controlled: tuple[bool, bool] = (True, True)) -> SkillRuns:
    """Returns the controller state of two players that run no skill."""
    runs = np.zeros((2, N_RUN), np.int32)
    runs[:, SKILL] = NO_SKILL
    runs[:, TARGET] = -1
    runs[:, CONTROLLED] = controlled
    return runs


@kernel
def start_skill(grid: Grid, state: StateVector, runs: SkillRuns, player: int, skill: int) -> bool:
    """Starts a skill of a player; returns False and changes nothing if the skill is infeasible."""
    target = nearest_target(grid, state, player, skill)
    if target < 0:
        return False
    # A player keeps its priority after a timeout, or two players would push each other back and forth. It also keeps it
    # if it was interrupted and continues with the same skill.
    if runs[player, ENDED] != TIMEOUT and runs[player, SKILL] != skill:
        runs[player, PRIORITY] = 0
    runs[player, SKILL], runs[player, TARGET], runs[player, AGE], runs[player, ENDED] = skill, target, 0, RUNNING
    return True


@kernel
def stop_skill(runs: SkillRuns, player: int, reason: int) -> None:
    """Ends a player's skill; `reason` is DONE, INVALID, TIMEOUT or INTERRUPTED."""
    runs[player, SKILL], runs[player, TARGET], runs[player, ENDED] = NO_SKILL, -1, reason


@disjoint
@kernel
def game_step(grid: Grid, state: StateVector, runs: SkillRuns, actions: Int32Array, timeout: int) -> None:
    """Plays one step: the next actions of the running skills, the rules, and the end of skills.

    `actions` (2,) receives the actions; it holds those of players that the controller does not drive.
    """
    next_actions(grid, state, runs, actions)
    step(grid, state, actions[0], actions[1])
    for player in range(2):
        check_completion(grid, state, runs, player, timeout)


@kernel
def check_completion(grid: Grid, state: StateVector, runs: SkillRuns, player: int, timeout: int) -> None:
    """After a step: ends a player's skill if it is done, has no target left or has run for `timeout` steps.

    A target that no longer serves the skill is replaced by the nearest one.
    """
    skill = runs[player, SKILL]
    if skill == NO_SKILL:
        return
    runs[player, AGE] += 1
    runs[player, PRIORITY] += 1
    if skill == SKILL_STAY or (state[COMPLETED + player] and completes(skill, state[EVENT + player])):
        stop_skill(runs, player, DONE)
        return
    if skill_at(grid, state, runs[player, TARGET], state[HELD + player]) != skill:
        runs[player, TARGET] = nearest_target(grid, state, player, skill)
    if runs[player, TARGET] < 0:
        stop_skill(runs, player, INVALID)
    elif runs[player, AGE] >= timeout:
        stop_skill(runs, player, TIMEOUT)


@kernel
def completes(skill: int, event: int) -> bool:
    """Whether an event completes a skill: its own event, or a tortilla added to the plate that it was to pick up."""
    if event == GRAB_TORTILLA:
        return skill == GRAB_TORTILLA or skill == GRAB_ONE_INGREDIENT_PLATE or skill == GRAB_TWO_INGREDIENT_PLATE
    return event == skill


@kernel
def next_actions(grid: Grid, state: StateVector, runs: SkillRuns, actions: Int32Array) -> None:
    """Writes the next primitive action of each controlled player into `actions` (2,); leaves other entries alone."""
    work0 = work_action(grid, state, runs, 0)
    work1 = work_action(grid, state, runs, 1)
    if runs[0, CONTROLLED] and runs[1, CONTROLLED]:
        if work0 == ACTION_STAY or (work1 < 0 and work0 < 0 and runs[1, PRIORITY] > runs[0, PRIORITY]):
            next_actions_pair(grid, state, runs, 1, work1, work0, actions)
        else:
            next_actions_pair(grid, state, runs, 0, work0, work1, actions)
    elif runs[0, CONTROLLED]:
        actions[0] = work0 if work0 >= 0 else next_action_alone(grid, state, runs, 0)
    elif runs[1, CONTROLLED]:
        actions[1] = work1 if work1 >= 0 else next_action_alone(grid, state, runs, 1)


@kernel
def work_action(grid: Grid, state: StateVector, runs: SkillRuns, player: int) -> int:
    """Returns the action of a player that need not walk: interact, turn, or stay if it has no target; otherwise -1."""
    target = runs[player, TARGET]
    if runs[player, SKILL] == NO_SKILL or runs[player, SKILL] == SKILL_STAY:
        return ACTION_STAY
    if grid.distance_to_adjacent[target, state[POSITION + player]] > 0:
        return -1
    return face_or_interact(grid, state, player, target)


@kernel
def face_or_interact(grid: Grid, state: StateVector, player: int, target: int) -> int:
    """Returns the action of a player beside its target: turn to it, or interact."""
    here = state[POSITION + player]
    if grid.neighbour[here, state[FACING + player]] == target:
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
    actions: Int32Array,
) -> None:
    """Writes both players' actions; `first` has priority. A work action of -1 means that the player has to walk."""
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
            runs[second, PRIORITY] = runs[first, PRIORITY] + 1  # to keep, or the first player would push it back
        else:
            actions[first] = step_past(
                grid, runs, first, state[POSITION + first], state[POSITION + second], UNREACHABLE
            )
            actions[second] = ACTION_STAY


@kernel
def priority_step(grid: Grid, state: StateVector, runs: SkillRuns, first: int, actions: Int32Array) -> bool:
    """Moves `first` on and lets the other yield; returns False if the other is in the way and cannot yield."""
    second = 1 - first
    here = state[POSITION + first]
    other_tile = state[POSITION + second]
    move = step_closer(grid, runs, first, here, other_tile)
    ahead = grid.neighbour[here, move]
    if ahead != other_tile:
        actions[first] = move
        actions[second] = yield_step(grid, state, runs, second, ahead)
        return True
    sidestep = push_aside(grid, runs, first, other_tile, here)
    if sidestep == ACTION_STAY:
        return False
    actions[first], actions[second] = move, sidestep
    return True


@kernel
def distance_for(grid: Grid, runs: SkillRuns, player: int, tile: int) -> int:
    """Returns the walking distance from a floor tile to a player's target; 0 for a player that need not walk."""
    if runs[player, SKILL] == NO_SKILL or runs[player, SKILL] == SKILL_STAY:
        return 0
    return int(grid.distance_to_adjacent[runs[player, TARGET], tile])


@kernel
def step_closer(grid: Grid, runs: SkillRuns, player: int, here: int, avoid: int) -> int:
    """Returns a direction that brings a player closer to its target, not onto the tile `avoid` if there is a choice."""
    move = ACTION_STAY
    for direction in range(4):
        there = grid.neighbour[here, direction]
        if (
            there >= 0
            and grid.kind[there] == FLOOR
            and distance_for(grid, runs, player, there) < distance_for(grid, runs, player, here)
        ):
            if there != avoid:
                return direction
            move = direction
    return move


@kernel
def yield_step(grid: Grid, state: StateVector, runs: SkillRuns, player: int, avoid: int) -> int:
    """Returns the step of the player without priority: closer to its target, not onto `avoid`, where the other goes."""
    here = state[POSITION + player]
    move = step_closer(grid, runs, player, here, avoid)
    if move == ACTION_STAY:
        return ACTION_STAY
    if grid.neighbour[here, move] != avoid:
        return move
    return step_past(grid, runs, player, here, avoid, DETOUR_MARGIN)


@kernel
def push_aside(grid: Grid, runs: SkillRuns, pusher: int, here: int, pushed_from: int) -> int:
    """Returns the step of a player pushed off `here`: closest to its own target, then farthest from the pusher's."""
    player = 1 - pusher
    move = ACTION_STAY
    best = 2 * UNREACHABLE * UNREACHABLE
    for direction in range(4):
        there = grid.neighbour[here, direction]
        if there >= 0 and there != pushed_from and grid.kind[there] == FLOOR:
            cost = distance_for(grid, runs, player, there) * UNREACHABLE - distance_for(grid, runs, pusher, there)
            if cost < best:
                move = direction
                best = cost
    return move


@kernel
def step_past(grid: Grid, runs: SkillRuns, player: int, here: int, blocked: int, patience: int) -> int:
    """Returns a step closer to the target around the tile `blocked`; stay if that is over `patience` tiles longer."""
    distance = grid.distance_around[runs[player, TARGET], blocked]
    if distance[here] > grid.distance_to_adjacent[runs[player, TARGET], here] + patience:
        return ACTION_STAY
    for direction in range(4):
        there = grid.neighbour[here, direction]
        if there >= 0 and distance[there] < distance[here]:
            return direction
    return ACTION_STAY


@kernel
def next_action_alone(grid: Grid, state: StateVector, runs: SkillRuns, player: int) -> int:
    """Returns the step of a player whose partner is not controlled: around it, or aside if the partner approaches."""
    here = state[POSITION + player]
    other_tile = state[POSITION + 1 - player]
    around = step_past(grid, runs, player, here, other_tile, UNREACHABLE)
    if around != ACTION_STAY:
        return around
    move = step_closer(grid, runs, player, here, other_tile)
    if move != ACTION_STAY and grid.neighbour[here, move] != other_tile:
        return move
    if grid.neighbour[other_tile, state[FACING + 1 - player]] == here:
        return push_aside(grid, runs, 1 - player, here, other_tile)
    return ACTION_STAY


class Route(NamedTuple):
    """The target of a running skill, and the floor tiles from the player's own to one beside the target, both included.

    The path is a shortest one, around the other player where that is no longer.
    """

    target: Position
    path: tuple[Position, ...]


def route_of(layout: Layout, states: Sequence[StateVector], player: int, skill: int) -> Route | None:
    """Returns the current route of a player's skill; None for no skill, STAY, a skill that is done or has no target.

    `states` are those since the skill was chosen: the one in which it was chosen, then the one after each step.
    """
    grid = grid_of(layout)
    runs = new_skill_runs()
    if skill in (NO_SKILL, SKILL_STAY) or not start_skill(grid, states[0], runs, player, skill):
        return None
    for state in states[1:]:
        check_completion(grid, state, runs, player, len(states))
    if runs[player, SKILL] == NO_SKILL:
        return None
    tiles = [int(runs[player, TARGET]), *_path_to_target(grid, states[-1], runs, player)]
    target, *path = ((tile % layout.width, tile // layout.width) for tile in tiles)
    return Route(target, tuple(path))


def _path_to_target(grid: Grid, state: StateVector, runs: SkillRuns, player: int) -> list[int]:
    """Returns the tiles that the controller would walk from the player's position if nobody else moved."""
    here = int(state[POSITION + player])
    other_tile = int(state[POSITION + 1 - player])
    path = [here]
    while distance_for(grid, runs, player, here):
        here = int(grid.neighbour[here, step_closer(grid, runs, player, here, other_tile)])
        path.append(here)
    return path
