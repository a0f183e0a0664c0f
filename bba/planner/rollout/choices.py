"""How cooks choose skills in futures: by the behaviour network, or in a role by one of the partner's rules.

The behaviour network says what may come next, given what the other cook is doing. A partner of a type with a role
(`bba.belief.partner_types`) chooses for that role, as role partners do (`bba.agents.role_partners`). One that chooses
by propensity does as the population's network has it, each skill weighed (`bba.belief.propensities`).
"""

from typing import NamedTuple

import numpy as np

from bba.belief.partner_types import LOCKED, LOCKED_DRAWN, ROLE_FIRST
from bba.belief.propensities import WEIGHTS
from bba.belief.roles import ROLE_OF_SKILL, STAGE_PASS
from bba.kernels import kernel, outlined_kernel
from bba.kitchen import (
    HELD,
    N_SKILLS,
    NO_SKILL,
    NOTHING,
    REACH,
    SKILL,
    SKILL_STAY,
    STATE_HEADER,
    BoolArray,
    Float32Array,
    Float64Array,
    Grid,
    Int32Array,
    Int64Array,
    Layout,
    SkillRuns,
    StateVector,
    encode_for,
    grid_of,
    new_skill_runs,
    observation_size,
)
from bba.planner.rollout.networks import (
    PROBABILITY_PARTS,
    Network,
    NetworkBuffers,
    choice_parts,
    draw_choice,
    evaluate_network,
)
from bba.planner.scripted.scene_facts import SceneFacts, facts_of
from bba.planner.scripted.skill_choice import role_skill, role_skills

LIKELIEST = -1  # in the place of a random number: the likeliest choice
DOUBT = 0.05  # the share of a type's choices that may be any
POPULATION_DOUBT = 0.01  # the same of one that chooses by propensity


class ChoiceWeights(NamedTuple):
    """How the players' choices differ from the network's, in whole numbers of parts of `WEIGHTS`.

    Attributes:
        lift: added to the share of each feasible skill, relative to the likeliest one, (2,).
        weights: by which the shares are then multiplied, (2, 27), 1 to `WEIGHTS`.
        acceptance: how often such a choice is made, rather than to stay, (2, 27), 0 to `WEIGHTS`.
    """

    lift: Int64Array
    weights: Int64Array
    acceptance: Int64Array


class Buffers(NamedTuple):
    """Arrays that futures are computed in."""

    state: StateVector
    runs: SkillRuns
    actions: Int32Array
    reach: Int32Array  # (2, 27)
    observation: Float32Array  # (size,)
    parts: Int64Array  # (27,)
    unweighed: Int64Array  # (27,)
    feasible: BoolArray  # (27,)
    within: Int32Array  # (27,)
    behaviour: NetworkBuffers
    value: NetworkBuffers
    population: NetworkBuffers
    facts: SceneFacts


def new_buffers(layout: Layout, behaviour: Network, value: Network, population: Network) -> Buffers:
    """Returns the arrays that futures in this kitchen are computed in."""
    grid = grid_of(layout)
    tiles = len(grid.kind)
    return Buffers(
        state=np.zeros(STATE_HEADER + 2 * tiles, np.int32),
        runs=new_skill_runs(),
        actions=np.zeros(2, np.int32),
        reach=np.zeros((2, N_SKILLS), np.int32),
        observation=np.zeros(observation_size(grid), np.float32),
        parts=np.zeros(N_SKILLS, np.int64),
        unweighed=np.zeros(N_SKILLS, np.int64),
        feasible=np.zeros(N_SKILLS, np.bool_),
        within=np.zeros(N_SKILLS, np.int32),
        behaviour=NetworkBuffers.of(behaviour),
        value=NetworkBuffers.of(value),
        population=NetworkBuffers.of(population),
        facts=facts_of(layout),
    )


@kernel
def observe(grid: Grid, state: StateVector, player: int, width: int, buffers: Buffers) -> int:
    """Writes a player's observation and which skills it can start to the buffers; returns how many these are."""
    encode_for(grid, state, player, width, buffers.reach, buffers.observation)
    return mark_feasible(buffers)


@kernel
def mark_feasible(buffers: Buffers) -> int:
    """Writes to `buffers.feasible` which skills a player can start, given its observation; returns how many."""
    count = 0
    for skill in range(N_SKILLS):
        is_feasible = buffers.observation[REACH + skill] > 0
        buffers.feasible[skill] = is_feasible
        if is_feasible:
            count += 1
    return count


