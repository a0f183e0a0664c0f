"""A player's policy over skills, as arrays by which a kernel chooses: of the scripted planner, a role or a network.

The agent owns the arrays, and a kernel that plays for it updates them.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from bba.agents.learned.policy import PolicySampler, allow_feasible, draw_among, draw_skill, lead_is_unclear
from bba.agents.waiting import NEVER_WAITED, Wait, begin_waiting, goes_on_waiting, new_wait
from bba.belief import NO_ROLE, ROLE_OF_SKILL, STAGE_PASS
from bba.kernels import kernel, outlined_kernel
from bba.kitchen import (
    COMPLETED,
    EVENT,
    HELD,
    N_SKILLS,
    NO_SKILL,
    NOTHING,
    SKILL_STAY,
    Float64Array,
    Grid,
    Int32Array,
    StateVector,
    encode_observation,
)
from bba.planner.scripted.hypotheses import (
    EVALUATES,
    GENERATES,
    PREDICTS,
    Minds,
    new_minds,
    note_event,
    think,
)
from bba.planner.scripted.scene_facts import (
    CONFIDENT,
    SceneFacts,
    confident_role,
    new_facts,
    read_state,
    remember_turn,
    stations_at,
)
from bba.planner.scripted.skill_choice import NO_NOTE, PromptContents, plan_skill, role_skill, role_skills

KIND, PLAYER, WIDTH, ROLE, LOCKED, TURNS, ASKS_ALWAYS, DRAWN = range(8)  # positions in `SkillPolicy.numbers`
# Kinds: the agent decides in Python; the scripted planner; work in a role; a learned policy.
BY_AGENT, PLANS, WORKS, DRAWS = range(4)

# Columns of a choice: what it is, as bits; the skill that a planner expects of the teammate, the role that it reads in
# the belief and the number of the turn; the note of a cook that works in a role.
WHAT, EXPECTED, SHOWN_ROLE, TURN, NOTE = range(5)
N_CHOICE = 5
# bits: as in `Decision`; whether the scripted planner was asked; whether the player acts by a primitive action
CHOSEN = 1
REPLANNED = 2
DELIBERATE = 4
PLANNED = 8
PRIMITIVE = 128
QUESTIONS = PLANNED | EVALUATES | GENERATES | PREDICTS


class SkillPolicy(NamedTuple):
    """How a player's skills are chosen, with the memory that this needs."""

    # (8,) kind, player, the kitchen's width; role; turns so far; whether it never waits; what it drew
    numbers: Int32Array
    facts: SceneFacts
    roles: Int32Array  # (H,) of the hypotheses of the belief that a prompt shows; (0,) if it shows none
    confident_from: float  # Γ
    turns: Int32Array  # (T, 4) the last turns (`bba.planner.scripted.skill_choice.PromptContents`)
    wait: Wait
    sampler: PolicySampler
    minds: Minds


def new_numbers(kind: int, player: int, width: int) -> Int32Array:
    """Returns the numbers of a policy."""
    numbers = np.zeros(8, np.int32)
    numbers[KIND] = kind
    numbers[PLAYER] = player
    numbers[WIDTH] = width
    return numbers


@cache
def no_policy() -> SkillPolicy:
    """Returns what stands for the policy of a player that is asked in Python."""
    none = np.zeros(0, np.int32)
    layer = (np.zeros((0, 0), np.float32), np.zeros(0, np.float32))
    facts = new_facts(stations_at([]), 0)
    numbers = new_numbers(BY_AGENT, 0, 0)
    sampler = PolicySampler.of((layer,) * 3, 0, 0)
    return SkillPolicy(numbers, facts, none, 1.0, np.zeros((0, 4), np.int32), new_wait(0), sampler, new_minds(0))


def working_policy(player: int, width: int, facts: SceneFacts, *, locked: bool) -> SkillPolicy:
    """Returns the policy of a cook that works in the role `numbers[ROLE]`."""
    policy = no_policy()._replace(numbers=new_numbers(WORKS, player, width), facts=facts)
    policy.numbers[LOCKED] = locked
    return policy


def within_role(policy: SkillPolicy, facts: SceneFacts) -> SkillPolicy:
    """Returns a learned policy that draws within the role `numbers[ROLE]`; one that no kernel draws as it is."""
    if policy.numbers[KIND] != DRAWS:
        return policy
    policy.numbers[LOCKED] = True
    return policy._replace(facts=facts)


@kernel
def loses_track(grid: Grid, state: StateVector, policy: SkillPolicy) -> bool:
    """Lets a player take in its partner's work; returns whether it has to be asked."""
    numbers = policy.numbers
    sampler = policy.sampler
    partner = 1 - numbers[PLAYER]
    if len(policy.minds.ranked) and state[EVENT + partner] != NO_SKILL:
        note_event(policy.minds, state[EVENT + partner])
    if len(sampler.regrets) == 0 or not state[COMPLETED + partner]:
        return False
    return lead_is_unclear(grid, state, partner, numbers[WIDTH], sampler)


