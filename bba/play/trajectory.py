"""A trajectory: steps of a game that follow one another, as arrays with a row for each, written by a kernel.

`Rows` and `Players` are the arrays that the kernel reads and writes (`bba.play.step_kernel`); `Trajectory` makes ticks
of the rows.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Reversible
from functools import partial
from typing import NamedTuple

import numpy as np

from bba.agents.base import Belief, Decision, Observation
from bba.agents.kernel_policy import KernelChoice, KernelPolicy
from bba.agents.skill_policy import CHOSEN, DELIBERATE, N_CHOICE, PRIMITIVE, QUESTIONS, REPLANNED, WHAT, SkillPolicy
from bba.belief import (
    ROLE_NAMES,
    ModelState,
    observed_columns,
    partner_update,
    posteriors_by_role,
    posteriors_of,
    role_posteriors_of,
)
from bba.kitchen import (
    INTERRUPTED,
    NO_SKILL,
    RUNNING,
    STATE_HEADER,
    STEP,
    BoolArray,
    Float64Array,
    Int32Array,
    Int64Array,
    Layout,
    StateVector,
)
from bba.play.trace import EGO, StepArrays, Tick

OBSERVER_SEAT = 2  # the watcher that is no player
NOBODY = -1  # watched by a watcher that has no model
KEEPS_SKILL, CHOOSES, REPLANS, AGENT_DECIDES = range(4)  # what a player does next
RUNNING_BEFORE, AGE_BEFORE, ENDED_BEFORE = range(3)  # columns of `Rows.before`

NO_MODELS = (0, 0, 0)  # numbers of hypotheses

KernelPolicies = tuple[KernelPolicy, KernelPolicy]
Decisions = tuple[Decision, Decision]
AgentDecisions = tuple[Decision | None, Decision | None]  # of those that were asked; None for the others
ReadBelief = Callable[[int], Belief | None]  # of player 0, player 1 or the observer


class Rows(NamedTuple):
    """One row a step; N rows, states of S numbers, readings of W."""

    states: StateVector  # (2 + N, S) two states first: before the last step, and now; then those after each step
    actions: Int32Array  # (N, 2)
    skills: Int32Array  # (N, 2)
    ages: Int32Array  # (N, 2)
    before: Int32Array  # (N, 2, 3) the running skill, its age and how the last one ended, before the choice
    choices: Int32Array  # (N, 2, 5) (`bba.agents.skill_policy`)
    readings: Float64Array  # (N, 3, W) of player 0, player 1 and the observer, before the step is played


class Players(NamedTuple):
    """Who watches whom, how the players choose, and when they have to be asked."""

    models: tuple[ModelState, ModelState, ModelState]  # of player 0, player 1 and the observer
    policies: tuple[SkillPolicy, SkillPolicy]
    tracks: BoolArray  # (2,) which of them take in their partner's work: a tuple's item costs a copy of it
    watched: Int64Array  # (3,) the player that each models, NOBODY for a watcher without a model
    interrupted_by: Int64Array  # (2,) the gates that interrupt each player's skill, as bits
    until: Int64Array  # (2,) the number of played steps at which it is asked
    moves: Int64Array  # (2,) what it does in the next step


def new_rows(count: int, state_size: int, reading_size: int) -> Rows:
    """Returns rows for so many steps."""
    actions = np.empty((count, 2), np.int32)
    skills = np.empty((count, 2), np.int32)
    ages = np.empty((count, 2), np.int32)
    runs_before = np.empty((count, 2, 3), np.int32)
    choices = np.empty((count, 2, N_CHOICE), np.int32)
    states = np.empty((2 + count, state_size), np.int32)
    readings = np.zeros((count, 3, reading_size))
    return Rows(states, actions, skills, ages, runs_before, choices, readings)


def write_decision(rows: Rows, step: int, player: int, decision: Decision) -> None:
    """Writes what an agent has decided to the row of a step; the columns that only a kernel's choice has stay free."""
    choice_bits = 0
    if decision.chosen:
        choice_bits |= CHOSEN
    if decision.replanned:
        choice_bits |= REPLANNED
    if decision.deliberate:
        choice_bits |= DELIBERATE
    action = decision.action
    if action is not None:
        choice_bits |= PRIMITIVE
        rows.actions[step, player] = action
    rows.choices[step, player, WHAT] = choice_bits
    rows.skills[step, player] = decision.skill


