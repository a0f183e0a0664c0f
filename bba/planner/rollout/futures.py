"""Futures: what the kitchen may look like some steps from now if the ego starts a certain skill.

In a future the ego runs the skill in question and the partner one that was drawn from the belief. Whenever a skill has
ended, the cook chooses another (`bba.planner.rollout.choices`): the ego the likeliest by the behaviour network, given
what its partner is doing; the partner as its type does, by a rule that it keeps and in a role that changes with its
hazard, or by propensities that it keeps. A partner of no type follows the network, as its tendencies have it
(`bba.belief.tendencies`). A cook that waits for work of its role chooses again when a cook has worked at a station or
its role has changed, and every `PATIENCE` steps.

At the end the value network estimates the reward that is still to come. Future i of every skill begins with the same
partner and has the same random numbers, so that the difference between two skills is due to them and not to luck
(common random numbers).

A comparison says what each skill promises, which was chosen, and whether the ranks are settled.
"""

from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

import numpy as np
from pydantic import Field

from bba.belief import ADAPTS, BY_PROPENSITY, ROLE_OF_SKILL
from bba.config import Share
from bba.kernels import kernel, outlined_kernel
from bba.kitchen import (
    AGE,
    CONTROLLED,
    EVENT,
    INTERRUPTED,
    KEY,
    N_SKILLS,
    NO_SKILL,
    PRIORITY,
    REWARD,
    SKILL,
    SKILL_STAY,
    TARGET,
    BoolArray,
    Float64Array,
    Grid,
    Int32Array,
    Int64Array,
    StateVector,
    encode_for,
    game_step,
    hash_random,
    start_skill,
    stop_skill,
)
from bba.planner.chat import SkillNumber
from bba.planner.rollout.choices import (
    LIKELIEST,
    Buffers,
    ChoiceWeights,
    network_choice,
    propensity_choice,
    role_choice,
)
from bba.planner.rollout.networks import Network, evaluate_network

RETURN_DIGITS = 6  # decimal places to which returns are rounded before they are compared
CHANCE = 2.0  # standard errors by which a skill must be behind before it is played no more

Returns = Float64Array  # of futures, in points

