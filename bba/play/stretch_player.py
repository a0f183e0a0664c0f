"""Plays the stretches of one game, between the choices of agents that have to be asked.

It is the same step that `bba.play.game` plays one by one: every model of a partner takes in the last actions, the
players choose, and the kitchen plays on (`bba.kitchen.controller.game_step`).
"""

from typing import Any, NamedTuple

import numpy as np

from bba.agents.stretch_policy import (
    CHOSEN,
    COMMITS,
    REPLANNED,
    WHAT,
    CompiledPolicy,
    Continuation,
    choose,
    draws_none,
    loses_track,
    no_policy,
)
from bba.belief import CONFIDENCE_NOW, MAP, MAP_NOW, ModelState, PartnerModel, observe_action, remember_belief
from bba.config import BeliefConfig
from bba.kernels import compiled, is_plain, kernel, specialised
from bba.kitchen import (
    AGE,
    ENDED,
    NO_SKILL,
    SKILL,
    STEP,
    Float64Array,
    Grid,
    Layout,
    SkillRuns,
    StateVector,
    game_step,
    grid_of,
    start_skill,
)
from bba.play.stretch import (
    AGE_BEFORE,
    CHOOSES,
    CONTINUES,
    CONTRADICTED,
    ENDED_BEFORE,
    IS_ASKED,
    NOBODY,
    OBSERVER_SEAT,
    REPLANS,
    RUNNING_BEFORE,
    Given,
    Part,
    Players,
    ReadBelief,
    Rows,
    Stretch,
    new_rows,
)

STRETCH_ROWS = 512  # steps for which memory is taken at a time
PLAIN_STEPS = 16  # steps that are played plain at a time, so that the change to a compiled kernel is soon
NO_EXPECTATION = np.empty(0)
PLAYED, SOMEBODY_IS_ASKED, INFEASIBLE = range(3)  # why a stretch ends; a skill of player p is INFEASIBLE + p


@kernel
def play_stretch(
    grid: Grid,
    rows: Rows,
    runs: SkillRuns,
    players: Players,
    expected: Float64Array,
    first: int,
    last: int,
    timeout: int,
    taken_in: bool,
) -> tuple[int, int]:
    """Plays the steps from row `first` up to but without row `last`. Returns the row after them, and why it ended.

    The states before are in `rows.states`; `expected` is empty (`bba.belief.filter`). If the models have taken in the
    actions before the first step, then `players.does` and `players.given` say what happens in it.
    """
    for i in range(first, last):
        state = rows.states[i + 1]
        if not (taken_in and i == first) and take_in(grid, rows.states[i], state, runs, players, expected, rows, i):
            return i, SOMEBODY_IS_ASKED
        decide(grid, state, runs, 0, players, players.models[0], players.policies[0], rows, i)
        decide(grid, state, runs, 1, players, players.models[1], players.policies[1], rows, i)
        if rows.choices[i, 0, WHAT] & COMMITS:
            remember(players.models[OBSERVER_SEAT])
        for player in range(2):
            chosen = rows.choices[i, player, WHAT] & CHOSEN
            if chosen and not start_skill(grid, state, runs, player, rows.skills[i, player]):
                return i, INFEASIBLE + player
            rows.ages[i, player] = runs[player, AGE]
        next_state = rows.states[i + 2]
        for number in range(len(next_state)):
            next_state[number] = state[number]
        game_step(grid, next_state, runs, rows.actions[i], timeout)
    return last, PLAYED


@kernel
def take_in(
    grid: Grid,
    before: StateVector,
    now: StateVector,
    runs: SkillRuns,
    players: Players,
    expected: Float64Array,
    rows: Rows,
    i: int,
) -> bool:
    """Lets every model take in the last actions, and says what the players do; returns whether one has to be asked."""
    somebody_is_asked = False
    for watcher in range(3):
        mid_skill = True
        opened = 0
        watched = players.watched[watcher]
        if watcher != OBSERVER_SEAT:
            mid_skill = runs[watcher, SKILL] != NO_SKILL
        if watched != NOBODY:
            model = players.models[watcher]
            reading = rows.readings[i, watcher]
            opened = observe_action(grid, before, now, watched, expected, mid_skill, model, reading)
        if watcher != OBSERVER_SEAT:
            does = next_move(grid, now, watcher, mid_skill, opened, players)
            players.does[watcher] = does
            somebody_is_asked = somebody_is_asked or does == IS_ASKED
    return somebody_is_asked


@kernel
def next_move(grid: Grid, now: StateVector, player: int, mid_skill: bool, opened: int, players: Players) -> int:
    """Returns what a player does next, given the gates that have opened."""
    if now[STEP] >= players.until[player]:
        return IS_ASKED
    if players.tracks[player] and loses_track(grid, now, players.policies[player]):
        return IS_ASKED
    does = CONTINUES
    if not mid_skill:
        does = CHOOSES
    elif opened & players.interrupted_by[player]:
        does = REPLANS
    if does != CONTINUES and draws_none(grid, now, players.policies[player]):
        return IS_ASKED
    return does