class KernelRun(NamedTuple):
    """The steps of a trajectory that one call of the kernel has played.

    Attributes:
        first: its first step, 0 for that of the trajectory.
        policies: of the players.
        decisions: those of agents for its first step; None where a kernel decides.
        beliefs: the beliefs before its first step, if no kernel has written them.
    """

    first: int
    policies: KernelPolicies
    decisions: AgentDecisions
    beliefs: ReadBelief | None = None


class KernelChoices(Reversible[KernelChoice]):
    """What kernels have chosen for a player, in order; a choice is made when it is asked for, and mostly the last is.

    Args:
        steps: of the choices.
        choice: returns the choice of a step.
    """

    def __init__(self, steps: list[int], choice: Callable[[int], KernelChoice]) -> None:
        self._steps = steps
        self._choice = choice

    def __iter__(self) -> Iterator[KernelChoice]:
        return map(self._choice, self._steps)

    def __reversed__(self) -> Iterator[KernelChoice]:
        return map(self._choice, reversed(self._steps))


class Trajectory:
    """Steps that follow one another; the tick of each is decoded at most once.

    Args:
        layout: the kitchen.
        rows: the arrays to be filled.
        hypotheses: the number of them in the model of player 0, player 1 and the observer; 0 for no model.
        fast: whether agents compute with compiled kernels.

    Attributes:
        steps: how many were played, 0 or more.
        observed: whether a kernel has written the readings of the step after the last one.
    """

    def __init__(self, layout: Layout, rows: Rows, hypotheses: tuple[int, int, int], *, fast: bool) -> None:
        self.rows = rows
        self.hypotheses = hypotheses
        self.steps = 0
        self.observed = False
        self._layout = layout
        self._fast = fast
        self._runs = list[KernelRun]()
        self._firsts = list[int]()
        self._decoded = dict[int, Tick]()

    def fits(self, hypotheses: tuple[int, int, int], width: int) -> bool:
        """Whether it can go on with models of so many hypotheses, whose readings are at most so long."""
        return self.hypotheses == hypotheses and self.rows.readings.shape[2] >= width

    def add(self, run: KernelRun, steps: int) -> None:
        """Takes in so many steps that were played."""
        if not steps:
            return
        self._runs.append(run)
        self._firsts.append(run.first)
        self.steps = run.first + steps
        states = self.rows.states[1 + run.first : 1 + self.steps]
        for player, policy in enumerate(run.policies):
            if policy.chooser is not None:
                choices = self._choices(run.first, player, self.steps)
                policy.chooser.record(choices, states)

    @property
    def newest_states(self) -> tuple[StateVector, StateVector]:
        """The states before and after its last step."""
        before, state = self.rows.states[self.steps : self.steps + 2]
        return before, state

    def __len__(self) -> int:
        return self.steps

    def __iter__(self) -> Iterator[Tick]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, step: int) -> Tick:
        if step not in self._decoded:
            self._decoded[step] = self._tick(step)
        return self._decoded[step]

    def _tick(self, step: int) -> Tick:
        observed = self.belief(step, OBSERVER_SEAT)
        assert observed is not None
        decisions = (self._decision(step, 0), self._decision(step, 1))
        return tick_of(self.rows, step, self.rows.states[2 + step], decisions, observed)

    def write_to(self, arrays: StepArrays, first: int) -> None:
        """Writes its steps to arrays, from the place `first` on."""
        rows = self.rows
        to = slice(first, first + self.steps)
        played = slice(self.steps)
        observed = observed_columns(rows.readings[played, OBSERVER_SEAT])
        choice_bits = rows.choices[played, EGO, WHAT]
        arrays.states[to] = rows.states[2 : 2 + self.steps, :STATE_HEADER]
        arrays.skills[to] = rows.skills[played]
        arrays.believed[to] = observed.believed
        arrays.confidence[to] = observed.confidence
        arrays.contradicted[to] = observed.contradicted
        arrays.chosen[to] = choice_bits & CHOSEN != 0
        arrays.replanned[to] = choice_bits & REPLANNED != 0
        arrays.deliberate[to] = choice_bits & DELIBERATE != 0
        arrays.attempts[to] = np.bitwise_count(choice_bits & QUESTIONS)
        for step, decision in self.by_agent(EGO):
            arrays.write_calls(first + step, decision)

    def by_agent(self, player: int) -> Iterator[tuple[int, Decision]]:
        """Yields what a player's agent decided in Python, and in which step of the trajectory."""
        for run in self._runs:
            decision = run.decisions[player]
            if decision is not None:
                yield run.first, decision

    def role_posteriors(self, watcher: int) -> Float64Array:
        """Returns the beliefs of player 0, player 1 or the observer over the roles, (steps, 6); NaN without a belief.

        They are those of its ticks, none of which is decoded for it.
        """
        size = self.hypotheses[watcher]
        posteriors = np.full((self.steps, len(ROLE_NAMES)), np.nan)
        if size:
            posteriors[:] = posteriors_by_role(posteriors_of(self.rows.readings[: self.steps, watcher], size))
        for run in self._runs:
            if run.beliefs is not None:
                belief = run.beliefs(watcher)
                posterior = None if belief is None else belief.belief.posterior
                posteriors[run.first] = role_posteriors_of([posterior])[0]
        return posteriors

    def belief(self, step: int, watcher: int) -> Belief | None:
        """Returns what player 0, player 1 or the observer believed before a step; None without a model.

        It may be the step after the last one, if the models have taken in its actions.
        """
        if step < self.steps:
            run = self._run_of(step)
            if run.beliefs is not None and step == run.first:
                return run.beliefs(watcher)
        size = self.hypotheses[watcher]
        if not size:
            return None
        return partner_update(self.rows.readings[step, watcher], size)

    def _run_of(self, step: int) -> KernelRun:
        return self._runs[bisect_right(self._firsts, step) - 1]

    def _decision(self, step: int, player: int) -> Decision:
        run = self._run_of(step)
        skill = int(self.rows.skills[step, player])
        first_decision = run.decisions[player]
        policy = run.policies[player]
        chooser = policy.chooser
        if step == run.first and first_decision is not None:
            decision = first_decision
        elif chooser is not None and self.rows.choices[step, player, WHAT]:
            decision = chooser.decision(self._choice(player, step))
        else:
            decision = policy.decision._replace(skill=skill)
            if chooser is not None and chooser.draws:
                last_choice = next(reversed(self._choices(run.first, player, step)), None)
                played = int(self.rows.states[1 + step, STEP])
                decision = decision._replace(policy=chooser.policy_at(played, last_choice))
        return decision.with_belief(self.belief(step, player))

    def _choices(self, first: int, player: int, until: int) -> "KernelChoices":
        """Returns the choices that kernels have made for a player from the first step of a run on."""
        run = self._run_of(first)
        begin = first if run.decisions[player] is None else first + 1
        chosen = np.flatnonzero(self.rows.choices[begin:until, player, WHAT])
        return KernelChoices((begin + chosen).tolist(), partial(self._choice, player))

    def _choice(self, player: int, step: int) -> KernelChoice:
        skill = int(self.rows.skills[step, player])
        numbers = tuple(self.rows.choices[step, player].tolist())
        return KernelChoice(
            skill,
            numbers,
            partial(self._observation, step, player),
            partial(self.belief, step, player),
        )

    def _observation(self, step: int, player: int) -> Observation:
        """Returns what a player saw before a step."""
        rows = self.rows
        running, age, ended = rows.before[step, player].tolist()
        state = rows.states[1 + step]
        previous = rows.states[step] if state[STEP] else None
        return Observation(player, self._layout, previous, state, running, age, ended, self._fast)


def tick_of(rows: Rows, step: int, state: StateVector, decisions: Decisions, observed: Belief) -> Tick:
    """Returns the tick of a row.

    Args:
        rows: of the steps that were played.
        step: which of them.
        state: after it.
        decisions: of both players, with their beliefs.
        observed: what the passive observer believed before it.
    """
    first_action, second_action = rows.actions[step].tolist()
    first_skill, second_skill = rows.skills[step].tolist()
    first_age, second_age = rows.ages[step].tolist()
    first_before, second_before = rows.before[step].tolist()
    first_choice, second_choice = rows.choices[step, :, WHAT].tolist()
    return Tick(
        state,
        (first_action, second_action),
        (first_skill, second_skill),
        (first_age, second_age),
        (_ended(first_choice, *first_before), _ended(second_choice, *second_before)),
        decisions,
        *observed,
    )


def _ended(choice_bits: int, running: int, _age: int, ended: int) -> int | None:
    """Returns how the skill ended that a chosen one has replaced; None if none was chosen, or there was none."""
    if not choice_bits & CHOSEN:
        return None
    if running != NO_SKILL:
        return INTERRUPTED
    return None if ended == RUNNING else ended
