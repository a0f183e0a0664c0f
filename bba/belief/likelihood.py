"""The likelihood of a partner's primitive action under a hypothesis: π_low(a | state, ψ).

π_low asks the ego's own controller what it would do in the partner's place. For a skill m that is feasible for the
partner, an action is acceptable if the controller could take it next: every direction that shortens the way to the
nearest target; beside the target the turn towards it; facing it, interact. Where the other cook stands in the way,
staying and stepping to any free tile are acceptable too, so that yielding does not count as a change of plan.

    π(a | m)    = (1 − ε)·[a acceptable] / |acceptable| + ε/6     (times support_weight for PASS_OBJECT and
                                                                  PUT_DOWN_OBJECT, which fit several roles; or to
                                                                  the power of it, with `support_as` "exponent")
    π(a | ψ)    = mean of π(a | m) over the feasible skills m of ψ; ε/6 if ψ has none
    L(ψ)        = π(a | ψ) ** likelihood_scale
    relative L  = L of the action taken / L of the likeliest action under the same ψ

The relative likelihood is for the contradiction test: a role that can be pursued in several ways is not contradicted by
choosing one of them. For a NOISY player, STAY is not counted among the likeliest actions. A ψ without a feasible skill
is not divided: it keeps (ε/6) ** likelihood_scale.

How STAY is read depends on the player (`StayModel`):

- NOISY: its moves are randomly held back (mobility < 1). If a skill asks for a walk, STAY is ignored: π(stay | m) = 1.
  If it asks for an interaction, STAY is evidence against it, since interactions are never held back. (The preprint
  leaves this open. On `open` and `ring` with the switching partner, this reading had one to two points more steps with
  the right MAP than exempting every STAY.)
- HUMAN_PAUSES: a person moves at will but pauses, to think or because a terminal repeats keys slowly. In the belief,
  STAY counts like any other action.
- VOLUNTARY: STAY counts like any other action, everywhere.

In the contradiction test, for NOISY and HUMAN_PAUSES, the relative likelihood of STAY is 1 for a hypothesis with a
feasible skill: waiting is no evidence against a plan. (If it counted, the ego replanned a hundred times in 1,200 steps
with a person who acts in every other step, and as often with an idle cook in a room of its own.)

Fire handling is never evidence: L = 1 for every action of a partner that holds the extinguisher or charcoal, or food
that it could swap for charcoal.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from bba.kernels import kernel
from bba.kitchen import (
    ACTION_STAY,
    CHARCOAL,
    EVENT,
    FACING,
    FIRE_EXT,
    FLOOR,
    GRAB_CHARCOAL,
    HELD,
    INTERACT,
    N_ACTIONS,
    N_SKILLS,
    NO_SKILL,
    NOTHING,
    PASS_OBJECT,
    POSITION,
    PUT_DOWN_OBJECT,
    Float64Array,
    Grid,
    Int32Array,
    StateVector,
    face_or_interact,
    feasible_targets,
    nearest_target,
)


class StayModel(IntEnum):
    """How to read STAY: voluntary, as mobility noise, or as a person's pause."""

    VOLUNTARY = 0
    NOISY = 1
    HUMAN_PAUSES = 2


# enum members are many times slower in plain Python
VOLUNTARY = int(StayModel.VOLUNTARY)
NOISY = int(StayModel.NOISY)

# Positions in `params`, the float64 vector of the filter's parameters.
(
    EPSILON,
    SUPPORT_WEIGHT,
    SCALE,
    STAY_MODEL,
    BELIEF_FLOOR,
    HAZARD,
    SUPPORT_EXPONENT,  # 1 if the weight of put-downs is an exponent
    KEEPS_INFEASIBLE,  # 1 if a segment begins with the prior as it is
    LAST_ACTIONS,  # 1 if the posterior counts the last k actions only
    ABSOLUTE,  # 1 if the factors of ℓ are likelihoods as they are
) = range(10)


class Scratch(NamedTuple):
    """Arrays for what the kernels below compute on the way; without creating any, they run several times as fast."""

    target: Int32Array  # (27,)
    distance: Int32Array  # (27,)
    feasible: Int32Array  # (H,) the number of feasible skills of each hypothesis
    policy: Float64Array  # (H, 6) π_low(a | ψ)
    likelihood: Float64Array  # (H,)


def new_scratch(hypotheses: int) -> Scratch:
    """Returns the arrays for so many hypotheses."""
    return Scratch(
        np.empty(N_SKILLS, np.int32),
        np.empty(N_SKILLS, np.int32),
        np.empty(hypotheses, np.int32),
        np.empty((hypotheses, N_ACTIONS)),
        np.empty(hypotheses),
    )


@kernel
def observed_action(before: StateVector, after: StateVector, p: int) -> int:
    """Player p's primitive action, inferred from two consecutive public states."""
    if after[EVENT + p] != NO_SKILL:
        return INTERACT
    if after[POSITION + p] != before[POSITION + p] or after[FACING + p] != before[FACING + p]:
        return int(after[FACING + p])
    return ACTION_STAY


@kernel
def acceptable_actions(grid: Grid, state: StateVector, p: int, target: int) -> int:
    """The actions that the controller could take towards `target`, as a bit set: bit a stands for action a."""
    here = state[POSITION + p]
    other_tile = state[POSITION + 1 - p]
    away = grid.distance_to_adjacent[target, here]
    if away == 0:
        return 1 << face_or_interact(grid, state, p, target)
    actions = 0
    free = 0
    other_in_the_way = False
    for direction in range(4):
        there = grid.neighbour[here, direction]
        if there >= 0 and grid.kind[there] == FLOOR:
            if there != other_tile:
                free |= 1 << direction
            if grid.distance_to_adjacent[target, there] < away:
                actions |= 1 << direction
                other_in_the_way = other_in_the_way or there == other_tile
    return actions | free | 1 << ACTION_STAY if other_in_the_way else actions