Points = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True, slots=True)
class SkillValue:
    """What one skill promises. The annotations are the limits that a recording is validated against.

    Attributes:
        skill: the skill.
        probability: by the behaviour network, 0 to 1.
        value: mean return of its futures, in points.
        gain: mean difference to the default skill's futures, in points.
        error: standard error of the gain, in points.
    """

    skill: SkillNumber
    probability: Share
    value: Points
    gain: Points
    error: Annotated[Points, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the planner compared at one decision. The annotations are the limits that a recording is validated against.

    Attributes:
        options: the skills compared, in the order of their probability under the behaviour network; the default first.
        chosen: the skill to run.
        partner: the assumed probabilities of the partner's present skill, (27,); () if the network draws it.
        futures: futures per skill.
        seconds: time that the comparison took; 0 if it is not known. It is not part of the game: it differs from one
            time to the next, so that it counts in no comparison of games and is not recorded.
    """

    options: Annotated[tuple[SkillValue, ...], Field(min_length=1, max_length=N_SKILLS + 1)]
    chosen: SkillNumber
    partner: Annotated[tuple[Share, ...], Field(max_length=N_SKILLS)]
    futures: Annotated[int, Field(ge=2)]
    seconds: Annotated[float, Field(exclude=True)] = field(default=0.0, compare=False)

    @property
    def best(self) -> SkillValue:
        """The option that was chosen."""
        return next(option for option in self.options if option.skill == self.chosen)

    def pays(self, cost: float) -> bool:
        """Whether the option that was chosen promises more than the default, in points, than a cost."""
        return self.chosen != self.options[0].skill and self.best.gain > cost


def option_of(skill: int, probability: float, returns: Returns) -> SkillValue:
    """Returns what a skill promises, given the returns of the default and its own in the same futures, (2, N)."""
    gains = returns[1] - returns[0]
    error = gains.std(ddof=1) / np.sqrt(len(gains))
    return SkillValue(
        skill,
        probability=round(probability, RETURN_DIGITS),
        value=round(float(returns[1].mean()), RETURN_DIGITS),
        gain=round(float(gains.mean()), RETURN_DIGITS),
        error=round(float(error), RETURN_DIGITS),
    )


def settle(returns: Returns, doubts: Returns, open_skills: BoolArray) -> bool:
    """Closes skills that have fallen behind by more than chance; returns whether the ranks are settled.

    Args:
        returns: of every future so far, (S, N); the default is the first skill.
        doubts: what each skill's gain has to outweigh, (S,), in points.
        open_skills: which are still compared, (S,), changed in place; the default always is.
    """
    gains = returns - returns[0]
    scores = gains.mean(axis=1) - doubts
    errors = gains.std(axis=1, ddof=1) / np.sqrt(returns.shape[1])
    lower_bounds = scores - CHANCE * errors
    upper_bounds = scores + CHANCE * errors
    least = max(0.0, float(lower_bounds[open_skills].max()))
    open_skills &= upper_bounds >= least
    open_skills[0] = True
    rivals = np.flatnonzero(open_skills[1:]) + 1  # of the default
    if len(rivals) == 0:
        return True
    if len(rivals) > 1:
        return False
    rival = rivals[0]
    return bool(scores[rival] > (CHANCE + 1) * errors[rival])


PATIENCE = 6  # steps
NEW_ROLE = 1 << 20  # from this number on are the draws of new roles; those of skills have smaller ones
CERTAIN = 1 << 32  # a probability is a whole number of parts of this


class FutureParams(NamedTuple):
    """How futures are played: their length in steps, the discount a step, the skill timeout, the map's width."""

    steps: int
    discount: float
    timeout: int
    width: int
    value_scale: float
    n_roles: int


class Partners(NamedTuple):
    """Who the partner is in each of N futures.

    Attributes:
        skills: what the partner runs at first, (N,); NO_SKILL lets it choose.
        choosers: how the partner chooses, (N,) (`bba.belief.partner_types`).
        roles: the partner's role at first, (N,); of no meaning for `ADAPTS`.
        hazards: how likely the role changes in a step, (N,), in parts of `CERTAIN`.
        schedule: of the roles, if that is known, instead of hazards: steps from now and role, (R, 2), in order.
        samples: the weights of the partner's propensities, (N, 27), in parts of `WEIGHTS`; (0, 27) for none.
    """

    skills: Int32Array
    choosers: Int32Array
    roles: Int32Array
    hazards: Int64Array
    schedule: Int32Array
    samples: Int64Array


@kernel
def play_futures(
    grid: Grid,
    state: StateVector,
    ego_run: Int32Array,
    player: int,
    skills: Int32Array,
    open_skills: BoolArray,
    partners: Partners,
    keys: Int64Array,
    weights: ChoiceWeights,
    behaviour: Network,
    population: Network,
    value: Network,
    params: FutureParams,
    buffers: Buffers,
    returns: Returns,
) -> None:
    """Writes the returns of N futures of the skills that are still compared to `returns` (skills, N).

    Args:
        grid: the kitchen.
        state: the present state.
        ego_run: the ego's row of the controller state now.
        player: the ego's seat.
        skills: the skills to compare, (S,), feasible.
        open_skills: which of them are still compared, (S,).
        partners: who the partner is in each future.
        keys: of the random draws of each future, (N,).
        weights: how the players' later choices differ from the network's.
        behaviour: chooses further skills.
        population: chooses those of a partner that chooses by propensity.
        value: estimates the return from the last state on.
        params: how futures are played.
        buffers: arrays to compute in.
        returns: the discounted rewards, in points.
    """
    for i in range(len(keys)):
        for s in range(len(skills)):
            if not open_skills[s]:
                continue
            for j in range(len(state)):
                buffers.state[j] = state[j]
            buffers.state[KEY] = keys[i]
            begin(grid, buffers, ego_run, player, skills[s], partners.skills[i])
            returns[s, i] = play_future(
                grid, int(keys[i]), player, partners, i, weights, behaviour, population, value, params, buffers
            )


@outlined_kernel
def begin(grid: Grid, buffers: Buffers, ego_run: Int32Array, player: int, skill: int, partner_skill: int) -> None:
    """Lets both cooks run their first skills; the ego goes on with its running one if that is the skill."""
    runs = buffers.runs
    for p in range(2):
        for column in range(runs.shape[1]):
            runs[p, column] = 0
        runs[p, SKILL] = NO_SKILL
        runs[p, TARGET] = -1
        runs[p, CONTROLLED] = 1
    if partner_skill != NO_SKILL:
        start_skill(grid, buffers.state, runs, 1 - player, partner_skill)
    started = start_skill(grid, buffers.state, runs, player, skill)
    if started and ego_run[SKILL] == skill:
        runs[player, AGE] = ego_run[AGE]
        runs[player, PRIORITY] = ego_run[PRIORITY]


@kernel
def play_future(
    grid: Grid,
    key: int,
    ego: int,
    partners: Partners,
    number: int,
    weights: ChoiceWeights,
    behaviour: Network,
    population: Network,
    value: Network,
    params: FutureParams,
    buffers: Buffers,
) -> float:
    """Plays one future from the state in the buffers and returns its discounted reward, in points."""
    state = buffers.state
    runs = buffers.runs
    partner = 1 - ego
    width = params.width
    chooser = int(partners.choosers[number])
    role = int(partners.roles[number])
    total = 0.0
    weight = 1.0
    chooses_again_at = 0
    for t in range(params.steps):
        last_role = role
        role = role_at(t, key, role, partners, number, params.n_roles)
        if role != last_role and runs[partner, SKILL] != NO_SKILL and ROLE_OF_SKILL[runs[partner, SKILL]] != role:
            stop_skill(runs, partner, INTERRUPTED)
        someone_worked = state[EVENT] != NO_SKILL or state[EVENT + 1] != NO_SKILL
        for player in range(2):
            if runs[player, SKILL] != NO_SKILL:
                continue
            random = LIKELIEST if player == ego else hash_random(~key, 2 * t + player)
            if player == ego or chooser == ADAPTS:
                skill = network_choice(grid, random, player, weights, behaviour, width, buffers)
                start_skill(grid, state, runs, player, skill)
            elif chooser == BY_PROPENSITY:
                skill = propensity_choice(grid, random, player, partners.samples[number], population, width, buffers)
                start_skill(grid, state, runs, player, skill)
            elif someone_worked or role != last_role or t >= chooses_again_at:
                skill = role_choice(grid, random, player, chooser, role, behaviour, width, buffers)
                chooses_again_at = t + PATIENCE if skill == SKILL_STAY else 0
                start_skill(grid, state, runs, player, skill)
        game_step(grid, state, runs, buffers.actions, params.timeout)
        total += weight * state[REWARD]
        weight *= params.discount
    encode_for(grid, state, 0, width, buffers.reach, buffers.observation)
    evaluate_network(value, buffers.observation, NO_SKILL, buffers.value)
    return total + weight * np.float64(buffers.value.outputs[0]) * params.value_scale


@kernel
def role_at(t: int, key: int, role: int, partners: Partners, number: int, n_roles: int) -> int:
    """Returns the partner's role in step t of a future: by the schedule if it is known, else it may be a new role."""
    schedule = partners.schedule
    if len(schedule):
        for entry in range(len(schedule)):
            if schedule[entry, 0] <= t:
                role = int(schedule[entry, 1])
        return role
    hazard = partners.hazards[number]
    if hazard > 0 and hash_random(~key, NEW_ROLE + t) < hazard:
        steps_on = 1 + hash_random(~key, 2 * NEW_ROLE + t) % (n_roles - 1)
        return int((role + steps_on) % n_roles)
    return role
