"""Futures: what the kitchen may look like some steps from now if the ego starts a certain skill.

In a future the ego runs the skill in question and the partner one that was drawn from the belief. Whenever a skill has
ended, the behaviour network says what may come next, given what the other cook is doing: the ego takes the likeliest
skill, its partner's is drawn, as its tendencies have it (`bba.belief.tendencies`). At the end the value network
estimates the reward that is still to come. Future i of every skill begins with the same skill of the partner and has
the same random numbers, so that the difference between two skills is due to them and not to luck (common random
numbers).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import N_SKILLS, NO_SKILL, SKILL_STAY
from bba.kitchen.controller import (
    AGE,
    CONTROLLED,
    PRIORITY,
    SKILL,
    TARGET,
    SkillRuns,
    game_step,
    new_skill_runs,
    start_skill,
)
from bba.kitchen.grid import Grid
from bba.kitchen.observation import REACH, Float32Array, encode_observation, observation_size
from bba.kitchen.rules import hash_random
from bba.kitchen.state import KEY, REWARD, STATE_HEADER, StateVector
from bba.planner.rollout.network import (
    PROBABILITY_PARTS,
    Network,
    NetworkBuffers,
    choice_parts,
    draw_choice,
    evaluate_network,
)

WEIGHTS = 1 << 20  # the weight of a choice is a whole number of parts of this

LIKELIEST = -1  # in the place of a random number: the likeliest choice

Returns = NDArray[np.float64]


class FutureParams(NamedTuple):
    """How futures are played: their length in steps, the discount a step, the skill timeout, the map's width."""

    steps: int
    discount: float
    timeout: int
    width: int
    value_scale: float


class ChoiceWeights(NamedTuple):
    """How the players' choices differ from the network's, in whole numbers of parts of `WEIGHTS`.

    Attributes:
        lift: added to the share of each feasible skill, relative to the likeliest one, (2,).
        weights: by which the shares are then multiplied, (2, 27), 1 to `WEIGHTS`.
        acceptance: how often such a choice is made, rather than to stay, (2, 27), 0 to `WEIGHTS`.
    """

    lift: NDArray[np.int64]
    weights: NDArray[np.int64]
    acceptance: NDArray[np.int64]


class Buffers(NamedTuple):
    """Arrays that futures are computed in."""

    state: StateVector
    runs: SkillRuns
    actions: NDArray[np.int32]
    reach: NDArray[np.int32]  # (2, 27)
    observations: Float32Array  # (2, size)
    parts: NDArray[np.int64]  # (27,)
    feasible: NDArray[np.bool_]  # (27,)
    behaviour: NetworkBuffers
    value: NetworkBuffers


def new_buffers(grid: Grid, behaviour: Network, value: Network) -> Buffers:
    """Returns the arrays that futures on this grid are computed in."""
    return Buffers(
        state=np.zeros(STATE_HEADER + 2 * len(grid.kind), np.int32),
        runs=new_skill_runs(),
        actions=np.zeros(2, np.int32),
        reach=np.zeros((2, N_SKILLS), np.int32),
        observations=np.zeros((2, observation_size(grid)), np.float32),
        parts=np.zeros(N_SKILLS, np.int64),
        feasible=np.zeros(N_SKILLS, np.bool_),
        behaviour=NetworkBuffers.of(behaviour),
        value=NetworkBuffers.of(value),
    )


@kernel
def play_futures(
    grid: Grid,
    state: StateVector,
    ego_run: NDArray[np.int32],
    player: int,
    skills: NDArray[np.int32],
    partner_skills: NDArray[np.int32],
    keys: NDArray[np.int64],
    weights: ChoiceWeights,
    behaviour: Network,
    value: Network,
    params: FutureParams,
    buffers: Buffers,
    returns: Returns,
) -> None:
    """Writes the return of each future of each skill to `returns` (skills, futures).

    Args:
        grid: the kitchen.
        state: the present state.
        ego_run: the ego's row of the controller state now.
        player: the ego's seat.
        skills: the skills to compare, (S,), feasible.
        partner_skills: the partner's present skill in each future, (N,); NO_SKILL lets the network draw it.
        keys: of the random draws of each future, (N,).
        weights: how the players' later choices differ from the network's.
        behaviour: chooses further skills of both cooks.
        value: estimates the return from the last state on.
        params: how futures are played.
        buffers: arrays to compute in.
        returns: the discounted rewards, in points.
    """
    for i in range(len(partner_skills)):
        for s in range(len(skills)):
            for j in range(len(state)):
                buffers.state[j] = state[j]
            buffers.state[KEY] = keys[i]
            begin(grid, buffers, ego_run, player, skills[s], partner_skills[i])
            returns[s, i] = play_future(grid, int(keys[i]), player, weights, behaviour, value, params, buffers)


