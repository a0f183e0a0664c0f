"""How likely a partner's primitive action is if it pursued a role: π_low(a | state, ψ).

π_low is the ego's own controller asked what it would do in the partner's place. For a skill m that is feasible for the
partner, the acceptable actions are those that the controller could take next: every direction that shortens the way to
the nearest target, the turn towards it when beside it, interact when facing it; and, where the other cook stands in
the way, also waiting and stepping anywhere else, so that yielding is not mistaken for a change of mind.

    π(a | m) = (1 − ε)·[a acceptable]/|acceptable| + ε/6        (times 0.35 for PASS_OBJECT and PUT_DOWN_OBJECT)
    π(a | ψ) = mean of π(a | m) over the feasible skills m of ψ, ε/6 if there are none
    L(ψ)     = π(a | ψ) ** likelihood_scale
    relative = L(a) / max over actions of L: what the contradiction test uses, so that a role which can be pursued in
               several ways does not contradict itself by its ordinary choices

Where the partner's moves are randomly held back (mobility < 1), staying says nothing about someone who would walk:
π(stay | m) = 1. It does say something about someone who would interact, which is never held back: there stay counts as
an action like the others. (The preprint leaves this open. On `open` and `ring` against the switching partner the
distinction raised the share of steps with the right MAP by one to two points over exempting every stay.)

A person moves at will but pauses, to think or because a terminal repeats keys slowly; its stays count for the belief
like other actions. Neither a person's stay nor that of someone held back ever contradicts a role that it could pursue:
waiting is never evidence against a plan. (Counted in the contradiction test as well, a person who acts in every other
step made the ego replan a hundred times in 1,200 steps, and so did an idle cook in a room of its own; docs/belief.md.)

Fire handling is never evidence: whatever a partner does with the extinguisher or charcoal in its hands, or with food
that it could swap for charcoal, L = 1.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel
from bba.kitchen.constants import (
    ACTION_STAY,
    CHARCOAL,
    FIRE_EXT,
    FLOOR,
    GRAB_CHARCOAL,
    INTERACT,
    N_ACTIONS,
    N_SKILLS,
    NO_SKILL,
    NOTHING,
    PASS_OBJECT,
    PUT_DOWN_OBJECT,
)
from bba.kitchen.controller import face_or_interact
from bba.kitchen.grid import Grid
from bba.kitchen.skills import feasible_targets, nearest_target
from bba.kitchen.state import EVENT, FACING, HELD, POSITION, StateVector

Vector = NDArray[np.float64]


class StayModel(IntEnum):
    """How a player comes to stay where it is: as it wills, as its moves are held back by chance, or as people do."""

    VOLUNTARY = 0
    NOISY = 1
    HUMAN_PAUSES = 2


VOLUNTARY, NOISY = int(StayModel.VOLUNTARY), int(StayModel.NOISY)  # enum members are many times slower in plain Python

# Positions in the filter's figures, a float64 vector.
EPSILON, SUPPORT_WEIGHT, SCALE, STAY_MODEL, BELIEF_FLOOR = range(5)


@kernel
def observed_action(before: StateVector, after: StateVector, p: int) -> int:
    """Player p's primitive action as two consecutive public states show it."""
    if after[EVENT + p] != NO_SKILL:
        return INTERACT
    if after[POSITION + p] != before[POSITION + p] or after[FACING + p] != before[FACING + p]:
        return int(after[FACING + p])
    return ACTION_STAY


@kernel
def acceptable_actions(grid: Grid, state: StateVector, p: int, target: int) -> int:
    """The actions that the controller could take towards `target`, as a set of bits (bit a for action a)."""
    here, other = state[POSITION + p], state[POSITION + 1 - p]
    away = grid.distance_to_adjacent[target, here]
    if away == 0:
        return 1 << face_or_interact(grid, state, p, target)
    actions, free, met = 0, 0, False
    for direction in range(4):
        there = grid.neighbour[here, direction]
        if there >= 0 and grid.kind[there] == FLOOR:
            if there != other:
                free |= 1 << direction
            if grid.distance_to_adjacent[target, there] < away:
                actions |= 1 << direction
                met = met or there == other
    return actions | free | 1 << ACTION_STAY if met else actions


@kernel
def hypothesis_policies(
    grid: Grid,
    state: StateVector,
    p: int,
    hypothesis_of_skill: NDArray[np.int32],
    params: Vector,
    policy: NDArray[np.float64],
) -> NDArray[np.int32]:
    """Fill `policy` (H, 6) with π(a | ψ) for player p; returns how many skills of each hypothesis are feasible (H,)."""
    target = np.empty(N_SKILLS, np.int32)
    feasible_targets(grid, state, p, target, np.empty(N_SKILLS, np.int32))
    feasible = np.zeros(len(policy), np.int32)
    policy[:] = 0.0
    for skill in range(N_SKILLS):
        hypothesis = hypothesis_of_skill[skill]
        if hypothesis >= 0 and target[skill] >= 0:
            feasible[hypothesis] += 1
            add_skill_policy(
                acceptable_actions(grid, state, p, target[skill]),
                evidence_weight(skill, params),
                params,
                policy[hypothesis],
            )
    for hypothesis in range(len(policy)):
        if feasible[hypothesis]:
            policy[hypothesis] /= feasible[hypothesis]
        else:
            policy[hypothesis] = params[EPSILON] / N_ACTIONS
    return feasible


