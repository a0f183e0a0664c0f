"""Plays the steps of a game until a player has to be asked.

It is the same step that `bba.play.game` plays one by one: every model of a partner takes in the last actions, the
players choose, the controller turns the running skills into actions, the rules play them, and skills that have ended
are cleared.
"""

from bba.agents.compiled.policy import ASKED, CHOSEN, COMMITS, KIND, WHAT, CompiledPolicy, choose
from bba.agents.continuing import COMPLETIONS, NOTHING
from bba.belief.commitment import remember_belief
from bba.belief.filter import MAP
from bba.belief.likelihood import Vector
from bba.belief.partner_model import ModelState, observe_action
from bba.kernels import kernel
from bba.kitchen.constants import NO_SKILL
from bba.kitchen.controller import AGE, ENDED, SKILL, SkillRuns, check_completion, next_actions, start_skill
from bba.kitchen.grid import Grid
from bba.kitchen.rules import step
from bba.kitchen.state import COMPLETED, EVENT, STEP, StateVector
from bba.play.stretch.rows import (
    AGE_BEFORE,
    CHOOSES,
    CONTINUES,
    ENDED_BEFORE,
    IS_ASKED,
    NOBODY,
    OBSERVER,
    REPLANS,
    RUNNING_BEFORE,
    Players,
    Rows,
)

PLAYED, SOMEBODY_IS_ASKED, INFEASIBLE = range(3)  # why a stretch ends; a skill of player p is INFEASIBLE + p


@kernel
def play_stretch(
    grid: Grid,
    rows: Rows,
    runs: SkillRuns,
    players: Players,
    expected: Vector,
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
            remember(players.models[OBSERVER])
        for player in range(2):
            chosen = rows.choices[i, player, WHAT] & CHOSEN
            if chosen and not start_skill(grid, now, runs, player, rows.skills[i, player]):
                return i, INFEASIBLE + player
            rows.ages[i, player] = runs[player, AGE]
        next_actions(grid, now, runs, rows.actions[i])
        after = rows.states[i + 2]
        for number in range(len(after)):
            after[number] = now[number]
        step(grid, after, rows.actions[i, 0], rows.actions[i, 1])
        for player in range(2):
            check_completion(grid, after, runs, player, timeout)
    return last, PLAYED


@kernel
def take_in(
    grid: Grid,
    before: StateVector,
    now: StateVector,
    runs: SkillRuns,
    players: Players,
    expected: Vector,
    rows: Rows,
    i: int,
) -> bool:
    """Lets every model take in the last actions, and says what the players do; returns whether one has to be asked."""
    asked = False
    for watcher in range(3):
        mid_skill, opened, watched = True, 0, players.watched[watcher]
        if watcher != OBSERVER:
            mid_skill = runs[watcher, SKILL] != NO_SKILL
        if watched != NOBODY:
            model, reading = players.models[watcher], rows.readings[i, watcher]
            opened = observe_action(grid, before, now, watched, expected, mid_skill, model, reading)
        if watcher != OBSERVER:
            does = next_move(now, watcher, mid_skill, opened, players)
            players.does[watcher] = does
            asked = asked or does == IS_ASKED
    return asked


@kernel
def next_move(now: StateVector, player: int, mid_skill: bool, opened: int, players: Players) -> int:
    """Returns what a player does next, given the gates that have opened."""
    learns, partner = players.learns[player], 1 - player
    works = now[COMPLETED + partner] != 0 if learns == COMPLETIONS else now[EVENT + partner] != NO_SKILL
    if now[STEP] >= players.until[player] or (learns != NOTHING and works):
        return IS_ASKED
    does = CONTINUES
    if not mid_skill:
        does = CHOOSES
    elif opened & players.interrupted_by[player]:
        does = REPLANS
    return IS_ASKED if does != CONTINUES and players.policies[player].numbers[KIND] == ASKED else does


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