@kernel
def hypothesis_policies(
    grid: Grid,
    state: StateVector,
    p: int,
    hypothesis_of_skill: Int32Array,
    params: Float64Array,
    scratch: Scratch,
) -> None:
    """Fills `scratch.policy` with π(a | ψ) for player p, and `scratch.feasible`."""
    target = scratch.target
    feasible = scratch.feasible
    policy = scratch.policy
    feasible_targets(grid, state, p, target, scratch.distance)
    feasible[:] = 0
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
        for action in range(N_ACTIONS):
            if feasible[hypothesis]:
                policy[hypothesis, action] /= feasible[hypothesis]
            else:
                policy[hypothesis, action] = params[EPSILON] / N_ACTIONS


@kernel
def add_skill_policy(actions: int, weight: float, params: Float64Array, policy: Float64Array) -> None:
    """Adds one skill's π(a | m) to `policy` (6,), given the bit set of its acceptable actions."""
    epsilon = params[EPSILON]
    count = 0
    for action in range(N_ACTIONS):
        count += actions >> action & 1
    slip = epsilon / N_ACTIONS
    choice = (1.0 - epsilon) / max(count, 1) + slip
    if params[SUPPORT_EXPONENT] == 0.0:
        slip *= weight
        choice *= weight
    elif weight != 1.0:
        slip **= weight
        choice **= weight
    for action in range(N_ACTIONS):
        if action == ACTION_STAY and params[STAY_MODEL] == NOISY and actions != 1 << INTERACT:
            policy[ACTION_STAY] += 1.0
        else:
            policy[action] += choice if actions >> action & 1 else slip


@kernel
def likelihoods(
    grid: Grid,
    before: StateVector,
    after: StateVector,
    p: int,
    hypothesis_of_skill: Int32Array,
    params: Float64Array,
    scratch: Scratch,
    relative_likelihood: Float64Array,
) -> None:
    """Fills `scratch.likelihood` and `relative_likelihood` (H,) for player p's action between two public states."""
    policy = scratch.policy
    feasible = scratch.feasible
    likelihood = scratch.likelihood
    hypothesis_policies(grid, before, p, hypothesis_of_skill, params, scratch)
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
        for hypothesis in range(len(likelihood)):
            likelihood[hypothesis] **= params[SCALE]
            relative_likelihood[hypothesis] **= params[SCALE]


@kernel
def handles_fire(grid: Grid, state: StateVector, p: int) -> bool:
    """Whether player p holds the extinguisher or charcoal, or food that it could swap for charcoal."""
    held = state[HELD + p]
    if held == CHARCOAL or held == FIRE_EXT:
        return True
    return held != NOTHING and nearest_target(grid, state, p, GRAB_CHARCOAL) >= 0


@kernel
def reference_probability(policy: Float64Array, action: int, params: Float64Array) -> float:
    """The probability that the relative likelihood of `action` is divided by: that of the likeliest action.

    For a NOISY player STAY is no alternative to an action, since it may stay whatever it intends.
    """
    best = policy[action]
    for alternative in range(N_ACTIONS):
        if policy[alternative] > best and (alternative != ACTION_STAY or params[STAY_MODEL] != NOISY):
            best = policy[alternative]
    return best


@kernel
def exclude_infeasible(
    grid: Grid,
    state: StateVector,
    p: int,
    hypothesis_of_skill: Int32Array,
    params: Float64Array,
    scratch: Scratch,
    belief: Float64Array,
) -> None:
    """Multiplies `belief` (H,) by the evidence of the state alone, and normalises it.

    The factor of a hypothesis is the mean weight of its feasible skills, ε/6 if it has none. A weight that is an
    exponent is that of a skill's feasibility, which is certain, and changes nothing.
    """
    target = scratch.target
    feasible = scratch.feasible
    weights = scratch.likelihood
    feasible_targets(grid, state, p, target, scratch.distance)
    feasible[:] = 0
    weights[:] = 0.0
    for skill in range(N_SKILLS):
        if hypothesis_of_skill[skill] >= 0 and target[skill] >= 0:
            weight = 1.0 if params[SUPPORT_EXPONENT] != 0.0 else evidence_weight(skill, params)
            weights[hypothesis_of_skill[skill]] += weight
            feasible[hypothesis_of_skill[skill]] += 1
    for hypothesis in range(len(belief)):
        if feasible[hypothesis]:
            belief[hypothesis] *= weights[hypothesis] / feasible[hypothesis]
        else:
            belief[hypothesis] *= params[EPSILON] / N_ACTIONS
    normalise(belief)


@kernel
def normalise(belief: Float64Array) -> None:
    """Divides a belief (H,) by its sum."""
    total = belief.sum()
    for hypothesis in range(len(belief)):
        belief[hypothesis] /= total


@kernel
def evidence_weight(skill: int, params: Float64Array) -> float:
    """The weight of a skill's likelihood, a factor or an exponent: support_weight for put-downs and passes, else 1."""
    return params[SUPPORT_WEIGHT] if skill == PASS_OBJECT or skill == PUT_DOWN_OBJECT else 1.0