@kernel
def behaviour_parts(partner_skill: int, behaviour: Network, buffers: Buffers) -> int:
    """Writes the observed player's probabilities of its next skill to `buffers.parts`; returns their sum.

    `partner_skill` is what the other cook runs; NO_SKILL if that is nothing, or not known.
    """
    evaluate_network(behaviour, buffers.observation, partner_skill, buffers.behaviour)
    return choice_parts(buffers.behaviour.outputs, buffers.feasible, buffers.parts)


@kernel
def network_choice(
    grid: Grid, random: int, player: int, weights: ChoiceWeights, behaviour: Network, width: int, buffers: Buffers
) -> int:
    """Returns a player's next skill by the behaviour network: `random` draws it, weighed, or is `LIKELIEST`."""
    observe(grid, buffers.state, player, width, buffers)
    behaviour_parts(buffers.runs[1 - player, SKILL], behaviour, buffers)
    if random == LIKELIEST:
        return int(np.argmax(buffers.parts))
    total = weigh(buffers.parts, buffers.feasible, player, weights)
    return draw_choice(buffers.parts, total, random)


@kernel
def weigh(parts: Int64Array, feasible: BoolArray, player: int, weights: ChoiceWeights) -> int:
    """Weighs the parts of a player's choices, and moves what is not accepted to STAY. Returns the new sum, above 0."""
    total = 0
    declined = 0
    for i in range(len(parts)):
        if feasible[i]:
            lifted = parts[i] + weights.lift[player] * PROBABILITY_PARTS // WEIGHTS
            weighed = lifted * weights.weights[player, i] // WEIGHTS
            accepted = weighed * weights.acceptance[player, i] // WEIGHTS
            parts[i] = accepted
            declined += weighed - accepted
            total += weighed
    parts[SKILL_STAY] += declined
    return total


@kernel
def propensity_choice(
    grid: Grid, random: int, player: int, weights: Int64Array, population: Network, width: int, buffers: Buffers
) -> int:
    """Returns the next skill of a player that chooses by propensity; `weights`, (27,), are in parts of `WEIGHTS`."""
    observe(grid, buffers.state, player, width, buffers)
    evaluate_network(population, buffers.observation, NO_SKILL, buffers.population)
    choice_parts(buffers.population.outputs, buffers.feasible, buffers.unweighed)
    total = weigh_by_propensity(buffers.unweighed, weights, buffers.parts)
    return draw_choice(buffers.parts, total, random)


@kernel
def weigh_by_propensity(unweighed: Int64Array, weights: Int64Array, parts: Int64Array) -> int:
    """Writes the weighed parts of a player's choices, (27,); it stays if none is left. Returns their sum."""
    total = 0
    for skill in range(N_SKILLS):
        parts[skill] = unweighed[skill] * weights[skill] // WEIGHTS
        total += parts[skill]
    if total == 0:
        parts[SKILL_STAY] = 1
        total = 1
    return total


@kernel
def choice_probabilities(
    grid: Grid,
    state: StateVector,
    player: int,
    partner: Float64Array,
    behaviour: Network,
    width: int,
    buffers: Buffers,
    probabilities: Float64Array,
) -> None:
    """Writes a player's probabilities of its next skill, (27,), to `probabilities`.

    `partner` are the probabilities of what the other cook runs, (27,), over which the network's choice is averaged;
    empty if nothing is known of it.
    """
    observe(grid, state, player, width, buffers)
    probabilities[:] = 0.0
    first = 0
    end = N_SKILLS
    if len(partner) == 0:  # the only case is then that nothing is known
        first = NO_SKILL
        end = NO_SKILL + 1
    for partner_skill in range(first, end):
        share = partner[partner_skill] if len(partner) else 1.0
        if share > 0.0:
            total = behaviour_parts(partner_skill, behaviour, buffers)
            for skill in range(N_SKILLS):
                probabilities[skill] += share * buffers.parts[skill] / total


@kernel
def role_choice(
    grid: Grid, random: int, player: int, chooser: int, role: int, behaviour: Network, width: int, buffers: Buffers
) -> int:
    """Returns the next skill of a player that works in a role."""
    if chooser == ROLE_FIRST or chooser == LOCKED:
        skill, _ = role_skill(grid, width, buffers.state, player, role, chooser == LOCKED, buffers.facts)
        return skill
    observe(grid, buffers.state, player, width, buffers)
    mark_within(grid, width, buffers.state, player, role, buffers)
    total = behaviour_parts(NO_SKILL, behaviour, buffers)
    return draw_choice(buffers.parts, total, random)


