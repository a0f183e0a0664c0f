"""How a kernel chooses a player's skills: as the scripted planner does, or as a cook that works in a role.

What an agent does by itself, told in advance, so that whole stretches of a game are played without asking it.

How kernels choose skills, so that whole games are played in compiled calls: the scripted planner and scripted roles.

`waiting` says when a waiting cook is asked again; `policy` chooses. Agents (`bba.agents`) own the arrays and say which
policy is theirs (`bba.agents.stretch_policy`); any other agent is asked in Python.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple, Protocol, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from bba.agents.base import Agent, Belief, Decision, Observation
from bba.agents.waiting import NEVER_WAITED, Wait, begin_waiting, goes_on_waiting, new_wait
from bba.belief import NO_ROLE, PartnerModel
from bba.belief.likelihood import Vector
from bba.kernels import kernel, outlined_kernel
from bba.kitchen.constants import NO_SKILL, SKILL_STAY
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


FOREVER = 2**31 - 1  # steps
NOTHING, COMPLETIONS, WORK = range(3)  # what of its partner's work an agent has to be told


class KernelChoice(NamedTuple):
    """A choice that a kernel has made for an agent.

    Attributes:
        skill: what it chose.
        fields: the columns of a choice (`bba.agents.stretch_policy`).
        observation: returns what the agent would have been shown.
        belief: returns what its model said then; None without a model.
    """

    skill: int
    fields: tuple[int, ...]
    observation: Callable[[], Observation]
    belief: Callable[[], Belief | None]


class Chooser:
    """An agent's part that a kernel chooses for.

    Args:
        policy: how the kernel chooses.
    """

    def __init__(self, policy: CompiledPolicy) -> None:
        self.policy = policy

    def take_over(self, choices: Iterable[KernelChoice]) -> None:
        """Takes over what was chosen, in order; nothing if no choice depends on earlier ones."""

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the agent's decision, but for belief and gates."""
        raise NotImplementedError


class Continuation(NamedTuple):
    """An agent's decision in every step in which its skill runs and nothing of the following happens.

    Attributes:
        decision: the decision, but for its skill, belief and gates.
        until: the number of played steps at which it has to be asked.
        model: what takes in the partner's actions in every step; None for an agent without a belief.
        interrupted_by: the gates of `model` at whose opening it chooses anew, as bits (`bba.belief.partner_model`).
        learns: after what it has to be asked: nothing, its partner's completed skills, or all its work at stations.
        chooser: what a kernel chooses for; None if it has to be asked whenever it chooses.
    """

    decision: Decision = Decision(NO_SKILL)
    until: int = FOREVER
    model: PartnerModel | None = None
    interrupted_by: int = 0
    learns: int = NOTHING
    chooser: Chooser | None = None


@runtime_checkable
class Continuing(Agent, Protocol):
    """Protocol of an agent that can tell in advance what it does by itself."""

    def continuation(self, played: int) -> Continuation | None:
        """Returns what it does from now on, after so many steps; None if it has to be asked in every step."""

    def take_over(self, belief: Belief) -> None:
        """Takes over what its model says of this step, in the place of `observe`."""


def foresees(agent: Agent) -> TypeGuard[Continuing]:
    """Whether an agent can tell in advance what it does; not if its class acts otherwise than the one that tells it."""
    if isinstance(agent, Continuing):
        for kind in type(agent).__mro__:
            if "continuation" in vars(kind):
                return True
            if not vars(kind).keys().isdisjoint(("observe", "decide", "commit")):
                return False
    return False