@kernel
def decide(
    grid: Grid,
    now: StateVector,
    runs: SkillRuns,
    player: int,
    players: Players,
    model: ModelState,
    policy: CompiledPolicy,
    rows: Rows,
    i: int,
) -> None:
    """Writes what a player chooses, and the skill that it then runs; model and policy are its own."""
    does = players.does[player]
    running = runs[player, SKILL]
    run_before = rows.before[i, player]
    run_before[RUNNING_BEFORE] = running
    run_before[AGE_BEFORE] = runs[player, AGE]
    run_before[ENDED_BEFORE] = runs[player, ENDED]
    choice = rows.choices[i, player]
    choice[:] = 0
    if does == CONTINUES:
        rows.skills[i, player] = running
    elif does == IS_ASKED:
        choice[WHAT] = players.given[player, 0]
        rows.skills[i, player] = players.given[player, 1]
    else:
        rows.skills[i, player] = choose(grid, now, policy, model.filter.posterior, does == REPLANS, choice)
        if choice[WHAT] & COMMITS and players.watched[player] != NOBODY:
            remember(model)


@kernel
def remember(model: ModelState) -> None:
    """Lets a commitment gate remember what is believed at a choice."""
    best = model.filter.counters[MAP]
    remember_belief(model.commitment, best, model.filter.posterior[best])


class Played(NamedTuple):
    """What was played.

    Attributes:
        stretch: the steps, with those before in the same arrays.
        steps: how many were played now: the last ones of the stretch.
        asked: the players that have to be asked before the next step.
        infeasible: the player that has chosen a skill that it cannot start, so that its step was not played, if any.
    """

    stretch: Stretch
    steps: int
    asked: tuple[bool, bool] = (False, False)
    infeasible: int | None = None


