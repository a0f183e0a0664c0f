"""How a kernel chooses a player's skills, as the scripted planner does or as a cook that works; and when a waiting cook
is asked again.

What an agent does by itself is told in advance, so that whole stretches of a game are played in compiled calls without
asking it. Agents own the arrays and say which policy is theirs; any other agent is asked in Python.

A cook waits if its planner chose STAY, a skill that ends after one step. With `ask` "always" its planner is asked again
in the next step, as in the preprint. With "changed" it stays without a question until one of these differs from what it
was last asked about:

- the skills that it can start, what either cook holds, and the dishes that are ordered;
- what lies where, and its state: raw or chopped, cooking, ready, about to burn or burning, dirty plates;
- for an agent with a belief in its prompt: the likeliest role of its partner, or that none is likely enough (Γ).

Clocks, counts of chops and rinses, positions and directions do not count. Since a partner that stands still changes
nothing, the planner is asked after `LONGEST_WAIT` steps all the same. An unusable answer is no wait: it is asked again.
These make the situation of the cook, a row of numbers that kernels compare.
"""

from collections.abc import Callable, Iterable
from copy import copy, deepcopy
from functools import cache
from typing import NamedTuple, Protocol, Self, TypeGuard, runtime_checkable

import numpy as np

from bba.agents.base import WAITING, Agent, Belief, Decision, EpisodeContext, Observation, PolicyOutput
from bba.agents.learned.policy import PolicySampler, draw_skill, lead_is_unclear
from bba.belief import NO_ROLE, PartnerModel
from bba.config import Ask
from bba.kernels import kernel, maybe_compiled, outlined_kernel
from bba.kitchen import (
    BOARD,
    CHARCOAL,
    CHOPS,
    COMPLETED,
    DIRTY_PLATES,
    DISH,
    EVENT,
    GRILL,
    HELD,
    MAX_ORDERS,
    N_ORDERS,
    N_SKILLS,
    NO_SKILL,
    NOTHING,
    POT,
    SKILL_STAY,
    STATE_HEADER,
    STEP,
    Float64Array,
    Grid,
    Int32Array,
    StateVector,
    cooking_stage,
    feasible_targets,
    grid_of,
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
from bba.planner.scripted.skill_choice import NO_NOTE, Told, plan_skill, role_skill

LONGEST_WAIT = 30  # steps; as long as any other skill lasts by default
NEVER_WAITED = -1

# The numbers of a situation: the feasible skills, what both cooks hold, dirty plates, orders, the partner's role; then
# one number a tile: the item and its stage.
_HELD = N_SKILLS
_DIRTY = _HELD + 2
_ORDERS = _HELD + 3
_ROLE = _ORDERS + 1 + MAX_ORDERS
_ROLE_TILES = _ROLE + 1
_STAGES = 8  # more than food can have


class Wait(NamedTuple):
    """The memory of one cook that may wait, and room to compare situations in."""

    since: Int32Array  # (1,) the step of the question that was answered with STAY; NEVER_WAITED if it does not wait
    asked: Int32Array  # (S,) the situation of that question
    now: Int32Array  # (S,)
    targets: Int32Array  # (2, 27)


def new_wait(tiles: int) -> Wait:
    """Returns the memory of a cook that does not wait, in a kitchen of so many tiles."""
    size = _ROLE_TILES + tiles
    return Wait(
        since=np.full(1, NEVER_WAITED, np.int32),
        asked=np.zeros(size, np.int32),
        now=np.zeros(size, np.int32),
        targets=np.zeros((2, N_SKILLS), np.int32),
    )


@kernel
def goes_on_waiting(grid: Grid, state: StateVector, player: int, role: int, wait: Wait) -> bool:
    """Whether a cook waits, not for too long, and nothing has changed; `role` is its partner's, NO_ROLE if unclear."""
    since = wait.since[0]
    if since == NEVER_WAITED or state[STEP] - since >= LONGEST_WAIT:
        return False
    read_situation(grid, state, player, role, wait.targets, wait.now)
    same = True
    for number in range(len(wait.now)):
        same = same and wait.now[number] == wait.asked[number]
    return same


@kernel
def begin_waiting(grid: Grid, state: StateVector, player: int, role: int, wait: Wait) -> None:
    """Remembers the situation in which a cook chose to wait."""
    wait.since[0] = state[STEP]
    read_situation(grid, state, player, role, wait.targets, wait.asked)


@kernel
def read_situation(
    grid: Grid, state: StateVector, player: int, role: int, targets: Int32Array, situation: Int32Array
) -> None:
    """Writes a situation."""
    feasible_targets(grid, state, player, targets[0], targets[1])
    for skill in range(N_SKILLS):
        situation[skill] = targets[0, skill] >= 0
    situation[_HELD], situation[_HELD + 1] = state[HELD], state[HELD + 1]
    situation[_DIRTY], situation[_ORDERS], situation[_ROLE] = state[DIRTY_PLATES], state[N_ORDERS], role
    for order in range(MAX_ORDERS):
        situation[_ORDERS + 1 + order] = state[DISH + order] if order < state[N_ORDERS] else NOTHING
    for tile in range(len(grid.kind)):
        situation[_ROLE_TILES + tile] = state[STATE_HEADER + tile] * _STAGES + stage_at(grid, state, tile)


@kernel
def stage_at(grid: Grid, state: StateVector, tile: int) -> int:
    """Returns the stage of the item on a tile: whether it is chopped, or how far it is cooked."""
    kind = grid.kind[tile]
    item = state[STATE_HEADER + tile]
    if item == NOTHING:
        return 0
    progress = state[STATE_HEADER + len(grid.kind) + tile]
    if kind == BOARD:
        return int(progress >= grid.params[CHOPS])
    if (kind == GRILL or kind == POT) and item != CHARCOAL:
        return cooking_stage(grid, progress)
    return 0


RoleOfPartner = Callable[[], int]  # by a belief that the planner is told, NO_ROLE if that is not clear


class WaitingRule:
    """Whether one cook that waits goes on waiting. Like all memory of an agent it changes with `commit` only.

    Args:
        ask: when a waiting cook is asked again.

    Attributes:
        memory: what the cook was last asked about; a kernel that plays for it changes it, too.
    """

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def reset(self, context: EpisodeContext) -> None:
        """Begins an episode: the cook does not wait."""
        self._grid = grid_of(context.layout)
        self.memory = new_wait(len(self._grid.kind))
        self._pending: Wait | None = None  # of the question that a slow planner has not answered yet
        self._goes_on = maybe_compiled(goes_on_waiting, fast=context.fast)
        self._begin = maybe_compiled(begin_waiting, fast=context.fast)

    def copy(self) -> Self:
        """Returns an independent rule with the same memory."""
        clone = copy(self)
        clone.memory = deepcopy(self.memory)
        return clone

    def decision(self, observation: Observation, role: RoleOfPartner) -> Decision | None:
        """Returns the decision to go on waiting; None if the planner has to be asked."""
        if self.memory.since[0] == NEVER_WAITED:
            return None
        if self._goes_on(self._grid, observation.state, observation.player, role(), self.memory):
            return Decision(SKILL_STAY, chosen=True, note=WAITING)
        return None

    def commit(self, decision: Decision, observation: Observation, role: RoleOfPartner) -> None:
        """Remembers the situation if the planner chose to wait; forgets it if the cook does anything else.

        The decision is of this step, but a slow planner may have made it for an earlier one.
        """
        if self._ask == "always" or decision.waiting:
            return
        plan = decision.plan
        waits = decision.chosen and decision.skill == SKILL_STAY and not (plan is not None and plan.fallback)
        if decision.thinking:
            if decision.calls:  # a dropped answer is followed by another question
                self._pending = None
            elif self._pending is None:
                self._pending = self._situation(observation, role)
        elif waits:
            question = self._pending or self._situation(observation, role)
            self._pending = None
            self.memory.since[:] = question.since
            self.memory.asked[:] = question.asked
        else:
            self.memory.since[0] = NEVER_WAITED
            self._pending = None

    def _situation(self, observation: Observation, role: RoleOfPartner) -> Wait:
        """Returns what the cook would be asked about now."""
        situation = new_wait(len(self._grid.kind))
        self._begin(self._grid, observation.state, observation.player, role(), situation)
        return situation


KIND, PLAYER, WIDTH, ROLE, LOCKED, TURNS, ASKS_ALWAYS, DRAWN = range(8)  # positions in `CompiledPolicy.numbers`
ASKED, PLANS, WORKS, DRAWS = range(4)  # kinds: asked in Python; the scripted planner; work in a role; a learned policy

# Columns of a choice: what it is, as bits; the skill that a planner expects of the teammate, the role that it reads in
# the belief and the number of the turn; the note of a cook that works in a role.
WHAT, EXPECTED, SHOWN_ROLE, TURN, NOTE = range(5)
N_CHOICE = 5
# bits: as in `Decision`; and whether the scripted planner was asked
CHOSEN = 1
REPLANNED = 2
COMMITS = 4
PLANNED = 8
QUESTIONS = PLANNED | EVALUATES | GENERATES | PREDICTS


class CompiledPolicy(NamedTuple):
    """How a player's skills are chosen, with the memory that this needs."""

    numbers: (
        Int32Array  # (8,) kind, player, the kitchen's width; role; turns so far; whether it never waits; what it drew
    )
    facts: SceneFacts
    roles: Int32Array  # (H,) of the hypotheses of the belief that a prompt shows; (0,) if it shows none
    confident_from: float  # Γ
    turns: Int32Array  # (T, 4) the last turns (`bba.planner.scripted.skill_choice.Told`)
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
def no_policy() -> CompiledPolicy:
    """Returns what stands for the policy of a player that is asked in Python."""
    none = np.zeros(0, np.int32)
    layer = (np.zeros((0, 0), np.float32), np.zeros(0, np.float32))
    facts = new_facts(stations_at([]), 0)
    numbers = new_numbers(ASKED, 0, 0)
    sampler = PolicySampler.of((layer,) * 3, 0, 0)
    return CompiledPolicy(numbers, facts, none, 1.0, np.zeros((0, 4), np.int32), new_wait(0), sampler, new_minds(0))


def working_policy(player: int, width: int, facts: SceneFacts, *, locked: bool) -> CompiledPolicy:
    """Returns the policy of a cook that works in the role `numbers[ROLE]`."""
    policy = no_policy()._replace(numbers=new_numbers(WORKS, player, width), facts=facts)
    policy.numbers[LOCKED] = locked
    return policy


@kernel
def loses_track(grid: Grid, state: StateVector, policy: CompiledPolicy) -> bool:
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
def draws_none(grid: Grid, state: StateVector, policy: CompiledPolicy) -> bool:
    """Lets a player with a learned policy draw the skill that it will choose; returns whether it has to be asked."""
    numbers = policy.numbers
    if numbers[KIND] == DRAWS:
        numbers[DRAWN] = draw_skill(grid, state, numbers[PLAYER], numbers[WIDTH], policy.sampler)
    return bool(numbers[KIND] == ASKED or (numbers[KIND] == DRAWS and numbers[DRAWN] == NO_SKILL))


@outlined_kernel
def choose(
    grid: Grid, state: StateVector, policy: CompiledPolicy, posterior: Float64Array, replans: bool, choice: Int32Array
) -> int:
    """Returns the skill that a player runs from now on, and writes the choice (5,).

    `posterior` is its belief; it `replans` if its trigger interrupts a skill. `state` is changed for a moment.
    """
    numbers = policy.numbers
    facts = policy.facts
    if numbers[KIND] == PLANS:
        return plan(grid, state, policy, posterior, replans, choice)
    if numbers[KIND] == DRAWS:
        choice[WHAT] = CHOSEN | COMMITS
        return int(numbers[DRAWN])
    player = numbers[PLAYER]
    width = numbers[WIDTH]
    role = numbers[ROLE]
    skill, note = role_skill(grid, width, state, player, role, numbers[LOCKED] != 0, facts)
    choice[WHAT], choice[NOTE] = CHOSEN | COMMITS, note
    return skill


@kernel
def plan(
    grid: Grid, state: StateVector, policy: CompiledPolicy, posterior: Float64Array, replans: bool, choice: Int32Array
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
    shown = Told(posterior, policy.roles, policy.confident_from, policy.turns, turn)
    if len(policy.minds.ranked):
        read_state(grid, width, state, player, facts)
        questions |= think(policy.minds, facts, numbers[ASKS_ALWAYS] != 0)
        best = policy.minds.best
        shown = Told(best, policy.minds.ranked[:1], 0.0 if best[0] >= 0.0 else 1.0, policy.turns, turn)
    skill, expected = plan_skill(grid, width, state, player, shown, facts)
    choice[WHAT] = CHOSEN | COMMITS | questions | (REPLANNED if replans else 0)
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

    Attributes:
        chose: whether a kernel has chosen for it, so that the agent says anew how it goes on.
        draws: whether it draws from a learned policy, whose probabilities are shown until it draws again.
    """

    chose = False
    draws = False

    def __init__(self, policy: CompiledPolicy) -> None:
        self.policy = policy

    @property
    def waits(self) -> bool:
        """Whether the agent is asked in the first step: a kernel does not choose for it, or not yet."""
        return bool(self.draws or self.policy.numbers[KIND] == ASKED)

    def take_over(self, choices: Iterable[KernelChoice], states: StateVector) -> None:
        """Takes over what was chosen, in order, and what was seen, (n, S); nothing if no choice depends on it."""

    def decision(self, choice: KernelChoice) -> Decision:
        """Returns the agent's decision, but for belief and gates."""
        raise NotImplementedError

    def policy_at(self, step: int, choice: KernelChoice | None) -> PolicyOutput | None:
        """Returns what is shown of a learned policy while a skill runs; `choice` is the last one of the stretch."""


class Continuation(NamedTuple):
    """An agent's decision in every step in which its skill runs and nothing of the following happens.

    Attributes:
        decision: the decision, but for its skill, belief and gates.
        until: the number of played steps at which it has to be asked.
        model: what takes in the partner's actions in every step; None for an agent without a belief.
        interrupted_by: the gates of `model` at whose opening it chooses anew, as bits (`bba.belief.partner_model`).
        chooser: what a kernel chooses for; None if it has to be asked whenever it chooses.
    """

    decision: Decision = Decision(NO_SKILL)
    until: int = FOREVER
    model: PartnerModel | None = None
    interrupted_by: int = 0
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
