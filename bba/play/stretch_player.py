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
        now = rows.states[i + 1]
        if not (taken_in and i == first) and take_in(grid, rows.states[i], now, runs, players, expected, rows, i):
            return i, SOMEBODY_IS_ASKED
        decide(grid, now, runs, 0, players, players.models[0], players.policies[0], rows, i)
        decide(grid, now, runs, 1, players, players.models[1], players.policies[1], rows, i)
        if rows.choices[i, 0, WHAT] & COMMITS:
            remember(players.models[OBSERVER_SEAT])
        for player in range(2):
            chosen = rows.choices[i, player, WHAT] & CHOSEN
            if chosen and not start_skill(grid, now, runs, player, rows.skills[i, player]):
                return i, INFEASIBLE + player
            rows.ages[i, player] = runs[player, AGE]
        after = rows.states[i + 2]
        for number in range(len(after)):
            after[number] = now[number]
        game_step(grid, after, runs, rows.actions[i], timeout)
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
    asked = False
    for watcher in range(3):
        mid_skill, opened, watched = True, 0, players.watched[watcher]
        if watcher != OBSERVER_SEAT:
            mid_skill = runs[watcher, SKILL] != NO_SKILL
        if watched != NOBODY:
            model, reading = players.models[watcher], rows.readings[i, watcher]
            opened = observe_action(grid, before, now, watched, expected, mid_skill, model, reading)
        if watcher != OBSERVER_SEAT:
            does = next_move(grid, now, watcher, mid_skill, opened, players)
            players.does[watcher] = does
            asked = asked or does == IS_ASKED
    return asked


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
    return IS_ASKED if does != CONTINUES and draws_none(grid, now, players.policies[player]) else does


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
    does, running = players.does[player], runs[player, SKILL]
    before, choice = rows.before[i, player], rows.choices[i, player]
    before[RUNNING_BEFORE], before[AGE_BEFORE], before[ENDED_BEFORE] = running, runs[player, AGE], runs[player, ENDED]
    choice[:] = 0
    if does == CONTINUES:
        rows.skills[i, player] = running
    elif does == IS_ASKED:
        choice[WHAT], rows.skills[i, player] = players.given[player, 0], players.given[player, 1]
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
        self._given: tuple[tuple[object, ...], ...] = ()  # what the kernel was told of them
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
        players = self._told(continuations, given, first_step=before is None)
        known = self._stretch
        stretch = self._with_room(before, state, until)
        rows = stretch.rows
        first = stretch.steps
        elsewhere = None if stretch is known else beliefs  # else a kernel has written them
        if elsewhere is not None:
            observer = elsewhere(OBSERVER_SEAT)
            assert observer is not None
            reading = rows.readings[first, OBSERVER_SEAT]
            reading[MAP_NOW], reading[CONFIDENCE_NOW] = observer.belief.map_index, observer.belief.confidence
            reading[CONTRADICTED] = observer.gate is not None and observer.gate.contradiction
        last = min(first + (min(until, PLAIN_STEPS) if is_plain(self._play) else until), len(rows.actions))
        taken_in = beliefs is not None
        arguments = self._grid, rows, runs, players, NO_EXPECTATION, first, last, self._timeout, taken_in
        if self._arrays is None or self._arrays[0] is not rows or self._arrays[1] is not players:
            self._arrays, self._play = (rows, players), specialised(self._compiled, *arguments)
        end, why = self._play(*arguments)
        stretch.add(Part(first, continuations, given, elsewhere), end - first)
        if why >= INFEASIBLE:
            return Played(stretch, end - first, infeasible=why - INFEASIBLE)
        if why != SOMEBODY_IS_ASKED:
            return Played(stretch, end - first)
        one, other = (players.does == IS_ASKED).tolist()
        return Played(stretch, end - first, (one, other))

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
        self._stretch = Stretch(self._layout, new_rows(min(steps, STRETCH_ROWS), len(state), width), sizes)
        self._stretch.rows.states[0], self._stretch.rows.states[1] = state if before is None else before, state
        return self._stretch

    def _told(self, continuations: tuple[Continuation, Continuation], given: Given, *, first_step: bool) -> Players:
        """Returns the players, told what is new."""
        players = self._players_of(continuations)
        for player in (0, 1):
            decision = given[player]
            if decision is not None:
                bits = CHOSEN * decision.chosen | REPLANNED * decision.replanned | COMMITS * decision.commits
                players.given[player, 0], players.given[player, 1] = bits, decision.skill
                players.does[player] = IS_ASKED
            elif first_step:
                players.does[player] = CHOOSES
        return players

    def _players_of(self, continuations: tuple[Continuation, Continuation]) -> Players:
        """Returns the players, made anew only if they differ from those of the last stretch."""
        known = self._continuations
        plain = is_plain(self._play)
        told = (*_told_of(continuations[0]), plain), (*_told_of(continuations[1]), plain)
        if self._players is None or not all(map(_same, self._given, told)):
            self._players = self._new_players(continuations)
        for player in (0, 1):
            if known is None or known[player] is not continuations[player]:
                self._players.until[player] = continuations[player].until
        self._continuations = continuations
        self._given = told
        return self._players

    def _policy(self, one: Continuation) -> CompiledPolicy:
        """Returns how a kernel chooses for a player; a network is left to NumPy until the kernel is compiled."""
        plain = is_plain(self._play)
        return no_policy() if one.chooser is None or (one.chooser.draws and plain) else one.chooser.policy

    def _new_players(self, continuations: tuple[Continuation, Continuation]) -> Players:
        first, second = continuations
        known = [first.model, second.model, self._observer]
        one, other, third = (len(model.hypotheses.names) if model else 0 for model in known)
        self._sizes = (one, other, third)
        self._width = max(model.reading_size for model in known if model)
        models = first.model or self._observer, second.model or self._observer, self._observer
        watched = [model.partner if one.model else NOBODY for model, one in zip(models, continuations, strict=False)]
        before = self._players
        policies = (self._policy(first), self._policy(second))
        return Players(
            models=(models[0].state, models[1].state, models[2].state),
            policies=policies,
            tracks=np.array([len(one.minds.ranked) + len(one.sampler.regrets) > 0 for one in policies]),
            watched=np.array([*watched, self._observer.partner]),
            interrupted_by=np.array([first.interrupted_by, second.interrupted_by]),
            until=np.array([first.until, second.until]),
            does=np.zeros(2, np.int64) if before is None else before.does,
            given=np.zeros((2, 2), np.int64),
        )


def _told_of(one: Continuation) -> tuple[object, ...]:
    """Returns what a kernel is told of a player, but for `until`.

    A model that is reconfigured has other arrays and another configuration, which may equal the one before.
    """
    model = one.model
    policy = one.chooser and one.chooser.policy
    return model, model and model.belief_config, policy, one.interrupted_by


def _same(known: tuple[object, ...], now: tuple[object, ...]) -> bool:
    objects = all(one is other for one, other in zip(known[:3], now[:3], strict=True))
    return objects and known[3:] == now[3:]