class StretchPlayer:
    """Plays a game's stretches.

    Args:
        layout: the kitchen.
        observer: the passive observer's model.
        timeout: steps after which a skill ends unfinished.
    """

    def __init__(self, layout: Layout, observer: PartnerModel, timeout: int) -> None:
        self._layout = layout
        self._grid = grid_of(layout)
        self._observer = observer
        self._timeout = timeout
        self._play = compiled(play_stretch)
        self._compiled = self._play
        self._arrays: tuple[Rows, Players] | None = None  # those that `_play` is for
        self._stretch: Stretch | None = None
        self._continuations: tuple[Continuation, Continuation] | None = None  # of the last stretch
        self._inputs: tuple[_KernelInput, ...] = ()  # what the kernel was told of them
        self._players: Players | None = None
        # of beliefs and readings
        self._sizes = (0, 0, 0)
        self._width = 0

    def __getstate__(self) -> dict[str, Any]:
        """Returns what is pickled: not the specialised kernel, which is found anew."""
        return {**vars(self), "_play": self._compiled, "_arrays": None}

    def leave(self) -> None:
        """Ends the stretch: the next step is played otherwise."""
        self._stretch = None

    def play(
        self,
        before: StateVector | None,
        state: StateVector,
        runs: SkillRuns,
        continuations: tuple[Continuation, Continuation],
        given: Given,
        beliefs: ReadBelief | None,
        until: int,
    ) -> Played:
        """Plays on from a state until somebody has to be asked, and changes `runs`.

        Args:
            before: the state before; None in the first step.
            state: the state now.
            runs: the running skills.
            continuations: what the players do by themselves.
            given: what was decided for the first step by those that were asked; the others choose by themselves.
            beliefs: what the models say, if they have taken in the last actions elsewhere.
            until: the most steps to play.
        """
        players = self._with_decisions(continuations, given, first_step=before is None)
        last_stretch = self._stretch
        stretch = self._with_room(before, state, until)
        rows = stretch.rows
        first = stretch.steps
        outer_beliefs = None if stretch is last_stretch else beliefs  # else a kernel has written them
        if outer_beliefs is not None:
            observer = outer_beliefs(OBSERVER_SEAT)
            assert observer is not None
            reading = rows.readings[first, OBSERVER_SEAT]
            reading[MAP_NOW] = observer.belief.map_index
            reading[CONFIDENCE_NOW] = observer.belief.confidence
            reading[CONTRADICTED] = observer.gate is not None and observer.gate.contradiction
        most = min(until, PLAIN_STEPS) if is_plain(self._play) else until
        last = min(first + most, len(rows.actions))
        taken_in = beliefs is not None
        arguments = (self._grid, rows, runs, players, NO_EXPECTATION, first, last, self._timeout, taken_in)
        if self._arrays is None or self._arrays[0] is not rows or self._arrays[1] is not players:
            self._play = specialised(self._compiled, *arguments)
            self._arrays = (rows, players)
        end, reason = self._play(*arguments)
        steps = end - first
        stretch.add(Part(first, continuations, given, outer_beliefs), steps)
        if reason >= INFEASIBLE:
            return Played(stretch, steps, infeasible=reason - INFEASIBLE)
        if reason != SOMEBODY_IS_ASKED:
            return Played(stretch, steps)
        first_asked, second_asked = (players.does == IS_ASKED).tolist()
        return Played(stretch, steps, (first_asked, second_asked))

    def _with_room(
        self,
        before: StateVector | None,
        state: StateVector,
        steps: int,
    ) -> Stretch:
        """Returns the stretch that goes on, or a new one if there is none or its memory is full."""
        stretch = self._stretch
        sizes = self._sizes
        width = self._width
        if stretch is not None and stretch.steps < len(stretch.rows.actions) and stretch.fits(sizes, width):
            return stretch
        rows = new_rows(min(steps, STRETCH_ROWS), len(state), width)
        rows.states[0] = state if before is None else before
        rows.states[1] = state
        self._stretch = Stretch(self._layout, rows, sizes)
        return self._stretch

    def _with_decisions(
        self, continuations: tuple[Continuation, Continuation], given: Given, *, first_step: bool
    ) -> Players:
        """Returns the players, with what was decided for the next step by those that were asked."""
        players = self._players_of(continuations)
        for player in (0, 1):
            decision = given[player]
            if decision is not None:
                bits = CHOSEN * decision.chosen | REPLANNED * decision.replanned | COMMITS * decision.commits
                players.given[player, 0] = bits
                players.given[player, 1] = decision.skill
                players.does[player] = IS_ASKED
            elif first_step:
                players.does[player] = CHOOSES
        return players

    def _players_of(self, continuations: tuple[Continuation, Continuation]) -> Players:
        """Returns the players, made anew only if they differ from those of the last stretch."""
        last_continuations = self._continuations
        plain = is_plain(self._play)
        inputs = (_kernel_input(continuations[0], plain=plain), _kernel_input(continuations[1], plain=plain))
        players = self._players
        if players is None or not all(map(_same, self._inputs, inputs)):
            players = self._new_players(continuations)
            self._players = players
        for player in (0, 1):
            if last_continuations is None or last_continuations[player] is not continuations[player]:
                players.until[player] = continuations[player].until
        self._continuations = continuations
        self._inputs = inputs
        return players

    def _policy(self, continuation: Continuation) -> CompiledPolicy:
        """Returns how a kernel chooses for a player; a network is left to NumPy until the kernel is compiled."""
        chooser = continuation.chooser
        if chooser is None:
            return no_policy()
        if chooser.draws and is_plain(self._play):
            return no_policy()
        return chooser.policy

    def _new_players(self, continuations: tuple[Continuation, Continuation]) -> Players:
        first, second = continuations
        observer = self._observer
        self._sizes = (_size_of(first.model), _size_of(second.model), _size_of(observer))
        self._width = max(model.reading_size for model in (first.model, second.model, observer) if model)
        first_watched = first.model.partner if first.model else NOBODY
        second_watched = second.model.partner if second.model else NOBODY
        # A compiled call needs arrays for each seat: those of the observer stand in for a missing model.
        first_model = first.model or observer
        second_model = second.model or observer
        policies = (self._policy(first), self._policy(second))
        last_players = self._players
        return Players(
            models=(first_model.state, second_model.state, observer.state),
            policies=policies,
            tracks=np.array([len(policy.minds.ranked) + len(policy.sampler.regrets) > 0 for policy in policies]),
            watched=np.array([first_watched, second_watched, observer.partner]),
            interrupted_by=np.array([first.interrupted_by, second.interrupted_by]),
            until=np.array([first.until, second.until]),
            does=np.zeros(2, np.int64) if last_players is None else last_players.does,
            given=np.zeros((2, 2), np.int64),
        )


def _size_of(model: PartnerModel | None) -> int:
    return len(model.hypotheses.names) if model else 0


class _KernelInput(NamedTuple):
    """What a kernel is told of a player, but for `until`.

    A model that is reconfigured has other arrays and another configuration, which may equal the one before.
    """

    model: PartnerModel | None
    belief_config: BeliefConfig | None
    policy: CompiledPolicy | None
    interrupted_by: int
    plain: bool


def _kernel_input(continuation: Continuation, *, plain: bool) -> _KernelInput:
    model = continuation.model
    belief_config = model.belief_config if model else None
    policy = continuation.chooser.policy if continuation.chooser else None
    return _KernelInput(model, belief_config, policy, continuation.interrupted_by, plain)


def _same(left: _KernelInput, right: _KernelInput) -> bool:
    """Whether the objects are the very same ones, and the numbers are equal."""
    return (
        left.model is right.model
        and left.belief_config is right.belief_config
        and left.policy is right.policy
        and left.interrupted_by == right.interrupted_by
        and left.plain == right.plain
    )