@kernel
def draws_none(grid: Grid, state: StateVector, policy: SkillPolicy) -> bool:
    """Lets a player with a learned policy draw the skill that it will choose; returns whether it has to be asked."""
    numbers = policy.numbers
    if numbers[KIND] == DRAWS:
        if numbers[LOCKED]:
            numbers[DRAWN] = draw_within_role(grid, state, policy)
        else:
            numbers[DRAWN] = draw_skill(grid, state, numbers[PLAYER], numbers[WIDTH], policy.sampler)
    return bool(numbers[KIND] == BY_AGENT or (numbers[KIND] == DRAWS and numbers[DRAWN] == NO_SKILL))


@outlined_kernel
def draw_within_role(grid: Grid, state: StateVector, policy: SkillPolicy) -> int:
    """Returns the skill that a learned policy draws within a role, as a locked partner does (`skills_within`)."""
    numbers, sampler = policy.numbers, policy.sampler
    player, width, allowed = numbers[PLAYER], numbers[WIDTH], sampler.allowed
    free_hands = state[HELD + player] == NOTHING
    if free_hands:
        role_skills(grid, width, state, player, numbers[ROLE], policy.facts, allowed)
    else:
        encode_observation(grid, state, width, sampler.scratch, sampler.encoded)
        allow_feasible(sampler.encoded[player], allowed)
        allow_uses(numbers[ROLE], allowed)
    choices, only = 0, SKILL_STAY
    for skill in range(N_SKILLS):
        if allowed[skill]:
            choices, only = choices + 1, skill
    if choices <= 1:  # as in most steps, in which it waits: nothing is to be drawn, nor observed for that
        return only
    if free_hands:
        encode_observation(grid, state, width, sampler.scratch, sampler.encoded)
    return draw_among(state, player, sampler)


@kernel
def allow_uses(role: int, allowed: Int32Array) -> None:
    """Allows, of the feasible skills, the uses of a held item for a role; all its uses if there is none for it."""
    allowed[SKILL_STAY], within_role = 0, False
    for skill in range(N_SKILLS):
        within_role = within_role or (allowed[skill] != 0 and ROLE_OF_SKILL[skill] == role)
    if role != STAGE_PASS and within_role:
        for skill in range(N_SKILLS):
            if ROLE_OF_SKILL[skill] != role:
                allowed[skill] = 0


@outlined_kernel
def choose(
    grid: Grid, state: StateVector, policy: SkillPolicy, posterior: Float64Array, replans: bool, choice: Int32Array
) -> int:
    """Returns the skill that a player runs from now on, and writes the choice (5,).

    `posterior` is its belief; it `replans` if its trigger interrupts a skill. `state` is changed for a moment.
    """
    numbers = policy.numbers
    facts = policy.facts
    if numbers[KIND] == PLANS:
        return plan(grid, state, policy, posterior, replans, choice)
    if numbers[KIND] == DRAWS:
        choice[WHAT] = CHOSEN | DELIBERATE
        return int(numbers[DRAWN])
    player = numbers[PLAYER]
    width = numbers[WIDTH]
    role = numbers[ROLE]
    skill, note = role_skill(grid, width, state, player, role, numbers[LOCKED] != 0, facts)
    choice[WHAT], choice[NOTE] = CHOSEN | DELIBERATE, note
    return skill


@kernel
def plan(
    grid: Grid, state: StateVector, policy: SkillPolicy, posterior: Float64Array, replans: bool, choice: Int32Array
) -> int:
    """Returns the skill that the scripted planner chooses, or STAY for a cook that goes on waiting."""
    numbers = policy.numbers
    facts = policy.facts
    wait = policy.wait
    questions = PLANNED
    player = numbers[PLAYER]
    width = numbers[WIDTH]
    turn = numbers[TURNS]
    role = confident_role(posterior, policy.roles, policy.confident_from, facts.posterior)
    if not replans and goes_on_waiting(grid, state, player, role, wait):
        choice[WHAT] = CHOSEN
        return SKILL_STAY
    shown = PromptContents(posterior, policy.roles, policy.confident_from, policy.turns, turn)
    if len(policy.minds.ranked):
        read_state(grid, width, state, player, facts)
        questions |= think(policy.minds, facts, numbers[ASKS_ALWAYS] != 0)
        best = policy.minds.best
        shown = PromptContents(best, policy.minds.ranked[:1], 0.0 if best[0] >= 0.0 else 1.0, policy.turns, turn)
    skill, expected = plan_skill(grid, width, state, player, shown, facts)
    choice[WHAT] = CHOSEN | DELIBERATE | questions | (REPLANNED if replans else 0)
    choice[EXPECTED], choice[TURN], choice[NOTE] = expected, turn, NO_NOTE
    choice[SHOWN_ROLE] = np.argmax(facts.posterior) if facts.numbers[CONFIDENT] else NO_ROLE
    remember_turn(width, state, player, policy.turns, turn)
    numbers[TURNS] = turn + 1
    if skill == SKILL_STAY and not numbers[ASKS_ALWAYS]:
        begin_waiting(grid, state, player, role, wait)
    else:
        wait.since[0] = NEVER_WAITED
    return skill
