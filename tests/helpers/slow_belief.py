"""The preprint's belief and gate, written slowly from its equations: no code of `bba.belief`, only its roles.

What the controller would do in the partner's place is asked of the kitchen: which skills are feasible, and how far each
tile is from a target. Nothing is carried from step to step but what the partner did in the segment.
"""

import math
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bba.belief.roles import ROLE_SKILLS
from bba.kitchen import Grid, StateVector, constants, face_or_interact, feasible_targets, nearest_target
from bba.kitchen.constants import COMPLETED, EVENT, FACING, HELD, POSITION

ALPHA, EPSILON, WEIGHT, WINDOW = 1.0, 0.3, 0.35, 10
THETA, K, GAMMA, COOLDOWN = 0.04, 3, 0.65, 6
PARTNER = 1
SUPPORTING = (constants.PASS_OBJECT, constants.PUT_DOWN_OBJECT)
ACTIONS = range(constants.N_ACTIONS)


class SlowStep(NamedTuple):
    """What holds in a step t: ℓ_t, u, the five conditions and the cooldown that is left, and then b_t."""

    likelihood: float
    commitment: int
    conditions: tuple[bool, ...]
    left: int
    belief: list[float]


def slow_steps(
    grid: Grid, states: Iterable[StateVector], mid_skill: Iterable[bool], *, exponent: bool = True, window: bool = False
) -> Iterator[SlowStep]:
    """Yields the steps after the first.

    Args:
        grid: of the kitchen.
        states: at the beginning and after each step; the partner's moves are held back at random.
        mid_skill: whether the ego runs a skill, in the steps after the first.
        exponent: whether passing and putting down are tempered by an exponent, not by a factor.
        window: whether the posterior is capped to the last k actions, too.
    """
    completed = [0] * len(ROLE_SKILLS)
    segment: list[list[float]] = []  # π_low(a | ψ) of every action since the last completion
    maps: list[int] = [first_of_largest(prior(completed))]  # ψ̂ of every step of the segment
    u = left = 0
    for (before, after), runs in zip(pairwise(states), mid_skill, strict=True):
        belief = posterior(completed, segment, window=window)
        best = maps[-1]
        u = 1 + (len(maps) > 1 and best == maps[-2]) * u  # Algorithm 1, line 6
        segment.append(action_likelihoods(grid, before, after, exponent=exponent))
        likelihood = math.prod(action[best] for action in segment[-WINDOW:])
        conditions = (likelihood < THETA, u >= K, belief[best] >= GAMMA, runs, left == 0)
        left = COOLDOWN if all(conditions) else max(left - 1, 0)
        if after[COMPLETED + PARTNER]:
            for role, skills in enumerate(ROLE_SKILLS):
                completed[role] += int(after[EVENT + PARTNER]) in skills
            segment, maps = [], []
        now = posterior(completed, segment, window=window)
        maps.append(first_of_largest(now))
        yield SlowStep(likelihood, u, conditions, left, now)
        if after[COMPLETED + PARTNER]:
            u = 0


def prior(completed: list[int]) -> list[float]:
    """(C + α) / Σ (C + α)."""
    return [(count + ALPHA) / (sum(completed) + len(completed) * ALPHA) for count in completed]


def posterior(completed: list[int], segment: list[list[float]], *, window: bool) -> list[float]:
    """The prior times the likelihoods of the segment's actions, in logarithms, and then over their sum."""
    counted = segment[-WINDOW:] if window else segment
    logs = [
        math.log(share) + math.fsum(math.log(action[role]) for action in counted)
        for role, share in enumerate(prior(completed))
    ]
    weights = [math.exp(one - max(logs)) for one in logs]
    return [weight / math.fsum(weights) for weight in weights]


def first_of_largest(belief: list[float]) -> int:
    """The MAP. Roles that are equal up to rounding are equal: the first of them counts."""
    return next(role for role, share in enumerate(belief) if share > max(belief) - 1e-13)


def action_likelihoods(grid: Grid, before: StateVector, after: StateVector, *, exponent: bool) -> list[float]:
    """π_low of the partner's action under each role: the mean over its feasible skills, ε/6 if there are none."""
    held = before[HELD + PARTNER]
    swaps = held != constants.NOTHING and nearest_target(grid, before, PARTNER, constants.GRAB_CHARCOAL) >= 0
    if held in (constants.CHARCOAL, constants.FIRE_EXT) or swaps:
        return [1.0] * len(ROLE_SKILLS)  # fire handling is never evidence
    action = action_between(before, after)
    target = np.empty(constants.N_SKILLS, np.int32)
    feasible_targets(grid, before, PARTNER, target, np.empty_like(target))
    likelihoods = []
    for skills in ROLE_SKILLS:
        found = [
            skill_likelihood(grid, before, skill, int(target[skill]), action, exponent=exponent)
            for skill in skills
            if target[skill] >= 0
        ]
        likelihoods.append(math.fsum(found) / len(found) if found else EPSILON / len(ACTIONS))
    return likelihoods


def action_between(before: StateVector, after: StateVector) -> int:
    """The partner's action, as the public states show it."""
    if after[EVENT + PARTNER] != constants.NO_SKILL:
        return constants.INTERACT
    places = (POSITION + PARTNER, FACING + PARTNER)
    if any(before[place] != after[place] for place in places):
        return int(after[FACING + PARTNER])
    return constants.ACTION_STAY


def skill_likelihood(grid: Grid, state: StateVector, skill: int, target: int, action: int, *, exponent: bool) -> float:
    """π_low(a | m). A walk that is held back at random says nothing: its STAY has probability 1."""
    accepted = accepted_actions(grid, state, target)
    if action == constants.ACTION_STAY and accepted != {constants.INTERACT}:
        return 1.0
    probability = (1 - EPSILON) * (action in accepted) / len(accepted) + EPSILON / len(ACTIONS)
    if skill not in SUPPORTING:
        return probability
    return probability**WEIGHT if exponent else probability * WEIGHT


def accepted_actions(grid: Grid, state: StateVector, target: int) -> set[int]:
    """What the controller could do next: interact or turn beside the target, else any step of a shortest way.

    Where the other cook stands in such a way, also to wait, and to step aside.
    """
    here, other = int(state[POSITION + PARTNER]), int(state[POSITION + 1 - PARTNER])
    away = grid.distance_to_adjacent[target]
    if away[here] == 0:
        return {int(face_or_interact(grid, state, PARTNER, target))}
    steps = {direction: int(grid.neighbour[here, direction]) for direction in range(4)}
    walks = {way: tile for way, tile in steps.items() if tile >= 0 and grid.kind[tile] == constants.FLOOR}
    shorter = {way for way, tile in walks.items() if away[tile] < away[here]}
    if all(walks[way] != other for way in shorter):
        return shorter
    return shorter | {way for way, tile in walks.items() if tile != other} | {constants.ACTION_STAY}