@outlined_kernel
def mark_within(grid: Grid, width: int, state: StateVector, player: int, role: int, buffers: Buffers) -> None:
    """Leaves in `buffers.feasible` the skills that a cook locked in a role may start; STAY if there are none.

    With free hands these are the tasks of the role, with full hands the uses of the item for the role, else any use.
    """
    feasible = buffers.feasible
    feasible[SKILL_STAY] = False
    if state[HELD + player] == NOTHING:
        role_skills(grid, width, state, player, role, buffers.facts, buffers.within)
        any_left = narrow(feasible, buffers.within)
    else:
        any_of_role = False
        for skill in range(N_SKILLS):
            is_of_role = feasible[skill] and ROLE_OF_SKILL[skill] == role and role != STAGE_PASS
            buffers.within[skill] = is_of_role
            any_of_role = any_of_role or is_of_role
        if any_of_role:
            narrow(feasible, buffers.within)
        any_left = any_of_role
        for skill in range(N_SKILLS):
            any_left = any_left or feasible[skill]
    if not any_left:
        feasible[SKILL_STAY] = True


@kernel
def narrow(feasible: BoolArray, within: Int32Array) -> bool:
    """Removes the skills that are not within from the feasible ones; returns whether any is left."""
    any_left = False
    for skill in range(N_SKILLS):
        feasible[skill] = feasible[skill] and within[skill] != 0
        any_left = any_left or feasible[skill]
    return any_left


@kernel
def choices_of_types(
    grid: Grid,
    state: StateVector,
    player: int,
    n_roles: int,
    behaviour: Network,
    population: Network,
    samples: Int64Array,
    width: int,
    buffers: Buffers,
    choices: Float64Array,
) -> None:
    """Writes how a player of each type would choose in a state, (C, 27), rows as in `TypeSpace`.

    `samples`, (K, 27), are the weights of sampled propensities; with K = 0 there is no row of them.
    """
    for place in range(len(state)):
        buffers.state[place] = state[place]  # role_skill changes it for a moment
    count = observe(grid, buffers.state, player, width, buffers)
    total = behaviour_parts(NO_SKILL, behaviour, buffers)
    adaptive = choices[0]
    for skill in range(N_SKILLS):
        doubt = DOUBT / count if buffers.feasible[skill] else 0.0
        adaptive[skill] = (1.0 - DOUBT) * buffers.parts[skill] / total + doubt
    for role in range(n_roles):
        for chooser in (ROLE_FIRST, LOCKED):
            row = choices[1 + (chooser - 1) * n_roles + role]
            for skill in range(N_SKILLS):
                row[skill] = DOUBT * adaptive[skill]
            chosen, _ = role_skill(grid, width, buffers.state, player, role, chooser == LOCKED, buffers.facts)
            row[chosen] += 1.0 - DOUBT
        mark_feasible(buffers)
        mark_within(grid, width, buffers.state, player, role, buffers)
        total = choice_parts(buffers.behaviour.outputs, buffers.feasible, buffers.parts)
        row = choices[1 + (LOCKED_DRAWN - 1) * n_roles + role]
        for skill in range(N_SKILLS):
            row[skill] = DOUBT * adaptive[skill] + (1.0 - DOUBT) * buffers.parts[skill] / total
    if len(samples):
        mark_feasible(buffers)
        expect_by_propensity(population, samples, count, buffers, choices[-1])


@outlined_kernel
def expect_by_propensity(
    population: Network, samples: Int64Array, count: int, buffers: Buffers, choice: Float64Array
) -> None:
    """Writes how the observed player chooses by propensity, the mean over the samples, (27,); `count` are feasible."""
    evaluate_network(population, buffers.observation, NO_SKILL, buffers.population)
    for skill in range(N_SKILLS):
        choice[skill] = POPULATION_DOUBT / count if buffers.feasible[skill] else 0.0
    choice_parts(buffers.population.outputs, buffers.feasible, buffers.unweighed)
    for number in range(len(samples)):
        total = weigh_by_propensity(buffers.unweighed, samples[number], buffers.parts)
        share = (1.0 - POPULATION_DOUBT) / (len(samples) * total)
        for skill in range(N_SKILLS):
            choice[skill] += share * buffers.parts[skill]
