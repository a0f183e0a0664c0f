"""A stretch: steps of a game that a kernel has played in few calls.

`Rows` and `Players` are the arrays that the kernel reads and writes (`bba.play.stretch_player`); `Stretch` reads them.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from bba.agents.base import Belief, Decision, Observation
from bba.agents.stretch_policy import (
    CHOSEN,
    COMMITS,
    N_CHOICE,
    QUESTIONS,
    REPLANNED,
    WHAT,
    CompiledPolicy,
    Continuation,
    KernelChoice,
)
from bba.belief import CONDITIONS, CONFIDENCE_NOW, GATE, MAP_NOW, ModelState, partner_update
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
CONTINUES, CHOOSES, REPLANS, IS_ASKED = range(4)  # what a player does next
CONTRADICTED = GATE + CONDITIONS.index("contradiction")  # in a reading
RUNNING_BEFORE, AGE_BEFORE, ENDED_BEFORE = range(3)  # columns of `Rows.before`

Given = tuple[Decision | None, Decision | None]  # by the players that were asked
ReadBelief = Callable[[int], Belief | None]  # of player 0, player 1 or the observer


class Rows(NamedTuple):
    """One row a step; N rows, states of S numbers, readings of W."""

    states: StateVector  # (2 + N, S) two states first: before the last step, and now; then those after each step
    actions: Int32Array  # (N, 2)
    skills: Int32Array  # (N, 2)
    ages: Int32Array  # (N, 2)
    before: Int32Array  # (N, 2, 3) the running skill, its age and how the last one ended, before the choice
    choices: Int32Array  # (N, 2, 5) (`bba.agents.stretch_policy`)
    readings: Float64Array  # (N, 3, W) of player 0, player 1 and the observer, before the step is played


class Players(NamedTuple):
    """Who watches whom, how the players choose, and when they have to be asked."""

    models: tuple[ModelState, ModelState, ModelState]  # of player 0, player 1 and the observer
    policies: tuple[CompiledPolicy, CompiledPolicy]
    tracks: BoolArray  # (2,) which of them take in their partner's work: a tuple's item costs a copy of it
    watched: Int64Array  # (3,) the player that each models, NOBODY for a watcher without a model
    interrupted_by: Int64Array  # (2,) the gates that interrupt each player's skill, as bits
    until: Int64Array  # (2,) the number of played steps at which it is asked
    does: Int64Array  # (2,) what it does in the next step
    given: Int64Array  # (2, 2) what was chosen by a player that was asked, as bits, and its skill


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


class Part(NamedTuple):
    """The steps of a stretch that were played in one compiled call.

    Attributes:
        first: its first step, 0 for that of the stretch.
        continuations: what the players do by themselves.
        given: what was decided for its first step by players that were asked.
        beliefs: the beliefs before its first step, if no kernel has written them.
    """

    first: int
    continuations: tuple[Continuation, Continuation]
    given: Given
    beliefs: ReadBelief | None = None


class Stretch:
    """Steps that follow one another; the tick of each is decoded at most once.

    Args:
        layout: the kitchen.
        rows: the arrays to be filled.
        hypotheses: the number of them in the model of player 0, player 1 and the observer; 0 for no model.

    Attributes:
        steps: how many were played, 0 or more.
    """

    def __init__(self, layout: Layout, rows: Rows, hypotheses: tuple[int, int, int]) -> None:
        self.rows = rows
        self.hypotheses = hypotheses
        self.steps = 0
        self._layout = layout
        self._parts = list[Part]()
        self._firsts = list[int]()
        self._decoded = dict[int, Tick]()

    def fits(self, hypotheses: tuple[int, int, int], width: int) -> bool:
        """Whether it can go on with models of so many hypotheses, whose readings are at most so long."""
        return self.hypotheses == hypotheses and self.rows.readings.shape[2] >= width

    def add(self, part: Part, steps: int) -> None:
        """Takes in so many steps that were played."""
        if not steps:
            return
        self._parts.append(part)
        self._firsts.append(part.first)
        self.steps = part.first + steps
        states = self.rows.states[1 + part.first : 1 + self.steps]
        for player, continuation in enumerate(part.continuations):
            if continuation.chooser is not None:
                choices = self._choices(part.first, player, self.steps)
                continuation.chooser.take_over(choices, states)

    def __len__(self) -> int:
        return self.steps

    def __iter__(self) -> Iterator[Tick]:
        return map(self.__getitem__, range(len(self)))

    def __getitem__(self, step: int) -> Tick:
        if step not in self._decoded:
            self._decoded[step] = self._tick(step)
        return self._decoded[step]

    def _tick(self, step: int) -> Tick:
        rows = self.rows
        observed = self.belief(step, OBSERVER_SEAT)
        assert observed is not None
        return Tick(
            rows.states[2 + step],
            _pair(rows.actions[step]),
            _pair(rows.skills[step]),
            _pair(rows.ages[step]),
            (self._ended(step, 0), self._ended(step, 1)),
            (self._decision(step, 0), self._decision(step, 1)),
            *observed,
        )

    def write_to(self, arrays: StepArrays, first: int) -> None:
        """Writes its steps to arrays, from the place `first` on."""
        rows = self.rows
        to = slice(first, first + self.steps)
        played = slice(self.steps)
        readings = rows.readings[played, OBSERVER_SEAT]
        choice_bits = rows.choices[played, EGO, WHAT]
        arrays.states[to] = rows.states[2 : 2 + self.steps, :STATE_HEADER]
        arrays.skills[to] = rows.skills[played]
        arrays.believed[to] = readings[:, MAP_NOW]
        arrays.confidence[to] = readings[:, CONFIDENCE_NOW]
        arrays.contradicted[to] = readings[:, CONTRADICTED]
        arrays.chosen[to] = choice_bits & CHOSEN != 0
        arrays.replanned[to] = choice_bits & REPLANNED != 0
        arrays.commits[to] = choice_bits & COMMITS != 0
        arrays.attempts[to] = np.bitwise_count(choice_bits & QUESTIONS)
        for step, decision in self.asked(EGO):
            arrays.write_calls(first + step, decision)

    def asked(self, player: int) -> Iterator[tuple[int, Decision]]:
        """Yields what a player decided in Python, and in which step of the stretch."""
        for part in self._parts:
            decision = part.given[player]
            if decision is not None:
                yield part.first, decision

    def belief(self, step: int, watcher: int) -> Belief | None:
        """Returns what player 0, player 1 or the observer believed before a step; None without a model.

        It may be the step after the last one, if the models have taken in its actions.
        """
        if step < self.steps:
            part = self._part(step)
            if part.beliefs is not None and step == part.first:
                return part.beliefs(watcher)
        size = self.hypotheses[watcher]
        if not size:
            return None
        return partner_update(self.rows.readings[step, watcher], size)

    def _part(self, step: int) -> Part:
        return self._parts[bisect_right(self._firsts, step) - 1]

    def _decision(self, step: int, player: int) -> Decision:
        part = self._part(step)
        skill = int(self.rows.skills[step, player])
        first_decision = part.given[player]
        continuation = part.continuations[player]
        chooser = continuation.chooser
        if step == part.first and first_decision is not None:
            decision = first_decision
        elif chooser is not None and self.rows.choices[step, player, WHAT]:
            decision = chooser.decision(self._choice(step, player))
        else:
            decision = continuation.decision._replace(skill=skill)
            if chooser is not None and chooser.draws:
                newest = deque(self._choices(part.first, player, step), maxlen=1)
                last_choice = newest[0] if newest else None
                played = int(self.rows.states[1 + step, STEP])
                decision = decision._replace(policy=chooser.policy_at(played, last_choice))
        observed = self.belief(step, player)
        if observed is None:
            return decision._replace(belief=None, gate=None, commitment=None)
        belief, gate, commitment = observed
        return decision._replace(belief=belief, gate=gate, commitment=commitment)

    def _choices(self, first: int, player: int, until: int) -> Iterator[KernelChoice]:
        """Yields the choices that kernels have made for a player from the first step of a part on."""
        part = self._part(first)
        begin = first if part.given[player] is None else first + 1
        for step in np.flatnonzero(self.rows.choices[begin:until, player, WHAT]).tolist():
            yield self._choice(begin + step, player)

    def _choice(self, step: int, player: int) -> KernelChoice:
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
        return Observation(player, self._layout, previous, state, running, age, ended, fast=True)

    def _ended(self, step: int, player: int) -> int | None:
        """Returns how the skill ended that a chosen one has replaced."""
        if not self.rows.choices[step, player, WHAT] & CHOSEN:
            return None
        running, _, ended = self.rows.before[step, player].tolist()
        if running != NO_SKILL:
            return INTERRUPTED
        return None if ended == RUNNING else int(ended)


def _pair(row: Any) -> tuple[int, int]:
    first, second = row.tolist()
    return first, second