@outlined_kernel
def begin(
    grid: Grid, buffers: Buffers, ego_run: NDArray[np.int32], player: int, skill: int, partner_skill: int
) -> None:
    """Lets both cooks run their first skills; the ego goes on with its running one if that is the skill."""
    runs = buffers.runs
    for p in range(2):
        for column in range(runs.shape[1]):
            runs[p, column] = 0
        runs[p, SKILL], runs[p, TARGET], runs[p, CONTROLLED] = NO_SKILL, -1, 1
    if partner_skill != NO_SKILL:
        start_skill(grid, buffers.state, runs, 1 - player, partner_skill)
    if start_skill(grid, buffers.state, runs, player, skill) and ego_run[SKILL] == skill:
        runs[player, AGE], runs[player, PRIORITY] = ego_run[AGE], ego_run[PRIORITY]


@kernel
def play_future(
    grid: Grid,
    key: int,
    ego: int,
    weights: ChoiceWeights,
    behaviour: Network,
    value: Network,
    params: FutureParams,
    buffers: Buffers,
) -> float:
    """Plays one future from the state in the buffers and returns its discounted reward, in points."""
    state, runs = buffers.state, buffers.runs
    total, weight = 0.0, 1.0
    for t in range(params.steps):
        for player in range(2):
            if runs[player, SKILL] == NO_SKILL:
                random = LIKELIEST if player == ego else hash_random(~key, 2 * t + player)
                choose_skill(grid, random, player, weights, behaviour, params, buffers)
        game_step(grid, state, runs, buffers.actions, params.timeout)
        total += weight * state[REWARD]
        weight *= params.discount
    observe(grid, state, params.width, buffers)
    evaluate_network(value, buffers.observations[0], NO_SKILL, buffers.value)
    return total + weight * np.float64(buffers.value.outputs[0]) * params.value_scale


@outlined_kernel
def choose_skill(
    grid: Grid,
    random: int,
    player: int,
    weights: ChoiceWeights,
    behaviour: Network,
    params: FutureParams,
    buffers: Buffers,
) -> None:
    """Lets the behaviour network choose a player's next skill, and starts it; `random` draws it, or is `LIKELIEST`."""
    observe(grid, buffers.state, params.width, buffers)
    mark_feasible(player, buffers)
    behaviour_parts(player, buffers.runs[1 - player, SKILL], behaviour, buffers)
    total = weigh(buffers.parts, buffers.feasible, player, weights)
    choice = int(np.argmax(buffers.parts)) if random == LIKELIEST else draw_choice(buffers.parts, total, random)
    start_skill(grid, buffers.state, buffers.runs, player, choice)


@kernel
def weigh(parts: NDArray[np.int64], feasible: NDArray[np.bool_], player: int, weights: ChoiceWeights) -> int:
    """Weighs the parts of a player's choices, and moves what is not accepted to STAY. Returns the new sum, above 0."""
    total = declined = 0
    for i in range(len(parts)):
        if feasible[i]:
            lifted = parts[i] + weights.lift[player] * PROBABILITY_PARTS // WEIGHTS
            weighed = lifted * weights.weights[player, i] // WEIGHTS
            parts[i] = weighed * weights.acceptance[player, i] // WEIGHTS
            declined += weighed - parts[i]
            total += weighed
    parts[SKILL_STAY] += declined
    return total


@kernel
def mark_feasible(player: int, buffers: Buffers) -> None:
    """Writes to `buffers.feasible` which skills a player can start, given the observations."""
    for skill in range(N_SKILLS):
        buffers.feasible[skill] = buffers.observations[player, REACH + skill] > 0


@kernel
def behaviour_parts(player: int, other_skill: int, behaviour: Network, buffers: Buffers) -> int:
    """Writes a player's probabilities of its next skill to `buffers.parts`; returns their sum.

    `other_skill` is what the other cook runs; NO_SKILL if that is nothing, or not known.
    """
    evaluate_network(behaviour, buffers.observations[player], other_skill, buffers.behaviour)
    return choice_parts(buffers.behaviour.outputs, buffers.feasible, buffers.parts)


@kernel
def choice_probabilities(
    grid: Grid,
    state: StateVector,
    player: int,
    partner: NDArray[np.float64],
    behaviour: Network,
    width: int,
    buffers: Buffers,
    probabilities: NDArray[np.float64],
) -> None:
    """Writes a player's probabilities of its next skill, (27,), to `probabilities`.

    `partner` are the probabilities of what the other cook runs, (27,), over which the network's choice is averaged;
    empty if nothing is known of it.
    """
    observe(grid, state, width, buffers)
    mark_feasible(player, buffers)
    if len(partner) == 0:
        total = behaviour_parts(player, NO_SKILL, behaviour, buffers)
        for skill in range(N_SKILLS):
            probabilities[skill] = buffers.parts[skill] / total
        return
    probabilities[:] = 0.0
    for other in range(N_SKILLS):
        if partner[other] > 0.0:
            total = behaviour_parts(player, other, behaviour, buffers)
            for skill in range(N_SKILLS):
                probabilities[skill] += partner[other] * buffers.parts[skill] / total


@outlined_kernel
def observe(grid: Grid, state: StateVector, width: int, buffers: Buffers) -> None:
    """Writes both players' observations of a state to the buffers."""
    encode_observation(grid, state, width, buffers.reach, buffers.observations)
