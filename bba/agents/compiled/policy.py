"""How a kernel chooses a player's skills: as the scripted planner does, or as a cook that works in a role."""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bba.agents.compiled.waiting import NEVER_WAITED, Wait, begin_waiting, goes_on_waiting, new_wait
from bba.belief import NO_ROLE
from bba.belief.likelihood import Vector
from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import SKILL_STAY
from bba.kitchen.grid import Grid
from bba.kitchen.state import StateVector
from bba.planner.scripted.scene_facts import (
    CONFIDENT,
    SceneFacts,
    confident_role,
    new_facts,
    remember_turn,
    stations_at,
)
from bba.planner.scripted.skill_choice import NO_NOTE, Told, plan_skill, role_skill

Ints = NDArray[np.int32]

KIND, PLAYER, WIDTH, ROLE, LOCKED, TURNS, ASKS_ALWAYS = range(7)  # positions in `CompiledPolicy.numbers`
ASKED, PLANS, WORKS = range(3)  # kinds: asked in Python; the scripted planner; work in a role

# Columns of a choice: what it is, as bits; the skill that a planner expects of the teammate, the role that it reads in
# the belief and the number of the turn; the note of a cook that works in a role.
WHAT, EXPECTED, SHOWN_ROLE, TURN, NOTE = range(5)
N_CHOICE = 5
CHOSEN, REPLANNED, COMMITS, PLANNED = 1, 2, 4, 8  # bits: as in `Decision`; and whether the scripted planner was asked


class CompiledPolicy(NamedTuple):
    """How a player's skills are chosen, with the memory that this needs."""

    numbers: Ints  # (7,) the kind, the player, the kitchen's width; the role; the turns so far; whether it never waits
    facts: SceneFacts
    roles: Ints  # (H,) of the hypotheses of the belief that a prompt shows; (0,) if it shows none
    confident_from: float  # Γ
    turns: Ints  # (T, 4) the last turns (`bba.planner.scripted.skill_choice.Told`)
    wait: Wait


def new_numbers(kind: int, player: int, width: int) -> Ints:
    """Returns the numbers of a policy."""
    numbers = np.zeros(7, np.int32)
    numbers[KIND], numbers[PLAYER], numbers[WIDTH] = kind, player, width
    return numbers


@cache
def no_policy() -> CompiledPolicy:
    """Returns what stands for the policy of a player that is asked in Python."""
    none = np.zeros(0, np.int32)
    return CompiledPolicy(
        new_numbers(ASKED, 0, 0), new_facts(stations_at([]), 0), none, 1.0, np.zeros((0, 4), np.int32), new_wait(0)
    )


def working_policy(player: int, width: int, facts: SceneFacts, *, locked: bool) -> CompiledPolicy:
    """Returns the policy of a cook that works in the role `numbers[ROLE]`."""
    policy = no_policy()._replace(numbers=new_numbers(WORKS, player, width), facts=facts)
    policy.numbers[LOCKED] = locked
    return policy


@outlined_kernel
def choose(
    grid: Grid, state: StateVector, policy: CompiledPolicy, posterior: Vector, replans: bool, choice: Ints
) -> int:
    """Returns the skill that a player runs from now on, and writes the choice (5,).

    `posterior` is its belief; it `replans` if its trigger interrupts a skill. `state` is changed for a moment.
    """
    numbers, facts = policy.numbers, policy.facts
    if numbers[KIND] == PLANS:
        return plan(grid, state, policy, posterior, replans, choice)
    player, width, role = numbers[PLAYER], numbers[WIDTH], numbers[ROLE]
    skill, note = role_skill(grid, width, state, player, role, numbers[LOCKED] != 0, facts)
    choice[WHAT], choice[NOTE] = CHOSEN | COMMITS, note
    return skill


@kernel
def plan(grid: Grid, state: StateVector, policy: CompiledPolicy, posterior: Vector, replans: bool, choice: Ints) -> int:
    """Returns the skill that the scripted planner chooses, or STAY for a cook that goes on waiting."""
    numbers, facts, wait = policy.numbers, policy.facts, policy.wait
    player, width, turn = numbers[PLAYER], numbers[WIDTH], numbers[TURNS]
    role = confident_role(posterior, policy.roles, policy.confident_from, facts.posterior)
    if not replans and goes_on_waiting(grid, state, player, role, wait):
        choice[WHAT] = CHOSEN
        return SKILL_STAY
    told = Told(posterior, policy.roles, policy.confident_from, policy.turns, turn)
    skill, expected = plan_skill(grid, width, state, player, told, facts)
    choice[WHAT] = CHOSEN | COMMITS | PLANNED | (REPLANNED if replans else 0)
    choice[EXPECTED], choice[TURN], choice[NOTE] = expected, turn, NO_NOTE
    choice[SHOWN_ROLE] = np.argmax(facts.posterior) if facts.numbers[CONFIDENT] else NO_ROLE
    remember_turn(width, state, player, policy.turns, turn)
    numbers[TURNS] = turn + 1
    if skill == SKILL_STAY and not numbers[ASKS_ALWAYS]:
        begin_waiting(grid, state, player, role, wait)
    else:
        wait.since[0] = NEVER_WAITED
    return skill