@kernel
def add_skill_policy(actions: int, weight: float, params: Vector, policy: Vector) -> None:
    """Add one skill's π(a | m) to `policy` (6,), given the set of its acceptable actions."""
    epsilon, count = params[EPSILON], 0
    for action in range(N_ACTIONS):
        count += actions >> action & 1
    for action in range(N_ACTIONS):
        chosen = (1.0 - epsilon) / count if actions >> action & 1 else 0.0
        if action == ACTION_STAY and params[STAY_MODEL] == NOISY and actions != 1 << INTERACT:
            policy[ACTION_STAY] += 1.0
        else:
            policy[action] += weight * (chosen + epsilon / N_ACTIONS)


@kernel
def likelihoods(
    grid: Grid,
    before: StateVector,
    after: StateVector,
    p: int,
    hypothesis_of_skill: NDArray[np.int32],
    params: Vector,
    likelihood: Vector,
    relative_likelihood: Vector,
) -> None:
    """Fill `likely` and `relative` (H,) with L(ψ) of player p's action between two consecutive states."""
    policy = np.empty((len(likelihood), N_ACTIONS), np.float64)
    feasible = hypothesis_policies(grid, before, p, hypothesis_of_skill, params, policy)
    action = observed_action(before, after, p)
    if handles_fire(grid, before, p):
        likelihood[:] = 1.0
        relative_likelihood[:] = 1.0
        return
    for hypothesis in range(len(likelihood)):
        likelihood[hypothesis] = policy[hypothesis, action]
        relative_likelihood[hypothesis] = likelihood[hypothesis]
        if feasible[hypothesis]:
            relative_likelihood[hypothesis] /= reference_probability(policy[hypothesis], action, params)
            if action == ACTION_STAY and params[STAY_MODEL] != VOLUNTARY:
                relative_likelihood[hypothesis] = 1.0
    if params[SCALE] != 1.0:
        likelihood[:] = likelihood ** params[SCALE]
        relative_likelihood[:] = relative_likelihood ** params[SCALE]


@kernel
def handles_fire(grid: Grid, state: StateVector, p: int) -> bool:
    """Whether player p holds the extinguisher or charcoal, or food that it could swap for charcoal."""
    held = state[HELD + p]
    if held == CHARCOAL or held == FIRE_EXT:
        return True
    return held != NOTHING and nearest_target(grid, state, p, GRAB_CHARCOAL) >= 0


@kernel
def reference_probability(policy: Vector, action: int, params: Vector) -> float:
    """What `action` is measured against: the likeliest action; for a player that is held back, of its kind.

    Such a player stays whatever it wants, so that a stay is measured against stay, and an action against actions.
    """
    best = policy[action]
    for other in range(N_ACTIONS):
        if policy[other] > best and (other != ACTION_STAY or params[STAY_MODEL] != NOISY):
            best = policy[other]
    return best


@kernel
def exclude_infeasible(
    grid: Grid, state: StateVector, p: int, hypothesis_of_skill: NDArray[np.int32], params: Vector, belief: Vector
) -> None:
    """Weigh `belief` (H,) by what the state alone shows, and normalise it.

    A hypothesis without a feasible skill gets ε/6, one with feasible skills the mean of their weights.
    """
    target = np.empty(N_SKILLS, np.int32)
    feasible_targets(grid, state, p, target, np.empty(N_SKILLS, np.int32))
    weights, feasible = np.zeros(len(belief)), np.zeros(len(belief))
    for skill in range(N_SKILLS):
        if hypothesis_of_skill[skill] >= 0 and target[skill] >= 0:
            weights[hypothesis_of_skill[skill]] += evidence_weight(skill, params)
            feasible[hypothesis_of_skill[skill]] += 1.0
    for hypothesis in range(len(belief)):
        if feasible[hypothesis] > 0.0:
            belief[hypothesis] *= weights[hypothesis] / feasible[hypothesis]
        else:
            belief[hypothesis] *= params[EPSILON] / N_ACTIONS
    belief[:] = belief / belief.sum()


@kernel
def evidence_weight(skill: int, params: Vector) -> float:
    """The weight of a skill's likelihood: putting things down supports several skills at once."""
    return params[SUPPORT_WEIGHT] if skill == PASS_OBJECT or skill == PUT_DOWN_OBJECT else 1.0
